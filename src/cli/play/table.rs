//! The table: what was done, and what is asked for next.

use referee::{
    diagnostic::{Code, alternatives, masked},
    game::{Decider, Expected, Outcome, Session, Stage},
};

use super::{
    super::{
        error::{Error, Result},
        output,
        screen::Screen,
    },
    commands::{COMMANDS, Detail},
    record::{Record, record_of},
    seating::{Chosen, Seating},
    views::Views,
};

/// How many lines in a row chance may draw before somebody is asked.
const MOST_DRAWN: usize = 64;

/// How long a state may be that is shown after each event without being asked for, where it is no picture.
const SHORT: usize = 60;

/// How many empty lines part what one seat saw from what another one sees.
const BLANK: usize = 60;

/// What looking as somebody says where nothing is hidden.
const ALL_SEEN: &str = "everyone sees everything in this game";

/// A game at the table.
pub(super) struct Table<'g, 's> {
    /// The game as the referee sees it.
    pub(super) session: Session<'g>,
    /// The game as those who play see it.
    views: Views<'g>,
    /// The seat that asked to look, until something is accepted.
    asking: Option<usize>,
    pub(super) record: Option<Record>,
    seating: Seating,
    pub(super) screen: &'s Screen,
    at_terminal: bool,
    /// For each step of the session, whether nobody typed it.
    unasked: Vec<bool>,
    /// The line that was refused last, if nothing was accepted since.
    pub(super) refused: Option<String>,
    /// How much the answer to a question tells.
    pub(super) detail: Detail,
    /// Whether it was told what to do about a line that is refused.
    is_told: bool,
    /// The last game of which it was told what came of it.
    told: i64,
    /// A seat that failed: a person plays for it until something is accepted.
    failed: bool,
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
            unasked: Vec::new(),
            refused: None,
            detail: Detail::Sentences,
            is_told: false,
            told: 0,
            failed: false,
        }
    }

    /// Plays what the file says already.
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
                // Whoever was interrupted may have written half of it.
                Err(_) if lines.peek().is_none() && !line.ends_with('\n') => half = Some(line),
                Err(refusal) => {
                    if !self.views.differ() {
                        output::write(report)?;
                    }
                    return Err(Error::Failure(refusal.failure));
                }
            }
        }
        self.unasked = vec![false; self.session.steps()];
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

    /// Says what this is, to whoever sits at a terminal.
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

    /// The game as whoever looks sees it.
    pub(super) fn seen(&mut self) -> Result<&mut Session<'g>> {
        if self.views.differ() {
            return self.views.session(self.session.transcript());
        }
        Ok(&mut self.session)
    }

    /// Lets the one look whose move it is, if that is a person, and reports what that seat was not told yet. Where several
    /// may come next, or nobody who plays, only what everyone sees is shown.
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

    /// Lets a seat look that asks for it.
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

    /// Lets a seat look.
    fn show_to(&mut self, seat: Option<usize>) -> Result<()> {
        if self.views.turn_to(seat) && self.at_terminal {
            // What another one saw is gone from the screen.
            self.say(&"\n".repeat(BLANK));
        }
        let unread = self.views.unread(self.session.transcript())?;
        output::write(unread)?;
        self.show_state()
    }

    /// Whether it is the move of the one who looks.
    pub(super) fn is_own_move(&mut self) -> bool {
        if !self.views.differ() {
            return true;
        }
        let seats = self.seating.seats(&mut self.session);
        seats.iter().any(|name| self.looks(name))
    }

    /// Whether the seat of this name looks.
    fn looks(&mut self, name: &str) -> bool {
        let seat = self.session.seat(name);
        seat.is_some_and(|seat| self.views.looks(seat))
    }

    /// Says whose choice a line is, if another seat looks: accepting or refusing it would tell what only its own seat knows.
    pub(super) fn is_of_another(&mut self, line: &str) -> bool {
        if !self.views.differ() {
            return false;
        }
        match self.session.decider_of(line) {
            Some(Decider::Seat(name)) if !self.looks(&name) => {
                self.say(&format!("only {name} may do that: type `as {name}` first"));
                true
            }
            _ => false,
        }
    }

    /// What is wrong with a line that asks to look as somebody who is no seat, unless lines of the game begin like it.
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

    /// Says what is no report.
    pub(super) fn say(&self, text: &str) {
        self.screen.say(&masked(text));
    }

    /// Takes a line; says whether there is to be another.
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
                self.accepted(&said, false)?;
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

    /// Writes out what came of a line, and keeps the line.
    fn accepted(&mut self, said: &str, unasked: bool) -> Result<()> {
        record_of(&mut self.record, self.session.transcript(), false)?;
        self.unasked.resize(self.session.steps(), unasked);
        (self.refused, self.failed, self.asking) = (None, false, None);
        if self.views.differ() {
            // It is told to whoever looks next.
            self.show_outcome();
            return Ok(());
        }
        output::write(said)?;
        if self.at_terminal && !said.is_empty() && !said.ends_with('\n') {
            // What is typed next begins a line.
            self.say("");
        }
        // What is over comes before what begins.
        self.show_outcome();
        self.show_state()
    }

    /// Says what each seat has, where a game is over.
    fn show_outcome(&mut self) {
        let over = self.session.over();
        if over > self.told {
            let outcome = self.session.outcome();
            if !outcome.is_empty() {
                self.say(&Outcome::told(&outcome));
            }
        }
        self.told = over;
    }

    /// Shows at a terminal what chance drew, unless the game has secrets.
    fn say_drawn(&self, line: &str) {
        if self.at_terminal && !self.views.differ() {
            self.say(&format!("chance: {line}"));
        }
    }

    /// Lets those play who are no people, as long as it is their move, and chance draw what is due before a game.
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
            self.accepted(&said, true)?;
        }
        while !self.failed
            && let Some(Chosen { whose, words }) = self.seating.choose(&mut self.session)?
        {
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
                    self.accepted(&said, true)?;
                    let goes_on = self.session.stage() == Stage::Playing;
                    let is_same = self.session.states() == before;
                    if goes_on && is_same && !self.session.changes_unwritten() {
                        self.say(&format!(
                            "what plays for {whose} changes nothing: play yourself"
                        ));
                        self.failed = true;
                    }
                }
                Err(failure) => {
                    // Nobody did anything wrong: there is too much to list.
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

    /// Takes back what was typed last, and what was done after it without being asked.
    pub(super) fn undo(&mut self) -> Result<()> {
        let (mut first, mut count) = (None, 0);
        while let Some(gone) = self.session.undo() {
            first = Some(gone);
            count += 1;
            if self.unasked.pop() != Some(true) {
                break;
            }
        }
        let Some(first) = first else {
            self.say("there is nothing to take back");
            return Ok(());
        };
        (self.failed, self.asking) = (false, None);
        self.told = self.session.over();
        self.refused = None;
        record_of(&mut self.record, self.session.transcript(), true)?;
        let followed = if count > 1 {
            " and what followed it"
        } else {
            ""
        };
        // What was typed may be a secret.
        let line = if self.views.differ() {
            "the last line that was typed".to_string()
        } else {
            format!("`{}`", first.trim_end())
        };
        self.say(&format!("took back {line}{followed}"));
        if self.views.differ() {
            return Ok(());
        }
        self.show_state()
    }

    /// Shows pictures of grids, and what else is short.
    fn show_state(&mut self) -> Result<()> {
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

    /// What a line is asked for with.
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

    /// What a line may become that begins so.
    pub(super) fn completions(&mut self, line: &str) -> Vec<String> {
        let seen = self.seen().map(|session| session.completions(line));
        let mut found = seen.unwrap_or_default();
        if !line.is_empty() {
            let commands = COMMANDS.iter().filter(|command| command.starts_with(line));
            found.extend(commands.map(ToString::to_string));
        }
        found
    }

    /// Says where the transcript is, to whoever leaves.
    pub(super) fn leave(&self) {
        if let (true, Some(record)) = (self.at_terminal, &self.record) {
            self.say(&format!(
                "The transcript is in {}.",
                record.path().display()
            ));
        }
    }
}

/// What is asked for: the names of what is to be put in, unless there are words as well.
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
