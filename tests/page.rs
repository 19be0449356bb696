//! The page: one file that is whole in itself, whose links lead to files, and in which no text of a puzzle is markup.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;
use sha2::{Digest, Sha256};
use tempfile::TempDir;

const SMALL: &str = include_str!("data/eight.toml");

fn cubewright(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cubewright"));
    let output = command.args(arguments).current_dir(folder).output().expect("the program starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    output
}

fn built(text: &str, arguments: &[&str]) -> TempDir {
    let folder = TempDir::new().expect("a folder");
    fs::write(folder.path().join("puzzle.toml"), text).expect("a file");
    cubewright(folder.path(), &[arguments, &["puzzle.toml"]].concat());
    folder
}

fn page(folder: &TempDir, path: &str) -> String {
    fs::read_to_string(folder.path().join("out").join(path)).expect("a page")
}

/// What stands between two texts, each time.
fn between<'a>(text: &'a str, start: &str, end: &str) -> Vec<&'a str> {
    text.split(start).skip(1).map(|rest| rest.split(end).next().expect("something")).collect()
}

fn data(page: &str) -> Value {
    let json = between(page, "<script type=\"application/json\" id=\"data\">", "</script>")[0];
    serde_json::from_str(json).expect("JSON")
}

/// The path that a link means.
fn unescaped(href: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = href.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        if first == b'%' {
            bytes.push(u8::from_str_radix(std::str::from_utf8(&after[..2]).expect("digits"), 16).expect("a byte"));
            rest = &after[2..];
        } else {
            bytes.push(first);
            rest = after;
        }
    }
    String::from_utf8(bytes).expect("text")
}

/// What links to files below the page.
fn links_below(text: &str) -> Vec<&str> {
    let leads_elsewhere = |link: &str| ["#", "../", "data:"].iter().any(|start| link.starts_with(start));
    between(text, " href=\"", "\"").into_iter().filter(|link| !leads_elsewhere(link)).collect()
}

#[test]
fn every_link_leads_to_a_file_and_every_file_is_linked() {
    let folder = built(SMALL, &["build"]);
    let text = page(&folder, "eight/index.html");
    let links: BTreeSet<String> = links_below(&text).into_iter().map(unescaped).collect();
    let report: Value = serde_json::from_str(&page(&folder, "eight/report.json")).expect("JSON");
    let listed = report["files"].as_array().expect("a list").iter().map(|file| file["path"].as_str().expect("a path"));
    let mut files: BTreeSet<String> = listed.map(str::to_owned).collect();
    assert!(files.remove("index.html"), "the page is listed");
    files.insert("report.json".to_owned());
    assert_eq!(links, files);
    assert!(links.iter().all(|link| folder.path().join("out/eight").join(link).is_file()));

    let all = page(&folder, "index.html");
    assert_eq!(links_below(&all), ["eight/index.html"]);
    assert!(text.contains("href=\"../index.html\""));
}

#[test]
fn a_page_asks_for_nothing_and_runs_only_the_scripts_that_it_names() {
    let folder = built(SMALL, &["page"]);
    for path in ["eight/index.html", "index.html"] {
        let text = page(&folder, path);
        let policy = between(&text, "http-equiv=\"Content-Security-Policy\" content=\"", "\"")[0];
        let hash = |source: &str| format!("'sha256-{}'", STANDARD.encode(Sha256::digest(source)));
        let scripts: Vec<String> = between(&text, "<script>", "</script>").into_iter().map(hash).collect();
        let style = hash(between(&text, "<style>", "</style>")[0]);
        assert_eq!(
            policy,
            format!(
                "default-src 'none'; script-src {}; style-src {style}; img-src data:; base-uri 'none'; form-action 'none'",
                scripts.join(" ")
            )
        );
        for asking in
            ["http://", "https://", " src=", "@import", "url(", "fetch(", "XMLHttpRequest", " style=", " onclick="]
        {
            let found = text.replace("http://www.w3.org/2000/svg", "").contains(asking);
            assert!(!found, "{path} contains {asking}");
        }
    }
}

#[test]
fn a_page_is_small_beside_its_models() {
    let folder = TempDir::new().expect("a folder");
    cubewright(folder.path(), &["page", "soma"]);
    let text = page(&folder, "soma/index.html");
    let data = between(&text, "<script type=\"application/json\" id=\"data\">", "</script>")[0];
    let rest = text.len() - data.len();
    assert!(rest < 100_000, "{rest} bytes beside the models");
}

#[test]
fn texts_of_a_puzzle_are_never_markup() {
    let hostile = "</script><img src=x onerror=alert(1)>\\\"'&🧩\\u202E";
    let text = SMALL.replacen("name = \"Eight\"", &format!("name = \"{hostile}\""), 1);
    let text = text.replacen("name = \"a\"", &format!("name = \"{hostile}\""), 1);
    assert_eq!(text.matches(hostile).count(), 2);
    let folder = built(&text, &["page"]);
    let slug = "script-img-src-x-onerror-alert-1";
    for path in [format!("{slug}/index.html"), "index.html".to_owned()] {
        let text = page(&folder, &path);
        assert!(!text.contains("<img") && !text.contains("\0"), "{path}");
        let shown = "&lt;/script&gt;&lt;img src=x onerror=alert(1)&gt;&quot;&#39;&amp;🧩\u{202E}";
        assert!(text.contains(&format!("<bdi>{shown}</bdi>")), "{path}");
    }
    let text = page(&folder, &format!("{slug}/index.html"));
    assert_eq!(text.matches("<script").count(), text.matches("</script>").count());
    assert_eq!(data(&text)["pieces"][0]["name"], "</script><img src=x onerror=alert(1)>\"'&🧩\u{202E}");
}

#[test]
fn meshes_are_those_of_the_stl() {
    let folder = built(SMALL, &["build"]);
    let data = data(&page(&folder, "eight/index.html"));
    let piece = &data["pieces"][0];
    let name = piece["name"].as_str().expect("a name");
    let stl = fs::read(folder.path().join(format!("out/eight/pieces/{name}.stl"))).expect("a file");
    let count = u64::from(u32::from_le_bytes(stl[80..84].try_into().expect("four bytes")));
    let parts = piece["mesh"]["parts"].as_array().expect("a list");
    assert_eq!(parts.iter().map(|part| part[1].as_u64().expect("a number")).sum::<u64>(), count);
    let corners = STANDARD.decode(piece["mesh"]["corners"].as_str().expect("text")).expect("base64");
    assert_eq!((piece["mesh"]["width"].as_u64(), corners.len() as u64), (Some(2), 6 * count));
    let solution = data["solutions"][0].as_array().expect("a list");
    assert_eq!((data["solved"].as_bool(), solution.len()), (Some(true), 5 * 8));
}

#[test]
fn a_packing_carries_the_moves_that_put_it_together() {
    let folder = TempDir::new().expect("a folder");
    cubewright(folder.path(), &["page", "soma"]);
    let data = data(&page(&folder, "soma/index.html"));
    assert_eq!(data["solutions"].as_array().map(Vec::len), Some(240));
    assert_eq!(data["total"], 240);
    // 7 pieces come apart in 6 separations, each of which moves some of them.
    let steps = data["ways"][0].as_array().expect("a way");
    assert_eq!(steps.iter().filter(|step| step[3] == true).count(), 6);
}

#[test]
fn a_page_without_a_solution_shows_the_pieces() {
    // The T leaves two corners that the I cannot fill.
    let text = r#"cubewright = 1
name = "None"
[target]
box = [3, 2, 1]
[[piece]]
name = "T"
layers = ["XXX/.X."]
[[piece]]
name = "I"
layers = ["XX"]
"#;
    let folder = built(text, &["page"]);
    let text = page(&folder, "none/index.html");
    assert!(text.contains("no solution"));
    assert_eq!(data(&text)["solved"], false);
}

#[test]
fn the_page_of_all_is_replaced_only_where_it_is_ours() {
    let folder = built(SMALL, &["page"]);
    let path = folder.path().join("out/index.html");
    let before = fs::read(&path).expect("a page");
    cubewright(folder.path(), &["page", "puzzle.toml"]);
    assert_eq!(fs::read(&path).expect("a page"), before);
    let mine = [&before[..], b"mine"].concat();
    fs::write(&path, &mine).expect("a file");
    let mut command = Command::new(env!("CARGO_BIN_EXE_cubewright"));
    let output = command.args(["page", "puzzle.toml"]).current_dir(folder.path()).output().expect("the program starts");
    assert_eq!(output.status.code(), Some(1));
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(message.contains("out/index.html is in the way"), "{message}");
    assert_eq!(fs::read(&path).expect("a page"), mine);
    cubewright(folder.path(), &["page", "puzzle.toml", "--overwrite"]);
    assert_eq!(fs::read(&path).expect("a page"), before);
}
