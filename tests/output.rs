//! What a build leaves on disk: whole or not at all, and never at the cost of somebody else's files.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;
use sha2::{Digest, Sha256};
use tempfile::TempDir;

/// Eight cubies whose planes show 1 to 4.
const SMALL: &str = include_str!("data/eight.toml");

fn cubewright(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cubewright"));
    command.args(arguments).current_dir(folder).output().expect("the program starts")
}

fn build(folder: &Path, more: &[&str]) -> Output {
    fs::write(folder.join("eight.toml"), SMALL).expect("a file");
    cubewright(folder, &[&["build", "eight.toml"], more].concat())
}

/// Every file below a folder, by path.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut all = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).expect("a folder").flatten() {
            if entry.path().is_dir() {
                folders.push(entry.path());
            } else {
                let path = entry.path().strip_prefix(folder).expect("below").display().to_string();
                all.insert(path, fs::read(entry.path()).expect("a file"));
            }
        }
    }
    all
}

fn message(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn the_report_lists_every_file_with_its_fingerprint() {
    let folder = TempDir::new().expect("a folder");
    let output = build(folder.path(), &[]);
    assert!(output.status.success(), "{}", message(&output));
    let mut files = files(&folder.path().join("out"));
    assert!(files.remove("index.html").is_some(), "the page of all puzzles is no puzzle's");
    let report: Value = serde_json::from_slice(&files.remove("eight/report.json").expect("a report")).expect("JSON");
    let listed: BTreeMap<String, (u64, String)> = (report["files"].as_array().expect("a list").iter())
        .map(|file| {
            let text = |key: &str| file[key].as_str().expect("text").to_owned();
            (format!("eight/{}", text("path")), (file["bytes"].as_u64().expect("a number"), text("sha256")))
        })
        .collect();
    let found: BTreeMap<String, (u64, String)> = (files.into_iter())
        .map(|(path, bytes)| {
            let digest = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
            (path, (bytes.len() as u64, digest))
        })
        .collect();
    assert_eq!(listed, found);
    // 8 pieces as STL, STEP, 3MF, GLB and PNG; the two scenes as STL, STEP, GLB and PNG, one as 3MF; plate, solution, page.
    assert_eq!(listed.keys().filter(|path| path.starts_with("eight/pieces/")).count(), 40);
    assert_eq!(listed.keys().filter(|path| !path["eight/".len()..].contains('/')).count(), 12);
}

#[test]
fn the_same_puzzle_gives_the_same_bytes_with_any_number_of_threads() {
    let folder = TempDir::new().expect("a folder");
    assert!(build(folder.path(), &["-o", "one"]).status.success());
    let mut command = Command::new(env!("CARGO_BIN_EXE_cubewright"));
    command.args(["build", "eight.toml", "-o", "two"]).current_dir(folder.path()).env("RAYON_NUM_THREADS", "1");
    assert!(command.output().expect("the program starts").status.success());
    assert_eq!(files(&folder.path().join("one")), files(&folder.path().join("two")));
}

#[test]
fn files_of_others_are_not_touched() {
    let folder = TempDir::new().expect("a folder");
    let place = folder.path().join("out/eight");
    fs::create_dir_all(place.join("pieces")).expect("a folder");
    fs::write(place.join("notes.txt"), "mine").expect("a file");
    fs::write(place.join("pieces/a.stl"), "mine too").expect("a file");
    let before = files(&folder.path().join("out"));

    let output = build(folder.path(), &[]);
    assert_eq!(output.status.code(), Some(1));
    assert!(message(&output).contains("pieces/a.stl is in the way"), "{}", message(&output));
    assert_eq!(files(&folder.path().join("out")), before);

    assert!(build(folder.path(), &["--overwrite"]).status.success());
    assert_eq!(fs::read(place.join("notes.txt")).expect("still there"), b"mine");
    assert_ne!(fs::read(place.join("pieces/a.stl")).expect("replaced"), b"mine too");
}

#[test]
fn a_second_build_replaces_its_own_files_and_removes_those_it_no_longer_makes() {
    let folder = TempDir::new().expect("a folder");
    let place = folder.path().join("out/eight");
    assert!(build(folder.path(), &[]).status.success());
    assert!(build(folder.path(), &["--pitch", "25"]).status.success());
    fs::write(place.join("pieces/b.stl"), "changed by hand").expect("a file");
    let renamed = SMALL.replacen("name = \"a\"", "name = \"z\"", 1).replacen("name = \"b\"", "name = \"y\"", 1);
    fs::write(folder.path().join("renamed.toml"), renamed).expect("a file");
    assert!(cubewright(folder.path(), &["build", "renamed.toml"]).status.success());
    assert!(place.join("pieces/z.stl").exists() && place.join("pieces/y.stl").exists());
    assert!(!place.join("pieces/a.stl").exists(), "a file of the earlier build is left");
    assert_eq!(fs::read(place.join("pieces/b.stl")).expect("not ours any more"), b"changed by hand");
}

#[test]
fn one_stage_alone_leaves_the_files_of_the_others() {
    let folder = TempDir::new().expect("a folder");
    assert!(build(folder.path(), &[]).status.success());
    let all = files(&folder.path().join("out"));
    assert!(cubewright(folder.path(), &["net", "eight.toml"]).status.success());
    assert_eq!(files(&folder.path().join("out")).keys().collect::<Vec<_>>(), all.keys().collect::<Vec<_>>());
    assert!(build(folder.path(), &["--pitch", "30"]).status.success(), "all of it is still known as ours");
}

#[test]
fn one_stage_in_other_sizes_is_not_mixed_with_the_rest() {
    let folder = TempDir::new().expect("a folder");
    assert!(build(folder.path(), &[]).status.success());
    let before = files(&folder.path().join("out"));
    let output = cubewright(folder.path(), &["net", "eight.toml", "--pitch", "30"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(message(&output).contains("in other sizes"), "{}", message(&output));
    assert_eq!(files(&folder.path().join("out")), before);
    // The nets again, in the same sizes: the report keeps what it knew of the models.
    assert!(cubewright(folder.path(), &["net", "eight.toml"]).status.success());
    assert_eq!(files(&folder.path().join("out")), before);
}

#[test]
fn another_puzzle_of_the_same_folder_name_is_not_replaced() {
    let folder = TempDir::new().expect("a folder");
    assert!(build(folder.path(), &[]).status.success());
    let before = files(&folder.path().join("out"));
    fs::write(folder.path().join("other.toml"), SMALL.replacen("\"Eight\"", "\"EIGHT\"", 1)).expect("a file");
    let output = cubewright(folder.path(), &["build", "other.toml"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(message(&output).contains("holds another puzzle, 'Eight'"), "{}", message(&output));
    assert_eq!(files(&folder.path().join("out")), before);
}

#[test]
fn a_folder_in_the_way_of_a_file_stops_the_build_before_anything_is_replaced() {
    let folder = TempDir::new().expect("a folder");
    assert!(build(folder.path(), &[]).status.success());
    let stl = folder.path().join("out/eight/exploded.stl");
    fs::remove_file(&stl).expect("a file");
    fs::create_dir(&stl).expect("a folder");
    let before = files(&folder.path().join("out"));
    let output = build(folder.path(), &["--pitch", "30", "--overwrite"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(message(&output).contains("exploded.stl is in the way"), "{}", message(&output));
    assert_eq!(files(&folder.path().join("out")), before);
}

/// A run that was killed while it put its files in place: some are there, those before them stand aside.
#[test]
fn what_a_killed_run_left_is_taken_back() {
    let folder = TempDir::new().expect("a folder");
    assert!(build(folder.path(), &[]).status.success());
    let before = files(&folder.path().join("out"));
    let (out, partial) = (folder.path().join("out/eight"), folder.path().join("out/.eight.partial"));
    let other = folder.path().join("other");
    assert!(build(folder.path(), &["--pitch", "30", "-o", "other"]).status.success());
    fs::create_dir_all(partial.join("old")).expect("a folder");
    fs::rename(out.join("assembled.stl"), partial.join("old/assembled.stl")).expect("moved aside");
    fs::rename(other.join("eight/assembled.stl"), out.join("assembled.stl")).expect("put in place");
    fs::rename(other.join("eight/assembled.step"), partial.join("assembled.step")).expect("still to come");
    fs::rename(other.join("eight/report.json"), partial.join("report.json")).expect("the last to come");
    // A build that fails early takes back all the same.
    let output = build(folder.path(), &["--pitch", "31", "--bevel", "9"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(build(folder.path(), &[]).status.success());
    assert_eq!(files(&folder.path().join("out")), before);
}

#[test]
fn a_folder_that_cannot_be_made_is_one_line_and_nothing_else() {
    let folder = TempDir::new().expect("a folder");
    fs::write(folder.path().join("file"), "a file, not a folder").expect("a file");
    let output = build(folder.path(), &["-o", "file/out"]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(message(&output).lines().count(), 1, "{}", message(&output));
    assert!(message(&output).contains("choose another folder with -o"));
    assert_eq!(fs::read(folder.path().join("file")).expect("still there"), b"a file, not a folder");
}

/// Files beyond a size cannot be written, as on a disk that runs full in the middle of a build.
#[cfg(unix)]
#[test]
fn a_build_that_runs_out_of_room_leaves_what_was_there() {
    let folder = TempDir::new().expect("a folder");
    assert!(build(folder.path(), &[]).status.success());
    let before = files(&folder.path().join("out"));
    let program = env!("CARGO_BIN_EXE_cubewright");
    let shell = format!("trap '' XFSZ; ulimit -f 100; exec '{program}' build eight.toml --pitch 30");
    let output = Command::new("sh").args(["-c", &shell]).current_dir(folder.path()).output().expect("a shell");
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(message(&output).lines().count(), 1, "{}", message(&output));
    assert!(message(&output).contains("cannot write"), "{}", message(&output));
    assert_eq!(files(&folder.path().join("out")), before);
    // The puzzle's folder and the page of all.
    assert_eq!(fs::read_dir(folder.path().join("out")).expect("a folder").count(), 2, "something is left behind");
}

#[test]
fn the_other_puzzles_of_a_batch_are_still_done() {
    let folder = TempDir::new().expect("a folder");
    fs::write(folder.path().join("broken.toml"), "cubewright = 1\n").expect("a file");
    fs::write(folder.path().join("eight.toml"), SMALL).expect("a file");
    let output = cubewright(folder.path(), &["build", "broken.toml", "eight.toml", "eight.toml"]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(String::from_utf8_lossy(&output.stdout).lines().count(), 2);
    // Two puzzles of one name in one run get a folder each.
    assert!(folder.path().join("out/eight/assembled.stl").exists());
    assert!(folder.path().join("out/eight-2/assembled.stl").exists());
    let left = fs::read_dir(folder.path().join("out")).expect("a folder").flatten().map(|entry| entry.file_name());
    let left: BTreeSet<String> = left.map(|name| name.to_string_lossy().into_owned()).collect();
    assert_eq!(left, ["eight", "eight-2", "index.html"].map(str::to_owned).into());
}

#[test]
fn hostile_names_stay_inside_the_folder() {
    let folder = TempDir::new().expect("a folder");
    let names = ["../../up", "a/b", "a\\\\b", "NUL", "🧩", "</script>", "\\\"quoted\\\"", "\\u202eright to left"];
    let mut text = SMALL.to_owned();
    for (letter, name) in ["a", "b", "c", "d", "e", "f", "g", "h"].iter().zip(names) {
        text = text.replacen(&format!("name = \"{letter}\""), &format!("name = \"{name}\""), 1);
    }
    fs::write(folder.path().join("hostile.toml"), text).expect("a file");
    let output = cubewright(folder.path(), &["build", "hostile.toml"]);
    assert!(output.status.success(), "{}", message(&output));
    let stl: BTreeSet<String> = files(folder.path())
        .into_keys()
        .filter(|path| path.starts_with("out/eight/pieces/") && path.ends_with(".stl"))
        .collect();
    let expected = ["_", "_._.._up", "__script_", "_NUL", "_quoted_", "_right_to_left", "a_b", "a_b-2"];
    assert_eq!(stl, BTreeSet::from(expected.map(|name| format!("out/eight/pieces/{name}.stl"))));
}

/// Twelve cubes in a row leave one after the other: eleven moves.
#[test]
fn pictures_show_the_first_and_the_last_moves_apart() {
    let folder = TempDir::new().expect("a folder");
    let row = "cubewright = 1\nname = \"Row\"\n[target]\nbox = [12, 1, 1]\n[rules]\napart = true\n[[piece]]\n\
               name = \"a\"\nlayers = [\"X\"]\ncount = 12\n";
    fs::write(folder.path().join("row.toml"), row).expect("a file");
    let output = cubewright(folder.path(), &["build", "row.toml"]);
    assert!(output.status.success(), "{}", message(&output));
    let files = files(&folder.path().join("out/row"));
    let steps: BTreeMap<&String, &Vec<u8>> = files.iter().filter(|(path, _)| path.starts_with("steps/")).collect();
    let expected = ["01", "02", "03", "04", "08", "09", "10", "11"].map(|step| format!("steps/{step}.png"));
    assert!(steps.keys().copied().eq(&expected), "{:?}", steps.keys());
    let different: BTreeSet<&Vec<u8>> = steps.values().copied().collect();
    assert_eq!(different.len(), 8);
    // Width and height stand behind the name of the first chunk: all are on one scale.
    let sizes: BTreeSet<&[u8]> = steps.values().map(|bytes| &bytes[16..24]).collect();
    assert_eq!(sizes.len(), 1);
    let page = String::from_utf8(files["index.html"].clone()).expect("text");
    for step in expected {
        assert_eq!(page.matches(&format!("href=\"{step}\"")).count(), 1, "{step}");
    }
}
