//! Puzzles and their solutions -> the text of a BurrTools file. Packed with gzip it is what BurrTools itself writes.

use std::collections::BTreeSet;
use std::fmt;
use std::fmt::Write;

use super::{Apart, Kept, Separation, State, Stored, turns};
use crate::puzzle::assembly::Placement;
use crate::puzzle::colour::Colour;
use crate::puzzle::grid::{Cell, Orientation};
use crate::puzzle::packing_rules::{Merge, TintId};
use crate::puzzle::piece::{Piece, PieceId};
use crate::puzzle::settings::Settings;
use crate::puzzle::{Known, Puzzle};

/// A BurrTools file, and what it does not say of the puzzles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The text, XML.
    pub text: String,
    /// What was left out or said otherwise, a sentence each.
    pub left_out: Vec<String>,
}

/// Why a puzzle cannot be written as a problem of BurrTools.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WriteError {
    /// It has marks on its pieces, or rules of such.
    Marks,
    /// This piece may be used in its mirror image too.
    Mirrored(String),
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WriteError::Marks => f.write_str("BurrTools knows no digits or colours on faces and no rules about them"),
            WriteError::Mirrored(name) => write!(
                f,
                "BurrTools cannot say that the piece '{name}' may be used as its mirror image; list the mirror image as a \
                 piece of its own, and how many there are of each"
            ),
        }
    }
}

impl std::error::Error for WriteError {}

/// Writes puzzles with what is known of their solutions. The text of the first that has one goes with the file; those of
/// one file have one palette.
pub fn write(puzzles: &[(&Puzzle, &Stored)], pops_up: bool) -> Result<Written, WriteError> {
    let mut writer = Writer::default();
    let mut problems = String::new();
    for (puzzle, stored) in puzzles {
        check(puzzle)?;
        problems += &writer.problem(puzzle, stored);
    }
    let palette = puzzles.iter().map(|(puzzle, _)| &puzzle.rules.packing.tints.palette).find(|all| !all.is_empty());
    let color = |c: &Colour| format!("  <color red=\"{}\" green=\"{}\" blue=\"{}\"/>\n", c.red, c.green, c.blue);
    let colors: String = palette.into_iter().flatten().map(color).collect();
    let comment = puzzles.iter().map(|(puzzle, _)| writer.comment(puzzle)).find(|text| !text.is_empty());
    let popup = if pops_up { " popup=\"1\"" } else { "" };
    let text = format!(
        "<?xml version=\"1.0\"?>\n<puzzle version=\"2\">\n <gridType type=\"0\"/>\n <colors>\n{colors} </colors>\n \
         <shapes>\n{shapes} </shapes>\n <problems>\n{problems} </problems>\n <comment{popup}>{comment}</comment>\n\
         </puzzle>\n",
        shapes = writer.shapes.concat(),
        comment = escaped(&comment.unwrap_or_default()),
    );
    let mut seen = BTreeSet::new();
    writer.left_out.retain(|sentence| seen.insert(sentence.clone()));
    Ok(Written { text, left_out: writer.left_out })
}

fn check(puzzle: &Puzzle) -> Result<(), WriteError> {
    if !puzzle.is_packing() {
        return Err(WriteError::Marks);
    }
    match puzzle.pieces.iter().find_map(|piece| piece.twin_of) {
        Some(of) => Err(WriteError::Mirrored(puzzle.piece(of).name.clone())),
        None => Ok(()),
    }
}

#[derive(Default)]
struct Writer {
    /// One line each; shapes that are the same are written once.
    shapes: Vec<String>,
    left_out: Vec<String>,
}

impl Writer {
    fn problem(&mut self, puzzle: &Puzzle, stored: &Stored) -> String {
        self.leave_out(puzzle, stored);
        let packing = &puzzle.rules.packing;
        let goal = self.shape(&goal(puzzle));
        let mut parts = String::new();
        for (id, piece) in puzzle.ids().zip(&puzzle.pieces) {
            let shape = self.shape(&voxel(puzzle, id));
            let (least, most) = (piece.count.start(), piece.count.end());
            let count = match least == most {
                true => format!("count=\"{most}\""),
                false => format!("min=\"{least}\" max=\"{most}\""),
            };
            let groups = (1..).zip(&puzzle.rules.groups);
            let groups = groups.filter_map(|(number, group)| group.most.get(&id).map(|most| (number, most)));
            let groups: String = groups
                .map(|(number, most): (u32, _)| format!("<group group=\"{number}\" count=\"{most}\"/>"))
                .collect();
            let _ = match groups.is_empty() {
                true => writeln!(parts, "    <shape id=\"{shape}\" {count}/>"),
                false => writeln!(parts, "    <shape id=\"{shape}\" {count}>{groups}</shape>"),
            };
        }
        let pair =
            |(piece, goal): &(TintId, TintId)| format!("    <pair piece=\"{}\" result=\"{}\"/>\n", piece.0, goal.0);
        let pairs: String = packing.tints.pairs.iter().map(pair).collect();
        let holes = packing.most_empty.map(|most| format!(" maxHoles=\"{most}\"")).unwrap_or_default();
        format!(
            "  <problem name=\"{}\"{}{holes}>\n   <shapes>\n{parts}   </shapes>\n   <result id=\"{goal}\"/>\n   \
             <bitmap>\n{pairs}   </bitmap>\n{}  </problem>\n",
            attribute(&puzzle.name),
            self.counts(stored),
            solutions(puzzle, &stored.kept),
        )
    }

    fn shape(&mut self, text: &str) -> usize {
        let known = self.shapes.iter().position(|shape| shape == text);
        known.unwrap_or_else(|| {
            self.shapes.push(text.to_owned());
            self.shapes.len() - 1
        })
    }

    /// A search that was interrupted can be resumed by the version of BurrTools alone that began it.
    fn counts(&mut self, stored: &Stored) -> String {
        let state = match stored.state {
            State::Unsolved => 0,
            State::Solved => 2,
            State::Unknown => 3,
            State::Interrupted => {
                self.left_out.push("that the search of BurrTools was interrupted; it begins anew there".to_owned());
                3
            }
        };
        let attribute = |name: &str, value: Option<u64>| value.map(|v| format!(" {name}=\"{v}\"")).unwrap_or_default();
        format!(
            " state=\"{state}\"{}{}{}",
            attribute("assemblies", stored.assemblies),
            attribute("solutions", stored.solutions),
            attribute("time", stored.seconds)
        )
    }

    fn leave_out(&mut self, puzzle: &Puzzle, stored: &Stored) {
        let credits = &puzzle.credits;
        let is_credited =
            [&credits.author, &credits.year, &credits.source, &credits.licence].iter().any(|line| line.is_some());
        let is_painted = |(index, piece): (usize, &Piece)| piece.colour != Colour::of_palette(index);
        let mut leave_out = |is_so: bool, what: &str| self.left_out.extend(is_so.then(|| what.to_owned()));
        leave_out(is_credited, "author, year, source and licence as such; they stand in the comment");
        leave_out(
            credits.known != Known::default(),
            match stored.state {
                State::Unsolved => "how many solutions are known; --solve writes them",
                _ => "what is known of the solutions as such; the counts of this search stand there",
            },
        );
        let names = || puzzle.pieces.iter().map(|piece| &piece.name).chain([&puzzle.name]);
        leave_out(names().any(|name| name.trim() != name), "spaces around the names");
        leave_out(
            names().chain(&credits.notes).any(|text| text.contains(is_no_xml)),
            "control characters, which XML has not; they are spaces there",
        );
        leave_out(
            puzzle.pieces.iter().enumerate().any(is_painted),
            "the colours of the pieces; BurrTools chooses them itself",
        );
        leave_out(
            puzzle.pieces.iter().any(|piece| piece.marks.values().any(|mark| mark.text != piece.name)),
            "what stands on the faces of the pieces",
        );
        leave_out(puzzle.settings != Settings::default(), "how the pieces are to be made");
        leave_out(
            puzzle.rules.apart
                && stored.solutions.is_none_or(|solutions| solutions == 0)
                && stored.kept.iter().all(|kept| kept.apart == Apart::Unsaid),
            "that a solution must come apart; BurrTools asks for that when it solves",
        );
        leave_out(puzzle.rules.packing.merge != Merge::default(), "which assemblies count as one");
        leave_out(
            !puzzle.rules.packing.equal_apart && puzzle.rules.packing.tints.leave_equal(&puzzle.pieces),
            "that equal pieces listed apart are not told apart; BurrTools counts their exchange as another assembly",
        );
    }

    fn comment(&self, puzzle: &Puzzle) -> String {
        let credits = &puzzle.credits;
        let labelled = [
            ("Author", &credits.author),
            ("Year", &credits.year),
            ("Source", &credits.source),
            ("Licence", &credits.licence),
        ];
        let lines =
            labelled.into_iter().filter_map(|(label, text)| text.as_ref().map(|text| format!("{label}: {text}")));
        credits.notes.iter().cloned().chain(lines).collect::<Vec<_>>().join("\n")
    }
}

fn goal(puzzle: &Puzzle) -> String {
    let target = &puzzle.target;
    let state = |cell: Cell| match (target.filled.contains(&cell), target.optional.contains(&cell)) {
        (true, _) => '#',
        (_, true) => '+',
        _ => '_',
    };
    drawn(target.size, "", &|cell| (state(cell), puzzle.rules.packing.tints.target.get(&cell).copied()))
}

fn voxel(puzzle: &Puzzle, id: PieceId) -> String {
    let (piece, packing) = (puzzle.piece(id), &puzzle.rules.packing);
    let weight = packing.weights.get(&id).map(|weight| format!(" weight=\"{weight}\"")).unwrap_or_default();
    let state = |cell: Cell| if piece.shape.contains(cell) { '#' } else { '_' };
    drawn(piece.shape.size(), &format!("{weight} name=\"{}\"", attribute(&piece.name)), &|cell| {
        (state(cell), packing.tints.pieces.get(&(id, cell)).copied())
    })
}

fn drawn(size: Cell, attributes: &str, look: &dyn Fn(Cell) -> (char, Option<TintId>)) -> String {
    let mut text = format!("  <voxel x=\"{}\" y=\"{}\" z=\"{}\"{attributes} type=\"0\">", size.x, size.y, size.z);
    for z in 0..size.z {
        for (y, x) in (0..size.y).flat_map(|y| (0..size.x).map(move |x| (y, x))) {
            let (state, tint) = look(Cell::new(x, y, z));
            text.push(state);
            text += &tint.map(|tint| (usize::from(tint.0) + 1).to_string()).unwrap_or_default();
        }
    }
    text + "</voxel>\n"
}

fn solutions(puzzle: &Puzzle, kept: &[Kept]) -> String {
    if kept.is_empty() {
        return String::new();
    }
    let mut text = "   <solutions>\n".to_owned();
    for kept in kept {
        let number = |name: &str, value: u64| if value > 0 { format!(" {name}=\"{value}\"") } else { String::new() };
        let (assembly, solution) = (number("asmNum", kept.assembly_number), number("solNum", kept.solution_number));
        // Where the first orientation that looks the same puts a piece, and how far that is from where it was.
        let normal: Vec<Option<(usize, Cell, Cell)>> =
            (kept.placements.iter()).map(|placement| placement.map(|placement| normal(puzzle, placement))).collect();
        let word = |at: &Option<(usize, Cell, Cell)>| match at {
            Some((turn, offset, _)) => format!("{} {} {} {turn}", offset.x, offset.y, offset.z),
            None => "x".to_owned(),
        };
        let words = normal.iter().map(word).collect::<Vec<_>>().join(" ");
        let _ = write!(text, "    <solution{assembly}{solution}>\n     <assembly>{words}</assembly>\n");
        let shift = |piece: usize| normal[piece].map_or(Cell::ZERO, |normal| normal.2);
        match &kept.apart {
            Apart::Unsaid => {}
            Apart::Moves(separation) => write_separation(&mut text, separation, "", &shift),
            Apart::Counts(counts) => {
                let _ = writeln!(text, "     <separationInfo>{}</separationInfo>", spaced(counts.iter()));
            }
        }
        text += "    </solution>\n";
    }
    text + "   </solutions>\n"
}

/// The number of the first orientation in which the piece fills the same cells and looks the same, its offset there, and
/// the difference of the offsets.
fn normal(puzzle: &Puzzle, placement: Placement) -> (usize, Cell, Cell) {
    let (shape, tints) = (&puzzle.piece(placement.piece).shape, &puzzle.rules.packing.tints.pieces);
    let turned = |orientation: Orientation| {
        let tint = |cell: Cell| tints.get(&(placement.piece, cell));
        let mut cells: Vec<_> = shape.cells().iter().map(|&cell| (orientation.turn(cell), tint(cell))).collect();
        let corner = super::problem::corner(&cells.iter().map(|cell| cell.0).collect::<Vec<_>>());
        cells.iter_mut().for_each(|cell| cell.0 = cell.0 - corner);
        cells.sort_unstable();
        (cells, corner)
    };
    let (look, corner) = turned(placement.orientation);
    let found =
        (0..Orientation::COUNT).filter_map(|number| turns::orientation(number).map(|turn| (number, turned(turn))));
    let (number, shift) = (found.filter(|(_, other)| other.0 == look))
        .map(|(number, other)| (number, corner - other.1))
        .next()
        .expect("the orientation of the placement is one of them");
    (number, placement.offset + shift, shift)
}

fn write_separation(text: &mut String, separation: &Separation, kind: &str, shift: &dyn Fn(usize) -> Cell) {
    let Separation { pieces, states, left, removed } = separation;
    let _ = write!(
        text,
        "     <separation{kind}>\n      <pieces count=\"{}\">{}</pieces>\n",
        pieces.len(),
        spaced(pieces.iter())
    );
    for state in states {
        let at = || state.iter().zip(pieces).map(|(&offset, &piece)| offset + shift(piece));
        let (x, y, z) = (spaced(at().map(|c| c.x)), spaced(at().map(|c| c.y)), spaced(at().map(|c| c.z)));
        let _ = writeln!(text, "      <state><dx>{x}</dx><dy>{y}</dy><dz>{z}</dz></state>");
    }
    for (child, kind) in [(removed, " type=\"removed\""), (left, " type=\"left\"")] {
        if let Some(child) = child {
            write_separation(text, child, kind, shift);
        }
    }
    *text += "     </separation>\n";
}

fn spaced<T: fmt::Display>(numbers: impl Iterator<Item = T>) -> String {
    numbers.map(|number| number.to_string()).collect::<Vec<_>>().join(" ")
}

fn is_no_xml(c: char) -> bool {
    matches!(c, '\u{0}'..='\u{8}' | '\u{b}' | '\u{c}' | '\u{e}'..='\u{1f}' | '\u{7f}' | '\u{fffe}' | '\u{ffff}')
}

/// Text as it may stand between tags; BurrTools reads bytes and takes them for Latin-1, so that other characters are
/// written by their numbers. Characters that XML has not become spaces.
fn escaped(text: &str) -> String {
    let escape = |c: char| match c {
        '&' => "&amp;".to_owned(),
        '<' => "&lt;".to_owned(),
        '>' => "&gt;".to_owned(),
        '"' => "&quot;".to_owned(),
        '\n' | '\t' | ' '..='~' => c.to_string(),
        c if is_no_xml(c) => " ".to_owned(),
        other => format!("&#{};", u32::from(other)),
    };
    text.chars().map(escape).collect()
}

/// The same in an attribute, where ends of lines would be read as spaces.
fn attribute(text: &str) -> String {
    escaped(text).replace('\n', "&#10;").replace('\t', "&#9;")
}
