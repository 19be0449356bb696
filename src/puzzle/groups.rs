//! Pieces that may stay together when a solution is taken apart.

use std::collections::BTreeMap;

use super::piece::PieceId;

/// Pieces that may stay together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Group {
    /// At most so many copies of each of these pieces may stay in it, over all sets of pieces that do.
    pub most: BTreeMap<PieceId, u32>,
}

/// Ways that are tried to give sets their groups.
const MOST_TRIES: u32 = 1_000_000;

/// Whether those pieces are all in one and the same group and in no other, so that it is of no use to part them; how many
/// they may be is not asked then.
pub fn must_stay(groups: &[Group], pieces: &[PieceId]) -> bool {
    let own = |piece: &PieceId| -> Vec<usize> {
        (0..groups.len()).filter(|&group| groups[group].most.contains_key(piece)).collect()
    };
    let first = pieces.first().map(own).unwrap_or_default();
    first.len() == 1 && pieces.iter().all(|piece| own(piece) == first)
}

/// Whether those sets of pieces may each stay together: each in a group, no group with too many copies of a piece. `None`
/// when there are more ways to try than are worth it.
pub fn may_stay(groups: &[Group], sets: &[Vec<PieceId>]) -> Option<bool> {
    let counted = |set: &Vec<PieceId>| {
        let mut counts = BTreeMap::new();
        set.iter().for_each(|&piece| *counts.entry(piece).or_insert(0) += 1);
        counts
    };
    let sets: Vec<BTreeMap<PieceId, u32>> = sets.iter().map(counted).collect();
    let mut free: Vec<BTreeMap<PieceId, u32>> = groups.iter().map(|group| group.most.clone()).collect();
    has_groups(&mut free, &sets, &mut 0)
}

/// Gives the first of the sets a group, then the others; `free` are the copies that groups still take.
fn has_groups(free: &mut [BTreeMap<PieceId, u32>], sets: &[BTreeMap<PieceId, u32>], tries: &mut u32) -> Option<bool> {
    let Some((set, others)) = sets.split_first() else { return Some(true) };
    for group in 0..free.len() {
        *tries += 1;
        if *tries > MOST_TRIES {
            return None;
        }
        if set.iter().any(|(piece, copies)| free[group].get(piece).is_none_or(|free| free < copies)) {
            continue;
        }
        let before = free[group].clone();
        set.iter().for_each(|(piece, copies)| *free[group].entry(*piece).or_default() -= copies);
        if has_groups(free, others, tries)? {
            return Some(true);
        }
        free[group] = before;
    }
    Some(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_group_takes_so_many_copies_over_all_sets() {
        let group =
            |most: &[(usize, u32)]| Group { most: most.iter().map(|&(id, most)| (PieceId(id), most)).collect() };
        let four = vec![PieceId(0); 4];
        // Eight equal pieces in two fours: each four needs a group of its own, or one that takes all.
        assert_eq!(may_stay(&[group(&[(0, 4)]), group(&[(0, 4)])], &[four.clone(), four.clone()]), Some(true));
        assert_eq!(may_stay(&[group(&[(0, 8)])], &[four.clone(), four.clone()]), Some(true));
        assert_eq!(may_stay(&[group(&[(0, 4)]), group(&[(0, 3)])], &[four.clone(), four]), Some(false));
        // The first set must leave the first group to the other.
        let [a, b] = [vec![PieceId(0), PieceId(1)], vec![PieceId(1), PieceId(2)]];
        let groups = [group(&[(0, 1), (1, 1), (2, 1)]), group(&[(0, 1), (1, 1)])];
        assert_eq!(may_stay(&groups, &[a.clone(), b.clone()]), Some(true));
        assert_eq!(may_stay(&groups, &[a.clone(), b.clone(), a.clone()]), Some(false));
        assert!(!must_stay(&groups, &a) && must_stay(&groups, &[PieceId(2)]) && !must_stay(&groups, &b));
        let many = vec![group(&[(0, 1), (1, 1)]); 12];
        assert_eq!(may_stay(&many, &vec![a; 13]), None);
    }
}
