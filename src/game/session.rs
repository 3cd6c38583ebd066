//! A game at the table: fed line by line, and taken back.

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
    transcript::{Asked, Run, Snapshot, Stopped},
    types::Type,
};

/// A transcript under way: each line is understood when it comes, or refused and then changes nothing, and can be taken
/// back. What a line costs does not depend on how many came before, nor does what it costs to take one back.
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
    game: &'g Game,
    /// The form of its transcript.
    form: Option<String>,
    /// What messages call the transcript.
    name: String,
    run: Run<'g, 'g>,
    text: String,
    /// How many lines that is.
    lines: usize,
    report: String,
    steps: Vec<Step<'g>>,
    ended: bool,
}

/// Where a session was before something was fed.
struct Step<'g> {
    snapshot: Snapshot<'g>,
    /// How long the transcript and the report were.
    text: usize,
    lines: usize,
    report: usize,
}

/// Why lines are refused.
#[derive(Debug)]
pub struct Refusal {
    /// What is wrong.
    pub failure: Failure,
    /// What was said of what came before it on these lines: nothing where they are one event.
    pub report: String,
}

/// How a session stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// No game is under way, and more is due before one is.
    Between,
    /// A game is under way.
    Playing,
    /// Nothing more is due: all that the transcript announced has come.
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

    /// The name of its first state whose value is one of a kind: in most games it says whose move it is.
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

    /// Whether the rules say of any event who decides it.
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

    /// That an event was chosen which no row of the transcript can write.
    fn no_words(&self, by: &str) -> Failure {
        let message = format!("`{by}` chose what the transcript has no words for");
        let diagnostic = Diagnostic::error(Code::PolicyChoice, self.first_place(), message);
        Failure::Transcript(Report::new(self.sources.clone(), diagnostic))
    }

    /// Where messages point that are about no place of the rules.
    pub(super) fn first_place(&self) -> Span {
        self.program.transcripts[0].span.head()
    }

    /// Begins a transcript, which messages call `name`, of a form of the rule file's; of the default where that is
    /// nothing.
    ///
    /// # Errors
    /// There is no such form, or what comes before the first word goes wrong.
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
    /// Takes the next line of the transcript, or several; gives what is reported on it. Blank lines, and lines that
    /// begin with `#?`, mean nothing and are kept.
    ///
    /// # Errors
    /// Why it is refused: then nothing has changed, also where several lines came and only the last is wrong.
    pub fn feed(&mut self, lines: &str) -> Result<String, Box<Refusal>> {
        let end = if lines.ends_with('\n') { "" } else { "\n" };
        let lines = format!("{lines}{end}");
        self.feed_part(lines.as_bytes())
    }

    /// Takes whole lines; by words also a part of one that ends in a blank.
    pub(super) fn feed_part(&mut self, text: &[u8]) -> Result<String, Box<Refusal>> {
        let lossy = String::from_utf8_lossy(text);
        self.step(&lossy, |run| run.feed(text))
    }

    /// Reads the words that wait for others as if none came, unless they are refused or the transcript would end there.
    pub(super) fn read_open_words(&mut self) {
        if self.step("", Run::read_open_words).is_ok() && self.stage() == Stage::Complete {
            self.undo();
        }
    }

    /// Lets nothing that was fed be taken back any more, unless words wait for others. What that took is given back.
    pub(super) fn settle(&mut self) {
        if self.run.words_open().is_empty() {
            self.steps.clear();
            self.run.machine.forget_past();
        }
    }

    /// Says that the transcript ends here; gives what is reported on that. What is fed after that takes it
    /// back.
    ///
    /// # Errors
    /// What is still due: then nothing has changed.
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

    /// Takes back what was fed last; gives the lines, or nothing where there are none.
    pub fn undo(&mut self) -> Option<String> {
        let step = self.steps.pop()?;
        self.lines = step.lines;
        self.go_back(step.snapshot, (step.text, step.lines));
        self.report.truncate(step.report);
        self.ended = false;
        Some(self.text.split_off(step.text))
    }

    /// Returns to a snapshot that was taken when the transcript had so many bytes and lines.
    fn go_back(&mut self, snapshot: Snapshot<'g>, (text, lines): (usize, usize)) {
        let text = self.text.as_bytes().get(..text).unwrap_or_default();
        let back = (lines + 1).saturating_sub(snapshot.line());
        let before = memchr::memrchr_iter(b'\n', text).nth(back);
        let from = before.map_or(0, |end| end + 1);
        self.run.go_back(snapshot, &text[from..]);
    }

    /// Whether [`Session::end`] said so, and nothing came after it.
    #[must_use]
    pub fn has_ended(&self) -> bool {
        self.ended
    }

    /// How often [`Session::undo`] can take something back.
    #[must_use]
    pub fn steps(&self) -> usize {
        self.steps.len()
    }

    /// The transcript so far. [`Game::run`] says the same of it as this session did.
    #[must_use]
    pub fn transcript(&self) -> &str {
        &self.text
    }

    /// All that was reported.
    #[must_use]
    pub fn report(&self) -> &str {
        &self.report
    }

    /// How it stands.
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

    /// How many games have begun.
    #[must_use]
    pub fn games(&self) -> i64 {
        self.run.games().1
    }

    /// The words that came and wait for others: nothing unless a line ends in the middle of something.
    #[must_use]
    pub fn open(&self) -> String {
        self.run.words_open()
    }

    /// What the rules' states are now, each by its name and as people read it: a map on a grid as a picture of several
    /// lines. Empty where no game has begun.
    pub fn states(&mut self) -> Vec<(String, String)> {
        if self.games() == 0 {
            return Vec::new();
        }
        self.aside(|run| run.machine.states_written())
    }

    /// Whether what was fed last changed a state that [`Session::states`] leaves out.
    #[must_use]
    pub fn changes_unwritten(&self) -> bool {
        !self.steps.is_empty() && self.run.machine.differs_unwritten()
    }

    /// What a policy of the game would do next, as it is written; without a name, what is drawn by lot among all that may
    /// happen. The same seed draws the same at the same place.
    ///
    /// # Errors
    /// No game is under way whose events are read, there is no such policy, it chooses nothing or what cannot be written,
    /// or nothing may happen.
    pub fn choose(&mut self, policy: Option<&str>, seed: u64) -> Result<String, Failure> {
        let known = match policy {
            None => None,
            Some(name) => Some(self.game.policy(name)?),
        };
        self.chosen(known, seed, None, policy.unwrap_or("random"))
    }

    /// What is drawn by lot among all that one decides now, as it is written; of what chance decides, each as likely as its
    /// weight says. The same seed draws the same at the same place.
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
        let by = by.map(Decider::asked);
        let chosen = self.aside(|run| run.choose_here(policy, seed, by.as_ref()));
        let chosen = chosen.map_err(|stopped| self.failure(*stopped))?;
        chosen.ok_or_else(|| self.game.no_words(name))
    }

    /// Who decides what may come next, in the order of the transcript's rows; nobody where no game is under way whose
    /// events are read.
    ///
    /// # Errors
    /// A rule that says it cannot be worked out.
    pub fn deciders(&mut self) -> Result<Vec<Decider>, Failure> {
        let deciders = self.aside(Run::deciders_here);
        let deciders = deciders.map_err(|stopped| self.failure(*stopped))?;
        Ok(deciders.iter().map(Decider::of).collect())
    }

    /// Who decides the event that a line would write; nothing where no event is read, or not this one.
    pub fn decider_of(&mut self, line: &str) -> Option<Decider> {
        let line = format!("{}\n", line.trim_end_matches('\n'));
        let decides = self.aside(|run| run.decider_of(line.as_bytes()));
        decides.as_ref().map(Decider::of)
    }

    /// The event that a line would write, if it may come next and would not be refused.
    pub(super) fn may_come(&mut self, line: &str) -> Option<&'g str> {
        let line = format!("{line}\n");
        let event = self.aside(|run| run.event_that_may_come(line.as_bytes()))?;
        Some(&self.game.compiled.events[event].name)
    }

    /// The number of the last game that is over; 0 where none is.
    #[must_use]
    pub fn over(&self) -> i64 {
        self.run.ending().map_or(0, |ending| ending.game)
    }

    /// What each seat has in the last game that is over; nothing where none is, or its rules do not say it.
    #[must_use]
    pub fn outcome(&self) -> Vec<Outcome> {
        let ending = self.run.ending();
        ending.map_or(Vec::new(), |ending| Outcome::all(&ending.outcome))
    }

    /// The state of the game in a line, as messages show it; nothing where no game has begun.
    pub fn state(&mut self) -> Option<String> {
        if self.games() == 0 {
            return None;
        }
        Some(self.aside(|run| run.machine.state_line()))
    }

    /// What could come next: what may come now first. Nothing where a line is not complete yet, or nothing more is due.
    ///
    /// # Errors
    /// A rule that is asked whether an event may come cannot be worked out.
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

    /// What may happen next; of these events only, unless none are named; with `illegal` also what may not.
    ///
    /// # Errors
    /// There is no such event, no game is under way whose events are read, an event has begun that is not complete, or the
    /// search takes too much.
    pub fn moves(&mut self, events: &[String], illegal: bool) -> Result<Moves, Failure> {
        self.game.known_events(events)?;
        let line = None;
        let asked = Asked {
            line,
            events,
            illegal,
        };
        let all = self.aside(|run| run.moves_here(asked));
        let all = all.map_err(|stopped| self.failure(*stopped))?;
        Ok(self.game.moves_told(&all))
    }

    /// Why the events on a line of the transcript did what they did; on the last one where the question names none. This
    /// runs the transcript again.
    ///
    /// # Errors
    /// Nothing is read from that line, or is called as is asked.
    pub fn why(&self, ask: &explanation::Ask) -> Result<Explanation, Failure> {
        self.explained(ask, &self.text)
    }

    /// Why a line would do what it would, or be refused, if it came next. This runs the transcript again.
    ///
    /// # Errors
    /// As [`Session::why`].
    pub fn why_next(&self, line: &str, ask: &explanation::Ask) -> Result<Explanation, Failure> {
        self.explained(ask, &format!("{}{line}\n", self.text))
    }

    fn explained(&self, ask: &explanation::Ask, text: &str) -> Result<Explanation, Failure> {
        let form = self.form.clone();
        let ask = explanation::Ask {
            form,
            ..ask.clone()
        };
        self.game.explain(&ask, &self.name, text.as_bytes())
    }

    /// Asks the run something, and takes it back to where it was.
    pub(super) fn aside<T>(&mut self, ask: impl FnOnce(&mut Run<'g, 'g>) -> T) -> T {
        let snapshot = self.run.snapshot();
        let run = &mut self.run;
        let answer = stack::with_room(self.game.program.depth, || ask(run));
        self.go_back(snapshot, (self.text.len(), self.lines));
        answer
    }

    fn failure(&self, stopped: Stopped) -> Failure {
        let game = self.game;
        failure::told(stopped, &game.compiled, &game.sources, &self.name)
    }
}
