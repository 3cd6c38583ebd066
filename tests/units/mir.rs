//! What the verifier rejects and accepts, and what the builder removes.

#[path = "../../src"]
mod src {
    #[allow(dead_code, unused_imports, reason = "not all of it is tested here")]
    pub(super) mod mir;
}

use src::mir::{
    Address, Binary, Block, BlockBody, Builder, Callee, Condition, End, Field, Function,
    FunctionId, Inst, Module, Space, Table, TableId, Unary, Value, Width, verify,
};

/// A module of one function without parameters, with the constant 7 in `r0`.
fn module(blocks: Vec<BlockBody>, registers: usize) -> Module {
    let function = Function {
        name: "f".to_owned(),
        constants: vec![7],
        registers,
        blocks,
        ..Function::default()
    };
    let module = of(function);
    module.add_table(Table::Bytes([1, 2, 3].into()));
    module
}

/// A module of one function.
fn of(function: Function) -> Module {
    let module = Module::default();
    module.define(module.declare(), function);
    module
}

fn block(insts: Vec<Inst>, end: End) -> BlockBody {
    BlockBody {
        insts,
        end,
        ..BlockBody::default()
    }
}

const GIVEN: Value = Value(0);
const NEW: Value = Value(1);

/// The verifier's message for a function of one block that runs an instruction and returns a constant.
fn wrong(inst: Inst) -> String {
    let module = module(vec![block(vec![inst], End::Return(GIVEN))], 2);
    verify(&module).err().unwrap_or_default()
}

fn copy(to: Value, from: Value) -> Inst {
    Inst::Copy { to, from }
}

#[test]
fn registers() {
    assert_eq!(wrong(copy(NEW, GIVEN)), "");
    assert_eq!(wrong(copy(NEW, Value(9))), "f: no register r9");
    assert_eq!(wrong(copy(Value(9), GIVEN)), "f: no register r9");
    let fixed = "f: r0 is a parameter or constant";
    assert_eq!(wrong(copy(GIVEN, GIVEN)), fixed);
    let unset = "f: in b0, r1 is read before it is written";
    assert_eq!(wrong(copy(NEW, NEW)), unset);
    let returns = module(vec![block(vec![], End::Return(NEW))], 2);
    assert_eq!(verify(&returns), Err(unset.to_owned()));
    let beyond = module(vec![block(vec![], End::Return(Value(9)))], 2);
    assert_eq!(verify(&beyond), Err("f: no register r9".to_owned()));
    let few = module(vec![block(vec![], End::Return(GIVEN))], 0);
    let wanted = "f: fewer registers than parameters and constants";
    assert_eq!(verify(&few), Err(wanted.to_owned()));
}

/// A register must be written on every path to where it is read.
#[test]
fn ways() {
    let [one, other, met] = [Block(1), Block(2), Block(3)];
    let fork = || block(vec![], End::Branch(GIVEN, one, other));
    let writes = || block(vec![copy(NEW, GIVEN)], End::Jump(met));
    let passes = || block(vec![], End::Jump(met));
    let reads = || block(vec![], End::Return(NEW));
    let both = module(vec![fork(), writes(), writes(), reads()], 2);
    assert_eq!(verify(&both), Ok(()));
    let only_one = module(vec![fork(), writes(), passes(), reads()], 2);
    let unset = "f: in b3, r1 is read before it is written";
    assert_eq!(verify(&only_one), Err(unset.to_owned()));
    // The first iteration of a loop must not read what a later one writes.
    let round = block(vec![copy(Value(2), NEW), copy(NEW, GIVEN)], End::Jump(one));
    let rounds = module(vec![block(vec![], End::Jump(one)), round], 3);
    let unset = "f: in b1, r1 is read before it is written";
    assert_eq!(verify(&rounds), Err(unset.to_owned()));
}

#[test]
fn blocks() {
    let none = module(Vec::new(), 1);
    assert_eq!(verify(&none), Err("f: no block".to_owned()));
    let away = Block(5);
    let ends = [
        End::Jump(away),
        End::Branch(GIVEN, Block(0), away),
        End::Switch(GIVEN, [away].into(), Block(0)),
        End::Switch(GIVEN, [Block(0)].into(), away),
    ];
    for end in ends {
        let module = module(vec![block(vec![], end)], 1);
        assert_eq!(verify(&module), Err("f: no block b5".to_owned()));
    }
}

#[test]
fn memory() {
    let load = |space, offset| Inst::Load {
        to: NEW,
        at: Address::new(space).plus(offset),
        width: Width::Byte,
    };
    let table = Space::Table(TableId(0));
    assert_eq!(wrong(load(table, 2)), "");
    assert_eq!(wrong(load(table, 3)), "f: a load beyond t0");
    assert_eq!(wrong(load(table, -1)), "f: a load beyond t0");
    let missing = Space::Table(TableId(1));
    assert_eq!(wrong(load(missing, 0)), "f: no table t1");
    let store = |space| Inst::Store {
        from: GIVEN,
        at: Address::new(space),
        width: Width::Byte,
    };
    assert_eq!(wrong(store(Space::Memory)), "");
    for space in [table, Space::Words, Space::Text] {
        let constant = "f: a store to what never changes";
        assert_eq!(wrong(store(space)), constant);
    }
    let memory = Address::new(Space::Memory);
    let chosen = Address::new(Space::Chosen);
    let copies = |to, from| Inst::CopyWords {
        places: Box::new((to, from)),
        words: 1,
    };
    assert_eq!(wrong(copies(memory, memory.words(1))), "");
    let outside = "f: words are copied within memory";
    assert_eq!(wrong(copies(memory, chosen)), outside);
    assert_eq!(wrong(copies(chosen, memory)), outside);
    let zeroes = |at| Inst::ZeroWords { at, words: 1 };
    assert_eq!(wrong(zeroes(memory)), "");
    assert_eq!(wrong(zeroes(chosen)), "f: zeroes outside memory");
    let set = |field| Inst::Set { field, from: GIVEN };
    assert_eq!(wrong(set(Field::Fuel)), "");
    let only_read = "f: memory_words is only read";
    assert_eq!(wrong(set(Field::MemoryWords)), only_read);
}

#[test]
fn calls() {
    let call = |function, arguments: &[Value]| Inst::Call {
        to: NEW,
        function: FunctionId(function),
        arguments: arguments.into(),
    };
    assert_eq!(wrong(call(0, &[])), "");
    assert_eq!(wrong(call(1, &[])), "f: no function 1");
    let one = "f: f takes 0 arguments, not 1";
    assert_eq!(wrong(call(0, &[GIVEN])), one);
    let runtime = |callee, arguments: &[Value]| Inst::Runtime {
        to: NEW,
        callee,
        arguments: arguments.into(),
    };
    assert_eq!(wrong(runtime(Callee::Divide, &[GIVEN, GIVEN])), "");
    let two = "f: divide takes 2 arguments, not 1";
    assert_eq!(wrong(runtime(Callee::Divide, &[GIVEN])), two);
}

/// The text form of a function, as it is built and as it is finished.
fn text(builder: Builder) -> String {
    let module = of(builder.finish());
    assert_eq!(verify(&module), Ok(()));
    module.text("")
}

/// An instruction whose result only dead instructions read is dead; side effects stay.
#[test]
fn dead_code() {
    let mut builder = Builder::new("dead".to_owned(), 2);
    let parameters = builder.parameters();
    let (left, right) = (parameters[0], parameters[1]);
    let product = builder.binary(Binary::Mul, left, right);
    let sum = builder.binary_by(Binary::Add, product, 3);
    let [yes, no] = [(); 2].map(|()| builder.block());
    let is_less = builder.compare(Condition::Less, left, right);
    let unread = builder.select(is_less, sum, left);
    builder.end(End::Branch(is_less, yes, no));
    builder.begin(yes);
    builder.unary(Unary::Neg, unread);
    builder.runtime(Callee::SayNumber, &[left]);
    let failed = builder.get(Field::Failed);
    builder.binary(Binary::And, failed, failed);
    builder.end(End::Return(left));
    builder.begin(no);
    let never = builder.block();
    let address = Address::new(Space::Memory).indexed(right);
    builder.load(address, Width::Word);
    builder.end(End::Return(right));
    builder.begin(never);
    builder.end(End::Fail);
    let finished = "\
function dead(r0, r1)
b0:
  r2 = less r0, r1
  branch r2, b1, b2
b1:
  r3 = runtime say_number(r0)
  return r0
b2:
  return r1
";
    assert_eq!(text(builder), finished);
}

/// A variable that is read in a loop stays, even if it is written after it is read.
#[test]
fn live_in_a_loop() {
    let mut builder = Builder::new("live".to_owned(), 1);
    let count = builder.parameters()[0];
    let left = builder.variable();
    builder.set_variable(left, count);
    let unread = builder.zeroed_variable();
    let [head, done] = [(); 2].map(|()| builder.block());
    builder.end(End::Jump(head));
    builder.begin(head);
    let now = builder.get_variable(left);
    let less = builder.binary_by(Binary::Add, now, -1);
    builder.set_variable(left, less);
    builder.set_variable(unread, less);
    builder.end(End::Branch(less, head, done));
    builder.begin(done);
    let zero = builder.constant(0);
    builder.end(End::Return(zero));
    let finished = "\
function live(r0)
b0:
  r3 = r0
  jump b1
b1:
  r4 = add r3, -1
  r3 = r4
  branch r4, b1, b2
b2:
  return 0
";
    assert_eq!(text(builder), finished);
}
