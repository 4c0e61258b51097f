//! Fractions as records hold them: of so few digits that every reader of JSON reads what was
//! written. A record that went through other hands is then the same, byte for byte.

/// Digits that are kept after the first one.
const DIGITS: usize = 8;

/// What is smaller is nothing: readers differ on numbers whose power of ten has no exact double.
const SMALLEST: f64 = 1e-12;

/// The nearest number of nine digits.
pub fn rounded(value: f64) -> f64 {
    match value.abs() < SMALLEST {
        true => 0.0,
        false => format!("{value:.DIGITS$e}").parse().unwrap_or(value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn nine_digits_are_kept() {
        assert_eq!(rounded(0.123_456_789_012), 0.123_456_789);
        assert_eq!(rounded(-1_234_567_890.123), -1_234_567_890.0);
        assert_eq!((rounded(1e-13), rounded(0.1 + 0.2)), (0.0, 0.3));
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(significand in -10.0f64..10.0, power in -15i32..12) {
            let number = rounded(significand * 10f64.powi(power));
            let written = serde_json::to_string(&number).unwrap();
            let read: f64 = serde_json::from_str(&written).unwrap();
            prop_assert_eq!(read.to_bits(), number.to_bits(), "{}", written);
            prop_assert_eq!(rounded(read).to_bits(), number.to_bits());
        }
    }
}
