//! Builds the body of a function: values, memory, control flow.

use super::{
    availability::{Availability, Available},
    bounds::ValueBounds,
    locals::Locals,
    ranges::Visit,
    unit::Unit,
};
use crate::{
    code::{NONE, SiteId},
    mir::{
        Binary, Block, Builder, Callee, Checked, Condition, End, Field, Function, FunctionId,
        Object, Unary, Value, Variable,
    },
    mir::{RAISE_OVERFLOW, RAISE_WORK},
};

/// Where a block of words begins.
#[derive(Debug, Clone, Copy)]
pub(super) enum Place {
    /// An offset in fixed memory.
    Fixed(usize),
    /// A handle.
    At(Value),
}

/// A block to jump to as soon as a result is known.
#[derive(Debug, Clone, Copy)]
pub(super) struct Exit {
    pub(super) block: Block,
    /// How many grid searches and short loops are active there; a jump to it ends the others.
    searches: usize,
    loops: usize,
}

/// The body of a function that is being built.
pub(super) struct Body<'b, 'c> {
    pub(super) builder: Builder,
    pub(super) unit: &'b mut Unit<'c>,
    /// The event that the function runs in.
    pub(super) event: Option<usize>,
    pub(super) parameters: Vec<Value>,
    /// The block that fails.
    pub(super) fails: Block,
    pub(super) locals: Locals,
    /// The number of active grid searches.
    pub(super) searches: usize,
    /// The active short loops: the variable and the first number of each.
    pub(super) loops: Vec<(Variable, i64)>,
    /// The work of short loops that is not charged yet.
    pub(super) uncounted: Option<Variable>,
    /// How many facts are being written within a text.
    pub(super) texts_within: usize,
    pub(super) availability: Availability,
    pub(super) value_bounds: ValueBounds,
    /// The event whose words are being read.
    pub(super) reads_for: Option<usize>,
    /// The facts and new values that are being evaluated.
    pub(super) making: Vec<Available>,
    /// Fields that are bags whose members were read, as bits.
    pub(super) members_read: Vec<(usize, Variable)>,
}

/// At most this many rows are distinguished by comparisons.
const FEW_ROWS: usize = 4;

impl<'b, 'c> Body<'b, 'c> {
    pub(super) fn new(
        mut builder: Builder,
        unit: &'b mut Unit<'c>,
        event: Option<usize>,
    ) -> Body<'b, 'c> {
        let parameters = builder.parameters();
        let fails = builder.block();
        builder.set_cold(fails);
        let mut body = Body {
            builder,
            unit,
            event,
            parameters: parameters.clone(),
            fails,
            locals: Locals::default(),
            searches: 0,
            loops: Vec::new(),
            uncounted: None,
            texts_within: 0,
            availability: Availability::default(),
            value_bounds: ValueBounds::default(),
            reads_for: None,
            making: Vec::new(),
            members_read: Vec::new(),
        };
        for (local, parameter) in (0u32..).zip(parameters) {
            body.set_local(local, parameter);
        }
        body
    }

    /// Finishes the function.
    pub(super) fn finish(mut self) -> Function {
        self.builder.begin(self.fails);
        self.builder.end(End::Fail);
        self.unit.budget.finish(self.builder.instructions());
        self.builder.finish()
    }

    pub(super) fn returns(&mut self, value: Value) {
        self.builder.end(End::Return(value));
    }

    pub(super) fn constant(&mut self, value: i64) -> Value {
        self.builder.constant(value)
    }

    /// The constant that a value is here, if known.
    pub(super) fn constant_of(&self, value: Value) -> Option<i64> {
        self.builder.constant_of(value)
    }

    pub(super) fn none(&mut self) -> Value {
        self.constant(NONE)
    }

    /// Adds an object to the module and returns its index, for a runtime call.
    pub(super) fn object<T>(&mut self, of: &T, object: impl FnOnce() -> Object) -> Value {
        let place = self.unit.object(std::ptr::from_ref(of).addr(), object);
        self.constant(place)
    }

    // Control flow.

    pub(super) fn block(&mut self) -> Block {
        self.builder.block()
    }

    pub(super) fn go_to(&mut self, block: Block) {
        self.availability.goes_to(block);
        self.builder.end(End::Jump(block));
    }

    pub(super) fn begin(&mut self, block: Block) {
        self.availability.begins(block);
        self.builder.begin(block);
    }

    /// Branches by whether a value is not 0.
    pub(super) fn branch(&mut self, value: Value, then: Block, otherwise: Block) {
        if let Some(constant) = self.constant_of(value) {
            self.go_to(if constant == 0 { otherwise } else { then });
            return;
        }
        self.availability.goes_to(then);
        self.availability.goes_to(otherwise);
        self.builder.end(End::Branch(value, then, otherwise));
    }

    /// Branches to `zero` if a value is 0, and continues in a new block if not.
    pub(super) fn unless_zero(&mut self, value: Value, zero: Block) {
        let next = self.block();
        self.branch(value, next, zero);
        self.begin(next);
    }

    /// Fails if a value is not 0.
    pub(super) fn fail_if(&mut self, value: Value) {
        let next = self.block();
        self.branch(value, self.fails, next);
        self.begin(next);
    }

    pub(super) fn fail(&mut self) {
        self.go_to(self.fails);
        let next = self.block();
        self.begin(next);
    }

    /// Fails if a value is not 0. An exact function calls `raise` first to report what is wrong.
    pub(super) fn raise_if(&mut self, value: Value, raise: impl FnOnce(&mut Self)) {
        if !self.unit.is_exact {
            self.fail_if(value);
            return;
        }
        let (wrong, next) = (self.block(), self.block());
        self.builder.set_cold(wrong);
        self.branch(value, wrong, next);
        self.begin(wrong);
        raise(self);
        self.go_to(self.fails);
        self.begin(next);
    }

    /// The same, for trouble at a site in the rules.
    pub(super) fn trouble_if(&mut self, value: Value, trouble: i64, site: SiteId) {
        self.raise_if(value, |body| body.raise(trouble, site));
    }

    /// Reports trouble at a site in the rules.
    pub(super) fn raise(&mut self, trouble: i64, site: SiteId) {
        let (trouble, site) = (self.constant(trouble), self.constant(i64::from(site)));
        self.call(Callee::Raise, &[trouble, site]);
    }

    /// A new exit.
    pub(super) fn exit(&mut self) -> Exit {
        Exit {
            block: self.block(),
            searches: self.searches,
            loops: self.loops.len(),
        }
    }

    /// Jumps to an exit; what is emitted next is unreachable.
    pub(super) fn leave(&mut self, exit: Exit) {
        for _ in exit.searches..self.searches {
            self.call(Callee::EndSearch, &[]);
        }
        self.count_loops(exit.loops);
        self.go_to(exit.block);
        let next = self.block();
        self.begin(next);
    }

    /// Jumps to an exit if a value is 0.
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

    /// Charges one unit of fuel.
    pub(super) fn charge(&mut self) {
        let used_up = self.builder.charge();
        self.trouble_if(used_up, RAISE_WORK, 0);
    }

    // Comparisons, as 0 or 1.

    pub(super) fn compare(&mut self, how: Condition, left: Value, right: Value) -> Value {
        if let Some(known) = self.known_comparison(how, left, right) {
            return self.constant(i64::from(known));
        }
        let (left, right) = match how {
            Condition::Equal | Condition::NotEqual => self.without_none(left, right),
            _ => (left, right),
        };
        let found = self.builder.compare(how, left, right);
        self.ranged(found, (0, 1))
    }

    pub(super) fn equals(&mut self, left: Value, right: i64) -> Value {
        let right = self.constant(right);
        self.compare(Condition::Equal, left, right)
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
        let selected = self.builder.select(condition, then, otherwise);
        self.one_of_all(selected, &[then, otherwise]);
        selected
    }

    // Calls.

    pub(super) fn call(&mut self, callee: Callee, arguments: &[Value]) -> Value {
        let result = self.builder.runtime(callee, arguments);
        if callee.may_fail() {
            self.fail_if_failed();
        }
        result
    }

    /// Calls another function of the game.
    pub(super) fn call_own(&mut self, function: FunctionId, arguments: &[Value]) -> Value {
        self.call_own_or(function, arguments, self.fails)
    }

    /// Calls another function of the game; goes to a block if it fails.
    pub(super) fn call_own_or(
        &mut self,
        function: FunctionId,
        arguments: &[Value],
        on_failure: Block,
    ) -> Value {
        let result = self.builder.call(function, arguments);
        let failed = self.field(Field::Failed);
        let next = self.block();
        self.branch(failed, on_failure, next);
        self.begin(next);
        result
    }

    fn fail_if_failed(&mut self) {
        let failed = self.field(Field::Failed);
        self.fail_if(failed);
    }

    /// Visits the indices in a half-open range, without charging fuel.
    pub(super) fn each_index(&mut self, from: Value, to: Value, visit: Visit<'_, 'b, 'c>) {
        let index = self.variable(from);
        let (head, inside, done) = (self.block(), self.block(), self.block());
        self.go_to(head);
        self.begin(head);
        let at = self.get(index);
        let below = self.compare(Condition::Below, at, to);
        self.branch(below, inside, done);
        self.begin(inside);
        if let (Some((first, _)), Some((_, end))) = (self.range(from), self.range(to)) {
            let known = Available::Within(at, first, end - 1);
            self.availability.learn(known, at);
        }
        visit(self, at);
        let following = self.add_imm(at, 1);
        self.set(index, following);
        self.go_to(head);
        self.begin(done);
    }

    /// As [`Body::jump_by`], for the number of a row: a few rows are compared one after the other.
    pub(super) fn jump_by_row(&mut self, row: Value, blocks: &[Block], otherwise: Block) {
        if blocks.len() > FEW_ROWS {
            self.jump_by(row, blocks, otherwise);
            return;
        }
        for (number, block) in (0i64..).zip(blocks) {
            let is_it = self.equals(row, number);
            let next = self.block();
            self.branch(is_it, *block, next);
            self.begin(next);
        }
        self.go_to(otherwise);
    }

    /// Jumps to the block at an index of a table, or to `otherwise` beyond it.
    pub(super) fn jump_by(&mut self, index: Value, blocks: &[Block], otherwise: Block) {
        for block in blocks.iter().chain([&otherwise]) {
            self.availability.goes_to(*block);
        }
        self.builder
            .end(End::Switch(index, blocks.into(), otherwise));
    }
}

/// Defines operations on two values, and on a value and a constant.
macro_rules! binary {
    ($($op:ident: $name:ident $($by:ident)?;)*) => {
        impl Body<'_, '_> {
            $(
                pub(super) fn $name(&mut self, left: Value, right: Value) -> Value {
                    self.builder.binary(Binary::$op, left, right)
                }

                $(pub(super) fn $by(&mut self, left: Value, right: i64) -> Value {
                    self.builder.binary_by(Binary::$op, left, right)
                })?
            )*
        }
    };
}

binary! {
    Add: add add_imm;
    Sub: sub;
    Mul: mul mul_imm;
    Div: div div_imm;
    Rem: rem rem_imm;
    UnsignedDiv: unsigned_div unsigned_div_imm;
    UnsignedRem: unsigned_rem unsigned_rem_imm;
    UnsignedMin: unsigned_min;
    Max: max;
    And: and and_imm;
    Or: or or_imm;
    Xor: xor;
    AndNot: and_not;
    Shl: shl shl_imm;
    Shr: shr shr_imm;
}

impl Body<'_, '_> {
    /// The arithmetic right shift.
    pub(super) fn sar_imm(&mut self, value: Value, count: i64) -> Value {
        self.builder.binary_by(Binary::Sar, value, count)
    }

    pub(super) fn neg(&mut self, value: Value) -> Value {
        self.builder.unary(Unary::Neg, value)
    }

    pub(super) fn abs(&mut self, value: Value) -> Value {
        self.builder.unary(Unary::Abs, value)
    }

    pub(super) fn not(&mut self, value: Value) -> Value {
        self.builder.unary(Unary::Not, value)
    }

    pub(super) fn popcount(&mut self, value: Value) -> Value {
        self.builder.unary(Unary::Popcount, value)
    }

    pub(super) fn leading_zeros(&mut self, value: Value) -> Value {
        self.builder.unary(Unary::LeadingZeros, value)
    }

    pub(super) fn trailing_zeros(&mut self, value: Value) -> Value {
        self.builder.unary(Unary::TrailingZeros, value)
    }

    /// The result of an operation; fails on overflow.
    pub(super) fn checked_by(
        &mut self,
        op: Checked,
        left: Value,
        right: Value,
        site: SiteId,
    ) -> Value {
        let (value, overflow) = self.builder.checked(op, left, right);
        self.trouble_if(overflow, RAISE_OVERFLOW, site);
        value
    }
}
