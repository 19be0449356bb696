//! Which assemblies are the same: the motions of the target that carry the set of pieces to itself.

use std::collections::BTreeSet;

use super::placements::Placements;
use crate::puzzle::grid::{Cell, Orientation};

/// The motions, the identity first; no two of them do the same.
pub(super) struct Symmetry {
    pub(super) motions: Vec<Motion>,
}

/// Where each cell and each kind of piece goes, by number.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Motion {
    cells: Vec<u32>,
    kinds: Vec<u32>,
    pub(super) is_mirror: bool,
}

impl Symmetry {
    pub(super) fn new(placements: &Placements) -> Symmetry {
        let same: Vec<u32> = (0..placements.kinds.len() as u32).collect();
        let mut motions: Vec<Motion> = Vec::new();
        let mut known: BTreeSet<(Vec<u32>, Vec<u32>)> = BTreeSet::new();
        for (kinds, is_mirror) in [(Some(same), false), (mirrored_kinds(placements), true)] {
            let Some(kinds) = kinds else { continue };
            for orientation in Orientation::all() {
                // In a flat target mirrors are rotations; those come first, and are what people call them.
                if let Some(cells) = moved(placements, orientation, is_mirror)
                    && known.insert((cells.clone(), kinds.clone()))
                {
                    motions.push(Motion { cells, kinds: kinds.clone(), is_mirror });
                }
            }
        }
        Symmetry { motions }
    }

    /// What is merged, in words.
    pub(super) fn words(&self) -> String {
        let mirrors = self.motions.iter().filter(|motion| motion.is_mirror).count();
        match (self.motions.len() - mirrors, mirrors) {
            (1, 0) => "nothing".to_owned(),
            // Two mirrors would make a rotation.
            (1, _) => "1 mirror".to_owned(),
            (rotations, 0) => format!("{rotations} rotations"),
            (rotations, mirrors) => format!("{rotations} rotations, {mirrors} mirrors"),
        }
    }
}

impl Motion {
    /// Where a cell goes.
    pub(super) fn cell(&self, cell: u32) -> u32 {
        self.cells[cell as usize]
    }

    /// Where a kind goes.
    pub(super) fn kind(&self, kind: usize) -> usize {
        self.kinds[kind] as usize
    }

    /// The placement that another one becomes.
    pub(super) fn placement(&self, placements: &Placements, placement: u32) -> u32 {
        let mut cells: Vec<u32> = placements.covered(placement).iter().map(|&cell| self.cell(cell)).collect();
        cells.sort_unstable();
        let kind = self.kind(placements.kind(placement));
        placements.find(kind, &cells).expect("a motion carries placements to placements")
    }
}

/// The kind that is each kind's mirror image; `None` when one has none that is there as often.
fn mirrored_kinds(placements: &Placements) -> Option<Vec<u32>> {
    let kinds = &placements.kinds;
    let image = |kind: &super::placements::Kind| {
        let found = kinds.iter().position(|other| other.form == kind.mirrored && other.count == kind.count)?;
        Some(found as u32)
    };
    kinds.iter().map(image).collect()
}

/// Where each cell goes; `None` when the target is not carried to itself.
fn moved(placements: &Placements, orientation: Orientation, is_mirror: bool) -> Option<Vec<u32>> {
    let cells = &placements.cells;
    let turned = |cell: Cell| orientation.turn(if is_mirror { Cell::new(-cell.x, cell.y, cell.z) } else { cell });
    let least = |a: Cell, b: Cell| Cell::new(a.x.min(b.x), a.y.min(b.y), a.z.min(b.z));
    let from = cells.iter().copied().map(turned).reduce(least)?;
    let to = cells.iter().copied().reduce(least)?;
    let (filled, optional) = cells.split_at(placements.filled);
    let image = |number: usize, cell: Cell| {
        let there = turned(cell) - from + to;
        match number < filled.len() {
            true => filled.binary_search(&there).ok(),
            false => optional.binary_search(&there).ok().map(|found| found + filled.len()),
        }
    };
    cells.iter().enumerate().map(|(number, &cell)| image(number, cell).map(|found| found as u32)).collect()
}
