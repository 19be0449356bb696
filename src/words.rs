//! Large numbers and long times, as people say them.

/// A number, roughly from ten thousand on: `5093`, `31 million`, `4 x 10^13`.
pub fn number(number: u64) -> String {
    let rounded = |unit: u64| {
        let tenths = (number / (unit / 10).max(1)).min(9_999);
        if tenths < 100 && !tenths.is_multiple_of(10) {
            format!("{}.{}", tenths / 10, tenths % 10)
        } else {
            format!("{}", tenths / 10)
        }
    };
    match number {
        0..10_000 => number.to_string(),
        10_000..1_000_000 => format!("{},000", number / 1000),
        1_000_000..1_000_000_000 => format!("{} million", rounded(1_000_000)),
        1_000_000_000..1_000_000_000_000 => format!("{} thousand million", rounded(1_000_000_000)),
        u64::MAX => "10^19 or more".to_owned(),
        _ => {
            let power = number.ilog10();
            format!("{} x 10^{power}", number / 10_u64.pow(power))
        }
    }
}

/// A time: `12 s`, `5 minutes`, `3 hours`, `40 years`.
pub fn time(seconds: f64) -> String {
    const UNITS: [(f64, &str); 6] = [
        (31_557_600.0, "year"),
        (2_629_800.0, "month"),
        (86_400.0, "day"),
        (3_600.0, "hour"),
        (60.0, "minute"),
        (1.0, "second"),
    ];
    let (size, unit) = UNITS.into_iter().find(|unit| seconds >= 2.0 * unit.0).unwrap_or((1.0, "second"));
    let count = seconds / size;
    if count >= 1e6 {
        return "a million years or more".to_owned();
    }
    plural(count.round() as u64, unit)
}

/// So many of a thing: `1 cell`, `3 cells`.
pub fn plural(number: u64, word: &str) -> String {
    format!("{number} {word}{}", if number == 1 { "" } else { "s" })
}

/// `1 assembly`, `3 assemblies`.
pub fn assemblies(number: u64) -> String {
    format!("{number} {}", if number == 1 { "assembly" } else { "assemblies" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_rounded_down_and_times_have_one_unit() {
        for (is, said) in [
            (0, "0"),
            (9_999, "9999"),
            (94_366, "94,000"),
            (1_000_000, "1 million"),
            (8_783_730, "8.7 million"),
            (30_550_642, "30 million"),
            (2_500_000_000, "2.5 thousand million"),
            (41_000_000_000_000, "4 x 10^13"),
            (u64::MAX, "10^19 or more"),
        ] {
            assert_eq!(number(is), said);
        }
        for (is, said) in [
            (0.2, "0 seconds"),
            (1.0, "1 second"),
            (119.0, "119 seconds"),
            (120.0, "2 minutes"),
            (90_000.0, "25 hours"),
            (1e9, "32 years"),
            (1e20, "a million years or more"),
        ] {
            assert_eq!(time(is), said);
        }
    }
}
