//! Painted squares as inlays, which a printer with several colours prints as parts of their own.
//!
//! An inlay reaches as far into the piece as paint that does not shine through needs, below the deepest place of its
//! square. Its sides slant inwards by 45 degrees: so the inlays of two squares that meet in an edge keep the bevel between
//! them, whatever their depth, and every layer rests on the one before.

use std::collections::{BTreeMap, BTreeSet};

use super::Role;
use super::groups::Groups;
use super::split::Triangles;
use super::vector::{Vector, add, cross, dot, scale, sub, unit};

/// How thick an inlay is at least, in millimetres: two lines of a usual nozzle, or four layers.
const THICKNESS: f64 = 0.9;
/// The floor of an inlay is at least so wide, in millimetres.
const LEAST_FLOOR: f64 = 1.0;
/// Millimetres by which points of one plane may be beside it.
const FLAT: f64 = 1e-4;

/// Moves every square that can be an inlay from `rest` to `coloured`, closed; gives back what is left, closed too. Squares
/// stay, as colours on the body, where their outline is not convex and flat.
pub(super) fn inlays(
    points: &mut Vec<[f32; 3]>,
    rest: Triangles,
    coloured: &mut BTreeMap<Role, Triangles>,
) -> Triangles {
    let is_painted = |role: Role| matches!(role, Role::Painted(_) | Role::Inked(_));
    let mut groups = Groups::new(points.len());
    for (corners, _) in rest.iter().filter(|(_, role)| is_painted(*role)) {
        let [a, b, c] = corners.map(|corner| corner as usize);
        groups.join(a, b);
        groups.join(b, c);
    }
    let mut body = Vec::new();
    let mut squares: BTreeMap<usize, Triangles> = BTreeMap::new();
    for (corners, role) in rest {
        match is_painted(role) {
            true => squares.entry(groups.of(corners[0] as usize)).or_default().push((corners, role)),
            false => body.push((corners, role)),
        }
    }
    for square in squares.into_values() {
        let paint = square.iter().map(|(_, role)| *role).find(|role| matches!(role, Role::Painted(_)));
        match paint.zip(seat(points, &square)) {
            Some((paint, seat)) => {
                let inlay = coloured.entry(paint).or_default();
                inlay.extend(square);
                inlay.extend(seat.iter().map(|&[a, b, c]| ([a, c, b], paint)));
                body.extend(seat.into_iter().map(|corners| (corners, Role::Body)));
            }
            None => body.extend(square),
        }
    }
    body
}

/// The hollow that a square is laid into, as the body shows it; its new corners become points.
fn seat(points: &mut Vec<[f32; 3]>, square: &Triangles) -> Option<Vec<[u32; 3]>> {
    let outline = outline(square)?;
    let at = |vertex: u32| points[vertex as usize].map(f64::from);
    let corners: Vec<Vector> = outline.iter().map(|&vertex| at(vertex)).collect();
    let count = corners.len();
    let ahead: Vec<Vector> = (0..count).map(|k| unit(sub(corners[(k + 1) % count], corners[k]))).collect();
    let bend = |k: usize| cross(ahead[(k + count - 1) % count], ahead[k]);
    let normal = unit((0..count).map(bend).fold([0.0; 3], add));
    let above = |point: Vector| dot(sub(point, corners[0]), normal);
    let is_flat = corners.iter().all(|&corner| above(corner).abs() < FLAT);
    let is_convex = (0..count).all(|k| dot(bend(k), normal) > -FLAT);
    let deepest = square.iter().flat_map(|(corners, _)| corners).map(|&vertex| above(at(vertex))).fold(0.0, f64::min);
    let depth = THICKNESS - deepest;
    let inward = |k: usize| cross(normal, ahead[k]);
    let floor: Vec<Vector> = (0..count)
        .map(|k| {
            let [before, after] = [inward((k + count - 1) % count), inward(k)];
            let aside = scale(add(before, after), depth / (1.0 + dot(before, after)));
            sub(add(corners[k], aside), scale(normal, depth))
        })
        .collect();
    let is_wide = (0..count).all(|k| {
        let side = sub(floor[(k + 1) % count], floor[k]);
        let width = floor.iter().map(|&corner| dot(sub(corner, floor[k]), inward(k))).fold(0.0, f64::max);
        dot(side, ahead[k]) > 0.0 && width > LEAST_FLOOR
    });
    if !(is_flat && is_convex && is_wide) {
        return None;
    }
    let first = points.len() as u32;
    points.extend(floor.iter().map(|corner| corner.map(|k| k as f32 + 0.0)));
    let mut seat = Vec::new();
    for k in 0..count {
        let next = (k + 1) % count;
        let (from, to) = (first + k as u32, first + next as u32);
        seat.extend([[outline[k], outline[next], to], [outline[k], to, from]]);
    }
    seat.extend((2..count as u32).map(|k| [first, first + k - 1, first + k]));
    Some(seat)
}

/// The one loop around triangles, in their direction; `None` where there are several.
fn outline(square: &Triangles) -> Option<Vec<u32>> {
    let sides = square.iter().flat_map(|&([a, b, c], _)| [(a, b), (b, c), (c, a)]);
    let sides: BTreeSet<(u32, u32)> = sides.collect();
    let rim: Vec<(u32, u32)> = sides.iter().copied().filter(|&(a, b)| !sides.contains(&(b, a))).collect();
    let next: BTreeMap<u32, u32> = rim.iter().copied().collect();
    let first = rim.first()?.0;
    let mut outline = vec![first];
    while outline.len() <= next.len() {
        match *next.get(outline.last()?)? {
            vertex if vertex == first => break,
            vertex => outline.push(vertex),
        }
    }
    (outline.len() == rim.len() && outline.len() > 2).then_some(outline)
}

#[cfg(test)]
mod tests {
    use crate::collection;
    use crate::glyph::Font;
    use crate::puzzle::colour::Colour;
    use crate::puzzle::parse::parse;
    use crate::puzzle::settings::{Length, Settings, Style};
    use crate::solid::Role;
    use crate::solid::dims::Dims;
    use crate::solid::lettering::Lettering;
    use crate::solid::mesh::Mesh;
    use crate::solid::model::Model;

    /// The first cube of Instant Insanity has three red sides, and one each in green, blue and white.
    #[test]
    fn each_colour_of_a_cube_is_a_part_that_is_closed() {
        let puzzle = parse(collection::find("instant-insanity").expect("built in")).expect("a puzzle");
        for (style, depth) in [(Style::Embossed, 1.5), (Style::Proud, 0.9), (Style::Engraved, 1.3)] {
            let settings = Settings { style: Some(style), ..Settings::default() };
            let dims = Dims::resolve(&settings, Length::of_micrometres(20_000)).expect("sizes that work");
            let lettering = Lettering::cut(&puzzle, &dims, &Font::built_in()).expect("letters");
            let model = Model::build(&puzzle.pieces[0], &dims, &lettering).expect("a cubie");
            let (body, plain) = (model.split.body.facts(), model.plain.facts());
            // The inside of the bevels, as a pyramid without its point.
            let (top, floor): (f64, f64) = (18.6, 18.6 - 2.0 * depth);
            let inlay = depth * (top * top + top * floor + floor * floor) / 3.0;
            assert!(body.closed && body.shells == 1, "{body}");
            assert!((plain.volume - 6.0 * inlay - body.volume).abs() < 1e-2, "{style:?}: {body}");
            let part = |colour| model.split.coloured.get(&Role::Painted(colour)).map(Mesh::facts);
            let [red, green, blue, white, black] = ["#D8232A", "#17853B", "#2457C5", "#FFFFFF", "#202020"]
                .map(|hex| part(Colour::parse(hex).expect("a colour")));
            let shells = [red, green, blue, white].map(|facts| facts.expect("a part").shells);
            match style {
                // Letters are cut into their squares, in colour.
                Style::Engraved => assert_eq!((shells, black), ([3, 1, 1, 1], None)),
                // Letters on colours are white, those on white are black.
                _ => assert_eq!((shells, black.expect("a letter").shells), ([3, 1, 1, 6], 1)),
            }
            let coloured = model.split.coloured.values().map(Mesh::facts);
            assert!(coloured.clone().all(|facts| facts.closed));
            let whole = body.volume + coloured.map(|facts| facts.volume).sum::<f64>();
            assert!((whole - model.facts.volume).abs() < 1e-2, "{whole} {}", model.facts);
        }
    }
}
