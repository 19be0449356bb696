//! The puzzle in words: who made it, what the search found, what is remarkable about it.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::Page;
use super::html::{escaped, grouped, name};
use crate::puzzle::Puzzle;
use crate::puzzle::moves::{Level, WayApart};
use crate::solve::remarks::remarks;

/// One sentence for those who list pages.
pub(super) fn summary(page: &Page<'_>) -> String {
    let pieces: u32 = page.puzzle.pieces.iter().map(|piece| *piece.count.start()).sum();
    let size = page.puzzle.target.size;
    format!(
        "{}: {pieces} pieces for {} × {} × {}, {}; models, nets and files to print",
        page.puzzle.name,
        size.x,
        size.y,
        size.z,
        solutions(page)
    )
}

/// Author and year, where they are known.
pub(super) fn by(puzzle: &Puzzle) -> String {
    let known = [&puzzle.credits.author, &puzzle.credits.year];
    known.into_iter().flatten().map(|text| name(text)).collect::<Vec<_>>().join(", ")
}

/// What is worth knowing at first sight.
pub(super) fn chips(page: &Page<'_>) -> String {
    let chip = |text: String| format!("<li>{text}</li>");
    let size = page.puzzle.target.size;
    let mut out = chip(format!("{} × {} × {}", size.x, size.y, size.z));
    out += &chip(solutions(page));
    let levels = levels(page);
    if let Some(highest) = levels.keys().next_back() {
        out += &chip(format!("{}level {highest}", if levels.len() > 1 { "up to " } else { "" }));
    }
    if page.outcome.found.first().is_some_and(|found| !remarks(page.puzzle, found).magic.is_empty()) {
        out += &chip("magic face".to_owned());
    }
    out
}

fn solutions(page: &Page<'_>) -> String {
    let outcome = page.outcome;
    match (outcome.solutions(), outcome.complete) {
        (0, true) => "no solution".to_owned(),
        (0, false) => "no solution so far".to_owned(),
        (1, true) => "one solution, unique".to_owned(),
        (1, false) => "one solution found".to_owned(),
        (many, true) => format!("{} solutions", grouped(many)),
        (many, false) => format!("{} solutions so far", grouped(many)),
    }
}

/// The levels of the solutions and how many have each, where that was asked or one takes more than to pull pieces off.
fn levels(page: &Page<'_>) -> BTreeMap<Level, u64> {
    if let Some(apart) = &page.outcome.apart {
        return apart.levels.clone();
    }
    let first = page.ways.first().and_then(Option::as_ref).map(|way| &way.level);
    first.filter(|level| level.0.iter().any(|&moves| moves > 1)).map(|level| (level.clone(), 1)).into_iter().collect()
}

/// The levels with a link to the first solution of the highest.
fn levels_in_words(page: &Page<'_>, levels: &BTreeMap<Level, u64>) -> String {
    let each = levels.iter().map(|(level, count)| match count {
        1 => level.to_string(),
        _ => format!("{level} ({} times)", grouped(*count)),
    });
    let mut out = each.collect::<Vec<_>>().join(", ");
    let highest = levels.keys().next_back().filter(|_| levels.len() > 1);
    let is_highest = |way: &Option<WayApart>| way.as_ref().is_some_and(|way| Some(&way.level) == highest);
    if let Some(number) = page.ways.iter().position(is_highest) {
        let _ = write!(out, "; <a href=\"#solution={0}\">show solution {0}</a>, the highest", number + 1);
    }
    out
}

/// The whole section.
pub(super) fn about(page: &Page<'_>) -> String {
    let (puzzle, outcome) = (page.puzzle, page.outcome);
    let mut out = String::new();
    if let Some(notes) = &puzzle.credits.notes {
        for paragraph in notes.split("\n\n").filter(|paragraph| !paragraph.trim().is_empty()) {
            let _ = write!(out, "<p>{}</p>", name(paragraph.trim()));
        }
    }
    let remarks = outcome.found.first().map(|found| remarks(puzzle, found).to_string()).unwrap_or_default();
    let reason = outcome.reason.as_ref().map(ToString::to_string).unwrap_or_default();
    let sentences: Vec<&str> = remarks.lines().chain(reason.lines()).collect();
    if !sentences.is_empty() {
        out += "<ul class=\"remarks\">";
        sentences.iter().for_each(|sentence| out += &format!("<li>{}</li>", escaped(sentence)));
        out += "</ul>";
    }
    let fact = |term: &str, text: String| format!("<div><dt>{term}</dt><dd>{text}</dd></div>");
    out += "<dl class=\"facts wide\">";
    out += &fact("Solutions", solutions(page));
    let levels = levels(page);
    if !levels.is_empty() {
        let term = if levels.len() == 1 { "Level" } else { "Levels" };
        out += &fact(term, levels_in_words(page, &levels));
    }
    if let Some(apart) = &outcome.apart {
        let text = match (outcome.assemblies, apart.solutions) {
            (1, 1) => "1, and it comes apart".to_owned(),
            (1, _) if apart.unknown == 0 => "1, and it does not come apart".to_owned(),
            (all, come) => format!("{}, of which {} come apart", grouped(all), grouped(come)),
        };
        out += &fact("Assemblies", text);
    }
    if outcome.assemblies > 0 {
        out += &fact("Counted apart", format!("{} different to the eye", grouped(outcome.raw)));
        out += &fact("Taken as one", escaped(&outcome.merged));
    }
    out += &fact(
        "Search",
        format!("{} nodes{}", grouped(outcome.nodes), if outcome.complete { "" } else { ", cut short" }),
    );
    let credits = &puzzle.credits;
    for (term, text) in [
        ("Author", &credits.author),
        ("Year", &credits.year),
        ("Source", &credits.source),
        ("Licence", &credits.licence),
    ] {
        out += &text.as_ref().map(|text| fact(term, name(text))).unwrap_or_default();
    }
    out + "</dl>"
}
