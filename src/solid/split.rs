//! A mesh cut into its body and its digits, each closed: what printers with several colours want as parts of one object.
//!
//! A raised digit stands on a floor, which is missing under it. The cap that closes both is the top of the digit, moved
//! down: each of its vertices has one below it, with the same other two coordinates, where the walls end.

use std::collections::{BTreeMap, BTreeSet};

use super::Role;
use super::groups::Groups;
use super::mesh::Mesh;

/// Body and digits.
#[derive(Clone, Debug, PartialEq)]
pub struct Split {
    /// Everything but raised digits.
    pub body: Mesh,
    /// The raised digits; `None` where there are none: an engraved digit is a colour on the body.
    pub digits: Option<Mesh>,
}

impl Mesh {
    /// Cuts the raised digits off.
    pub fn split(&self) -> Split {
        let is_digit = |role: &Role| *role == Role::Digit;
        let of = |wanted: bool| {
            let triangles = self.triangles.iter().zip(&self.roles).filter(move |(_, role)| is_digit(role) == wanted);
            triangles.map(|(&triangle, _)| triangle).collect::<Vec<_>>()
        };
        let (body, digits) = (of(false), of(true));
        match self.caps(&body, &digits) {
            Some(caps) if !caps.is_empty() => {
                let floor = caps.iter().map(|&[a, b, c]| [a, c, b]);
                let (body_roles, digit_roles) =
                    (self.roles.iter().copied().filter(|role| !is_digit(role)), Role::Digit);
                let body_roles: Vec<Role> = body_roles.chain(caps.iter().map(|_| Role::Panel)).collect();
                let digit_count = digits.len() + caps.len();
                Split {
                    digits: Some(self.part(digits.into_iter().chain(floor), vec![digit_roles; digit_count])),
                    body: self.part(body.into_iter().chain(caps), body_roles),
                }
            }
            _ => Split { body: self.clone(), digits: None },
        }
    }

    /// The floor under the digits, as seen from outside; `None` when a digit is cut in.
    fn caps(&self, body: &[[u32; 3]], digits: &[[u32; 3]]) -> Option<Vec<[u32; 3]>> {
        let feet: BTreeSet<u32> = body.iter().flatten().copied().collect();
        let mut groups = Groups::new(self.vertices.len());
        for &[a, b, c] in digits {
            groups.join(a as usize, b as usize);
            groups.join(b as usize, c as usize);
        }
        // The vertices on the floor, by digit and the two coordinates across each axis.
        let mut below: BTreeMap<(usize, usize, [u32; 2]), u32> = BTreeMap::new();
        let across = |vertex: u32, axis: usize| {
            let v = self.vertices[vertex as usize];
            [(axis + 1) % 3, (axis + 2) % 3].map(|k| v[k].to_bits())
        };
        for &foot in digits.iter().flatten().filter(|vertex| feet.contains(vertex)) {
            for axis in 0..3 {
                below.insert((groups.of(foot as usize), axis, across(foot, axis)), foot);
            }
        }
        let mut caps = Vec::new();
        for top in digits.iter().filter(|triangle| triangle.iter().all(|vertex| !feet.contains(vertex))) {
            let [a, b, c] = top.map(|vertex| self.vertices[vertex as usize]);
            let axis = (0..3).find(|&k| a[k] == b[k] && b[k] == c[k])?;
            let digit = groups.of(top[0] as usize);
            let mut cap = [0; 3];
            for (foot, &vertex) in cap.iter_mut().zip(top) {
                *foot = *below.get(&(digit, axis, across(vertex, axis)))?;
            }
            let up = self.vertices[top[0] as usize][axis] - self.vertices[cap[0] as usize][axis];
            let outward = (b[(axis + 1) % 3] - a[(axis + 1) % 3]) * (c[(axis + 2) % 3] - a[(axis + 2) % 3])
                - (b[(axis + 2) % 3] - a[(axis + 2) % 3]) * (c[(axis + 1) % 3] - a[(axis + 1) % 3]);
            if (up > 0.0) != (outward > 0.0) {
                return None;
            }
            caps.push(cap);
        }
        Some(caps)
    }

    /// A mesh of some of the triangles, with the vertices that they use.
    fn part(&self, triangles: impl Iterator<Item = [u32; 3]>, roles: Vec<Role>) -> Mesh {
        let mut numbers: BTreeMap<u32, u32> = BTreeMap::new();
        let mut mesh = Mesh { roles, ..Mesh::default() };
        for triangle in triangles {
            let renumbered = triangle.map(|vertex| {
                *numbers.entry(vertex).or_insert_with(|| {
                    mesh.vertices.push(self.vertices[vertex as usize]);
                    mesh.vertices.len() as u32 - 1
                })
            });
            mesh.triangles.push(renumbered);
        }
        mesh
    }
}

#[cfg(test)]
mod tests {
    use crate::collection;
    use crate::glyph::Font;
    use crate::puzzle::parse::parse;
    use crate::puzzle::settings::{Length, Settings, Style};
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
                match &model.split.digits {
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
