//! A puzzle of cubies as small numbers, so that the search never touches text.
//!
//! A look is what a kind of cubie shows in one of its orientations; orientations that look the same are one look, and
//! cubies with the same marks in some orientation are one kind, unless they differ in a colour that a rule asks for. A
//! text that a pair of [`Rules::turned`](crate::puzzle::rules::Rules::turned) turns into another is the same as that
//! other upside down; a colour is the same however it is turned. Where faces make no difference (`views`), all looks that
//! differ in them alone are stood for by the least.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use super::SolveError;
use super::views::Views;
use crate::puzzle::Puzzle;
use crate::puzzle::assembly::{Assembly, Placement};
use crate::puzzle::colour::Colour;
use crate::puzzle::grid::{Cell, Orientation};
use crate::puzzle::piece::{Piece, PieceId};

/// The cells to fill and what there is to fill them.
pub(super) struct Cubies {
    /// The cells, sorted.
    pub(super) cells: Vec<Cell>,
    /// The kinds of cubie, in the order of their first pieces.
    pub(super) kinds: Vec<Kind>,
    /// The texts; the first of them are the symbols.
    pub(super) texts: Texts,
    /// Which faces make a difference.
    pub(super) views: Views,
}

/// Cubies that look the same.
pub(super) struct Kind {
    /// At least one.
    pub(super) pieces: Vec<PieceId>,
    /// How many are used.
    pub(super) count: RangeInclusive<usize>,
    /// The colour of the body.
    pub(super) colour: Colour,
    /// The faces of each look, in the order of [`Side::ALL`]; the first is how the first piece stands in its file.
    pub(super) looks: Vec<Faces>,
    /// The first orientation of the first piece with each look.
    orientations: Vec<Orientation>,
    /// The look of the first piece in each orientation.
    look_of: [u8; Orientation::COUNT],
}

/// Where the top of a colour points.
pub(super) const NO_TOP: u8 = 6;

pub(super) type Faces = [Option<Face>; 6];

/// A text and where its top points: the number of a side, or [`NO_TOP`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Face {
    pub(super) text: u16,
    pub(super) up: u8,
}

/// What is seen at a cell: a kind of cubie in one of its looks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Look {
    pub(super) kind: u16,
    pub(super) look: u8,
}

/// The look at each of the cells: a physical assembly.
pub(super) type Pattern = Vec<Look>;

impl Cubies {
    /// The cubies of a puzzle; an error when one has more than one cell, or the rules contradict each other.
    pub(super) fn new(puzzle: &Puzzle) -> Result<Cubies, SolveError> {
        if !puzzle.target.optional.is_empty() {
            return Err(SolveError::OptionalCells);
        }
        if let Some(piece) = puzzle.pieces.iter().find(|piece| piece.shape.cells().len() > 1) {
            return Err(SolveError::ManyCells { piece: piece.name.clone(), cells: piece.shape.cells().len() });
        }
        let texts = Texts::new(puzzle)?;
        let mut kinds: Vec<Kind> = Vec::new();
        let mut by_look: BTreeMap<(Option<Colour>, Faces), usize> = BTreeMap::new();
        for id in puzzle.ids() {
            let (faces, colour) = (texts.faces(puzzle.piece(id)), puzzle.piece(id).colour);
            // A colour that no rule asks for is decoration: a file may leave it out, and the palette fills it in.
            let ruled = puzzle.rules.chequered.map(|_| colour);
            match by_look.get(&(ruled, faces)) {
                Some(&kind) => kinds[kind].push(id, puzzle.piece(id)),
                None => {
                    let kind = Kind::new(id, puzzle.piece(id), faces, &texts);
                    by_look.extend(kind.looks.iter().map(|&look| ((ruled, look), kinds.len())));
                    kinds.push(kind);
                }
            }
        }
        let views = Views::new(puzzle, &kinds);
        Ok(Cubies { cells: puzzle.target.filled.iter().copied().collect(), kinds, texts, views })
    }

    /// Whether there is exactly one piece of that kind, and it is used.
    pub(super) fn is_single(&self, kind: usize) -> bool {
        self.kinds[kind].count == (1..=1)
    }

    /// The look after turning.
    pub(super) fn turned(&self, Look { kind, look }: Look, by: Orientation) -> Look {
        let of = &self.kinds[usize::from(kind)];
        let now = of.orientations[usize::from(look)].index();
        Look { kind, look: of.look_of[usize::from(THEN[now][by.index()])] }
    }

    /// The faces of a look.
    pub(super) fn faces(&self, look: Look) -> &Faces {
        &self.kinds[usize::from(look.kind)].looks[usize::from(look.look)]
    }

    /// All looks of all kinds, in order.
    pub(super) fn looks(&self) -> impl Iterator<Item = Look> {
        let looks = |(kind, of): (u16, &Kind)| (0..of.looks.len() as u8).map(move |look| Look { kind, look });
        (0..).zip(&self.kinds).flat_map(looks)
    }

    /// The assembly with that pattern; equal cubies in the order of their cells.
    pub(super) fn assembly(&self, puzzle: &Puzzle, pattern: &[Look]) -> Assembly {
        let mut copies: Vec<Vec<PieceId>> = self.kinds.iter().map(|kind| kind.copies(puzzle)).collect();
        copies.iter_mut().for_each(|copies| copies.reverse());
        let mut placements: Vec<Placement> = (self.cells.iter().zip(pattern))
            .map(|(&offset, &look)| {
                let piece = copies[usize::from(look.kind)].pop().expect("no more of a kind than there are");
                let faces = self.texts.faces(puzzle.piece(piece));
                let shows = |&by: &Orientation| self.texts.turned(&faces, by) == *self.faces(look);
                let orientation = Orientation::all().find(shows).expect("pieces of one kind share all looks");
                Placement { piece, orientation, offset }
            })
            .collect();
        placements.sort_unstable();
        Assembly { placements }
    }

    /// The pattern of an assembly of these cubies; `None` when it does not fill the cells with them, each once.
    pub(super) fn pattern(&self, puzzle: &Puzzle, assembly: &Assembly) -> Option<Pattern> {
        let mut pattern = vec![None; self.cells.len()];
        for placement in &assembly.placements {
            let cell = self.cells.binary_search(&placement.offset).ok()?;
            let kind = self.kinds.iter().position(|kind| kind.pieces.contains(&placement.piece))?;
            let faces = self.texts.turned(&self.texts.faces(puzzle.piece(placement.piece)), placement.orientation);
            let look = self.kinds[kind].looks.iter().position(|look| *look == faces)?;
            pattern[cell] = Some(self.views.seen(Look { kind: kind as u16, look: look as u8 }, cell));
        }
        pattern.into_iter().collect::<Option<Pattern>>().map(|pattern| self.views.in_order(pattern))
    }
}

impl Kind {
    fn new(id: PieceId, first: &Piece, faces: Faces, texts: &Texts) -> Kind {
        let (mut looks, mut orientations) = (Vec::new(), Vec::new());
        let look_of = std::array::from_fn(|index| {
            let orientation = Orientation::from_index(index).expect("the array has one place an orientation");
            let turned = texts.turned(&faces, orientation);
            let known = looks.iter().position(|look| *look == turned);
            known.unwrap_or_else(|| {
                looks.push(turned);
                orientations.push(orientation);
                looks.len() - 1
            }) as u8
        });
        let count = *first.count.start() as usize..=*first.count.end() as usize;
        Kind { pieces: vec![id], count, colour: first.colour, looks, orientations, look_of }
    }

    fn push(&mut self, id: PieceId, piece: &Piece) {
        self.pieces.push(id);
        let (least, most) = (*piece.count.start() as usize, *piece.count.end() as usize);
        self.count = self.count.start() + least..=self.count.end() + most;
    }

    /// All copies of all pieces, those first that must be used.
    fn copies(&self, puzzle: &Puzzle) -> Vec<PieceId> {
        let count = |id: &PieceId| &puzzle.piece(*id).count;
        let needed = self.pieces.iter().flat_map(|id| (0..*count(id).start()).map(|_| *id));
        let others = self.pieces.iter().flat_map(|id| (*count(id).start()..*count(id).end()).map(|_| *id));
        needed.chain(others).take(puzzle.target.filled.len()).collect()
    }
}

/// The texts on the cubies and in the rules, numbered.
pub(super) struct Texts {
    /// The symbols first, in the order of the rule or of the palette (without one: all texts, sorted), then other texts.
    names: Vec<String>,
    symbols: usize,
    /// What each reads as upside down.
    upside_down: Vec<Option<u16>>,
}

impl Texts {
    fn new(puzzle: &Puzzle) -> Result<Texts, SolveError> {
        let rules = &puzzle.rules;
        let mut names = rules.symbols.clone();
        if names.is_empty() {
            names.extend(rules.palette.iter().map(|paint| paint.symbol.clone()));
        }
        let stated = names.len();
        let mut turned: BTreeMap<&str, &str> = BTreeMap::new();
        for (a, b) in rules.turned.iter().flat_map(|(a, b)| [(a, b), (b, a)]) {
            if turned.insert(a, b).is_some_and(|before| before != b) {
                return Err(SolveError::TurnedTwice { symbol: a.clone() });
            }
        }
        if let Some(twice) = (1..names.len()).find(|&i| names[..i].contains(&names[i])) {
            return Err(SolveError::SymbolTwice { symbol: names.swap_remove(twice) });
        }
        let marks = puzzle.pieces.iter().flat_map(|piece| piece.marks.values());
        let on_cubies = marks.flat_map(|mark| [Some(mark.text.as_str()), turned.get(mark.text.as_str()).copied()]);
        let mut others: Vec<&str> = on_cubies.flatten().collect();
        others.sort_unstable();
        others.dedup();
        names.extend(
            others
                .into_iter()
                .filter(|text| !names[..stated].iter().any(|symbol| symbol == text))
                .map(String::from)
                .collect::<Vec<_>>(),
        );
        let symbols = if stated == 0 { names.len() } else { stated };
        let number = |text: &str| names.iter().position(|name| name == text).map(|index| index as u16);
        let upside_down = names.iter().map(|name| turned.get(name.as_str()).and_then(|text| number(text))).collect();
        Ok(Texts { upside_down, names, symbols })
    }

    /// How many texts there are.
    pub(super) fn len(&self) -> usize {
        self.names.len()
    }

    /// The number of a text.
    pub(super) fn number(&self, name: &str) -> Option<u16> {
        self.names.iter().position(|known| known == name).map(|index| index as u16)
    }

    /// How many of the texts, from the first, are symbols.
    pub(super) fn symbols(&self) -> usize {
        self.symbols
    }

    /// The text of that number.
    pub(super) fn name(&self, text: u16) -> &str {
        &self.names[usize::from(text)]
    }

    /// What a text reads as upside down, when it then is a text.
    pub(super) fn upside_down(&self, text: u16) -> Option<u16> {
        self.upside_down[usize::from(text)]
    }

    /// The symbols that a face can be read as, each with where the top of the plane must point.
    pub(super) fn readings(&self, face: Face) -> impl Iterator<Item = Face> {
        [Some(face), self.turned_over(face)]
            .into_iter()
            .flatten()
            .filter(|reading| usize::from(reading.text) < self.symbols)
    }

    /// The faces of a piece as it stands in its file.
    fn faces(&self, piece: &Piece) -> Faces {
        let mut faces = Faces::default();
        for (square, mark) in &piece.marks {
            let text = self.names.iter().position(|name| *name == mark.text).expect("all texts on cubies are numbered");
            let up = if mark.paint.is_some() { NO_TOP } else { mark.turn.up(square.side) as u8 };
            let face = Face { text: text as u16, up };
            faces[square.side as usize] = Some(self.least(face));
        }
        faces
    }

    fn turned(&self, faces: &Faces, by: Orientation) -> Faces {
        let mut turned = Faces::default();
        for (side, face) in faces.iter().enumerate() {
            let up = |up: u8| if up == NO_TOP { NO_TOP } else { SIDES[by.index()][usize::from(up)] };
            let face = face.map(|face| self.least(Face { text: face.text, up: up(face.up) }));
            turned[usize::from(SIDES[by.index()][side])] = face;
        }
        turned
    }

    /// One of the two ways to write a face that is a text either way up.
    fn least(&self, face: Face) -> Face {
        self.turned_over(face).map_or(face, |other| face.min(other))
    }

    /// The other way to write a face that is a text either way up.
    fn turned_over(&self, face: Face) -> Option<Face> {
        let other = self.upside_down(face.text).filter(|_| face.up != NO_TOP);
        other.map(|text| Face { text, up: face.up ^ 1 })
    }

    /// What a face shows to one who does not care which way is up: of a text and what it is upside down, the first.
    pub(super) fn shown(&self, face: Face) -> u16 {
        if face.up == NO_TOP { face.text } else { self.either_way(face.text) }
    }

    /// Of a text and what it is upside down, the first.
    pub(super) fn either_way(&self, text: u16) -> u16 {
        self.upside_down(text).map_or(text, |other| text.min(other))
    }
}

/// The side opposite has the same number but for the last bit; so have ups.
const SIDES: [[u8; 6]; Orientation::COUNT] = {
    let mut table = [[0; 6]; Orientation::COUNT];
    let mut index = 0;
    while index < 6 * Orientation::COUNT {
        let (orientation, side) = (index / 6, index % 6);
        let Some(by) = Orientation::from_index(orientation) else { panic!("there are that many orientations") };
        let matrix = by.matrix();
        let mut axis = 0;
        while matrix[axis][side / 2] == 0 {
            axis += 1;
        }
        let flips = matrix[axis][side / 2] < 0;
        table[orientation][side] = (2 * axis + ((side % 2) ^ flips as usize)) as u8;
        index += 1;
    }
    table
};

/// `THEN[a][b]`: first `a`, then `b`.
static THEN: [[u8; Orientation::COUNT]; Orientation::COUNT] = {
    let mut table = [[0; Orientation::COUNT]; Orientation::COUNT];
    let mut index = 0;
    while index < Orientation::COUNT * Orientation::COUNT {
        let (a, b) = (index / Orientation::COUNT, index % Orientation::COUNT);
        if let (Some(first), Some(next)) = (Orientation::from_index(a), Orientation::from_index(b)) {
            table[a][b] = first.then(next).index() as u8;
        }
        index += 1;
    }
    table
};
