//! A game in progress: it is fed line by line, and can be undone.

use std::fmt;

use super::{Decider, Expected, Game, Moves, Outcome};
use crate::{
    code::Transcript,
    diagnostic::{Code, Colour, Diagnostic},
    explanation::{self, Explanation},
    failure::{self, Failure, Report},
    program,
    source::Span,
    stack,
    transcript::{MoveSearch, Run, Snapshot, Stopped},
    types::Type,
};

/// A transcript in progress. Each line is either accepted, or refused without changing anything, and can be undone.
/// Neither takes longer as the transcript grows.
///
/// ```
/// use referee::{game::{Game, Stage}, library::Library};
///
/// let game = Game::load(&Library::shipped(), "nim", &[])?;
/// let mut session = game.session(None, "at the table")?;
/// session.feed("1")?;
/// session.feed("Ann Ben")?;
/// assert_eq!(session.stage(), Stage::Between);
/// let refusal = session.feed("three heaps").unwrap_err();
/// assert!(refusal.to_string().contains("unexpected `three`"));
/// assert_eq!(session.transcript(), "1\nAnn Ben\n");
/// assert_eq!(session.undo().as_deref(), Some("Ann Ben\n"));
/// assert_eq!(session.transcript(), "1\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Session<'g> {
    pub(super) game: &'g Game,
    /// The form of its transcript.
    form: Option<String>,
    /// What messages call the transcript.
    name: String,
    run: Run<'g, 'g>,
    text: String,
    /// The number of lines of the transcript.
    lines: usize,
    report: String,
    steps: Vec<Step<'g>>,
    ended: bool,
}

/// A state to which undoing returns.
struct Step<'g> {
    snapshot: Snapshot<'g>,
    /// The lengths of the transcript and the report, in bytes.
    text: usize,
    lines: usize,
    report: usize,
}

/// Why lines were refused.
#[derive(Debug)]
pub struct Refusal {
    /// What is wrong.
    pub failure: Failure,
    /// The report on what preceded the mistake in these lines; empty if they are a single event.
    pub report: String,
}

/// The stage of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// No game is under way, and something is expected before the next one.
    Between,
    /// A game is under way.
    Playing,
    /// Nothing more is expected.
    Complete,
}

impl fmt::Display for Refusal {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.failure.draw(Colour::Never))
    }
}

impl std::error::Error for Refusal {}

impl fmt::Debug for Session<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Session")
            .field("game", &self.game.name())
            .field("text", &self.text)
            .field("report", &self.report)
            .finish_non_exhaustive()
    }
}

impl Game {
    /// The names of its policies, in the order of the rule file.
    #[must_use]
    pub fn policies(&self) -> Vec<&str> {
        let policies = self.program.policies.iter();
        policies.map(|policy| policy.name.as_str()).collect()
    }

    /// The name of the first state whose value is a member of a kind. In most games it says whose move it is.
    #[must_use]
    pub fn first_state_of_a_kind(&self) -> Option<&str> {
        let mut states = self.program.states.iter();
        let of_a_kind = states.find(|state| match &state.ty {
            Type::Member(_) => true,
            Type::Product(id) => self.program.types.product(*id).grid.is_none(),
            _ => false,
        });
        of_a_kind.map(|state| state.name.as_str())
    }

    /// Whether the rules say who decides any of the events.
    #[must_use]
    pub fn has_deciders(&self) -> bool {
        let mut events = self.program.events.iter();
        events.any(|event| !matches!(event.by, program::Decider::Referee))
    }

    fn policy(&self, name: &str) -> Result<usize, Failure> {
        let known = self.policies().iter().position(|policy| *policy == name);
        known.ok_or_else(|| {
            let message = format!("`{}` has no policy called `{name}`", self.program.name);
            let diagnostic = Diagnostic::error(Code::UnknownName, self.first_place(), message)
                .did_you_mean(name, self.policies().iter().copied());
            Failure::NoName(Report::new(self.sources.clone(), diagnostic))
        })
    }

    /// The failure if a chosen event cannot be written in the transcript.
    fn no_words(&self, by: &str) -> Failure {
        let message = format!("`{by}` chose what the transcript has no words for");
        let diagnostic = Diagnostic::error(Code::PolicyChoice, self.first_place(), message);
        Failure::Transcript(Report::new(self.sources.clone(), diagnostic))
    }

    /// The place for messages that are about no particular rule.
    pub(super) fn first_place(&self) -> Span {
        self.program.transcripts[0].span.head()
    }

    /// Starts a transcript, which messages call `name`, in a form of the rule file; `None` for the default.
    ///
    /// # Errors
    /// If there is no such form, or what comes before the first word fails.
    pub fn session(&self, form: Option<&str>, name: &str) -> Result<Session<'_>, Failure> {
        let transcript: &Transcript = self.transcript(form)?;
        let mut session = Session {
            game: self,
            form: form.map(str::to_string),
            name: name.to_string(),
            run: Run::fed(&self.compiled, transcript).seeded(self.seed),
            text: String::new(),
            lines: 0,
            report: String::new(),
            steps: Vec::new(),
            ended: false,
        };
        let begun = stack::with_room(self.program.depth, || session.run.feed(b""));
        begun.map_err(|stopped| session.failure(*stopped))?;
        session.report = session.run.take_said();
        Ok(session)
    }
}

impl<'g> Session<'g> {
    /// Feeds one or more lines, and returns the report on them. Blank lines and questions (`#?`) are kept, but have no
    /// effect.
    ///
    /// # Errors
    /// Why they are refused. Nothing changes then, even if only the last of several lines is wrong.
    pub fn feed(&mut self, lines: &str) -> Result<String, Box<Refusal>> {
        let end = if lines.ends_with('\n') { "" } else { "\n" };
        let lines = format!("{lines}{end}");
        self.feed_part(lines.as_bytes())
    }

    /// Feeds whole lines or, if the transcript is by words, also part of a line that ends in a blank.
    pub(super) fn feed_part(&mut self, text: &[u8]) -> Result<String, Box<Refusal>> {
        let lossy = String::from_utf8_lossy(text);
        self.step(&lossy, |run| run.feed(text))
    }

    /// Reads the waiting words as if no more came, unless they are refused or would end the transcript.
    pub(super) fn read_open_words(&mut self) {
        if self.step("", Run::read_open_words).is_ok() && self.stage() == Stage::Complete {
            self.undo();
        }
    }

    /// Frees what undoing would need, unless words are waiting for others.
    pub(super) fn settle(&mut self) {
        if self.run.words_open().is_empty() {
            self.steps.clear();
            self.run.machine.forget_past();
        }
    }

    /// Ends the transcript, and returns the report on that. Feeding more reverts it.
    ///
    /// # Errors
    /// What is still expected. Nothing changes then.
    pub fn end(&mut self) -> Result<String, Box<Refusal>> {
        let said = self.step("", Run::end)?;
        self.ended = true;
        Ok(said)
    }

    fn step(
        &mut self,
        lines: &str,
        go: impl FnOnce(&mut Run<'g, 'g>) -> Result<(), Box<Stopped>>,
    ) -> Result<String, Box<Refusal>> {
        let had_ended = self.ended;
        if had_ended {
            self.undo();
        }
        let snapshot = self.run.snapshot();
        let run = &mut self.run;
        let gone = stack::with_room(self.game.program.depth, || go(run));
        let said = self.run.take_said();
        if let Err(stopped) = gone {
            self.go_back(snapshot, (self.text.len(), self.lines));
            let failure = self.failure(*stopped);
            let report = said;
            if had_ended {
                self.end()?;
            }
            return Err(Box::new(Refusal { failure, report }));
        }
        self.steps.push(Step {
            snapshot,
            text: self.text.len(),
            lines: self.lines,
            report: self.report.len(),
        });
        self.text.push_str(lines);
        self.lines += memchr::memchr_iter(b'\n', lines.as_bytes()).count();
        self.report.push_str(&said);
        Ok(said)
    }

    /// Undoes what was fed last. Returns its lines; `None` if there is nothing to undo.
    pub fn undo(&mut self) -> Option<String> {
        let step = self.steps.pop()?;
        self.lines = step.lines;
        self.go_back(step.snapshot, (step.text, step.lines));
        self.report.truncate(step.report);
        self.ended = false;
        Some(self.text.split_off(step.text))
    }

    /// Returns to a snapshot that was taken when the transcript had this many bytes and lines.
    fn go_back(&mut self, snapshot: Snapshot<'g>, (text, lines): (usize, usize)) {
        let text = self.text.as_bytes().get(..text).unwrap_or_default();
        let back = (lines + 1).saturating_sub(snapshot.line());
        let before = memchr::memrchr_iter(b'\n', text).nth(back);
        let from = before.map_or(0, |end| end + 1);
        self.run.go_back(snapshot, &text[from..]);
    }

    /// Whether the transcript was ended with [`Session::end`] and nothing has been fed since.
    #[must_use]
    pub fn has_ended(&self) -> bool {
        self.ended
    }

    /// How often [`Session::undo`] has something to undo.
    #[must_use]
    pub fn steps(&self) -> usize {
        self.steps.len()
    }

    /// The transcript so far. [`Game::run`] reports the same on it.
    #[must_use]
    pub fn transcript(&self) -> &str {
        &self.text
    }

    /// The report so far.
    #[must_use]
    pub fn report(&self) -> &str {
        &self.report
    }

    /// The current stage.
    #[must_use]
    pub fn stage(&self) -> Stage {
        let (in_game, _) = self.run.games();
        if self.run.is_complete() {
            Stage::Complete
        } else if in_game {
            Stage::Playing
        } else {
            Stage::Between
        }
    }

    /// The number of games that have begun.
    #[must_use]
    pub fn games(&self) -> i64 {
        self.run.games().1
    }

    /// The words that wait for more; empty unless a line ends in the middle of an event.
    #[must_use]
    pub fn open(&self) -> String {
        self.run.words_open()
    }

    /// The current value of each state, by name and as text: a map on a grid is a picture of several lines. Empty if no
    /// game has begun.
    pub fn states(&mut self) -> Vec<(String, String)> {
        if self.games() == 0 {
            return Vec::new();
        }
        self.aside(|run| run.machine.states_written())
    }

    /// Whether the last step changed a state that [`Session::states`] leaves out.
    #[must_use]
    pub fn changes_unwritten(&self) -> bool {
        !self.steps.is_empty() && self.run.machine.differs_unwritten()
    }

    /// The event that a policy would choose next, as the transcript writes it; without a name, one drawn from all that
    /// are possible. The same seed draws the same at the same place.
    ///
    /// # Errors
    /// If no game is under way whose events are read, there is no such policy, it chooses nothing or something that
    /// cannot be written, or nothing is possible.
    pub fn choose(&mut self, policy: Option<&str>, seed: u64) -> Result<String, Failure> {
        let known = match policy {
            None => None,
            Some(name) => Some(self.game.policy(name)?),
        };
        self.chosen(known, seed, None, policy.unwrap_or("random"))
    }

    /// An event drawn from all that one decider has now, as the transcript writes it; chance draws by weight. The same
    /// seed draws the same at the same place.
    ///
    /// # Errors
    /// As [`Session::choose`].
    pub fn draw(&mut self, by: &Decider, seed: u64) -> Result<String, Failure> {
        self.chosen(None, seed, Some(by), "random")
    }

    /// A line with what chance draws where the line ends: nothing unless the rules leave all that is still to be read
    /// before a game to chance. The same seed draws the same at the same place.
    pub fn drawn(&mut self, line: &str, seed: u64) -> Option<String> {
        let seed = seed.wrapping_add(self.steps.len() as u64);
        let line = line.trim_end();
        let rest = self.aside(|run| run.drawn_rest(line, seed))?;
        Some(format!("{line} {rest}").trim_start().to_string())
    }

    fn chosen(
        &mut self,
        policy: Option<usize>,
        seed: u64,
        by: Option<&Decider>,
        name: &str,
    ) -> Result<String, Failure> {
        let seed = seed.wrapping_add(self.steps.len() as u64);
        let by = by.map(Decider::to_decides);
        let chosen = self.aside(|run| run.choose_here(policy, seed, by.as_ref()));
        let chosen = chosen.map_err(|stopped| self.failure(*stopped))?;
        chosen.ok_or_else(|| self.game.no_words(name))
    }

    /// Who decides the next event, in the order of the transcript's rows; empty if no game is under way whose events
    /// are read.
    ///
    /// # Errors
    /// If a rule about this cannot be evaluated.
    pub fn deciders(&mut self) -> Result<Vec<Decider>, Failure> {
        let deciders = self.aside(Run::deciders_here);
        let deciders = deciders.map_err(|stopped| self.failure(*stopped))?;
        Ok(deciders.iter().map(Decider::of).collect())
    }

    /// Who decides the event that a line stands for; `None` if no event is read, or not this one.
    pub fn decider_of(&mut self, line: &str) -> Option<Decider> {
        let line = format!("{}\n", line.trim_end_matches('\n'));
        let decides = self.aside(|run| run.decider_of(line.as_bytes()));
        decides.as_ref().map(Decider::of)
    }

    /// The event that a line stands for, if it may happen next.
    pub(super) fn may_come(&mut self, line: &str) -> Option<&'g str> {
        let line = format!("{line}\n");
        let event = self.aside(|run| run.event_that_may_come(line.as_bytes()))?;
        Some(&self.game.compiled.events[event].name)
    }

    /// The number of the last complete game; 0 if there is none.
    #[must_use]
    pub fn over(&self) -> i64 {
        self.run.ending().map_or(0, |ending| ending.game)
    }

    /// The outcome of the last complete game for each seat; empty if there is none or its rules define no outcome.
    #[must_use]
    pub fn outcome(&self) -> Vec<Outcome> {
        let ending = self.run.ending();
        ending.map_or(Vec::new(), |ending| Outcome::all(&ending.outcome))
    }

    /// The state of the game in one line, as messages show it; `None` if no game has begun.
    pub fn state(&mut self) -> Option<String> {
        if self.games() == 0 {
            return None;
        }
        Some(self.aside(|run| run.machine.state_line()))
    }

    /// What is expected next, starting with what is possible now. Empty if a line is incomplete or nothing more is
    /// expected.
    ///
    /// # Errors
    /// If a rule about whether an event is possible cannot be evaluated.
    pub fn expected(&mut self) -> Result<Vec<Expected>, Failure> {
        let due = self.aside(Run::what_is_due);
        let due = due.map_err(|stopped| self.failure(*stopped))?;
        let mut expected: Vec<Expected> = Vec::new();
        for due in due {
            let one = self.game.expected(&due);
            if !expected.contains(&one) {
                expected.push(one);
            }
        }
        expected.sort_by_key(|expected| expected.untimely.is_some());
        Ok(expected)
    }

    /// The possible events: of these names, or all if there are none; with `illegal`, also those that may not happen.
    ///
    /// # Errors
    /// If there is no such event, no game is under way whose events are read, an event is incomplete, or the search
    /// takes too much work.
    pub fn moves(&mut self, events: &[String], illegal: bool) -> Result<Moves, Failure> {
        self.game.check_event_names(events)?;
        let line = None;
        let asked = MoveSearch {
            line,
            events,
            illegal,
        };
        let all = self.aside(|run| run.moves_here(asked));
        let all = all.map_err(|stopped| self.failure(*stopped))?;
        Ok(self.game.to_moves(&all))
    }

    /// Explains the events on a line of the transcript, by default the last one. This runs the transcript again.
    ///
    /// # Errors
    /// If nothing is read from that line, or nothing has the name in question.
    pub fn why(&self, query: &explanation::Query) -> Result<Explanation, Failure> {
        self.explain_line(query, &self.text)
    }

    /// Explains what a line would do if it came next, or why it would be refused. This runs the transcript again.
    ///
    /// # Errors
    /// As [`Session::why`].
    pub fn why_next(&self, line: &str, query: &explanation::Query) -> Result<Explanation, Failure> {
        self.explain_line(query, &format!("{}{line}\n", self.text))
    }

    fn explain_line(&self, query: &explanation::Query, text: &str) -> Result<Explanation, Failure> {
        let form = self.form.clone();
        let query = explanation::Query {
            form,
            ..query.clone()
        };
        self.game.explain(&query, &self.name, text.as_bytes())
    }

    /// Calls `action` with the run, and restores the run afterwards.
    pub(super) fn aside<T>(&mut self, action: impl FnOnce(&mut Run<'g, 'g>) -> T) -> T {
        let snapshot = self.run.snapshot();
        let run = &mut self.run;
        let answer = stack::with_room(self.game.program.depth, || action(run));
        self.go_back(snapshot, (self.text.len(), self.lines));
        answer
    }

    fn failure(&self, stopped: Stopped) -> Failure {
        let game = self.game;
        failure::from_stopped(stopped, &game.compiled, &game.sources, &self.name)
    }
}
