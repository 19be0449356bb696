//! The meshes of bars between the moves of a way apart: triangles of two bars never cross. Shares nothing with the search
//! for moves, which knows cells alone.

use std::collections::BTreeSet;

use cubewright::collection;
use cubewright::glyph::Font;
use cubewright::puzzle::moves::WayApart;
use cubewright::puzzle::parse::parse;
use cubewright::puzzle::settings::{Length, Settings};
use cubewright::solid::dims::Dims;
use cubewright::solid::lettering::Lettering;
use cubewright::solid::model::Model;
use cubewright::solid::motion::Motion;
use cubewright::solid::scene::Scene;
use cubewright::solve::disassemble::{Method, Verdict};
use cubewright::solve::{Limit, Options, solve_apart};

type Point = [f64; 3];
type Triangle = [Point; 3];

fn minus(a: Point, b: Point) -> Point {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/// Six times the volume of the tetrahedron of these corners, signed.
fn volume([a, b, c]: Triangle, d: Point) -> f64 {
    let [u, v, w] = [b, c, d].map(|corner| minus(corner, a));
    u[0] * (v[1] * w[2] - v[2] * w[1]) + u[1] * (v[2] * w[0] - v[0] * w[2]) + u[2] * (v[0] * w[1] - v[1] * w[0])
}

/// Whether the line from one end to the other passes through the inside of the triangle.
fn pierces([from, to]: [Point; 2], triangle: Triangle) -> bool {
    let [a, b, c] = triangle;
    let sides = [[a, b], [b, c], [c, a]].map(|[a, b]| volume([from, to, a], b));
    volume(triangle, from) * volume(triangle, to) < 0.0
        && (sides.iter().all(|&side| side > 0.0) || sides.iter().all(|&side| side < 0.0))
}

fn bounds(points: impl Iterator<Item = Point>) -> [Point; 2] {
    points.fold([[f64::INFINITY; 3], [f64::NEG_INFINITY; 3]], |[low, high], point| {
        [0, 1].map(|end| [0, 1, 2].map(|k| if end == 0 { low[k].min(point[k]) } else { high[k].max(point[k]) }))
    })
}

fn overlap(a: &[Point; 2], b: &[Point; 2]) -> bool {
    (0..3).all(|k| a[0][k] <= b[1][k] && b[0][k] <= a[1][k])
}

/// A triangle and the box around it.
type Boxed = (Triangle, [Point; 2]);

fn boxed(triangle: Triangle) -> Boxed {
    (triangle, bounds(triangle.into_iter()))
}

/// The triangles of each instance of a scene, where they are.
fn meshes(scene: &Scene<'_>) -> Vec<Vec<Boxed>> {
    let of = |instance: &cubewright::solid::scene::Instance| {
        let mesh = &scene.parts[instance.part].model.mesh;
        let corner = |vertex: u32| instance.transform.apply(mesh.vertices[vertex as usize].map(f64::from));
        mesh.triangles.iter().map(|triangle| boxed(triangle.map(corner))).collect()
    };
    scene.instances.iter().map(of).collect()
}

/// Whether a side of a triangle of one passes through a triangle of the other. Bars are too long to be wholly inside one
/// another, so that bars which do not cross share no space.
fn cross(one: &[Boxed], other: &[Boxed]) -> bool {
    let around = |mesh: &[Boxed]| bounds(mesh.iter().flat_map(|(_, around)| *around));
    let shared = [around(one), around(other)];
    let near = |mesh: &[Boxed]| -> Vec<Boxed> {
        mesh.iter().filter(|(_, around)| shared.iter().all(|shared| overlap(around, shared))).copied().collect()
    };
    let (one, other) = (near(one), near(other));
    let through = |a: &Boxed, b: &Boxed| {
        let [p, q, r] = a.0;
        [[p, q], [q, r], [r, p]].into_iter().any(|side| pierces(side, b.0))
    };
    one.iter().any(|a| other.iter().any(|b| overlap(&a.1, &b.1) && (through(a, b) || through(b, a))))
}

fn crossing(scene: &Scene<'_>) -> Option<[usize; 2]> {
    let meshes = meshes(scene);
    let pairs = (0..meshes.len()).flat_map(|a| (0..a).map(move |b| [b, a]));
    pairs.into_iter().find(|&[a, b]| cross(&meshes[a], &meshes[b]))
}

/// Calls with the scenes before and after each move of the first way apart of a burr.
fn along(name: &str, look: impl Fn(&[Scene<'_>], &WayApart)) {
    let puzzle = parse(collection::find(name).expect("built in")).expect("a right file");
    let options = Options { limit: Limit::First, keep: 1, ..Options::ALL };
    let outcome = solve_apart(&puzzle, &options, Method::First, u64::MAX).expect("a burr");
    let (assembly, verdict) = (&outcome.found[0], outcome.verdict(0));
    let Some(Verdict::Apart(way)) = verdict else { panic!("it comes apart") };
    let settings = Settings { tolerance: Some(Length::of_micrometres(100)), ..Settings::default() };
    let dims = Dims::resolve(&settings, Length::of_micrometres(12_000)).expect("sizes that work");
    let lettering = Lettering::cut(&puzzle, &dims, &Font::built_in()).expect("letters");
    let build = |piece| Model::build(piece, &dims, &lettering).expect("a bar");
    let models: Vec<Model> = puzzle.pieces.iter().map(build).collect();
    let scene = |steps| Scene::along(&puzzle, assembly, way, steps, &models, &dims);
    let scenes: Vec<Scene<'_>> = (0..=way.steps.len()).map(scene).collect();
    look(&scenes, way);
}

/// A quarter of a cell apart, where the slope of a bevel or the edge of a letter could meet what cells do not show.
#[test]
fn bars_do_not_touch_between_the_moves() {
    for (name, level, moves) in [("blue-burr", "1", 5), ("piston-burr", "9.3", 15)] {
        along(name, |scenes, way| {
            assert_eq!((way.level.to_string().as_str(), way.steps.len()), (level, moves));
            let motion = Motion::through(scenes);
            // Still at either end; between, a key a move.
            let keys = &motion.seconds()[1..=moves + 1];
            for (number, (step, times)) in way.steps.iter().zip(keys.windows(2)).enumerate() {
                let quarters = 4 * step.cells;
                for quarter in 0..=quarters {
                    let share = f64::from(quarter) / f64::from(quarters);
                    let scene = motion.at(&scenes[0], times[0] + share * (times[1] - times[0]));
                    assert_eq!(crossing(&scene), None, "{name}, move {}, {quarter} quarters of a cell", number + 1);
                }
            }
        });
    }
}

/// Bars are 0.2 mm apart: pushed by less they cross nothing, pushed by more the bar before them, if there is one.
#[test]
fn bars_that_are_pushed_through_the_gap_are_seen_to_cross() {
    along("blue-burr", |scenes, way| {
        let pushed = |bar: usize, axis: usize, by: f64| {
            let mut scene = scenes[0].clone();
            scene.instances[bar].transform.translation[axis] += by;
            crossing(&scene)
        };
        let places = (0..6).flat_map(|bar| (0..3).map(move |axis| (bar, axis)));
        for (bar, axis, sign) in places.flat_map(|(bar, axis)| [(bar, axis, 1.0), (bar, axis, -1.0)]) {
            assert_eq!(pushed(bar, axis, sign * 0.15), None);
            // No bar of this burr can move alone.
            let crossed = pushed(bar, axis, sign * 0.25).expect("it meets another bar");
            assert!(crossed.contains(&bar), "{bar} {crossed:?}");
        }
        let first: BTreeSet<usize> = way.steps[0].moved.iter().copied().collect();
        assert_eq!(first.len(), 3);
    });
}
