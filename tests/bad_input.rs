//! Wrong puzzle files, fonts and sizes: each is answered with its place, what is wrong and how to mend it, exit code 1,
//! and nothing written.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

const GOOD: &str = include_str!("../puzzles/4d-sudoku.toml");

fn cubewright(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cubewright"));
    command.args(arguments).current_dir(folder).stdin(Stdio::null()).env("NO_COLOR", "1");
    command.output().expect("the program starts")
}

/// Builds the bytes as `p.toml`; expects exit code 1, every one of `said` in the message, and an empty folder.
fn refuse(bytes: impl AsRef<[u8]>, said: &[&str]) {
    let folder = TempDir::new().expect("a folder");
    fs::write(folder.path().join("p.toml"), bytes).expect("a file");
    refuse_arguments(folder.path(), &["build", "p.toml", "-o", "out"], said);
}

fn refuse_arguments(folder: &Path, arguments: &[&str], said: &[&str]) {
    let output = cubewright(folder, arguments);
    let message = String::from_utf8(output.stderr).expect("messages are text");
    assert_eq!(output.status.code(), Some(1), "{message}");
    assert!(output.stdout.is_empty());
    // Long messages are wrapped at blanks; look for the words as one line.
    let line = message.split_whitespace().filter(|word| *word != "│").collect::<Vec<_>>().join(" ");
    for words in said {
        assert!(line.contains(words), "'{words}' is not in:\n{message}");
    }
    assert!(!folder.join("out").exists(), "something was written");
}

/// The good file with its first `from` replaced.
fn with(from: &str, to: &str) -> String {
    assert!(GOOD.contains(from), "{from}");
    GOOD.replacen(from, to, 1)
}

#[test]
fn what_is_not_a_puzzle_file() {
    refuse("", &["p.toml:1:1", "the file is empty", "cubewright = 1"]);
    refuse(" \n\n", &["p.toml:1:1", "the file is empty"]);
    refuse("solid cube\n", &["p.toml:1:7", "this is not TOML"]);
    refuse("cubewright = 1\nname = \"x", &["p.toml:2:", "this is not TOML"]);
    refuse(b"cubewright = 1\nname = \"\xff\"", &["p.toml:2:", "not UTF-8", "saved as UTF-8"]);
    refuse([0u8; 64], &["p.toml:1:", "this is not TOML"]);
}

#[test]
fn a_wrong_version_is_said_before_anything_else() {
    refuse(with("cubewright = 1", "cubewright = 2\nfuture = true"), &["p.toml:1:14", "version 2", "newer cubewright"]);
    refuse(with("cubewright = 1", "cubewright = 0"), &["p.toml:1:14", "version 0", "write cubewright = 1"]);
    refuse(with("cubewright = 1", "cubewright = \"1\""), &["p.toml:1:14", "a whole number is wanted here, found text"]);
    refuse(
        with("cubewright = 1\n", ""),
        &["p.toml:1:1", "'cubewright' is missing", "begin the file with: cubewright = 1"],
    );
}

#[test]
fn an_unknown_key_is_offered_the_nearest_one() {
    refuse(with("year =", "yaer ="), &["p.toml:3:1", "unknown key 'yaer'", "did you mean 'year'?"]);
    refuse(
        with("blank_plane", "blank_plain"),
        &["p.toml:18:1", "unknown key 'blank_plain'", "did you mean 'blank_plane'?"],
    );
    refuse(with("colour =", "color ="), &["p.toml:25:1", "unknown key 'color'", "did you mean 'colour'?"]);
    refuse(with("front =", "frnt ="), &["p.toml:26:11", "unknown key 'frnt'", "did you mean 'front'?"]);
    refuse(with("box =", "zzzzzzzz ="), &["p.toml:13:1", "unknown key 'zzzzzzzz'", "known here: box"]);
}

#[test]
fn faces_and_marks() {
    refuse(with("top = \"5v\", ", ""), &["p.toml:26:9", "'top' is missing", "write top = \"\" for a blank face"]);
    refuse(with("\"6v\"", "\"6x\""), &["p.toml:26:55", "unknown turn 'x'", "v upside down"]);
    refuse(
        with("left = \"6v\"", "left = \"0\""),
        &["p.toml:26:55", "'0' is not one of the puzzle's symbols", "add it to symbols"],
    );
    refuse(with("left = \"6v\"", "left = 6"), &["p.toml:26:55", "text is wanted here, found a whole number", "quotes"]);
    refuse(with("left = \"6v\"", "left = \"6 v\""), &["p.toml:26:55", "without spaces"]);
}

#[test]
fn cubies() {
    refuse(with("name = \"A\"", "name = \"@\""), &["p.toml:28:8", "two cubies are named '@': number 1 and number 2"]);
    refuse(with("name = \"A\"", "name = \"\""), &["p.toml:28:8", "the name is empty"]);
    refuse(
        with("colour = \"orange\"", "colour = \"ornage\""),
        &["p.toml:25:10", "unknown colour 'ornage'", "did you mean 'orange'?"],
    );
    let first = GOOD.find("[[cubie]]").expect("a cubie");
    let second = first + 1 + GOOD[first + 1..].find("[[cubie]]").expect("another");
    let one_less = format!("{}{}", &GOOD[..first], &GOOD[second..]);
    refuse(one_less, &["p.toml:13:7", "26 cubies for 27 places", "add 1"]);
    refuse(with("[3, 3, 3]", "[3, 3, 2]"), &["p.toml:13:7", "27 cubies for 18 places", "leave out 9"]);
    refuse(&GOOD[..first], &["the puzzle has no pieces"]);
}

#[test]
fn targets() {
    refuse(with("[3, 3, 3]", "[3, 3]"), &["p.toml:13:7", "a box has three sizes"]);
    refuse(with("[3, 3, 3]", "[3, 0, 3]"), &["p.toml:13:7", "at least 1"]);
    refuse(with("[3, 3, 3]", "[3, -3, 3]"), &["p.toml:13:7", "at least 1"]);
    refuse(with("[3, 3, 3]", "[2000000000, 2000000000, 2000000000]"), &["p.toml:13:7", "at most 1,000,000 cells"]);
    refuse(with("[3, 3, 3]", "[99999999999999999999, 3, 3]"), &["p.toml:13:8", "too large a number"]);
    refuse(with("[3, 3, 3]", "[3.5, 3, 3]"), &["p.toml:13:8", "a whole number is wanted here, found a decimal number"]);
}

const BARS: &str = r#"cubewright = 1
name = "Bars"
[target]
box = [3, 1, 1]
[[piece]]
name = "a"
layers = ["X"]
[[piece]]
name = "b"
layers = ["XX"]
"#;

/// The bars with their first `from` replaced.
fn bars(from: &str, to: &str) -> String {
    assert!(BARS.contains(from), "{from}");
    BARS.replacen(from, to, 1)
}

#[test]
fn pieces() {
    let b = |layers: &str| bars("[\"XX\"]", layers);
    refuse(b("[\"..\"]"), &["p.toml:10:10", "the piece has no cells", "write layers = [\"XX/X.\"]"]);
    refuse(b("[]"), &["p.toml:10:10", "the piece has no cells", "write layers"]);
    refuse(b("[\"X./.X\"]"), &["p.toml:10:10", "'b' is in 2 parts that do not share a face", "disconnected = true"]);
    refuse(b("[\"XX/XXX\"]"), &["p.toml:10:11", "row 1 of this layer has 2 characters, row 2 has 3", "equally long"]);
    refuse(b("[\"X./XX\", \"X\"]"), &["p.toml:10:20", "this layer has 1 row of 1, the first has 2 rows of 2"]);
    refuse(b("[\"X./+X\"]"), &["p.toml:10:11", "unknown character '+' in a layer", "X is a cell of the piece"]);
    refuse(b("[\"XXXX\"]"), &["p.toml:10:10", "'b' does not fit into the target in any orientation", "mend the piece"]);
    let cells = |cells: &str| bars("layers = [\"XX\"]", &format!("cells = {cells}"));
    refuse(
        cells("[[0, 0, 0], [0, 0, 0]]"),
        &["p.toml:10:9", "the cell 0, 0, 0 is listed twice", "list each cell once"],
    );
    refuse(cells("[[0, 0]]"), &["p.toml:10:10", "a cell has three coordinates", "such as [0, 1, 0]"]);
    refuse(cells("[]"), &["p.toml:10:9", "the piece has no cells"]);
    refuse(cells("[[0, 0, 2000000]]"), &["p.toml:10:10", "a coordinate is at most 1,000,000"]);
    refuse(cells("[[0, 0, -9223372036854775808]]"), &["p.toml:10:10", "a coordinate is at most 1,000,000"]);
    refuse(b("[\"X\"]\ncells = [[0, 0, 0]]"), &["p.toml:10:10", "layers and cells say the same thing", "leave one"]);
    refuse(bars("layers = [\"XX\"]\n", ""), &["p.toml:8:1", "the piece has no cells", "write layers"]);
    refuse(b("[\"XX\"]\nmirror = 1"), &["p.toml:11:10", "true or false is wanted here, found a whole number"]);
    refuse(b("[\"XX\"]\nmirrored = true"), &["p.toml:11:1", "unknown key 'mirrored'", "did you mean 'mirror'?"]);
    let both = |what: &str| bars("[[piece]]", &format!("{what}[[piece]]"));
    refuse(both("[[cubie]]\nname = \"c\"\n"), &["pieces or cubies, not both", "either [[piece]] or [[cubie]]"]);
    refuse(both("[rules]\nplanes = \"latin\"\n"), &["p.toml:5:1", "rules are for cubies", "leave them out"]);
}

#[test]
fn names_of_pieces() {
    let name = |name: &str| bars("name = \"b\"", &format!("name = {name}"));
    refuse(name("\"a\""), &["p.toml:9:8", "two pieces are named 'a': number 1 and number 2", "a name of its own"]);
    refuse(name("\"\""), &["p.toml:9:8", "the name is empty"]);
    refuse(name("7"), &["p.toml:9:8", "text is wanted here, found a whole number", "quotes"]);
    refuse(name(&format!("\"{}\"", "long".repeat(51))), &["p.toml:9:8", "longer than 200 characters", "a shorter one"]);
    refuse(bars("name = \"b\"\n", ""), &["p.toml:8:1", "'name' is missing", "give it a name"]);
    let twins =
        "layers = [\"XX./.X.\", \"..././.XX\"]\nmirror = true\n[[piece]]\nname = \"b mirrored\"\nlayers = [\"X\"]";
    let twins = bars("layers = [\"XX\"]", twins).replace("..././.XX", ".../.XX").replace("[3, 1, 1]", "[3, 3, 3]");
    refuse(twins, &["p.toml:13:8", "two pieces are named 'b mirrored'", "a mirror image is named after its piece"]);
}

#[test]
fn counts_and_volumes() {
    let count = |count: &str| bars("layers = [\"X\"]", &format!("layers = [\"X\"]\ncount = {count}"));
    refuse(count("0"), &["p.toml:8:9", "the piece is never used", "write count = 3"]);
    refuse(count("[0, 0]"), &["p.toml:8:9", "the piece is never used"]);
    refuse(count("-1"), &["p.toml:8:9", "a count is not below 0"]);
    refuse(count("[3, 2]"), &["p.toml:8:9", "the range of counts is empty", "[0, 5]"]);
    refuse(count("[1, 2, 3]"), &["p.toml:8:9", "a range of counts has two numbers"]);
    refuse(count("2000000"), &["p.toml:8:9", "a count is at most 1,000,000"]);
    refuse(count("\"2\""), &["p.toml:8:9", "a whole number is wanted here, found text"]);
    refuse(
        count("4"),
        &["p.toml:4:7", "too much volume: the pieces have 6 cells, the target has 3", "leave out 3 cells"],
    );
    refuse(count("[3, 9]"), &["p.toml:4:7", "too much volume: the pieces have at least 5 cells", "leave out 2 cells"]);
    let size = |size: &str| bars("[3, 1, 1]", size);
    refuse(
        size("[3, 1, 4]"),
        &["p.toml:4:7", "too little volume: the pieces have 3 cells, the target has 12", "add 9 cells"],
    );
    refuse(
        size("[2, 1, 1]"),
        &["p.toml:4:7", "too much volume: the pieces have 3 cells, the target has 2", "leave out 1 cell,"],
    );
    let ranges = count("[0, 1]").replace("layers = [\"XX\"]", "layers = [\"XX\"]\ncount = [1, 3]");
    let ranges = |size: &str| ranges.replace("[3, 1, 1]", size);
    refuse(
        ranges("[9, 1, 1]"),
        &["too little volume: the pieces have at most 7 cells, the target has 9", "add 2 cells"],
    );
    let even = ranges("[5, 1, 1]").replace("[\"X\"]", "[\"XX\"]");
    refuse(
        even,
        &["p.toml:4:7", "no choice of counts fills the target", "the target has 5 cells", "change the ranges"],
    );
}

#[test]
fn drawn_targets() {
    let target = |target: &str| bars("box = [3, 1, 1]", target);
    refuse(target("layers = [\"XXX/XX\"]"), &["p.toml:4:11", "row 1 of this layer has 3 characters, row 2 has 2"]);
    refuse(
        target("layers = [\"XXX\", \"XX\"]"),
        &["p.toml:4:18", "this layer has 1 row of 2, the first has 1 row of 3"],
    );
    refuse(target("layers = [\"XOX\"]"), &["p.toml:4:11", "unknown character 'O'", "+ may stay empty"]);
    refuse(target("layers = [\"....\"]"), &["p.toml:4:10", "the target has no cell to fill", "mark cells with X"]);
    refuse(target("layers = []"), &["p.toml:4:10", "the target has no cell to fill"]);
    refuse(target("layers = \"XXX\""), &["p.toml:4:10", "a list is wanted here, found text", "put it in [brackets]"]);
    refuse(target("box = [3, 1, 1]\nlayers = [\"X\"]"), &["p.toml:4:7", "box and layers say the same thing"]);
    refuse(target(""), &["p.toml:3:1", "the target has neither box nor layers", "write box = [3, 3, 3]"]);
    let optional = target("layers = [\"X+++++\"]").replace("[\"XX\"]", "[\"XX\"]\ncount = 3");
    refuse(
        optional,
        &["p.toml:4:10", "too much volume: the pieces have 7 cells, the target has 1 to 6", "leave out 1 cell,"],
    );
}

#[test]
fn targets_of_a_million_cells() {
    let large =
        |size: &str, count: &str| bars("[3, 1, 1]", size).replace("[\"XX\"]", &format!("[\"XX\"]\ncount = {count}"));
    refuse(large("[101, 100, 100]", "5"), &["p.toml:4:7", "a box has at most 1,000,000 cells", "box = [3, 3, 3]"]);
    refuse(large("[100, 100, 100]", "5"), &["p.toml:4:7", "too little volume: the pieces have 11 cells"]);
    refuse(
        large("[99, 99, 99]", "485149"),
        &["p.toml: ", "the search would take about", "more than the 2 GB that are allowed", "fewer cells"],
    );
}

#[test]
fn rules() {
    refuse(with("\"latin\"", "\"magic\""), &["p.toml:16:10", "unknown rule 'magic' for planes"]);
    refuse(with("\"123456789\"", "\"1234567891\""), &["p.toml:17:11", "the symbol '1' is listed twice"]);
    refuse(with("\"123456789\"", "\"\""), &["p.toml:17:11", "at least one character"]);
    refuse(with("[\"69\"]", "[\"6\"]"), &["p.toml:19:11", "a pair of turned symbols has two"]);
    refuse(with("[\"69\"]", "[\"60\"]"), &["p.toml:19:11", "'0' is not one of the puzzle's symbols"]);
    refuse(with("[\"69\"]", "[\"69\", \"68\"]"), &["p.toml:19:17", "two ways to read upside down"]);
    refuse(with("[\"orange\", \"white\"]", "[\"orange\"]"), &["p.toml:20:13", "two colours"]);
    refuse(with("[\"orange\", \"white\"]", "[\"red\", \"#F00\"]"), &["p.toml:20:13", "the two colours are the same"]);
}

const INSANITY: &str = include_str!("../puzzles/instant-insanity.toml");
const MAYBLOX: &str = include_str!("../puzzles/mayblox.toml");

/// The place of the first `needle`, as a message says it.
fn place(text: &str, needle: &str) -> String {
    let before = &text[..text.find(needle).unwrap_or_else(|| panic!("no {needle}"))];
    let column = before.chars().rev().take_while(|c| *c != '\n').count() + 1;
    format!("p.toml:{}:{column}", before.matches('\n').count() + 1)
}

/// Replaces the first `from` of a good file; expects the complaint at `at`.
fn refuse_with(file: &str, from: &str, to: &str, at: &str, said: &[&str]) {
    assert!(file.contains(from), "{from}");
    let text = file.replacen(from, to, 1);
    refuse(&text, &[&[place(&text, at).as_str()], said].concat());
}

#[test]
fn coloured_cubes() {
    let insanity = |from: &str, to: &str, at: &str, said: &[&str]| refuse_with(INSANITY, from, to, at, said);
    let order = "\"top left front right back bottom\"";
    insanity("RRGBWR", "RRGBYR", "\"RRGBYR\"", &["the colour 'Y' is not in [palette]", "add Y = \"yellow\""]);
    insanity("RRGBWR", "RRGBW", "\"RRGBW\"", &["'RRGBW' has 5 faces, a cube has 6"]);
    insanity("RRGBWR", "RRGBWRR", "\"RRGBWRR\"", &["'RRGBWRR' has 7 faces, a cube has 6"]);
    insanity(" back", "", "\"top left front right bottom\"", &["the order leaves out back"]);
    insanity("left", "top", "\"top top", &["the order names 'top' twice"]);
    insanity("left", "lft", "\"top lft", &["'lft' is not a side", "did you mean 'left'?"]);
    insanity(&format!("order = {order}"), "", "\"RRGBWR\"", &["in which order", "top left front right back bottom"]);
    insanity("\"RRGBWR\"", "{ top = \"R\" }", "{ top", &["'left' is missing", "for a blank face"]);
    insanity("colours = \"RRGBWR\"", "", "[[cubie]]", &["'colours' is missing"]);
    insanity("W = {", "Z = {", "\"RRGBWR\"", &["the colour 'W' is not in [palette]"]);
    insanity("#17853B", "#D8232A", "{ colour = \"#D8232A\", name = \"green\"", &["'G' and 'R' are the same colour"]);
    insanity(
        "W = {",
        "M = { colour = \"grey\" }\nW = {",
        "{ colour = \"#FFFFFF\"",
        &["'M' and 'W' look alike", "turned"],
    );
    insanity("name = \"red\"", "symbol = \"\"", "{ colour = \"#D8232A\"", &["a symbol of at least one character"]);
    insanity("#2457C5", "blu", "\"blu\"", &["unknown colour 'blu'", "did you mean 'blue'?"]);
    let both = "colours = \"RRGBWR\"\nfaces = { top = \"1\" }";
    insanity("colours = \"RRGBWR\"", both, "\"RRGBWR\"", &["faces or colours, not both"]);
}

#[test]
fn rules_that_no_stack_can_keep() {
    let insanity = |from: &str, to: &str, at: &str, said: &[&str]| refuse_with(INSANITY, from, to, at, said);
    let rule = "sides = \"all-different\"";
    insanity("all-different", "all-differnt", "\"all-differnt\"", &["unknown rule for sides", "all-different"]);
    let fifth = "[[cubie]]\nname = \"5\"\ncolours = \"RGBWRG\"\n[[cubie]]\nname = \"1\"";
    let five = INSANITY.replace("[1, 1, 4]", "[1, 1, 5]");
    let few = ["the left side has 5 squares, but the cubies show only 4 symbols"];
    refuse_with(&five, "[[cubie]]\nname = \"1\"", fifth, "\"all-different\"", &few);
    let all = INSANITY.replace("all-different", "all-colours");
    let cannot = ["the left side has 4 squares and cannot show all 5 colours"];
    refuse_with(&all, "W = ", "Y = \"yellow\"\nW = ", "\"all-colours\"", &cannot);
    insanity(rule, "sides = { sum = 24 }", "{ sum", &["on a cubie is no number"]);
    let digits = [("R", "1"), ("G", "2"), ("B", "3"), ("W", "4")];
    let digits = digits.iter().fold(INSANITY.to_owned(), |file, (letter, digit)| {
        file.replace(&format!("{letter} = {{"), &format!("{letter} = {{ symbol = \"{digit}\","))
    });
    let most = ["no left side has the sum 17: 4 cubies show 4 to 16"];
    refuse_with(&digits, rule, "sides = { sum = 17 }", "{ sum", &most);
    let one = "sides = \"all-different\"\noutside = { front = \"R\" }";
    insanity(rule, one, "{ front", &["one symbol on the front side contradicts sides = \"all-different\""]);
    insanity(rule, "outside = { front = \"RG\" }", "\"RG\"", &["the colour 'RG' is not in [palette]"]);
    insanity(rule, "outside = { front = \"\" }", "\"\" }", &["the front side is to show nothing"]);
    insanity(rule, "outside = \"one-color-a-side\"", "\"one-color", &["unknown rule for the outside"]);
    insanity(rule, "touching = \"same\"", "\"same\"", &["unknown rule for touching faces", "equal, different"]);
    let six =
        "cubewright = 1\nname = \"x\"\n[target]\nbox = [1, 1, 2]\n[rules]\nturned = [\"69\"]\nsides = { sum = 12 }\n";
    let faces = "{ left = \"6\", right = \"1\", front = \"1\", back = \"1\", top = \"1\", bottom = \"1\" }";
    let six = format!("{six}[[cubie]]\nname = \"a\"\ncount = 2\nfaces = {faces}\n");
    refuse(&six, &["p.toml:7:9", "'6' upside down is another number"]);
    let wrong = ["'1' on all 4 squares of the front side has not the sum 10"];
    refuse_with(&digits, rule, "sides = { sum = 10 }\noutside = { front = \"R\" }", "{ front", &wrong);
    insanity(rule, "planes = \"latin\"", "\"latin\"", &["a plane of", "but there are 4 symbols"]);
}

#[test]
fn made_cubes_and_counts() {
    let mayblox = |from: &str, to: &str, at: &str, said: &[&str]| refuse_with(MAYBLOX, from, to, at, said);
    mayblox("all = \"123456\"", "all = \"12345\"", "\"12345\"", &["'12345' has 5 faces"]);
    mayblox("all = \"123456\"", "all = \"123457\"", "\"123457\"", &["the colour '7' is not in [palette]"]);
    mayblox("[0, 1]", "[1, 1]", "[2, 2, 2]", &["30 cubies for 8 places", "leave out 22"]);
    mayblox("[2, 2, 2]", "[3, 3, 4]", "[3, 3, 4]", &["30 cubies for 36 places", "add 6"]);
    mayblox("[0, 1]", "[2, 1]", "[2, 1]", &["the range of counts is empty"]);
    mayblox("touching", "sides = { sum = 10 }\ntouching", "\"123456\"", &["has not the sum 10"]);
    let named = "[[cubie]]\nname = \"123456\"\ncolours = \"111111\"\n[cubies]";
    mayblox("[cubies]", named, "\"123456\"                      #", &["two cubies are named '123456'"]);
}

#[test]
fn sizes() {
    let model = |lines: &str| with("[rules]", &format!("[model]\n{lines}\n\n[rules]"));
    refuse(model("pitch = nan"), &["p.toml:16:9", "nan is not a number of millimetres"]);
    refuse(model("pitch = inf"), &["p.toml:16:9", "inf is not a number of millimetres"]);
    refuse(model("pitch = 1e9"), &["p.toml:16:9", "1e9 is not a number of millimetres"]);
    refuse(model("pitch = 100000"), &["p.toml:16:9", "100000 is more than 1000 mm"]);
    refuse(model("pitch = 0.00001"), &["p.toml:16:9", "finer than a thousandth"]);
    refuse(model("pitch = \"20\""), &["p.toml:16:9", "a number of millimetres is wanted here, found text"]);
    refuse(model("fit = \"snug\""), &["p.toml:16:7", "unknown fit 'snug'", "tight, normal, loose, box"]);
    refuse(model("fit = \"tight\"\ninset = 0.1"), &["p.toml:16:7", "fit and inset say the same thing"]);
    refuse(model("style = \"carved\""), &["p.toml:16:9", "unknown style 'carved'", "embossed, proud, engraved"]);
}

#[test]
fn settings_that_cannot_work_are_shown_in_the_file_or_by_their_flag() {
    let model = |lines: &str| with("[rules]", &format!("[model]\n{lines}\n\n[rules]"));
    refuse(model("bevel = 9"), &["p.toml:16:9", "bevel 9 mm is too much", "at most 4.95 mm"]);
    refuse(model("pitch = 1"), &["p.toml:16:9", "pitch 1 mm is too little", "use at least 3 mm"]);
    refuse(model("digit_height = 1"), &["p.toml:16:16", "has a stroke of", "use a digit height of"]);
    refuse(model("font = \"none.ttf\""), &["p.toml:16:8", "none.ttf", "cannot be read"]);
    refuse(with("colour = \"orange\"\nfaces", "faces"), &["cubie '@' has no colour", "#FFA500"]);
    refuse(with("left = \"6v\"", "left = \"\\u202e6\""), &["p.toml:26:55", "without spaces"]);
    let folder = TempDir::new().expect("a folder");
    let build = |flags: &[&str], said: &[&str]| {
        refuse_arguments(folder.path(), &[&["build", "4d-sudoku"], flags].concat(), said);
    };
    build(&["--relief", "9"], &["4d-sudoku: --relief: relief 9 mm is too much"]);
    build(&["--pitch", "-1"], &["--pitch: pitch -1 mm is too little: use at least 3 mm"]);
}

#[test]
fn what_a_message_advises_works() {
    let folder = TempDir::new().expect("a folder");
    // Follow the advice of each message until there is none.
    let mut flags: Vec<String> = ["check", "4d-sudoku", "--pitch", "5"].map(str::to_owned).into();
    for _ in 0..8 {
        let output = cubewright(folder.path(), &flags.iter().map(String::as_str).collect::<Vec<_>>());
        if output.status.success() {
            return;
        }
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        let pitch = message.split("a pitch of ").nth(1).or(message.split("at least ").nth(1)).expect("advice");
        let words: Vec<&str> = pitch.split_whitespace().collect();
        let number = words.iter().find(|word| word.parse::<f64>().is_ok()).expect("a number");
        flags[3] = (*number).to_owned();
    }
    panic!("no advice helped: {flags:?}");
}

#[test]
fn fonts() {
    let folder = TempDir::new().expect("a folder");
    fs::write(folder.path().join("not.ttf"), "no font").expect("a file");
    let build = |font: &str, said: &[&str]| {
        refuse_arguments(folder.path(), &["build", "4d-sudoku", "--font", font], said);
    };
    build("not.ttf", &["not.ttf", "is not a TrueType or OpenType font"]);
    build("none.ttf", &["none.ttf", "cannot be read"]);
    build(".", &["is a folder"]);
}

#[test]
fn puzzles_that_are_not_there() {
    let folder = TempDir::new().expect("a folder");
    fs::create_dir(folder.path().join("puzzles")).expect("a folder");
    refuse_arguments(folder.path(), &["build", "puzzles"], &["puzzles: is a folder"]);
    refuse_arguments(folder.path(), &["build", "none.toml"], &["no file and no built-in puzzle 'none.toml'"]);
    refuse_arguments(folder.path(), &["build", "4d-sudoko"], &["did you mean '4d-sudoku'?"]);
    refuse_arguments(folder.path(), &["build", "-"], &["<stdin>:1:1", "the file is empty"]);
    let large = fs::File::create(folder.path().join("large.toml")).expect("a file");
    large.set_len(100 << 20).expect("a hole");
    refuse_arguments(folder.path(), &["build", "large.toml"], &["large.toml: has more than 64 MiB"]);
}

#[test]
fn wrong_usage_is_exit_code_2() {
    let folder = TempDir::new().expect("a folder");
    for arguments in [&["bulid"][..], &["solve"], &["build", "--pitch", "wide"], &["build", "--style", "carved"], &[]] {
        assert_eq!(cubewright(folder.path(), arguments).status.code(), Some(2), "{arguments:?}");
    }
}

#[test]
fn burrs_that_are_none() {
    let burr = |sticks: &str| format!("cubewright = 1\nname = \"B\"\n[burr]\nsticks = [{sticks}]\n");
    refuse(burr("1, 2, 3"), &["p.toml:4:10", "a six-piece burr has six sticks, here are 3", "add 3"]);
    refuse(burr("0, 1, 1, 1, 1, 1"), &["p.toml:4:11", "there is no stick number 0", "1 (the solid stick) to 1024"]);
    refuse(burr("1, 1, 1, 1, 1, 1025"), &["p.toml:4:26", "there is no stick number 1025"]);
    let rows = |rows: &str| burr(&format!("\"{rows}\", 1, 1, 1, 1, 1"));
    refuse(rows("1111/1111/1111"), &["a stick is written as four rows, here are 3"]);
    refuse(rows("1111/111/1111/1111"), &["row 2 of this stick has 3 characters, not four"]);
    refuse(rows("1111/1111/1121/1111"), &["unknown character '2' in a stick", "1 is a cell, 0 a notch"]);
    refuse(
        rows("1001/1001/1001/1001"),
        &["p.toml:4:11", "this stick is in 2 parts", "AA00BB/AA00BB/AA00BB/AA00BB", "each letter is a part"],
    );
    refuse(rows("0100/0000/0000/0010"), &["in 4 parts", "A0B00D/A0000D/A0000D/A00C0D"]);
    refuse(format!("{}length = 4\n", rows("0100/0000/0000/0001")), &["in 2 parts", "0A00/0000/0000/000B"]);
    refuse(format!("{}length = 4\n", rows("0000/0000/0000/0000")), &["this stick has no cells"]);
    refuse(rows("975"), &["p.toml:4:11", "the number of a stick is not a text", "without quotes: 975"]);
    let six = burr("1, 1, 1, 1, 1, 1");
    refuse(format!("{six}length = 5\n"), &["p.toml:5:10", "sticks of length 5 make no burr", "length = 4, 6 or 8"]);
    refuse(format!("{six}[target]\nbox = [2, 2, 2]\n"), &["a [burr] has no 'target' of its own"]);
    refuse(format!("{six}[[group]]\npieces = [\"2\"]\n"), &["there is no piece '2'"]);
    let twice = "[[group]]\npieces = [\"A\", \"A\"]\nmost = [1, 5]\n";
    refuse(format!("{six}{twice}"), &["the piece 'A' is listed twice in this group", "in 'most' how many copies"]);
}

/// That nothing fits or nothing moves is an answer.
#[test]
fn burrs_that_cannot_be_assembled_or_are_locked() {
    let folder = TempDir::new().expect("a folder");
    let said = |text: &str| {
        fs::write(folder.path().join("p.toml"), text).expect("a file");
        let output = cubewright(folder.path(), &["solve", "p.toml"]);
        assert_eq!(output.status.code(), Some(0));
        String::from_utf8(output.stdout).expect("results are text")
    };
    let none = said("cubewright = 1\nname = \"B\"\n[burr]\nsticks = [1, 1, 1, 1, 1, 1]\n");
    assert_eq!(none, "B: no solution: the pieces have 144 cells to go into 104 places\n");
    let searched = said("cubewright = 1\nname = \"B\"\n[burr]\nsticks = [1, 256, 256, 256, 256, 256]\n");
    assert_eq!(searched, "B: no solution; all was tried (4 nodes)\n");
    let packing = |rest: &str| format!("cubewright = 1\nname = \"P\"\n[target]\n{rest}");
    let piece = |layers: &str| format!("[[piece]]\nname = \"{layers}\"\nlayers = [\"{layers}\"]\n");
    let tints = "tints = [\"AAA\"]\n[packing]\ntints = { letters = \"AB\", colours = [\"red\", \"blue\"] }\n";
    let tinted = said(&packing(&format!("box = [3, 1, 1]\n{tints}{}tints = [\"B..\"]\n", piece("XXX"))));
    assert_eq!(tinted, "P: no solution: piece \"XXX\" fits nowhere\n");
    let corner = said(&packing(&format!("layers = [\"XXX.X\"]\n{}count = 2\n", piece("XX"))));
    assert_eq!(
        corner,
        "P: no solution: no piece can lie on the place 4, 0, 0 (from 0; left to right, front to back, bottom to top)\n"
    );
    // A cube shut in a shell.
    let locked = said(
        "cubewright = 1\nname = \"L\"\n[target]\nlayers = [\"XXX/XXX/XXX\", \"XXX/XXX/XXX\", \"XXX/XXX/XXX\"]\n\
         [rules]\napart = true\n[[piece]]\nname = \"shell\"\n\
         layers = [\"XXX/XXX/XXX\", \"XXX/X.X/XXX\", \"XXX/XXX/XXX\"]\n[[piece]]\nname = \"heart\"\nlayers = [\"X\"]\n",
    );
    assert!(locked.contains("1 assembly") && locked.contains("no solution, none comes apart; 1 locked"), "{locked}");
    assert!(locked.contains("It is locked: it does not come apart."), "{locked}");
}

/// A BurrTools file of full plates of these sizes; the first is the goal of pieces that are the second.
fn plates(sizes: &[(usize, usize)]) -> String {
    let plate = |&(x, y): &(usize, usize)| {
        format!("<voxel x=\"{x}\" y=\"{y}\" z=\"1\" type=\"0\">{}</voxel>", "#".repeat(x * y))
    };
    format!(
        "<puzzle version=\"2\"><shapes>{}</shapes><problems><problem><shapes><shape id=\"1\" count=\"{}\"/></shapes>\
         <result id=\"0\"/></problem></problems></puzzle>",
        sizes.iter().map(plate).collect::<String>(),
        sizes[0].0 * sizes[0].1 / (sizes[1].0 * sizes[1].1)
    )
}

#[test]
fn burrtools_files_that_would_take_too_much_memory() {
    let folder = TempDir::new().expect("a folder");
    let refuse = |sizes: &[(usize, usize)], command: &str, said: &[&str]| {
        fs::write(folder.path().join("p.xmpuzzle"), plates(sizes)).expect("a file");
        refuse_arguments(folder.path(), &[command, "p.xmpuzzle"], said);
    };
    let together = "the boxes of the shapes up to here have more than 3,000,000 cells together";
    refuse(&[(1000, 1000), (1000, 1000), (1000, 1000), (1, 1)], "solve", &["p.xmpuzzle:1:3000", together]);
    // A piece that is too large, and one that has too many cells in all its places.
    refuse(&[(1060, 530), (530, 530)], "formulate", &["up to piece \"S2\" the pieces can lie in more ways than"]);
    refuse(&[(400, 400), (200, 200)], "solve", &["up to piece \"S2\"", "smaller pieces have fewer"]);
}
