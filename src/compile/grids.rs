//! Grids: the neighbours of each point.

use super::Compiler;
use crate::{
    code::{Beside, Grid},
    types::Type,
};

impl Compiler<'_> {
    /// The grid of a type's points, compiled when first needed.
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
        let mut grid = Grid {
            rows,
            columns,
            wraps: product.grid.map_or((false, false), |grid| grid.wraps),
            beside: Vec::new(),
            ways,
        };
        for row in 0..rows {
            for column in 0..columns {
                let place = |point: i64| u32::try_from(point).unwrap_or(0);
                let own = place(row * columns + column);
                let sides = [(-1, 0), (0, -1), (0, 1), (1, 0)];
                let beside = sides.iter().filter_map(|(down, right)| {
                    grid.point_at(row + down, column + right).map(place)
                });
                // Ascending; on a grid that wraps, two neighbours may be the same, or the point itself.
                let mut beside: Vec<u32> = beside.filter(|point| *point != own).collect();
                beside.sort_unstable();
                beside.dedup();
                grid.beside.push(Beside::of(own, &beside));
            }
        }
        self.compiled.grids.push(grid);
        let place = u32::try_from(self.compiled.grids.len() - 1).unwrap_or(u32::MAX);
        self.grid_ids.insert(*id, place);
        place
    }
}
