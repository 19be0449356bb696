//! Outlines in the plane: which contour lies in which, areas, crossings, and how thin strokes and gaps are.
//!
//! The direction of a contour in a font says nothing: depth comes from containment. Units are those of the contours.

use super::brep::{bezier, chords};
use crate::glyph::Segment;

/// A contour and those directly inside it. At even depth the inside is ink, at odd depth it is not.
#[derive(Clone, Debug, PartialEq)]
pub struct Nest {
    /// Counter-clockwise.
    pub contour: Vec<Segment>,
    /// Contours inside this one and no other.
    pub inner: Vec<Nest>,
}

/// The thinnest places of an outline; infinite where there is none.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Thinnest {
    /// Of the ink.
    pub stroke: f64,
    /// Of the space within and between the ink.
    pub gap: f64,
}

/// Two contours, or two parts of one, cross or touch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Crossing;

/// Chords of a contour, closed: the last point is joined to the first.
type Polygon = Vec<[f64; 2]>;

/// Sorts contours into each other. Curves are judged by chords within `tolerance`.
pub fn nest(contours: &[Vec<Segment>], tolerance: f64) -> Result<Vec<Nest>, Crossing> {
    let polygons: Vec<Polygon> = contours.iter().map(|contour| flatten(contour, tolerance)).collect();
    if crosses(&polygons) {
        return Err(Crossing);
    }
    // From the largest to the smallest, each goes into the deepest one that holds it.
    let mut order: Vec<usize> = (0..contours.len()).collect();
    let size = |i: usize| signed_area(&contours[i]).abs();
    order.sort_by(|&a, &b| size(b).total_cmp(&size(a)).then(a.cmp(&b)));
    let mut nests: Vec<(usize, Nest)> = Vec::new();
    let mut parents: Vec<Option<usize>> = vec![None; contours.len()];
    for (place, &i) in order.iter().enumerate() {
        let holds = |&&j: &&usize| contains(&polygons[j], polygons[i][0]);
        parents[i] = order[..place].iter().rev().find(holds).copied();
    }
    for &i in order.iter().rev() {
        let own: Vec<Nest> = take(&mut nests, |child| parents[child] == Some(i));
        nests.push((i, Nest { contour: counter_clockwise(&contours[i]), inner: own }));
    }
    Ok(take(&mut nests, |_| true))
}

/// Removes the nests of the contours that `wanted` names, and gives them in the order of the font.
fn take(nests: &mut Vec<(usize, Nest)>, wanted: impl Fn(usize) -> bool) -> Vec<Nest> {
    let (mut taken, left): (Vec<_>, Vec<_>) = nests.drain(..).partition(|(i, _)| wanted(*i));
    *nests = left;
    taken.sort_by_key(|(i, _)| *i);
    taken.into_iter().map(|(_, nest)| nest).collect()
}

/// The area inside a contour: positive when it runs counter-clockwise. Exact.
pub fn signed_area(contour: &[Segment]) -> f64 {
    let cross = |a: [f64; 2], b: [f64; 2]| a[0] * b[1] - a[1] * b[0];
    let area = |segment: &Segment| match *segment {
        Segment::Line([a, b]) => cross(a, b) / 2.0,
        Segment::Quadratic([a, b, c]) => (2.0 * cross(a, b) + cross(a, c) + 2.0 * cross(b, c)) / 6.0,
        Segment::Cubic([a, b, c, d]) => {
            let ends = 6.0 * cross(a, b) + 3.0 * cross(a, c) + cross(a, d);
            (ends + 3.0 * cross(b, c) + 3.0 * cross(b, d) + 6.0 * cross(c, d)) / 20.0
        }
    };
    contour.iter().map(area).sum()
}

/// The least and the greatest coordinates, by chords within `tolerance`.
pub fn bounds(contours: &[Vec<Segment>], tolerance: f64) -> [[f64; 2]; 2] {
    around(contours.iter().flat_map(|contour| flatten(contour, tolerance)))
}

fn around(points: impl Iterator<Item = [f64; 2]>) -> [[f64; 2]; 2] {
    points.fold([[f64::INFINITY; 2], [f64::NEG_INFINITY; 2]], |[low, high], point| {
        [std::array::from_fn(|k| low[k].min(point[k])), std::array::from_fn(|k| high[k].max(point[k]))]
    })
}

/// Every point of a segment replaced.
pub fn map(segment: &Segment, to: impl Fn([f64; 2]) -> [f64; 2]) -> Segment {
    match *segment {
        Segment::Line(points) => Segment::Line(points.map(to)),
        Segment::Quadratic(points) => Segment::Quadratic(points.map(to)),
        Segment::Cubic(points) => Segment::Cubic(points.map(to)),
    }
}

fn counter_clockwise(contour: &[Segment]) -> Vec<Segment> {
    if signed_area(contour) > 0.0 {
        return contour.to_vec();
    }
    let reversed = |segment: &Segment| match *segment {
        Segment::Line([a, b]) => Segment::Line([b, a]),
        Segment::Quadratic([a, b, c]) => Segment::Quadratic([c, b, a]),
        Segment::Cubic([a, b, c, d]) => Segment::Cubic([d, c, b, a]),
    };
    contour.iter().rev().map(reversed).collect()
}

fn flatten(contour: &[Segment], tolerance: f64) -> Polygon {
    let of_segment = |segment: &Segment| {
        let points = segment.points().to_vec();
        let n = chords(&points, tolerance);
        (0..n).map(move |i| bezier(&points, i as f64 / n as f64)).collect::<Vec<_>>()
    };
    contour.iter().flat_map(of_segment).collect()
}

fn contains(polygon: &Polygon, [x, y]: [f64; 2]) -> bool {
    let sides = (0..polygon.len()).map(|i| [polygon[i], polygon[(i + 1) % polygon.len()]]);
    let is_left =
        |[a, b]: &[[f64; 2]; 2]| (a[1] > y) != (b[1] > y) && x < a[0] + (y - a[1]) / (b[1] - a[1]) * (b[0] - a[0]);
    sides.filter(is_left).count() % 2 == 1
}

/// One chord of an outline.
#[derive(Clone, Copy)]
struct Chord {
    contour: usize,
    number: usize,
    count: usize,
    ends: [[f64; 2]; 2],
    /// How far along its contour it starts, and how long the contour is.
    along: f64,
    whole: f64,
}

impl Chord {
    fn is_next_to(&self, other: &Chord) -> bool {
        let step = self.number.abs_diff(other.number);
        self.contour == other.contour && (step <= 1 || step == self.count - 1)
    }

    fn length(&self) -> f64 {
        distance(self.ends[0], self.ends[1])
    }
}

fn all_chords(polygons: &[Polygon]) -> Vec<Chord> {
    let mut all = Vec::new();
    for (contour, polygon) in polygons.iter().enumerate() {
        let count = polygon.len();
        let side = |i: usize| [polygon[i], polygon[(i + 1) % count]];
        let whole = (0..count).map(|i| distance(side(i)[0], side(i)[1])).sum();
        let mut along = 0.0;
        for number in 0..count {
            all.push(Chord { contour, number, count, ends: side(number), along, whole });
            along += distance(side(number)[0], side(number)[1]);
        }
    }
    all
}

fn crosses(polygons: &[Polygon]) -> bool {
    let mut all = all_chords(polygons);
    let low = |c: &Chord| c.ends[0][0].min(c.ends[1][0]);
    let high = |c: &Chord| c.ends[0][0].max(c.ends[1][0]);
    all.sort_by(|a, b| low(a).total_cmp(&low(b)));
    all.iter().enumerate().any(|(i, a)| {
        all[i + 1..]
            .iter()
            .take_while(|b| low(b) <= high(a))
            .any(|b| if a.is_next_to(b) { folds_back(a, b) } else { touch(a.ends, b.ends) })
    })
}

fn side_of([a, b]: [[f64; 2]; 2], p: [f64; 2]) -> f64 {
    (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])
}

fn touch(a: [[f64; 2]; 2], b: [[f64; 2]; 2]) -> bool {
    let overlap = |k: usize| {
        let [p, q] = [a, b].map(|s| [s[0][k].min(s[1][k]), s[0][k].max(s[1][k])]);
        p[0] <= q[1] && q[0] <= p[1]
    };
    let parted = |s: [[f64; 2]; 2], t: [[f64; 2]; 2]| side_of(s, t[0]) * side_of(s, t[1]) > 0.0;
    overlap(0) && overlap(1) && !parted(a, b) && !parted(b, a)
}

/// Whether two neighbours run over each other.
fn folds_back(a: &Chord, b: &Chord) -> bool {
    let way = |c: &Chord| [c.ends[1][0] - c.ends[0][0], c.ends[1][1] - c.ends[0][1]];
    let (a, b) = (way(a), way(b));
    let (cross, along) = (a[0] * b[1] - a[1] * b[0], dot(a, b));
    along < 0.0 && cross.abs() <= 1e-9 * along.abs()
}

/// Measures an outline: from points along it straight across to the chord opposite, where that runs within 30 degrees
/// of parallel. A hit round a corner nearby is the corner, not a stroke. A space that a contour encloses is as wide as the
/// narrower side of its box, and a notch is no gap: where it closes it may fill without harm.
pub fn thinnest(nests: &[Nest], tolerance: f64) -> Thinnest {
    let mut polygons = Vec::new();
    let mut inks = Vec::new();
    collect(nests, true, tolerance, &mut polygons, &mut inks);
    let all = all_chords(&polygons);
    let mut thinnest = Thinnest { stroke: f64::INFINITY, gap: f64::INFINITY };
    for (counter, _) in polygons.iter().zip(&inks).filter(|(_, ink)| !**ink) {
        let [low, high] = around(counter.iter().copied());
        thinnest.gap = thinnest.gap.min(high[0] - low[0]).min(high[1] - low[1]);
    }
    for chord in &all {
        let length = chord.length();
        let way = unit(chord.ends);
        let samples = (length / (50.0 * tolerance)).ceil().clamp(1.0, 50.0) as usize;
        for (sample, left) in (0..samples).flat_map(|sample| [(sample, true), (sample, false)]) {
            let t = (sample as f64 + 0.5) / samples as f64;
            let from = std::array::from_fn(|k| chord.ends[0][k] + t * (chord.ends[1][k] - chord.ends[0][k]));
            let ray = if left { [-way[1], way[0]] } else { [way[1], -way[0]] };
            let Some(hit) = nearest(&all, chord, from, ray) else { continue };
            let is_ink = left == inks[chord.contour];
            let is_parallel = dot(way, unit(hit.chord.ends)).abs() > 0.866;
            let path = (chord.along + t * length - hit.along).abs();
            let is_same = hit.chord.contour == chord.contour;
            let is_corner = is_same && path.min(chord.whole - path) < 4.0 * hit.distance;
            if is_parallel && is_ink && !is_corner {
                thinnest.stroke = thinnest.stroke.min(hit.distance);
            } else if is_parallel && !is_ink && !is_same {
                thinnest.gap = thinnest.gap.min(hit.distance);
            }
        }
    }
    thinnest
}

fn collect(nests: &[Nest], ink: bool, tolerance: f64, polygons: &mut Vec<Polygon>, inks: &mut Vec<bool>) {
    for nest in nests {
        polygons.push(flatten(&nest.contour, tolerance));
        inks.push(ink);
        collect(&nest.inner, !ink, tolerance, polygons, inks);
    }
}

/// What a ray meets first.
struct Hit<'a> {
    chord: &'a Chord,
    distance: f64,
    /// How far along its contour.
    along: f64,
}

fn nearest<'a>(all: &'a [Chord], own: &Chord, from: [f64; 2], ray: [f64; 2]) -> Option<Hit<'a>> {
    let mut best: Option<Hit<'a>> = None;
    for chord in all.iter().filter(|chord| (chord.contour, chord.number) != (own.contour, own.number)) {
        let [a, b] = chord.ends.map(|p| [p[0] - from[0], p[1] - from[1]]);
        let [u, v] = [a, b].map(|p| ray[0] * p[1] - ray[1] * p[0]);
        if (u > 0.0) == (v > 0.0) {
            continue;
        }
        let share = u / (u - v);
        let distance = dot(ray, std::array::from_fn(|k| a[k] + share * (b[k] - a[k])));
        if distance > 0.0 && best.as_ref().is_none_or(|hit| distance < hit.distance) {
            best = Some(Hit { chord, distance, along: chord.along + share * chord.length() });
        }
    }
    best
}

fn unit([a, b]: [[f64; 2]; 2]) -> [f64; 2] {
    let length = distance(a, b);
    [(b[0] - a[0]) / length, (b[1] - a[1]) / length]
}

fn dot(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

fn distance(a: [f64; 2], b: [f64; 2]) -> f64 {
    (b[0] - a[0]).hypot(b[1] - a[1])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rectangle(low: [f64; 2], high: [f64; 2]) -> Vec<Segment> {
        let corners = [low, [high[0], low[1]], high, [low[0], high[1]]];
        (0..4).map(|i| Segment::Line([corners[i], corners[(i + 1) % 4]])).collect()
    }

    fn reversed(contour: &[Segment]) -> Vec<Segment> {
        contour.iter().rev().map(|s| Segment::Line([s.points()[1], s.points()[0]])).collect()
    }

    #[test]
    fn contours_nest_by_containment_whatever_their_direction() {
        let rings = [10.0, 8.0, 6.0, 2.0].map(|half| rectangle([-half, -half], [half, half]));
        let beside = rectangle([6.5, -1.0], [7.5, 1.0]);
        let contours = [rings[2].clone(), reversed(&rings[0]), beside, reversed(&rings[3]), rings[1].clone()];
        let nests = nest(&contours, 0.01).expect("no crossing");
        let depth = |nests: &[Nest]| nests.iter().map(|n| (signed_area(&n.contour), n.inner.len())).collect::<Vec<_>>();
        assert_eq!(depth(&nests), [(400.0, 1)]);
        assert_eq!(depth(&nests[0].inner), [(256.0, 2)]);
        assert_eq!(depth(&nests[0].inner[0].inner), [(144.0, 1), (2.0, 0)]);
        assert_eq!(depth(&nests[0].inner[0].inner[0].inner), [(16.0, 0)]);
    }

    #[test]
    fn outlines_that_cross_or_touch_are_found() {
        let square = rectangle([0.0, 0.0], [2.0, 2.0]);
        let bow = [[0.0, 0.0], [2.0, 2.0], [2.0, 0.0], [0.0, 2.0]];
        let bow: Vec<Segment> = (0..4).map(|i| Segment::Line([bow[i], bow[(i + 1) % 4]])).collect();
        let spike = [[0.0, 0.0], [2.0, 0.0], [1.0, 0.0], [1.0, 2.0]];
        let spike: Vec<Segment> = (0..4).map(|i| Segment::Line([spike[i], spike[(i + 1) % 4]])).collect();
        for contours in [
            vec![bow],
            vec![spike],
            vec![square.clone(), square.clone()],
            vec![square.clone(), rectangle([2.0, 2.0], [3.0, 3.0])],
            vec![square.clone(), rectangle([1.0, 1.0], [3.0, 3.0])],
            vec![square.clone(), rectangle([1.0, 0.5], [2.0, 1.5])],
        ] {
            assert_eq!(nest(&contours, 0.01), Err(Crossing), "{contours:?}");
        }
        assert!(nest(&[square, rectangle([0.5, 0.5], [1.0, 1.0])], 0.01).is_ok());
    }

    #[test]
    fn the_thinnest_stroke_and_gap_are_measured() {
        // A frame with walls 2, 3, 4 and 5 wide, and a bar 1.5 to its right.
        let frame = [rectangle([0.0, 0.0], [20.0, 20.0]), rectangle([2.0, 3.0], [16.0, 15.0])];
        let bar = rectangle([21.5, 0.0], [25.0, 20.0]);
        let nests = nest(&[frame[0].clone(), frame[1].clone(), bar], 0.01).expect("no crossing");
        let Thinnest { stroke, gap } = thinnest(&nests, 0.01);
        assert!((stroke - 2.0).abs() < 1e-9 && (gap - 1.5).abs() < 1e-9, "{stroke} {gap}");
        let wedge = [[0.0, 0.0], [10.0, 0.0], [0.0, 6.0]];
        let wedge: Vec<Segment> = (0..3).map(|i| Segment::Line([wedge[i], wedge[(i + 1) % 3]])).collect();
        let alone = thinnest(&nest(&[wedge], 0.01).expect("no crossing"), 0.01);
        assert!(alone.stroke.is_infinite() && alone.gap.is_infinite(), "the corners of a triangle are no strokes");
    }

    #[test]
    fn areas_of_curves_are_exact() {
        // The parabola y = 1 - x^2 from (1, 0) to (-1, 0) over its chord: 4/3.
        let cap = [Segment::Quadratic([[1.0, 0.0], [0.0, 2.0], [-1.0, 0.0]]), Segment::Line([[-1.0, 0.0], [1.0, 0.0]])];
        assert!((signed_area(&cap) - 4.0 / 3.0).abs() < 1e-12);
        let cubic = Segment::Cubic([[1.0, 0.0], [1.0 / 3.0, 4.0 / 3.0], [-1.0 / 3.0, 4.0 / 3.0], [-1.0, 0.0]]);
        assert!((signed_area(&[cubic, cap[1]]) - 4.0 / 3.0).abs() < 1e-12);
    }
}
