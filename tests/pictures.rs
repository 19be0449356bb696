//! Pictures of scenes: what a person sees in them.

mod support;

use std::collections::BTreeMap;

use cubewright::picture::{self, Picture, View};
use cubewright::puzzle::corner::Corner;
use cubewright::puzzle::settings::{Settings, Style};
use cubewright::solid::scene::Scene;

use support::models::{build, cubie, six_digits};

fn view() -> View {
    View::isometric(Corner::default())
}

fn pixel(picture: &Picture, x: u32, y: u32) -> [u8; 3] {
    let at = 3 * (y * picture.size[0] + x) as usize;
    picture.pixels[at..at + 3].try_into().expect("three bytes")
}

#[test]
fn a_cube_shows_its_top_its_left_and_its_right_side_in_three_tones_of_its_colour() {
    let piece = cubie("A", [""; 6]);
    let model = build(&piece, &Settings::default());
    let picture = picture::still(&Scene::of_piece(&piece, &model), &view(), 300);
    assert_eq!(picture, picture::still(&Scene::of_piece(&piece, &model), &view(), 300), "the same pixels every time");
    // A cube from its corner: a hexagon, 2 high for every 3 ** 0.5 across, with a margin of 5 % around.
    let [width, height] = picture.size;
    assert_eq!(height, 300);
    assert!((i64::from(width) - 264).abs() <= 3, "{width}");
    let [top, left, right] = [[1, 2, 1, 4], [1, 4, 5, 8], [3, 4, 5, 8]]
        .map(|[x, of_x, y, of_y]| pixel(&picture, width * x / of_x, height * y / of_y));
    for side in [top, left, right] {
        // Orange: no blue, and less green than red.
        assert!(side[0] > side[1] && side[1] > 60 && side[2] < 8, "{side:?}");
    }
    assert!(top[0] > 235 && top[0] > left[0] + 15 && left[0] > right[0] + 15, "{top:?} {left:?} {right:?}");
    let ground = pixel(&picture, 0, 0);
    assert!(ground.iter().all(|&channel| channel > 240), "a light ground: {ground:?}");
    let mut edge = (0..width).flat_map(|x| [(x, 0), (x, height - 1)]).chain((0..height).map(|y| (width - 1, y)));
    assert!(edge.all(|(x, y)| pixel(&picture, x, y) == ground), "nothing at the edge, not even shadow");
    let shadow = pixel(&picture, width * 4 / 5, height * 17 / 20);
    assert!(shadow.iter().all(|&channel| (120..230).contains(&channel)), "{shadow:?}");
}

#[test]
fn digits_are_dark_on_their_sides() {
    let blank = cubie("A", [""; 6]);
    let plain = picture::still(&Scene::of_piece(&blank, &build(&blank, &Settings::default())), &view(), 300);
    let model = six_digits(Style::Embossed);
    let marked = picture::still(&Scene::of_piece(&cubie("A", [""; 6]), &model), &view(), 300);
    let dark = |picture: &Picture| {
        let is_dark = |pixel: &&[u8]| pixel.iter().all(|&channel| channel < 60);
        picture.pixels.chunks_exact(3).filter(is_dark).count()
    };
    assert_eq!(plain.size, marked.size);
    // 8, 4 and 6 or so cover about a tenth of three sides of 19.8 mm.
    let share = (dark(&marked) - dark(&plain)) as f64 / (300.0 * 264.0 * 0.62);
    assert!((0.1..0.3).contains(&share), "{share}");
}

#[test]
fn a_turntable_comes_round() {
    let piece = cubie("A", [""; 6]);
    let model = build(&piece, &Settings::default());
    let frames = picture::turntable(&Scene::of_piece(&piece, &model), view(), 80, 8);
    assert_eq!(frames.len(), 8);
    let sizes: BTreeMap<[u32; 2], usize> = frames.iter().map(|frame| (frame.size, frame.pixels.len())).collect();
    assert_eq!(sizes.len(), 1);
    // A cube looks the same after a quarter turn, but for rounding.
    let apart = |a: &Picture, b: &Picture| a.pixels.iter().zip(&b.pixels).filter(|(a, b)| a.abs_diff(**b) > 24).count();
    assert!(apart(&frames[0], &frames[2]) < frames[0].pixels.len() / 50);
    assert!(apart(&frames[0], &frames[1]) > frames[0].pixels.len() / 50);
}
