//! The game as each of its players sees it.

use std::cell::OnceCell;

use referee::game::{Game, Session, Viewer};

use super::super::error::{Error, Result};

/// A view for each seat, and a last one for everyone; empty if nothing is hidden.
pub(super) struct Views<'g> {
    game: &'g Game,
    games: &'g [OnceCell<Game>],
    begun: Vec<Option<View<'g>>>,
    form: Option<String>,
    name: String,
    /// The index of the current view.
    looking: usize,
}

/// The game as one viewer sees it.
struct View<'g> {
    session: Session<'g>,
    /// How many bytes of its report have been written out.
    written: usize,
}

impl<'g> Views<'g> {
    pub(super) fn new(
        game: &'g Game,
        games: &'g [OnceCell<Game>],
        form: Option<&str>,
        name: &str,
    ) -> Views<'g> {
        Views {
            game,
            games,
            begun: games.iter().map(|_| None).collect(),
            form: form.map(str::to_string),
            name: name.to_string(),
            looking: games.len().saturating_sub(1),
        }
    }

    /// Whether anything is hidden from anyone.
    pub(super) fn differ(&self) -> bool {
        !self.games.is_empty()
    }

    /// Whether to show moves that no one types.
    pub(super) fn tell_moves(&self) -> bool {
        !self.differ() || self.game.tells_moves()
    }

    /// Switches to the view of a seat, or of everyone. Returns whether that is another view.
    pub(super) fn turn_to(&mut self, seat: Option<usize>) -> bool {
        let everyone = self.games.len().saturating_sub(1);
        let seat = seat.unwrap_or(everyone).min(everyone);
        std::mem::replace(&mut self.looking, seat) != seat
    }

    /// Whether this seat's view is the current one.
    pub(super) fn looks(&self, seat: usize) -> bool {
        self.looking == seat
    }

    /// The game in the current view, after this transcript.
    pub(super) fn session(&mut self, transcript: &str) -> Result<&mut Session<'g>> {
        Ok(&mut self.view(transcript)?.session)
    }

    /// The part of the report that has not been shown in the current view.
    pub(super) fn unread(&mut self, transcript: &str) -> Result<String> {
        let view = self.view(transcript)?;
        let report = view.session.report();
        let unread = report.get(view.written..).unwrap_or_default().to_string();
        view.written = report.len();
        Ok(unread)
    }

    fn view(&mut self, transcript: &str) -> Result<&mut View<'g>> {
        let place = self.looking;
        let game = self.games[place].get_or_init(|| {
            let is_seat = place + 1 < self.games.len();
            let viewer = if is_seat {
                Viewer::Seat(place)
            } else {
                Viewer::Everyone
            };
            self.game.seen_by(viewer)
        });
        let begin = || game.session(self.form.as_deref(), &self.name);
        let known = self.begun[place].take();
        let is_current = |view: &View| transcript.starts_with(view.session.transcript());
        // What was taken back may have been shown.
        let mut written_before = String::new();
        let mut view = match known {
            Some(view) if is_current(&view) => view,
            known => {
                let report = known
                    .as_ref()
                    .map(|view| (view.session.report(), view.written));
                let written = report.and_then(|(report, written)| report.get(..written));
                written_before.push_str(written.unwrap_or_default());
                View {
                    session: begin()?,
                    written: 0,
                }
            }
        };
        let new = transcript.get(view.session.transcript().len()..);
        if let Some(new) = new.filter(|new| !new.is_empty()) {
            let fed = view.session.feed(new);
            fed.map_err(|refusal| Error::Failure(refusal.failure))?;
        }
        if !written_before.is_empty() {
            view.written = same_lines(&written_before, view.session.report());
        }
        Ok(self.begun[place].insert(view))
    }
}

/// The length of the lines that two reports begin with alike, in bytes.
fn same_lines(one: &str, other: &str) -> usize {
    let lines = one.split_inclusive('\n').zip(other.split_inclusive('\n'));
    let same = lines.take_while(|(one, other)| one == other);
    same.map(|(line, _)| line.len()).sum()
}
