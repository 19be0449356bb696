//! 3MF and GLB files, read by code that shares nothing with the writers.

mod support;

use std::collections::{BTreeMap, BTreeSet};
use std::io::Read;

use cubewright::export::{glb, threemf};
use cubewright::puzzle::Credits;
use cubewright::puzzle::settings::Style;
use cubewright::solid::motion::Motion;
use cubewright::solid::scene::Scene;
use serde_json::Value;

use support::models::{chamfered_cube, cubie, row, six_digits};

const THUMBNAIL: &[u8] = b"\x89PNG\r\n\x1a\nnot really";

fn credits() -> Credits {
    let text = |text: &str| Some(text.to_owned());
    Credits { author: text("A & B"), licence: text("CC0 <1.0>"), ..Credits::default() }
}

/// The files of a zip archive by name, checked against their sums as they are unpacked.
fn unzip(bytes: &[u8]) -> BTreeMap<String, Vec<u8>> {
    let mut archive = zip::ZipArchive::new(std::io::Cursor::new(bytes)).expect("a zip archive");
    let mut files = BTreeMap::new();
    for index in 0..archive.len() {
        let mut file = archive.by_index(index).expect("a file");
        let mut content = Vec::new();
        file.read_to_end(&mut content).expect("whole");
        assert!(files.insert(file.name().expect("text").into_owned(), content).is_none(), "no name twice");
    }
    files
}

/// The start tags of an XML text in order, each with its attributes still escaped.
fn tags(xml: &str) -> Vec<(String, BTreeMap<String, String>)> {
    let mut tags = Vec::new();
    for tag in xml.split('<').skip(1).map(|rest| rest.split('>').next().expect("a tag ends")) {
        if tag.starts_with(['/', '?']) {
            continue;
        }
        let (name, rest) = tag.split_once(' ').unwrap_or((tag, ""));
        let pieces: Vec<&str> = rest.trim_end_matches('/').split('"').collect();
        let pairs =
            pieces.chunks_exact(2).map(|pair| (pair[0].trim().trim_end_matches('=').to_owned(), pair[1].to_owned()));
        tags.push((name.trim_end_matches('/').to_owned(), pairs.collect()));
    }
    tags
}

fn attributes<'a>(tags: &'a [(String, BTreeMap<String, String>)], name: &str) -> Vec<&'a BTreeMap<String, String>> {
    tags.iter().filter(|tag| tag.0 == name).map(|tag| &tag.1).collect()
}

fn number<T: std::str::FromStr>(tag: &BTreeMap<String, String>, key: &str) -> T {
    tag[key].parse().unwrap_or_else(|_| panic!("{key} of {tag:?}"))
}

/// Six times the signed volume of triangles; panics unless every side is used once each way.
fn closed_volume(corners: &[[f64; 3]], triangles: &[[usize; 3]]) -> f64 {
    let mut sides = BTreeSet::new();
    for t in triangles {
        (0..3).for_each(|i| assert!(sides.insert([t[i], t[(i + 1) % 3]]), "a side is used twice one way"));
    }
    assert!(sides.iter().all(|&[a, b]| sides.contains(&[b, a])), "a side is open");
    let of = |t: &[usize; 3]| {
        let [a, b, c] = t.map(|corner| corners[corner]);
        a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0])
    };
    triangles.iter().map(of).sum::<f64>() / 6.0
}

#[test]
fn a_3mf_holds_body_and_digits_closed_and_in_their_own_colours_and_extruders() {
    for (style, has_digits) in [(Style::Embossed, true), (Style::Proud, true), (Style::Engraved, false)] {
        let model = six_digits(style);
        let scene = row(&model, &["A"; 24]);
        let bytes = threemf::write(&scene, &credits(), THUMBNAIL);
        assert_eq!(bytes, threemf::write(&scene, &credits(), THUMBNAIL), "the same bytes every time");
        let files = unzip(&bytes);
        assert_eq!(files["Metadata/thumbnail.png"], THUMBNAIL);
        let xml = String::from_utf8(files["3D/3dmodel.model"].clone()).expect("text");
        for line in [
            r#"<metadata name="Title">a row</metadata>"#,
            r#"<metadata name="Designer">A &amp; B</metadata>"#,
            r#"<metadata name="LicenseTerms">CC0 &lt;1.0&gt;</metadata>"#,
        ] {
            assert!(xml.contains(line), "{line}");
        }
        let model_tags = tags(&xml);
        assert_eq!(attributes(&model_tags, "model")[0]["unit"], "millimeter");
        let colours: Vec<&str> = attributes(&model_tags, "m:color").iter().map(|tag| tag["color"].as_str()).collect();
        assert_eq!(colours, ["#FFA500", "#202020"]);
        let corners: Vec<[f64; 3]> =
            attributes(&model_tags, "vertex").iter().map(|tag| ["x", "y", "z"].map(|k| number(tag, k))).collect();
        let triangles: Vec<([usize; 3], usize)> = (attributes(&model_tags, "triangle").iter())
            .map(|tag| {
                assert_eq!(tag["pid"], "1", "every triangle has a colour");
                (["v1", "v2", "v3"].map(|k| number(tag, k)), number(tag, "p1"))
            })
            .collect();

        let config = tags(std::str::from_utf8(&files["Metadata/Slic3r_PE_model.config"]).expect("text"));
        let mut next = 0;
        let mut volumes = Vec::new();
        for range in attributes(&config, "volume") {
            let (first, last): (usize, usize) = (number(range, "firstid"), number(range, "lastid"));
            assert_eq!(first, next, "the ranges follow each other");
            next = last + 1;
            let part: Vec<[usize; 3]> = triangles[first..next].iter().map(|triangle| triangle.0).collect();
            volumes.push(closed_volume(&corners, &part));
        }
        assert_eq!(next, triangles.len(), "the ranges hold every triangle");
        assert!((volumes.iter().sum::<f64>() / model.volume - 1.0).abs() < 1e-4, "{volumes:?} {}", model.volume);
        let extruders: Vec<&str> = attributes(&config, "metadata")
            .iter()
            .filter(|m| m["key"] == "extruder")
            .map(|m| m["value"].as_str())
            .collect();
        let coloured = |colour: usize| triangles.iter().filter(|triangle| triangle.1 == colour).count();
        if has_digits {
            assert_eq!(extruders, ["1", "2"]);
            // Six panels of 17 x 17 x 0.6 mm are missing in the body; proud digits stand on a whole one.
            let missing = if style == Style::Embossed { 6.0 * 17.0 * 17.0 * 0.6 } else { 0.0 };
            let plain = 19.8f64.powi(3) - 12.0 * 19.8 * 0.18 + 8.0 * 0.75 * 0.6f64.powi(3);
            assert!((volumes[0] - (plain - missing)).abs() < 1e-2, "{volumes:?}");
            let first_digit = triangles.iter().position(|triangle| triangle.1 == 1).expect("digits");
            assert_eq!(coloured(1), triangles.len() - first_digit, "digits, and nothing else, are in ink");
        } else {
            assert_eq!(extruders, ["1"]);
            assert!(coloured(1) > 0 && triangles.len() == model.mesh.triangles.len());
        }

        let items = attributes(&model_tags, "item");
        assert_eq!((items.len(), attributes(&model_tags, "object").len()), (24, 1), "copies are items of one object");
        for (item, instance) in items.iter().zip(&scene.instances) {
            let m: Vec<f64> = item["transform"].split(' ').map(|n| n.parse().expect("a number")).collect();
            for point in [[1.0, 2.0, 3.0], [-4.0, 0.5, 9.0]] {
                let moved: [f64; 3] =
                    std::array::from_fn(|k| (0..3).map(|i| point[i] * m[3 * i + k]).sum::<f64>() + m[9 + k]);
                let wanted = instance.transform.apply(point);
                assert!((0..3).all(|k| (moved[k] - wanted[k]).abs() < 1e-4), "{moved:?} {wanted:?}");
            }
        }
    }
}

#[test]
fn hostile_names_stay_text_in_3mf_and_glb() {
    let model = chamfered_cube();
    let names =
        ["</item>", "a\"b", "a&b", "tab\tnew\nline", "nul\0", "🎲", "שלום", "\u{202E}evil", "]]>", "{\"a\":1}", "\\"];
    let mut scene = row(&model, &names);
    scene.name = names.concat();
    names.concat().clone_into(&mut scene.parts[0].name);
    let files = unzip(&threemf::write(&scene, &Credits::default(), THUMBNAIL));
    let tags = tags(std::str::from_utf8(&files["3D/3dmodel.model"]).expect("text"));
    let found: Vec<&str> = attributes(&tags, "item").iter().map(|item| item["partnumber"].as_str()).collect();
    let escaped = [
        "&lt;/item&gt;",
        "a&quot;b",
        "a&amp;b",
        "tab new line",
        "nul\u{fffd}",
        "🎲",
        "שלום",
        "\u{202E}evil",
        "]]&gt;",
        "{&quot;a&quot;:1}",
        "\\",
    ];
    assert_eq!(found, escaped);
    let glb = Glb::read(&glb::write(&scene, None));
    let nodes: Vec<&str> = glb.json["nodes"]
        .as_array()
        .expect("nodes")
        .iter()
        .map(|node| node["name"].as_str().expect("a name"))
        .collect();
    let wanted: Vec<String> = names.map(|name| name.replace(['\t', '\n'], "_")).to_vec();
    assert_eq!(nodes[..names.len()], wanted);
    assert_eq!(glb.json["meshes"][0]["name"], names.concat());
}

/// A GLB file, its lengths checked.
struct Glb {
    json: Value,
    binary: Vec<u8>,
}

impl Glb {
    fn read(bytes: &[u8]) -> Glb {
        let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes")) as usize;
        assert_eq!((&bytes[..4], word(4), word(8)), (&b"glTF"[..], 2, bytes.len()));
        let text = word(12);
        assert_eq!((&bytes[16..20], text % 4), (&b"JSON"[..], 0));
        let json: Value = serde_json::from_slice(&bytes[20..20 + text]).expect("JSON");
        let binary = 20 + text;
        assert_eq!((&bytes[binary + 4..binary + 8], binary + 8 + word(binary)), (&b"BIN\0"[..], bytes.len()));
        assert_eq!(json["buffers"][0]["byteLength"], word(binary));
        Glb { json, binary: bytes[binary + 8..].to_vec() }
    }

    /// The numbers of an accessor, in groups of its width; the bounds that it names are those of the numbers.
    fn numbers(&self, accessor: &Value) -> Vec<Vec<f64>> {
        let accessor = &self.json["accessors"][accessor.as_u64().expect("a number") as usize];
        let view = &self.json["bufferViews"][accessor["bufferView"].as_u64().expect("a number") as usize];
        let whole = |value: &Value| value.as_u64().expect("a number") as usize;
        let bytes = &self.binary[whole(&view["byteOffset"])..][..whole(&view["byteLength"])];
        let all: Vec<f64> = match whole(&accessor["componentType"]) {
            5126 => bytes.chunks_exact(4).map(|b| f64::from(f32::from_le_bytes(b.try_into().expect("four")))).collect(),
            5123 => bytes.chunks_exact(2).map(|b| f64::from(u16::from_le_bytes(b.try_into().expect("two")))).collect(),
            other => panic!("component type {other}"),
        };
        let width = if accessor["type"] == "VEC3" { 3 } else { 1 };
        let groups: Vec<Vec<f64>> = all.chunks_exact(width).map(<[f64]>::to_vec).collect();
        assert_eq!(groups.len(), whole(&accessor["count"]));
        for (key, choose) in [("min", f64::min as fn(f64, f64) -> f64), ("max", f64::max)] {
            for k in 0..accessor[key].as_array().map_or(0, Vec::len) {
                let bound = groups.iter().map(|group| group[k]).reduce(choose).expect("numbers");
                assert_eq!(accessor[key][k].as_f64().map(|b| b as f32), Some(bound as f32));
            }
        }
        groups
    }
}

#[test]
fn a_glb_is_in_metres_with_y_up_one_mesh_a_piece_and_digits_as_a_second_primitive() {
    for style in Style::ALL {
        let model = six_digits(style);
        let names: Vec<String> = (0..24).map(|k| format!("A ({k})")).collect();
        let scene = row(&model, &names.iter().map(String::as_str).collect::<Vec<_>>());
        let bytes = glb::write(&scene, None);
        assert_eq!(bytes, glb::write(&scene, None), "the same bytes every time");
        let glb = Glb::read(&bytes);
        let [mesh] = &glb.json["meshes"].as_array().expect("meshes")[..] else { panic!("one mesh") };
        let [body, digits] = &mesh["primitives"].as_array().expect("primitives")[..] else { panic!("two primitives") };
        let (mut places, mut triangles) = (Vec::new(), Vec::new());
        let mut known: BTreeMap<[u32; 3], usize> = BTreeMap::new();
        for primitive in [body, digits] {
            let position = glb.numbers(&primitive["attributes"]["POSITION"]);
            let normal = glb.numbers(&primitive["attributes"]["NORMAL"]);
            assert_eq!(position.len(), normal.len());
            let indices: Vec<usize> = glb.numbers(&primitive["indices"]).iter().map(|i| i[0] as usize).collect();
            for t in indices.chunks_exact(3) {
                let corners = [0, 1, 2].map(|i| [0, 1, 2].map(|k| position[t[i]][k]));
                let (u, v) = (
                    [0, 1, 2].map(|k| corners[1][k] - corners[0][k]),
                    [0, 1, 2].map(|k| corners[2][k] - corners[0][k]),
                );
                let across = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
                let area = across.iter().map(|c| c * c).sum::<f64>().sqrt();
                let along = (0..3).map(|k| across[k] * normal[t[0]][k]).sum::<f64>();
                assert!(along > 0.9 * area, "a normal points out of its triangle");
                triangles.push(corners.map(|corner| {
                    let new = known.len();
                    *known.entry(corner.map(|c| (c as f32).to_bits())).or_insert_with(|| {
                        places.push(corner);
                        new
                    })
                }));
            }
        }
        assert_eq!(triangles.len(), model.mesh.triangles.len());
        let volume = 1e9 * closed_volume(&places, &triangles);
        assert!((volume / model.volume - 1.0).abs() < 1e-4, "{volume} {}", model.volume);

        let colour = |primitive: &Value| {
            let material = &glb.json["materials"][primitive["material"].as_u64().expect("a number") as usize];
            let pbr = &material["pbrMetallicRoughness"];
            assert_eq!(pbr["metallicFactor"], 0.0);
            [0, 1, 2].map(|k| (1000.0 * pbr["baseColorFactor"][k].as_f64().expect("a number")).round())
        };
        // Orange is 255, 165, 0 in sRGB; the ink is 32 of each.
        assert_eq!((colour(body), colour(digits)), ([1000.0, 376.0, 0.0], [14.0, 14.0, 14.0]));

        let nodes = glb.json["nodes"].as_array().expect("nodes");
        assert_eq!(nodes.len(), 25);
        let root = glb.json["scenes"][0]["nodes"][0].as_u64().expect("a root") as usize;
        let numbers = |value: &Value| -> Vec<f64> {
            value.as_array().expect("numbers").iter().filter_map(Value::as_f64).collect()
        };
        for (node, instance) in nodes.iter().zip(&scene.instances) {
            assert!(!node["name"].as_str().expect("a name").contains(' '));
            let point = [0.001, 0.002, 0.003];
            let at = turned(&numbers(&node["rotation"]), point);
            let at: [f64; 3] = std::array::from_fn(|k| at[k] + numbers(&node["translation"])[k]);
            let [x, y, z] = instance.transform.apply(point.map(|k| 1000.0 * k));
            let wanted = [x / 1000.0, z / 1000.0, -y / 1000.0];
            let at = turned(&numbers(&nodes[root]["rotation"]), at);
            assert!((0..3).all(|k| (at[k] - wanted[k]).abs() < 1e-7), "{at:?} {wanted:?}");
        }
    }
}

/// A point turned by a quaternion x, y, z, w.
fn turned(q: &[f64], p: [f64; 3]) -> [f64; 3] {
    let cross =
        |a: [f64; 3], b: [f64; 3]| [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
    let axis = [q[0], q[1], q[2]];
    let once = cross(axis, p);
    let twice = cross(axis, once);
    std::array::from_fn(|k| p[k] + 2.0 * (q[3] * once[k] + twice[k]))
}

#[test]
fn the_animation_of_a_glb_ends_where_the_pieces_belong() {
    let model = chamfered_cube();
    let assembled = row(&model, &["a", "b", "c"]);
    let exploded = assembled.clone().moved([0.0, 0.0, 70.0]);
    let motion = Motion::through(&[exploded, assembled.clone()]);
    let glb = Glb::read(&glb::write(&assembled, Some(&motion)));
    let animation = &glb.json["animations"][0];
    let channels = animation["channels"].as_array().expect("channels");
    assert_eq!(channels.len(), 3);
    for channel in channels {
        let target = &glb.json["nodes"][channel["target"]["node"].as_u64().expect("a number") as usize];
        let sampler = &animation["samplers"][channel["sampler"].as_u64().expect("a number") as usize];
        let times: Vec<f64> = glb.numbers(&sampler["input"]).concat();
        let places = glb.numbers(&sampler["output"]);
        assert!(times[0] == 0.0 && times.is_sorted() && times.len() == places.len());
        let rest: Vec<f64> =
            target["translation"].as_array().expect("numbers").iter().filter_map(Value::as_f64).collect();
        let (start, end) = (&places[0], &places[places.len() - 1]);
        assert!((0..3).all(|k| (end[k] - rest[k]).abs() < 1e-7));
        assert!((start[2] - end[2] - 0.07).abs() < 1e-7);
    }
    let half = motion.at(&assembled, 2.0);
    assert!((half.instances[0].transform.translation[2] - 35.0 - 1e-7).abs() < 1e-9);
}

#[test]
fn a_scene_of_nothing_is_still_a_file() {
    let scene = Scene { name: "none".to_owned(), parts: Vec::new(), instances: Vec::new(), spread: 0.0 };
    let bytes = glb::write(&scene, None);
    assert_eq!(&bytes[..4], b"glTF");
    assert_eq!(unzip(&threemf::write(&scene, &Credits::default(), THUMBNAIL)).len(), 5);
    assert_eq!(cubie("A", [""; 6]).marks.len(), 0);
}
