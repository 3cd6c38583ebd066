//! Traversal of code.

use super::{Best, Check, Code, Loop, Noted, Row, Source, Text};

/// A child of a piece of code.
#[derive(Debug)]
pub(crate) enum Node<'n> {
    Code(&'n Code),
    Source(&'n Source),
    /// A loop, whose variables its condition may use.
    Loop(&'n Loop),
    Best(&'n Best),
    Row(&'n Row),
}

/// A mutable [`Node`].
#[derive(Debug)]
pub(crate) enum NodeMut<'n> {
    Code(&'n mut Code),
    Source(&'n mut Source),
    Loop(&'n mut Loop),
    Best(&'n mut Best),
    Row(&'n mut Row),
}

/// Defines the traversal for shared and for mutable code, which differ in nothing else.
macro_rules! walk {
    ($name:ident, $Node:ident $(, $mutable:tt)?) => {
        impl Code {
            /// Visits the children of this, in evaluation order.
            #[expect(clippy::too_many_lines, reason = "an arm for each kind of expression")]
            pub(crate) fn $name(&$($mutable)? self, visit: &mut dyn FnMut($Node<'_>)) {
                match self {
                    Code::Constant(_)
                    | Code::Local(_)
                    | Code::Load(_)
                    | Code::New(_)
                    | Code::Fact(_)
                    | Code::Tabulate(_)
                    | Code::GameNumber => {}
                    Code::Call(_, items) | Code::Collect { items, .. } => {
                        for item in items {
                            visit($Node::Code(item));
                        }
                    }
                    Code::Lookup(_, operand)
                    | Code::EqualConstant(operand, _)
                    | Code::Negate(operand, _)
                    | Code::Not(operand)
                    | Code::The(operand, _)
                    | Code::IsValue(operand, _)
                    | Code::BitsSize(operand)
                    | Code::PileSize(operand)
                    | Code::HashedSize(operand)
                    | Code::RecordPart { operand, .. }
                    | Code::BitsHighest { set: operand, .. }
                    | Code::BitsLowest { set: operand, .. }
                    | Code::Masked { operand, .. }
                    | Code::Bit { item: operand, .. }
                    | Code::Members { bag: operand, .. }
                    | Code::BitsRanked { set: operand, .. }
                    | Code::Reversed { pile: operand, .. } => visit($Node::Code(operand)),
                    Code::Noted(noted) => noted.$name(visit),
                    Code::Part(part) => visit($Node::Code(&$($mutable)? part.operand)),
                    Code::Remap(remap) => visit($Node::Code(&$($mutable)? remap.map)),
                    Code::Index(parts) | Code::CheckedIndex(parts, ..) => {
                        for part in parts {
                            visit($Node::Code(&$($mutable)? part.code));
                        }
                    }
                    Code::MaskedRows(masked) => {
                        for part in &$($mutable)? masked.keys {
                            visit($Node::Code(&$($mutable)? part.code));
                        }
                        for value in &$($mutable)? masked.values {
                            visit($Node::Code(value));
                        }
                    }
                    Code::Record { parts, .. } => {
                        for (_, _, part) in parts {
                            visit($Node::Code(part));
                        }
                    }
                    Code::Entry(entry) => {
                        visit($Node::Code(&$($mutable)? entry.map));
                        visit($Node::Code(&$($mutable)? entry.key));
                    }
                    Code::Add(pair, _)
                    | Code::Subtract(pair, _)
                    | Code::Multiply(pair, _)
                    | Code::Divide(pair, _)
                    | Code::DivideEven(pair, _)
                    | Code::Modulo(pair, _)
                    | Code::Apart(pair, _)
                    | Code::Less(pair)
                    | Code::LessOrEqual(pair)
                    | Code::Equal(pair)
                    | Code::Same(pair, _)
                    | Code::And(pair)
                    | Code::Or(pair)
                    | Code::Else(pair)
                    | Code::BitsWith(pair)
                    | Code::BitsWithout(pair)
                    | Code::BitsBoth(pair)
                    | Code::TopMany(pair)
                    | Code::Below(pair)
                    | Code::CountsWithin { bags: pair, .. }
                    | Code::Then { piles: pair, .. }
                    | Code::GridWay { operands: pair, .. } => {
                        visit($Node::Code(&$($mutable)? pair.0));
                        visit($Node::Code(&$($mutable)? pair.1));
                    }
                    Code::Between(triple) | Code::GridStep { operands: triple, .. } => {
                        visit($Node::Code(&$($mutable)? triple.0));
                        visit($Node::Code(&$($mutable)? triple.1));
                        visit($Node::Code(&$($mutable)? triple.2));
                    }
                    Code::Lift { operand, body, .. } => {
                        visit($Node::Code(operand));
                        visit($Node::Code(body));
                    }
                    Code::Checked(operand, check, _) => {
                        visit($Node::Code(operand));
                        check.$name(visit);
                    }
                    Code::HasBit { item, set, .. }
                    | Code::Has { item, set, .. }
                    | Code::CountHashed { item, set, .. }
                    | Code::Item { pile: item, index: set, .. } => {
                        visit($Node::Code(item));
                        visit($Node::Code(set));
                    }
                    Code::CountIn(count) => {
                        visit($Node::Code(&$($mutable)? count.item));
                        visit($Node::Code(&$($mutable)? count.bag));
                    }
                    Code::Among { item, source, .. }
                    | Code::CountOf { item, source, .. }
                    | Code::With { set: item, source, .. }
                    | Code::Without { set: item, source, .. } => {
                        visit($Node::Code(item));
                        visit($Node::Source(source));
                    }
                    Code::Within { left, right, .. } => {
                        visit($Node::Code(right));
                        visit($Node::Source(left));
                    }
                    Code::Gather { source, .. }
                    | Code::Extreme { source, .. }
                    | Code::Sum(source, _)
                    | Code::Count(source) => visit($Node::Source(source)),
                    Code::But(but) => {
                        visit($Node::Code(&$($mutable)? but.map));
                        visit($Node::Code(&$($mutable)? but.value));
                        visit($Node::Code(&$($mutable)? but.at));
                    }
                    Code::ButMany(but) => {
                        visit($Node::Code(&$($mutable)? but.map));
                        visit($Node::Code(&$($mutable)? but.value));
                        visit($Node::Source(&$($mutable)? but.at));
                    }
                    Code::Some(range) | Code::No(range) => visit($Node::Loop(range)),
                    Code::Best(best) => visit($Node::Best(best)),
                    Code::After(after) => {
                        visit($Node::Code(&$($mutable)? after.operand));
                        visit($Node::Code(&$($mutable)? after.steps));
                        visit($Node::Code(&$($mutable)? after.count));
                    }
                    Code::Text(text) => text.$name(visit),
                    Code::Dense(table) => {
                        for part in &$($mutable)? table.keys {
                            visit($Node::Code(&$($mutable)? part.code));
                        }
                        for value in &$($mutable)? table.values {
                            visit($Node::Code(value));
                        }
                    }
                    Code::Switch(switch) => {
                        visit($Node::Code(&$($mutable)? switch.operand));
                        for value in &$($mutable)? switch.values {
                            visit($Node::Code(value));
                        }
                    }
                    Code::If(choice) => {
                        for condition in &$($mutable)? choice.conditions {
                            visit($Node::Code(condition));
                        }
                        visit($Node::Code(&$($mutable)? choice.value));
                        visit($Node::Code(&$($mutable)? choice.otherwise));
                    }
                    Code::Decide(table) => {
                        for key in &$($mutable)? table.keys {
                            visit($Node::Code(key));
                        }
                        for row in &$($mutable)? table.rows {
                            for condition in &$($mutable)? row.conditions {
                                visit($Node::Code(condition));
                            }
                            visit($Node::Code(&$($mutable)? row.value));
                        }
                    }
                    Code::Any(rows)
                    | Code::All(rows)
                    | Code::First(rows)
                    | Code::Highest(rows)
                    | Code::Lowest(rows)
                    | Code::SumRows(rows, _)
                    | Code::UnionBits(rows) => {
                        for row in rows {
                            visit($Node::Row(row));
                        }
                    }
                    Code::Union(rows, _) => {
                        for row in rows {
                            visit($Node::Row(&$($mutable)? row.row));
                            if let Some(source) = &$($mutable)? row.source {
                                visit($Node::Source(source));
                            }
                        }
                    }
                    Code::Agree { rows, otherwise, .. } => {
                        for row in rows {
                            visit($Node::Row(row));
                        }
                        visit($Node::Code(otherwise));
                    }
                }
            }
        }

        impl Noted {
            /// Visits the children of this.
            pub(crate) fn $name(&$($mutable)? self, visit: &mut dyn FnMut($Node<'_>)) {
                match self {
                    Noted::Passed { code, .. } => visit($Node::Code(code)),
                    Noted::Value { of: noted, code, .. } | Noted::Before { noted, code } => {
                        for one in noted {
                            visit($Node::Code(one));
                        }
                        visit($Node::Code(code));
                    }
                    Noted::Joined { left, right, .. } => {
                        visit($Node::Code(left));
                        visit($Node::Code(right));
                    }
                    Noted::Found { range, condition, ranges, .. } => {
                        visit($Node::Loop(range));
                        visit($Node::Code(condition));
                        for range in ranges {
                            visit($Node::Code(range));
                        }
                    }
                }
            }
        }

        impl Source {
            /// Visits the children of this.
            pub(crate) fn $name(&$($mutable)? self, visit: &mut dyn FnMut($Node<'_>)) {
                match self {
                    Source::Partial(_) => {}
                    Source::When(pair) => {
                        visit($Node::Source(&$($mutable)? pair.1));
                        visit($Node::Code(&$($mutable)? pair.0));
                    }
                    Source::Span(ends) => {
                        visit($Node::Code(&$($mutable)? ends.0));
                        visit($Node::Code(&$($mutable)? ends.1));
                    }
                    Source::Line { ends: pair, .. } | Source::Ray { start: pair, .. } => {
                        visit($Node::Code(&$($mutable)? pair.0));
                        visit($Node::Code(&$($mutable)? pair.1));
                    }
                    Source::Bits { set: operand, .. }
                    | Source::Words { set: operand, .. }
                    | Source::Counts { bag: operand, .. }
                    | Source::Pile { pile: operand, .. }
                    | Source::Hashed { set: operand, .. }
                    | Source::Beside { point: operand, .. } => visit($Node::Code(operand)),
                    Source::Items(items) => {
                        for item in items {
                            visit($Node::Code(item));
                        }
                    }
                    Source::Mapped(range, value) => {
                        visit($Node::Loop(range));
                        visit($Node::Code(value));
                    }
                    Source::Around { points, .. } => visit($Node::Source(points)),
                    Source::Region { point, map, .. } | Source::Boundary { point, map, .. } => {
                        visit($Node::Code(point));
                        visit($Node::Code(map));
                    }
                }
            }
        }

        impl Loop {
            /// Visits the children of this.
            pub(crate) fn $name(&$($mutable)? self, visit: &mut dyn FnMut($Node<'_>)) {
                for (_, source) in &$($mutable)? self.bindings {
                    visit($Node::Source(source));
                }
                if let Some(condition) = &$($mutable)? self.condition {
                    visit($Node::Code(condition));
                }
            }
        }

        impl Best {
            /// Visits the children of this.
            pub(crate) fn $name(&$($mutable)? self, visit: &mut dyn FnMut($Node<'_>)) {
                visit($Node::Source(&$($mutable)? self.source));
                if let Some(condition) = &$($mutable)? self.condition {
                    visit($Node::Code(condition));
                }
                for (_, key) in &$($mutable)? self.keys {
                    visit($Node::Code(key));
                }
            }
        }

        impl Row {
            /// Visits the children of this.
            pub(crate) fn $name(&$($mutable)? self, visit: &mut dyn FnMut($Node<'_>)) {
                for (_, source) in &$($mutable)? self.bindings {
                    visit($Node::Source(source));
                }
                for condition in &$($mutable)? self.conditions {
                    visit($Node::Code(condition));
                }
                visit($Node::Code(&$($mutable)? self.value));
            }
        }

        impl Text {
            /// Visits the children of this.
            pub(crate) fn $name(&$($mutable)? self, visit: &mut dyn FnMut($Node<'_>)) {
                match self {
                    Text::Literal(_) => {}
                    Text::Value(value, _) => visit($Node::Code(value)),
                    Text::Parts(parts) => {
                        for part in parts {
                            part.$name(visit);
                        }
                    }
                    Text::List { source, .. } => visit($Node::Source(source)),
                }
            }
        }

        impl Check {
            /// Visits the children of this.
            pub(crate) fn $name(&$($mutable)? self, visit: &mut dyn FnMut($Node<'_>)) {
                match self {
                    Check::Range { lo, hi, .. } => {
                        visit($Node::Code(lo));
                        visit($Node::Code(hi));
                    }
                    Check::Bits { .. } => {}
                    Check::Each { check, .. } | Check::Entries { check, .. } => check.$name(visit),
                }
            }
        }
    };
}

walk!(pieces, Node);
walk!(pieces_mut, NodeMut, mut);

impl Node<'_> {
    /// Visits all code in this, at any depth.
    pub(crate) fn each(&self, visit: &mut dyn FnMut(&Code)) {
        if let Node::Code(code) = self {
            return code.each(visit);
        }
        self.pieces(&mut |node| node.each(visit));
    }

    /// Counts the pieces of code in this, stopping after `most`. Loads and constants do not count, since they take no
    /// instruction of their own.
    fn count(&self, most: usize, count: &mut usize) {
        if *count <= most {
            *count += usize::from(match self {
                Node::Code(code) => !matches!(code, Code::Load(_) | Code::Constant(_)),
                _ => false,
            });
            self.pieces(&mut |node| node.count(most, count));
        }
    }

    /// Visits the children of this.
    pub(crate) fn pieces(&self, visit: &mut dyn FnMut(Node<'_>)) {
        match self {
            Node::Code(code) => code.pieces(visit),
            Node::Source(source) => source.pieces(visit),
            Node::Loop(range) => range.pieces(visit),
            Node::Best(best) => best.pieces(visit),
            Node::Row(row) => row.pieces(visit),
        }
    }

    /// The number of locals that its frame needs.
    pub(crate) fn locals(&self) -> usize {
        let mut most = match self {
            Node::Code(Code::Local(local) | Code::Lift { local, .. }) => number(&[*local]),
            Node::Code(Code::Decide(table)) => number(&table.locals),
            Node::Loop(range) => bound(&range.bindings),
            Node::Row(row) => bound(&row.bindings),
            Node::Best(best) => number(&best.held).max(number(&[best.local])),
            Node::Code(_) | Node::Source(_) => 0,
        };
        self.pieces(&mut |node| most = most.max(node.locals()));
        most
    }
}

/// The number of locals in a frame that contains these.
fn number(locals: &[u32]) -> usize {
    locals.iter().max().map_or(0, |local| *local as usize + 1)
}

fn bound(bindings: &[(u32, Source)]) -> usize {
    bindings
        .iter()
        .map(|(local, _)| *local as usize + 1)
        .max()
        .unwrap_or(0)
}

impl Code {
    /// The number of locals that its frame needs.
    pub(crate) fn locals(&self) -> usize {
        Node::Code(self).locals()
    }

    /// Visits this and all code in it, at any depth.
    pub(crate) fn each(&self, visit: &mut dyn FnMut(&Code)) {
        visit(self);
        self.pieces(&mut |node| node.each(visit));
    }

    /// Whether this has more than `most` pieces, including itself. Stops counting there.
    pub(crate) fn is_larger_than(&self, most: usize) -> bool {
        let mut count = 0;
        Node::Code(self).count(most, &mut count);
        count > most
    }

    /// Whether `is` holds for any code in this.
    pub(crate) fn any(&self, is: &dyn Fn(&Code) -> bool) -> bool {
        let mut found = false;
        self.each(&mut |code| found = found || is(code));
        found
    }

    /// Substitutes arguments for the first locals.
    pub(crate) fn put(&mut self, arguments: &[Code]) {
        if let Code::Local(local) = self {
            if let Some(argument) = arguments.get(*local as usize) {
                *self = argument.clone();
            }
            return;
        }
        self.pieces_mut(&mut |node| node.put(arguments));
    }

    /// Whether this depends on a local.
    pub(crate) fn reads_local(&self, local: u32) -> bool {
        self.any(&|code| matches!(code, Code::Local(other) if *other == local))
    }
}

impl NodeMut<'_> {
    fn put(self, arguments: &[Code]) {
        match self {
            NodeMut::Code(code) => code.put(arguments),
            NodeMut::Source(source) => source.pieces_mut(&mut |node| node.put(arguments)),
            NodeMut::Loop(range) => range.pieces_mut(&mut |node| node.put(arguments)),
            NodeMut::Best(best) => best.pieces_mut(&mut |node| node.put(arguments)),
            NodeMut::Row(row) => row.pieces_mut(&mut |node| node.put(arguments)),
        }
    }
}
