//! Runs as data.

use std::{
    io::{self, Read},
    sync::mpsc::{SyncSender, sync_channel},
    thread,
};

use super::Game;
use crate::{
    compile,
    failure::{self, Failure},
    machine::{Executable, Tracer},
    optimise::optimise,
    stack,
    stream::{Entries, Event, Item, Part, Parts, VERSION, Value, cause::Cause},
    transcript::{Run, Watcher},
    types::{Constant, Type},
};

/// How many events of one game may wait for those of the other.
const WAITING: usize = 64;

/// A game whose runs are told as data: every event with the rows that fired. It says the same as the game, and slower.
#[derive(Debug)]
pub struct Watched<'g> {
    game: &'g Game,
    compiled: Executable,
    thorough: bool,
    left_out: Parts,
}

impl Game {
    /// The game, to be run so that programs learn what happened and why.
    ///
    /// ```
    /// use referee::{game::Game, library::Library, stream::Item};
    ///
    /// let rules = r#"
    /// game tally "Tally"
    /// state total: number = 0
    /// event add(amount: number)
    /// on add {
    ///   fact over = new total > 4
    ///   new total = total + amount
    ///   report | reached: "{new total}" when over
    /// }
    /// transcript by lines { start play until over { | add: "{amount}" } }
    /// "#;
    /// let game = Game::from_text("tally.rules", rules, &Library::shipped(), &[])?;
    /// let mut lines = Vec::new();
    /// game.watched().run(None, "transcript", &mut "2\n3\n".as_bytes(), &mut |item| {
    ///     if let Item::Event(event) = item {
    ///         lines.extend(event.said.into_iter().map(|said| (said.text, said.row.place.start.line)));
    ///     }
    ///     Ok(())
    /// })?;
    /// assert_eq!(lines, [("5".to_string(), 8)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn watched(&self) -> Watched<'_> {
        let compiled = stack::with_room(self.program.depth, || {
            let (mut compiled, explained) = compile::explain(&self.program, &self.sources, false);
            optimise(&mut compiled);
            self.apply_settings(&mut compiled);
            compiled.explained = Some(Box::new(explained));
            compiled
        });
        Watched {
            game: self,
            compiled,
            thorough: false,
            left_out: Parts::default(),
        }
    }
}

impl Watched<'_> {
    /// The same, but rows that do not fire tell the facts that they ask for as well, and states that do not change, and
    /// are no maps, are among the changes with the rows by which they stay as they are.
    #[must_use]
    pub fn thorough(mut self) -> Self {
        self.thorough = true;
        self.set_journal();
        self
    }

    /// The same, but events are told without a part, which then takes no time.
    #[must_use]
    pub fn without(mut self, part: Part) -> Self {
        self.left_out = self.left_out.with(part);
        self.set_journal();
        self
    }

    /// Decides what the journal has: without facts, nobody asks what rows mention, nor for rows that do not fire.
    fn set_journal(&mut self) {
        let fired_only = self.left_out.contain(Part::Facts) && !self.thorough;
        if let Some(explained) = &mut self.compiled.explained {
            explained.fired_only = fired_only;
        }
    }

    /// Runs the game on a transcript as [`Game::run`] does, and gives each object of the run to `told` before more of
    /// the transcript is read. The last is an error or the end; there is none once `told` fails.
    ///
    /// # Errors
    /// What stopped it.
    pub fn run(
        &self,
        form: Option<&str>,
        name: &str,
        input: &mut dyn Read,
        told: &mut dyn FnMut(Item) -> io::Result<()>,
    ) -> Result<(), Failure> {
        let ended = self.events(form, name, input, told);
        let last = match &ended {
            Ok(end) => Some(Item::End(*end)),
            Err(failure) => failure.to_data(name).map(Item::Error),
        };
        if let Some(last) = last {
            told(last).map_err(Failure::Output)?;
        }
        ended.map(|_| ())
    }

    /// The rows that make this game and another report differently on a transcript, each once and with the line of the
    /// transcript: those of the first difference, and those of the `further` events after it. Both games must be
    /// [`Watched::thorough`]; they run at the same time.
    #[must_use]
    pub fn causes(
        &self,
        other: &Watched<'_>,
        form: Option<&str>,
        text: &[u8],
        further: usize,
    ) -> Vec<(Cause, usize)> {
        thread::scope(|scope| {
            let both = [self, other].map(|game| {
                let (sender, events) = sync_channel(WAITING);
                scope.spawn(move || game.send(form, text, &sender));
                events.into_iter()
            });
            let [left, right] = both;
            // Both runs stop when their receivers are dropped.
            Cause::all(left, right, further)
        })
    }

    /// Sends the events of a run until the receiver is dropped. Ignores the error that stops the run: the reports show it.
    fn send(&self, form: Option<&str>, mut text: &[u8], events: &SyncSender<Box<Event>>) {
        let _ = self.run(form, "", &mut text, &mut |item| match item {
            Item::Event(event) => events
                .send(event)
                .map_err(|_| io::Error::from(io::ErrorKind::BrokenPipe)),
            Item::Run(_) | Item::Row(_) | Item::End(_) | Item::Error(_) => Ok(()),
        });
    }

    fn events(
        &self,
        form: Option<&str>,
        name: &str,
        input: &mut dyn Read,
        told: &mut dyn FnMut(Item) -> io::Result<()>,
    ) -> Result<crate::stream::End, Failure> {
        let game = self.game;
        told(Item::Run(self.head(form, name))).map_err(Failure::Output)?;
        let transcript = game.compiled_form(&self.compiled, form)?;
        let mut nowhere = io::sink();
        let Some(explained) = self.compiled.explained.as_deref() else {
            return Ok(crate::stream::End::default());
        };
        let watcher = Watcher::new(
            Tracer::new(explained, &game.sources, self.thorough).without(self.left_out),
            told,
        );
        let run = Run::new(&self.compiled, transcript, input, &mut nowhere).seeded(game.seed);
        stack::with_room(game.program.depth, || run.told_to(watcher))
            .map_err(|stopped| failure::from_stopped(*stopped, &self.compiled, &game.sources, name))
    }

    /// What is run.
    fn head(&self, form: Option<&str>, name: &str) -> crate::stream::Run {
        let game = self.game;
        let options = game.program.options.iter().map(|option| {
            let value = constant(game, &option.ty, &option.value);
            (option.name.clone(), value)
        });
        let first = || game.transcripts().into_iter().next().flatten();
        crate::stream::Run {
            version: VERSION,
            game: game.name().to_string(),
            title: game.title().to_string(),
            variants: game.applied().iter().map(ToString::to_string).collect(),
            options: Entries(options.collect()),
            form: form.or_else(first).map(str::to_string),
            transcript: name.to_string(),
            seed: game.seed,
        }
    }
}

/// The value of an option.
fn constant(game: &Game, ty: &Type, constant: &Constant) -> Value {
    match (constant, ty.required()) {
        (Constant::None, _) => Value::None,
        (Constant::Text(text), _) => Value::Text(text.clone()),
        (Constant::Scalar(value), Type::YesNo) => Value::YesNo(*value != 0),
        (Constant::Scalar(value), ty) if ty.is_number() && !ty.is_decimal() => {
            Value::Number(*value)
        }
        (Constant::Scalar(value), ty) => Value::Text(game.program.types.value_name(ty, *value)),
    }
}
