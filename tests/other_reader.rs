//! BurrTools files that are written, read by a reader that shares nothing with the program: sections 4, 7 and 8 of the
//! description of the format, cell by cell and unit by unit.

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZero;
use std::ops::ControlFlow;

use cubewright::collection::find;
use cubewright::convert::{solved, to_burr};
use cubewright::gzip;
use cubewright::puzzle::Puzzle;
use cubewright::puzzle::parse::parse;
use cubewright::solve::disassemble::Method;
use cubewright::solve::{Options, solve_apart};

type Cell = [i32; 3];

fn built_in(name: &str) -> Puzzle {
    parse(find(name).expect(name)).expect(name)
}

/// The file of a puzzle with its solutions, as text.
fn written(puzzle: &Puzzle, takes_apart: bool) -> String {
    let watch = |_| ControlFlow::Continue(());
    let stored = solved(puzzle, takes_apart, NonZero::<usize>::MIN, &watch).expect("a packing");
    let written = to_burr(&[(puzzle, &stored)], false).expect("a packing");
    String::from_utf8(gzip::unpack(&written.bytes, 1 << 24).expect("gzip").0).expect("text")
}

#[test]
fn assemblies_of_soma_fill_the_cube() {
    let text = written(&built_in("soma"), false);
    let shapes = pieces(&text);
    let solutions: Vec<Element> = solutions(&text);
    // BurrTools keeps so many.
    assert_eq!(solutions.len(), 100);
    let different: BTreeSet<Vec<Vec<Cell>>> = solutions.iter().map(|solution| laid(solution, &shapes)).collect();
    assert_eq!(different.len(), 100);
    for pieces in different {
        let cells: BTreeSet<Cell> = pieces.concat().into_iter().collect();
        assert_eq!((cells.len(), pieces.concat().len()), (27, 27));
        assert!(cells.iter().flatten().all(|c| (0..3).contains(c)));
    }
}

/// Every move of every solution, and the levels that the moves make.
#[test]
fn moves_of_burrs_take_them_apart() {
    for name in ["blue-burr", "piston-burr", "yamato-block", "tenyo-brother"] {
        let burr = built_in(name);
        let text = written(&burr, true);
        let shapes = pieces(&text);
        let mut levels: BTreeMap<String, u64> = BTreeMap::new();
        for solution in solutions(&text) {
            let pieces = laid(&solution, &shapes);
            let at: Vec<Cell> = places(&solution).into_iter().map(|place| place.0).collect();
            let separation = solution.child("separation", None).expect("it comes apart");
            let whole: Vec<usize> = (0..pieces.len()).collect();
            check(separation, &whole, &at, &at, &pieces);
            *levels.entry(level(separation)).or_default() += 1;
        }
        let apart = solve_apart(&burr, &Options::ALL, Method::First, 1_000_000).expect("a burr").apart.expect("apart");
        let here: BTreeMap<String, u64> =
            apart.levels.iter().map(|(level, count)| (level.to_string(), *count)).collect();
        assert_eq!(levels, here, "{name}");
    }
}

/// Checks a separation and those behind it. `at` is where the pieces are when it begins, `start` where their cells are in
/// `pieces`.
fn check(separation: &Element, whole: &[usize], at: &[Cell], start: &[Cell], pieces: &[Vec<Cell>]) {
    let listed: Vec<usize> = separation.child("pieces", None).expect("pieces").numbers();
    assert_eq!(listed, whole);
    let states: Vec<Vec<Cell>> = separation.children.iter().filter(|child| child.name == "state").map(state).collect();
    assert!(states.len() >= 2 && states.iter().all(|state| state.len() == listed.len()));
    assert_eq!(states[0], listed.iter().map(|&piece| at[piece]).collect::<Vec<_>>());
    for pair in states.windows(2) {
        let shifts: Vec<Cell> = pair[0].iter().zip(&pair[1]).map(|(a, b)| minus(*b, *a)).collect();
        let moving: BTreeSet<Cell> = shifts.iter().copied().filter(|shift| *shift != [0; 3]).collect();
        let by = *moving.first().expect("a move");
        assert!(moving.len() == 1 && by.iter().filter(|c| **c != 0).count() == 1, "{shifts:?}");
        assert!(shifts.contains(&[0; 3]), "something stays");
        // All pieces are within some dozen cells of each other, so that whoever has gone a hundred is free.
        let (unit, far) = (by.map(i32::signum), by.iter().map(|c| c.abs()).max().unwrap_or(0));
        for step in 0..=far.min(100) {
            let mut taken = BTreeSet::new();
            for (index, &piece) in listed.iter().enumerate() {
                let gone = if shifts[index] == by { unit.map(|c| c * step) } else { [0; 3] };
                let offset = plus(minus(pair[0][index], start[piece]), gone);
                assert!(
                    pieces[piece].iter().all(|&cell| taken.insert(plus(cell, offset))),
                    "pieces run into each other"
                );
            }
        }
    }
    let (before, last) = (&states[states.len() - 2], &states[states.len() - 1]);
    let is_away = |index: usize| last[index].iter().any(|c| c.abs() > 10_000);
    let mut at = at.to_vec();
    listed.iter().zip(before).for_each(|(&piece, &place)| at[piece] = place);
    for (kind, wanted) in [("removed", true), ("left", false)] {
        let part: Vec<usize> = (0..listed.len()).filter(|&index| is_away(index) == wanted).collect();
        for &index in part.iter().filter(|_| wanted) {
            let gone = minus(last[index], before[index]);
            assert_eq!(gone.iter().map(|c| c.abs()).sum::<i32>(), 20_000);
        }
        let part: Vec<usize> = part.into_iter().map(|index| listed[index]).collect();
        match (part.len(), separation.child("separation", Some(kind))) {
            (1, None) => {}
            (2.., Some(behind)) => check(behind, &part, &at, start, pieces),
            (count, behind) => {
                panic!("{count} pieces are {kind}, {}", if behind.is_some() { "and more" } else { "no more" })
            }
        }
    }
}

/// The level text of section 8.
fn level(separation: &Element) -> String {
    let moves = |step: &Element| step.children.iter().filter(|child| child.name == "state").count() - 1;
    fn is_worth_saying(step: &Element) -> bool {
        let states = step.children.iter().filter(|child| child.name == "state").count();
        states > 2 || step.children.iter().any(|child| child.name == "separation" && is_worth_saying(child))
    }
    let behind = ["left", "removed"].into_iter().filter_map(|kind| separation.child("separation", Some(kind)));
    let behind = behind.filter(|step| is_worth_saying(step)).map(|step| format!(".{}", level(step)));
    format!("{}{}", moves(separation), behind.collect::<String>())
}

/// An element, read off its tags.
#[derive(Default)]
struct Element {
    name: String,
    kind: Option<String>,
    text: String,
    children: Vec<Element>,
}

impl Element {
    fn child(&self, name: &str, kind: Option<&str>) -> Option<&Element> {
        self.children.iter().find(|child| child.name == name && child.kind.as_deref() == kind)
    }

    fn numbers<T: std::str::FromStr<Err: std::fmt::Debug>>(&self) -> Vec<T> {
        self.text.split_whitespace().map(|word| word.parse().expect("a number")).collect()
    }
}

fn solutions(text: &str) -> Vec<Element> {
    let mut open = vec![Element::default()];
    for part in text.split("<solutions>").nth(1).expect("solutions").split('<').skip(1) {
        let (tag, text) = part.split_once('>').expect("a tag");
        if tag == "/solutions" {
            break;
        }
        if tag.starts_with('/') {
            let done = open.pop().expect("an element");
            open.last_mut().expect("a parent").children.push(done);
        } else {
            let kind = tag.split_once("type=\"").map(|(_, rest)| rest.trim_end_matches('"').to_owned());
            let name = tag.split(' ').next().unwrap_or_default().to_owned();
            open.push(Element { name, kind, text: text.to_owned(), children: Vec::new() });
        }
    }
    open.remove(0).children
}

/// Where the pieces of a solution are, and how they are turned.
fn places(solution: &Element) -> Vec<(Cell, i32)> {
    let numbers: Vec<i32> = solution.child("assembly", None).expect("an assembly").numbers();
    numbers.chunks(4).map(|at| ([at[0], at[1], at[2]], at[3])).collect()
}

/// The cells of each piece in its own box, copy by copy in the order of the list.
fn pieces(text: &str) -> Vec<Vec<Cell>> {
    let shapes: Vec<Vec<Cell>> = text.split("<voxel ").skip(1).map(shape).collect();
    let list = text.split("<problem ").nth(1).expect("a problem").split("<result").next().expect("a list");
    let copies = |part: &str| vec![shapes[number(part, "id") as usize].clone(); number(part, "count") as usize];
    list.split("<shape ").skip(1).flat_map(copies).collect()
}

fn laid(solution: &Element, shapes: &[Vec<Cell>]) -> Vec<Vec<Cell>> {
    let place = |((at, turn), shape): ((Cell, i32), &Vec<Cell>)| {
        shape.iter().map(|&cell| plus(turned(cell, turn), at)).collect()
    };
    places(solution).into_iter().zip(shapes).map(place).collect()
}

fn state(element: &Element) -> Vec<Cell> {
    let [x, y, z] = ["dx", "dy", "dz"].map(|name| element.child(name, None).expect(name).numbers::<i32>());
    (0..x.len()).map(|index| [x[index], y[index], z[index]]).collect()
}

fn shape(text: &str) -> Vec<Cell> {
    let (x, y) = (number(text, "x"), number(text, "y"));
    let drawing = text.split('>').nth(1).expect("a drawing").split('<').next().expect("a drawing");
    let filled = (0..).zip(drawing.chars()).filter(|cell| cell.1 == '#');
    filled.map(|(at, _): (i32, char)| [at % x, at / x % y, at / x / y]).collect()
}

/// The number in the first attribute of that name.
fn number(text: &str, name: &str) -> i32 {
    let value = text.split(&format!("{name}=\"")).nth(1).expect(name);
    value.split('"').next().expect(name).parse().expect(name)
}

fn turned([x, y, z]: Cell, number: i32) -> Cell {
    let [x, y, z] = (0..number % 4).fold([x, y, z], |[x, y, z], _| [x, -z, y]);
    match number / 4 {
        0 => [x, y, z],
        1 => [-z, y, x],
        2 => [-x, y, -z],
        3 => [z, y, -x],
        4 => [-y, x, z],
        _ => [y, -x, z],
    }
}

fn plus(a: Cell, b: Cell) -> Cell {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

fn minus(a: Cell, b: Cell) -> Cell {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}
