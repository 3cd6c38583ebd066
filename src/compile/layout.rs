//! The layout of givens and state in fixed memory.

use std::collections::BTreeSet;

use super::{Compiler, Context, Frame, definitions::each_expression, sources::source_of_shape};
use crate::{
    code::{
        self, Drawn, EntriesShown, Given, Initial, Kept, Plane, Pointwise, Shape, Shown, Slot,
        State, Text, Written,
    },
    program::{
        Builtin, Decider, Definition, EventId, Expr, ExprKind, FramedExpr, LocalId, StateId,
        Template, TemplatePart, Tense,
    },
    types::Type,
};

impl Compiler<'_> {
    /// Gives every given and state its words.
    pub(super) fn lay_out(&mut self) {
        // Word 0 is never a block, so that an invalid handle of 0 is noticed.
        let mut offset = 1;
        for given in &self.program.givens {
            self.given_offsets.push(offset);
            let slot = self.element_slot(&given.ty);
            self.roots(offset, &given.ty);
            offset += slot.words(1);
        }
        let states = self.states_with_previous();
        for (index, state) in self.program.states.iter().enumerate() {
            let words = self.element_slot(&state.ty).words(1);
            self.state_offsets.push(offset);
            self.roots(offset, &state.ty);
            offset += words;
            if states.contains(&StateId::new(index)) {
                self.previous_offsets.push(Some(offset));
                self.roots(offset, &state.ty);
                offset += words;
            } else {
                self.previous_offsets.push(None);
            }
        }
        // The fields of the current event, a word each.
        self.compiled.fields = offset;
        let widest = self.program.events.iter().map(|event| event.fields.len());
        self.compiled.fixed_words = offset + widest.max().unwrap_or(0);
        let holds_text = |ty: &Type| holds(ty, &|ty| ty.is_text(), self.program);
        self.compiled.keeps_texts = self
            .program
            .states
            .iter()
            .any(|state| holds_text(&state.ty));
        self.compiled.keeps_given_texts = self.program.givens.iter().any(|given| {
            let found = match &given.ty {
                Type::Map(_, entry) => entry.required().is_text(),
                ty => ty.required().is_text(),
            };
            holds_text(&given.ty) && !found
        });
    }

    /// The states whose previous value is needed.
    fn states_with_previous(&self) -> BTreeSet<StateId> {
        let mut states = BTreeSet::new();
        let mut facts = false;
        let mut look = |definition: &Definition| {
            each_expression(definition, &mut |expr| match &expr.kind {
                ExprKind::State(state, Tense::Previous) => {
                    states.insert(*state);
                }
                ExprKind::Fact {
                    tense: Tense::Previous,
                    ..
                }
                | ExprKind::Tabulated(_, Tense::Previous) => facts = true,
                _ => {}
            });
        };
        for fact in &self.program.facts {
            look(&fact.definition);
        }
        for event in &self.program.events {
            for equation in &event.equations {
                look(&equation.definition);
            }
        }
        super::definitions::each_row_expression(self.program, &mut |expr| match &expr.kind {
            ExprKind::State(state, Tense::Previous) => {
                states.insert(*state);
            }
            ExprKind::Fact {
                tense: Tense::Previous,
                ..
            }
            | ExprKind::Tabulated(_, Tense::Previous) => facts = true,
            _ => {}
        });
        if facts {
            // A fact evaluated in the previous state may read any of it.
            states.extend((0..self.program.states.len()).map(StateId::new));
        }
        states
    }

    /// Records where fixed memory contains handles.
    fn roots(&mut self, offset: usize, ty: &Type) {
        let shape = self.shape(ty);
        let offset = if matches!(self.element_slot(ty), Slot::OptionalBlock { .. }) {
            offset + 1
        } else {
            offset
        };
        self.shape_roots(offset, &shape, 1);
        match ty.required() {
            ty if ty.is_text() => self.compiled.text_roots.push((offset, 1)),
            Type::Map(key, entry) if entry.required().is_text() => {
                let count = self.domain(key).map_or(0, |domain| domain.count);
                self.compiled.text_roots.push((offset, count));
            }
            _ => {}
        }
    }

    fn shape_roots(&mut self, offset: usize, shape: &Shape, count: usize) {
        match shape {
            Shape::Pile { .. } => self.compiled.pile_roots.push((offset, count)),
            Shape::Hashed { .. } => self.compiled.hashed_roots.push((offset, count)),
            Shape::Map {
                domain,
                slot,
                entry,
                ..
            } => match (slot, entry.block()) {
                (Slot::Word, None) => self.shape_roots(offset, entry, domain.count),
                (Slot::Block { words }, Some(_)) => {
                    for index in 0..domain.count {
                        self.shape_roots(offset + index * words, entry, 1);
                    }
                }
                (Slot::OptionalBlock { words }, Some(_)) => {
                    for index in 0..domain.count {
                        self.shape_roots(offset + index * (words + 1) + 1, entry, 1);
                    }
                }
                _ => {}
            },
            Shape::Record { parts, .. } => {
                for (place, slot, part) in parts {
                    let flag = usize::from(matches!(slot, Slot::OptionalBlock { .. }));
                    self.shape_roots(offset + place + flag, part, 1);
                }
            }
            Shape::Scalar | Shape::Bits { .. } | Shape::Words { .. } | Shape::Counts { .. } => {}
        }
    }

    pub(super) fn givens(&mut self) {
        for (index, given) in self.program.givens.iter().enumerate() {
            let parameters = match &given.key {
                None => Vec::new(),
                Some(key) => self.parameters_of(key, given.default.as_ref()),
            };
            let default = given.default.as_ref().map(|default| {
                self.initial_at_start(default, given.key.as_ref(), &parameters, &given.entry)
            });
            let entry = given
                .key
                .as_ref()
                .and_then(|key| self.domain(key))
                .map(|domain| (domain, self.slot(&given.entry)));
            let drawn = given.drawn.then(|| self.drawn(&given.ty, default.as_ref()));
            let compiled = Given {
                offset: self.given_offsets[index],
                bounds: self.bounds_of(&given.ty),
                slot: self.element_slot(&given.ty),
                entry,
                default: default.filter(|_| !given.drawn),
                drawn,
            };
            self.compiled.givens.push(compiled);
        }
    }

    /// What chance draws a value of a type from: all values, or the members of a default.
    pub(super) fn drawn(&mut self, ty: &Type, default: Option<&Initial>) -> Drawn {
        let pile = matches!(ty, Type::Pile(_)).then(|| self.shape(ty));
        let from = match (default, &pile) {
            (Some(default), Some(shape)) => source_of_shape(default.code.clone(), shape),
            _ => self.all_values(ty.element().unwrap_or(ty)),
        };
        Drawn {
            from,
            locals: default.map_or(0, |default| default.locals),
            pile,
        }
    }

    /// What the field of an event is shuffled from, if chance decides the event and the field is a pile.
    pub(super) fn drawn_field(&mut self, by: &Decider, ty: &Type) -> Option<Drawn> {
        let (Decider::Chance(_), Type::Pile(element)) = (by, ty) else {
            return None;
        };
        self.domain(element).map(|_| self.drawn(ty, None))
    }

    /// The types of the parameters that make up a key: the key's own type, or the parts of the product made for
    /// several.
    fn parameters_of(&self, key: &Type, definition: Option<&Definition>) -> Vec<Type> {
        let several = definition.is_some()
            && matches!(key, Type::Product(id) if self.program.types.product(*id).is_key());
        match (several, key) {
            (true, Type::Product(id)) => self
                .program
                .types
                .product(*id)
                .fields
                .iter()
                .map(|field| field.ty.clone())
                .collect(),
            _ => vec![key.clone()],
        }
    }

    pub(super) fn states(&mut self) {
        for (index, state) in self.program.states.iter().enumerate() {
            let initial = self.initial_at_start(
                &state.initial,
                state.key.as_ref(),
                &state.parameters,
                &state.entry,
            );
            let (shown, locals) = self.shown(StateId::new(index));
            let shown_to = state.shown.as_ref();
            let seen = shown_to.map(|shown| self.framed_code(Self::plain_context(), shown));
            let counted = shown_to.filter(|_| state.ty.element().is_some());
            let size = counted.map(|_| {
                let id = StateId::new(index);
                let value = ExprKind::State(id, Tense::Now);
                let value = Expr::new(value, state.ty.clone(), state.span);
                let value = ExprKind::Builtin(Builtin::Size, vec![value]);
                let value = Expr::new(value, Type::Number, state.span);
                self.framed_code(Self::plain_context(), &FramedExpr { value, locals: 0 })
            });
            let compiled = State {
                name: state.name.clone(),
                offset: self.state_offsets[index],
                previous: self.previous_offsets[index],
                shape: self.shape(&state.ty),
                slot: self.element_slot(&state.ty),
                bounds: self.bounds_of(&state.ty),
                initial,
                shown,
                locals,
                seen,
                size,
            };
            if let Some(previous) = compiled.previous {
                self.compiled.kept.push(Kept {
                    offset: compiled.offset,
                    previous,
                    words: compiled.slot.words(1),
                });
            }
            self.compiled.states.push(compiled);
        }
    }

    /// The initial value of something at the start of a game, where every name means the initial value.
    fn initial_at_start(
        &mut self,
        definition: &Definition,
        key: Option<&Type>,
        parameters: &[Type],
        entry: &Type,
    ) -> Initial {
        let context = Context {
            event: Some(EventId::START),
            tense: Tense::New,
        };
        self.initial(context, definition, key, parameters, entry)
    }

    /// An initial value.
    pub(super) fn initial(
        &mut self,
        context: Context,
        definition: &Definition,
        key: Option<&Type>,
        parameters: &[Type],
        entry: &Type,
    ) -> Initial {
        let mut frame = Frame::new(context, definition.locals);
        let code = self.definition(&mut frame, definition);
        let code = self.passing(definition, code);
        let pointwise = key.and_then(|key| self.pointwise(key, parameters, entry));
        Initial {
            code,
            locals: frame.locals,
            pointwise,
        }
    }

    /// How to build a map entry by entry.
    pub(super) fn pointwise(
        &mut self,
        key: &Type,
        parameters: &[Type],
        entry: &Type,
    ) -> Option<Pointwise> {
        let domain = self.domain(key)?;
        let partial = self.partial(key);
        let last = match key {
            Type::Range(_) | Type::Member(_) if self.is_dynamic(key) => {
                self.bounds(key).map(|(_, hi)| hi)
            }
            _ => None,
        };
        let parameters = parameters
            .iter()
            .filter_map(|parameter| self.domain(parameter))
            .collect();
        Some(Pointwise {
            key: domain,
            slot: self.slot(entry),
            parameters,
            partial,
            last,
        })
    }

    /// How to draw the points of a grid type.
    fn plane(&self, ty: &Type) -> Option<Plane> {
        let Type::Product(id) = ty else {
            return None;
        };
        let product = self.program.types.product(*id);
        let geometry = product.grid?;
        let columns = self.domain(&product.fields.get(1)?.ty)?.count;
        Some(Plane {
            columns,
            rows_up: geometry.rows_up,
            columns_up: geometry.columns_up,
        })
    }

    /// How the rules draw an entry of a state, if they do, and the number of locals for that.
    fn sign(&mut self, id: StateId) -> Option<(Text, usize)> {
        let draw = self.program.draws.iter().find(|draw| draw.state == id)?;
        let mut frame = Frame::new(Self::plain_context(), draw.locals);
        let text = self.text(&mut frame, &draw.sign);
        Some((text, frame.locals))
    }

    /// How to show entries of a state that are collections.
    fn members(
        &mut self,
        id: StateId,
        key: &Type,
        entry: &Type,
    ) -> Option<(Text, usize, code::FramedCode)> {
        let state = &self.program.states[id.index()];
        let element = entry.element()?;
        if !self.is_written(element) {
            return None;
        }
        let expr = |kind, ty: &Type| Expr::new(kind, ty.clone(), state.span);
        let one = ExprKind::Entry {
            map: Box::new(expr(ExprKind::State(id, Tense::Now), &state.ty)),
            key: Box::new(expr(ExprKind::Local(LocalId::new(0)), key)),
        };
        let one = expr(one, entry);
        let parts = vec![TemplatePart::Hole(one.clone())];
        let text = expr(ExprKind::Template(Template { parts }), &Type::Text);
        let mut frame = Frame::new(Self::plain_context(), 1);
        let text = self.text(&mut frame, &text);
        let size = expr(ExprKind::Builtin(Builtin::Size, vec![one]), &Type::Number);
        let size = self.framed_code(
            Self::plain_context(),
            &FramedExpr {
                value: size,
                locals: 1,
            },
        );
        Some((text, frame.locals, size))
    }

    /// How messages show a state, and the number of locals for that.
    fn shown(&mut self, id: StateId) -> (Option<Shown>, usize) {
        let ty = self.program.states[id.index()].ty.clone();
        if let Type::Map(key, entry) = &ty {
            let scalar = entry.required().element().is_none() && self.is_written(entry);
            let known = self.domain(key).is_some() && self.is_written(key);
            let collection = self.members(id, key, entry);
            let is_shown = known && (scalar || collection.is_some());
            let shown = is_shown.then(|| {
                let pointwise = self.pointwise(key, &[], entry);
                self.for_messages = true;
                let shown = Shown::Entries(Box::new(EntriesShown {
                    key: self.written(key),
                    entry: match collection {
                        None => self.written(entry),
                        Some(_) => Written::Number,
                    },
                    collection,
                    sign: self.sign(id),
                    optional: entry.is_optional(),
                    plane: self.plane(key),
                    partial: pointwise.as_ref().and_then(|pointwise| pointwise.partial),
                    last: pointwise.and_then(|pointwise| pointwise.last),
                }));
                self.for_messages = false;
                shown
            });
            return (shown, 0);
        }
        if !self.is_written(&ty) {
            return (None, 0);
        }
        let frame = Frame::new(Self::plain_context(), 0);
        let value = self.load(self.state_offsets[id.index()], &ty);
        (
            Some(Shown::Whole(self.value_text(value, &ty))),
            frame.locals,
        )
    }
}

/// Whether a type, or any type within it, satisfies a predicate.
fn holds(ty: &Type, is: &dyn Fn(&Type) -> bool, program: &crate::program::Program) -> bool {
    is(ty)
        || match ty {
            Type::Optional(inner) | Type::Set(inner) | Type::Bag(inner) | Type::Pile(inner) => {
                holds(inner, is, program)
            }
            Type::Map(key, entry) => holds(key, is, program) || holds(entry, is, program),
            Type::Product(id) => program
                .types
                .product(*id)
                .fields
                .iter()
                .any(|field| holds(&field.ty, is, program)),
            _ => false,
        }
}
