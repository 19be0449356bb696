//! `[[group]]`: pieces that may stay together when a solution is taken apart.

use super::groups::Group;
use super::parse::ParseError;
use super::piece::{Piece, PieceId};
use super::table::Value;
use crate::nearest::nearest;

/// Reads all groups.
pub(super) fn read_groups(value: &Value<'_>, pieces: &[Piece]) -> Result<Vec<Group>, ParseError> {
    value.array()?.iter().map(|group| read_group(group, pieces)).collect()
}

fn read_group(value: &Value<'_>, pieces: &[Piece]) -> Result<Group, ParseError> {
    let table = value.table(&["pieces", "most"])?;
    let names = table.require("pieces", "write pieces = [\"A\", \"B\"], the names of those that may stay together")?;
    let names = names.array()?;
    let mut most = vec![None; names.len()];
    if let Some(value) = table.get("most") {
        let counts = value.array()?;
        if counts.len() != names.len() {
            let message = format!("{} numbers for {} pieces", counts.len(), names.len());
            let help = "write for each of the pieces how many of its copies may stay in the group";
            return Err(ParseError::new(&value.span, message, help));
        }
        most = counts.iter().map(|count| read_most(count).map(Some)).collect::<Result<_, _>>()?;
    }
    let mut group = Group::default();
    for (name, most) in names.iter().zip(most) {
        let id = named(name, pieces)?;
        if group.most.contains_key(&id) {
            let message = format!("the piece '{}' is listed twice in this group", pieces[id.0].name);
            return Err(ParseError::new(&name.span, message, "list it once, and in 'most' how many copies may stay"));
        }
        group.most.insert(id, most.unwrap_or(*pieces[id.0].count.end()));
    }
    Ok(group)
}

fn read_most(value: &Value<'_>) -> Result<u32, ParseError> {
    let number = u32::try_from(value.integer()?).ok().filter(|&number| number > 0);
    number.ok_or_else(|| ParseError::new(&value.span, "this is no number of copies", "write 1 or more"))
}

fn named(name: &Value<'_>, pieces: &[Piece]) -> Result<PieceId, ParseError> {
    let written = name.text()?;
    let found = pieces.iter().position(|piece| piece.name == written);
    found.map(PieceId).ok_or_else(|| {
        let help = match nearest(written, pieces.iter().map(|piece| piece.name.as_str())) {
            Some(near) => format!("did you mean '{near}'?"),
            None => "write the names of pieces of this file".to_owned(),
        };
        ParseError::new(&name.span, format!("there is no piece '{written}'"), help)
    })
}
