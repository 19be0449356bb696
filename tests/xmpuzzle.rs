//! BurrTools files: counts, what is in a file, there and back.

#[path = "support/xmpuzzle.rs"]
mod samples;

use cubewright::collection::find;
use cubewright::convert::{to_burr, to_toml};
use cubewright::opened::{Item, Opened};
use cubewright::puzzle::Puzzle;
use cubewright::puzzle::groups::Group;
use cubewright::puzzle::packing_rules::Merge;
use cubewright::puzzle::parse::parse;
use cubewright::puzzle::piece::PieceId;
use cubewright::puzzle::xmpuzzle::{Grid, State, Stored};
use cubewright::solve::disassemble::Method;
use cubewright::solve::{Options, solve_apart};
use samples::{ALL, outcome, packed, puzzle, sample};

/// Assemblies as BurrTools counts them, with mirrors kept, and all.
#[track_caller]
fn expect(name: &str, merged: u64, mirrors: u64, all: u64) {
    let puzzle = puzzle(name);
    let count = |merge| outcome(&puzzle, merge).assemblies;
    assert_eq!(
        [count(Merge::Mirrors), count(Merge::Rotations), count(Merge::Nothing)],
        [merged, mirrors, all],
        "{name}"
    );
}

#[test]
fn samples_have_the_counts_that_can_be_counted_by_hand() {
    expect("dominoes", 1, 1, 2);
    // The third cell may stay empty, the first two may not.
    expect("optional", 1, 1, 1);
    expect("optional-all", 1, 1, 4);
    // 1111, 112, 121, 211, 22; the middle one is its own image.
    expect("ranges", 4, 4, 5);
    // One bar at three places, or two; none at all would leave four cells empty.
    expect("max-holes", 3, 3, 4);
    // One bar leaves two empty wherever it lies; BurrTools does not ask where the counts leave nothing to choose.
    expect("max-holes-fixed", 2, 2, 3);
    // Two dominoes in a square, with everything about the file that is unusual but legal.
    expect("odd", 1, 1, 2);
    // The first cell must be filled and at most one other stays empty: 22., 2.2, 221, 212, 122.
    expect("max-holes-two", 5, 5, 5);
    // A bar of three beside three ones, or beside a two and a one at either end.
    expect("ranges-least", 2, 2, 6);
    // Exchanging equal pieces that are listed apart makes another assembly, and a half turn brings it back.
    expect("equal", 1, 1, 4);
    expect("equal-three", 3, 3, 6);
    // The mirror image of one is the other: both sets of pieces count as one (the mirror paradox).
    expect("mirror-twins", 1, 2, 24);
    expect("mirror-one", 1, 1, 12);
    // The end on the red cell is red or bare; without the pair not even red may lie on red. Blue never may.
    expect("colours", 2, 2, 2);
    expect("colours-none", 1, 1, 1);
    // One end is red: each way round is a placement of its own.
    expect("colours-free", 1, 1, 2);
    // Two bars side by side in two ways, each either way round; 8 motions of the square.
    expect("colours-loop", 2, 2, 8);
}

#[test]
fn a_file_with_several_problems_is_several_puzzles() {
    let opened = sample("several");
    let names = |items: Vec<Item<'_>>| -> Vec<String> {
        items.iter().map(|item| item.puzzle.expect("a puzzle").name.clone()).collect()
    };
    assert_eq!(names(opened.items(None).expect("all")), ["square", "several 2", "bars"]);
    assert_eq!(names(opened.items(Some("3")).expect("by number")), ["bars"]);
    assert_eq!(names(opened.items(Some("square")).expect("by name")), ["square"]);
    // Without a name it is called by its number.
    assert_eq!(names(opened.items(Some("problem 2")).expect("as it is listed")), ["several 2"]);
    let wrong = |choice| opened.single(choice).map(|item| item.number).expect_err("none").to_string();
    assert!(wrong(Some("bears")).contains("did you mean 'bars'?"));
    assert!(wrong(Some("4")).contains("#1 square, #2 problem 2, #3 bars"));
    assert!(wrong(None).contains("3 puzzles; choose one"));
}

#[test]
fn a_problem_that_is_no_puzzle_leaves_the_others_alone() {
    let opened = sample("several-broken");
    let items = opened.items(None).expect("all");
    assert_eq!(items[0].puzzle.expect("a puzzle").name, "right");
    assert_eq!(items[7].puzzle.expect("a puzzle").name, "last");
    let wrong: Vec<&str> = items[1..7].iter().map(|item| item.puzzle.expect_err("none").message.as_str()).collect();
    assert_eq!(
        wrong,
        [
            "problem 2 'no goal': no shape is chosen as the goal",
            "problem 3 'no pieces': the problem has no pieces",
            "problem 4 'piece with holes': the shape 'S3' is a piece and has cells that may be empty",
            "problem 5 'no shapes': <problem> has no <shapes>",
            "problem 6 'no such shape': there is no shape 9",
            "problem 7: count is not a whole number",
        ]
    );
}

#[test]
fn text_may_be_latin_1_and_old() {
    assert_eq!(puzzle("latin-1").name, "Würfel");
    let Opened::Burr(file) = sample("utf-8") else { panic!("a BurrTools file") };
    assert_eq!((file.names(), file.shapes[0].name.as_str()), (vec!["Würfel".to_owned()], "Schlösser"));
    assert_eq!(puzzle("utf-8").pieces[0].name, "ä \"q\"");
    assert_eq!(puzzle("version-1").name, "old");
    assert_eq!((puzzle("version-1-skew").pieces.len(), puzzle("packed").pieces[0].name.as_str()), (1, "Domino"));
    let weights = puzzle("weights");
    assert_eq!(weights.rules.packing.weights.into_iter().collect::<Vec<_>>(), [(PieceId(0), -1), (PieceId(1), 100)]);
    assert_eq!(weights.credits.notes.as_deref(), Some("One line,\nand another: ä."));
    assert_eq!(puzzle("odd").credits.notes.as_deref(), Some("Have fun <now>"));
    let groups = puzzle("groups");
    assert_eq!(groups.credits.notes.as_deref(), Some("Two & one <three>"));
    assert_eq!(groups.rules.packing.weights.values().copied().collect::<Vec<_>>(), [3]);
    let group = |most: &[(usize, u32)]| Group { most: most.iter().map(|&(id, most)| (PieceId(id), most)).collect() };
    assert_eq!(groups.rules.groups, [group(&[(0, 1), (1, 1)]), group(&[(1, 1)])]);
    let Opened::Burr(file) = sample("groups") else { panic!("a BurrTools file") };
    assert!(file.pops_up);
}

#[test]
fn other_grids_are_refused_by_name_but_can_be_looked_at() {
    for (name, grid, word, shapes, filled) in [
        ("spheres", Grid::Spheres, "spheres", 2, 4),
        ("prisms", Grid::Prisms, "triangular prisms", 2, 4),
        ("rhombic", Grid::Rhombic, "rhombic tetrahedra", 1, 1),
        ("tetra-octahedral", Grid::TetraOctahedral, "tetrahedra and octahedra", 1, 1),
    ] {
        let opened = sample(name);
        let error = opened.single(None).expect(name).puzzle.expect_err(name);
        assert_eq!(error.message, format!("the shapes are made of {word}; this program knows cubes"));
        let Opened::Burr(file) = opened else { panic!("a BurrTools file") };
        assert_eq!((file.grid, file.shapes.len(), file.shapes[0].filled), (grid, shapes, filled));
        assert_eq!(file.problems.len(), 1);
    }
}

#[test]
fn there_and_back_is_an_equal_puzzle() {
    let built_in =
        ["soma", "bedlam", "conway", "steinhaus", "pentominoes-6x10"].map(|name| parse(find(name).expect(name)));
    let own = built_in.into_iter().map(|puzzle| {
        let mut puzzle = puzzle.expect("built in");
        // What BurrTools cannot hold, and is said.
        puzzle.credits = Default::default();
        for (index, piece) in puzzle.pieces.iter_mut().enumerate() {
            piece.colour = cubewright::puzzle::colour::Colour::of_palette(index);
        }
        puzzle
    });
    for puzzle in own.chain(ALL.iter().map(|name| puzzle(name))) {
        let stored = Stored { solutions: Some(u64::from(puzzle.rules.apart)), ..Stored::default() };
        let stored = Stored { state: if puzzle.rules.apart { State::Solved } else { State::Unsolved }, ..stored };
        let written = to_burr(&[(&puzzle, &stored)], false).expect("a packing");
        assert_eq!(written.left_out, [""; 0], "{}", puzzle.name);
        let opened = packed(&written.bytes);
        let item = opened.single(None).expect("one problem");
        assert_eq!(item.puzzle, Ok(&puzzle));
        let toml = to_toml(item.puzzle.expect("a puzzle"), &item).expect("a packing");
        assert_eq!(parse(&String::from_utf8(toml.bytes).expect("text")), Ok(puzzle.clone()));
    }
}

/// Old files have the moves, but not how many solutions come apart.
#[test]
fn moves_say_that_the_puzzle_is_to_come_apart() {
    let text = include_str!("xmpuzzle/moves.xmpuzzle");
    for (from, to, apart) in [
        (" solutions=\"1\"", "", true),
        (" solutions=\"1\"", " solutions=\"one\"", true),
        ("separation>", "something>", true),
        (" solutions=\"1\"", " solutions=\"0\"", true),
    ] {
        let file = cubewright::puzzle::xmpuzzle::read(&text.replace(from, to), "n").expect("a file");
        assert_eq!(file.problems[0].puzzle.as_ref().map(|puzzle| puzzle.rules.apart), Ok(apart), "{from}");
    }
    let neither = text.replace("separation>", "something>").replace(" solutions=\"1\"", "");
    let file = cubewright::puzzle::xmpuzzle::read(&neither, "n").expect("a file");
    assert!(!file.problems[0].puzzle.as_ref().expect("a puzzle").rules.apart);
}

#[test]
fn a_piece_that_need_not_be_used_may_be_too_large() {
    let text = "cubewright = 1\nname = \"n\"\n[target]\nbox = [2, 1, 1]\n[[piece]]\nname = \"two\"\nlayers = [\"XX\"]\n\
        [[piece]]\nname = \"three\"\nlayers = [\"XXX\"]\ncount = [0, 2]\n";
    let puzzle = parse(text).expect("a puzzle");
    assert_eq!(samples::outcome(&puzzle, Merge::Nothing).assemblies, 1);
    let opened = packed(&to_burr(&[(&puzzle, &Stored::default())], false).expect("a packing").bytes);
    let item = opened.single(None).expect("one problem");
    assert_eq!(item.puzzle, Ok(&puzzle));
    assert_eq!(parse(&String::from_utf8(to_toml(&puzzle, &item).expect("a packing").bytes).expect("text")), Ok(puzzle));
}

#[test]
fn burrs_go_there_with_the_letters_of_their_bars_as_names() {
    for name in ["blue-burr", "piston-burr", "yamato-block"] {
        let burr = parse(find(name).expect(name)).expect(name);
        let stored = Stored { state: State::Solved, solutions: Some(1), ..Stored::default() };
        let written = to_burr(&[(&burr, &stored)], false).expect("a packing");
        assert!(!written.left_out.iter().any(|what| what.contains("faces")), "{:?}", written.left_out);
        let opened = packed(&written.bytes);
        let puzzle = opened.single(None).expect("one problem").puzzle.expect("a puzzle");
        assert!(puzzle.pieces.iter().map(|piece| &piece.name).eq(burr.pieces.iter().map(|piece| &piece.name)));
        let levels = |puzzle: &Puzzle| {
            let outcome = solve_apart(puzzle, &Options::ALL, Method::First, 1_000_000).expect("a burr");
            (outcome.raw, outcome.assemblies, outcome.apart.expect("taken apart").levels)
        };
        assert_eq!(levels(puzzle), levels(&burr), "{name}");
    }
}
