//! Which assemblies are the same: the motions of the target that carry the set of pieces to itself.

use std::collections::BTreeSet;

use super::placements::{Kind, Placements};
use crate::puzzle::grid::{Cell, Orientation};
use crate::puzzle::look::{Look, turned};
use crate::puzzle::packing_rules::Merge;

/// The motions, the identity first; no two of them do the same.
pub(super) struct Symmetry {
    /// Those that carry every assembly to one.
    pub(super) motions: Vec<Motion>,
    /// Mirrors that carry those assemblies to one whose pieces are there in mirror image too; empty where `motions` has
    /// mirrors or where no assembly is such.
    pub(super) mirrors: Vec<Motion>,
}

/// Where each cell, each kind of piece and each of its looks goes, by number.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Motion {
    cells: Vec<u32>,
    /// `None` for a kind whose mirror image is none.
    kinds: Vec<Option<u32>>,
    looks: Vec<Vec<Option<u8>>>,
    pub(super) is_mirror: bool,
}

impl Symmetry {
    pub(super) fn new(placements: &Placements) -> Symmetry {
        let same: Vec<Option<u32>> = (0..placements.kinds.len() as u32).map(Some).collect();
        let mut symmetry = Symmetry { motions: Vec::new(), mirrors: Vec::new() };
        let mut known: BTreeSet<Motion> = BTreeSet::new();
        let mirrored = mirrored_kinds(placements);
        let looks = |kind| placements.of_kind(kind).map(|placement| placements.look(placement)).collect();
        let used: Vec<BTreeSet<u8>> = (0..placements.kinds.len()).map(looks).collect();
        for (kinds, is_mirror) in [(Some(same), false), (mirrored, true)] {
            let Some(kinds) = kinds else { continue };
            let is_always = (placements.kinds.iter().zip(&kinds))
                .all(|(kind, image)| image.is_some_and(|image| placements.kinds[image as usize].count == kind.count));
            for orientation in Orientation::all() {
                let Some(cells) = moved(placements, orientation, is_mirror) else { continue };
                let looks = |(number, image): (usize, &Option<u32>)| {
                    let images = image.map_or(&[][..], |image| &placements.kinds[image as usize].looks);
                    let image = |look: &Look| images.binary_search(&look.turned(orientation, is_mirror)).ok();
                    // Looks that no placement has tell nothing.
                    let is_used = |look: usize| used[number].contains(&(look as u8));
                    let own = placements.kinds[number].looks.iter().enumerate();
                    own.map(|(look, own)| image(own).filter(|_| is_used(look)).map(|image| image as u8)).collect()
                };
                let looks = kinds.iter().enumerate().map(looks).collect();
                // In a flat target mirrors are rotations; those come first, and are what people call them.
                let motion = Motion { cells, kinds: kinds.clone(), looks, is_mirror: false };
                if known.insert(motion.clone()) {
                    let into = if is_always { &mut symmetry.motions } else { &mut symmetry.mirrors };
                    into.push(Motion { is_mirror, ..motion });
                }
            }
        }
        symmetry
    }

    /// What is merged, in words.
    pub(super) fn words(&self, merge: Merge) -> String {
        let mirrors = self.motions.iter().filter(|motion| motion.is_mirror).count();
        let rotations = self.motions.len() - mirrors;
        match (merge, rotations, mirrors, self.mirrors.len()) {
            (Merge::Nothing, ..) | (_, 1, 0, 0) | (Merge::Rotations, 1, ..) => "nothing".to_owned(),
            (Merge::Rotations, rotations, ..) | (_, rotations, 0, 0) => format!("{rotations} rotations"),
            // Two mirrors would make a rotation.
            (_, 1, _, 0) => "1 mirror".to_owned(),
            (_, rotations, mirrors, 0) => format!("{rotations} rotations, {mirrors} mirrors"),
            (_, rotations, _, mirrors) => {
                format!("{rotations} rotations, {mirrors} mirrors where the pieces are there")
            }
        }
    }

    /// The assemblies for which one of them, found, stands, itself first: as many as are to be told apart.
    pub(super) fn told_apart(&self, placements: &Placements, found: &[u32], merge: Merge) -> Vec<Vec<u32>> {
        let mut own = found.to_vec();
        own.sort_unstable();
        let images = |is_mirror: bool| {
            let motions = self.motions.iter().filter(move |motion| motion.is_mirror == is_mirror);
            motions.filter_map(|motion| motion.image(placements, &own)).collect::<BTreeSet<_>>()
        };
        let mirrored = || images(true).into_iter().chain(self.mirrored(placements, &own));
        let others: BTreeSet<Vec<u32>> = match merge {
            Merge::Mirrors => BTreeSet::new(),
            Merge::Rotations => {
                let rotated = images(false);
                mirrored().find(|image| !rotated.contains(image)).into_iter().collect()
            }
            Merge::Nothing => images(false).into_iter().chain(mirrored()).filter(|image| *image != own).collect(),
        };
        [own.clone()].into_iter().chain(others).collect()
    }

    /// The images of an assembly, sorted, under the mirrors that not every assembly has an image under.
    pub(super) fn mirrored(&self, placements: &Placements, assembly: &[u32]) -> Vec<Vec<u32>> {
        let has_counts = |image: &Vec<u32>| {
            let used = |kind: usize| image.iter().filter(|&&placement| placements.kind(placement) == kind).count();
            placements.kinds.iter().enumerate().all(|(number, kind)| kind.count.contains(&(used(number) as u32)))
        };
        let images = self.mirrors.iter().map_while(|mirror| mirror.image(placements, assembly));
        // Counts are the same under each mirror.
        let mut images = images.peekable();
        if images.peek().is_some_and(has_counts) { images.collect() } else { Vec::new() }
    }
}

impl Motion {
    /// Where a cell goes.
    pub(super) fn cell(&self, cell: u32) -> u32 {
        self.cells[cell as usize]
    }

    /// Where a kind goes, if it goes to one.
    pub(super) fn kind(&self, kind: usize) -> Option<usize> {
        self.kinds[kind].map(|kind| kind as usize)
    }

    /// The assembly that another one becomes, sorted, if all its kinds have images.
    pub(super) fn image(&self, placements: &Placements, assembly: &[u32]) -> Option<Vec<u32>> {
        let image = assembly.iter().map(|&placement| self.placement(placements, placement));
        let mut image: Vec<u32> = image.collect::<Option<_>>()?;
        image.sort_unstable();
        Some(image)
    }

    /// The placement that another one becomes, if its kind has an image.
    pub(super) fn placement(&self, placements: &Placements, placement: u32) -> Option<u32> {
        let kind = placements.kind(placement);
        let mut cells: Vec<u32> = placements.covered(placement).iter().map(|&cell| self.cell(cell)).collect();
        cells.sort_unstable();
        let look = self.looks[kind].get(usize::from(placements.look(placement)));
        placements.find(self.kind(kind)?, &cells, (*look?)?)
    }
}

/// Which placements the motions make of others, each looked up once.
pub(super) struct Images<'a> {
    pub(super) placements: &'a Placements,
    pub(super) symmetry: &'a Symmetry,
    /// By motion, or mirror behind all motions, and by placement. Empty where it would be large.
    known: Vec<Image>,
}

#[derive(Clone, Copy)]
enum Image {
    Unknown,
    Nothing,
    Placement(u32),
}

/// More images than this are not kept.
const MOST_IMAGES: usize = 1 << 22;

impl<'a> Images<'a> {
    pub(super) fn new(placements: &'a Placements, symmetry: &'a Symmetry) -> Images<'a> {
        let count = placements.len() * (symmetry.motions.len() + symmetry.mirrors.len());
        let kept = if count > MOST_IMAGES { 0 } else { count };
        Images { placements, symmetry, known: vec![Image::Unknown; kept] }
    }

    /// Makes `image` what the motion of that number makes of an assembly, unsorted; whether all its kinds have images.
    pub(super) fn image(&mut self, motion: usize, assembly: &[u32], image: &mut Vec<u32>) -> bool {
        image.clear();
        image.extend(assembly.iter().map_while(|&placement| self.of_placement(motion, placement)));
        image.len() == assembly.len()
    }

    fn of_placement(&mut self, motion: usize, placement: u32) -> Option<u32> {
        let Symmetry { motions, mirrors } = self.symmetry;
        let find = || {
            let motion = motions.get(motion).unwrap_or_else(|| &mirrors[motion - motions.len()]);
            motion.placement(self.placements, placement)
        };
        let Some(known) = self.known.get_mut(motion * self.placements.len() + placement as usize) else {
            return find();
        };
        if let Image::Unknown = known {
            *known = find().map_or(Image::Nothing, Image::Placement);
        }
        match *known {
            Image::Placement(image) => Some(image),
            _ => None,
        }
    }

    /// The least of the images of an assembly under the mirrors that not every assembly has an image under.
    pub(super) fn least_mirrored(&mut self, assembly: &[u32]) -> Option<Vec<u32>> {
        let motions = self.symmetry.motions.len();
        // Most have none, and the first placement without an image tells so.
        let has_images = assembly.iter().all(|&placement| self.of_placement(motions, placement).is_some());
        if has_images { self.symmetry.mirrored(self.placements, assembly).into_iter().min() } else { None }
    }
}

/// The kind that is each kind's mirror image, `None` where there is none. `None` in all when no assembly has a mirror
/// image, because a kind that must be used has none.
fn mirrored_kinds(placements: &Placements) -> Option<Vec<Option<u32>>> {
    let kinds = &placements.kinds;
    let mut images: Vec<Option<u32>> = vec![None; kinds.len()];
    for (number, kind) in kinds.iter().enumerate() {
        if kind.form == kind.mirrored {
            images[number] = Some(number as u32);
        } else if images[number].is_none() {
            let is_image = |other: &usize| images[*other].is_none() && kinds[*other].form == kind.mirrored;
            let found: Vec<usize> = (0..kinds.len()).filter(is_image).collect();
            // Of kinds that the puzzle tells apart though they are equal, one that is there as often.
            let image = found.iter().find(|&&other| kinds[other].count == kind.count).or(found.first());
            if let Some(&image) = image {
                (images[number], images[image]) = (Some(image as u32), Some(number as u32));
            }
        }
    }
    let may_be = |(kind, image): (&Kind, &Option<u32>)| match image {
        None => *kind.count.start() == 0,
        Some(image) => {
            let other = &kinds[*image as usize].count;
            other.start() <= kind.count.end() && kind.count.start() <= other.end()
        }
    };
    kinds.iter().zip(&images).all(may_be).then_some(images)
}

/// Where each cell goes; `None` when the target is not carried to itself, tints and all.
fn moved(placements: &Placements, orientation: Orientation, is_mirror: bool) -> Option<Vec<u32>> {
    let cells = &placements.cells;
    let turned = |cell: Cell| turned(cell, orientation, is_mirror);
    let from = cells.iter().copied().map(turned).reduce(Cell::least)?;
    let to = cells.iter().copied().reduce(Cell::least)?;
    let (filled, optional) = cells.split_at(placements.filled);
    let image = |number: usize, cell: Cell| {
        let there = turned(cell) - from + to;
        let found = match number < filled.len() {
            true => filled.binary_search(&there).ok(),
            false => optional.binary_search(&there).ok().map(|found| found + filled.len()),
        };
        found.filter(|&found| placements.tints[found] == placements.tints[number]).map(|found| found as u32)
    };
    cells.iter().enumerate().map(|(number, &cell)| image(number, cell)).collect()
}
