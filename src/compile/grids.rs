//! Grids: what lies beside what.

use super::Compiler;
use crate::{
    code::{Beside, Grid},
    types::Type,
};

impl Compiler<'_> {
    /// The grid of a type's points; made when it is first asked for.
    pub(super) fn grid(&mut self, ty: &Type) -> u32 {
        let Type::Product(id) = ty else { return 0 };
        if let Some(grid) = self.grid_ids.get(id) {
            return *grid;
        }
        let product = self.program.types.product(*id);
        let size = |index: usize| {
            product
                .fields
                .get(index)
                .and_then(|field| self.domain(&field.ty))
                .map_or(1, |domain| i64::try_from(domain.count).unwrap_or(1))
        };
        let (rows, columns) = (size(0), size(1));
        let sign = |up: bool| if up { -1 } else { 1 };
        let (rows_up, columns_up) = product
            .grid
            .map_or((false, false), |grid| (grid.rows_up, grid.columns_up));
        let (south, east) = (sign(rows_up), sign(columns_up));
        let ways = [
            (-south, 0),
            (-south, east),
            (0, east),
            (south, east),
            (south, 0),
            (south, -east),
            (0, -east),
            (-south, -east),
        ];
        let mut all = Vec::new();
        for row in 0..rows {
            for column in 0..columns {
                let place =
                    |row: i64, column: i64| u32::try_from(row * columns + column).unwrap_or(0);
                // In the order of their places.
                let beside: Vec<u32> = [(-1, 0), (0, -1), (0, 1), (1, 0)]
                    .iter()
                    .map(|(down, right)| (row + down, column + right))
                    .filter(|(row, column)| {
                        (0..rows).contains(row) && (0..columns).contains(column)
                    })
                    .map(|(row, column)| place(row, column))
                    .collect();
                all.push(Beside::of(place(row, column), &beside));
            }
        }
        self.compiled.grids.push(Grid {
            rows,
            columns,
            beside: all,
            ways,
        });
        let place = u32::try_from(self.compiled.grids.len() - 1).unwrap_or(u32::MAX);
        self.grid_ids.insert(*id, place);
        place
    }
}
