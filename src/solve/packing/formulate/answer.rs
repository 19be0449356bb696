//! What HiGHS, CBC and GLPK write of a solution, in variables and their values in millionths.
//!
//! The kind is told by the first line: `Model status` (HiGHS, raw and sparse), `Columns` (HiGHS, pretty),
//! `... - objective value ...` (CBC), `Problem:` (GLPK, printable), `c Problem:` or `s mip` (GLPK, raw: numbers of columns
//! instead of names). HiGHS writes the two kinds of GLPK on request.

use std::fmt;

use super::error::{FormulateError, Solver};
use super::names::plain;

/// A solution, as written.
#[derive(Debug)]
pub(super) struct Answer<'a> {
    pub(super) values: Vec<Value<'a>>,
    /// How many variables there are, where all of them are listed.
    pub(super) columns: Option<usize>,
}

#[derive(Debug)]
pub(super) struct Value<'a> {
    /// Where it stands, from 1.
    pub(super) line: usize,
    pub(super) column: Column<'a>,
    /// The value as written.
    pub(super) text: &'a str,
    pub(super) millionths: i64,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Column<'a> {
    Named(&'a str),
    /// From 1.
    Numbered(usize),
}

impl fmt::Display for Column<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Column::Named(name) => f.write_str(&plain(name)),
            Column::Numbered(number) => write!(f, "column {number}"),
        }
    }
}

impl<'a> Answer<'a> {
    pub(super) fn read(text: &'a str) -> Result<Answer<'a>, FormulateError> {
        let text = text.trim_start_matches('\u{feff}');
        let lines: Vec<(usize, &str)> =
            (1..).zip(text.lines().map(str::trim)).filter(|line| !line.1.is_empty()).collect();
        let first = lines.first().map_or("", |line| line.1);
        let is_raw =
            |line: &str| line == "c" || ["c ", "s bas ", "s ipt ", "s mip "].iter().any(|s| line.starts_with(s));
        match first {
            "Model status" => highs(&lines),
            "Columns" => highs_pretty(&lines),
            _ if first.contains(" - objective value") => cbc(&lines),
            _ if first.starts_with("Problem:") => glpk_printed(&lines),
            _ if is_raw(first) => glpk_raw(&lines),
            _ => Err(FormulateError::UnknownFormat),
        }
    }
}

/// Lines that are not empty, with their numbers.
type Lines<'l, 'a> = &'l [(usize, &'a str)];

/// `Model status`, the status, `# Primal solution values`, `Feasible`, `# Columns N`, then `NAME VALUE` N times; or
/// `# Columns -N sparse`, then `NAME VALUE INDEX` for those that are not 0.
fn highs<'a>(lines: Lines<'_, 'a>) -> Result<Answer<'a>, FormulateError> {
    let solver = Solver::Highs;
    let cut_short = |missing| FormulateError::CutShort { solver, missing };
    let status = lines.get(1).ok_or(cut_short("the status"))?.1;
    let primal = lines.iter().position(|line| line.1 == "# Primal solution values");
    let feasible = primal.and_then(|at| lines.get(at + 1)).map(|line| line.1);
    no_solution(solver, status, feasible == Some("Feasible") || feasible.is_none())?;
    let Some(start) = lines.iter().position(|line| line.1.starts_with("# Columns ")) else {
        return Err(cut_short("the list of columns"));
    };
    let (line, head) = lines[start];
    let mut words = head["# Columns ".len()..].split_whitespace();
    let count: Option<i64> = words.next().and_then(|count| count.parse().ok());
    let is_sparse = words.next() == Some("sparse");
    let Some(count) = count.and_then(|count| usize::try_from(count.unsigned_abs()).ok()) else {
        return Err(unexpected(line, "the number of columns", head));
    };
    let values = lines[start + 1..].iter().take_while(|line| !line.1.starts_with('#')).map(|&(line, text)| {
        let mut words = text.split_whitespace();
        match (words.next(), words.next()) {
            (Some(name), Some(value)) => Value::new(line, Column::Named(name), value),
            _ => Err(unexpected(line, "the name of a variable and its value", text)),
        }
    });
    let values = values.collect::<Result<Vec<_>, _>>()?;
    if values.len() < count {
        return Err(cut_short("a part of the list of columns"));
    }
    Ok(Answer { values, columns: (!is_sparse).then_some(count) })
}

/// `Columns`, a head, `INDEX LOWER UPPER VALUE Integer NAME` each, `Rows` and the same of those, `Model status: STATUS`.
/// Without a solution the values are blank.
fn highs_pretty<'a>(lines: Lines<'_, 'a>) -> Result<Answer<'a>, FormulateError> {
    let solver = Solver::Highs;
    let status = lines.iter().find_map(|line| line.1.strip_prefix("Model status:")).map(str::trim);
    let status = status.ok_or(FormulateError::CutShort { solver, missing: "the status" })?;
    let columns = lines[1..].iter().take_while(|line| line.1 != "Rows").filter(|line| !line.1.starts_with("Index "));
    let is_blank = |text: &str| text.split_whitespace().nth(3) == Some("Integer");
    no_solution(solver, status, !columns.clone().any(|line| is_blank(line.1)))?;
    let values = columns.map(|&(line, text)| match *text.split_whitespace().collect::<Vec<_>>() {
        [_, _, _, value, "Integer", name] => Value::new(line, Column::Named(name), value),
        _ => Err(unexpected(line, "an index, two bounds, a value, Integer and a name", text)),
    });
    let values = values.collect::<Result<Vec<_>, _>>()?;
    Ok(Answer { columns: Some(values.len()), values })
}

/// `STATUS - objective value VALUE`, then `INDEX NAME VALUE COST`, marked with `**` where a bound is not kept. Columns
/// that are 0 are left out, and rows too, but all are there on request.
fn cbc<'a>(lines: Lines<'_, 'a>) -> Result<Answer<'a>, FormulateError> {
    let status = lines[0].1.split(" - objective value").next().unwrap_or_default();
    no_solution(Solver::Cbc, status, !status.contains("no integer solution"))?;
    let values = lines[1..].iter().map(|&(line, text)| {
        let mut words = text.split_whitespace().filter(|&word| word != "**");
        match (words.next(), words.next(), words.next(), words.next()) {
            (Some(_), Some(name), Some(value), Some(_)) => Value::new(line, Column::Named(name), value),
            _ => Err(unexpected(line, "an index, a name, a value and a cost", text)),
        }
    });
    Ok(Answer { values: values.collect::<Result<_, _>>()?, columns: None })
}

/// `Columns: N ...`, `Status: ...`, then behind `No. Column name ...` and a rule `NUMBER NAME MARK VALUE ...`, where a
/// long name has the rest on the next line; `End of output`.
fn glpk_printed<'a>(lines: Lines<'_, 'a>) -> Result<Answer<'a>, FormulateError> {
    let solver = Solver::Glpk;
    let cut_short = |missing| FormulateError::CutShort { solver, missing };
    let head = |key: &str| lines.iter().find_map(|line| line.1.strip_prefix(key)).map(str::trim);
    let status = head("Status:").ok_or(cut_short("the status"))?;
    no_solution(solver, status, !status.contains("UNDEFINED"))?;
    let columns = head("Columns:").and_then(|text| text.split_whitespace().next()).and_then(|count| count.parse().ok());
    let columns: usize = columns.ok_or(cut_short("the number of columns"))?;
    let is_head = |line: &(usize, &str)| line.1.split_whitespace().take(3).eq(["No.", "Column", "name"]);
    let start = lines.iter().position(is_head).ok_or(cut_short("the list of columns"))?;
    let mut values = Vec::new();
    let mut left = lines[start + 1..].iter().filter(|line| !line.1.starts_with("---"));
    while values.len() < columns {
        let &(line, text) = left.next().ok_or(cut_short("a part of the list of columns"))?;
        let mut words: Vec<&str> = text.split_whitespace().collect();
        if words.len() == 2 {
            words.extend(left.next().ok_or(cut_short("a part of the list of columns"))?.1.split_whitespace());
        }
        // The mark of a whole number, or where a column stands that may be broken; an interior point has none.
        let marks = usize::from(words.get(2).is_some_and(|word| ["*", "B", "NL", "NU", "NF", "NS"].contains(word)));
        match (words.first().map(|number| number.parse::<usize>()), words.get(1), words.get(2 + marks)) {
            (Some(Ok(_)), Some(name), Some(value)) => values.push(Value::new(line, Column::Named(name), value)?),
            _ => return Err(unexpected(line, "a number, the name of a variable and its value", text)),
        }
    }
    if left.all(|line| line.1 != "End of output") {
        return Err(cut_short("its last line"));
    }
    Ok(Answer { values, columns: Some(columns) })
}

/// `s KIND ROWS COLUMNS STATUS ...`, then a line a row, then `j NUMBER ...` a column, then `e o f`.
fn glpk_raw<'a>(lines: Lines<'_, 'a>) -> Result<Answer<'a>, FormulateError> {
    let solver = Solver::Glpk;
    let cut_short = |missing| FormulateError::CutShort { solver, missing };
    let (line, head) = *lines.iter().find(|line| line.1.starts_with("s ")).ok_or(cut_short("the status"))?;
    let words: Vec<&str> = head.split_whitespace().collect();
    let columns: Option<usize> = words.get(3).and_then(|count| count.parse().ok());
    let (Some(&kind), Some(columns), Some(&status)) = (words.get(1), columns, words.get(4)) else {
        return Err(unexpected(line, "the kind of solution, rows, columns and the status", head));
    };
    let status = match status {
        "o" => "optimal",
        "f" => "feasible",
        "n" => "empty",
        _ => "undefined",
    };
    no_solution(solver, status, status != "undefined")?;
    // The value stands behind the number, in a basic solution behind one more word.
    let place = if kind == "bas" { 3 } else { 2 };
    let values = lines.iter().filter(|line| line.1.starts_with("j ")).map(|&(line, text)| {
        let words: Vec<&str> = text.split_whitespace().collect();
        match (words.get(1).and_then(|number| number.parse().ok()), words.get(place)) {
            (Some(number), Some(value)) => Value::new(line, Column::Numbered(number), value),
            _ => Err(unexpected(line, "the number of a column and its value", text)),
        }
    });
    let values = values.collect::<Result<_, _>>()?;
    if lines.last().is_none_or(|line| line.1 != "e o f") {
        return Err(cut_short("its last line"));
    }
    Ok(Answer { values, columns: Some(columns) })
}

/// Tells an answer that there is none from no answer.
fn no_solution(solver: Solver, status: &str, has_values: bool) -> Result<(), FormulateError> {
    let lower = status.to_ascii_lowercase();
    // "Primal infeasible or unbounded" is no less: nothing here can be unbounded.
    if has_none(&lower) {
        return Err(FormulateError::Infeasible { solver });
    }
    if !has_values || lower.contains("unbounded") {
        return Err(FormulateError::NoSolution { solver, status: plain(status) });
    }
    Ok(())
}

fn has_none(status: &str) -> bool {
    status.contains("infeasible") || status.ends_with("empty")
}

fn unexpected(line: usize, expected: &'static str, found: &str) -> FormulateError {
    FormulateError::Line { line, expected, found: plain(&found.chars().take(60).collect::<String>()) }
}

impl<'a> Value<'a> {
    fn new(line: usize, column: Column<'a>, text: &'a str) -> Result<Value<'a>, FormulateError> {
        match millionths(text) {
            Some(millionths) => Ok(Value { line, column, text, millionths }),
            None => Err(unexpected(line, "a number", text)),
        }
    }
}

/// A decimal number such as `-1.25e-7` in millionths, the nearest; what is too large is the largest there is.
fn millionths(text: &str) -> Option<i64> {
    let (sign, unsigned) = match text.strip_prefix('-') {
        Some(rest) => (-1, rest),
        None => (1, text.strip_prefix('+').unwrap_or(text)),
    };
    let (mantissa, exponent) = unsigned.split_once(['e', 'E']).unwrap_or((unsigned, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let digits = format!("{whole}{fraction}");
    if !is_number(&digits) || !is_number(exponent.strip_prefix(['-', '+']).unwrap_or(exponent)) {
        return None;
    }
    // An exponent with more digits than that is as good as 10,000 either way.
    let limit = if exponent.starts_with('-') { -10_000 } else { 10_000 };
    let exponent = exponent.parse::<i64>().unwrap_or(limit).clamp(-10_000, 10_000);
    // The point comes to stand behind so many of the digits.
    let kept = whole.len() as i64 + exponent + 6;
    let digit = |place: i64| {
        usize::try_from(place).ok().and_then(|place| digits.as_bytes().get(place)).map_or(0, |b| i64::from(b - b'0'))
    };
    let most_places = digits.len() as i64;
    let mut value: i64 = 0;
    for place in 0..kept {
        value = value.saturating_mul(10).saturating_add(digit(place));
        if value == i64::MAX || (value == 0 && place >= most_places) {
            break;
        }
    }
    Some(sign * value.saturating_add(i64::from(digit(kept) >= 5)))
}

#[cfg(test)]
mod tests {
    use super::millionths;

    #[test]
    fn numbers_are_read_to_the_millionth() {
        for (text, expected) in [
            ("0", 0),
            ("-0", 0),
            ("1", 1_000_000),
            ("1.", 1_000_000),
            (".5", 500_000),
            ("+1.25", 1_250_000),
            ("0.9999999999", 1_000_000),
            ("0.9999994", 999_999),
            ("0.9999996", 1_000_000),
            ("1.0000000000000002", 1_000_000),
            ("-1.3e-15", 0),
            ("9.99e-07", 1),
            ("1e+00", 1_000_000),
            ("100E-2", 1_000_000),
            ("0.0000001e7", 1_000_000),
            ("000000000000000000000000000000001", 1_000_000),
            ("1e400", i64::MAX),
            ("-1e99999999999999999999", -i64::MAX),
            ("1e-99999999999999999999", 0),
            ("0e9999999999", 0),
        ] {
            assert_eq!(millionths(text), Some(expected), "{text}");
        }
        for wrong in ["", "-", ".", "e5", "1e", "1e+", "1e5.0", "inf", "nan", "1,5", "0x1", "--1", "1e--1", "١", "1 "]
        {
            assert_eq!(millionths(wrong), None, "{wrong}");
        }
    }
}
