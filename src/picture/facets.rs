//! The triangles of a scene where they lie, with their colours.

use std::sync::LazyLock;

use crate::puzzle::colour::Colour;
use crate::solid::mesh::Mesh;
use crate::solid::scene::{Instance, Scene};
use crate::solid::vector::{Vector, dot, normal, sub};

/// Triangles of one instance that look the same: one after another in one plane and of one colour.
pub(super) struct Facet {
    /// Counter-clockwise as seen from outside, in millimetres.
    pub(super) triangles: Vec<[Vector; 3]>,
    pub(super) normal: Vector,
    /// The number of the instance.
    pub(super) owner: usize,
    /// Linear red, green and blue, 0 to 1.
    pub(super) colour: [f32; 3],
}

/// Normals that differ by less than this square look the same.
const SAME: f64 = 1e-8;

/// All triangles of a scene that have an area.
pub(super) fn facets(scene: &Scene<'_>) -> Vec<Facet> {
    let mut facets: Vec<Facet> = Vec::new();
    for (owner, instance) in scene.instances.iter().enumerate() {
        let part = &scene.parts[instance.part];
        for (corners, role) in triangles(instance, &part.model.mesh).zip(&part.model.mesh.roles) {
            let Some(normal) = normal(corners) else { continue };
            let colour = linear(part.colour_of(*role));
            match facets.last_mut() {
                Some(last) if last.owner == owner && last.colour == colour && is_same(last.normal, normal) => {
                    last.triangles.push(corners);
                }
                _ => facets.push(Facet { triangles: vec![corners], normal, owner, colour }),
            }
        }
    }
    facets
}

fn is_same(one: Vector, other: Vector) -> bool {
    let apart = sub(one, other);
    dot(apart, apart) < SAME
}

/// The triangles of the pieces without their marks.
pub(super) fn bodies(scene: &Scene<'_>) -> Vec<[Vector; 3]> {
    let of = |instance: &Instance| triangles(instance, &scene.parts[instance.part].model.plain).collect::<Vec<_>>();
    scene.instances.iter().flat_map(of).collect()
}

fn triangles<'a>(instance: &Instance, mesh: &'a Mesh) -> impl Iterator<Item = [Vector; 3]> + use<'a> {
    let places: Vec<Vector> = mesh.vertices.iter().map(|v| instance.transform.apply(v.map(f64::from))).collect();
    mesh.triangles.iter().map(move |triangle| triangle.map(|corner| places[corner as usize]))
}

fn linear(colour: Colour) -> [f32; 3] {
    [colour.red, colour.green, colour.blue].map(|channel| light(f32::from(channel) / 255.0))
}

/// Linear light of an sRGB channel, both 0 to 1.
fn light(share: f32) -> f32 {
    if share <= 0.04045 { share / 12.92 } else { ((share + 0.055) / 1.055).powf(2.4) }
}

/// The least light of each channel but 0: half way, as a channel, from the one before.
static LEAST: LazyLock<[f32; 255]> = LazyLock::new(|| std::array::from_fn(|k| light((k as f32 + 0.5) / 255.0)));

/// The sRGB channel of linear light.
pub(super) fn to_srgb(light: f32) -> u8 {
    LEAST.partition_point(|&least| least <= light) as u8
}
