//! Pictures of scenes, drawn without a graphics card: what READMEs, listings and thumbnails show. Pixels.
//!
//! ```text
//! Scene -> facets --View--> samples (what is seen where) --creases, shadow--> Picture
//! ```
//!
//! Looked at from above by parallel rays, so that all edges of one direction are equally long.

mod crease;
mod facets;
mod grid;
mod raster;
mod shadow;
mod view;

use crate::solid::scene::Scene;
use crate::solid::vector::Vector;
use crease::creases;
use facets::{Facet, bodies, facets, to_srgb};
use grid::Grid;
use raster::{SIDE, Samples};
use shadow::Shadow;
use view::Canvas;
pub use view::View;

/// Pixels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// Pixels across and down.
    pub size: [u32; 2],
    /// Row by row from the top: red, green and blue of each pixel, as sRGB.
    pub pixels: Vec<u8>,
}

/// The scene in a view; its longer side gets so many pixels.
pub fn still(scene: &Scene<'_>, view: &View, longest: u32) -> Picture {
    Studio::new(scene).draw(view, &Canvas::around([extent(view, scene)], longest))
}

/// The scene from all around, beginning with a view, in so many frames.
pub fn turntable(scene: &Scene<'_>, view: View, longest: u32, frames: u32) -> Vec<Picture> {
    let studio = Studio::new(scene);
    let views: Vec<View> = (0..frames).map(|k| view.turned(f64::from(k) / f64::from(frames))).collect();
    let canvas = Canvas::around(views.iter().map(|view| extent(view, scene)), longest);
    views.iter().map(|view| studio.draw(view, &canvas)).collect()
}

/// Scenes one after another in a view, all on one scale.
pub fn film(scenes: &[Scene<'_>], view: &View, longest: u32) -> Vec<Picture> {
    let canvas = Canvas::around(scenes.iter().map(|scene| extent(view, scene)), longest);
    scenes.iter().map(|scene| Studio::new(scene).draw(view, &canvas)).collect()
}

/// What a scene takes up in a view, in millimetres: the left and lower ends, then the others.
fn extent(view: &View, scene: &Scene<'_>) -> [[f64; 2]; 2] {
    let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
    for corner in bodies(scene).into_iter().flatten() {
        let [x, y, _] = view.seen(corner);
        (low, high) = ([low[0].min(x), low[1].min(y)], [high[0].max(x), high[1].max(y)]);
    }
    [low, high]
}

/// A scene set up to be looked at from anywhere.
struct Studio {
    facets: Vec<Facet>,
    bodies: Vec<[Vector; 3]>,
}

/// Linear light of the ground: a grey that white pieces stand out from.
const GROUND: [f32; 3] = [0.92, 0.93, 0.95];
/// How much of the light the darkest shadow takes.
const SHADOW: f32 = 0.45;
/// How bright an outline is beside the surface that it ends.
const OUTLINE: f32 = 0.35;

impl Studio {
    fn new(scene: &Scene<'_>) -> Studio {
        Studio { facets: facets(scene), bodies: bodies(scene) }
    }

    fn draw(&self, view: &View, canvas: &Canvas) -> Picture {
        let size = canvas.size.map(|pixels| pixels as usize);
        let mut samples = Samples::new(size.map(|pixels| pixels * SIDE));
        for (number, facet) in self.facets.iter().enumerate().filter(|(_, facet)| view.faces(facet.normal)) {
            for triangle in &facet.triangles {
                samples.cover(number as u32, triangle.map(|corner| canvas.sample(view.seen(corner), SIDE)));
            }
        }
        let lit = |facet: &Facet| facet.colour.map(|channel| channel * view.tone(facet.normal));
        let lit: Vec<[f32; 3]> = self.facets.iter().map(lit).collect();
        let brush = Brush {
            studio: self,
            view,
            canvas,
            samples: &samples,
            even: samples.even(),
            plain: lit.iter().map(|light| light.map(to_srgb)).collect(),
            lit,
            creases: creases(&samples, size, canvas.scale() as f32),
            shadow: Shadow::of(&self.bodies, view),
        };
        let pixels = (0..size[1]).flat_map(|y| (0..size[0]).map(move |x| [x, y])).flat_map(|at| brush.pixel(at));
        Picture { size: canvas.size, pixels: pixels.collect() }
    }
}

/// What it takes to colour the pixels of one picture.
struct Brush<'a> {
    studio: &'a Studio,
    view: &'a View,
    canvas: &'a Canvas,
    samples: &'a Samples,
    /// Of each pixel, whether one facet alone is seen in it and around it.
    even: Vec<bool>,
    /// The light of each facet, linear.
    lit: Vec<[f32; 3]>,
    /// The same as sRGB.
    plain: Vec<[u8; 3]>,
    creases: Grid,
    shadow: Shadow,
}

impl Brush<'_> {
    /// The mean of the samples of a pixel.
    fn pixel(&self, at: [usize; 2]) -> [u8; 3] {
        let pixel = at[1] * self.creases.size[0] + at[0];
        let crease = 1.0 - self.creases.values[pixel];
        if self.even[pixel] {
            return match self.samples.seen(Samples::middle(at)) {
                Some((facet, _)) if crease == 1.0 => self.plain[facet as usize],
                Some((facet, _)) => self.lit[facet as usize].map(|channel| to_srgb(channel * crease)),
                None => self.ground(at).map(to_srgb),
            };
        }
        let ground = self.ground(at);
        let mut sum = [0.0; 3];
        for place in Samples::of_pixel(at) {
            let light = match self.samples.seen(place) {
                Some(seen) => {
                    let share = if self.is_outline(place, seen) { OUTLINE } else { 1.0 };
                    self.lit[seen.0 as usize].map(|channel| channel * crease * share)
                }
                None => ground,
            };
            sum = [sum[0] + light[0], sum[1] + light[1], sum[2] + light[2]];
        }
        sum.map(|light| to_srgb(light / (SIDE * SIDE) as f32))
    }

    fn ground(&self, at: [usize; 2]) -> [f32; 3] {
        let dark = self.shadow.dark(self.view, self.canvas.millimetres(at)) * self.canvas.fade(at);
        GROUND.map(|channel| channel * (1.0 - SHADOW * dark))
    }

    /// Whether something far behind, or nothing, is next to it.
    fn is_outline(&self, place: [usize; 2], (facet, depth): (u32, f32)) -> bool {
        let owner = |facet: u32| self.studio.facets[facet as usize].owner;
        let is_behind = |other: Option<(u32, f32)>| match other {
            Some((other, far)) => depth - far > 2.0 && owner(other) != owner(facet),
            None => true,
        };
        self.samples.around(place).into_iter().any(is_behind)
    }
}
