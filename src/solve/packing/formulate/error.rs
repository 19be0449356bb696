//! What can be wrong with the answer of a solver.

use std::fmt;

use crate::puzzle::grid::Cell;
use crate::solve::SolveError;

/// A program that solves integer programmes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "they are names")]
pub enum Solver {
    Highs,
    Cbc,
    Glpk,
}

impl fmt::Display for Solver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Solver::Highs => "HiGHS",
            Solver::Cbc => "CBC",
            Solver::Glpk => "GLPK",
        })
    }
}

/// Why an answer is not an assembly of the puzzle. Lines count from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FormulateError {
    /// The puzzle has no integer programme.
    Puzzle(SolveError),
    /// No program that is known here wrote this.
    UnknownFormat,
    /// It is an answer: there is no solution.
    Infeasible {
        /// Who says so.
        solver: Solver,
    },
    /// The solver found none, which proves nothing.
    NoSolution {
        /// Which.
        solver: Solver,
        /// The status that it gives.
        status: String,
    },
    /// The text ends too early.
    CutShort {
        /// Who wrote it.
        solver: Solver,
        /// What is missing.
        missing: &'static str,
    },
    /// A line is not as this solver writes it.
    Line {
        /// Which.
        line: usize,
        /// What should stand there.
        expected: &'static str,
        /// What does.
        found: String,
    },
    /// The programme that was solved has more or fewer variables.
    OtherColumns {
        /// How many.
        columns: usize,
        /// How many the puzzle has.
        placements: usize,
    },
    /// A variable that is none of this puzzle's.
    UnknownColumn {
        /// Where.
        line: usize,
        /// Its name or number.
        column: String,
    },
    /// A variable has two values.
    ColumnTwice {
        /// Where the second stands.
        line: usize,
        /// Its name.
        column: String,
    },
    /// A variable has no value.
    ColumnMissing {
        /// Its name.
        column: String,
    },
    /// A value is neither 0 nor 1.
    Fraction {
        /// Where.
        line: usize,
        /// The name of the variable.
        column: String,
        /// The value, as written.
        value: String,
    },
    /// Two placements share a cell.
    CellTwice {
        /// Which.
        cell: Cell,
        /// The names of the variables.
        by: [String; 2],
    },
    /// Nothing fills a cell.
    CellEmpty {
        /// Which.
        cell: Cell,
    },
    /// More cells are left empty than may be.
    ManyEmpty {
        /// How many are filled.
        filled: usize,
        /// How many are to be at least.
        fewest: usize,
    },
    /// A piece is used too often or not often enough.
    Count {
        /// Its name.
        piece: String,
        /// How often it is used.
        used: usize,
        /// How often it is to be used, in words.
        wanted: String,
    },
}

impl From<SolveError> for FormulateError {
    fn from(error: SolveError) -> FormulateError {
        FormulateError::Puzzle(error)
    }
}

impl fmt::Display for FormulateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const AGAIN: &str = "write the LP file again, solve it, and read that answer";
        let at = |cell: &Cell| format!("the cell at x {}, y {}, z {}", cell.x, cell.y, cell.z);
        match self {
            FormulateError::Puzzle(error) => error.fmt(f),
            FormulateError::UnknownFormat => f.write_str(
                "this is not an answer of HiGHS (--solution_file FILE), CBC (solution FILE) or GLPK (-o FILE or -w FILE)",
            ),
            FormulateError::Infeasible { solver } => {
                write!(f, "infeasible: {solver} found that the puzzle has no solution")
            }
            FormulateError::NoSolution { solver, status } => {
                write!(
                    f,
                    "{solver} ended without a solution and without a proof that there is none ({status}); give it more time"
                )
            }
            FormulateError::CutShort { solver, missing } => {
                write!(f, "the answer of {solver} is cut short: {missing} is missing; solve again")
            }
            FormulateError::Line { line, expected, found } => {
                write!(f, "line {line}: expected {expected}, found {found:?}")
            }
            FormulateError::OtherColumns { columns, placements } => write!(
                f,
                "the answer is for {columns} variables, this puzzle has {placements}, so it belongs to another puzzle; {AGAIN}"
            ),
            FormulateError::UnknownColumn { line, column } => {
                write!(f, "line {line}: {column:?} is no variable of this puzzle; {AGAIN}")
            }
            FormulateError::ColumnTwice { line, column } => write!(f, "line {line}: {column} has a value already"),
            FormulateError::ColumnMissing { column } => write!(f, "{column} has no value; solve again"),
            FormulateError::Fraction { line, column, value } => write!(
                f,
                "line {line}: {column} is {value}, but a piece lies there (1) or not (0); let the solver keep the variables \
                 whole"
            ),
            FormulateError::CellTwice { cell, by: [one, other] } => {
                write!(f, "the answer is wrong: {} is filled twice, by {one} and {other}", at(cell))
            }
            FormulateError::CellEmpty { cell } => write!(f, "the answer is wrong: {} is left empty", at(cell)),
            FormulateError::ManyEmpty { filled, fewest } => {
                write!(f, "the answer is wrong: {filled} cells are filled, at least {fewest} are to be")
            }
            FormulateError::Count { piece, used, wanted } => {
                let times = if *used == 1 { "once".to_owned() } else { format!("{used} times") };
                write!(f, "the answer is wrong: piece {piece:?} is used {times}, it is to be used {wanted}")
            }
        }
    }
}

impl std::error::Error for FormulateError {}
