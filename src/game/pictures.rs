//! The pictures of a session: its maps on grids, point by point.

use serde::Serialize;

use super::Session;
use crate::{machine::Point, stream::Entries};

/// A state that is a map on a grid, as people look at it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Picture {
    /// The state's name.
    pub state: String,
    /// Its rows, the uppermost first, each from left to right.
    pub rows: Vec<Vec<Cell>>,
}

/// A point of a grid, and what is there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Cell {
    /// How the point is written.
    pub name: String,
    /// What is there, as it is written; nothing where nothing is.
    pub value: Option<String>,
    /// How the rules draw it: `write board as "…"`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sign: Option<String>,
}

impl Session<'_> {
    /// The states that are maps on grids, point by point, where [`Session::states`] has them as text. Empty where no game
    /// has begun.
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

    /// What the rules' states are now, as data: a set, bag or pile is a list, and a map has its entries. In a game that is
    /// limited to [one viewer](super::Game::seen_by), a hidden collection is the number of its things, and any other hidden
    /// value is none. Empty where no game has begun, and where the game is not one [with data](super::Game::with_data).
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
