//! The results of tests as XML, in the form that servers which run tests read.

use std::{fmt::Write as _, path::Path, time::Duration};

use referee::diagnostic::Colour;

use super::{
    Ended,
    case::Outcome,
    find::{self, Case},
};

/// The results as a file. Some tests were not run.
pub(super) fn written(ended: &[Ended], not_run: &[Case]) -> String {
    let skipped = not_run.iter();
    let skipped: Vec<Ended> = skipped
        .map(|case| Ended::case(case, Outcome::Passed, Duration::ZERO))
        .collect();

    let failures = ended.iter().filter(|one| one.outcome.is_failure()).count();
    let took = ended.iter().map(|one| one.took).sum();
    let counts = format!(
        "tests=\"{}\" failures=\"{failures}\" skipped=\"{}\" time=\"{}\"",
        ended.len() + skipped.len(),
        skipped.len(),
        seconds(took)
    );
    let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    // Writing to a string cannot fail.
    let _ = writeln!(text, "<testsuites {counts}>");
    let _ = writeln!(text, "  <testsuite name=\"referee\" {counts}>");
    let begin = |text: &mut String, one: &Ended| {
        let (within, called) = (escaped(&one.within), escaped(&one.called));
        let took = seconds(one.took);
        let _ = write!(
            text,
            "    <testcase classname=\"{within}\" name=\"{called}\" time=\"{took}\""
        );
    };
    for one in ended {
        begin(&mut text, one);
        let path = Path::new(&one.name);
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
    for one in &skipped {
        begin(&mut text, one);
        text.push_str(">\n      <skipped/>\n    </testcase>\n");
    }
    text.push_str("  </testsuite>\n</testsuites>\n");
    text
}

/// A time in seconds, with three places.
fn seconds(time: Duration) -> String {
    format!("{}.{:03}", time.as_secs(), time.subsec_millis())
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
