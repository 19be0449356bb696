//! The known word that a person who wrote another one most likely meant.

/// The candidate nearest to `word`, if any is near enough to be meant.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let written = word.to_lowercase();
    let distance = |candidate: &str| strsim::damerau_levenshtein(&written, &candidate.to_lowercase());
    let (errors, candidate) = candidates.into_iter().map(|candidate| (distance(candidate), candidate)).min()?;
    let letters = word.chars().count();
    (errors <= 2.max(letters / 3) && errors < letters).then_some(candidate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_is_seen_and_another_word_is_not() {
        let keys = ["colour", "faces", "name"];
        assert_eq!(nearest("color", keys), Some("colour"));
        assert_eq!(nearest("Nmae", keys), Some("name"));
        assert_eq!(nearest("pitch", keys), None);
        assert_eq!(nearest("x", keys), None);
        assert_eq!(nearest("x", []), None);
    }
}
