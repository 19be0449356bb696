//! One flat part of a net as fills, lines and marks, its own corner at the origin, in millimetres.

use super::drawing::{Face, Item, PAPER, Point, Stroke, rectangle};
use super::layout::{Sizes, label};
use super::unfold::{Crease, Edge, Part, Tile, step};
use crate::puzzle::colour::Colour;
use crate::puzzle::grid::Turn;
use crate::puzzle::piece::Piece;
use crate::puzzle::rules::Rules;

/// What is drawn of a part.
pub(super) struct Block {
    /// Width and height, tabs and label included.
    pub(super) size: Point,
    /// What is drawn, the lowest first.
    pub(super) items: Vec<Item>,
}

/// How high a tab is, in pitches. Its shoulders are at 45 degrees, so that no two tabs meet, neither in a corner of the
/// sheet nor inside the folded piece.
const TAB: f64 = 0.25;

/// Draws a part with its marks, its tabs and the name of its piece.
pub(super) fn block(part: &Part, name: &str, piece: &Piece, rules: &Rules, sizes: &Sizes) -> Block {
    let pitch = sizes.pitch;
    // On a cube the seams are plain to see.
    let numbered = piece.shape.cells().len() > 1;
    let mut margin = [0.0f64; 4];
    for (tile, towards) in part.tiles.iter().flat_map(|tile| Turn::ALL.map(|towards| (tile, towards))) {
        let juts_out = match towards {
            Turn::Upright => tile.row == 0,
            Turn::Left => tile.column == 0,
            Turn::UpsideDown => tile.row + 1 == part.rows,
            Turn::Right => tile.column + 1 == part.columns,
        };
        let needs_room = numbered || matches!(tile.edges[towards as usize], Edge::Tab { .. });
        if juts_out && needs_room {
            margin[towards as usize] = TAB * pitch;
        }
    }
    let [top, left, bottom, right] = margin;
    let mut size = [left + pitch * f64::from(part.columns) + right, top + pitch * f64::from(part.rows) + bottom];

    // The name stands in the free corner at the top right, or above the part where that is too small.
    let last = part.tiles.iter().filter(|tile| tile.row == 0).map(|tile| tile.column).max().unwrap_or(0);
    let beside = left + pitch * (f64::from(last) + 1.0 + TAB);
    let (height, gap) = ((0.3 * pitch).clamp(2.5, 7.0), 2.0);
    let has_room = size[0] - beside >= 1.5 * pitch && part.rows > 1;
    let (x, above) = if has_room { (beside, 0.0) } else { (0.0, height + gap) };
    let name = label(&sizes.fonts, name, height, size[0] - x, [x, 0.0]);
    size[1] += above;

    let corner = [left, top + above];
    let at = |tile: &Tile| [corner[0] + pitch * f64::from(tile.column), corner[1] + pitch * f64::from(tile.row)];
    let ground = |tile: &Tile| piece.marks.get(&tile.square).map_or(piece.colour, |mark| mark.ground(piece.colour));
    let mut items: Vec<Item> =
        part.tiles.iter().map(|tile| rectangle(at(tile), [pitch, pitch], ground(tile))).collect();
    let mut lines = Vec::new();
    for tile in &part.tiles {
        for towards in Turn::ALL {
            let side = EdgeOnSheet { tile: at(tile), towards, pitch };
            let edge = tile.edges[towards as usize];
            // A fold belongs to two tiles; the one below or to the right draws it.
            let first = matches!(towards, Turn::Upright | Turn::Left);
            match edge {
                Edge::Fold(crease) if first => lines.extend(fold(side.ends(), crease, ground(tile).ink())),
                Edge::Fold(_) => {}
                Edge::Bare { .. } => lines.push(cut(side.ends())),
                Edge::Tab { crease, .. } => {
                    let [start, end] = side.ends();
                    let [out_start, out_end] = [side.point(TAB, TAB), side.point(1.0 - TAB, TAB)];
                    items.push(Item::Fill {
                        points: vec![start, end, out_end, out_start],
                        colour: tab_colour(piece.colour),
                    });
                    lines.extend([[start, out_start], [out_start, out_end], [out_end, end]].map(cut));
                    lines.extend(fold([start, end], crease, Colour::INK));
                }
            }
            if let (Edge::Tab { seam, .. } | Edge::Bare { seam }, true) = (edge, numbered) {
                let on = if matches!(edge, Edge::Tab { .. }) { tab_colour(piece.colour) } else { PAPER };
                items.extend(sizes.seam_number(seam, side.point(0.5, TAB / 2.0), on));
            }
        }
    }
    items.extend(part.tiles.iter().flat_map(|tile| mark(tile, at(tile), piece, rules, sizes)));
    items.extend(lines);
    items.extend(name);
    Block { size, items }
}

/// The colour of tabs: paler than the body, and grey on a white one.
fn tab_colour(body: Colour) -> Colour {
    let pale = |channel: u8| ((u32::from(channel) * 3 + 0xEC * 7) / 10) as u8;
    Colour::new(pale(body.red), pale(body.green), pale(body.blue))
}

fn cut(ends: [Point; 2]) -> Item {
    Item::Line { ends, stroke: Stroke::Cut, colour: Colour::INK }
}

fn fold(ends: [Point; 2], crease: Crease, colour: Colour) -> Option<Item> {
    let stroke = match crease {
        Crease::Mountain => Stroke::Mountain,
        Crease::Valley => Stroke::Valley,
        Crease::Flat => return None,
    };
    Some(Item::Line { ends, stroke, colour })
}

/// The mark on a tile and the line under it, if any.
fn mark(tile: &Tile, corner: Point, piece: &Piece, rules: &Rules, sizes: &Sizes) -> Vec<Item> {
    let Some(mark) = piece.marks.get(&tile.square) else { return Vec::new() };
    let (em, [width, height]) = sizes.mark(&mark.text);
    let turn = tile.turn_on_sheet(mark.turn);
    let on = mark.ground(piece.colour);
    let colour = on.ink();
    let centre = corner.map(|c| c + sizes.pitch / 2.0);
    let mut items = vec![Item::Text { text: mark.text.clone(), face: Face::Marks, centre, em, turn, colour, on }];
    if rules.needs_underline(&mark.text) {
        // Turned with the digit.
        let [_, [below, thickness]] = bar([width, height]);
        let below = below + thickness / 2.0;
        let down = step(Turn::ALL[(turn as usize + 2) % 4]);
        let middle = [centre[0] + below * f64::from(down.0), centre[1] + below * f64::from(down.1)];
        let size = if down.0 == 0 { [width, thickness] } else { [thickness, width] };
        items.push(rectangle([middle[0] - size[0] / 2.0, middle[1] - size[1] / 2.0], size, colour));
    }
    items
}

/// The bar below an upright mark with ink of this size around the origin: from where across and how wide, from where down
/// and how high. It is a tenth of the digit high and as far below it.
pub(super) fn bar([width, height]: Point) -> [Point; 2] {
    [[-width / 2.0, width], [0.6 * height, height / 10.0]]
}

/// One edge of a tile on the sheet.
struct EdgeOnSheet {
    tile: Point,
    towards: Turn,
    pitch: f64,
}

impl EdgeOnSheet {
    fn ends(&self) -> [Point; 2] {
        [self.point(0.0, 0.0), self.point(1.0, 0.0)]
    }

    /// A point this far along the edge, clockwise about the tile, and this far outside it, in pitches.
    fn point(&self, along: f64, out: f64) -> Point {
        let (dx, dy) = step(self.towards);
        let (dx, dy) = (f64::from(dx), f64::from(dy));
        let (out, along) = (0.5 + out, along - 0.5);
        [
            self.tile[0] + self.pitch * (0.5 + dx * out - dy * along),
            self.tile[1] + self.pitch * (0.5 + dy * out + dx * along),
        ]
    }
}
