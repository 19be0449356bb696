//! A mesh cut into its body, its digits and its painted squares, each closed: what printers with several colours want as
//! parts of one object.
//!
//! A raised digit stands on a floor, which is missing under it. The cap that closes both is the top of the digit, moved
//! down: each of its vertices has one below it, with the same other two coordinates, where the walls end. What a painted
//! square is closed with says `inlay`.

use std::collections::BTreeMap;

use super::Role;
use super::groups::Groups;
use super::inlay::inlays;
use super::mesh::Mesh;

/// A body, and what is printed into it.
#[derive(Clone, Debug, PartialEq)]
pub struct Split {
    /// Everything else.
    pub body: Mesh,
    /// Raised digits, and squares with what stands on them, by what gives them their colour. An engraved digit is none: it
    /// is a colour on what it is cut into.
    pub coloured: BTreeMap<Role, Mesh>,
}

/// Triangles with what they are for.
pub(super) type Triangles = Vec<([u32; 3], Role)>;

impl Mesh {
    /// Cuts raised digits and painted squares off.
    pub fn split(&self) -> Split {
        let is_ink = |role: &Role| matches!(role, Role::Digit | Role::Inked(_));
        let all = self.triangles.iter().copied().zip(self.roles.iter().copied());
        let (mut ink, mut rest): (Triangles, Triangles) = all.partition(|(_, role)| is_ink(role));
        match self.caps(&rest, &ink) {
            Some(caps) if !caps.is_empty() => {
                ink.extend(caps.iter().map(|&([a, b, c], _, above)| ([a, c, b], above)));
                rest.extend(caps.into_iter().map(|(cap, below, _)| (cap, below)));
            }
            _ => rest.append(&mut ink),
        }
        let mut coloured: BTreeMap<Role, Triangles> = BTreeMap::new();
        ink.into_iter().for_each(|one| coloured.entry(colour(one.1)).or_default().push(one));
        let mut points = self.vertices.clone();
        let body = inlays(&mut points, rest, &mut coloured);
        let coloured = coloured.into_iter().map(|(role, triangles)| (role, part(&points, &triangles)));
        Split { body: part(&points, &body), coloured: coloured.collect() }
    }

    /// The floor under the digits, as seen from outside, with what is below and what is above it; `None` when a digit is
    /// cut in.
    fn caps(&self, rest: &Triangles, ink: &Triangles) -> Option<Vec<([u32; 3], Role, Role)>> {
        let feet: BTreeMap<u32, Role> =
            rest.iter().flat_map(|(corners, role)| corners.map(|foot| (foot, *role))).collect();
        let mut groups = Groups::new(self.vertices.len());
        for &([a, b, c], _) in ink {
            groups.join(a as usize, b as usize);
            groups.join(b as usize, c as usize);
        }
        // The vertices on the floor, by digit and the two coordinates across each axis.
        let mut below: BTreeMap<(usize, usize, [u32; 2]), u32> = BTreeMap::new();
        let across = |vertex: u32, axis: usize| {
            let v = self.vertices[vertex as usize];
            [(axis + 1) % 3, (axis + 2) % 3].map(|k| v[k].to_bits())
        };
        for &foot in ink.iter().flat_map(|(corners, _)| corners).filter(|vertex| feet.contains_key(vertex)) {
            for axis in 0..3 {
                below.insert((groups.of(foot as usize), axis, across(foot, axis)), foot);
            }
        }
        let mut caps = Vec::new();
        let is_top = |(corners, _): &&([u32; 3], Role)| corners.iter().all(|vertex| !feet.contains_key(vertex));
        for &(top, role) in ink.iter().filter(is_top) {
            let [a, b, c] = top.map(|vertex| self.vertices[vertex as usize]);
            let axis = (0..3).find(|&k| a[k] == b[k] && b[k] == c[k])?;
            let digit = groups.of(top[0] as usize);
            let mut cap = [0; 3];
            for (foot, &vertex) in cap.iter_mut().zip(&top) {
                *foot = *below.get(&(digit, axis, across(vertex, axis)))?;
            }
            let up = self.vertices[top[0] as usize][axis] - self.vertices[cap[0] as usize][axis];
            let outward = (b[(axis + 1) % 3] - a[(axis + 1) % 3]) * (c[(axis + 2) % 3] - a[(axis + 2) % 3])
                - (b[(axis + 2) % 3] - a[(axis + 2) % 3]) * (c[(axis + 1) % 3] - a[(axis + 1) % 3]);
            if (up > 0.0) != (outward > 0.0) {
                return None;
            }
            caps.push((cap, feet[&cap[0]], role));
        }
        Some(caps)
    }
}

/// What a symbol and a square of one colour have in common.
fn colour(role: Role) -> Role {
    if let Role::Inked(colour) = role { Role::Painted(colour) } else { role }
}

/// A mesh of some triangles, with the vertices that they use.
fn part(points: &[[f32; 3]], triangles: &Triangles) -> Mesh {
    let mut numbers: BTreeMap<u32, u32> = BTreeMap::new();
    let mut mesh = Mesh::default();
    for &(triangle, role) in triangles {
        let renumbered = triangle.map(|vertex| {
            *numbers.entry(vertex).or_insert_with(|| {
                mesh.vertices.push(points[vertex as usize]);
                mesh.vertices.len() as u32 - 1
            })
        });
        mesh.triangles.push(renumbered);
        mesh.roles.push(role);
    }
    mesh
}

#[cfg(test)]
mod tests {
    use crate::collection;
    use crate::glyph::Font;
    use crate::puzzle::parse::parse;
    use crate::puzzle::settings::{Length, Settings, Style};
    use crate::solid::Role;
    use crate::solid::dims::Dims;
    use crate::solid::lettering::Lettering;
    use crate::solid::model::Model;

    #[test]
    fn body_and_digits_are_closed_and_make_up_the_piece() {
        let puzzle = parse(collection::find("4d-sudoku").expect("built in")).expect("a puzzle");
        for style in Style::ALL {
            let settings = Settings { style: Some(style), ..Settings::default() };
            let dims = Dims::resolve(&settings, Length::of_micrometres(20_000)).expect("sizes that work");
            let lettering = Lettering::cut(&puzzle, &dims, &Font::built_in()).expect("digits");
            for piece in &puzzle.pieces {
                let model = Model::build(piece, &dims, &lettering).expect("a cubie");
                let (body, plain) = (model.split.body.facts(), model.plain.facts());
                let marks = piece.marks.len() as f64;
                let missing = match style {
                    Style::Embossed => marks * 17.0 * 17.0 * 0.6,
                    Style::Proud => 0.0,
                    Style::Engraved => plain.volume - model.facts.volume,
                };
                assert!((plain.volume - missing - body.volume).abs() < 1e-3, "{}: {body} {plain}", piece.name);
                assert!(body.closed && body.shells == 1, "{}: {body}", piece.name);
                match model.split.coloured.get(&Role::Digit) {
                    None => assert_eq!(style, Style::Engraved),
                    Some(digits) => {
                        let digits = digits.facts();
                        // The digits of this puzzle are of one part each.
                        assert!(digits.closed && digits.shells == piece.marks.len(), "{}: {digits}", piece.name);
                        assert!((body.volume + digits.volume - model.facts.volume).abs() < 1e-3);
                    }
                }
            }
        }
    }
}
