//! The layering that ARCHITECTURE.md draws, read off the sources.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// Every source file by its path below `src/`, without comments and tests.
fn sources() -> BTreeMap<String, String> {
    fn walk(folder: &Path, sources: &mut BTreeMap<String, String>) {
        for entry in fs::read_dir(folder).expect("src/ is a folder").flatten() {
            let path = entry.path();
            if path.is_dir() {
                walk(&path, sources);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                let text = fs::read_to_string(&path).expect("a source file is text");
                let code = text.split("#[cfg(test)]").next().unwrap_or_default();
                let code: String = code
                    .lines()
                    .map(|line| line.split("//").next().unwrap_or_default())
                    .flat_map(|line| [line, "\n"])
                    .collect();
                let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
                let name = path.strip_prefix(root).expect("below src/").display().to_string();
                sources.insert(name, code);
            }
        }
    }
    let mut all = BTreeMap::new();
    walk(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut all);
    all
}

/// The words of a text: runs of letters, digits and underscores.
fn words(code: &str) -> BTreeSet<&str> {
    code.split(|c: char| !c.is_alphanumeric() && c != '_').collect()
}

#[test]
fn imports_go_one_way() {
    // What each folder or top file may name of the crate, beside itself.
    let allowed: BTreeMap<&str, &[&str]> = BTreeMap::from([
        ("puzzle", &["nearest", "words"][..]),
        ("solve", &["puzzle"]),
        ("net", &["puzzle", "glyph", "png_file"]),
        ("solid", &["puzzle", "glyph"]),
        ("export", &["puzzle", "solid"]),
        ("page", &["puzzle", "net", "solid", "solve", "report", "fingerprint", "json"]),
        ("picture", &["puzzle", "solid"]),
        ("glyph.rs", &[]),
        ("png_file.rs", &["puzzle"]),
        ("fingerprint.rs", &[]),
        ("json.rs", &[]),
        ("gzip.rs", &[]),
        ("nearest.rs", &[]),
        ("file_names.rs", &[]),
        ("progress.rs", &["words"]),
        ("words.rs", &[]),
    ]);
    for (file, code) in sources() {
        let unit = file.split('/').next().unwrap_or_default();
        let Some(allowed) = allowed.get(unit) else { continue };
        for at in code.match_indices("crate::").map(|(at, _)| at + "crate::".len()) {
            let named = code[at..].split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
            assert!(named == unit || allowed.contains(&named), "src/{file} names crate::{named}");
        }
    }
}

#[test]
fn each_external_crate_is_named_in_one_file() {
    let manifest = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml")).expect("Cargo.toml");
    let section = manifest.split("[dependencies]").nth(1).and_then(|rest| rest.split("\n[").next()).unwrap_or_default();
    let crates = section.lines().filter_map(|line| line.split_once(" = ")).map(|(name, _)| name.replace('-', "_"));
    let sources = sources();
    for name in crates.filter(|name| !name.starts_with('#')) {
        // As a word of its own: gzip is not zip.
        let path = format!("{name}::");
        let is_word = |before: &str| !before.ends_with(|c: char| c.is_alphanumeric() || c == '_');
        let is_named = |code: &str| {
            code.match_indices(&path).any(|(at, _)| is_word(&code[..at])) && !code.contains(&format!("::{name}::"))
        };
        // A module that is a file and a folder, such as batch.rs and batch/, counts as one.
        let module = |file: &str| {
            let whole = file.split_once('/').map(|(folder, _)| format!("{folder}.rs"));
            whole.filter(|whole| sources.iter().any(|(other, _)| other == whole)).unwrap_or_else(|| file.to_owned())
        };
        let files: BTreeSet<String> =
            sources.iter().filter(|(_, code)| is_named(code)).map(|(file, _)| module(file)).collect();
        assert_eq!(files.len(), 1, "{name} is named in {files:?}");
    }
}

#[test]
fn puzzle_and_solve_count_in_whole_numbers() {
    for (file, code) in sources() {
        if file.starts_with("puzzle/") || file.starts_with("solve/") {
            assert!(!words(&code).contains("f64") && !words(&code).contains("f32"), "src/{file} has floating point");
        }
    }
}

#[test]
fn only_the_edge_touches_disk_clock_and_streams() {
    let edge =
        ["main.rs", "solve_command.rs", "cli.rs", "console.rs", "batch.rs", "input.rs", "output.rs", "progress.rs"];
    for (file, code) in sources() {
        if edge.contains(&file.as_str()) {
            continue;
        }
        for word in
            ["std::fs", "std::env", "File", "Instant", "SystemTime", "stdout", "stderr", "stdin", "println", "eprintln"]
        {
            let found = if word.contains(':') { code.contains(word) } else { words(&code).contains(word) };
            assert!(!found, "src/{file} uses {word}");
        }
    }
}
