//! From where a scene is looked at, and how it is fitted on pixels.

use crate::puzzle::corner::Corner;
use crate::solid::vector::{Vector, add, cross, dot, scale, unit};

/// A direction to look in, along parallel rays.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    /// Where the eye is, of any length.
    eye: Vector,
    right: Vector,
    up: Vector,
    /// From the scene to the eye.
    towards: Vector,
}

impl View {
    /// From a corner and above: the three edges of a cube at its nearest corner look equally long.
    pub fn isometric(corner: Corner) -> View {
        View::around([1.0, -1.0, 1.0], corner)
    }

    /// Lower and more from the front, so that what stands apart in rows is not behind each other: of 27 exploded cubies
    /// an isometric view hides eight; here a quarter or more of each is seen.
    pub fn askew(corner: Corner) -> View {
        View::around([0.65, -1.0, 0.5], corner)
    }

    /// The same after the scene has turned about the vertical, by a share of a whole turn, counter-clockwise.
    pub fn turned(self, share: f64) -> View {
        let ((sin, cos), [x, y, z]) = ((-share * std::f64::consts::TAU).sin_cos(), self.eye);
        View::from([x * cos - y * sin, x * sin + y * cos, z])
    }

    /// A view of the front right from another corner.
    fn around(eye: Vector, corner: Corner) -> View {
        View::from((0..corner.quarters()).fold(eye, |[x, y, z], _| [-y, x, z]))
    }

    fn from(eye: Vector) -> View {
        let towards = unit(eye);
        let right = unit(cross([0.0, 0.0, 1.0], towards));
        View { eye, right, up: cross(towards, right), towards }
    }

    /// How bright a surface with that normal is to the eye, about 1 for one that faces upwards: the top, the left and the
    /// right side of a cube look clearly different, and bevels along the upper edges shine a little.
    pub(super) fn tone(&self, normal: Vector) -> f32 {
        let facing = |light: Vector| dot(normal, unit(self.beside_the_eye(light))).max(0.0);
        (0.46 + 0.55 * facing([-0.4, 0.3, 1.0]) + 0.22 * facing([-0.35, 0.6, 0.8]).powi(20)) as f32
    }

    /// To the light that throws the shadow: over the left shoulder.
    pub(super) fn light(&self) -> Vector {
        self.beside_the_eye([-0.45, 0.1, 1.0])
    }

    /// A direction given by how far it goes to the right, to the eye along the ground, and up.
    fn beside_the_eye(&self, [right, near, up]: Vector) -> Vector {
        let ahead = cross(self.right, [0.0, 0.0, 1.0]);
        add(add(scale(self.right, right), scale(ahead, near)), [0.0, 0.0, up])
    }

    /// Whether a face with that normal turns to the eye.
    pub(super) fn faces(&self, normal: Vector) -> bool {
        dot(normal, self.towards) > 0.0
    }

    /// To the right, up, and towards the eye, in millimetres.
    pub(super) fn seen(&self, point: Vector) -> [f64; 3] {
        [dot(point, self.right), dot(point, self.up), dot(point, self.towards)]
    }

    /// One of the points that are seen there.
    pub(super) fn point(&self, [right, up]: [f64; 2]) -> Vector {
        add(scale(self.right, right), scale(self.up, up))
    }

    /// From the scene to the eye, of length 1.
    pub(super) fn towards(&self) -> Vector {
        self.towards
    }
}

/// Pixels, and which part of a view they show.
pub(super) struct Canvas {
    /// Pixels across and down.
    pub(super) size: [u32; 2],
    /// The left end and the upper end, in millimetres.
    corner: [f64; 2],
    /// Millimetres.
    pixel: f64,
}

/// Room around what is shown, as a share of its longer side.
const MARGIN: f64 = 0.05;

impl Canvas {
    /// The pixels that show all of these extents; the longer side gets so many.
    pub(super) fn around(extents: impl IntoIterator<Item = [[f64; 2]; 2]>, longest: u32) -> Canvas {
        let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
        for [least, most] in extents {
            low = [low[0].min(least[0]), low[1].min(least[1])];
            high = [high[0].max(most[0]), high[1].max(most[1])];
        }
        let room = MARGIN * (high[0] - low[0]).max(high[1] - low[1]);
        let sides = [0, 1].map(|k| high[k] - low[k] + 2.0 * room);
        let pixel = sides[0].max(sides[1]) / f64::from(longest);
        let size = sides.map(|side| ((side / pixel).round() as u32).clamp(1, longest));
        Canvas { size, corner: [low[0] - room, high[1] + room], pixel }
    }

    /// Where something seen lies, counted in samples of which a pixel has `side` by `side`, and how near it is.
    pub(super) fn sample(&self, [right, up, towards]: [f64; 3], side: usize) -> [f64; 3] {
        let samples = side as f64 / self.pixel;
        [(right - self.corner[0]) * samples, (self.corner[1] - up) * samples, towards]
    }

    /// Pixels a millimetre.
    pub(super) fn scale(&self) -> f64 {
        1.0 / self.pixel
    }

    /// The place of the middle of a pixel, in millimetres.
    pub(super) fn millimetres(&self, pixel: [usize; 2]) -> [f64; 2] {
        let [x, y] = pixel.map(|k| (k as f64 + 0.5) * self.pixel);
        [self.corner[0] + x, self.corner[1] - y]
    }

    /// 1 in the picture, falling to 0 within the margin: a shadow must not end at the edge.
    pub(super) fn fade(&self, pixel: [usize; 2]) -> f32 {
        let near = |k: usize| pixel[k].min(self.size[k] as usize - 1 - pixel[k]);
        let longest = self.size[0].max(self.size[1]);
        let share = near(0).min(near(1)) as f32 / (1.5 * MARGIN as f32 * longest as f32);
        share.min(1.0).powi(2)
    }
}
