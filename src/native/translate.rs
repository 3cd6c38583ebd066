//! Translates functions to Cranelift's IR, instruction by instruction.

mod memory;

use cranelift_codegen::ir::{
    self, AbiParam, BlockCall, InstBuilder, JumpTableData, Signature, UserFuncName,
    condcodes::IntCC,
    types::{I32, I64},
};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext, Variable};
use cranelift_jit::JITModule;
use cranelift_module::{FuncId, Module as _};

use super::calls;
use crate::{
    machine::offsets,
    mir::{Binary, Block, Checked, Condition, End, Field, Function, Inst, Module, Unary, Value},
};
use memory::cached;

/// Translates all functions of a module; returns the id of each.
pub(super) fn translate(module: &Module, code: &mut JITModule) -> Option<Vec<FuncId>> {
    let mut ids = Vec::new();
    for function in module.functions() {
        let signature = signature(code, function.parameters);
        ids.push(code.declare_anonymous_function(&signature).ok()?);
    }
    let mut context = code.make_context();
    let mut frontend = FunctionBuilderContext::new();
    for (function, id) in module.functions().zip(&ids) {
        context.func.signature = signature(code, function.parameters);
        context.func.name = UserFuncName::user(0, id.as_u32());
        let builder = FunctionBuilder::new(&mut context.func, &mut frontend);
        Translator::new(builder, module, function, code, &ids).function();
        code.define_function(*id, &mut context).ok()?;
        code.clear_context(&mut context);
    }
    Some(ids)
}

/// The signature of a function: the machine and a number of words, to a word.
fn signature(code: &JITModule, words: usize) -> Signature {
    let mut signature = code.make_signature();
    signature.params.resize(words + 1, AbiParam::new(I64));
    signature.returns.push(AbiParam::new(I64));
    signature
}

/// How a register is translated.
#[derive(Debug, Clone, Copy)]
enum Register {
    Constant(i64),
    /// It is written once, before it is read.
    Once(Option<ir::Value>),
    /// It is written in several places.
    Variable(Variable),
}

struct Translator<'t> {
    builder: FunctionBuilder<'t>,
    module: &'t Module,
    function: &'t Function,
    code: &'t mut JITModule,
    ids: &'t [FuncId],
    machine: ir::Value,
    registers: Vec<Register>,
    blocks: Vec<ir::Block>,
}

impl<'t> Translator<'t> {
    fn new(
        mut builder: FunctionBuilder<'t>,
        module: &'t Module,
        function: &'t Function,
        code: &'t mut JITModule,
        ids: &'t [FuncId],
    ) -> Translator<'t> {
        let blocks: Vec<ir::Block> = function
            .blocks
            .iter()
            .map(|_| builder.create_block())
            .collect();
        // Cranelift's entry block must not be a jump target.
        let entry = builder.create_block();
        builder.append_block_params_for_function_params(entry);
        builder.switch_to_block(entry);
        let parameters = builder.block_params(entry).to_vec();
        let mut writes = vec![0u32; function.registers];
        for inst in function.blocks.iter().flat_map(|block| &block.insts) {
            inst.clone().registers(&mut |value, is_written| {
                writes[value.0 as usize] += u32::from(is_written);
            });
        }
        let mut registers = Vec::with_capacity(function.registers);
        for (place, writes) in writes.iter().enumerate() {
            let constant = place.checked_sub(function.parameters);
            let constant = constant.and_then(|place| function.constants.get(place));
            registers.push(if let Some(parameter) = parameters.get(place + 1) {
                Register::Once(Some(*parameter))
            } else if let Some(constant) = constant {
                Register::Constant(*constant)
            } else if *writes <= 1 {
                Register::Once(None)
            } else {
                Register::Variable(builder.declare_var(I64))
            });
        }
        builder.ins().jump(blocks[0], &[]);
        Translator {
            builder,
            module,
            function,
            code,
            ids,
            machine: parameters[0],
            registers,
            blocks,
        }
    }

    fn function(mut self) {
        for (place, block) in order(self.function) {
            self.builder.switch_to_block(self.blocks[place]);
            if block.is_cold {
                self.builder.set_cold_block(self.blocks[place]);
            }
            for inst in &block.insts {
                self.inst(inst);
            }
            self.end(&block.end);
        }
        self.builder.seal_all_blocks();
        self.builder.finalize();
    }

    fn get(&mut self, value: Value) -> ir::Value {
        match self.registers[value.0 as usize] {
            Register::Constant(number) => self.builder.ins().iconst(I64, number),
            Register::Once(Some(value)) => value,
            // The verifier has checked that it is written before it is read.
            Register::Once(None) => unreachable!("a register that is not written"),
            Register::Variable(variable) => self.builder.use_var(variable),
        }
    }

    fn set(&mut self, to: Value, value: ir::Value) {
        match &mut self.registers[to.0 as usize] {
            Register::Variable(variable) => self.builder.def_var(*variable, value),
            other => *other = Register::Once(Some(value)),
        }
    }

    #[expect(clippy::too_many_lines, reason = "an arm for each instruction")]
    fn inst(&mut self, inst: &Inst) {
        match inst {
            Inst::Copy { to, from } => {
                let value = self.get(*from);
                self.set(*to, value);
            }
            Inst::Unary { op, to, from } => {
                let from = self.get(*from);
                let ins = self.builder.ins();
                let value = match op {
                    Unary::Neg => ins.ineg(from),
                    Unary::Abs => ins.iabs(from),
                    Unary::Not => ins.bnot(from),
                    Unary::Popcount => ins.popcnt(from),
                    Unary::TrailingZeros => ins.ctz(from),
                    Unary::LeadingZeros => ins.clz(from),
                };
                self.set(*to, value);
            }
            Inst::Binary {
                op,
                to,
                left,
                right,
            } => {
                let (left, right) = (self.get(*left), self.get(*right));
                let value = self.binary(*op, left, right);
                self.set(*to, value);
            }
            Inst::Checked {
                op,
                to,
                overflow,
                left,
                right,
            } => {
                let (left, right) = (self.get(*left), self.get(*right));
                let ins = self.builder.ins();
                let (value, is_beyond) = match op {
                    Checked::Add => ins.sadd_overflow(left, right),
                    Checked::Sub => ins.ssub_overflow(left, right),
                    Checked::Mul => ins.smul_overflow(left, right),
                };
                let is_beyond = self.builder.ins().uextend(I64, is_beyond);
                self.set(*to, value);
                self.set(*overflow, is_beyond);
            }
            Inst::Compare {
                how,
                to,
                left,
                right,
            } => {
                let (left, right) = (self.get(*left), self.get(*right));
                let holds = self.builder.ins().icmp(condition(*how), left, right);
                let holds = self.builder.ins().uextend(I64, holds);
                self.set(*to, holds);
            }
            Inst::Select {
                to,
                condition,
                then,
                otherwise,
            } => {
                let condition = self.get(*condition);
                let (then, otherwise) = (self.get(*then), self.get(*otherwise));
                let value = self.builder.ins().select(condition, then, otherwise);
                self.set(*to, value);
            }
            Inst::Charge { is_used_up } => {
                let place = offsets::field(Field::Fuel);
                let fuel = self.machine_word(place);
                let left = self.builder.ins().iadd_imm(fuel, -1);
                self.set_machine_word(left, place);
                let none = IntCC::SignedLessThanOrEqual;
                let is_over = self.builder.ins().icmp_imm(none, left, 0);
                let is_over = self.builder.ins().uextend(I64, is_over);
                self.set(*is_used_up, is_over);
            }
            Inst::Get { to, field } => {
                let value = self.machine_word(offsets::field(*field));
                self.set(*to, value);
            }
            Inst::Set { field, from } => {
                let value = self.get(*from);
                self.set_machine_word(value, offsets::field(*field));
            }
            Inst::Load { to, at, width } => {
                let value = self.load(at, *width);
                self.set(*to, value);
            }
            Inst::Store { from, at, width } => {
                let value = self.get(*from);
                self.store(value, at, *width);
            }
            Inst::CopyWords { places, words } => {
                let (to, from) = &**places;
                self.copy_words(from, to, *words);
            }
            Inst::ZeroWords { at, words } => self.zero_words(at, *words),
            Inst::LoadPile { to, log, place } => {
                let piles = self.machine_word(offsets::piles());
                let (log, place) = (self.get(*log), self.get(*place));
                let words = self.word_of(piles, log);
                let value = self.word_of(words, place);
                self.set(*to, value);
            }
            Inst::Recall {
                is_now,
                to,
                cache,
                index,
            } => {
                let entry = self.entry(*cache, *index);
                let (_, epoch, value) = offsets::entry();
                let ins = self.builder.ins();
                let epoch = ins.load(I64, cached(), entry, epoch);
                let now = self.machine_word(offsets::field(Field::Epoch));
                let same = self.builder.ins().icmp(IntCC::Equal, epoch, now);
                let same = self.builder.ins().uextend(I64, same);
                let value = self.builder.ins().load(I64, cached(), entry, value);
                self.set(*is_now, same);
                self.set(*to, value);
            }
            Inst::Remember { cache, index, from } => {
                let entry = self.entry(*cache, *index);
                let (_, epoch, value) = offsets::entry();
                let now = self.machine_word(offsets::field(Field::Epoch));
                let from = self.get(*from);
                self.builder.ins().store(cached(), now, entry, epoch);
                self.builder.ins().store(cached(), from, entry, value);
            }
            Inst::Forget { cache, index } => {
                let entry = self.entry(*cache, *index);
                let (_, epoch, _) = offsets::entry();
                let never = self.builder.ins().iconst(I64, 0);
                self.builder.ins().store(cached(), never, entry, epoch);
            }
            Inst::Lookup {
                found,
                to,
                form,
                key,
            } => {
                let key = self.get(*key);
                let (is_found, value) = self.lookup(*form, key);
                self.set(*found, is_found);
                self.set(*to, value);
            }
            Inst::Call {
                to,
                function,
                arguments,
            } => {
                let id = self.ids[function.0 as usize];
                let function = self.code.declare_func_in_func(id, self.builder.func);
                let arguments = self.arguments(arguments);
                let call = self.builder.ins().call(function, &arguments);
                let result = self.builder.inst_results(call)[0];
                self.set(*to, result);
            }
            Inst::Runtime {
                to,
                callee,
                arguments,
            } => {
                let mut signature = Signature::new(self.code.isa().default_call_conv());
                signature
                    .params
                    .resize(arguments.len() + 1, AbiParam::new(I64));
                signature.returns.push(AbiParam::new(I64));
                let signature = self.builder.import_signature(signature);
                let address = calls::address(*callee).cast_signed() as i64;
                let address = self.builder.ins().iconst(I64, address);
                let arguments = self.arguments(arguments);
                let ins = self.builder.ins();
                let call = ins.call_indirect(signature, address, &arguments);
                let result = self.builder.inst_results(call)[0];
                self.set(*to, result);
            }
        }
    }

    /// The machine and the values of registers.
    fn arguments(&mut self, arguments: &[Value]) -> Vec<ir::Value> {
        let mut all = vec![self.machine];
        for argument in arguments {
            let value = self.get(*argument);
            all.push(value);
        }
        all
    }

    fn binary(&mut self, op: Binary, left: ir::Value, right: ir::Value) -> ir::Value {
        let ins = self.builder.ins();
        match op {
            Binary::Add => ins.iadd(left, right),
            Binary::Sub => ins.isub(left, right),
            Binary::Mul => ins.imul(left, right),
            Binary::Div => ins.sdiv(left, right),
            Binary::Rem => ins.srem(left, right),
            Binary::UnsignedDiv => ins.udiv(left, right),
            Binary::UnsignedRem => ins.urem(left, right),
            Binary::UnsignedMin => ins.umin(left, right),
            Binary::Max => ins.smax(left, right),
            Binary::And => ins.band(left, right),
            Binary::Or => ins.bor(left, right),
            Binary::Xor => ins.bxor(left, right),
            Binary::AndNot => ins.band_not(left, right),
            Binary::Shl => ins.ishl(left, right),
            Binary::Shr => ins.ushr(left, right),
            Binary::Sar => ins.sshr(left, right),
        }
    }

    fn end(&mut self, end: &End) {
        let block = |translator: &Self, block: &Block| translator.blocks[block.0 as usize];
        match end {
            End::Jump(target) => {
                let target = block(self, target);
                self.builder.ins().jump(target, &[]);
            }
            End::Branch(condition, then, otherwise) => {
                let condition = self.get(*condition);
                let (then, otherwise) = (block(self, then), block(self, otherwise));
                let ins = self.builder.ins();
                ins.brif(condition, then, &[], otherwise, &[]);
            }
            End::Switch(index, targets, otherwise) => {
                let index = self.get(*index);
                let otherwise = block(self, otherwise);
                let targets: Vec<ir::Block> =
                    targets.iter().map(|target| block(self, target)).collect();
                let pool = &mut self.builder.func.dfg.value_lists;
                let targets: Vec<BlockCall> = targets
                    .into_iter()
                    .map(|target| BlockCall::new(target, [], pool))
                    .collect();
                let otherwise = BlockCall::new(otherwise, [], pool);
                let table = JumpTableData::new(otherwise, &targets);
                let table = self.builder.create_jump_table(table);
                // Cranelift's switch takes 32 bits: clamp larger values, which are beyond the table.
                let most = self.builder.ins().iconst(I64, i64::from(u32::MAX));
                let index = self.builder.ins().umin(index, most);
                let index = self.builder.ins().ireduce(I32, index);
                self.builder.ins().br_table(index, table);
            }
            End::Return(result) => {
                let result = self.get(*result);
                self.builder.ins().return_(&[result]);
            }
            End::Fail => {
                let failed = self.builder.ins().iconst(I64, 1);
                self.set_machine_word(failed, offsets::field(Field::Failed));
                let nothing = self.builder.ins().iconst(I64, 0);
                self.builder.ins().return_(&[nothing]);
            }
        }
    }
}

/// The blocks of a function in reverse postorder, so that a register written once is written before it is read.
fn order(function: &Function) -> Vec<(usize, &crate::mir::BlockBody)> {
    let mut is_found = vec![false; function.blocks.len()];
    let mut finished = Vec::new();
    // Depth-first search: a stack of blocks, with how many of their targets were visited.
    let targets = |place: usize| {
        let mut targets = Vec::new();
        function.blocks[place]
            .end
            .targets(&mut |target| targets.push(target.0 as usize));
        targets.reverse();
        targets
    };
    let mut open = vec![(0, targets(0))];
    is_found[0] = true;
    while let Some((place, rest)) = open.last_mut() {
        match rest.pop() {
            Some(target) if !std::mem::replace(&mut is_found[target], true) => {
                open.push((target, targets(target)));
            }
            Some(_) => {}
            None => {
                finished.push((*place, &function.blocks[*place]));
                open.pop();
            }
        }
    }
    finished.reverse();
    finished
}

fn condition(how: Condition) -> IntCC {
    match how {
        Condition::Equal => IntCC::Equal,
        Condition::NotEqual => IntCC::NotEqual,
        Condition::Less => IntCC::SignedLessThan,
        Condition::LessOrEqual => IntCC::SignedLessThanOrEqual,
        Condition::Greater => IntCC::SignedGreaterThan,
        Condition::GreaterOrEqual => IntCC::SignedGreaterThanOrEqual,
        Condition::Below => IntCC::UnsignedLessThan,
        Condition::Above => IntCC::UnsignedGreaterThan,
        Condition::AboveOrEqual => IntCC::UnsignedGreaterThanOrEqual,
    }
}
