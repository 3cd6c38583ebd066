//! The body of a function: values, memory, control.

use cranelift_codegen::ir::{
    AbiParam, Block, InstBuilder, InstructionData, Opcode, Signature, StackSlotData, StackSlotKind,
    Value, condcodes::IntCC, types::I64,
};
use cranelift_frontend::{FunctionBuilder, Variable};
use cranelift_module::{FuncId, Module};

use super::{
    Places,
    bounds::Meanings,
    calls::Callee,
    known::{Knowledge, Known},
    locals::Locals,
    unit::Unit,
    windows::Difference,
};
use crate::code::{Code, NONE};

/// Where a block of words begins.
#[derive(Debug, Clone, Copy)]
pub(super) enum Place {
    /// A place in fixed memory.
    Fixed(usize),
    /// A handle.
    At(Value),
}

/// Where control goes when something is known early.
#[derive(Debug, Clone, Copy)]
pub(super) struct Exit {
    pub(super) block: Block,
    /// How many searches of grids are under way there, and how many loops over few numbers.
    searches: usize,
    loops: usize,
}

/// The body of a function.
pub(super) struct Body<'b, 'c> {
    pub(super) builder: FunctionBuilder<'b>,
    pub(super) unit: &'b mut Unit<'c>,
    /// The event that is done.
    pub(super) event: Option<usize>,
    /// The machine's address.
    pub(super) machine: Value,
    /// What the function was called with besides.
    pub(super) parameters: Vec<Value>,
    /// Gives up.
    pub(super) fails: Block,
    pub(super) locals: Locals,
    /// How many searches of grids are under way.
    pub(super) searches: usize,
    /// The loops over few numbers that are under way: the number of each, and the first.
    pub(super) loops: Vec<(Variable, i64)>,
    /// What they have visited and nobody has counted as work yet.
    pub(super) uncounted: Option<Variable>,
    /// The difference of two variables that is known, where a condition asks for no more of them.
    pub(super) difference: Option<Difference>,
    /// How many facts that are said within texts are under way.
    pub(super) texts_within: usize,
    pub(super) knowledge: Knowledge,
    pub(super) meanings: Meanings,
    /// The event whose words are read.
    pub(super) reads_for: Option<usize>,
    /// The facts and new values that are being worked out.
    pub(super) making: Vec<Known>,
    /// Fields that are bags whose members were read, as bits.
    pub(super) members_read: Vec<(usize, Variable)>,
}

/// The offset of a field of the machine.
macro_rules! field {
    ($($field:ident).+) => {
        i32::try_from(std::mem::offset_of!(crate::machine::Machine<'static>, $($field).+)).unwrap_or(i32::MAX)
    };
}
pub(super) use field;

impl<'b, 'c> Body<'b, 'c> {
    pub(super) fn new(
        mut builder: FunctionBuilder<'b>,
        unit: &'b mut Unit<'c>,
        event: Option<usize>,
    ) -> Body<'b, 'c> {
        let entry = builder.create_block();
        builder.append_block_params_for_function_params(entry);
        builder.switch_to_block(entry);
        let parameters = builder.block_params(entry).to_vec();
        let fails = builder.create_block();
        builder.set_cold_block(fails);
        let mut body = Body {
            builder,
            unit,
            event,
            machine: parameters[0],
            parameters: parameters[1..].to_vec(),
            fails,
            locals: Locals::default(),
            searches: 0,
            loops: Vec::new(),
            uncounted: None,
            difference: None,
            texts_within: 0,
            knowledge: Knowledge::default(),
            meanings: Meanings::default(),
            reads_for: None,
            making: Vec::new(),
            members_read: Vec::new(),
        };
        for (local, parameter) in (0u32..).zip(&parameters[1..]) {
            body.set_local(local, *parameter);
        }
        body
    }

    /// Ends the function.
    pub(super) fn finish(mut self) {
        self.builder.switch_to_block(self.fails);
        let failed = self.constant(1);
        self.store_field(failed, field!(places.failed));
        let nothing = self.constant(0);
        self.builder.ins().return_(&[nothing]);
        self.builder.seal_all_blocks();
        self.builder.finalize();
    }

    pub(super) fn returns(&mut self, value: Value) {
        self.builder.ins().return_(&[value]);
    }

    pub(super) fn constant(&mut self, value: i64) -> Value {
        self.builder.ins().iconst(I64, value)
    }

    /// The number that a value is, where that is known here.
    pub(super) fn constant_of(&self, value: Value) -> Option<i64> {
        let dfg = &self.builder.func.dfg;
        let made_by = dfg.value_def(value).inst()?;
        match dfg.insts[made_by] {
            InstructionData::UnaryImm {
                opcode: Opcode::Iconst,
                imm,
            } => Some(imm.bits()),
            _ => None,
        }
    }

    pub(super) fn none(&mut self) -> Value {
        self.constant(NONE)
    }

    /// The address of something that lives as long as the compiled game.
    pub(super) fn address<T: ?Sized>(&mut self, of: &'c T) -> Value {
        let address = std::ptr::from_ref(of).cast::<u8>().expose_provenance();
        self.constant(i64::try_from(address).unwrap_or(0))
    }

    // Control.

    pub(super) fn block(&mut self) -> Block {
        self.builder.create_block()
    }

    pub(super) fn go_to(&mut self, block: Block) {
        self.knowledge.goes_to(block);
        self.builder.ins().jump(block, &[]);
    }

    pub(super) fn begin(&mut self, block: Block) {
        self.knowledge.begins(block);
        self.builder.switch_to_block(block);
    }

    /// Goes to one block where a value is not 0, and else to another.
    pub(super) fn branch(&mut self, value: Value, then: Block, otherwise: Block) {
        if let Some(constant) = self.constant_of(value) {
            self.go_to(if constant == 0 { otherwise } else { then });
            return;
        }
        self.knowledge.goes_to(then);
        self.knowledge.goes_to(otherwise);
        self.builder.ins().brif(value, then, &[], otherwise, &[]);
    }

    /// Goes on in a new block only where a value is not 0, and else to another.
    pub(super) fn unless_zero(&mut self, value: Value, zero: Block) {
        let next = self.block();
        self.branch(value, next, zero);
        self.begin(next);
    }

    /// Gives up where a value is not 0.
    pub(super) fn fail_if(&mut self, value: Value) {
        let next = self.block();
        self.branch(value, self.fails, next);
        self.begin(next);
    }

    /// Gives up.
    pub(super) fn fail(&mut self) {
        self.go_to(self.fails);
        let next = self.block();
        self.begin(next);
    }

    /// A place to go to when something is known early.
    pub(super) fn exit(&mut self) -> Exit {
        Exit {
            block: self.block(),
            searches: self.searches,
            loops: self.loops.len(),
        }
    }

    /// Goes to an exit; what is written next is never done.
    pub(super) fn leave(&mut self, exit: Exit) {
        for _ in exit.searches..self.searches {
            self.call(Callee::EndSearch, &[]);
        }
        self.count_loops(exit.loops);
        self.go_to(exit.block);
        let next = self.block();
        self.begin(next);
    }

    /// Goes to an exit where a value is 0.
    pub(super) fn leave_unless(&mut self, value: Value, exit: Exit) {
        if exit.searches == self.searches && exit.loops == self.loops.len() {
            self.unless_zero(value, exit.block);
            return;
        }
        let (next, leaving) = (self.block(), self.block());
        self.branch(value, next, leaving);
        self.begin(leaving);
        self.leave(exit);
        self.go_to(next);
        self.begin(next);
    }

    /// Counts one piece of work.
    pub(super) fn works(&mut self) {
        let work = self.field(field!(work));
        let one = self.constant(1);
        let left = self.builder.ins().isub(work, one);
        self.store_field(left, field!(work));
        let used_up = self.equals(left, 0);
        self.fail_if(used_up);
    }

    // Comparisons, as 0 or 1.

    pub(super) fn compare(&mut self, how: IntCC, left: Value, right: Value) -> Value {
        if let Some(known) = self.foregone(how, left, right) {
            return self.constant(i64::from(known));
        }
        let (left, right) = match how {
            IntCC::Equal | IntCC::NotEqual => self.as_kept(left, right),
            _ => (left, right),
        };
        let bit = self.builder.ins().icmp(how, left, right);
        let found = self.builder.ins().uextend(I64, bit);
        self.ranged(found, (0, 1))
    }

    pub(super) fn equals(&mut self, left: Value, right: i64) -> Value {
        let right = self.constant(right);
        self.compare(IntCC::Equal, left, right)
    }

    pub(super) fn is_none(&mut self, value: Value) -> Value {
        self.equals(value, NONE)
    }

    pub(super) fn select(&mut self, condition: Value, then: Value, otherwise: Value) -> Value {
        if let Some(condition) = self.constant_of(condition) {
            return if condition == 0 { otherwise } else { then };
        }
        if then == otherwise {
            return then;
        }
        let selected = self.builder.ins().select(condition, then, otherwise);
        self.one_of_all(selected, &[then, otherwise]);
        selected
    }

    // Calls.

    /// Calls a function of the machine.
    pub(super) fn call(&mut self, callee: Callee, arguments: &[Value]) -> Value {
        let mut signature = Signature::new(self.unit.module.isa().default_call_conv());
        signature
            .params
            .resize(arguments.len() + 1, AbiParam::new(I64));
        signature.returns.push(AbiParam::new(I64));
        let signature = self.builder.import_signature(signature);
        let address = self.constant(i64::try_from(callee.address()).unwrap_or(0));
        let mut all = vec![self.machine];
        all.extend_from_slice(arguments);
        let call = self.builder.ins().call_indirect(signature, address, &all);
        let result = self.builder.inst_results(call)[0];
        if callee.may_fail() {
            self.fail_if_failed();
        }
        result
    }

    /// Calls another function of the game.
    pub(super) fn call_own(&mut self, function: FuncId, arguments: &[Value]) -> Value {
        self.call_own_or(function, arguments, self.fails)
    }

    /// Calls another function of the game; goes to a block where it gives up.
    pub(super) fn call_own_or(
        &mut self,
        function: FuncId,
        arguments: &[Value],
        gave_up: Block,
    ) -> Value {
        let function = self
            .unit
            .module
            .declare_func_in_func(function, self.builder.func);
        let mut all = vec![self.machine];
        all.extend_from_slice(arguments);
        let call = self.builder.ins().call(function, &all);
        let result = self.builder.inst_results(call)[0];
        let failed = self.field(field!(places.failed));
        let next = self.block();
        self.branch(failed, gave_up, next);
        self.begin(next);
        result
    }

    fn fail_if_failed(&mut self) {
        let failed = self.field(field!(places.failed));
        self.fail_if(failed);
    }

    /// Lets the evaluator work out an expression.
    pub(super) fn interpret(&mut self, code: &'c Code) -> Value {
        let address = self.address(code);
        let count = code.locals();
        if count == 0 {
            return self.call(Callee::Evaluate, &[address]);
        }
        let mut asked = vec![false; count];
        code.each(&mut |piece| {
            if let Code::Local(local) = piece
                && let Some(asked) = asked.get_mut(*local as usize)
            {
                *asked = true;
            }
        });
        let size = u32::try_from(count * 8).unwrap_or(u32::MAX);
        let slot = self.builder.create_sized_stack_slot(StackSlotData::new(
            StackSlotKind::ExplicitSlot,
            size,
            3,
        ));
        for (local, asked) in (0u32..).zip(asked) {
            let value = if asked {
                self.local_if_set(local)
            } else {
                self.constant(0)
            };
            let place = i32::try_from(local * 8).unwrap_or(0);
            self.builder.ins().stack_store(value, slot, place);
        }
        let locals = self.builder.ins().stack_addr(I64, slot, 0);
        let count = self.constant(i64::try_from(count).unwrap_or(0));
        self.call(Callee::EvaluateFramed, &[address, locals, count])
    }
}

/// The machine's places are read by their offsets.
const _: () = assert!(size_of::<Places>() == 12 * size_of::<usize>());
