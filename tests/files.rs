//! STL and STEP files, read by code that shares nothing with the writers.

mod part21;
mod support;

use std::collections::{BTreeMap, BTreeSet};

use cubewright::export::{step, stl};
use cubewright::puzzle::grid::{Cell, Shape};
use cubewright::puzzle::piece::Piece;
use cubewright::puzzle::settings::{Settings, Style};
use cubewright::solid::scene::Scene;

use part21::{File, Value};
use support::models::{build, chamfered_cube, cubie, row, six_digits};

fn read_step(scene: &Scene<'_>) -> File {
    let bytes = step::write(scene);
    assert_eq!(bytes, step::write(scene), "the same bytes every time");
    File::read(&bytes)
}

#[test]
fn a_chamfered_cube_is_18_planes_48_edges_32_vertices_in_step() {
    let model = chamfered_cube();
    let file = read_step(&Scene::of_piece(&cubie("cube", [""; 6]), &model));
    let [shell] = file.all("CLOSED_SHELL")[..] else { panic!("one shell") };
    assert_eq!(file.check_shell(shell), [18, 48, 32]);
    // 20^3 - 12 edges of 20 x 1/2 + 3/4 at each of 8 corners.
    assert!((file.volume(shell) - 7886.0).abs() < 1e-9, "{}", file.volume(shell));
    let counts = [
        ("ADVANCED_FACE", 18),
        ("FACE_OUTER_BOUND", 18),
        ("FACE_BOUND", 0),
        ("PLANE", 18),
        ("EDGE_CURVE", 48),
        ("LINE", 48),
        ("ORIENTED_EDGE", 96),
        ("VERTEX_POINT", 32),
        ("MANIFOLD_SOLID_BREP", 1),
        ("PRODUCT", 1),
        ("NEXT_ASSEMBLY_USAGE_OCCURRENCE", 0),
        ("STYLED_ITEM", 1),
        ("OVER_RIDING_STYLED_ITEM", 0),
    ];
    for (keyword, count) in counts {
        assert_eq!(file.count(keyword), count, "{keyword}");
    }
    for keyword in ["CARTESIAN_POINT", "DIRECTION"] {
        let all = file.all(keyword);
        let different: BTreeSet<String> = all.iter().map(|&id| format!("{:?}", file.triple(id))).collect();
        assert_eq!(different.len(), all.len(), "no {keyword} is written twice");
    }
    assert!(file.header.contains("FILE_SCHEMA(('AUTOMOTIVE_DESIGN { 1 0 10303 214 1 1 1 1 }'));"));
}

#[test]
fn digits_keep_their_curves_and_have_their_own_colour_in_step() {
    for style in Style::ALL {
        let model = six_digits(style);
        let file = read_step(&Scene::of_piece(&cubie("A", [""; 6]), &model));
        let [shell] = file.all("CLOSED_SHELL")[..] else { panic!("one shell") };
        let [faces, edges, vertices] = file.check_shell(shell);
        // Euler and Poincaré: inner bounds are what keeps this from 2.
        let inner = file.count("FACE_BOUND");
        assert_eq!(vertices + faces, edges + inner + 2 * (1 - HOLES_THROUGH), "{style:?}");
        assert!((file.volume(shell) - model.volume).abs() < 1e-9 * model.volume, "{style:?}");
        let walls = file.count("SURFACE_OF_LINEAR_EXTRUSION");
        assert!(walls > 60 && 2 * walls == file.count("B_SPLINE_CURVE_WITH_KNOTS"), "{style:?}: {walls} curved walls");
        assert_eq!(file.count("COLOUR_RGB"), 2);
        assert!(file.count("OVER_RIDING_STYLED_ITEM") >= walls, "{style:?}");
    }
}

/// Counters are holes in a digit, but their floor is the face: no digit makes a hole through the cubie.
const HOLES_THROUGH: usize = 0;

#[test]
fn instances_are_components_of_an_assembly_in_step() {
    let model = chamfered_cube();
    let names = ["one", "two", "three"];
    let scene = row(&model, &names);
    let file = read_step(&scene);
    assert_eq!((file.count("MANIFOLD_SOLID_BREP"), file.count("PRODUCT")), (1, 2));
    let uses = file.all("NEXT_ASSEMBLY_USAGE_OCCURRENCE");
    let found: Vec<&str> = uses.iter().map(|&id| file.get(id, "NEXT_ASSEMBLY_USAGE_OCCURRENCE")[1].text()).collect();
    assert_eq!(found, names);
    assert_eq!(file.count("CONTEXT_DEPENDENT_SHAPE_REPRESENTATION"), 3);
    for (id, instance) in file.all("ITEM_DEFINED_TRANSFORMATION").into_iter().zip(&scene.instances) {
        let place = file.get(id, "ITEM_DEFINED_TRANSFORMATION")[3].reference();
        let axes = file.get(place, "AXIS2_PLACEMENT_3D");
        let [origin, z, x] = [1, 2, 3].map(|k| file.triple(axes[k].reference()));
        let moved = |p: [f64; 3]| {
            let p = instance.transform.apply(p);
            std::array::from_fn(|k| p[k] - instance.transform.translation[k])
        };
        assert_eq!(origin, instance.transform.translation);
        assert_eq!(
            (z.map(f64::round), x.map(f64::round)),
            (moved([0.0, 0.0, 1.0]).map(f64::round), moved([1.0, 0.0, 0.0]).map(f64::round))
        );
    }
}

#[test]
fn hostile_names_stay_inside_their_quotes_in_step() {
    let model = chamfered_cube();
    let names =
        ["it's", "a\\b", "a\nb", "nul\0", "🎲", "שלום", "');\n#1=PRODUCT('", "", "\u{202E}evil", "\\X2\\0041\\X0\\"];
    let mut scene = row(&model, &names);
    scene.name = names.concat();
    let file = read_step(&scene);
    assert_eq!(file.count("PRODUCT"), 2);
    let uses = file.all("NEXT_ASSEMBLY_USAGE_OCCURRENCE");
    let found: Vec<&str> = uses.iter().map(|&id| file.get(id, "NEXT_ASSEMBLY_USAGE_OCCURRENCE")[1].text()).collect();
    let escaped = [
        "it's",
        r"a\\b",
        r"a\X2\000A\X0\b",
        r"nul\X2\0000\X0\",
        r"\X4\0001F3B2\X0\",
        r"\X2\05E905DC05D505DD\X0\",
        r"');\X2\000A\X0\#1=PRODUCT('",
        "",
        r"\X2\202E\X0\evil",
        r"\\X2\\0041\\X0\\",
    ];
    assert_eq!(found, escaped);
}

#[test]
fn a_cavity_is_a_void_in_step_and_a_second_shell_in_stl() {
    let cells = (0..27).map(|i| Cell::new(i % 3, i / 3 % 3, i / 9)).filter(|&cell| cell != Cell::new(1, 1, 1));
    let shape = Shape::new(cells).expect("26 cells");
    let piece = Piece { shape, ..cubie("hollow", [""; 6]) };
    let model = build(&piece, &Settings::default());
    let scene = Scene::of_piece(&piece, &model);
    let file = read_step(&scene);
    let [solid] = file.all("BREP_WITH_VOIDS")[..] else { panic!("one solid with voids") };
    let attributes = file.get(solid, "BREP_WITH_VOIDS");
    let [Value::Reference(void)] = attributes[2].list() else { panic!("one void") };
    let void = file.get(*void, "ORIENTED_CLOSED_SHELL");
    assert!(void[3].is_true());
    let (outer, inner) = (file.volume(attributes[1].reference()), file.volume(void[2].reference()));
    assert!(outer > 0.0 && inner < 0.0 && (outer + inner - model.volume).abs() < 1e-9 * model.volume);
    assert_eq!(Stl::read(&stl::write(&scene)).bodies().len(), 2);
}

#[test]
fn stl_is_binary_closed_and_one_body_an_instance() {
    for style in Style::ALL {
        let model = six_digits(style);
        let names = ["A"; 24];
        let scene = row(&model, &names);
        let bytes = stl::write(&scene);
        assert_eq!(bytes, stl::write(&scene), "the same bytes every time");
        assert_eq!(bytes.len(), 84 + 50 * 24 * model.mesh.triangles.len());
        assert!(bytes[..80].is_ascii() && !bytes.to_ascii_lowercase().starts_with(b"solid"));
        let stl = Stl::read(&bytes);
        let bodies = stl.bodies();
        assert_eq!(bodies.len(), 24);
        for volume in bodies {
            assert!((volume - model.facts.volume).abs() < 1e-5 * model.volume, "{volume} {}", model.facts);
        }
    }
}

#[test]
fn an_empty_scene_is_a_file_without_solids() {
    let scene = Scene { name: "none".to_owned(), parts: Vec::new(), instances: Vec::new(), spread: 0.0 };
    assert_eq!(read_step(&scene).count("PRODUCT"), 1);
    assert_eq!(stl::write(&scene).len(), 84);
}

/// Triangles by the bits of their corners, checked one by one as they are read.
struct Stl {
    triangles: Vec<[[u32; 3]; 3]>,
}

impl Stl {
    fn read(bytes: &[u8]) -> Stl {
        let count = u32::from_le_bytes(bytes[80..84].try_into().expect("four bytes")) as usize;
        assert_eq!(bytes.len(), 84 + 50 * count);
        let triangles = bytes[84..].chunks_exact(50).map(|record| {
            assert_eq!(record[48..], [0, 0], "no attributes");
            let number = |i: usize| f32::from_le_bytes(record[4 * i..4 * i + 4].try_into().expect("four bytes"));
            let [normal, a, b, c] = [0, 3, 6, 9].map(|i| [number(i), number(i + 1), number(i + 2)].map(f64::from));
            let (u, v) = ([0, 1, 2].map(|k| b[k] - a[k]), [0, 1, 2].map(|k| c[k] - a[k]));
            let across = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
            let area = across.iter().map(|c| c * c).sum::<f64>().sqrt();
            assert!(area > 1e-9, "a triangle without area");
            assert!((0..3).all(|k| (normal[k] - across[k] / area).abs() < 1e-6), "the normal is that of the corners");
            [a, b, c].map(|corner| corner.map(|c| (c as f32).to_bits()))
        });
        Stl { triangles: triangles.collect() }
    }

    /// The volume of each set of triangles that hang together; panics unless each is closed.
    fn bodies(&self) -> Vec<f64> {
        let mut sides: BTreeMap<[[u32; 3]; 2], usize> = BTreeMap::new();
        for (number, t) in self.triangles.iter().enumerate() {
            for i in 0..3 {
                assert!(sides.insert([t[i], t[(i + 1) % 3]], number).is_none(), "a side is used twice one way");
            }
        }
        let mut seen = vec![false; self.triangles.len()];
        let mut volumes = Vec::new();
        for first in 0..self.triangles.len() {
            let (mut volume, mut left) = (0.0, vec![first]);
            while let Some(number) = left.pop() {
                if std::mem::replace(&mut seen[number], true) {
                    continue;
                }
                let t = self.triangles[number];
                let [a, b, c] = t.map(|corner| corner.map(|bits| f64::from(f32::from_bits(bits))));
                let cross = [b[1] * c[2] - b[2] * c[1], b[2] * c[0] - b[0] * c[2], b[0] * c[1] - b[1] * c[0]];
                volume += (a[0] * cross[0] + a[1] * cross[1] + a[2] * cross[2]) / 6.0;
                left.extend((0..3).map(|i| sides.get(&[t[(i + 1) % 3], t[i]]).expect("no side is open")));
            }
            if volume != 0.0 {
                volumes.push(volume);
            }
        }
        volumes
    }
}
