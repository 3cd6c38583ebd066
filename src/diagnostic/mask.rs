//! Makes control characters visible, so that a rule file, a transcript or a path cannot send commands to a terminal or
//! reorder the text on it.

use std::borrow::Cow;

/// Whether a terminal may obey a character instead of showing it: C0 and C1, line separators, and characters that set
/// the direction of text or the form of others.
#[must_use]
pub fn is_obeyed(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            '\u{061c}'
                | '\u{200e}'
                | '\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2066}'..='\u{206f}'
                | '\u{fff9}'..='\u{fffb}'
        )
}

/// The character shown in place of a control character, one column wide.
fn shown(character: char) -> char {
    match character {
        '\0'..='\u{1f}' => char::from_u32(0x2400 + u32::from(character)),
        '\u{7f}' => Some('␡'),
        other if is_obeyed(other) => None,
        other => Some(other),
    }
    .unwrap_or(char::REPLACEMENT_CHARACTER)
}

/// A text without control characters other than newlines and tabs.
#[must_use]
pub fn masked(text: &str) -> Cow<'_, str> {
    replaced(text, |character| {
        is_obeyed(character) && !matches!(character, '\n' | '\t')
    })
}

/// A text for one line, without control characters.
#[must_use]
pub fn masked_line(text: &str) -> Cow<'_, str> {
    replaced(text, is_obeyed)
}

fn replaced(text: &str, is_hidden: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(&is_hidden) {
        return Cow::Borrowed(text);
    }
    let shown = |character| {
        if is_hidden(character) {
            shown(character)
        } else {
            character
        }
    };
    Cow::Owned(text.chars().map(shown).collect())
}
