//! The built-ins of grids.

use super::{
    Checker, Scope,
    builtins::{Call, Made},
};
use crate::{program::Builtin, types::Type};

impl Checker<'_> {
    pub(super) fn neighbours(&mut self, scope: &mut Scope, call: &mut Call<'_>) -> Option<Made> {
        self.takes_count(call, &[1], "neighbours of p")?;
        let value = self.plain_argument(scope, call, 0, None)?;
        let points = match &value.ty {
            Type::Set(element) => self.grid(element),
            ty => self.grid(ty),
        };
        let Some(grid) = points else {
            self.refuse(call, &value, "a point of a `grid`, or a set of them");
            return None;
        };
        Some((
            Builtin::Neighbours,
            vec![value],
            Type::Set(Type::Product(grid).into()),
        ))
    }

    pub(super) fn region(&mut self, scope: &mut Scope, call: &mut Call<'_>) -> Option<Made> {
        self.takes_count(call, &[2], "region(p, map)")?;
        let (point, grid) = self.point_argument(scope, call, 0)?;
        let anything = Type::Map(Type::Product(grid).into(), Type::Wrong.into());
        let map = self.plain_argument(scope, call, 1, Some(&anything))?;
        match &map.ty {
            Type::Map(key, _) if **key == Type::Product(grid) => {}
            _ => {
                self.refuse(call, &map, "a point and a map of its grid");
                return None;
            }
        }
        Some((
            Builtin::Region,
            vec![point, map],
            Type::Set(Type::Product(grid).into()),
        ))
    }

    pub(super) fn step(&mut self, scope: &mut Scope, call: &mut Call<'_>) -> Option<Made> {
        self.takes_count(call, &[3], "step(p, way, k)")?;
        let (point, grid) = self.point_argument(scope, call, 0)?;
        let way = self.way_argument(scope, call, 1)?;
        let count = self.number_argument(scope, call, 2)?;
        Some((
            Builtin::Step,
            vec![point, way, count],
            Type::Product(grid).optional(),
        ))
    }

    pub(super) fn way(&mut self, scope: &mut Scope, call: &mut Call<'_>) -> Option<Made> {
        let (from, to, _) = self.two_points(scope, call)?;
        Some((Builtin::Way, vec![from, to], self.compass().optional()))
    }

    pub(super) fn between(&mut self, scope: &mut Scope, call: &mut Call<'_>) -> Option<Made> {
        let (from, to, grid) = self.two_points(scope, call)?;
        Some((
            Builtin::Between,
            vec![from, to],
            Type::Set(Type::Product(grid).into()),
        ))
    }

    pub(super) fn ray(&mut self, scope: &mut Scope, call: &mut Call<'_>) -> Option<Made> {
        self.takes_count(call, &[2], "ray(p, way)")?;
        let (point, grid) = self.point_argument(scope, call, 0)?;
        let way = self.way_argument(scope, call, 1)?;
        Some((
            Builtin::Ray,
            vec![point, way],
            Type::Pile(Type::Product(grid).into()),
        ))
    }
}
