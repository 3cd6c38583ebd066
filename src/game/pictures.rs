//! Pictures of a session: the maps on grids, point by point.

use serde::Serialize;

use super::Session;
use crate::{machine::Point, stream::Entries};

/// A map on a grid, for display.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Picture {
    /// The state's name.
    pub state: String,
    /// Its rows from top to bottom, each from left to right.
    pub rows: Vec<Vec<Cell>>,
}

/// A point of a grid.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Cell {
    /// The name of the point.
    pub name: String,
    /// Its value as written; `None` if it is empty.
    pub value: Option<String>,
    /// Its sign, if the rules have `write board as "…"`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sign: Option<String>,
}

impl Session<'_> {
    /// The maps on grids, point by point; [`Session::states`] has them as text. Empty if no game has begun.
    ///
    /// ```
    /// use referee::{game::Game, library::Library};
    ///
    /// let game = Game::load(&Library::shipped(), "connect-four", &[])?;
    /// let mut session = game.session(None, "at the table")?;
    /// session.feed("1\nAnn Ben\n4\n")?;
    /// let picture = &session.pictures()[0];
    /// assert_eq!((picture.rows.len(), picture.rows[0].len()), (6, 7));
    /// let lowest = &picture.rows[5][3];
    /// assert_eq!((lowest.name.as_str(), lowest.value.as_deref()), ("1,4", Some("Ann")));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn pictures(&mut self) -> Vec<Picture> {
        if self.games() == 0 {
            return Vec::new();
        }
        let cell = |Point { name, value, sign }| Cell { name, value, sign };
        let pictures = self.aside(|run| run.machine.pictures()).into_iter();
        let pictures = pictures.map(|(state, rows)| Picture {
            state,
            rows: rows
                .into_iter()
                .map(|row| row.into_iter().map(cell).collect())
                .collect(),
        });
        pictures.collect()
    }

    /// The current states as data: a set, bag or pile is a list, and a map has its entries. If the game is [seen by a
    /// viewer](super::Game::seen_by), a hidden collection is its size and any other hidden value is none. Empty if no
    /// game has begun, or the game is not one [with data](super::Game::with_data).
    ///
    /// ```
    /// use referee::{game::Game, library::Library, stream::Value};
    ///
    /// let game = Game::load(&Library::shipped(), "nim", &[])?.with_data();
    /// let mut session = game.session(None, "at the table")?;
    /// session.feed("1\nAnn Ben\n2\n")?;
    /// let (name, turn) = &session.values().0[1];
    /// assert_eq!((name.as_str(), turn), ("turn", &Value::Text("Ann".into())));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn values(&mut self) -> Entries {
        if self.games() == 0 {
            return Entries(Vec::new());
        }
        self.aside(|run| run.machine.own_state_data())
    }
}
