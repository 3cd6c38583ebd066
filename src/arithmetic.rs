//! Whole-number division as the language has it: rounded down, so that the rest has the divisor's sign.

/// `left / right`, rounded down; nothing where it overflows or `right` is 0.
pub(crate) fn divide(left: i64, right: i64) -> Option<i64> {
    let quotient = left.checked_div(right)?;
    let exact = quotient * right == left;
    Some(if !exact && (left < 0) != (right < 0) {
        quotient - 1
    } else {
        quotient
    })
}

/// What [`divide`] leaves.
pub(crate) fn modulo(left: i64, right: i64) -> Option<i64> {
    let rest = left.checked_rem(right)?;
    Some(if rest != 0 && (rest < 0) != (right < 0) {
        rest + right
    } else {
        rest
    })
}

#[cfg(test)]
mod tests {
    use super::{divide, modulo};

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
}
