//! What is wrong, for people or for other programs: text, JSON, GitHub's annotations or SARIF.

mod sarif;

use std::{
    fmt::Write as _,
    io::{self, IsTerminal as _, Write},
    path::Path,
};

use annotate_snippets::Level;
use anyhow::Context as _;
use clap::ValueEnum;
use referee::{
    diagnostic::{Colour, Data, Diagnostic, Severity, Sources, masked},
    failure::Failure,
    game::Unloaded,
};

use super::{
    error::Error,
    screen::{self, Screen},
};

/// How findings are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    // Help of their own would make that of the whole command as long as a manual.
    Text,
    Json,
    Github,
    Sarif,
}

/// Where findings go that are not for people.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stream {
    Output,
    Error,
}

/// How what was found is put: for whom, and whether in colour.
#[derive(Clone, Copy)]
pub(super) struct Style {
    format: Format,
    colour: Colour,
    /// Whether the report has a record of what stops a run.
    recorded: bool,
}

/// What was found, in the form in which it is written.
pub(super) enum Finding {
    Text(String),
    Data(Box<Data>),
}

impl Style {
    fn diagnostic(self, diagnostic: &Diagnostic, sources: &Sources) -> Finding {
        match self.format {
            Format::Text => Finding::Text(diagnostic.draw(sources, self.colour)),
            Format::Json | Format::Github | Format::Sarif => {
                Finding::Data(Box::new(diagnostic.to_data(sources)))
            }
        }
    }

    fn placeless(self, code: &str, message: &str, help: &[String]) -> Finding {
        match self.format {
            Format::Text => {
                Finding::Text(screen::titled(self.colour, &Level::ERROR, message, help))
            }
            Format::Json | Format::Github | Format::Sarif => {
                Finding::Data(Box::new(Data::placeless(code, message, help.to_vec())))
            }
        }
    }

    /// What stopped a run over the transcript called `name`, unless the report has a record of it.
    ///
    /// # Errors
    /// The report cannot be written.
    pub(super) fn failure(self, failure: Failure, name: &str) -> anyhow::Result<Option<Finding>> {
        if self.recorded && failure.report().is_some() {
            return Ok(None);
        }
        Ok(Some(match failure {
            Failure::Output(error) => return Err(error).context("the report cannot be written"),
            Failure::Input(error) => {
                let message = format!("`{name}` cannot be read: {error}");
                self.placeless("unreadable", &message, &Error::meant(Path::new(name)))
            }
            Failure::Transcript(report)
            | Failure::Rules(report)
            | Failure::Bound(report)
            | Failure::NoTranscript(report)
            | Failure::NoName(report)
            | Failure::NotPlaying(report) => self.diagnostic(&report.diagnostic, &report.sources),
        }))
    }
}

/// What was found, written as it comes; or at the end, where the form is a whole document.
pub(super) struct Findings<'s> {
    /// How they are put.
    pub(super) style: Style,
    stream: Stream,
    screen: &'s Screen,
    kept: Vec<Data>,
}

impl<'s> Findings<'s> {
    pub(super) fn new(format: Format, stream: Stream, screen: &'s Screen) -> Findings<'s> {
        let style = Style {
            format,
            colour: screen.colour,
            recorded: false,
        };
        Findings {
            style,
            stream,
            screen,
            kept: Vec::new(),
        }
    }

    /// The same, beside a report that may have a record of what stops a run: other programs are not told twice.
    pub(super) fn beside_records(mut self, recorded: bool) -> Findings<'s> {
        self.style.recorded = recorded && self.style.format == Format::Json;
        self
    }

    /// Whether they are for people.
    pub(super) fn is_text(&self) -> bool {
        self.style.format == Format::Text
    }

    /// Tells what was found.
    pub(super) fn say(&mut self, finding: Finding) -> anyhow::Result<()> {
        match finding {
            Finding::Text(text) => self.screen.say(&text),
            Finding::Data(data) => self.data(*data)?,
        }
        Ok(())
    }

    /// Tells a diagnostic.
    pub(super) fn diagnostic(
        &mut self,
        diagnostic: &Diagnostic,
        sources: &Sources,
    ) -> anyhow::Result<()> {
        self.say(self.style.diagnostic(diagnostic, sources))
    }

    /// Tells what is wrong where no text can be shown. `code` is its short name for other programs.
    pub(super) fn placeless(
        &mut self,
        code: &str,
        message: &str,
        help: &[String],
    ) -> anyhow::Result<()> {
        self.say(self.style.placeless(code, message, help))
    }

    /// Tells people something that is not wrong.
    pub(super) fn note(&self, text: &str) {
        if self.is_text() {
            self.screen.note(text);
        }
    }

    /// Tells what keeps nothing from being done, and may yet not be meant.
    pub(super) fn warning(&mut self, code: &str, message: &str, help: &[String]) {
        if self.is_text() {
            self.screen.warning(message, help);
            return;
        }
        let mut data = Data::placeless(code, message, help.to_vec());
        data.severity = Severity::Warning;
        // Nobody is left to hear where it cannot be written.
        let _ = self.data(data);
    }

    /// Tells why a game could not be loaded.
    pub(super) fn unloaded(&mut self, unloaded: &Unloaded) -> anyhow::Result<()> {
        if self.is_text() {
            self.screen.unloaded(unloaded);
            return Ok(());
        }
        match unloaded {
            Unloaded::Missing(missing) => self.data(missing.to_data()),
            Unloaded::Variants(invalid)
            | Unloaded::Rules(invalid)
            | Unloaded::Settings(invalid) => {
                for diagnostic in &invalid.diagnostics {
                    self.diagnostic(diagnostic, &invalid.sources)?;
                }
                Ok(())
            }
        }
    }

    /// Tells what stopped a run over the transcript called `name`.
    ///
    /// # Errors
    /// The report cannot be written.
    pub(super) fn failure(&mut self, failure: Failure, name: &str) -> anyhow::Result<()> {
        match self.style.failure(failure, name)? {
            Some(finding) => self.say(finding),
            None => Ok(()),
        }
    }

    /// Writes what is still to be written.
    pub(super) fn finish(self) -> anyhow::Result<()> {
        if self.style.format != Format::Sarif {
            return Ok(());
        }
        let mut text = serde_json::to_string_pretty(&sarif::document(&self.kept))?;
        text.push('\n');
        self.write(&text)
    }

    fn data(&mut self, data: Data) -> anyhow::Result<()> {
        let line = match self.style.format {
            Format::Text | Format::Sarif => {
                self.kept.push(data);
                return Ok(());
            }
            Format::Json => serde_json::to_string(&data)?,
            // It ends in a log that people read in a terminal, too.
            Format::Github => masked(&annotation(&data)).into_owned(),
        };
        self.write(&format!("{line}\n"))
    }

    fn write(&self, text: &str) -> anyhow::Result<()> {
        match self.stream {
            Stream::Output => super::output::write(text),
            Stream::Error => {
                let mut stream = io::stderr().lock();
                let text = if stream.is_terminal() {
                    masked(text)
                } else {
                    text.into()
                };
                // Nobody is left to hear where standard error is closed.
                let _ = stream.write_all(text.as_bytes());
                Ok(())
            }
        }
    }
}

/// `::error file=…,line=…,endLine=…,col=…,endColumn=…,title=…::message`
fn annotation(data: &Data) -> String {
    let command = match data.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    };
    let mut line = format!("::{command} ");
    if let Some(label) = data.labels.first() {
        let (start, end) = (label.start, label.end);
        let _ = write!(
            line,
            "file={},line={},endLine={},",
            property(&label.file),
            start.line,
            end.line
        );
        // Columns are only taken where all is on one line.
        if start.line == end.line {
            let _ = write!(line, "col={},endColumn={},", start.column, end.column);
        }
    }
    let _ = write!(line, "title={}::", property(&data.code));
    let mut message = vec![data.message.clone()];
    for label in data.labels.iter().filter(|label| !label.text.is_empty()) {
        let (file, start) = (&label.file, label.start);
        message.push(format!(
            "{file}:{}:{}: {}",
            start.line, start.column, label.text
        ));
    }
    message.extend(data.notes.iter().map(|note| format!("note: {note}")));
    message.extend(data.helps.iter().map(|help| format!("help: {help}")));
    line.push_str(&escaped(&message.join("\n")));
    line
}

/// What ends a line, or begins an escape, written so that it does not.
fn escaped(text: &str) -> String {
    text.replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

/// The same for a value that a comma or colon would end.
fn property(text: &str) -> String {
    escaped(text).replace(':', "%3A").replace(',', "%2C")
}
