//! Coloured cubes: known counts, counts against plain enumeration that shares no code with the solver, the graph method,
//! and what nets and solids show.

#[path = "support/coloured.rs"]
mod coloured;
#[path = "support/known.rs"]
mod known;

use std::collections::{BTreeMap, BTreeSet};

use coloured::{Coloured, cube, least};
use cubewright::collection;
use cubewright::export::step;
use cubewright::glyph::Font;
use cubewright::puzzle::Puzzle;
use cubewright::puzzle::colour::Colour;
use cubewright::puzzle::grid::Side;
use cubewright::puzzle::parse::parse;
use cubewright::puzzle::piece::PieceId;
use cubewright::puzzle::settings::{Length, Settings, Style};
use cubewright::report::PieceLine;
use cubewright::solid::Role;
use cubewright::solid::dims::Dims;
use cubewright::solid::lettering::Lettering;
use cubewright::solid::model::Model;
use cubewright::solid::scene::Scene;
use cubewright::solve::graph::graph;
use cubewright::solve::{Options, Outcome, solve};
use cubewright::{explain, text};
use known::as_the_file_says;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

const ALL: Options<'_> = Options { keep: 1000, ..Options::ALL };

fn built_in(name: &str) -> Puzzle {
    parse(collection::find(name).expect("built in")).expect("a puzzle")
}

fn solved(puzzle: &Puzzle) -> Outcome {
    solve(puzzle, &ALL).expect("coloured cubes")
}

fn of_text(text: &str) -> (Puzzle, Outcome) {
    let puzzle = parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let outcome = solved(&puzzle);
    assert!(outcome.complete);
    (puzzle, outcome)
}

/// The file of the built-in Mayblox with its line that begins so replaced.
fn mayblox(line: &str, by: &str) -> String {
    let file = collection::find("mayblox").expect("built in");
    let replaced = |text: &str| if text.starts_with(line) { by.to_owned() } else { text.to_owned() };
    file.lines().map(replaced).collect::<Vec<_>>().join("\n")
}

#[test]
fn stacks_have_the_known_counts() {
    for (name, raw, classes) in [("instant-insanity", 8, 1), ("great-tantalizer", 40, 5), ("tick-4", 8, 1)] {
        let outcome = solved(&built_in(name));
        assert_eq!((outcome.raw, outcome.assemblies, outcome.up_to_rotations), (raw, classes, classes), "{name}");
        assert_eq!(outcome.merged, "8 rotations, the order in the stack");
        assert_eq!(outcome.found.len() as u64, classes);
        as_the_file_says(&built_in(name), &outcome, classes);
    }
}

#[test]
fn a_stack_of_seven_has_as_many_solutions_as_enumeration_says() {
    let cubes = ["124766", "556421", "417656", "232114", "661371", "575242", "743534"];
    let cubes = cubes.map(|letters| (cube(letters), 1, 1)).to_vec();
    let puzzle = Coloured { size: [1, 1, 7], cubes, all_different: true, ..Coloured::default() };
    let (_, outcome) = of_text(&puzzle.toml());
    assert_eq!((outcome.raw, outcome.assemblies, outcome.nodes), (184, 23, 215));
}

#[test]
fn a_stack_may_lie_along_any_axis_and_its_cubes_may_be_turned_and_listed_by_side() {
    let file = collection::find("instant-insanity").expect("built in");
    for size in ["[4, 1, 1]", "[1, 4, 1]"] {
        let (_, outcome) = of_text(&file.replace("[1, 1, 4]", size));
        assert_eq!((outcome.raw, outcome.assemblies), (8, 1), "{size}");
    }
    let by_side = r#"{ top = "R", left = "R", front = "G", right = "B", back = "W", bottom = "R" }"#;
    let (by_side, outcome) = of_text(&file.replace("\"RRGBWR\"", by_side));
    assert_eq!((by_side.pieces, outcome.raw), (built_in("instant-insanity").pieces, 8));
    // The first cube laid on its side: top to the front.
    let (_, outcome) = of_text(&file.replace("\"RRGBWR\"", "\"WRRBRG\""));
    assert_eq!((outcome.raw, outcome.assemblies), (8, 1));
}

#[test]
fn sides_add_up() {
    // Hours for colours, and each side adds up to 24; 15 classes by enumeration of all 24^4 ways to turn the cubes.
    let mut file = collection::find("instant-insanity").expect("built in").to_owned();
    for (letter, hour) in [("R", "2"), ("W", "4"), ("G", "8"), ("B", "10")] {
        file = file.replace(&format!("{letter} = {{"), &format!("{letter} = {{ symbol = \"{hour}\","));
    }
    let (_, outcome) = of_text(&file.replace("\"all-different\"", "{ sum = 24 }"));
    assert_eq!((outcome.raw, outcome.assemblies), (120, 15));
    let (_, outcome) = of_text(&file.replace("\"all-different\"", "{ sum = 24, all_different = true }"));
    assert_eq!((outcome.raw, outcome.assemblies), (8, 1));
}

#[test]
fn there_are_thirty_cubes_with_six_colours_and_all_are_different() {
    let puzzle = built_in("mayblox");
    let names: Vec<&str> = puzzle.pieces.iter().map(|piece| piece.name.as_str()).collect();
    let different: BTreeSet<_> = names.iter().map(|name| least(cube(name))).collect();
    assert_eq!((names.len(), different.len()), (30, 30));
    assert!(names.iter().all(|name| name.chars().collect::<BTreeSet<_>>().len() == 6));
    // Colours may come more than once; these counts are well known.
    let count = |all: &str| {
        let file = mayblox("all =", &format!("all = \"{all}\"\ncolour = \"white\""));
        let start = file.find("outside").expect("a rule");
        let end = file.find("[cubies]").expect("the cubes");
        let file = format!("{}{}", &file[..start], &file[end..]).replace("[0, 1]", "[0, 8]");
        parse(&file).expect("a puzzle").pieces.len()
    };
    assert_eq!([count("111222"), count("111111"), count("112233"), count("12345.")], [2, 1, 6, 30]);
}

#[test]
fn mayblox_has_one_set_of_eight_and_two_arrangements_for_each_of_thirty_targets() {
    as_the_file_says(&built_in("mayblox"), &solved(&built_in("mayblox")), 2);
    let targets: Vec<String> = built_in("mayblox").pieces.into_iter().map(|piece| piece.name).collect();
    for target in &targets {
        let (puzzle, outcome) = of_text(&mayblox("outside =", &format!("outside = \"{target}\"")));
        assert_eq!((outcome.raw, outcome.assemblies), (2, 2), "{target}");
        let used = |number: usize| -> BTreeSet<PieceId> {
            outcome.found[number].placements.iter().map(|placement| placement.piece).collect()
        };
        assert_eq!((used(0).len(), used(0)), (8, used(1)), "{target}");
        assert!(used(0).iter().all(|&id| puzzle.piece(id).name != *target), "the target itself is left over");
        let mut bare = puzzle.clone();
        bare.rules.touching = None;
        bare.pieces = used(0).iter().map(|&id| puzzle.piece(id).clone()).collect();
        assert_eq!(solved(&bare).raw, 16, "{target}, without the rule inside");
    }
}

#[test]
fn the_eight_cubes_of_mayblox_have_sixteen_arrangements_without_the_rule_inside() {
    let eight = ["123564", "123645", "124563", "124653", "126345", "126354", "134652", "136452"];
    let puzzle = built_in("mayblox");
    let used = |outcome: &Outcome| -> BTreeSet<String> {
        outcome.found[0].placements.iter().map(|placement| puzzle.piece(placement.piece).name.clone()).collect()
    };
    assert_eq!(used(&solved(&puzzle)), eight.map(str::to_owned).into());
    let mut bare = puzzle.clone();
    bare.rules.touching = None;
    bare.pieces.retain(|piece| eight.contains(&piece.name.as_str()));
    assert_eq!((solved(&bare).raw, solved(&bare).assemblies), (16, 16));
    // Eight of all thirty: as counted by a search in another language.
    assert_eq!(solved(&Puzzle { rules: bare.rules, ..puzzle.clone() }).raw, 449_580);
}

#[test]
fn all_targets_at_once_have_two_arrangements_each() {
    let (puzzle, outcome) = of_text(&mayblox("outside =", "outside = \"one-colour-a-side\""));
    assert_eq!((outcome.raw, outcome.assemblies, outcome.merged.as_str()), (1440, 60, "24 rotations"));
    let mut targets: BTreeMap<coloured::Cube, usize> = BTreeMap::new();
    for assembly in &outcome.found {
        let shown = [Side::Top, Side::Left, Side::Front, Side::Right, Side::Back, Side::Bottom].map(|side| {
            let on_side =
                |cell: cubewright::puzzle::grid::Cell| cell.along(side.axis()) == i32::from(side.is_positive());
            let seen = assembly.placements.iter().filter(|placement| on_side(placement.offset)).map(|placement| {
                let marks = puzzle.piece(placement.piece).marks_turned(placement.orientation);
                marks.iter().find(|(square, _)| square.side == side).expect("a colour").1.text.clone()
            });
            let seen: BTreeSet<String> = seen.collect();
            assert_eq!(seen.len(), 1);
            seen.iter().next().and_then(|text| text.chars().next()).expect("a digit")
        });
        *targets.entry(least(shown)).or_default() += 1;
    }
    assert_eq!((targets.len(), targets.values().all(|&count| count == 2)), (30, true));
}

#[test]
fn coloured_cubes_fill_planes_like_numbered_ones() {
    // Two by two by two, each of the twelve planes shows each of four colours once; all cubes are alike.
    let latin = |cubes: &str| {
        format!(
            "cubewright = 1\nname = \"test\"\norder = \"left right front back bottom top\"\n[target]\nbox = [2, 2, 2]\n\
             [palette]\nR = \"red\"\nG = \"green\"\nB = \"blue\"\nW = \"white\"\n[rules]\nplanes = \"latin\"\n\
             chequered = [\"orange\", \"grey\"]\n{cubes}"
        )
    };
    let colours = ["RRRRRR", "GGGGGG", "BBBBBB", "WWWWWW"];
    let cubie = |(number, body): (usize, &str)| {
        let colours = colours[number / 2];
        format!("[[cubie]]\nname = \"{number}\"\ncolour = \"{body}\"\ncolours = \"{colours}\"\n")
    };
    let cubes: String = (0..8).zip(["orange", "grey"].into_iter().cycle()).map(cubie).collect();
    let (_, outcome) = of_text(&latin(&cubes));
    // The two cubes of a colour sit at opposite corners: 4! ways, all of which turns and exchanges carry into each other.
    assert_eq!((outcome.raw, outcome.assemblies), (24, 1));
}

/// A small random number below `below`.
fn draw(seed: &mut u64, below: usize) -> usize {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*seed >> 33) as usize % below
}

fn letters(seed: &mut u64, colours: &[char]) -> coloured::Cube {
    std::array::from_fn(|_| colours[draw(seed, colours.len())])
}

/// A stack of up to five cubes cut from four sides that are all different; what is left is drawn at random.
fn planted_stack(seed: &mut u64) -> Coloured {
    let colours: Vec<char> = "12345".chars().take(3 + draw(seed, 3)).collect();
    let sides: Vec<Vec<char>> = (0..4)
        .map(|_| {
            let mut side = colours.clone();
            (1..side.len()).rev().for_each(|last| side.swap(last, draw(seed, last + 1)));
            side
        })
        .collect();
    let length = colours.len() - draw(seed, 2);
    let cubes = (0..length).map(|number| {
        let [top, bottom] = [0; 2].map(|_| colours[draw(seed, colours.len())]);
        ([top, sides[0][number], sides[1][number], sides[2][number], sides[3][number], bottom], 1, 1)
    });
    let cubes = cubes.collect();
    // Without the other rule enumeration has nothing to cut short.
    let all_colours = length == colours.len() && length <= 4 && draw(seed, 2) == 0;
    Coloured { size: [1, 1, length as i32], cubes, all_different: !all_colours, all_colours, ..Coloured::default() }
}

/// A few cubes with few colours, blanks among them, in a small box under rules drawn at random.
fn small(seed: &mut u64) -> Coloured {
    let size = [[1, 1, 2], [3, 1, 1], [1, 3, 1], [2, 1, 1], [1, 2, 1], [1, 1, 1], [2, 2, 1]][draw(seed, 7)];
    let places = size.iter().product::<i32>() as usize;
    let colours: Vec<char> = ["12", "123", "12.", "1234"][draw(seed, 4)].chars().collect();
    let mut puzzle = Coloured { size, ..Coloured::default() };
    for _ in 0..places + draw(seed, 2) {
        puzzle.cubes.push((
            letters(seed, &colours),
            usize::from(draw(seed, 2) == 0),
            1 + usize::from(draw(seed, 4) == 0),
        ));
    }
    let is_flat = places == 4;
    puzzle.all_different = draw(seed, 3) == 0;
    puzzle.all_colours = !puzzle.all_different && draw(seed, 4) == 0;
    puzzle.sum = (draw(seed, 4) == 0).then(|| (places + draw(seed, 4)) as i64);
    puzzle.touching = [None, Some(true), Some(false)][if is_flat { 1 } else { draw(seed, 3) }];
    puzzle.one_colour_a_side = draw(seed, 6) == 0;
    if !puzzle.one_colour_a_side && draw(seed, 3) == 0 {
        puzzle.outside.push((draw(seed, 6), '1'));
    }
    puzzle
}

/// Compares the counts; files that are refused must have no solution.
fn agrees_with_enumeration(puzzle: &Coloured) {
    let file = puzzle.toml();
    let counts = puzzle.count();
    let Ok(parsed) = parse(&file) else {
        assert_eq!(counts.0, 0, "{}\n{file}", parse(&file).expect_err("refused"));
        return;
    };
    let outcome = solved(&parsed);
    assert_eq!((outcome.raw, outcome.assemblies), (counts.0 as u64, counts.1 as u64), "{file}");
    let different: BTreeSet<_> = outcome.found.iter().collect();
    assert_eq!(different.len(), counts.1.min(ALL.keep));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 10, failure_persistence: None, rng_seed: RngSeed::Fixed(4), ..ProptestConfig::default() })]

    #[test]
    fn stacks_are_counted_as_by_enumeration(seed: u64) {
        let puzzle = planted_stack(&mut seed.clone());
        agrees_with_enumeration(&puzzle);
        prop_assert!(puzzle.count().0 > 0);
    }

    #[test]
    fn small_boxes_are_counted_as_by_enumeration(seed: u64) {
        agrees_with_enumeration(&small(&mut seed.clone()));
    }
}

#[test]
fn the_graph_method_takes_two_edges_of_each_cube_that_give_each_colour_two_ends() {
    let puzzle = built_in("instant-insanity");
    let graph = graph(&puzzle, &solved(&puzzle).found[0]).expect("a stack");
    assert_eq!(graph.sides, [[Side::Front, Side::Back], [Side::Left, Side::Right]]);
    for part in 0..2 {
        let mut ends: BTreeMap<&str, usize> = BTreeMap::new();
        for symbol in graph.cubies.iter().flat_map(|cubie| cubie.ends[part].iter().flatten()) {
            *ends.entry(symbol).or_default() += 1;
        }
        assert_eq!(ends.into_iter().collect::<Vec<_>>(), [("B", 2), ("G", 2), ("R", 2), ("W", 2)]);
    }
    // Opposite pairs of the first cube as listed: top and bottom, left and right, front and back.
    let pairs = graph.cubies[0].ends.iter().map(|ends| ends.iter().flatten().cloned().collect::<BTreeSet<_>>());
    let set = |letters: &str| letters.chars().map(String::from).collect::<BTreeSet<_>>();
    assert_eq!(pairs.collect::<BTreeSet<_>>(), BTreeSet::from([set("R"), set("RB"), set("GW")]));
    assert_eq!(graph.pairs, Some(1));
    let text = explain::text(&puzzle, &graph);
    assert!(text.contains("1 pair of them shares no edge."), "{text}");
    let drawing = explain::drawing(&puzzle, &graph);
    let svg = cubewright::net::svg::svg(&drawing);
    for letter in ["R", "G", "B", "W"] {
        // In each of the three graphs.
        assert_eq!(svg.matches(&format!("aria-label=\"{letter}\"")).count(), 3, "{letter}");
    }
    // Each cube has three edges among all, one in each sub-graph.
    assert!((1..=4).all(|cube| svg.matches(&format!("aria-label=\"{cube}\"")).count() == 5));
    let tantalizer = built_in("great-tantalizer");
    let found = solved(&tantalizer).found;
    assert!(found.iter().all(|assembly| cubewright::solve::graph::graph(&tantalizer, assembly).is_some()));
    let mayblox = built_in("mayblox");
    assert_eq!(cubewright::solve::graph::graph(&mayblox, &solved(&mayblox).found[0]), None);
}

#[test]
fn a_solution_is_printed_with_its_long_sides() {
    let puzzle = built_in("instant-insanity");
    let planes = text::planes(&puzzle, &solved(&puzzle).found[0]);
    let columns: Vec<String> = ["Front", "Back", "Left", "Right"]
        .iter()
        .map(|side| {
            let start = planes.find(&format!("{side} faces of ")).expect("a side");
            planes[start..].lines().skip(1).take(4).map(str::trim).collect()
        })
        .collect();
    for column in &columns {
        assert_eq!(column.chars().collect::<BTreeSet<_>>(), "BGRW".chars().collect(), "{planes}");
    }
    assert!(!planes.contains('('), "a colour has no way up: {planes}");
}

#[test]
fn solids_have_colours_on_their_faces_and_symbols_like_digits() {
    let puzzle = built_in("instant-insanity");
    for style in Style::ALL {
        let settings = Settings { style: Some(style), ..Settings::default() };
        let dims = Dims::resolve(&settings, Length::of_micrometres(20_000)).expect("sizes that work");
        let lettering = Lettering::cut(&puzzle, &dims, &Font::built_in()).expect("letters");
        let painted = Model::build(&puzzle.pieces[0], &dims, &lettering).expect("a cubie");
        let mut bare = puzzle.pieces[0].clone();
        bare.marks.values_mut().for_each(|mark| mark.paint = None);
        let plain = Model::build(&bare, &dims, &lettering).expect("a cubie");
        assert_eq!((painted.volume, painted.facts), (plain.volume, plain.facts));
        let faces = |colour: Colour| painted.roles.iter().filter(|role| **role == Role::Painted(colour)).count();
        let digits = plain.roles.iter().filter(|role| **role == Role::Digit).count();
        let paints: BTreeSet<Colour> = puzzle.pieces[0].marks.values().filter_map(|mark| mark.paint).collect();
        assert_eq!(paints.len(), 4);
        assert!(paints.iter().all(|&paint| faces(paint) > 0));
        // The chamfers along the edges are all that shows the body.
        assert_eq!(painted.roles.iter().filter(|role| **role == Role::Body).count(), 12);
        let inks = painted.roles.iter().filter(|role| matches!(role, Role::Inked(_))).count();
        assert_eq!(inks, digits);
        let file = step::write(&Scene::of_piece(&puzzle.pieces[0], &painted));
        let file = String::from_utf8(file).expect("STEP is text");
        // Body, four paints of which white is an ink too, and black ink on white.
        assert_eq!(file.matches("=COLOUR_RGB(").count(), 6);
    }
}

#[test]
fn names_beside_symbols_leave_the_colours_of_the_report_as_they_are() {
    let puzzle = built_in("instant-insanity");
    let line = |is_named| PieceLine::new(&puzzle.pieces[0], "1", 1, None, is_named).mark_colours;
    assert_eq!(line(true), ["#17853B", "#202020", "#2457C5", "#D8232A", "#FFFFFF"]);
    assert_eq!(line(true), line(false));
}
