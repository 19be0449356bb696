//! `convert` as a user meets it: what the other format cannot hold is said, and all the rest is kept.

use std::fs;
use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

/// Converts a file to `OUT`, and says what is said, a line each without its beginning.
fn convert(folder: &Path, input: &str, output: &str) -> Vec<String> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cubewright"));
    let done = command.args(["convert", input, output]).current_dir(folder).output().expect("the program starts");
    let said = String::from_utf8(done.stderr).expect("text");
    assert!(done.status.success(), "{said}");
    let unsaid = |line: &str| line.strip_prefix(&format!("warning: {output} does not say ")).expect(line).to_owned();
    said.lines().map(unsaid).collect()
}

const EVERYTHING: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/xmpuzzle/everything.xmpuzzle");

const OF_THE_FIRST: [&str; 8] = [
    "the place from which BurrTools would search on",
    "the name of the goal, 'tray'",
    "the weight of the goal, which means nothing",
    "the hotspots of the shapes; places are told from their corners instead",
    "the empty space around the pieces in their boxes",
    "a rule for the colours 9 and 1, which are not there",
    "the name 'bar' of a second piece, which is called 'bar 2' here",
    "the shape 'other', of which no piece is used",
];

const OF_THE_FILE: [&str; 2] = ["<select>, which is no part of the format", "comments in the XML"];

#[test]
fn what_a_puzzle_file_cannot_hold_is_said() {
    let folder = TempDir::new().expect("a folder");
    let said = convert(folder.path(), &format!("{EVERYTHING}#1"), "first.toml");
    let more = [
        "the shape 'spare', which is not used",
        OF_THE_FILE[0],
        OF_THE_FILE[1],
        "that BurrTools shows the comment when it opens the file",
        "what BurrTools stored (1 solutions); solve it again",
    ];
    assert_eq!(said, [&OF_THE_FIRST[..], &more].concat());
    let text = fs::read_to_string(folder.path().join("first.toml")).expect("a puzzle file");
    for kept in ["most_empty = 1", "count = [1, 2]", "weight = 7", "notes = \"Have fun\"", "most = [1]", "[\"AA\"]"] {
        assert!(text.contains(kept), "{kept}: {text}");
    }
    // There and back again nothing is lost any more.
    assert_eq!(convert(folder.path(), "first.toml", "first.xmpuzzle"), [""; 0]);
    assert_eq!(convert(folder.path(), "first.xmpuzzle", "again.toml"), [""; 0]);
    assert_eq!(fs::read_to_string(folder.path().join("again.toml")).expect("a puzzle file"), text);
}

#[test]
fn what_of_a_burrtools_file_is_not_written_into_another_is_said() {
    let folder = TempDir::new().expect("a folder");
    let said = convert(folder.path(), EVERYTHING, "both.xmpuzzle");
    let interrupted = ["that the search of BurrTools was interrupted; it begins anew there"];
    // The second problem uses a shape that the first does not.
    let unused = ["the shape 'spare', which is not used"];
    assert_eq!(said, [&interrupted[..], &OF_THE_FIRST, &unused, &OF_THE_FILE].concat());
    assert_eq!(convert(folder.path(), "both.xmpuzzle", "again.xmpuzzle"), [""; 0]);
    let [both, again] =
        ["both.xmpuzzle", "again.xmpuzzle"].map(|name| fs::read(folder.path().join(name)).expect("a file"));
    assert!(both == again);
}

#[test]
fn what_a_burrtools_file_cannot_hold_is_said() {
    let folder = TempDir::new().expect("a folder");
    let text = "cubewright = 1\nname = \" a\\tb\\u0001 \"\nauthor = \"A\"\nnotes = \"one\\r\\n\\ttwo \\u00E4\"\n\
        known = { solutions = 1 }\n[rules]\napart = true\n[model]\npitch = 10\n[target]\nbox = [2, 1, 1]\n\
        [[piece]]\nname = \"x\\ny\"\ncolour = \"red\"\nlayers = [\"X\"]\n[[piece]]\nname = \"z\"\nlayers = [\"X\"]\n";
    fs::write(folder.path().join("p.toml"), text).expect("a file");
    let said = convert(folder.path(), "p.toml", "p.xmpuzzle");
    assert_eq!(
        said,
        [
            "author, year, source and licence as such; they stand in the comment",
            "how many solutions are known; --solve writes them",
            "spaces around the names",
            "control characters, which XML has not; they are spaces there",
            "the colours of the pieces; BurrTools chooses them itself",
            "how the pieces are to be made",
            "that a solution must come apart; BurrTools asks for that when it solves",
            "that equal pieces listed apart are not told apart; BurrTools counts their exchange as another assembly",
        ]
    );
    assert_eq!(convert(folder.path(), "p.xmpuzzle", "q.toml"), [""; 0]);
    let back = fs::read_to_string(folder.path().join("q.toml")).expect("a puzzle file");
    assert!(back.contains("name = \"a\\tb\"\n"), "{back}");
    assert!(back.contains("notes = \"\"\"\none\\u000D\n\\ttwo ä\nAuthor: A\"\"\""), "{back}");
    assert!(back.contains("name = \"\"\"\nx\ny\"\"\""), "{back}");
}
