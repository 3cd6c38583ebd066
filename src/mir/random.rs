//! Modules made from any bytes, which the verifier accepts, for tests of the back ends.
//!
//! Control flow is structured, loops count down from a small number, and a function calls only those before it, so that
//! every function terminates. Addresses are within [`WORDS`], [`VALUES`] and [`ENTRIES`].

use super::{
    Address, Binary, Block, Builder, Cache, Callee, Checked, Condition, End, Field, Function,
    FunctionId, Module, Space, Table, TableId, Unary, Value, Variable, Width,
};

/// How many words of memory a module uses, and of the fields of the event chosen next.
pub(crate) const WORDS: i64 = 64;

/// How many bytes of the partial types' values it uses.
pub(crate) const VALUES: i64 = 64;

/// How many entries of each cache it uses.
pub(crate) const ENTRIES: i64 = 16;

/// How many functions a module has. The last takes one parameter and is the entry point.
pub(crate) const FUNCTIONS: usize = 4;

/// How deep blocks are nested.
const DEPTH: usize = 3;

/// The most statements of a function.
const STATEMENTS: usize = 60;

/// Fields that functions set, without the one that reports failure, and those for the ends of memory and report.
const FIELDS: [Field; 9] = [
    Field::Fuel,
    Field::Epoch,
    Field::Event,
    Field::Events,
    Field::GameNumber,
    Field::WordNext,
    Field::WordFirst,
    Field::WordRow,
    Field::WordValue,
];

/// A source of choices: these bytes, then zeros.
struct Choices<'c>(&'c [u8]);

impl Choices<'_> {
    fn word(&mut self) -> u64 {
        let bytes = [(); 8].map(|()| self.byte());
        u64::from_le_bytes(bytes)
    }

    fn byte(&mut self) -> u8 {
        let (first, rest) = self.0.split_first().unwrap_or((&0, &[]));
        self.0 = rest;
        *first
    }

    fn below(&mut self, count: usize) -> usize {
        usize::from(self.byte()) % count
    }
}

/// A module made by these bytes.
pub(crate) fn module(data: &[u8]) -> Module {
    let mut random = Choices(data);
    let mut words = || [(); 32].map(|()| random.word()).into_iter();
    let row = |word: u64| u16::try_from(word).unwrap_or(0);
    let short = |word: u64| row(word).cast_signed();
    let byte = |word: u64| u8::try_from(word).unwrap_or(0);
    let tables = vec![
        Table::Words(words().map(u64::cast_signed).collect()),
        Table::Shorts(words().map(|word| short(word >> 48)).collect()),
        Table::Rows(words().map(|word| row(word >> 48)).collect()),
        Table::Bytes(words().map(|word| byte(word >> 56)).collect()),
    ];
    let module = Module::default();
    for table in tables {
        module.add_table(table);
    }
    for place in 0..FUNCTIONS {
        let is_last = place + 1 == FUNCTIONS;
        let parameters = if is_last { 1 } else { random.below(4) };
        let builder = Builder::new(format!("f{place}"), parameters);
        let maker = Maker {
            values: builder.parameters(),
            builder,
            random: &mut random,
            module: &module,
            variables: Vec::new(),
            left: STATEMENTS,
            loops: 0,
            fails: Block(0),
        };
        let function = maker.function();
        module.define(module.declare(), function);
    }
    module
}

struct Maker<'m, 'c> {
    builder: Builder,
    random: &'m mut Choices<'c>,
    module: &'m Module,
    /// The values that are defined here.
    values: Vec<Value>,
    /// The variables that are set here.
    variables: Vec<Variable>,
    /// How many more statements may be made.
    left: usize,
    /// How many loops are open.
    loops: usize,
    fails: Block,
}

impl Maker<'_, '_> {
    fn function(mut self) -> Function {
        self.fails = self.builder.block();
        self.builder.set_cold(self.fails);
        for _ in 0..3 {
            let value = self.constant();
            let variable = self.builder.variable();
            self.builder.set_variable(variable, value);
            self.variables.push(variable);
            self.values.push(value);
        }
        self.variables.push(self.builder.zeroed_variable());
        self.statements(0);
        let mut sum = self.value();
        for variable in self.variables.clone() {
            let value = self.builder.get_variable(variable);
            sum = self.builder.binary(Binary::Xor, sum, value);
        }
        self.builder.end(End::Return(sum));
        self.builder.begin(self.fails);
        self.builder.end(End::Fail);
        self.builder.finish()
    }

    fn below(&mut self, count: usize) -> usize {
        self.random.below(count)
    }

    fn one<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }

    fn constant(&mut self) -> Value {
        let any = self.random.word().cast_signed();
        let edges = [0, 1, -1, 2, 63, 64, i64::MIN, i64::MAX, i64::from(i32::MIN)];
        let number = match self.below(3) {
            0 => self.one(&edges),
            1 => any % 100,
            _ => any,
        };
        self.builder.constant(number)
    }

    fn value(&mut self) -> Value {
        match self.below(6) {
            0 => self.constant(),
            1 => {
                let variable = self.one(&self.variables.clone());
                self.builder.get_variable(variable)
            }
            _ => self.one(&self.values.clone()),
        }
    }

    /// A value from 0 to below a power of two.
    fn index(&mut self, count: i64) -> Value {
        let value = self.value();
        self.builder.binary_by(Binary::And, value, count - 1)
    }

    fn statements(&mut self, depth: usize) {
        let (values, variables) = (self.values.len(), self.variables.len());
        for _ in 0..=self.below(12) {
            if self.left == 0 {
                break;
            }
            self.left -= 1;
            match self.below(if depth < DEPTH { 16 } else { 12 }) {
                0..6 => self.arithmetic(),
                6..10 => self.memory(),
                10 => self.call(),
                11 => self.runtime(),
                12 => self.branch(depth),
                13 => self.repeat(depth),
                14 => self.switch(depth),
                _ => self.leave(),
            }
        }
        // Values defined within a block are not defined after it.
        if depth > 0 {
            self.values.truncate(values);
            self.variables.truncate(variables);
        }
    }

    fn arithmetic(&mut self) {
        use Binary::{
            Add, And, AndNot, Div, Max, Mul, Or, Rem, Sar, Shl, Shr, Sub, UnsignedDiv, UnsignedMin,
            UnsignedRem, Xor,
        };
        let (left, right) = (self.value(), self.value());
        let value = match self.below(8) {
            0 => {
                use Unary::{Abs, LeadingZeros, Neg, Not, Popcount, TrailingZeros};
                let op = self.one(&[Neg, Abs, Not, Popcount, TrailingZeros, LeadingZeros]);
                self.builder.unary(op, left)
            }
            1 => {
                let op = self.one(&[Checked::Add, Checked::Sub, Checked::Mul]);
                let (value, overflow) = self.builder.checked(op, left, right);
                self.values.push(overflow);
                value
            }
            2 => {
                // Neither 0 nor -1.
                let low = self.builder.binary_by(And, right, 255);
                let divisor = self.builder.binary_by(Add, low, 1);
                let op = self.one(&[Div, Rem, UnsignedDiv, UnsignedRem]);
                self.builder.binary(op, left, divisor)
            }
            3 | 4 => {
                use Condition::{
                    Above, AboveOrEqual, Below, Equal, Greater, GreaterOrEqual, Less, LessOrEqual,
                    NotEqual,
                };
                let signed = [Equal, NotEqual, Less, LessOrEqual, Greater, GreaterOrEqual];
                let how = match self.below(3) {
                    0 => self.one(&[Below, Above, AboveOrEqual]),
                    _ => self.one(&signed),
                };
                let holds = self.builder.compare(how, left, right);
                let (then, otherwise) = (self.value(), self.value());
                self.values.push(holds);
                self.builder.select(holds, then, otherwise)
            }
            5 => {
                let variable = self.one(&self.variables.clone());
                self.builder.set_variable(variable, left);
                right
            }
            _ => {
                let some = [Add, Sub, Mul, And, Or, Xor, AndNot, Shl, Shr, Sar];
                let op = match self.below(6) {
                    0 => self.one(&[UnsignedMin, Max]),
                    _ => self.one(&some),
                };
                self.builder.binary(op, left, right)
            }
        };
        self.values.push(value);
    }

    /// An address in a space of `bytes` bytes.
    fn address(&mut self, space: Space, bytes: i64, width: Width) -> Address {
        let size = i64::try_from(width.bytes()).unwrap_or(8);
        // Base and index are at most half of the space; the offset takes at most half of the rest.
        let offset = self.below(usize::try_from(bytes / 4).unwrap_or(1));
        let offset = offset / width.bytes() * width.bytes();
        let at = Address::new(space).plus(i32::try_from(offset).unwrap_or(0));
        match self.below(3) {
            0 => at,
            1 => {
                let words = self.index(bytes / 32);
                at.based(words)
            }
            _ => {
                let place = self.index(bytes / 4);
                let place = self.builder.binary_by(Binary::UnsignedDiv, place, size);
                let place = self.builder.binary_by(Binary::Mul, place, size);
                at.indexed(place)
            }
        }
    }

    fn memory(&mut self) {
        use Width::{Byte, Half, Row, Short, Word};
        let widths = [Byte, Row, Short, Half, Word];
        let spaces = [
            (Space::Memory, WORDS * 8),
            (Space::Memory, WORDS * 8),
            (Space::Chosen, WORDS * 8),
            (Space::Values, VALUES),
        ];
        let caches = [Cache::Facts, Cache::New, Cache::Table];
        let (space, bytes) = self.one(&spaces);
        match self.below(10) {
            0..3 => {
                let width = self.one(&widths);
                let at = self.address(space, bytes, width);
                let value = self.builder.load(at, width);
                self.values.push(value);
            }
            3..5 => {
                let width = self.one(&widths);
                let at = self.address(space, bytes, width);
                let value = self.value();
                self.builder.store(value, at, width);
            }
            5 => {
                let table = self.below(self.module.tables().count());
                let width = match self.module.tables().nth(table) {
                    Some(Table::Words(_)) => Width::Word,
                    Some(Table::Shorts(_)) => Width::Short,
                    Some(Table::Rows(_)) => Width::Row,
                    Some(Table::Bytes(_)) | None => Width::Byte,
                };
                let size = i64::try_from(width.bytes()).unwrap_or(8);
                let place = self.index(32);
                let place = self.builder.binary_by(Binary::Mul, place, size);
                let table = TableId(u32::try_from(table).unwrap_or(0));
                let at = Address::new(Space::Table(table)).indexed(place);
                let value = self.builder.load(at, width);
                self.values.push(value);
            }
            6 => {
                let words = self.below(8);
                let [from, to] = [0, 32].map(|first| {
                    let at = Address::new(Space::Memory).words(first + self.below(12));
                    let base = self.index(8);
                    at.based(base)
                });
                match self.below(3) {
                    0 => self.builder.zero_words(to, words),
                    1 => self.builder.copy_words(from, to, words),
                    _ => self.builder.copy_words(to, from, words),
                }
            }
            7 => {
                let (cache, index) = (self.one(&caches), self.index(ENTRIES));
                let value = self.value();
                self.builder.remember(cache, index, value);
                if self.below(3) == 0 {
                    let index = self.index(ENTRIES);
                    self.builder.forget(cache, index);
                }
            }
            8 => {
                let (cache, index) = (self.one(&caches), self.index(ENTRIES));
                let (is_now, value) = self.builder.recall(cache, index);
                self.values.extend([is_now, value]);
            }
            _ => {
                let field = self.one(&FIELDS);
                let value = self.builder.get(field);
                self.values.push(value);
                // A small one: some are counts of places.
                let small = self.index(256);
                let field = self.one(&FIELDS);
                self.builder.set(field, small);
            }
        }
    }

    /// Goes to the failing end if the last call failed.
    fn unless_failed(&mut self) {
        let failed = self.builder.get(Field::Failed);
        let next = self.builder.block();
        self.builder.end(End::Branch(failed, self.fails, next));
        self.builder.begin(next);
    }

    fn call(&mut self) {
        // Not within loops: nested calls in nested loops would take too long.
        let functions: Vec<usize> = self
            .module
            .functions()
            .map(|function| function.parameters)
            .collect();
        if functions.is_empty() || self.loops > 0 {
            return;
        }
        let place = self.below(functions.len());
        let parameters = functions[place];
        let arguments: Vec<Value> = (0..parameters).map(|_| self.value()).collect();
        let function = FunctionId(u32::try_from(place).unwrap_or(0));
        let value = self.builder.call(function, &arguments);
        self.unless_failed();
        self.values.push(value);
    }

    fn runtime(&mut self) {
        let [left, right] = [(); 2].map(|()| self.value());
        let value = match self.below(5) {
            0 => self.builder.runtime(Callee::Divide, &[left, right]),
            1 => self.builder.runtime(Callee::Modulo, &[left, right]),
            2 => self.builder.runtime(Callee::SayNumber, &[left]),
            3 => {
                let [from, to] = [(); 2].map(|()| self.index(WORDS / 2));
                let words = self.index(WORDS / 2);
                self.builder.runtime(Callee::SameWords, &[from, to, words])
            }
            _ => {
                let from = self.index(WORDS / 2);
                let words = self.index(WORDS / 2);
                self.builder.runtime(Callee::Copy, &[from, words])
            }
        };
        self.unless_failed();
        self.values.push(value);
    }

    fn branch(&mut self, depth: usize) {
        let condition = self.value();
        let [then, otherwise, met] = [(); 3].map(|()| self.builder.block());
        if self.below(4) == 0 {
            self.builder.set_cold(otherwise);
        }
        self.builder.end(End::Branch(condition, then, otherwise));
        for block in [then, otherwise] {
            self.builder.begin(block);
            self.statements(depth + 1);
            self.builder.end(End::Jump(met));
        }
        self.builder.begin(met);
    }

    fn repeat(&mut self, depth: usize) {
        let count = i64::try_from(self.below(5)).unwrap_or(0) + 1;
        let count = self.builder.constant(count);
        let left = self.builder.variable();
        self.builder.set_variable(left, count);
        let [head, done] = [(); 2].map(|()| self.builder.block());
        self.builder.end(End::Jump(head));
        self.builder.begin(head);
        self.loops += 1;
        self.statements(depth + 1);
        self.loops -= 1;
        let now = self.builder.get_variable(left);
        let less = self.builder.binary_by(Binary::Add, now, -1);
        self.builder.set_variable(left, less);
        if self.below(3) == 0 {
            let (next, leave) = (self.builder.block(), self.value());
            self.builder.end(End::Branch(leave, next, done));
            self.builder.begin(next);
        }
        self.builder.end(End::Branch(less, head, done));
        self.builder.begin(done);
    }

    fn switch(&mut self, depth: usize) {
        let count = self.below(4) + 1;
        let index = match self.below(3) {
            0 => self.value(),
            _ => self.index(8),
        };
        let targets: Vec<Block> = (0..count).map(|_| self.builder.block()).collect();
        let [otherwise, met] = [(); 2].map(|()| self.builder.block());
        let end = End::Switch(index, targets.clone().into(), otherwise);
        self.builder.end(end);
        for block in targets.into_iter().chain([otherwise]) {
            self.builder.begin(block);
            self.statements(depth + 1);
            self.builder.end(End::Jump(met));
        }
        self.builder.begin(met);
    }

    /// Returns early, if a value is one of a few.
    fn leave(&mut self) {
        let rare = self.index(16);
        let (leaves, next) = (self.builder.block(), self.builder.block());
        let is_rare = self.value();
        let is_rare = self.builder.compare(Condition::Equal, rare, is_rare);
        self.builder.end(End::Branch(is_rare, leaves, next));
        self.builder.begin(leaves);
        let end = match self.below(3) {
            0 => End::Jump(self.fails),
            _ => End::Return(rare),
        };
        self.builder.end(end);
        self.builder.begin(next);
    }
}
