//! Pieces as exact solids and as meshes. Millimetres; x to the right, y to the back, z up.
//!
//! ```text
//! Settings -> Dims --\                    Shape -> Polycube --\
//! Font, marks -------> Lettering (rings) ----------------------> Brep -> Solid (B-rep) -> Mesh -> Model
//! Assembly, Models -> Scene
//! ```

pub mod bed;
pub mod brep;
pub mod dims;
mod erosion;
mod groups;
mod inlay;
pub mod label;
pub mod lettering;
pub mod mesh;
pub mod model;
pub mod motion;
pub mod outline;
pub mod plate;
pub mod polycube;
pub mod relief;
pub mod scene;
pub mod shell;
pub mod split;
#[cfg(test)]
mod tests;
pub mod vector;

use crate::puzzle::colour::Colour;

/// What a face or a triangle is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// The body of the piece.
    #[default]
    Body,
    /// The floor of a recess around embossed digits; has the colour of the body.
    Panel,
    /// A digit with its walls; has the colour of the ink.
    Digit,
    /// A square that is a colour: has this colour, whatever that of the body.
    Painted(Colour),
    /// The symbol on such a square, with its walls.
    Inked(Colour),
}

impl Role {
    /// What has this role on a piece of that colour with digits in that ink.
    pub fn colour(self, body: Colour, ink: Colour) -> Colour {
        match self {
            Role::Body | Role::Panel => body,
            Role::Digit => ink,
            Role::Painted(colour) | Role::Inked(colour) => colour,
        }
    }
}
