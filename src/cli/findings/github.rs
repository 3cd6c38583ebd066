//! Findings as workflow commands, which GitHub shows beside the lines they speak of.

use std::fmt::Write as _;

use referee::diagnostic::{Data, Severity};

/// `::error file=…,line=…,endLine=…,col=…,endColumn=…,title=…::message`
pub(super) fn annotation(data: &Data) -> String {
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
