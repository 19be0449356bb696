//! The graph method for a stack of coloured cubes, as text and as a drawing.

use std::collections::BTreeMap;
use std::f64::consts::{PI, TAU};
use std::fmt::Write;

use crate::glyph::Font;
use crate::net::drawing::{Drawing, Face, Fonts, Item, PAPER, Point};
use crate::progress::printable;
use crate::puzzle::Puzzle;
use crate::puzzle::colour::Colour;
use crate::puzzle::grid::{Side, Turn};
use crate::solve::graph::{Edges, Graph};
use crate::words::plural;

/// The opposite pairs of each cubie, which of them each sub-graph takes, and how many sub-graphs there are.
pub fn text(puzzle: &Puzzle, graph: &Graph) -> String {
    let names: Vec<String> = graph.cubies.iter().map(|cubie| printable(&puzzle.piece(cubie.piece).name)).collect();
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max(5);
    let title = |part: usize| graph.sides[part].map(Side::name).join("-");
    let titles = [title(0), title(1), "hidden".to_owned()];
    let mut text = String::from(
        "The graph method: a vertex for each colour, an edge for each two colours on opposite faces, named after its\n\
         cube. A sub-graph with one edge of each cube and at most two ends at each colour is what two opposite sides\n\
         show; the other two sides are another such sub-graph that shares no edge with it.\n\n",
    );
    let _ = writeln!(
        text,
        "  {:width$}  {}",
        "cube",
        titles.each_ref().map(|title| format!("{title:12}")).concat().trim_end()
    );
    for (name, cubie) in names.iter().zip(&graph.cubies) {
        let pair = |ends: &[Option<String>; 2]| format!("{:12}", ends.each_ref().map(symbol).join("-"));
        let _ = writeln!(text, "  {name:width$}  {}", cubie.ends.each_ref().map(pair).concat().trim_end());
    }
    if let (Some(subgraphs), Some(pairs)) = (graph.subgraphs, graph.pairs) {
        let verb = if pairs == 1 { "pair of them shares" } else { "pairs of them share" };
        let _ = writeln!(text, "\n{} in all; {pairs} {verb} no edge.", plural(subgraphs, "such sub-graph"));
    }
    let named: Vec<String> = (puzzle.rules.palette.iter())
        .filter(|paint| paint.symbol != paint.name)
        .map(|paint| format!("{} {}", paint.symbol, printable(&paint.name)))
        .collect();
    if !named.is_empty() {
        let _ = writeln!(text, "Colours: {}.", named.join(", "));
    }
    text
}

/// All edges, then the two sub-graphs, side by side.
pub fn drawing(puzzle: &Puzzle, graph: &Graph) -> Drawing {
    let symbols = symbols(puzzle, graph);
    let title = |part: usize| format!("{} and {}", graph.sides[part][0].name(), graph.sides[part][1].name());
    let panels = [("all opposite pairs".to_owned(), vec![0, 1, 2]), (title(0), vec![0]), (title(1), vec![1])];
    let mut items = Vec::new();
    for (number, (title, parts)) in panels.iter().enumerate() {
        let middle = [PANEL * (number as f64 + 0.5), PANEL / 2.0];
        let panel = Panel { puzzle, middle, symbols: &symbols };
        items.extend(panel.edges(graph, parts));
        items.extend(panel.vertices());
        items.extend(label(title, TITLE, [middle[0], PANEL + 2.0], Colour::INK, PAPER));
    }
    let font = Font::built_in();
    Drawing {
        title: format!("{}: the graph method", puzzle.name),
        size: [3.0 * PANEL, PANEL + 8.0],
        items,
        fonts: Fonts { marks: font.clone(), labels: font },
    }
}

/// Sizes in millimetres: of a graph, of the circle of its vertices, of a vertex, of its symbol, of the name of an edge and
/// the disc that it stands on, of titles, and of lines.
const PANEL: f64 = 80.0;
const CIRCLE: f64 = 26.0;
const VERTEX: f64 = 6.0;
const SYMBOL: f64 = 7.5;
const NAME: f64 = 4.2;
const TITLE: f64 = 5.0;
const LINE: f64 = 0.7;

/// One graph.
struct Panel<'a> {
    puzzle: &'a Puzzle,
    middle: Point,
    symbols: &'a [(String, Option<Colour>)],
}

impl Panel<'_> {
    /// Where a vertex stands: the first at the top left, then clockwise.
    fn at(&self, vertex: usize) -> Point {
        let angle = TAU * (vertex as f64 + 0.5) / self.symbols.len() as f64 - PI;
        let [dx, dy] = [angle.cos(), angle.sin()];
        [self.middle[0] + CIRCLE * dx, self.middle[1] + CIRCLE * dy]
    }

    fn vertices(&self) -> Vec<Item> {
        let draw = |(vertex, (symbol, paint)): (usize, &(String, Option<Colour>))| {
            let (at, colour) = (self.at(vertex), paint.unwrap_or(PAPER));
            let discs = [disc(at, VERTEX + LINE / 2.0, Colour::INK), disc(at, VERTEX, colour)];
            discs.into_iter().chain(label(symbol, SYMBOL, at, colour.ink(), colour)).collect::<Vec<_>>()
        };
        self.symbols.iter().enumerate().flat_map(draw).collect()
    }

    /// The edges of these parts; those between the same two vertices bend apart.
    fn edges(&self, graph: &Graph, parts: &[usize]) -> Vec<Item> {
        let mut between: BTreeMap<[usize; 2], Vec<&Edges>> = BTreeMap::new();
        for (cubie, &part) in graph.cubies.iter().flat_map(|cubie| parts.iter().map(move |part| (cubie, part))) {
            let vertex =
                |end: &Option<String>| self.symbols.iter().position(|(symbol, _)| Some(symbol) == end.as_ref());
            if let [Some(a), Some(b)] = cubie.ends[part].each_ref().map(vertex) {
                between.entry([a.min(b), a.max(b)]).or_default().push(cubie);
            }
        }
        let mut lines = Vec::new();
        let mut names = Vec::new();
        for ([a, b], cubies) in between {
            for (number, cubie) in cubies.iter().enumerate() {
                let off = number as f64 - (cubies.len() - 1) as f64 / 2.0;
                let curve = if a == b { self.ring(a, number) } else { self.bent(self.at(a), self.at(b), off) };
                let middle = if a == b { curve[curve.len() / 2] } else { curve[3 * curve.len() / 10] };
                lines.extend(curve.windows(2).map(|ends| bar(ends[0], ends[1])));
                names.push(disc(middle, 0.65 * NAME, PAPER));
                let name = &self.puzzle.piece(cubie.piece).name;
                names.extend(label(name, NAME, middle, Colour::INK, PAPER));
            }
        }
        lines.into_iter().chain(names).collect()
    }

    /// A curve from one vertex to another, bent to the side by so many steps.
    fn bent(&self, from: Point, to: Point, off: f64) -> Vec<Point> {
        let across = [to[0] - from[0], to[1] - from[1]];
        let length = across[0].hypot(across[1]);
        let bend = 17.0 * off / length;
        let control = [(from[0] + to[0]) / 2.0 - bend * across[1], (from[1] + to[1]) / 2.0 + bend * across[0]];
        let point = |k: i32| {
            let (t, mix) = (f64::from(k) / 40.0, |a: f64, b: f64, t: f64| a + t * (b - a));
            let at = |axis: usize| mix(mix(from[axis], control[axis], t), mix(control[axis], to[axis], t), t);
            [at(0), at(1)]
        };
        (0..=40).map(point).collect()
    }

    /// A loop at a vertex, outside the circle; each next one is larger.
    fn ring(&self, vertex: usize, number: usize) -> Vec<Point> {
        let (at, radius) = (self.at(vertex), VERTEX + 2.2 * number as f64);
        let out = [(at[0] - self.middle[0]) / CIRCLE, (at[1] - self.middle[1]) / CIRCLE];
        let away = VERTEX / 2.0 + radius;
        let centre = [at[0] + away * out[0], at[1] + away * out[1]];
        let start = f64::atan2(-out[1], -out[0]);
        let point = |k: i32| {
            let angle = start + TAU * f64::from(k) / 40.0;
            [centre[0] + radius * angle.cos(), centre[1] + radius * angle.sin()]
        };
        (0..=40).map(point).collect()
    }
}

/// The symbols of the graph with their colours: those of the palette that occur, then others.
fn symbols(puzzle: &Puzzle, graph: &Graph) -> Vec<(String, Option<Colour>)> {
    let mut found: Vec<&String> = graph.cubies.iter().flat_map(|cubie| cubie.ends.iter().flatten().flatten()).collect();
    let palette = &puzzle.rules.palette;
    let place = |symbol: &String| palette.iter().position(|paint| paint.symbol == *symbol).unwrap_or(palette.len());
    found.sort_unstable_by_key(|&symbol| (place(symbol), symbol));
    found.dedup();
    let colour = |symbol: &String| palette.iter().find(|paint| paint.symbol == *symbol).map(|paint| paint.colour);
    found.into_iter().map(|symbol| (symbol.clone(), colour(symbol))).collect()
}

fn symbol(end: &Option<String>) -> &str {
    end.as_deref().unwrap_or(".")
}

fn disc(centre: Point, radius: f64, colour: Colour) -> Item {
    let corner = |k: i32| {
        let angle = TAU * f64::from(k) / 48.0;
        [centre[0] + radius * angle.cos(), centre[1] + radius * angle.sin()]
    };
    Item::Fill { points: (0..48).map(corner).collect(), colour }
}

/// A thick straight line.
fn bar(from: Point, to: Point) -> Item {
    let along = [to[0] - from[0], to[1] - from[1]];
    let half = LINE / 2.0 / along[0].hypot(along[1]);
    let side = |point: Point, sign: f64| [point[0] - sign * half * along[1], point[1] + sign * half * along[0]];
    Item::Fill { points: vec![side(from, 1.0), side(to, 1.0), side(to, -1.0), side(from, -1.0)], colour: Colour::INK }
}

/// A text around a point; nothing where the font has no ink for it.
fn label(text: &str, em: f64, centre: Point, colour: Colour, on: Colour) -> Option<Item> {
    Font::built_in().outline(text).ok()?;
    Some(Item::Text { text: text.to_owned(), face: Face::Labels, centre, em, turn: Turn::Upright, colour, on })
}
