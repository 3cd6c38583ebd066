//! Division with its roundings, and decimals, which are whole numbers of small units, so that no digit is ever lost.
//!
//! Division rounds down unless another rounding is given, so the remainder has the sign of the divisor.

/// How many decimal places a number may have.
pub(crate) const MOST_PLACES: u8 = 9;

/// How a quotient is rounded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rounding {
    /// To the next lower number.
    Down,
    /// To the next higher number.
    Up,
    /// To the nearest number, or the even one if two are equally near.
    Even,
}

impl Rounding {
    /// The word after `rounded`.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Rounding::Down => "down",
            Rounding::Up => "up",
            Rounding::Even => "even",
        }
    }
}

/// How many units of so many decimal places make 1.
pub(crate) fn unit(places: u8) -> i64 {
    10_i64.saturating_pow(u32::from(places))
}

/// Converts units of `from` decimal places to units of `to`, which are more. None on overflow.
pub(crate) fn scaled(value: i64, from: u8, to: u8) -> Option<i64> {
    value.checked_mul(unit(to.checked_sub(from)?))
}

/// A number of units as text, with all its decimal places: `-0.50`.
pub(crate) fn decimal_text(value: i64, places: u8) -> String {
    if places == 0 {
        return value.to_string();
    }
    let (sign, size, unit) = (
        if value < 0 { "-" } else { "" },
        value.unsigned_abs(),
        unit(places).unsigned_abs(),
    );
    let width = usize::from(places);
    format!("{sign}{}.{:0width$}", size / unit, size % unit)
}

/// Parses `7` or `-7.50`: the number of units, and how many decimal places the text has. None if it is no number, or
/// beyond 64 bits.
pub(crate) fn decimal(text: &str) -> Option<(i64, u8)> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let (whole, rest) = match digits.split_once('.') {
        Some((whole, rest)) => (whole, Some(rest)),
        None => (digits, None),
    };
    let all = |digits: &str| !digits.is_empty() && digits.bytes().all(|it| it.is_ascii_digit());
    if !all(whole) || rest.is_some_and(|rest| !all(rest)) {
        return None;
    }
    let rest = rest.unwrap_or_default();
    let places = u8::try_from(rest.len()).ok()?;
    if places > MOST_PLACES {
        return None;
    }
    let size: i64 = format!("{whole}{rest}").parse().ok()?;
    Some((
        if digits.len() < text.len() {
            -size
        } else {
            size
        },
        places,
    ))
}

/// `left / right`, rounded down. None on overflow, or if `right` is 0.
pub(crate) fn divide(left: i64, right: i64) -> Option<i64> {
    let quotient = left.checked_div(right)?;
    let exact = quotient * right == left;
    Some(if !exact && (left < 0) != (right < 0) {
        quotient - 1
    } else {
        quotient
    })
}

/// The remainder of [`divide`].
pub(crate) fn modulo(left: i64, right: i64) -> Option<i64> {
    let rest = left.checked_rem(right)?;
    Some(if rest != 0 && (rest < 0) != (right < 0) {
        rest + right
    } else {
        rest
    })
}

/// `left / right`, rounded up.
pub(crate) fn divide_up(left: i64, right: i64) -> Option<i64> {
    divide(left.checked_neg()?, right)?.checked_neg()
}

/// `left / right`, rounded to the nearest number, or the even one if two are equally near.
pub(crate) fn divide_even(left: i64, right: i64) -> Option<i64> {
    let below = divide(left, right)?;
    let rest = modulo(left, right)?.unsigned_abs();
    let above = right.unsigned_abs() - rest;
    let is_nearer = rest > above || rest == above && below % 2 != 0;
    below.checked_add(i64::from(is_nearer))
}

/// `left / right` rounded to a multiple of `step`, each in units of its decimal places. None on overflow.
pub(crate) fn rounded(
    rounding: Rounding,
    (left, below): (i64, u8),
    (right, above): (i64, u8),
    (step, places): (i64, u8),
) -> Option<i64> {
    let above = above.checked_add(places)?;
    let left = left.checked_mul(unit(above.saturating_sub(below)))?;
    let right = right.checked_mul(step)?;
    let right = right.checked_mul(unit(below.saturating_sub(above)))?;
    if right == 0 {
        return None;
    }
    let steps = match rounding {
        Rounding::Down => divide(left, right),
        Rounding::Up => divide_up(left, right),
        Rounding::Even => divide_even(left, right),
    };
    steps?.checked_mul(step)
}
