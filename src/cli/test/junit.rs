//! The results of tests as XML, in the form that servers which run tests read.

use std::{fmt::Write as _, path::Path};

use referee::diagnostic::Colour;

use super::{Ended, find};

/// The results as a file.
pub(super) fn written(ended: &[Ended]) -> String {
    let failures = ended.iter().filter(|one| one.outcome.is_failure()).count();
    let counts = format!("tests=\"{}\" failures=\"{failures}\"", ended.len());
    let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    // Writing to a string cannot fail.
    let _ = writeln!(text, "<testsuites {counts}>");
    let _ = writeln!(text, "  <testsuite name=\"referee\" {counts}>");
    for one in ended {
        let path = Path::new(&one.name);
        let folder = path.parent().unwrap_or(Path::new(""));
        let _ = write!(
            text,
            "    <testcase classname=\"{}\" name=\"{}\"",
            escaped(&folder.display().to_string()),
            escaped(&path.file_stem().unwrap_or_default().to_string_lossy())
        );
        let _ = match one.outcome.why(&find::output_of(path), Colour::Never) {
            None => writeln!(text, "/>"),
            Some(why) => writeln!(
                text,
                ">\n      <failure message=\"{} failed\">{}</failure>\n    </testcase>",
                escaped(&one.name),
                escaped(&why)
            ),
        };
    }
    text.push_str("  </testsuite>\n</testsuites>\n");
    text
}

/// A text as it stands in XML, which has no word for most control characters.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\n' | '\t' => escaped.push(character),
            '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            other if other.is_control() => escaped.extend(other.escape_default()),
            other => escaped.push(other),
        }
    }
    escaped
}
