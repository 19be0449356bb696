//! Scene -> binary STL, in millimetres, through the crate `stl_io`: what every slicer opens.
//!
//! Instances are baked in. A vertex is moved in double precision and rounded once, so that the triangles that share it
//! have it with the same bits: the file is as closed as the mesh.

use stl_io::{Normal, Triangle, Vertex};

use crate::solid::scene::{Instance, Scene};
use crate::solid::vector::{Vector, cross, dot, scale, sub};

/// The bytes of a binary STL file with one closed body an instance.
pub fn write(scene: &Scene<'_>) -> Vec<u8> {
    let triangles: Vec<Triangle> = scene.instances.iter().flat_map(|instance| baked(scene, instance)).collect();
    let mut bytes = Vec::with_capacity(80 + 4 + 50 * triangles.len());
    stl_io::write_stl(&mut bytes, triangles.iter()).expect("a vector takes any number of bytes");
    // The crate leaves the header of 80 bytes empty.
    bytes[..TITLE.len()].copy_from_slice(TITLE);
    bytes
}

/// Says the unit, which the format does not know. Readers take a file that starts with `solid` for the text form.
const TITLE: &[u8] = b"cubewright binary STL, unit: millimetre";

fn baked(scene: &Scene<'_>, instance: &Instance) -> impl Iterator<Item = Triangle> {
    let mesh = &scene.parts[instance.part].model.mesh;
    let vertices: Vec<Vertex> =
        mesh.vertices.iter().map(|&v| rounded(instance.transform.apply(v.map(f64::from)))).collect();
    mesh.triangles.iter().filter_map(move |corners| triangle(corners.map(|corner| vertices[corner as usize])))
}

fn rounded(v: Vector) -> Vertex {
    Vertex::new(v.map(|c| c as f32 + 0.0)) // + 0: no -0
}

/// The triangle with the normal of its rounded corners, as slicers compare the two. Nothing where rounding has put two
/// corners in one place: the neighbours across that side then meet, and the body stays closed.
fn triangle(corners: [Vertex; 3]) -> Option<Triangle> {
    let [a, b, c] = corners.map(|v| v.0.map(f64::from));
    let across = cross(sub(b, a), sub(c, a));
    let is_whole = a != b && b != c && c != a;
    let normal = Normal::new(scale(across, 1.0 / dot(across, across).sqrt()).map(|c| c as f32 + 0.0));
    is_whole.then_some(Triangle { normal, vertices: corners })
}
