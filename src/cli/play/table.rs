//! The table: what has been played, and the next prompt.

use referee::{
    diagnostic::{Code, alternatives, masked},
    game::{Expected, Outcome, Session, Stage},
};

use super::{
    super::{
        error::{Error, Result},
        output,
        screen::Screen,
    },
    commands::{COMMANDS, Detail},
    record::{Record, record_of},
    seating::{Chosen, Origin, Seating},
    views::Views,
};

/// The number of lines in a row that chance may draw, or that are drawn by lot and change nothing, before a person is
/// asked.
const MOST_DRAWN: usize = 64;

/// The longest state that is shown after each event, in characters, unless it is a picture.
const SHORT: usize = 60;

/// The number of empty lines that hide one seat's screen from the next.
const BLANK: usize = 60;

/// What looking as somebody says where nothing is hidden.
const ALL_SEEN: &str = "everyone sees everything in this game";

/// A game at the table.
pub(super) struct Table<'g, 's> {
    /// The game as the referee sees it.
    pub(super) session: Session<'g>,
    /// The game as each player sees it.
    pub(super) views: Views<'g>,
    /// The seat that asked to look, until a line is accepted.
    pub(super) asking: Option<usize>,
    pub(super) record: Option<Record>,
    seating: Seating,
    pub(super) screen: &'s Screen,
    at_terminal: bool,
    /// Who played each step of the session.
    pub(super) origins: Vec<Origin>,
    /// The line that was refused last, if none was accepted since.
    pub(super) refused: Option<String>,
    /// How detailed answers are.
    pub(super) detail: Detail,
    /// Whether the hint about refused lines was shown.
    is_told: bool,
    /// The last game whose outcome was shown.
    pub(super) told: i64,
    /// A policy failed: a person plays for it until a line is accepted.
    pub(super) failed: bool,
}

impl<'g, 's> Table<'g, 's> {
    pub(super) fn new(
        session: Session<'g>,
        views: Views<'g>,
        record: Option<Record>,
        seating: Seating,
        screen: &'s Screen,
        at_terminal: bool,
    ) -> Table<'g, 's> {
        Table {
            session,
            views,
            asking: None,
            record,
            seating,
            screen,
            at_terminal,
            origins: Vec::new(),
            refused: None,
            detail: Detail::Sentences,
            is_told: false,
            told: 0,
            failed: false,
        }
    }

    /// Replays the transcript that the file already has.
    pub(super) fn resume(&mut self) -> Result<()> {
        if !self.views.differ() {
            output::write(self.session.report())?;
        }
        let Some(record) = &mut self.record else {
            return Ok(());
        };
        let text = record.read()?;
        let mut lines = text.split_inclusive('\n').peekable();
        let (mut report, mut half) = (String::new(), None);
        while let Some(line) = lines.next() {
            match self.session.feed(line) {
                Ok(said) => report.push_str(&said),
                // An interrupted session may have left half a line.
                Err(_) if lines.peek().is_none() && !line.ends_with('\n') => half = Some(line),
                Err(refusal) => {
                    if !self.views.differ() {
                        output::write(report)?;
                    }
                    return Err(Error::Failure(refusal.failure));
                }
            }
        }
        self.origins = vec![Origin::Typed; self.session.steps()];
        if !self.views.differ() {
            output::write(report)?;
        }
        if let Some(half) = half {
            self.say(&format!(
                "note: the last line of the file, `{half}`, is not complete and is left out"
            ));
            record_of(&mut self.record, self.session.transcript(), true)?;
        }
        record_of(&mut self.record, self.session.transcript(), false)?;
        self.show_outcome();
        Ok(())
    }

    /// Shows an introduction if a person sits at a terminal.
    pub(super) fn welcome(&mut self, title: &str) -> Result<()> {
        if !self.at_terminal {
            return Ok(());
        }
        let mut text = format!("{title}. `?` shows what may come, `help` the other commands.");
        if let Some(record) = &self.record {
            let kept = format!("\nEach line is kept in {}.", record.path().display());
            text.push_str(&kept);
        }
        self.say(&text);
        self.show_state()
    }

    /// The game as the current viewer sees it.
    pub(super) fn seen(&mut self) -> Result<&mut Session<'g>> {
        if self.views.differ() {
            return self.views.session(self.session.transcript());
        }
        Ok(&mut self.session)
    }

    /// Switches to the view of the seat whose move it is, if that is a person, and shows what it has not been shown
    /// yet. If several seats may move next, or none, only what everyone sees is shown.
    pub(super) fn look(&mut self) -> Result<()> {
        if !self.views.differ() {
            return Ok(());
        }
        if self.asking.is_some() {
            return self.show_to(self.asking);
        }
        let whose = match self.session.stage() {
            Stage::Playing => self.seating.whose(&mut self.session),
            Stage::Between | Stage::Complete => None,
        };
        let seat = whose.and_then(|whose| self.session.seat(&whose));
        let seat = seat.or_else(|| {
            let only = self.seating.only_person(&mut self.session)?;
            self.session.seat(&only)
        });
        self.show_to(seat)
    }

    /// Switches to the view of a seat that asks for it.
    pub(super) fn ask_for(&mut self, seat: usize, name: &str) -> Result<()> {
        if !self.views.differ() {
            self.say(ALL_SEEN);
            return Ok(());
        }
        if let Some(who) = self.seating.sat_by(name).filter(|_| !self.failed) {
            self.say(&format!(
                "`{who}` plays for {name}: you cannot look as {name}"
            ));
            return Ok(());
        }
        self.asking = Some(seat);
        self.show_to(self.asking)
    }

    /// Switches the view to a seat.
    fn show_to(&mut self, seat: Option<usize>) -> Result<()> {
        if self.views.turn_to(seat) && self.at_terminal {
            // Scrolls away what the previous viewer saw.
            self.say(&"\n".repeat(BLANK));
        }
        let unread = self.views.unread(self.session.transcript())?;
        output::write(unread)?;
        self.show_state()
    }

    /// Whether it is the current viewer's move.
    pub(super) fn is_own_move(&mut self) -> bool {
        if !self.views.differ() {
            return true;
        }
        let seats = self.seating.seats(&mut self.session);
        seats.iter().any(|name| self.looks(name))
    }

    /// Whether the seat of this name is the current viewer.
    pub(super) fn looks(&mut self, name: &str) -> bool {
        let seat = self.session.seat(name);
        seat.is_some_and(|seat| self.views.looks(seat))
    }

    /// Says that a line is another seat's choice. Accepting or refusing it would reveal what only that seat knows.
    pub(super) fn is_of_another(&mut self, line: &str) -> bool {
        if !self.views.differ() {
            return false;
        }
        let decider = self.session.decider_of(line);
        self.is_choice_of_another(decider)
    }

    /// The message if `as NAME` names no seat, unless the line could be one of the game.
    fn unknown_seat(&mut self, line: &str) -> Option<String> {
        let name = line.strip_prefix("as ")?.trim();
        let expected = self.session.expected().unwrap_or_default();
        let mut expected = expected.iter();
        if self.session.stage() != Stage::Playing
            || expected.any(|one| one.written.starts_with("as "))
        {
            return None;
        }
        if !self.views.differ() {
            return Some(ALL_SEEN.to_string());
        }
        let seats = self.session.seats();
        let known = alternatives(&seats);
        (!seats.is_empty()).then(|| format!("no seat is called `{name}`: there is {known}"))
    }

    /// Shows a message that is no report.
    pub(super) fn say(&self, text: &str) {
        self.screen.say(&masked(text));
    }

    /// Plays a line. Returns whether to read another one.
    pub(super) fn take(&mut self, line: &str) -> Result<bool> {
        if line.trim().is_empty() {
            return Ok(true);
        }
        if let Some(goes_on) = self.command(line)? {
            return Ok(goes_on);
        }
        if self.is_of_another(line) {
            return Ok(true);
        }
        let drawn = self.seating.drawn(&mut self.session, line);
        let fed = match &drawn {
            Some(whole) => self.session.feed(whole),
            None => self.session.feed(line),
        };
        match fed {
            Ok(said) => {
                if let Some(whole) = &drawn {
                    self.say_drawn(whole);
                }
                self.accepted(&said, Origin::Typed)?;
            }
            Err(refusal) => {
                if let Some(wrong) = self.unknown_seat(line) {
                    self.say(&wrong);
                    return Ok(true);
                }
                let refusal = if self.views.differ() {
                    self.seen()?.feed(line).err().unwrap_or(refusal)
                } else {
                    refusal
                };
                self.screen.say(&refusal.failure.draw(self.screen.colour));
                if !std::mem::replace(&mut self.is_told, true) {
                    self.say(
                        "nothing has changed: `?` shows what may come, `why` more about this line",
                    );
                }
                self.refused = Some(line.to_string());
            }
        }
        Ok(true)
    }

    /// Shows the report of an accepted line, and saves the line.
    fn accepted(&mut self, said: &str, origin: Origin) -> Result<()> {
        record_of(&mut self.record, self.session.transcript(), false)?;
        self.origins.resize(self.session.steps(), origin);
        (self.refused, self.failed, self.asking) = (None, false, None);
        if self.views.differ() {
            // The next viewer will be shown the report.
            self.show_outcome();
            return Ok(());
        }
        output::write(said)?;
        if self.at_terminal && !said.is_empty() && !said.ends_with('\n') {
            // The next input starts a new line.
            self.say("");
        }
        // The outcome of a game comes before the start of the next.
        self.show_outcome();
        self.show_state()
    }

    /// Shows the outcome when a game is over.
    fn show_outcome(&mut self) {
        let over = self.session.over();
        if over > self.told {
            let outcome = self.session.outcome();
            if !outcome.is_empty() {
                self.say(&Outcome::describe_all(&outcome));
            }
        }
        self.told = over;
    }

    /// Shows what chance drew, at a terminal and if nothing in the game is hidden.
    fn say_drawn(&self, line: &str) {
        if self.at_terminal && !self.views.differ() {
            self.say(&format!("chance: {line}"));
        }
    }

    /// Plays for seats without a person, as long as it is their move, and lets chance draw what is due before a game.
    pub(super) fn play_unasked(&mut self) -> Result<()> {
        // There may be no end of what chance draws.
        for _ in 0..MOST_DRAWN {
            let drawn = self.seating.drawn(&mut self.session, "");
            let fed = drawn.map(|line| (self.session.feed(&line), line));
            // What the rules find wrong with it, a person has to enter.
            let Some((Ok(said), line)) = fed else {
                break;
            };
            self.say_drawn(&line);
            self.accepted(&said, Origin::Chance)?;
        }
        let mut idle = 0;
        while !self.failed
            && let Some(chosen) = self.seating.choose(&mut self.session)?
        {
            let Chosen {
                whose,
                words,
                origin,
                by_lot,
            } = chosen;
            let before = self.session.states();
            let fed = match words {
                Ok(words) => {
                    if self.at_terminal && self.views.tell_moves() {
                        self.say(&format!("{whose}: {words}"));
                    }
                    self.session.feed(&words).map_err(|refusal| refusal.failure)
                }
                Err(failure) => Err(failure),
            };
            match fed {
                Ok(said) => {
                    self.accepted(&said, origin)?;
                    let goes_on = self.session.stage() == Stage::Playing;
                    let is_same = self.session.states() == before;
                    let is_idle = goes_on && is_same && !self.session.changes_unwritten();
                    idle = if is_idle { idle + 1 } else { 0 };
                    // Another draw may change something; a policy would choose the same again.
                    if is_idle && (!by_lot || idle >= MOST_DRAWN) {
                        self.say(&format!(
                            "what plays for {whose} changes nothing: play yourself"
                        ));
                        self.failed = true;
                    }
                }
                Err(failure) => {
                    // The table made no mistake: there are too many moves to list.
                    match failure.report().map(|report| &report.diagnostic) {
                        Some(found) if found.code == Code::PolicyChoice => {
                            self.say(&found.message);
                        }
                        _ => self.screen.say(&failure.draw(self.screen.colour)),
                    }
                    self.say(&format!("nobody can play for {whose} here: play yourself"));
                    self.failed = true;
                }
            }
        }
        Ok(())
    }

    /// Shows pictures and short states.
    pub(super) fn show_state(&mut self) -> Result<()> {
        if !self.at_terminal || self.session.stage() != Stage::Playing {
            return Ok(());
        }
        let (mut text, mut short) = (String::new(), Vec::new());
        for (name, value) in self.seen()?.states() {
            if value.contains('\n') {
                text.push_str(&value);
                text.push('\n');
            } else if !value.is_empty() && value.chars().count() <= SHORT {
                short.push(format!("{name} {value}"));
            }
        }
        text.push_str(&short.join(", "));
        self.say(&text);
        Ok(())
    }

    /// The prompt for the next line.
    pub(super) fn prompt(&mut self) -> String {
        let open = self.session.open();
        let open = match open.as_str() {
            "" => String::new(),
            open => format!(" (after `{open}`)"),
        };
        let asked = match self.session.stage() {
            Stage::Complete => "over".to_string(),
            Stage::Playing => self.seating.whose(&mut self.session).unwrap_or_default(),
            Stage::Between => {
                let expected = self.session.expected().unwrap_or_default();
                let asked: Vec<String> = expected.iter().map(asked_for).collect();
                asked.join(" or ")
            }
        };
        masked(&format!("{asked}{open}> ")).into_owned()
    }

    /// Completions of a line.
    pub(super) fn completions(&mut self, line: &str) -> Vec<String> {
        let seen = self.seen().map(|session| session.completions(line));
        let mut found = seen.unwrap_or_default();
        if !line.is_empty() {
            let commands = COMMANDS.iter().filter(|command| command.starts_with(line));
            found.extend(commands.map(ToString::to_string));
        }
        found
    }

    /// Says where the transcript is saved.
    pub(super) fn leave(&self) {
        if let (true, Some(record)) = (self.at_terminal, &self.record) {
            self.say(&format!(
                "The transcript is in {}.",
                record.path().display()
            ));
        }
    }
}

/// The prompt for something expected: its literal words, or else the names of its holes.
fn asked_for(expected: &Expected) -> String {
    let names: Vec<&str> = expected
        .holes
        .iter()
        .map(|hole| hole.name.as_str())
        .collect();
    let words = expected
        .written
        .split('<')
        .all(|part| match part.rsplit_once('>') {
            Some((_, after)) => after.trim().is_empty(),
            None => part.is_empty(),
        });
    if words && !names.is_empty() {
        names.join(", ")
    } else {
        expected.written.clone()
    }
}
