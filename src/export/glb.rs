//! Scene -> GLB (binary glTF 2.0), in metres with Y up: what online viewers and phones open.
//!
//! A part is one mesh: its body, and its digits as a second primitive; squares of other colours follow. An instance is a
//! node that shows it. All of them hang on one node, which turns our z up into the format's y up. Faces are flat, so that
//! a vertex is written once for each normal that it has.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use gltf_json::accessor::{ComponentType, GenericComponentType, Type};
use gltf_json::animation::{Channel, Interpolation, Property, Sampler, Target as Animated};
use gltf_json::buffer::{Target, View};
use gltf_json::material::{PbrBaseColorFactor, PbrMetallicRoughness, StrengthFactor};
use gltf_json::mesh::{Mode, Primitive, Semantic};
use gltf_json::scene::UnitQuaternion;
use gltf_json::validation::{Checked::Valid, USize64};
use gltf_json::{Accessor, Animation, Buffer, Index, Material, Mesh, Node, Root, Value};

use crate::puzzle::colour::Colour;
use crate::puzzle::grid::Orientation;
use crate::solid::motion::Motion;
use crate::solid::scene::{Part, Scene};
use crate::solid::vector::{Vector, normal, unit};

/// The bytes of a GLB file. `motion` is that of the instances of the scene.
pub fn write(scene: &Scene<'_>, motion: Option<&Motion>) -> Vec<u8> {
    let mut file = Document::default();
    file.root.asset.generator = Some(concat!("cubewright ", env!("CARGO_PKG_VERSION")).to_owned());
    let meshes: Vec<Index<Mesh>> = scene.parts.iter().map(|part| file.mesh(part)).collect();
    let names = names(scene.instances.iter().map(|instance| instance.name.as_str()));
    let nodes: Vec<Index<Node>> = (scene.instances.iter().zip(names))
        .map(|(instance, name)| {
            file.root.push(Node {
                mesh: Some(meshes[instance.part]),
                name: Some(name),
                rotation: Some(UnitQuaternion(quaternion(instance.transform.rotation))),
                translation: Some(metres(instance.transform.translation)),
                ..Node::default()
            })
        })
        .collect();
    if let Some(motion) = motion {
        file.animation(motion, &nodes);
    }
    let half = std::f32::consts::FRAC_1_SQRT_2;
    let top = file.root.push(Node {
        children: (!nodes.is_empty()).then_some(nodes),
        name: Some(scene.name.clone()),
        rotation: Some(UnitQuaternion([-half, 0.0, 0.0, half])),
        ..Node::default()
    });
    let scene = gltf_json::Scene {
        extensions: None,
        extras: Default::default(),
        name: Some(scene.name.clone()),
        nodes: vec![top],
    };
    file.root.scene = Some(file.root.push(scene));
    file.finish()
}

/// A file in the making.
#[derive(Default)]
struct Document {
    root: Root,
    bytes: Vec<u8>,
    materials: Vec<(Colour, Index<Material>)>,
}

impl Document {
    fn mesh(&mut self, part: &Part<'_>) -> Index<Mesh> {
        let own: BTreeSet<Colour> = part.model.mesh.roles.iter().map(|&role| part.colour_of(role)).collect();
        let others = own.into_iter().filter(|&colour| colour != part.colour);
        let colours = std::iter::once(part.colour).chain(others);
        let primitives = colours.filter_map(|colour| self.primitive(part, colour)).collect();
        self.root.push(Mesh {
            extensions: None,
            extras: Default::default(),
            name: Some(part.name.clone()),
            primitives,
            weights: None,
        })
    }

    /// The triangles of that colour; `None` where there are none.
    fn primitive(&mut self, part: &Part<'_>, colour: Colour) -> Option<Primitive> {
        let corners = Corners::of(part, colour);
        if corners.indices.is_empty() {
            return None;
        }
        let position = self.vectors(&corners.positions, Some(Target::ArrayBuffer), true);
        let normal = self.vectors(&corners.normals, Some(Target::ArrayBuffer), false);
        let indices = self.indices(&corners.indices);
        Some(Primitive {
            attributes: BTreeMap::from([(Valid(Semantic::Positions), position), (Valid(Semantic::Normals), normal)]),
            extensions: None,
            extras: Default::default(),
            indices: Some(indices),
            material: Some(self.material(colour)),
            mode: Valid(Mode::Triangles),
            targets: None,
        })
    }

    /// Plastic in that colour.
    fn material(&mut self, colour: Colour) -> Index<Material> {
        if let Some(&(_, known)) = self.materials.iter().find(|(known, _)| *known == colour) {
            return known;
        }
        let [red, green, blue] = [colour.red, colour.green, colour.blue].map(linear);
        let material = self.root.push(Material {
            name: Some(colour.to_string()),
            pbr_metallic_roughness: PbrMetallicRoughness {
                base_color_factor: PbrBaseColorFactor([red, green, blue, 1.0]),
                metallic_factor: StrengthFactor(0.0),
                roughness_factor: StrengthFactor(0.6),
                ..PbrMetallicRoughness::default()
            },
            ..Material::default()
        });
        self.materials.push((colour, material));
        material
    }

    fn animation(&mut self, motion: &Motion, nodes: &[Index<Node>]) {
        let seconds: Vec<f32> = motion.seconds().iter().map(|&second| second as f32).collect();
        let times = self.accessor(&seconds, Type::Scalar, None, true);
        let (mut samplers, mut channels) = (Vec::new(), Vec::new());
        for (&node, places) in nodes.iter().zip(motion.places()) {
            let places: Vec<[f32; 3]> = places.iter().map(|&place| metres(place)).collect();
            let sampler = Index::push(
                &mut samplers,
                Sampler {
                    extensions: None,
                    extras: Default::default(),
                    input: times,
                    interpolation: Valid(Interpolation::Linear),
                    output: self.vectors(&places, None, false),
                },
            );
            let target =
                Animated { extensions: None, extras: Default::default(), node, path: Valid(Property::Translation) };
            channels.push(Channel { sampler, target, extensions: None, extras: Default::default() });
        }
        let name = Some("assemble".to_owned());
        self.root.push(Animation { extensions: None, extras: Default::default(), channels, name, samplers });
    }

    fn vectors(&mut self, vectors: &[[f32; 3]], target: Option<Target>, bounded: bool) -> Index<Accessor> {
        self.accessor(vectors.as_flattened(), Type::Vec3, target, bounded)
    }

    /// Numbers with, where the format asks for them, their least and greatest.
    fn accessor(&mut self, numbers: &[f32], kind: Type, target: Option<Target>, bounded: bool) -> Index<Accessor> {
        let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        let width = kind.multiplicity();
        let along = |k: usize| numbers.iter().skip(k).step_by(width).copied();
        let bound = |choose: fn(f32, f32) -> f32| -> Option<Value> {
            let of = |k: usize| along(k).reduce(choose).map(Value::from);
            if bounded { (0..width).map(of).collect::<Option<Vec<Value>>>().map(Value::from) } else { None }
        };
        let (least, most) = (bound(f32::min), bound(f32::max));
        self.push(&bytes, numbers.len() / width, ComponentType::F32, kind, target, [least, most])
    }

    fn indices(&mut self, indices: &[u32]) -> Index<Accessor> {
        let (target, most) = (Some(Target::ElementArrayBuffer), indices.iter().max().copied().unwrap_or(0));
        // The greatest number of two bytes is kept for the end of a strip.
        match most < u32::from(u16::MAX) {
            true => {
                let bytes: Vec<u8> = indices.iter().flat_map(|&index| (index as u16).to_le_bytes()).collect();
                self.push(&bytes, indices.len(), ComponentType::U16, Type::Scalar, target, [None, None])
            }
            false => {
                let bytes: Vec<u8> = indices.iter().flat_map(|index| index.to_le_bytes()).collect();
                self.push(&bytes, indices.len(), ComponentType::U32, Type::Scalar, target, [None, None])
            }
        }
    }

    fn push(
        &mut self,
        bytes: &[u8],
        count: usize,
        component: ComponentType,
        kind: Type,
        target: Option<Target>,
        [min, max]: [Option<Value>; 2],
    ) -> Index<Accessor> {
        let view = self.root.push(View {
            buffer: Index::new(0),
            byte_length: USize64::from(bytes.len()),
            byte_offset: Some(USize64::from(self.bytes.len())),
            byte_stride: None,
            name: None,
            target: target.map(Valid),
            extensions: None,
            extras: Default::default(),
        });
        self.bytes.extend(bytes);
        pad(&mut self.bytes, 0);
        self.root.push(Accessor {
            buffer_view: Some(view),
            byte_offset: None,
            count: USize64::from(count),
            component_type: Valid(GenericComponentType(component)),
            extensions: None,
            extras: Default::default(),
            type_: Valid(kind),
            min,
            max,
            name: None,
            normalized: false,
            sparse: None,
        })
    }

    /// The header, then the text, then the numbers, each as a whole number of words.
    fn finish(mut self) -> Vec<u8> {
        if !self.bytes.is_empty() {
            self.root.push(Buffer {
                byte_length: USize64::from(self.bytes.len()),
                name: None,
                uri: None,
                extensions: None,
                extras: Default::default(),
            });
        }
        let mut text = self.root.to_vec().expect("it has text keys and finite numbers");
        pad(&mut text, b' ');
        let chunks: [(&[u8; 4], &[u8]); 2] = [(b"JSON", &text), (b"BIN\0", &self.bytes)];
        let chunks = || chunks.iter().filter(|(_, bytes)| !bytes.is_empty());
        let length = 12 + chunks().map(|(_, bytes)| 8 + bytes.len()).sum::<usize>();
        let mut file = Vec::with_capacity(length);
        file.extend(b"glTF");
        file.extend(2u32.to_le_bytes());
        file.extend((length as u32).to_le_bytes());
        for (kind, bytes) in chunks() {
            file.extend((bytes.len() as u32).to_le_bytes());
            file.extend(*kind);
            file.extend(*bytes);
        }
        file
    }
}

fn pad(bytes: &mut Vec<u8>, with: u8) {
    bytes.resize(bytes.len().next_multiple_of(4), with);
}

/// Vertices with normals, each pair once.
#[derive(Default)]
struct Corners {
    positions: Vec<[f32; 3]>,
    normals: Vec<[f32; 3]>,
    indices: Vec<u32>,
}

impl Corners {
    fn of(part: &Part<'_>, colour: Colour) -> Corners {
        let mesh = &part.model.mesh;
        let mut corners = Corners::default();
        let mut known: HashMap<(u32, [i16; 3]), u32> = HashMap::new();
        let coloured = mesh.triangles.iter().zip(&mesh.roles).filter(|(_, role)| part.colour_of(**role) == colour);
        for (triangle, _) in coloured {
            let places = triangle.map(|vertex| mesh.vertices[vertex as usize].map(f64::from));
            let Some(normal) = normal(places) else { continue };
            // Rounded, so that the triangles of a plane have the same.
            let normal = normal.map(|k| (k * NORMALS).round() as i16);
            for &vertex in triangle {
                let index = *known.entry((vertex, normal)).or_insert_with(|| {
                    corners.positions.push(metres(mesh.vertices[vertex as usize].map(f64::from)));
                    corners.normals.push(unit(normal.map(f64::from)).map(|k| k as f32));
                    corners.positions.len() as u32 - 1
                });
                corners.indices.push(index);
            }
        }
        corners
    }
}

/// Steps from 0 to 1 of a coordinate of a normal.
const NORMALS: f64 = 10_000.0;

fn metres(millimetres: Vector) -> [f32; 3] {
    millimetres.map(|k| (k / 1000.0) as f32 + 0.0)
}

/// Linear light of an sRGB channel.
fn linear(channel: u8) -> f32 {
    let share = f64::from(channel) / 255.0;
    (if share <= 0.04045 { share / 12.92 } else { ((share + 0.055) / 1.055).powf(2.4) }) as f32
}

/// x, y, z, w of the rotation: from the largest of the four, so that nothing is divided by a small number.
fn quaternion(rotation: Orientation) -> [f32; 4] {
    let m = rotation.matrix().map(|row| row.map(f64::from));
    // Four times the square of each, and four times its products with the others.
    let rows = [
        [1.0 + m[0][0] - m[1][1] - m[2][2], m[0][1] + m[1][0], m[0][2] + m[2][0], m[2][1] - m[1][2]],
        [m[0][1] + m[1][0], 1.0 - m[0][0] + m[1][1] - m[2][2], m[1][2] + m[2][1], m[0][2] - m[2][0]],
        [m[0][2] + m[2][0], m[1][2] + m[2][1], 1.0 - m[0][0] - m[1][1] + m[2][2], m[1][0] - m[0][1]],
        [m[2][1] - m[1][2], m[0][2] - m[2][0], m[1][0] - m[0][1], 1.0 + m[0][0] + m[1][1] + m[2][2]],
    ];
    let best = (0..4).max_by(|&a, &b| rows[a][a].total_cmp(&rows[b][b])).unwrap_or(3);
    let length = rows[best].iter().map(|k| k * k).sum::<f64>().sqrt();
    rows[best].map(|k| (k / length) as f32 + 0.0)
}

/// Names without spaces, which some viewers cut at, each its own.
fn names<'a>(names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut taken = BTreeSet::new();
    let distinct = |name: &str| {
        let name: String = name.chars().map(|c| if c.is_whitespace() { '_' } else { c }).collect();
        let numbered = (2..).map(|number| format!("{name}_{number}"));
        std::iter::once(name.clone()).chain(numbered).find(|name| taken.insert(name.clone())).unwrap_or_default()
    };
    names.map(distinct).collect()
}
