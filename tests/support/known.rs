//! Compares what the file of a built-in puzzle says of its solutions with what was found.

use cubewright::puzzle::Puzzle;
use cubewright::solve::Outcome;

/// The counts are right, that of the nodes to a factor of two. `solutions` are those that `solve` counts.
pub(crate) fn as_the_file_says(puzzle: &Puzzle, outcome: &Outcome, solutions: u64) {
    let known = &puzzle.credits.known;
    assert_eq!((known.solutions, known.raw), (Some(solutions), Some(outcome.raw)), "{}", puzzle.name);
    let nodes = known.nodes.expect("the file says how hard the puzzle is");
    assert!(nodes / 2 <= outcome.nodes && outcome.nodes <= nodes * 2, "{}: {} nodes", puzzle.name, outcome.nodes);
}
