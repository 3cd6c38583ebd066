//! Lines that are typed at a terminal, or come through a pipe.

use std::{
    cell::RefCell,
    io::{self, BufRead as _, IsTerminal as _},
};

use rustyline::{
    Behavior, CompletionType, Config, Context, Editor, Helper, completion::Completer,
    error::ReadlineError, highlight::Highlighter, hint::Hinter, history::MemHistory,
    validate::Validator,
};

use super::{super::error::Result, table::Table};

/// Where lines come from.
pub(super) enum Input {
    Terminal(Config, MemHistory),
    Pipe(io::Lines<io::StdinLock<'static>>),
}

impl Input {
    pub(super) fn new(at_terminal: bool) -> Input {
        if !at_terminal {
            return Input::Pipe(io::stdin().lock().lines());
        }
        // Where the report goes into a file, a line is asked for elsewhere.
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
        Input::Terminal(config, MemHistory::new())
    }

    /// The next line; nothing where there are no more.
    pub(super) fn line(
        &mut self,
        prompt: &str,
        table: &mut Table<'_, '_>,
    ) -> Result<Option<String>> {
        match self {
            Input::Pipe(lines) => Ok(lines.next().transpose()?),
            Input::Terminal(config, history) => {
                let history_of = std::mem::take(history);
                let mut editor =
                    Editor::with_history(config.clone(), history_of).map_err(failed)?;
                editor.set_helper(Some(Completions(RefCell::new(table))));
                let line = editor.readline(prompt);
                *history = std::mem::take(editor.history_mut());
                match line {
                    Ok(line) => Ok(Some(line)),
                    Err(ReadlineError::Eof | ReadlineError::Interrupted) => Ok(None),
                    Err(error) => Err(failed(error)),
                }
            }
        }
    }
}

fn failed(error: ReadlineError) -> super::super::error::Error {
    anyhow::Error::new(error)
        .context("the terminal cannot be read")
        .into()
}

/// What Tab completes.
struct Completions<'t, 'g, 's>(RefCell<&'t mut Table<'g, 's>>);

impl Completer for Completions<'_, '_, '_> {
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

impl Helper for Completions<'_, '_, '_> {}
impl Highlighter for Completions<'_, '_, '_> {}
impl Validator for Completions<'_, '_, '_> {}
impl Hinter for Completions<'_, '_, '_> {
    type Hint = String;
}
