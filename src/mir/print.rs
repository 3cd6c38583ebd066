//! The text form of modules.

use std::fmt::{self, Display, Formatter};

use super::{Address, End, Function, Inst, Module, Space, Table, Value, Width};

/// A register, or the constant that it holds.
struct Operand<'f>(&'f Function, Value);

impl Display for Operand<'_> {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        match self.0.constant(self.1) {
            Some(i64::MIN) => write!(out, "none"),
            Some(number) => write!(out, "{number}"),
            None => write!(out, "r{}", self.1.0),
        }
    }
}

struct Place<'f>(&'f Function, &'f Address);

impl Display for Place<'_> {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let Place(function, at) = self;
        match at.space {
            Space::Table(table) => write!(out, "t{}", table.0)?,
            space => write!(out, "{}", lower_case(&space))?,
        }
        write!(out, "[")?;
        let mut before = "";
        if let Some(base) = at.base() {
            write!(out, "8*{}", Operand(function, base))?;
            before = "+";
        }
        if let Some(index) = at.index() {
            write!(out, "{before}{}", Operand(function, index))?;
            before = "+";
        }
        if at.offset != 0 || before.is_empty() {
            write!(out, "{before}{}", at.offset)?;
        }
        write!(out, "]")
    }
}

/// The name of an enum variant, in snake case.
pub(super) fn lower_case(member: &impl fmt::Debug) -> String {
    let mut name = String::new();
    for letter in format!("{member:?}").chars() {
        if letter.is_uppercase() && !name.is_empty() {
            name.push('_');
        }
        name.extend(letter.to_lowercase());
    }
    name
}

fn width(width: Width) -> &'static str {
    match width {
        Width::Byte => ".byte",
        Width::Row => ".row",
        Width::Short => ".short",
        Width::Half => ".half",
        Width::Word => "",
    }
}

fn list(function: &Function, values: &[Value]) -> String {
    let values = values.iter().map(|value| Operand(function, *value));
    let values: Vec<String> = values.map(|value| value.to_string()).collect();
    values.join(", ")
}

struct Line<'f>(&'f Function, &'f Module, &'f Inst);

impl Display for Line<'_> {
    #[expect(clippy::too_many_lines, reason = "an arm for each instruction")]
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let Line(function, module, inst) = self;
        let value = |value: &Value| Operand(function, *value);
        match inst {
            Inst::Copy { to, from } => write!(out, "{} = {}", value(to), value(from)),
            Inst::Unary { op, to, from } => {
                write!(out, "{} = {} {}", value(to), lower_case(op), value(from))
            }
            Inst::Binary {
                op,
                to,
                left,
                right,
            } => {
                let (op, left, right) = (lower_case(op), value(left), value(right));
                write!(out, "{} = {op} {left}, {right}", value(to))
            }
            Inst::Checked {
                op,
                to,
                overflow,
                left,
                right,
            } => {
                let (op, left, right) = (lower_case(op), value(left), value(right));
                write!(
                    out,
                    "{}, {} = checked_{op} {left}, {right}",
                    value(to),
                    value(overflow)
                )
            }
            Inst::Compare {
                how,
                to,
                left,
                right,
            } => {
                let (how, left, right) = (lower_case(how), value(left), value(right));
                write!(out, "{} = {how} {left}, {right}", value(to))
            }
            Inst::Select {
                to,
                condition,
                then,
                otherwise,
            } => {
                let (then, otherwise) = (value(then), value(otherwise));
                write!(
                    out,
                    "{} = select {}, {then}, {otherwise}",
                    value(to),
                    value(condition)
                )
            }
            Inst::Charge { is_used_up } => write!(out, "{} = charge", value(is_used_up)),
            Inst::Get { to, field } => write!(out, "{} = get {}", value(to), lower_case(field)),
            Inst::Set { field, from } => write!(out, "set {}, {}", lower_case(field), value(from)),
            Inst::Load { to, at, width: of } => {
                write!(
                    out,
                    "{} = load{} {}",
                    value(to),
                    width(*of),
                    Place(function, at)
                )
            }
            Inst::Store {
                from,
                at,
                width: of,
            } => {
                write!(
                    out,
                    "store{} {}, {}",
                    width(*of),
                    Place(function, at),
                    value(from)
                )
            }
            Inst::CopyWords { places, words } => {
                let (to, from) = (Place(function, &places.0), Place(function, &places.1));
                write!(out, "copy_words {to}, {from}, {words}")
            }
            Inst::ZeroWords { at, words } => {
                write!(out, "zero_words {}, {words}", Place(function, at))
            }
            Inst::LoadPile { to, log, place } => {
                write!(
                    out,
                    "{} = load_pile {}, {}",
                    value(to),
                    value(log),
                    value(place)
                )
            }
            Inst::Recall {
                is_now,
                to,
                cache,
                index,
            } => {
                let (is_now, to) = (value(is_now), value(to));
                write!(
                    out,
                    "{is_now}, {to} = recall {}[{}]",
                    lower_case(cache),
                    value(index)
                )
            }
            Inst::Remember { cache, index, from } => {
                let (index, from) = (value(index), value(from));
                write!(out, "remember {}[{index}], {from}", lower_case(cache))
            }
            Inst::Forget { cache, index } => {
                write!(out, "forget {}[{}]", lower_case(cache), value(index))
            }
            Inst::Lookup {
                found,
                to,
                form,
                key,
            } => {
                let (found, to) = (value(found), value(to));
                write!(out, "{found}, {to} = lookup form {form}, {}", value(key))
            }
            Inst::Call {
                to,
                function: callee,
                arguments,
            } => {
                let name = module.function(*callee).map_or("?", |callee| &callee.name);
                write!(
                    out,
                    "{} = call {name}({})",
                    value(to),
                    list(function, arguments)
                )
            }
            Inst::Runtime {
                to,
                callee,
                arguments,
            } => {
                let (name, arguments) = (callee.name(), list(function, arguments));
                write!(out, "{} = runtime {name}({arguments})", value(to))
            }
        }
    }
}

struct Lines<'f>(&'f Function, &'f Module);

impl Display for Lines<'_> {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let Lines(function, module) = *self;
        let parameters = (0u32..).take(function.parameters).map(Value);
        let parameters: Vec<Value> = parameters.collect();
        let parameters = list(function, &parameters);
        writeln!(out, "function {}({parameters})", function.name)?;
        for (place, block) in function.blocks.iter().enumerate() {
            writeln!(out, "b{place}:{}", if block.is_cold { " cold" } else { "" })?;
            for inst in &block.insts {
                writeln!(out, "  {}", Line(function, module, inst))?;
            }
            writeln!(out, "  {}", Last(function, &block.end))?;
        }
        Ok(())
    }
}

struct Last<'f>(&'f Function, &'f End);

impl Display for Last<'_> {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let Last(function, end) = *self;
        let value = |value: &Value| Operand(function, *value);
        match end {
            End::Jump(target) => write!(out, "jump b{}", target.0),
            End::Branch(condition, then, otherwise) => {
                let condition = value(condition);
                write!(out, "branch {condition}, b{}, b{}", then.0, otherwise.0)
            }
            End::Switch(index, blocks, otherwise) => {
                let blocks = blocks.iter().map(|block| format!("b{}", block.0));
                let blocks: Vec<String> = blocks.collect();
                let (index, blocks) = (value(index), blocks.join(", "));
                write!(out, "switch {index}, [{blocks}], b{}", otherwise.0)
            }
            End::Return(result) => write!(out, "return {}", value(result)),
            End::Fail => write!(out, "fail"),
        }
    }
}

impl Module {
    /// The text of all functions whose names contain `name`, separated by empty lines.
    pub(crate) fn text(&self, name: &str) -> String {
        let functions = self.functions();
        let named = functions.filter(|function| function.name.contains(name));
        let texts: Vec<String> = named
            .map(|function| Lines(function, self).to_string())
            .collect();
        texts.join("\n")
    }
}

impl Display for Module {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        for (place, table) in self.tables().enumerate() {
            let (kind, count) = match table {
                Table::Words(words) => ("words", words.len()),
                Table::Shorts(shorts) => ("shorts", shorts.len()),
                Table::Rows(rows) => ("rows", rows.len()),
                Table::Bytes(bytes) => ("bytes", bytes.len()),
            };
            writeln!(out, "table t{place}: {count} {kind}")?;
        }
        write!(out, "\n{}", self.text(""))
    }
}
