//! Division with its roundings, and decimals.

#[path = "../../src/arithmetic.rs"]
#[allow(dead_code, reason = "not all of it is tested here")]
mod all;

use all::{decimal, decimal_text, divide, divide_even, divide_up, modulo, scaled};

#[test]
fn rounding() {
    for (left, right, down, up, even) in [
        (7, 2, 3, 4, 4),
        (5, 2, 2, 3, 2),
        (-5, 2, -3, -2, -2),
        (-7, 2, -4, -3, -4),
        (5, -2, -3, -2, -2),
        (8, 3, 2, 3, 3),
        (7, 3, 2, 3, 2),
        (6, 3, 2, 2, 2),
        (0, 5, 0, 0, 0),
    ] {
        let all = (
            divide(left, right),
            divide_up(left, right),
            divide_even(left, right),
        );
        assert_eq!(all, (Some(down), Some(up), Some(even)), "{left} / {right}");
    }
    assert_eq!(divide_even(1, 0), None);
    assert_eq!(divide_even(i64::MAX, 2), Some(i64::MAX / 2 + 1));
}

#[test]
fn decimals_are_read_and_written() {
    for (text, value, places) in [
        ("7.50", 750, 2),
        ("-0.5", -5, 1),
        ("12", 12, 0),
        ("0.00", 0, 2),
    ] {
        assert_eq!(decimal(text), Some((value, places)));
        assert_eq!(decimal_text(value, places), text);
    }
    for text in [
        "",
        "-",
        ".5",
        "5.",
        "1.2.3",
        "1e5",
        "+1",
        "0.0000000001",
        "99999999999999999999",
    ] {
        assert_eq!(decimal(text), None, "{text}");
    }
    assert_eq!(scaled(75, 1, 3), Some(7500));
    assert_eq!(scaled(75, 3, 1), None);
    assert_eq!(scaled(i64::MAX, 0, 1), None);
}

#[test]
fn division_rounds_down() {
    assert_eq!(divide(7, 2), Some(3));
    assert_eq!(divide(-7, 2), Some(-4));
    assert_eq!(divide(7, -2), Some(-4));
    assert_eq!(divide(i64::MIN, -1), None);
    assert_eq!(modulo(-7, 2), Some(1));
    assert_eq!(modulo(7, -2), Some(-1));
    assert_eq!(divide(1, 0), None);
}
