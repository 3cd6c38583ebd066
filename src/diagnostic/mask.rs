//! Control characters made visible, so that no text of a rule file, a transcript or a path can command a terminal or
//! reorder what is read there.

use std::borrow::Cow;

/// Whether a terminal may obey a character rather than show it: C0 and C1, what ends lines, and what sets the direction of
/// text or shows it in another way.
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

/// The character that is shown in the place of one that would be obeyed, always one column wide.
fn shown(character: char) -> char {
    match character {
        '\0'..='\u{1f}' => char::from_u32(0x2400 + u32::from(character)),
        '\u{7f}' => Some('␡'),
        other if is_obeyed(other) => None,
        other => Some(other),
    }
    .unwrap_or(char::REPLACEMENT_CHARACTER)
}

/// A text of which a terminal obeys nothing but ends of lines and tabs.
#[must_use]
pub fn masked(text: &str) -> Cow<'_, str> {
    replaced(text, |character| {
        is_obeyed(character) && !matches!(character, '\n' | '\t')
    })
}

/// A text for one line, of which a terminal obeys nothing.
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
