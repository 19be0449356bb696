//! The picture of a cubie.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use cubewright::glyph::Font;
use cubewright::picture::{self, View};
use cubewright::puzzle::corner::Corner;
use cubewright::puzzle::parse::parse;
use cubewright::puzzle::settings::Length;
use cubewright::solid::dims::Dims;
use cubewright::solid::lettering::Lettering;
use cubewright::solid::model::Model;
use cubewright::solid::scene::Scene;

fn pictures(criterion: &mut Criterion) {
    let puzzle = parse(cubewright::collection::find("4d-sudoku").expect("built in")).expect("a puzzle");
    let dims = Dims::resolve(&puzzle.settings, Length::of_micrometres(20_000)).expect("sizes that work");
    let lettering = Lettering::cut(&puzzle, &dims, &Font::built_in()).expect("digits");
    let piece = &puzzle.pieces[5];
    let model = Model::build(piece, &dims, &lettering).expect("a cubie");
    let mut group = criterion.benchmark_group("pictures");
    group.sample_size(10);
    let scene = Scene::of_piece(piece, &model);
    let view = View::isometric(Corner::default());
    group.bench_function("cubie, 320 pixels", |bencher| bencher.iter(|| picture::still(black_box(&scene), &view, 320)));
    group.finish();
}

criterion_group!(benches, pictures);
criterion_main!(benches);
