//! Scene -> 3MF (a zip archive of XML), in millimetres: what slicers with colours open. Core specification 1.3 with
//! colour groups of the materials extension 1.2.
//!
//! A part is one object: its body and, after it, its raised digits and painted squares, each closed. Every triangle has a
//! colour, as one without turns off the colours of some slicers. `Metadata/Slic3r_PE_model.config` tells PrusaSlicer where
//! in an object they begin, and which extruder prints what: the first colour of the file is for the first. Copies are
//! items of one object.

use std::collections::BTreeSet;
use std::fmt::{self, Write};

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use crate::puzzle::Credits;
use crate::puzzle::colour::Colour;
use crate::solid::Role;
use crate::solid::scene::{Part, Scene, Transform};

/// The bytes of a 3MF file. `thumbnail` is a PNG. Every part is written, also one that no instance places.
pub fn write(scene: &Scene<'_>, credits: &Credits, thumbnail: &[u8]) -> Vec<u8> {
    let colours = colours(scene);
    let mut archive = ZipWriter::new(std::io::Cursor::new(Vec::new()));
    // The time of a file in the archive is a constant of the crate.
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        .last_modified_time(zip::DateTime::default());
    let model = model(scene, credits, &colours);
    let config = config(scene, &colours);
    let files: [(&str, &[u8]); 5] = [
        ("[Content_Types].xml", CONTENT_TYPES.as_bytes()),
        ("_rels/.rels", RELATIONSHIPS.as_bytes()),
        ("3D/3dmodel.model", model.as_bytes()),
        ("Metadata/Slic3r_PE_model.config", config.as_bytes()),
        ("Metadata/thumbnail.png", thumbnail),
    ];
    let written = files.into_iter().try_for_each(|(name, bytes)| {
        archive.start_file(name, options)?;
        std::io::Write::write_all(&mut archive, bytes).map_err(zip::result::ZipError::from)
    });
    written.and_then(|()| archive.finish()).expect("a vector takes any number of bytes").into_inner()
}

const CONTENT_TYPES: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
<Default Extension="model" ContentType="application/vnd.ms-package.3dmanufacturing-3dmodel+xml"/>
<Default Extension="config" ContentType="text/xml"/>
<Default Extension="png" ContentType="image/png"/>
</Types>
"#;

const RELATIONSHIPS: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">
<Relationship Id="model" Target="/3D/3dmodel.model" Type="http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel"/>
<Relationship Id="thumbnail" Target="/Metadata/thumbnail.png" Type="http://schemas.openxmlformats.org/package/2006/relationships/metadata/thumbnail"/>
</Relationships>
"#;

/// The number of the colour group; the parts follow.
const COLOUR_GROUP: usize = 1;

/// The number of the object of a part.
fn object(part: usize) -> usize {
    COLOUR_GROUP + 1 + part
}

/// Colours of bodies, then of digits and of squares that have their own.
fn colours(scene: &Scene<'_>) -> Vec<Colour> {
    let mut colours = Vec::new();
    let bodies = scene.parts.iter().map(|part| part.colour);
    let own = |part: &Part<'_>| -> BTreeSet<Colour> {
        part.model.mesh.roles.iter().map(|&role| part.colour_of(role)).collect()
    };
    for colour in bodies.chain(scene.parts.iter().flat_map(own)) {
        if !colours.contains(&colour) {
            colours.push(colour);
        }
    }
    colours
}

fn number_of(colours: &[Colour], colour: Colour) -> usize {
    colours.iter().position(|known| *known == colour).expect("the colours of all parts were gathered")
}

fn model(scene: &Scene<'_>, credits: &Credits, colours: &[Colour]) -> String {
    let mut xml = Xml::new();
    xml.line(format_args!(
        r#"<model unit="millimeter" xml:lang="en-US" xmlns="http://schemas.microsoft.com/3dmanufacturing/core/2015/02" xmlns:m="http://schemas.microsoft.com/3dmanufacturing/material/2015/02" xmlns:slic3rpe="http://schemas.slic3r.org/3mf/2017/06">"#
    ));
    let metadata = [
        ("Title", Some(scene.name.as_str())),
        ("Designer", credits.author.as_deref()),
        ("LicenseTerms", credits.licence.as_deref()),
        ("Description", credits.notes.as_deref()),
        ("Application", Some(concat!("cubewright ", env!("CARGO_PKG_VERSION")))),
        // Without the version of its own part PrusaSlicer lets each part of an object sink to the bed by itself.
        ("slic3rpe:Version3mf", Some("1")),
    ];
    for (name, text) in metadata.into_iter().filter_map(|(name, text)| Some((name, text?))) {
        xml.line(format_args!(r#"<metadata name="{name}">{}</metadata>"#, Text(text)));
    }
    xml.line(format_args!("<resources>"));
    xml.line(format_args!(r#"<m:colorgroup id="{COLOUR_GROUP}">"#));
    colours.iter().for_each(|colour| xml.line(format_args!(r#"<m:color color="{colour}"/>"#)));
    xml.line(format_args!("</m:colorgroup>"));
    for (number, part) in scene.parts.iter().enumerate() {
        xml.object(object(number), part, colours);
    }
    xml.line(format_args!("</resources>"));
    xml.line(format_args!("<build>"));
    for instance in &scene.instances {
        let (object, transform) = (object(instance.part), Matrix(&instance.transform));
        xml.line(format_args!(
            r#"<item objectid="{object}" transform="{transform}" partnumber="{}"/>"#,
            Text(&instance.name)
        ));
    }
    xml.line(format_args!("</build>"));
    xml.line(format_args!("</model>"));
    xml.0
}

/// What PrusaSlicer wants to know beyond the standard: the triangles of each part of an object, and its extruder.
fn config(scene: &Scene<'_>, colours: &[Colour]) -> String {
    let mut xml = Xml::new();
    xml.line(format_args!("<config>"));
    for (number, part) in scene.parts.iter().enumerate() {
        let (split, name) = (&part.model.split, Text(&part.name));
        let copies = scene.instances.iter().filter(|instance| instance.part == number).count();
        xml.line(format_args!(r#"<object id="{}" instances_count="{copies}">"#, object(number)));
        xml.line(format_args!(r#"<metadata type="object" key="name" value="{name}"/>"#));
        let coloured = split.coloured.iter().map(|(&role, mesh)| match role {
            Role::Digit => (format!("{name} digits"), part.ink, mesh),
            role => (format!("{name} {}", part.colour_of(role)), part.colour_of(role), mesh),
        });
        let mut first = 0;
        for (volume, colour, mesh) in std::iter::once((name.to_string(), part.colour, &split.body)).chain(coloured) {
            let last = first + mesh.triangles.len() - 1;
            xml.line(format_args!(r#"<volume firstid="{first}" lastid="{last}">"#));
            let settings = [
                ("name", volume),
                ("volume_type", "ModelPart".to_owned()),
                ("matrix", "1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1".to_owned()),
                ("extruder", (number_of(colours, colour) + 1).to_string()),
            ];
            for (key, value) in settings {
                xml.line(format_args!(r#"<metadata type="volume" key="{key}" value="{value}"/>"#));
            }
            xml.line(format_args!("</volume>"));
            first = last + 1;
        }
        xml.line(format_args!("</object>"));
    }
    xml.line(format_args!("</config>"));
    xml.0
}

/// XML in the making.
struct Xml(String);

impl Xml {
    fn new() -> Xml {
        Xml("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".to_owned())
    }

    fn line(&mut self, line: fmt::Arguments<'_>) {
        self.0.write_fmt(line).expect("a string takes any text");
        self.0.push('\n');
    }

    fn object(&mut self, id: usize, part: &Part<'_>, colours: &[Colour]) {
        let (body, split) = (number_of(colours, part.colour), &part.model.split);
        self.line(format_args!(
            r#"<object id="{id}" type="model" name="{}" pid="{COLOUR_GROUP}" pindex="{body}">"#,
            Text(&part.name)
        ));
        self.line(format_args!("<mesh>"));
        self.line(format_args!("<vertices>"));
        let meshes = || std::iter::once(&split.body).chain(split.coloured.values());
        for [x, y, z] in meshes().flat_map(|mesh| &mesh.vertices) {
            self.line(format_args!(r#"<vertex x="{x}" y="{y}" z="{z}"/>"#));
        }
        self.line(format_args!("</vertices>"));
        self.line(format_args!("<triangles>"));
        let mut first = 0;
        for mesh in meshes() {
            for (triangle, &role) in mesh.triangles.iter().zip(&mesh.roles) {
                let [a, b, c] = triangle.map(|vertex| first + vertex);
                let colour = number_of(colours, part.colour_of(role));
                self.line(format_args!(r#"<triangle v1="{a}" v2="{b}" v3="{c}" pid="{COLOUR_GROUP}" p1="{colour}"/>"#));
            }
            first += mesh.vertices.len() as u32;
        }
        self.line(format_args!("</triangles>"));
        self.line(format_args!("</mesh>"));
        self.line(format_args!("</object>"));
    }
}

/// Text between tags or quotes. What XML cannot hold at all becomes the sign for a missing character, and what it would
/// need a number for a space: lib3mf refuses `&#10;`.
struct Text<'a>(&'a str);

impl fmt::Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.chars().try_for_each(|c| match c {
            '&' => f.write_str("&amp;"),
            '<' => f.write_str("&lt;"),
            '>' => f.write_str("&gt;"),
            '"' => f.write_str("&quot;"),
            '\t' | '\n' | '\r' => f.write_char(' '),
            '\0'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => f.write_char(char::REPLACEMENT_CHARACTER),
            _ => f.write_char(c),
        })
    }
}

/// The twelve numbers of a transform: 3MF multiplies a row by the matrix, so that its rows are our columns.
struct Matrix<'a>(&'a Transform);

impl fmt::Display for Matrix<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let matrix = self.0.rotation.matrix();
        for column in 0..3 {
            matrix.iter().try_for_each(|row| write!(f, "{} ", row[column]))?;
        }
        let [x, y, z] = self.0.translation.map(|k| k as f32 + 0.0);
        write!(f, "{x} {y} {z}")
    }
}
