//! Reads lines from a terminal or a pipe.

use std::{
    cell::RefCell,
    io::{self, BufRead as _, IsTerminal as _},
    rc::Rc,
};

use rustyline::{
    Behavior, CompletionType, Config, Context, Editor, Helper, completion::Completer,
    error::ReadlineError, highlight::Highlighter, hint::Hinter, history::MemHistory,
    validate::Validator,
};

use super::{super::error::Result, table::Table};

/// Where lines come from.
pub(super) enum Input<'g, 's> {
    /// One editor for all lines, because it buffers what is typed ahead.
    Terminal(Box<Editor<Completions<'g, 's>, MemHistory>>),
    Pipe(io::Lines<io::StdinLock<'static>>),
}

impl<'g, 's> Input<'g, 's> {
    pub(super) fn new(at_terminal: bool, table: &Rc<RefCell<Table<'g, 's>>>) -> Result<Self> {
        if !at_terminal {
            return Ok(Input::Pipe(io::stdin().lock().lines()));
        }
        // If standard output is redirected, the prompt goes to the terminal itself.
        let behavior = if io::stdout().is_terminal() {
            Behavior::Stdio
        } else {
            Behavior::PreferTerm
        };
        let config = Config::builder()
            .completion_type(CompletionType::List)
            .auto_add_history(true)
            .behavior(behavior)
            .build();
        let mut editor = Editor::with_history(config, MemHistory::new()).map_err(failed)?;
        editor.set_helper(Some(Completions(Rc::clone(table))));
        Ok(Input::Terminal(Box::new(editor)))
    }

    /// The next line; `None` at the end of input.
    pub(super) fn line(&mut self, prompt: &str) -> Result<Option<String>> {
        match self {
            Input::Pipe(lines) => Ok(lines.next().transpose()?),
            Input::Terminal(editor) => match editor.readline(prompt) {
                Ok(line) => Ok(Some(line)),
                Err(ReadlineError::Eof | ReadlineError::Interrupted) => Ok(None),
                Err(error) => Err(failed(error)),
            },
        }
    }
}

fn failed(error: ReadlineError) -> super::super::error::Error {
    anyhow::Error::new(error)
        .context("the terminal cannot be read")
        .into()
}

/// Completes lines when Tab is pressed.
pub(super) struct Completions<'g, 's>(Rc<RefCell<Table<'g, 's>>>);

impl Completer for Completions<'_, '_> {
    type Candidate = String;

    fn complete(
        &self,
        line: &str,
        place: usize,
        _: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<String>)> {
        let before = line.get(..place).unwrap_or_default();
        Ok((0, self.0.borrow_mut().completions(before)))
    }
}

impl Helper for Completions<'_, '_> {}
impl Highlighter for Completions<'_, '_> {}
impl Validator for Completions<'_, '_> {}
impl Hinter for Completions<'_, '_> {
    type Hint = String;
}
