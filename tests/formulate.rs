//! Packings as integer programmes: the LP text to the byte, and what HiGHS, CBC and GLPK answered to it.

use cubewright::puzzle::Puzzle;
use cubewright::puzzle::grid::Cell;
use cubewright::puzzle::parse::parse;
use cubewright::puzzle::rules::Rules;
use cubewright::solve::SolveError;
use cubewright::solve::formulate::{FormulateError, Solver, formulate, read_solution};

#[expect(dead_code, reason = "the check alone is used here")]
#[path = "support/packing.rs"]
mod packing;

/// A domino and a single cube, whose name is no name for a variable, in three cells.
fn tiny() -> Puzzle {
    puzzle(
        "[target]\nbox = [3, 1, 1]\n[[piece]]\nname = \"domino\"\nlayers = [\"XX\"]\n[[piece]]\nname = \"e1\"\nlayers = [\"X\"]\n",
    )
}

fn puzzle(text: &str) -> Puzzle {
    parse(&format!("cubewright = 1\nname = \"Tiny\"\n{text}")).expect("a puzzle")
}

fn collected(name: &str) -> Puzzle {
    parse(cubewright::collection::find(name).expect("a built-in puzzle")).expect("a puzzle")
}

const TINY: &str = r#"\ Tiny as an integer programme, written by cubewright.
\ 5 variables, one a placement, 1 when a piece lies there: NAME_oN_X_Y_Z is the piece in orientation
\ N of 24 (mN: its mirror image), X cells from the left, Y from the front and Z from the bottom to
\ the box around it.
\ Rows: count_NAME, or least_NAME and most_NAME, is how often the piece is used; cell_X_Y_Z is how
\ often that cell is filled, 3 of them once.
\ Any solution will do, so there is nothing to minimise.
\ domino: "domino"; once, 2 placements.
\ p_e1: "e1"; once, 3 placements.
Minimize
 obj: 0 domino_o0_0_0_0
Subject To
 count_domino: domino_o0_0_0_0 + domino_o0_1_0_0 = 1
 count_p_e1: p_e1_o0_0_0_0 + p_e1_o0_1_0_0 + p_e1_o0_2_0_0 = 1
 cell_0_0_0: domino_o0_0_0_0 + p_e1_o0_0_0_0 = 1
 cell_1_0_0: domino_o0_0_0_0 + domino_o0_1_0_0 + p_e1_o0_1_0_0 = 1
 cell_2_0_0: domino_o0_1_0_0 + p_e1_o0_2_0_0 = 1
Binary
 domino_o0_0_0_0
 domino_o0_1_0_0
 p_e1_o0_0_0_0
 p_e1_o0_1_0_0
 p_e1_o0_2_0_0
End
"#;

/// HiGHS 1.16, `--solution_file`.
const HIGHS: &str = "Model status
Optimal

# Primal solution values
Feasible
Objective 0
Objective_bound 0
MIP_rel_gap 0
# Columns 5
domino_o0_0_0_0 1
domino_o0_1_0_0 -0
p_e1_o0_0_0_0 0
p_e1_o0_1_0_0 1.3e-15
p_e1_o0_2_0_0 0.9999999999999998
# Rows 5
count_domino 1
count_p_e1 1
cell_0_0_0 1
cell_1_0_0 1
cell_2_0_0 1

# Dual solution values
None

# Basis
HiGHS_basis_file v2
None
";

/// The same with `write_solution_style` 4 and 1.
const HIGHS_SPARSE: &str = "Model status
Optimal

# Primal solution values
Feasible
Objective 0
Objective_bound 0
MIP_rel_gap 0
# Columns -2 sparse
domino_o0_0_0_0 1 0
p_e1_o0_2_0_0 1 4
# Rows -5 sparse
count_domino 1 0
";
const HIGHS_PRETTY: &str = "Columns
    Index Status        Lower        Upper       Primal         Dual  Type        Name
        0                   0            1            1               Integer     domino_o0_0_0_0
        1                   0            1           -0               Integer     domino_o0_1_0_0
        2                   0            1            0               Integer     p_e1_o0_0_0_0
        3                   0            1           -0               Integer     p_e1_o0_1_0_0
        4                   0            1            1               Integer     p_e1_o0_2_0_0
Rows
    Index Status        Lower        Upper       Primal         Dual  Name
        0                   1            1            1               count_domino

Model status: Optimal

Objective value: 0
";

/// CBC 2.10.8, `printingOptions all solution`; without the first it leaves out the rows and what is 0.
const CBC: &str = "Optimal - objective value 0.00000000
      0 count_domino                  1                       0
      1 count_p_e1                    1                       0
      2 cell_0_0_0                    1                       0
**    3 cell_1_0_0                    1                       0
      4 cell_2_0_0                    1                       0
      0 domino_o0_0_0_0               0                       0
      1 domino_o0_1_0_0               1                       0
      2 p_e1_o0_0_0_0                 1                       0
      3 p_e1_o0_1_0_0                 0                       0
      4 p_e1_o0_2_0_0                 0                       0
";

/// GLPK 5.0, `-o`.
const GLPK: &str = "Problem:    
Rows:       5
Columns:    5 (5 integer, 5 binary)
Non-zeros:  12
Status:     INTEGER OPTIMAL
Objective:  obj = 0 (MINimum)

   No.   Row name        Activity     Lower bound   Upper bound
------ ------------    ------------- ------------- -------------
     1 count_domino                1             1             = 
     2 count_p_e1                  1             1             = 
     3 cell_0_0_0                  1             1             = 
     4 cell_1_0_0                  1             1             = 
     5 cell_2_0_0                  1             1             = 

   No. Column name       Activity     Lower bound   Upper bound
------ ------------    ------------- ------------- -------------
     1 domino_o0_0_0_0
                    *              0             0             1 
     2 domino_o0_1_0_0
                    *              1             0             1 
     3 p_e1_o0_0_0_0
                    *              1             0             1 
     4 p_e1_o0_1_0_0
                    *              0             0             1 
     5 p_e1_o0_2_0_0
                    *              0             0             1 

Integer feasibility conditions:

KKT.PE: max.abs.err = 0.00e+00 on row 0
        max.rel.err = 0.00e+00 on row 0
        High quality

End of output
";

/// GLPK 5.0, `-w`.
const GLPK_RAW: &str = "c Problem:    
c Rows:       5
c Columns:    5
c Non-zeros:  12
c Status:     INTEGER OPTIMAL
c Objective:  obj = 0 (MINimum)
c
s mip 5 5 o 0
i 1 1
i 2 1
i 3 1
i 4 1
i 5 1
j 1 0
j 2 1
j 3 1
j 4 0
j 5 0
e o f
";

#[test]
fn a_tiny_puzzle_is_this_text() {
    assert_eq!(formulate(&tiny()).expect("no rules"), TINY);
}

#[test]
fn soma_has_a_row_a_piece_and_a_cell_and_no_long_line() {
    let text = formulate(&collected("soma")).expect("no rules");
    assert_eq!(text.lines().filter(|line| line.starts_with(" count_")).count(), 7);
    assert_eq!(text.lines().filter(|line| line.starts_with(" cell_")).count(), 27);
    let binaries = text.split_once("\nBinary\n").expect("a section").1;
    assert_eq!(binaries.lines().count(), 688 + 1);
    // Each placement once in the row of its piece and once a cell: six pieces of 4 cells and one of 3; and once below.
    let uses = text.split_once("Subject To").expect("a section").1.matches("_o").count();
    assert_eq!(uses, (688 - 144) * 5 + 144 * 4 + 688);
    assert!(text.lines().all(|line| line.len() <= 100));
}

#[test]
fn ranges_optional_cells_twins_and_equal_pieces_are_rows_of_their_own() {
    let text = formulate(&puzzle(
        "[target]\nlayers = [\"XX+/XXX\", \"XXX/XX+\"]\n\
         [[piece]]\nname = \"one\"\nlayers = [\"X\"]\ncount = [0, 4]\n\
         [[piece]]\nname = \"bar\"\nlayers = [\"XX\"]\n[[piece]]\nname = \"rod\"\nlayers = [\"X/X\"]\ncount = [1, 2]\n\
         [[piece]]\nname = \"screw\"\nlayers = [\"X./XX\", \"../.X\"]\nmirror = true\ncount = [0, 1]\n",
    ));
    let text = text.expect("no rules");
    for part in [
        "\n least_one: one_o0_0_0_0 + ",
        " <= 4\n",
        "\n\\ bar: \"bar\", \"rod\", which are equal; 2 to 3 times, 20 placements.\n",
        "\n most_bar: ",
        "often that cell is filled, 10 of them once and 2 at most once.\n",
        "\n screw_m",
        "\n screw_o",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    let rows = text.replace("\n  ", " ");
    let ends = |end: &str| rows.lines().filter(|line| line.starts_with(" cell_") && line.ends_with(end)).count();
    assert_eq!((ends(" = 1"), ends(" <= 1")), (10, 2));
}

#[test]
fn a_cell_that_no_piece_reaches_makes_the_programme_infeasible() {
    let text = formulate(&puzzle(
        "[target]\nlayers = [\"X.XXX\"]\n[[piece]]\nname = \"domino\"\nlayers = [\"XX\"]\ncount = 2\n",
    ));
    let text = text.expect("no rules");
    assert!(
        text.contains("\n cell_0_0_0: nothing = 1\n") && text.contains("\n never: nothing = 0\nBinary\n"),
        "{text}"
    );
    assert!(text.ends_with("\n nothing\nEnd\n"), "{text}");
}

/// A domino with a red end in three cells, of which the red end may lie in the middle or on the bare one.
const TINTED: &str = "[packing]\nmost_empty = 1\ntints = { letters = \"RB\", colours = [\"red\", \"blue\"], may_lie_on = [\"RR\"] }\n\
    [target]\nlayers = [\"+X+\"]\ntints = [\"BR.\"]\n[[piece]]\nname = \"d\"\nlayers = [\"XX\"]\ntints = [\"R.\"]\n\
    [[piece]]\nname = \"one\"\nlayers = [\"X\"]\ncount = [0, 1]\n";

#[test]
fn tints_leave_out_placements_and_few_empty_cells_are_a_row() {
    let text = formulate(&puzzle(TINTED)).expect("a packing");
    let rows: Vec<&str> = text.lines().skip_while(|line| *line != "Subject To").collect();
    assert_eq!(
        rows[1..8],
        [
            " count_d: d_o4_0_0_0 + d_o4_1_0_0 + d_o0_1_0_0 = 1",
            " least_one: one_o0_1_0_0 + one_o0_0_0_0 + one_o0_2_0_0 >= 0",
            " most_one: one_o0_1_0_0 + one_o0_0_0_0 + one_o0_2_0_0 <= 1",
            " cell_1_0_0: d_o4_0_0_0 + d_o4_1_0_0 + d_o0_1_0_0 + one_o0_1_0_0 = 1",
            " cell_0_0_0: d_o4_0_0_0 + one_o0_0_0_0 <= 1",
            " cell_2_0_0: d_o4_1_0_0 + d_o0_1_0_0 + one_o0_2_0_0 <= 1",
            " filled: 2 d_o4_0_0_0 + 2 d_o4_1_0_0 + 2 d_o0_1_0_0 + 1 one_o0_1_0_0 + 1 one_o0_0_0_0",
        ]
    );
    let answer = |name: &str| read_solution(&puzzle(TINTED), &format!("Optimal - objective value 0\n0 {name} 1 0\n"));
    let red = answer("d_o4_1_0_0").expect("an assembly").placements[0];
    assert_eq!(red.orientation.turn(Cell::new(1, 0, 0)), Cell::new(-1, 0, 0));
    assert!(answer("d_o0_0_0_0").expect_err("red on blue").to_string().contains("is no variable of this puzzle"));
    let mut strict = puzzle(TINTED);
    strict.rules.packing.most_empty = Some(0);
    let error = read_solution(&strict, "Optimal - objective value 0\n0 d_o4_1_0_0 1 0\n").expect_err("a cell is empty");
    assert_eq!(error.to_string(), "the answer is wrong: 2 cells are filled, at least 3 are to be");
}

#[test]
fn rules_are_refused() {
    let sudoku = collected("4d-sudoku");
    let rules = vec!["planes", "symbols", "blank_plane", "turned", "chequered"];
    let refused = SolveError::RulesInProgramme { rules };
    assert!(refused.to_string().contains("asks of faces (planes, symbols, blank_plane, turned, chequered); "));
    assert_eq!(formulate(&sudoku), Err(refused.clone()));
    assert_eq!(read_solution(&sudoku, HIGHS), Err(FormulateError::Puzzle(refused)));
    let mut unruled = sudoku;
    unruled.rules = Rules::default();
    assert!(formulate(&unruled).is_ok());
}

/// Each of six sticks, no two ways to hold which look alike: along one of three axes, held in one of eight ways, at one of
/// three places across the two of that axis. The ends of the bars must be filled, the notched middle may be.
#[test]
fn a_burr_is_a_programme_of_its_assemblies() {
    let text = formulate(&collected("blue-burr")).expect("a programme");
    assert!(text.contains("\n\\ Whether an assembly comes apart is not asked here.\n"));
    let rows = |start: &str| text.lines().filter(|line| line.trim_start().starts_with(start)).count();
    assert_eq!((rows("count_"), rows("cell_")), (6, 104));
    let variables = text.split_once("Binary\n").expect("the variables").1.lines().count() - 1;
    assert_eq!(variables, 6 * 72);
}

#[test]
fn a_programme_of_many_terms_is_refused_with_their_number() {
    let cubes = puzzle(
        "[target]\nbox = [90, 90, 90]\n[[piece]]\nname = \"cube\"\ncount = [0, 729000]\nlayers = [\"XX/XX\", \"XX/XX\"]\n[[piece]]\nname = \"one\"\ncount = [0, 729000]\nlayers = [\"X\"]\n",
    );
    let terms = 89 * 89 * 89 * (8 + 2) + 90 * 90 * 90 * (1 + 2);
    assert_eq!(formulate(&cubes), Err(SolveError::ManyTerms { terms, most: 5_000_000 }));
}

#[test]
fn every_kind_of_answer_is_read() {
    let cbc_short: String =
        CBC.lines().filter(|line| !line.contains("cell_")).map(|line| format!("{line}\r\n")).collect();
    for (answer, left) in [
        (HIGHS, "domino"),
        (HIGHS_SPARSE, "domino"),
        (HIGHS_PRETTY, "domino"),
        (CBC, "e1"),
        (&cbc_short, "e1"),
        (GLPK, "e1"),
        (GLPK_RAW, "e1"),
    ] {
        let puzzle = tiny();
        let assembly = read_solution(&puzzle, answer).unwrap_or_else(|error| panic!("{error}\n{answer}"));
        assert_eq!(packing::check(&puzzle, &assembly), Ok(()), "{answer}");
        let first = assembly.placements.iter().find(|placement| placement.offset == Cell::ZERO).expect("a first cell");
        assert_eq!(puzzle.piece(first.piece).name, left, "{answer}");
    }
}

#[test]
fn what_the_solver_of_this_crate_finds_comes_back_the_same() {
    use cubewright::solve::{Limit, Options, solve};
    for name in ["soma", "steinhaus", "slothouber-graatsma", "blue-burr"] {
        let puzzle = collected(name);
        let options = Options { limit: Limit::First, keep: 1, ..Options::ALL };
        let assembly = solve(&puzzle, &options).expect("a packing").found.remove(0);
        let lines = assembly.placements.iter().map(|placement| {
            let cells: Vec<Cell> = placement.cells(&puzzle.piece(placement.piece).shape).collect();
            let least = |axis: usize| cells.iter().map(|cell| cell.along(axis)).min().expect("a cell");
            // The first of the orientations that look the same gives the name.
            let shape = |o| puzzle.piece(placement.piece).shape.turned(o);
            let mut all = cubewright::puzzle::grid::Orientation::all();
            let orientation = all.find(|&o| shape(o) == shape(placement.orientation)).expect("itself");
            let (name, number) = (&puzzle.piece(placement.piece).name, orientation.index());
            // What begins with an E could be read as a number.
            let start = if name.starts_with('E') { "p_" } else { "" };
            format!("0 {start}{name}_o{number}_{}_{}_{} 1 0\n", least(0), least(1), least(2))
        });
        let answer = format!("Optimal - objective value 0\n{}", lines.collect::<String>());
        assert_eq!(read_solution(&puzzle, &answer).as_ref(), Ok(&assembly), "{name}");
    }
}

#[test]
fn no_solution_is_an_answer_and_a_stopped_solver_is_none() {
    let infeasible = |solver| Err(FormulateError::Infeasible { solver });
    for (answer, solver) in [
        ("Model status\nInfeasible\n\n# Primal solution values\nNone\n", Solver::Highs),
        ("Columns\nRows\n\nModel status: Infeasible\n", Solver::Highs),
        ("Infeasible - objective value 0.00000000\n      0 nothing   0   1\n", Solver::Cbc),
        ("Integer infeasible - objective value 0.00000000\n      0 domino_o0_0_0_0  0.5  0\n", Solver::Cbc),
        ("Problem:    \nRows:       3\nColumns:    3\nStatus:     INTEGER EMPTY\n", Solver::Glpk),
        ("c Status:     INTEGER EMPTY\nc\ns mip 4 3 n 0\n", Solver::Glpk),
    ] {
        assert_eq!(read_solution(&tiny(), answer), infeasible(solver), "{answer}");
    }
    for (answer, status) in [
        ("Model status\nTime limit reached\n\n# Primal solution values\nNone\n", "Time limit reached"),
        (
            "Columns\n Index Status\n 0   0   1    Integer     domino_o0_0_0_0\nRows\n\nModel status: Time limit reached\n",
            "Time limit reached",
        ),
        (
            "Stopped on time (no integer solution - continuous used) - objective value 0.0\n 56 domino_o0_0_0_0 0.4 0\n",
            "Stopped on time (no integer solution - continuous used)",
        ),
        ("Problem:    \nRows:       3\nStatus:     INTEGER UNDEFINED\n", "INTEGER UNDEFINED"),
        ("s mip 5 5 u 0\n", "undefined"),
    ] {
        match read_solution(&tiny(), answer) {
            Err(FormulateError::NoSolution { status: given, .. }) => assert_eq!(given, status, "{answer}"),
            other => panic!("{other:?}\n{answer}"),
        }
    }
}

#[test]
fn a_wrong_answer_is_refused_with_the_cell_or_the_line() {
    let cbc = |lines: &str| format!("Optimal - objective value 0\n{lines}");
    let (left, right) = ("0 domino_o0_0_0_0 1 0\n", "1 domino_o0_1_0_0 1 0\n");
    let one = |at: i32| format!("{} p_e1_o0_{at}_0_0 1 0\n", 2 + at);
    for (answer, complaint) in [
        (
            cbc(&format!("{left}{right}{}", one(0))),
            "the answer is wrong: the cell at x 1, y 0, z 0 is filled twice, by domino_o0_0_0_0 and domino_o0_1_0_0",
        ),
        (cbc(left), "the answer is wrong: the cell at x 2, y 0, z 0 is left empty"),
        (cbc(""), "the answer is wrong: the cell at x 0, y 0, z 0 is left empty"),
        (
            cbc(&format!("{}{}{}", one(0), one(1), one(2))),
            "the answer is wrong: piece \"domino\" is used 0 times, it is to be used once",
        ),
        (cbc(&format!("{left}{left}")), "line 3: domino_o0_0_0_0 has a value already"),
        (
            cbc("0 domino_o0_0_0_0 0.999998 0\n"),
            "line 2: domino_o0_0_0_0 is 0.999998, but a piece lies there (1) or not (0); ",
        ),
        (cbc("0 domino_o0_0_0_0 -1 0\n"), "line 2: domino_o0_0_0_0 is -1, but"),
        (
            cbc("0 domino_o0_0_0_0 1e999999999999999999999 0\n"),
            "line 2: domino_o0_0_0_0 is 1e999999999999999999999, but",
        ),
        (cbc("0 domino_o0_0_0_0 nan 0\n"), "line 2: expected a number, found \"nan\""),
        (
            cbc("0 domino_o0_0_0_0\n"),
            "line 2: expected an index, a name, a value and a cost, found \"0 domino_o0_0_0_0\"",
        ),
        (cbc("0 V_o0_0_0_0 1 0\n"), "line 2: \"V_o0_0_0_0\" is no variable of this puzzle; "),
        (
            GLPK_RAW.replace("s mip 5 5", "s mip 5 99999999999"),
            "the answer is for 99999999999 variables, this puzzle has 5, so it belongs to another puzzle; ",
        ),
        (GLPK_RAW.replace("j 5", "j 6"), "line 18: \"column 6\" is no variable of this puzzle; "),
        (GLPK_RAW.replace("j 5", "j 0"), "line 18: \"column 0\" is no variable of this puzzle; "),
        (GLPK_RAW.replace("j 5 0\n", ""), "p_e1_o0_2_0_0 has no value; "),
        (
            HIGHS.replace("# Columns 5", "# Columns many"),
            "line 9: expected the number of columns, found \"# Columns many\"",
        ),
        (HIGHS.replace("# Columns 5", "# Columns -9223372036854775808"), "the answer of HiGHS is cut short: "),
        ("\u{feff}".to_owned(), "this is not an answer of HiGHS ("),
        (TINY.to_owned(), "this is not an answer of HiGHS ("),
    ] {
        match read_solution(&tiny(), &answer) {
            Err(error) => assert!(error.to_string().starts_with(complaint), "{error}\n{complaint}"),
            Ok(assembly) => panic!("{assembly:?}\n{answer}"),
        }
    }
}

#[test]
fn an_answer_that_is_cut_anywhere_is_refused_or_the_same() {
    let puzzle = tiny();
    for answer in [HIGHS, HIGHS_SPARSE, HIGHS_PRETTY, CBC, GLPK, GLPK_RAW] {
        let whole = read_solution(&puzzle, answer);
        for end in 0..answer.len() {
            let cut = read_solution(&puzzle, &answer[..end]);
            assert!(cut.is_err() || cut == whole, "{}", &answer[..end]);
        }
    }
}
