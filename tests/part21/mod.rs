//! A small reader of STEP text that shares nothing with the writer: it knows the syntax, and how shapes are bounded.

use std::collections::BTreeMap;

/// One attribute of an entity.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    /// `#12`
    Reference(u32),
    /// `'...'`, still escaped
    Text(String),
    /// `1.5`
    Real(f64),
    /// `3`
    Integer(i64),
    /// `.T.`
    Word(String),
    /// `(...)`
    List(Vec<Value>),
    /// `KEYWORD(...)`: a typed value, or one leaf of a complex entity
    Typed(String, Vec<Value>),
    /// `*`
    Derived,
    /// `$`
    Unset,
}

impl Value {
    pub(crate) fn reference(&self) -> u32 {
        match self {
            Value::Reference(id) => *id,
            other => panic!("{other:?} is no reference"),
        }
    }

    pub(crate) fn list(&self) -> &[Value] {
        match self {
            Value::List(items) => items,
            other => panic!("{other:?} is no list"),
        }
    }

    pub(crate) fn text(&self) -> &str {
        match self {
            Value::Text(text) => text,
            other => panic!("{other:?} is no text"),
        }
    }

    pub(crate) fn real(&self) -> f64 {
        match self {
            Value::Real(value) => *value,
            other => panic!("{other:?} is no real"),
        }
    }

    /// `.T.` or `.F.`.
    pub(crate) fn is_true(&self) -> bool {
        match self {
            Value::Word(word) if word == "T" => true,
            Value::Word(word) if word == "F" => false,
            other => panic!("{other:?} is no truth"),
        }
    }

    fn references(&self, into: &mut Vec<u32>) {
        match self {
            Value::Reference(id) => into.push(*id),
            Value::List(items) | Value::Typed(_, items) => items.iter().for_each(|item| item.references(into)),
            _ => {}
        }
    }
}

/// The entities of the data section: keyword and attributes. A complex entity has the keyword `&`.
pub(crate) struct File {
    pub(crate) header: String,
    pub(crate) entities: BTreeMap<u32, (String, Vec<Value>)>,
}

impl File {
    /// Reads the bytes; panics, saying where, on anything that is not the syntax.
    pub(crate) fn read(bytes: &[u8]) -> File {
        assert!(bytes.iter().all(|&b| b == b'\n' || (b' '..=b'~').contains(&b)), "only printable ASCII");
        let text = std::str::from_utf8(bytes).expect("ASCII");
        let text = text.strip_prefix("ISO-10303-21;\nHEADER;\n").expect("the first two lines");
        let (header, text) = text.split_once("ENDSEC;\nDATA;\n").expect("a data section");
        let data = text.strip_suffix("ENDSEC;\nEND-ISO-10303-21;\n").expect("the last two lines");
        let mut entities = BTreeMap::new();
        let mut parser = Parser { rest: data };
        while !parser.rest.is_empty() {
            let Value::Reference(id) = parser.value() else { panic!("an entity begins with its number") };
            parser.expect('=');
            let entity = match parser.value() {
                Value::Typed(keyword, attributes) => (keyword, attributes),
                Value::List(leaves) => ("&".to_owned(), leaves),
                other => panic!("#{id} is {other:?}"),
            };
            parser.expect(';');
            parser.expect('\n');
            let mut references = Vec::new();
            entity.1.iter().for_each(|value| value.references(&mut references));
            for reference in references {
                assert!(entities.contains_key(&reference), "#{id} refers to #{reference}, which is not above it");
            }
            assert!(entities.insert(id, entity).is_none(), "#{id} is there twice");
        }
        File { header: header.to_owned(), entities }
    }

    /// The attributes of an entity, which must have this keyword.
    pub(crate) fn get(&self, id: u32, keyword: &str) -> &[Value] {
        let (found, attributes) = &self.entities[&id];
        assert_eq!(found, keyword, "#{id}");
        attributes
    }

    /// The numbers of all entities of this keyword.
    pub(crate) fn all(&self, keyword: &str) -> Vec<u32> {
        self.entities.iter().filter(|(_, entity)| entity.0 == keyword).map(|(&id, _)| id).collect()
    }

    /// How many entities have this keyword.
    pub(crate) fn count(&self, keyword: &str) -> usize {
        self.all(keyword).len()
    }

    /// The coordinates of a CARTESIAN_POINT or DIRECTION.
    pub(crate) fn triple(&self, id: u32) -> [f64; 3] {
        let (keyword, attributes) = &self.entities[&id];
        assert!(keyword == "CARTESIAN_POINT" || keyword == "DIRECTION", "#{id} is {keyword}");
        let numbers: Vec<f64> = attributes[1].list().iter().map(Value::real).collect();
        numbers.try_into().expect("three coordinates")
    }

    /// The points of an edge from its start to its end: the ends of a line, or the control points of a curve.
    pub(crate) fn edge_points(&self, edge: u32) -> Vec<[f64; 3]> {
        let edge = self.get(edge, "EDGE_CURVE");
        let end = |k: usize| self.triple(self.get(edge[k].reference(), "VERTEX_POINT")[1].reference());
        assert!(edge[4].is_true());
        let (keyword, curve) = &self.entities[&edge[3].reference()];
        match keyword.as_str() {
            "LINE" => {
                let (from, to) = (end(1), end(2));
                let vector = self.get(curve[2].reference(), "VECTOR");
                let off = cross(minus(to, from), self.triple(vector[1].reference()));
                assert_eq!(self.triple(curve[1].reference()), from);
                assert!(dot(off, off).sqrt() < 1e-9, "the end of a line is off the line by {off:?}");
                vec![from, to]
            }
            "B_SPLINE_CURVE_WITH_KNOTS" => {
                let points: Vec<_> = curve[2].list().iter().map(|p| self.triple(p.reference())).collect();
                assert_eq!(curve[1], Value::Integer(points.len() as i64 - 1));
                assert_eq!((points[0], points[points.len() - 1]), (end(1), end(2)));
                points
            }
            other => panic!("an edge on {other}"),
        }
    }

    /// The edges of a face: one list a bound, the outer one first, each edge with its sense.
    pub(crate) fn bounds(&self, face: u32) -> Vec<Vec<(u32, bool)>> {
        let bounds = self.get(face, "ADVANCED_FACE")[1].list();
        let bound = |(i, bound): (usize, &Value)| {
            let bound = self.get(bound.reference(), if i == 0 { "FACE_OUTER_BOUND" } else { "FACE_BOUND" });
            assert!(bound[2].is_true());
            let uses = self.get(bound[1].reference(), "EDGE_LOOP")[1].list();
            let oriented = |u: &Value| {
                let oriented = self.get(u.reference(), "ORIENTED_EDGE");
                (oriented[3].reference(), oriented[4].is_true())
            };
            uses.iter().map(oriented).collect()
        };
        bounds.iter().enumerate().map(bound).collect()
    }

    /// Panics unless every bound is a closed path and the shell uses each of its edges once in each sense. Gives the
    /// numbers of faces, edges and vertices.
    pub(crate) fn check_shell(&self, shell: u32) -> [usize; 3] {
        let mut uses: BTreeMap<u32, [usize; 2]> = BTreeMap::new();
        let faces = self.get(shell, "CLOSED_SHELL")[1].list();
        for face in faces {
            for bound in self.bounds(face.reference()) {
                let ends = |(edge, forward): (u32, bool)| {
                    let edge = self.get(edge, "EDGE_CURVE");
                    let (from, to) = (edge[1].reference(), edge[2].reference());
                    if forward { (from, to) } else { (to, from) }
                };
                for (i, &next) in bound.iter().enumerate() {
                    let before = bound[(i + bound.len() - 1) % bound.len()];
                    assert_eq!(ends(before).1, ends(next).0, "a bound of {face:?} has a gap");
                    uses.entry(next.0).or_default()[usize::from(next.1)] += 1;
                }
            }
        }
        assert!(uses.values().all(|count| *count == [1, 1]), "each edge once forward and once back");
        let vertices: std::collections::BTreeSet<u32> = uses
            .keys()
            .flat_map(|&edge| {
                let edge = self.get(edge, "EDGE_CURVE");
                [edge[1].reference(), edge[2].reference()]
            })
            .collect();
        [faces.len(), uses.len(), vertices.len()]
    }

    /// The volume that the shell encloses, from the flux of the field (0, 0, z): exact, curves too. Panics unless every
    /// surface looks the way that its bounds say and every bound lies on it.
    ///
    /// Walls of curves must stand upright or lie flat on the side, which those of a piece of cubes do: through the first
    /// there is no flux, and the second are summed over their rulings.
    pub(crate) fn volume(&self, shell: u32) -> f64 {
        self.get(shell, "CLOSED_SHELL")[1].list().iter().map(|face| self.flux(face.reference())).sum()
    }

    fn flux(&self, face: u32) -> f64 {
        let attributes = self.get(face, "ADVANCED_FACE");
        let sign = if attributes[3].is_true() { 1.0 } else { -1.0 };
        let paths: Vec<Vec<[f64; 3]>> = self
            .bounds(face)
            .concat()
            .iter()
            .map(|&(edge, forward)| {
                let mut points = self.edge_points(edge);
                if !forward {
                    points.reverse();
                }
                points
            })
            .collect();
        let around = |integrand: &dyn Fn([f64; 3], [f64; 3]) -> f64| {
            paths.iter().map(|path| integral(path, integrand)).sum::<f64>()
        };
        let area = [0, 1, 2].map(|k| around(&|p, d| cross(minus(p, paths[0][0]), d)[k] / 2.0));
        let (keyword, surface) = &self.entities[&attributes[2].reference()];
        match keyword.as_str() {
            "PLANE" => {
                let axes = self.get(surface[1].reference(), "AXIS2_PLACEMENT_3D");
                let (origin, normal) = (self.triple(axes[1].reference()), self.triple(axes[2].reference()));
                let off = paths.iter().flatten().map(|&p| dot(minus(p, origin), normal).abs()).fold(0.0, f64::max);
                assert!(off < 1e-9, "a bound of #{face} is off its plane by {off}");
                assert!(dot(area, normal) * sign > 0.999_999 * dot(area, area).sqrt(), "#{face} looks the wrong way");
                // Over the triangle from the origin: its area towards z, times its mean z.
                around(&|p, d| cross(minus(p, origin), d)[2] / 2.0 * (origin[2] + 2.0 * (p[2] - origin[2]) / 3.0))
            }
            "SURFACE_OF_LINEAR_EXTRUSION" => {
                let curve = surface[1].reference();
                let along = self.triple(self.get(surface[2].reference(), "VECTOR")[1].reference());
                let edges = self.bounds(face).concat();
                let swept = edges.iter().find(|(edge, _)| self.get(*edge, "EDGE_CURVE")[3].reference() == curve);
                let points = self.edge_points(swept.expect("a wall on the curve of one of its own edges").0);
                let normal = cross(bezier(&points, 0.5).1, along);
                assert!(dot(area, normal) * sign > 0.0, "#{face} looks the wrong way");
                let other = paths.iter().filter(|path| path.len() == points.len() && path.len() > 2);
                assert_eq!(other.count(), 2, "a wall between two copies of a curve");
                let height =
                    paths.iter().filter(|path| path.len() == 2).map(|path| dot(minus(path[1], path[0]), along).abs());
                let height = height.fold(0.0, f64::max);
                sign * height * integral(&points, &|p, d| p[2] * cross(d, along)[2]) // rulings lie flat: z is that of the curve
            }
            other => panic!("a face on {other}"),
        }
    }
}

/// The integral of a polynomial in point and derivative along a Bezier curve of degree 1 to 3, exact to degree 9.
fn integral(points: &[[f64; 3]], of: &dyn Fn([f64; 3], [f64; 3]) -> f64) -> f64 {
    // Gauss and Legendre's five nodes.
    let (inner, outer) =
        ((5.0 - 2.0 * (10.0_f64 / 7.0).sqrt()).sqrt() / 3.0, (5.0 + 2.0 * (10.0_f64 / 7.0).sqrt()).sqrt() / 3.0);
    let (light, heavy) = ((322.0 - 13.0 * 70.0_f64.sqrt()) / 900.0, (322.0 + 13.0 * 70.0_f64.sqrt()) / 900.0);
    let nodes = [(0.0, 128.0 / 225.0), (inner, heavy), (-inner, heavy), (outer, light), (-outer, light)];
    nodes
        .iter()
        .map(|&(node, weight)| {
            let (point, derivative) = bezier(points, (node + 1.0) / 2.0);
            weight / 2.0 * of(point, derivative)
        })
        .sum()
}

/// Point and derivative by de Casteljau.
fn bezier(points: &[[f64; 3]], t: f64) -> ([f64; 3], [f64; 3]) {
    let mut row = points.to_vec();
    let degree = row.len() - 1;
    while row.len() > 2 {
        row = row.windows(2).map(|w| std::array::from_fn(|k| w[0][k] * (1.0 - t) + w[1][k] * t)).collect();
    }
    let point = std::array::from_fn(|k| row[0][k] * (1.0 - t) + row[1][k] * t);
    (point, std::array::from_fn(|k| (row[1][k] - row[0][k]) * degree as f64))
}

fn minus(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|k| a[k] - b[k])
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

struct Parser<'a> {
    rest: &'a str,
}

impl Parser<'_> {
    fn value(&mut self) -> Value {
        match self.rest.as_bytes()[0] {
            b'#' => {
                self.expect('#');
                Value::Reference(self.take(|c| c.is_ascii_digit()).parse().expect("a number"))
            }
            b'\'' => self.text(),
            b'(' => Value::List(self.list()),
            b'*' => self.symbol('*', Value::Derived),
            b'$' => self.symbol('$', Value::Unset),
            b'.' => {
                self.expect('.');
                let word = self.take(|c| c.is_ascii_uppercase() || c == '_');
                self.expect('.');
                Value::Word(word)
            }
            b'A'..=b'Z' => {
                let keyword = self.take(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_');
                Value::Typed(keyword, self.list())
            }
            _ => self.number(),
        }
    }

    fn list(&mut self) -> Vec<Value> {
        self.expect('(');
        let mut items = Vec::new();
        while !self.rest.starts_with(')') {
            // The leaves of a complex entity stand side by side without a comma.
            if self.rest.starts_with(',') {
                self.expect(',');
            }
            items.push(self.value());
        }
        self.expect(')');
        items
    }

    fn text(&mut self) -> Value {
        self.expect('\'');
        let mut text = String::new();
        loop {
            text += &self.take(|c| c != '\'');
            self.expect('\'');
            if !self.rest.starts_with('\'') {
                return Value::Text(text);
            }
            self.expect('\'');
            text.push('\'');
        }
    }

    fn number(&mut self) -> Value {
        let text = self.take(|c| c.is_ascii_digit() || "+-.E".contains(c));
        let Some((whole, decimals)) = text.split_once('.') else {
            return Value::Integer(text.parse().unwrap_or_else(|_| panic!("'{text}' is no integer")));
        };
        let (decimals, exponent) = decimals.split_once('E').unwrap_or((decimals, "0"));
        let digits = |s: &str| s.bytes().all(|b| b.is_ascii_digit());
        let unsigned =
            |s: &str| digits(s.strip_prefix(['-', '+']).unwrap_or(s)) && s.ends_with(|c: char| c.is_ascii_digit());
        assert!(unsigned(whole) && digits(decimals) && unsigned(exponent), "'{text}' is no real");
        assert!(text != "-0.", "negative zero");
        Value::Real(text.parse().expect("a real"))
    }

    fn symbol(&mut self, symbol: char, value: Value) -> Value {
        self.expect(symbol);
        value
    }

    fn take(&mut self, keep: impl Fn(char) -> bool) -> String {
        let (taken, rest) = self.rest.split_at(self.rest.find(|c| !keep(c)).unwrap_or(self.rest.len()));
        self.rest = rest;
        taken.to_owned()
    }

    fn expect(&mut self, symbol: char) {
        let shown: String = self.rest.chars().take(40).collect();
        self.rest = self.rest.strip_prefix(symbol).unwrap_or_else(|| panic!("wanted '{symbol}' at '{shown}'"));
    }
}
