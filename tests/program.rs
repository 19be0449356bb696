//! The program as a user meets it: what each command prints, and that an answer is an answer.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;

const SUDOKU: &str = include_str!("../puzzles/4d-sudoku.toml");

fn cubewright(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cubewright"));
    command.args(arguments).current_dir(folder).output().expect("the program starts")
}

/// What a command prints that does well.
fn printed(folder: &Path, arguments: &[&str]) -> String {
    let output = cubewright(folder, arguments);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {said}");
    String::from_utf8(output.stdout).expect("results are text")
}

/// A folder with the built-in puzzle as `p.toml`, its `from` replaced.
fn changed(from: &str, to: &str) -> TempDir {
    assert!(SUDOKU.contains(from), "{from}");
    let folder = TempDir::new().expect("a folder");
    fs::write(folder.path().join("p.toml"), SUDOKU.replacen(from, to, 1)).expect("a file");
    folder
}

#[test]
fn solve_prints_the_layers_the_magic_face_and_the_blank_one() {
    let folder = TempDir::new().expect("a folder");
    let text = printed(folder.path(), &["solve", "4d-sudoku"]);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(
        lines[0],
        "4D Sudoku: 1 solution (192 raw; merged: 24 rotations, 8 exchanges of opposite outer layers; 52 nodes)"
    );
    // The published solution, read from the data of the puzzle: labels by layer from the top, the back row first.
    let labels: Vec<&str> = lines
        .iter()
        .filter(|line| line.starts_with("  "))
        .flat_map(|line| line.split_whitespace().step_by(2))
        .collect();
    assert_eq!(labels.concat(), "MUKWJZDPBVGSLYINCQHXFRET@OA");
    assert!(text.contains("3 8 4 / 5 1 9 / 7 6 2. Every row and every column sums to 15; the diagonals do not."));
    assert!(text.contains("The front face of the whole is blank; exchange the front layer with the back one"));
}

#[test]
fn copies_are_told_apart_in_layers_by_letters_that_are_no_names() {
    let folder = TempDir::new().expect("a folder");
    let puzzle = "cubewright = 1\nname = \"n\"\n[target]\nbox = [4, 3, 1]\n[[piece]]\nname = \"bar\"\nlayers = [\"XX\"]\n\
        count = 2\n[[piece]]\nname = \"A\"\nlayers = [\"XXXX\"]\n[[piece]]\nname = \"long bar\"\nlayers = [\"XXXX\"]\n";
    fs::write(folder.path().join("p.toml"), puzzle).expect("a file");
    let text = printed(folder.path(), &["solve", "p.toml", "--all"]);
    let solutions: Vec<&str> = text.split("Back row first\n").skip(1).collect();
    let layers: Vec<&str> = solutions.iter().filter_map(|solution| solution.split("\n\n").next()).collect();
    for wanted in ["  D D D D\n  A A A A\n  B B C C", "  D D D D\n  B B C C\n  A A A A"] {
        assert!(layers.contains(&wanted), "{text}");
    }
    assert!(solutions.iter().all(|solution| solution.contains("\n\nbar: B C\nlong bar: D\n")), "{text}");
    // Nor is a piece called like an empty cell.
    let puzzle =
        "cubewright = 1\nname = \"n\"\n[target]\nlayers = [\"XX+\"]\n[[piece]]\nname = \".\"\nlayers = [\"XX\"]\n";
    fs::write(folder.path().join("p.toml"), puzzle).expect("a file");
    assert!(printed(folder.path(), &["solve", "p.toml"]).contains("\n  A A .\n\n.: A\n"));
}

#[test]
fn solve_prints_json_with_the_settled_keys() {
    let folder = TempDir::new().expect("a folder");
    let solved: Value = serde_json::from_str(&printed(folder.path(), &["solve", "4d-sudoku", "--json"])).expect("JSON");
    for (key, value) in [
        ("puzzle", json!("4D Sudoku")),
        ("complete", json!(true)),
        ("raw", json!(192)),
        ("assemblies", json!(1)),
        ("merged", json!("24 rotations, 8 exchanges of opposite outer layers")),
        ("solutions", Value::Null),
        ("levels", Value::Null),
        ("nodes", json!(52)),
    ] {
        assert_eq!(solved[key], value, "{key}");
    }
    assert!(solved["seconds"].as_f64().is_some_and(|seconds| seconds > 0.0));
    let placements = solved["found"][0]["placements"].as_array().expect("a list");
    assert_eq!(placements.len(), 27);
    assert_eq!(solved["found"][0]["moves"], Value::Null);
    let first = json!({
        "piece": "@", "copy": 0, "orientation": [[1, 0, 0], [0, 1, 0], [0, 0, 1]], "offset": [0, 0, 0], "cells": [[0, 0, 0]]
    });
    assert_eq!(placements[0], first);
}

#[test]
fn first_stops_early_and_count_prints_no_solution() {
    let folder = TempDir::new().expect("a folder");
    let first = printed(folder.path(), &["solve", "4d-sudoku", "--first", "--json"]);
    let first: Value = serde_json::from_str(&first).expect("JSON");
    assert_eq!((&first["complete"], first["found"].as_array().map(Vec::len)), (&json!(false), Some(1)));
    assert_eq!(printed(folder.path(), &["solve", "4d-sudoku", "--count"]).lines().count(), 1);
}

#[test]
fn all_are_printed_as_they_come() {
    let folder = TempDir::new().expect("a folder");
    let text = printed(folder.path(), &["solve", "soma", "--all"]);
    assert_eq!(text.lines().filter(|line| line.starts_with("Soma, solution ")).count(), 240);
    assert!(text.ends_with("Soma: 240 solutions (11520 raw; merged: 24 rotations, 24 mirrors; 5093 nodes)\n"));
    let one = printed(folder.path(), &["solve", "soma", "--all", "--threads", "1"]);
    assert_eq!(text, one);
}

/// A box of dominoes as `dominoes.toml`.
fn dominoes(x: u32, y: u32) -> TempDir {
    let folder = TempDir::new().expect("a folder");
    let text = format!(
        "cubewright = 1\nname = \"D\"\n[target]\nbox = [{x}, {y}, 1]\n[[piece]]\nname = \"d\"\nlayers = [\"XX\"]\ncount = {}\n",
        x * y / 2
    );
    fs::write(folder.path().join("dominoes.toml"), text).expect("a file");
    folder
}

/// Of the 95 tilings 5, 23 and 9 are their own image under the two mirrors and the half turn: (95 + 5 + 23 + 9) / 4.
#[test]
fn all_as_json_are_the_same_whatever_the_number_of_threads() {
    let folder = dominoes(5, 4);
    for apart in [&[][..], &["--apart"]] {
        let solved = |threads: &str| {
            let arguments = [&["solve", "dominoes.toml", "--all", "--json", "--threads", threads][..], apart].concat();
            let mut solved: Value = serde_json::from_str(&printed(folder.path(), &arguments)).expect("JSON");
            let object = solved.as_object_mut().expect("an object");
            object.retain(|key, _| !key.starts_with("seconds"));
            solved
        };
        let one = solved("1");
        let found = one["found"].as_array().expect("a list");
        assert_eq!((found.len(), &one["assemblies"], &one["raw"]), (33, &json!(33), &json!(95)));
        assert_eq!(one["complete"], json!(true));
        assert_eq!(found[32]["level"], if apart.is_empty() { json!(null) } else { json!("1") });
        assert!(solved("2") == one && solved("3") == one);
    }
}

/// Of the 12,988,816 tilings of the chessboard some are printed long before the last is found; Ctrl-C ends the object.
#[cfg(unix)]
#[test]
fn an_interrupted_search_leaves_whole_json_of_what_it_found() {
    let folder = dominoes(8, 8);
    for more in [&[][..], &["--apart"], &["--keep-rotations"]] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cubewright"));
        command.args(["solve", "dominoes.toml", "--all", "--json"]).args(more).current_dir(folder.path());
        let mut search = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts");
        let mut reader = search.stdout.take().expect("a pipe");
        let mut text = vec![0; 100_000];
        reader.read_exact(&mut text).expect("solutions come");
        Command::new("kill").args(["-INT", &search.id().to_string()]).status().expect("a signal");
        reader.read_to_end(&mut text).expect("the rest comes");
        let output = search.wait_with_output().expect("the program ends");
        let solved: Value = serde_json::from_slice(&text).expect("JSON");
        let found = solved["found"].as_array().expect("a list").len();
        assert_eq!((output.status.code(), &solved["complete"]), (Some(1), &json!(false)));
        assert!(found > 10);
        match more {
            [] => assert_eq!(solved["assemblies"], json!(found)),
            ["--apart"] => assert_eq!(solved["solutions"], json!(found)),
            _ => {}
        }
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.contains("D: stopped; what was found so far is printed whole"), "{said}");
    }
}

/// Tilings of the chessboard are found faster than taken apart, so that there is always one at hand.
#[cfg(unix)]
#[test]
fn an_interrupted_count_ends_while_there_are_assemblies_to_take_apart() {
    let folder = dominoes(8, 8);
    let mut command = Command::new(env!("CARGO_BIN_EXE_cubewright"));
    command.args(["solve", "dominoes.toml", "--count", "--apart"]).current_dir(folder.path());
    let search = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts");
    // Nothing is printed before the end; by then it searches.
    thread::sleep(Duration::from_secs(1));
    Command::new("kill").args(["-INT", &search.id().to_string()]).status().expect("a signal");
    let output = search.wait_with_output().expect("the program ends");
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("the search was not finished"), "{text}");
}

/// Of the 26 assemblies 22 are locked at once; the others need more than five states.
#[test]
fn what_is_not_decided_is_not_said_to_be_locked() {
    let folder = TempDir::new().expect("a folder");
    let output = cubewright(folder.path(), &["solve", "piston-burr", "--count", "--max-states", "5"]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains(": no solution found; 22 locked; 4 not decided: "), "{text}");
    assert!(!String::from_utf8_lossy(&output.stderr).contains("[known]"));
}

#[test]
fn variants_are_the_eight_exchanges() {
    let folder = TempDir::new().expect("a folder");
    let text = printed(folder.path(), &["solve", "4d-sudoku", "--variants"]);
    assert_eq!(text.lines().filter(|line| line.starts_with("Variant ")).count(), 7);
}

#[test]
fn no_solution_is_an_answer_with_its_reason() {
    // The 3 of cubie F, of which every digit is needed.
    let folder = changed("left = \"3\", top = \"6>\"", "left = \"4\", top = \"6>\"");
    let text = printed(folder.path(), &["solve", "p.toml"]);
    assert!(text.starts_with("4D Sudoku: no solution: 16 faces show \"3\""), "{text}");

    let folder = changed("turned = [\"69\"]\n", "");
    assert!(printed(folder.path(), &["solve", "p.toml"]).contains("no solution: no face shows \"9\""));
    let folder = changed("blank_plane = true\n", "");
    let text = printed(folder.path(), &["solve", "p.toml"]);
    assert!(text.contains("no solution: no plane may be blank, but there are 9 blank faces"), "{text}");
    let folder = changed("name = \"A\"\ncolour = \"orange\"", "name = \"A\"\ncolour = \"white\"");
    let text = printed(folder.path(), &["solve", "p.toml"]);
    assert!(text.contains("the colours cannot alternate: 13 cubies of colour #FFA500 for 14 places"), "{text}");
}

#[test]
fn build_without_a_solution_writes_nets_and_pieces() {
    let folder = changed("turned = [\"69\"]\n", "");
    let output = cubewright(folder.path(), &["build", "p.toml"]);
    assert!(output.status.success());
    let warnings = String::from_utf8_lossy(&output.stderr);
    assert!(warnings.contains("there is nothing to assemble"), "{warnings}");
    let out = folder.path().join("out/4d-sudoku");
    assert!(out.join("nets/@.png").exists() && out.join("pieces/@.step").exists());
    assert!(!out.join("assembled.stl").exists() && !out.join("solution-1.txt").exists());
}

#[test]
fn the_rules_may_be_left_out() {
    // Without the chequer the middle layers move too: 27 times as many.
    let folder = changed("chequered = [\"orange\", \"white\"]\n", "");
    let text = printed(folder.path(), &["solve", "p.toml", "--json", "--count"]);
    let solved: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!((&solved["raw"], &solved["up_to_layers"]), (&json!(5184), &json!(1)));
    // The symbols that stand on the faces are known without being named.
    let folder = changed("symbols = \"123456789\"\n", "");
    assert!(printed(folder.path(), &["solve", "p.toml", "--count"]).contains("1 solution (192 raw"));
    let folder = changed("planes = \"latin\"\n", "");
    assert!(printed(folder.path(), &["solve", "p.toml", "--first"]).contains("1 solution so far"));
}

#[test]
fn a_symbol_may_end_like_a_turn_and_equal_cubies_need_no_colour() {
    let folder = TempDir::new().expect("a folder");
    let faces = "right = \"\", back = \"\", left = \"\", top = \"\", bottom = \"\"";
    let two = |one: &str, other: &str| {
        let cubie = |name: &str, front: &str| {
            format!("[[cubie]]\nname = \"{name}\"\nfaces = {{ front = \"{front}\", {faces} }}\n")
        };
        let rules = "[rules]\nsymbols = [\"x>\", \"v\"]\n";
        format!(
            "cubewright = 1\nname = \"two\"\n[target]\nbox = [2, 1, 1]\n{rules}{}{}",
            cubie("a", one),
            cubie("b", other)
        )
    };
    let raw = |text: String| {
        fs::write(folder.path().join("two.toml"), text).expect("a file");
        let solved = printed(folder.path(), &["solve", "two.toml", "--json"]);
        serde_json::from_str::<Value>(&solved).expect("JSON")["raw"].as_u64().expect("a number")
    };
    // A cubie with one mark looks different in each of its 24 turns; two that are equal may not be told apart.
    assert_eq!(raw(two("x>", "x>v")), 24 * 24);
    assert_eq!(raw(two("x>", "v")), 2 * 24 * 24);
}

#[test]
fn list_show_and_check() {
    let folder = TempDir::new().expect("a folder");
    let list = printed(folder.path(), &["list"]);
    let row = |name: &str| {
        let line = list.lines().find(|line| line.starts_with(&format!("{name} "))).expect("a line");
        line.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    assert_eq!(row("4d-sudoku"), "4d-sudoku 27 1 52 2007/8");
    assert_eq!(row("soma"), "soma 7 240 5000 Piet Hein, 1933");
    assert_eq!(row("conway"), "conway 18 572 700,000 John Horton Conway");
    assert_eq!(printed(folder.path(), &["show", "4d-sudoku"]), SUDOKU);
    assert!(printed(folder.path(), &["check", "4d-sudoku"]).contains("volume: 27 cells for 27 places, fits"));
}

#[test]
fn a_mark_that_the_font_lacks_is_named() {
    let folder = changed("symbols = \"123456789\"", "symbols = \"123456789一\"");
    let text = fs::read_to_string(folder.path().join("p.toml")).expect("a file").replacen("\"2\"", "\"一\"", 1);
    fs::write(folder.path().join("p.toml"), text).expect("a file");
    let output = cubewright(folder.path(), &["check", "p.toml"]);
    assert_eq!(output.status.code(), Some(1));
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(message.contains('一') && message.contains("choose a font that has it"), "{message}");
}

#[test]
fn the_same_text_comes_from_standard_input() {
    let folder = TempDir::new().expect("a folder");
    fs::write(folder.path().join("p.toml"), SUDOKU).expect("a file");
    let file = fs::File::open(folder.path().join("p.toml")).expect("a file");
    let mut command = Command::new(env!("CARGO_BIN_EXE_cubewright"));
    let output = command.args(["solve", "-", "--count"]).stdin(file).output().expect("the program starts");
    assert_eq!(output.stdout, cubewright(folder.path(), &["solve", "p.toml", "--count"]).stdout);
}

/// It separates at once into halves of three bars, and each of those bar by bar: five states, of which none is kept
/// beside another. One takes 12 bytes, the table that finds it 256.
#[test]
fn taking_apart_says_what_it_took() {
    let folder = TempDir::new().expect("a folder");
    let output = cubewright(folder.path(), &["solve", "blue-burr", "--count"]);
    let note = String::from_utf8_lossy(&output.stderr);
    assert!(note.starts_with("note: 5 states of the pieces looked at; the deepest search kept 1 of them in 0.3 kB; "));
    let solved: Value = serde_json::from_str(&printed(folder.path(), &["solve", "blue-burr", "--json"])).expect("JSON");
    for (key, count) in [("solutions", 1), ("states", 5), ("states_kept", 1), ("bytes_kept", 268)] {
        assert_eq!(solved[key], json!(count), "{key}");
    }
    for key in ["seconds_assembling", "seconds_apart"] {
        assert!(solved[key].as_f64().is_some_and(|seconds| seconds > 0.0), "{key}");
    }
    let cubies: Value = serde_json::from_str(&printed(folder.path(), &["solve", "4d-sudoku", "--json"])).expect("JSON");
    assert_eq!((&cubies["states"], &cubies["seconds_apart"]), (&json!(null), &json!(null)));
}

const BARS: &str = "cubewright = 1\nname = \"Bars\"\nknown = { solutions = 3 }\n[target]\nbox = [4, 2, 1]\n\
    [[piece]]\nname = \"a\"\nlayers = [\"XX\"]\ncount = 2\n[[piece]]\nname = \"b\"\nlayers = [\"X/X\"]\ncount = 2\n";

#[test]
fn equal_pieces_and_counts_that_the_file_has_wrong_are_said() {
    let folder = TempDir::new().expect("a folder");
    fs::write(folder.path().join("bars.toml"), BARS).expect("a file");
    for command in [&["solve", "bars.toml", "--count"][..], &["models", "bars.toml"]] {
        let output = cubewright(folder.path(), command);
        assert!(output.status.success());
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.contains("the pieces a, b are equal and count as one kind"), "{said}");
        assert!(said.contains("found 4 solutions, but [known] in the puzzle file says 3"), "{said}");
    }
    let solved = printed(folder.path(), &["solve", "bars.toml", "--json"]);
    assert_eq!(serde_json::from_str::<Value>(&solved).expect("JSON")["equal"], json!([["a", "b"]]));
    let report = fs::read(folder.path().join("out/bars/report.json")).expect("a report");
    assert_eq!(serde_json::from_slice::<Value>(&report).expect("JSON")["solve"]["equal"], json!([["a", "b"]]));
}

#[test]
fn a_bound_on_empty_cells_that_is_not_asked_is_said() {
    let folder = TempDir::new().expect("a folder");
    fs::write(folder.path().join("f.xmpuzzle"), include_str!("xmpuzzle/max-holes-fixed.xmpuzzle")).expect("a file");
    let output = cubewright(folder.path(), &["solve", "f.xmpuzzle", "--count"]);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("2 cells stay empty however the pieces lie, more than the 1 that may; "), "{said}");
    assert!(output.stdout.starts_with(b"f: 2 solutions (3 raw"));
}

#[test]
fn a_search_that_nobody_will_see_the_end_of_is_told_of_at_its_beginning() {
    let folder = TempDir::new().expect("a folder");
    let text = "cubewright = 1\nname = \"T\"\n[target]\nbox = [6, 6, 6]\n\
        [[piece]]\nname = \"t\"\nlayers = [\"XXX/.X.\"]\ncount = 54\n";
    fs::write(folder.path().join("t.toml"), text).expect("a file");
    let mut command = Command::new(env!("CARGO_BIN_EXE_cubewright"));
    command.args(["solve", "t.toml", "--count", "--threads", "1"]).current_dir(folder.path());
    let mut search = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("the program starts");
    let mut warning = String::new();
    BufReader::new(search.stderr.take().expect("a pipe")).read_line(&mut warning).expect("text");
    search.kill().expect("the program runs on");
    search.wait().expect("the program ends");
    assert!(warning.starts_with("warning: T: at most about "), "{warning}");
    assert!(warning.contains(" years on this computer; --first stops at the first solution"), "{warning}");
}

#[test]
fn check_tells_what_is_in_a_file_of_shapes_alone_and_which_stored_solution_is_broken() {
    let folder = TempDir::new().expect("a folder");
    let moves = include_str!("xmpuzzle/moves.xmpuzzle");
    let (shapes, problems) = moves.split_once(" <problems>").expect("problems");
    fs::write(folder.path().join("s.xmpuzzle"), format!("{shapes}<problems/></puzzle>")).expect("a file");
    let told = printed(folder.path(), &["check", "s.xmpuzzle"]);
    assert!(told.starts_with("s.xmpuzzle: a BurrTools file of cubes, 2 shapes, 0 problems\n"), "{told}");
    assert!(told.ends_with("\nIt has shapes only, and no problem to solve.\n"), "{told}");

    let wrong = problems.replacen("<pieces count=\"2\">", "<pieces count=\"3\">", 1);
    fs::write(folder.path().join("w.xmpuzzle"), format!("{shapes} <problems>{wrong}")).expect("a file");
    let checked = cubewright(folder.path(), &["check", "w.xmpuzzle"]);
    assert_eq!(checked.status.code(), Some(1));
    let said = String::from_utf8_lossy(&checked.stderr);
    let place =
        wrong.lines().position(|line| line.contains("count=\"3\"")).expect("a line") + shapes.lines().count() + 1;
    assert!(said.contains("count says 3 pieces, but 2 are listed"), "{said}");
    assert!(said.contains(&format!("w.xmpuzzle:{place}:")), "{place}: {said}");
    // It is a puzzle nevertheless.
    assert!(printed(folder.path(), &["solve", "w.xmpuzzle", "--count"]).contains("1 assembly"));
}

#[test]
fn a_file_and_a_puzzle_in_it_may_have_a_hash_in_their_names() {
    let folder = TempDir::new().expect("a folder");
    let problem =
        |name: &str| format!("<problem name=\"{name}\"><shapes><shape id=\"0\"/></shapes><result id=\"0\"/></problem>");
    let text = format!(
        "<puzzle version=\"2\"><shapes><voxel x=\"1\" y=\"1\" z=\"1\" type=\"0\">#</voxel></shapes><problems>{}{}</problems></puzzle>",
        problem("one"),
        problem("no. #2")
    );
    fs::write(folder.path().join("a#b.xmpuzzle"), text).expect("a file");
    for (argument, name) in [("a#b.xmpuzzle#1", "one"), ("a#b.xmpuzzle#no. #2", "no. #2"), ("a#b.xmpuzzle#2", "no. #2")]
    {
        let told = printed(folder.path(), &["solve", argument, "--count"]);
        assert!(told.starts_with(&format!("{name}: 1 solution")), "{argument}: {told}");
    }
}
