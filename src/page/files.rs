//! Links to every other file of the folder: how large it is and what it is for.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::Page;
use super::html::{escaped, href, name, size};
use crate::puzzle::piece::PieceId;
use crate::report::Written;

/// The whole list, in groups.
pub(super) fn list(page: &Page<'_>) -> String {
    let is_piece = |file: &&Written| page.piece_files.iter().any(|names| file_of(&file.path, names).is_some());
    let (of_pieces, others): (Vec<&Written>, Vec<&Written>) = page.files.iter().partition(is_piece);
    let (solutions, others): (Vec<&Written>, Vec<&Written>) =
        others.into_iter().partition(|file| file.path.starts_with("solution-"));
    let (steps, others): (Vec<&Written>, Vec<&Written>) =
        others.into_iter().partition(|file| file.path.starts_with("steps/"));
    let (nets, whole): (Vec<&Written>, Vec<&Written>) =
        others.into_iter().partition(|file| file.path.starts_with("nets/"));
    let mut out = group("The whole puzzle", true, &rows(&whole, true));
    if !of_pieces.is_empty() {
        out += &group("Each piece", false, &table(page));
    }
    if !nets.is_empty() {
        out += &group("Nets to print on paper", false, &rows(&nets, false));
    }
    if !steps.is_empty() {
        let number = |path: &str| path.chars().filter(char::is_ascii_digit).collect::<String>();
        let links: String = steps.iter().map(|file| link(file, &number(&file.path))).collect();
        out += &group("Pictures of taking it apart, after each move", false, &chips(&links));
    }
    if !solutions.is_empty() {
        let mut solutions = solutions;
        solutions.sort_by_key(|file| (file.path.len(), &file.path));
        let links: String = solutions.iter().enumerate().map(|(k, file)| link(file, &(k + 1).to_string())).collect();
        out += &group("Solutions as text", false, &chips(&links));
    }
    out
}

fn chips(links: &str) -> String {
    format!("<p class=\"chips\">{links}</p>")
}

fn group(title: &str, is_open: bool, content: &str) -> String {
    let open = if is_open { " open" } else { "" };
    format!("<details{open}><summary>{title}</summary>{content}</details>")
}

fn rows(files: &[&Written], with_report: bool) -> String {
    let mut out = "<ul class=\"files\">".to_owned();
    for file in files {
        let purpose = purpose(&file.path);
        let _ = write!(out, "<li>{}<span>{purpose}</span></li>", link(file, &file.path));
    }
    if with_report {
        out += "<li><a href=\"report.json\" download>report.json</a><span>counts, sizes and fingerprints, for \
                programs</span></li>";
    }
    out + "</ul>"
}

/// A row a piece, a column a kind of file. The viewer names each link after its row and column.
fn table(page: &Page<'_>) -> String {
    let all: Vec<(PieceId, BTreeMap<String, &Written>)> =
        page.puzzle.ids().map(|id| (id, files_of(page, id).into_iter().collect())).collect();
    let mut kinds: Vec<&String> = Vec::new();
    for kind in all.iter().flat_map(|(_, files)| files.keys()) {
        if !kinds.contains(&kind) {
            kinds.push(kind);
        }
    }
    let head: String = kinds.iter().map(|kind| format!("<th scope=\"col\">{kind}</th>")).collect();
    let mut body = String::new();
    for (id, files) in &all {
        let cell = |kind: &&String| {
            let link =
                files.get(*kind).map(|file| format!("<a href=\"{}\">{}</a>", href(&file.path), size(file.bytes)));
            format!("<td>{}", link.unwrap_or_default())
        };
        let cells: String = kinds.iter().map(cell).collect();
        // HTML closes cells and rows by itself.
        let _ = write!(body, "<tr><th>{}{cells}", name(&page.puzzle.piece(*id).name));
    }
    let purpose = |kind: &&String| {
        let file = all.iter().find_map(|(_, files)| files.get(*kind));
        format!("<dt>{kind}</dt><dd>{}</dd>", file.map_or("", |file| purpose(&file.path)))
    };
    let purposes: String = kinds.iter().map(purpose).collect();
    format!(
        "<dl class=\"purposes\">{purposes}</dl><div class=\"scroll of-pieces\" tabindex=\"0\" role=\"region\" aria-label=\"Files of \
         each piece\"><table><thead><tr><th scope=\"col\">Piece</th>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )
}

/// The files of a piece by what they are.
fn files_of<'a>(page: &Page<'a>, id: PieceId) -> Vec<(String, &'a Written)> {
    let of = |file: &'a Written| file_of(&file.path, &page.piece_files[id.0]).map(|kind| (kind, file));
    page.files.iter().filter_map(of).collect()
}

/// What kind of file that is, if it belongs to the piece whose models and nets have these names.
fn file_of(path: &str, names: &[String; 2]) -> Option<String> {
    let (folder, file) = path.split_once('/')?;
    let (stem, ending) = file.rsplit_once('.')?;
    let ending = ending.to_ascii_uppercase();
    match folder {
        "pieces" if stem == names[0] => Some(ending),
        "nets" if stem == names[1] => Some(format!("Net {ending}")),
        _ => None,
    }
}

fn link(file: &Written, text: &str) -> String {
    format!("<a href=\"{}\" download>{}<small>{}</small></a>", href(&file.path), escaped(text), size(file.bytes))
}

/// What a file is for.
fn purpose(path: &str) -> &'static str {
    let (folder, file) = path.split_once('/').unwrap_or(("", path));
    let ending = file.rsplit_once('.').map_or("", |(_, ending)| ending);
    match (folder, ending) {
        ("pieces", "stl") => "for the slicer: lies on the side that prints best",
        ("pieces", "3mf") => "for the slicer: with name and colours",
        ("pieces", "step") => "for CAD: exact surfaces, coloured digits",
        ("pieces", "glb") => "for viewers and games: with colours",
        ("pieces", "png") => "a picture, for lists and read-me files",
        ("nets", "png") if file.starts_with("page-") => "a page to print at 100 %: cut, fold, glue",
        ("nets", "svg") if file.starts_with("page-") => "the same page for cutting plotters",
        ("nets", "png") => "net at real size: cut, fold, glue",
        ("nets", "svg") => "net as vectors, for cutting plotters",
        ("", "3mf") if file.starts_with("plate") => "start here to print: pieces laid out on the bed, in colour",
        ("", "3mf") => "solved, in colour, for looking",
        ("", "glb") if file.starts_with("exploded") => "pieces apart, for viewers and games; play it to assemble them",
        ("", "glb") => "solved, for viewers and games; play it to see it come together",
        ("", "stl") if file.starts_with("exploded") => "pieces apart, as one mesh",
        ("", "stl") => "solved, as one mesh",
        ("", "step") if file.starts_with("exploded") => "pieces apart, for CAD",
        ("", "step") => "solved, for CAD: exact and coloured",
        ("", "png") if file == "turntable.png" => "solved, seen from all around: an animated picture",
        ("", "png") if file == "assembly.png" => "how the pieces come together: an animated picture",
        ("", "png") if file.starts_with("exploded") => "a picture of the pieces apart",
        ("", "png") => "a picture of the solution",
        ("", "txt") => "a solution as text",
        _ => "",
    }
}
