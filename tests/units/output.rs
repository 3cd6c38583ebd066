//! What a terminal gets.

#[path = "../../src/cli/output.rs"]
#[allow(dead_code, reason = "not all of it is tested here")]
mod all;

use std::io::Write as _;

use all::Masked;

/// What a terminal gets of a text that arrives in chunks of this size.
fn got(text: &[u8], size: usize) -> String {
    let mut terminal = Vec::new();
    let mut masked = Masked::new(&mut terminal);
    for some in text.chunks(size) {
        masked.write_all(some).expect("it can be written");
    }
    drop(masked);
    String::from_utf8(terminal).expect("it is text")
}

#[test]
fn nothing_is_obeyed_wherever_a_write_ends() {
    let text = "a\u{1b}[31mé\u{9b}2J\u{202e}\u{2067}\u{61c}\u{7f}\t☃\n".as_bytes();
    let shown = "a␛[31mé\u{fffd}2J\u{fffd}\u{fffd}\u{fffd}␡\t☃\n";
    for size in 1..=text.len() {
        assert_eq!(got(text, size), shown, "{size} bytes at a time");
    }
    assert_eq!(got(b"a\xffb\xe2\x82c", 2), "a\u{fffd}b\u{fffd}c");
}
