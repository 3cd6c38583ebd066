//! Places in texts: bytes and lines as the library counts them, UTF-16 as the page does.

use referee::diagnostic::Data;
use serde_json::{Value, json};

/// The byte at a place that is counted in UTF-16.
pub(crate) fn byte(text: &str, place: usize) -> usize {
    let mut count = 0;
    for (byte, letter) in text.char_indices() {
        if count >= place {
            return byte;
        }
        count += letter.len_utf16();
    }
    text.len()
}

/// The place of a byte, counted in UTF-16.
pub(crate) fn place(text: &str, byte: usize) -> usize {
    let letters = text.char_indices().take_while(|(at, _)| *at < byte);
    letters.map(|(_, letter)| letter.len_utf16()).sum()
}

/// The place of a line and a column, counted in UTF-16.
fn of_position(text: &str, (on, column): (usize, usize)) -> usize {
    let mut place = 0;
    for (number, line) in text.split_inclusive('\n').enumerate() {
        if number + 1 == on {
            let letters = line.trim_end_matches('\n').chars();
            let before = letters.take(column.saturating_sub(1));
            return place + before.map(char::len_utf16).sum::<usize>();
        }
        place += line.chars().map(char::len_utf16).sum::<usize>();
    }
    place
}

/// A diagnostic as JSON, in which each label and edit also says `from` where and `to` where it reaches.
pub(crate) fn told(data: &Data, text_of: &dyn Fn(&str) -> Option<String>) -> Value {
    let mut told = json!(data);
    let labels = data.labels.iter();
    let labels = labels.map(|label| (&label.file, label.start, label.end));
    let edits = data.edits.iter();
    let edits = edits.map(|edit| (&edit.file, edit.start, edit.end));
    let all = [
        ("labels", labels.collect::<Vec<_>>()),
        ("edits", edits.collect()),
    ];
    for (name, places) in all {
        for (index, (file, start, end)) in places.into_iter().enumerate() {
            if let Some(text) = text_of(file) {
                let one = &mut told[name][index];
                one["from"] = of_position(&text, (start.line, start.column)).into();
                one["to"] = of_position(&text, (end.line, end.column)).into();
            }
        }
    }
    told
}
