//! Pieces, models of them and scenes, without a file.

use std::collections::BTreeSet;

use cubewright::glyph::Font;
use cubewright::puzzle::colour::Colour;
use cubewright::puzzle::grid::{Cell, Orientation, Shape, Side, Square, Turn};
use cubewright::puzzle::piece::{Mark, Piece};
use cubewright::puzzle::rules::Rules;
use cubewright::puzzle::settings::{Length, Settings, Style};
use cubewright::solid::dims::Dims;
use cubewright::solid::lettering::Lettering;
use cubewright::solid::model::Model;
use cubewright::solid::scene::{Instance, Scene, Transform};

/// A 20 mm cube with chamfers of 1 mm.
pub(crate) fn chamfered_cube() -> Model {
    let length = |micrometres| Some(Length::of_micrometres(micrometres));
    build(&cubie("cube", [""; 6]), &Settings { inset: length(0), bevel: length(1000), ..Settings::default() })
}

pub(crate) fn six_digits(style: Style) -> Model {
    build(&cubie("A", ["8", "1", "0", "4", "5", "6"]), &Settings { style: Some(style), ..Settings::default() })
}

pub(crate) fn cubie(name: &str, texts: [&str; 6]) -> Piece {
    let mark = |(i, text): (usize, &str)| {
        let square = Square { cell: Cell::ZERO, side: Side::ALL[i] };
        (square, Mark::new(text, Turn::ALL[i % 4]))
    };
    let marks = texts.into_iter().enumerate().filter(|(_, text)| !text.is_empty()).map(mark).collect();
    Piece {
        name: name.to_owned(),
        colour: Colour::new(255, 165, 0),
        shape: Shape::cube(),
        marks,
        count: 1..=1,
        twin_of: None,
    }
}

pub(crate) fn build(piece: &Piece, settings: &Settings) -> Model {
    let dims = Dims::resolve(settings, Length::of_micrometres(20_000)).expect("sizes that work");
    let texts: BTreeSet<&str> = piece.marks.values().map(|mark| mark.text.as_str()).collect();
    let lettering = Lettering::of_texts(&texts, &Rules::default(), &dims, &Font::built_in()).expect("digits");
    Model::build(piece, &dims, &lettering).expect("a cubie")
}

/// Copies of one model in all orientations, side by side.
pub(crate) fn row<'a>(model: &'a Model, names: &[&str]) -> Scene<'a> {
    let mut scene = Scene::of_piece(&cubie("A", [""; 6]), model);
    let instance = |(i, name): (usize, &&str)| {
        let rotation = Orientation::from_index(i % Orientation::COUNT).expect("below 24");
        let transform = Transform { rotation, translation: [30.1 * i as f64, -0.3, 1e-7] };
        Instance { part: 0, name: (*name).to_owned(), transform }
    };
    scene.instances = names.iter().enumerate().map(instance).collect();
    "a row".clone_into(&mut scene.name);
    scene
}
