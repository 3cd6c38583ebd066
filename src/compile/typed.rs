//! How values become data, worked out from their types.

use super::Compiler;
use crate::{
    code::{
        Shape,
        typed::{Typed, TypedEntries, TypedState},
    },
    types::Type,
};

impl Compiler<'_> {
    /// How a value of a type becomes data; that it may be none is seen from the value.
    pub(super) fn typed(&mut self, ty: &Type) -> Typed {
        let ty = ty.required();
        if let Some(element) = ty.element() {
            return Typed::List {
                shape: self.shape(ty),
                element: Box::new(self.typed(element)),
            };
        }
        match ty {
            Type::YesNo => Typed::YesNo,
            number if number.is_number() && !number.is_decimal() => Typed::Number,
            Type::Map(key, _) => self.typed_map(ty, std::slice::from_ref(&**key)),
            Type::Product(id) if self.program.types.product(*id).record => {
                let fields = self.program.types.product(*id).fields.clone();
                let Shape::Record { parts, .. } = self.shape(ty) else {
                    return Typed::Record(Vec::new());
                };
                let parts = fields.into_iter().zip(parts);
                let parts = parts.map(|(field, (offset, slot, _))| {
                    let typed = self.typed(&field.ty);
                    (field.name, offset, slot, typed)
                });
                Typed::Record(parts.collect())
            }
            other => Typed::Text(self.written(other)),
        }
    }

    /// A map whose keys are made of values of these types.
    fn typed_map(&mut self, ty: &Type, parameters: &[Type]) -> Typed {
        let (Type::Map(key, entry), Shape::Map { domain, slot, .. }) = (ty, self.shape(ty)) else {
            return Typed::Record(Vec::new());
        };
        let pointwise = self.pointwise(key, &[], entry);
        let parameters = parameters.iter().filter_map(|parameter| {
            let domain = self.domain(parameter)?;
            Some((domain, self.typed(parameter)))
        });
        let parameters = parameters.collect();
        Typed::Entries(Box::new(TypedEntries {
            domain,
            slot,
            partial: pointwise.as_ref().and_then(|pointwise| pointwise.partial),
            last: pointwise.and_then(|pointwise| pointwise.last),
            key: self.written(key),
            parameters,
            entry: self.typed(entry),
        }))
    }

    /// How all states become data.
    pub(super) fn typed_states(&mut self) -> Vec<TypedState> {
        let program = self.program;
        let states = program.states.iter().map(|state| TypedState {
            name: state.name.clone(),
            whole: if state.parameters.is_empty() {
                self.typed(&state.ty)
            } else {
                self.typed_map(&state.ty, &state.parameters)
            },
        });
        states.collect()
    }
}
