//! Variables, what they cost, and what must hold.

use std::collections::{HashMap, HashSet};

use good_lp::{
    Constraint, Expression, IntoAffineExpression, ProblemVariables, Solver, SolverModel, Variable, VariableDefinition,
};

use crate::text::{Column, Range, Relation, Row, Text};

/// A model whose cost is to be minimised, kept so that it can be solved more than once, and written.
#[derive(Clone, Default)]
pub struct Model {
    variables: ProblemVariables,
    objective: Expression,
    constraints: Vec<Constraint>,
    /// Whether most is choosing among given teams; HiGHS is then better off without presolving.
    pub(super) is_partitioning: bool,
}

impl Model {
    /// No variables, no cost.
    pub fn new() -> Self {
        Self::default()
    }

    /// One more variable.
    pub fn add_variable(&mut self, definition: VariableDefinition) -> Variable {
        self.variables.add(definition)
    }

    /// Adds to the cost.
    pub fn add_cost(&mut self, cost: impl IntoAffineExpression) {
        self.objective.add_mul(1.0, cost);
    }

    /// One more constraint.
    pub fn add_constraint(&mut self, constraint: Constraint) {
        self.constraints.push(constraint);
    }

    /// All variables.
    pub fn variables(&self) -> &ProblemVariables {
        &self.variables
    }

    /// What is minimised.
    pub fn objective(&self) -> &Expression {
        &self.objective
    }

    /// All constraints.
    pub fn constraints(&self) -> &[Constraint] {
        &self.constraints
    }

    /// The model for a solver that `good_lp` knows.
    pub fn using<S: Solver>(&self, solver: S) -> S::Model {
        let mut model = self.variables.clone().minimise(&self.objective).using(solver);
        for constraint in &self.constraints {
            model.add_constraint(constraint.clone());
        }
        model
    }

    /// See [`Formulation::using_highs`](super::Formulation::using_highs).
    #[cfg(feature = "highs")]
    pub(super) fn using_highs(&self) -> good_lp::solvers::highs::HighsProblem {
        use good_lp::solvers::highs::HighsPresolveType;
        let model = self.using(good_lp::highs).set_option("mip_rel_gap", 0.0);
        if self.is_partitioning {
            model.set_presolve(HighsPresolveType::Off)
        } else {
            model
        }
    }

    /// The model in the LP format of CPLEX. Variables and constraints have the names that they were given where these
    /// are plain words that mean nothing else in that format or in MPS, and else `v` and `r` with their numbers. A constant
    /// in the cost is a variable `one`.
    pub fn to_lp(&self) -> String {
        self.text().to_lp()
    }

    /// The model in free MPS format, with the names that [`to_lp`](Self::to_lp) has.
    pub fn to_mps(&self) -> String {
        self.text().to_mps()
    }

    fn text(&self) -> Text<f64, f64> {
        let number_of: HashMap<Variable, usize> = self
            .variables
            .iter_variables_with_def()
            .enumerate()
            .map(|(number, (variable, _))| (variable, number))
            .collect();
        let entries = |expression: &Expression| {
            let terms = expression.linear_coefficients();
            let mut entries: Vec<(usize, f64)> =
                terms.map(|(variable, factor)| (number_of[&variable], factor)).collect();
            entries.sort_unstable_by_key(|entry| entry.0);
            entries
        };
        let mut names = Names::new('v');
        let mut columns: Vec<Column<f64>> = self
            .variables
            .iter_variables_with_def()
            .map(|(_, definition)| Column {
                name: names.next(definition.get_name()),
                cost: 0.0,
                range: range(definition),
            })
            .collect();
        for (number, factor) in entries(&self.objective) {
            columns[number].cost = factor;
        }
        let constant = self.objective.constant();
        if constant != 0.0 {
            columns.push(Column {
                name: names.next("one"),
                cost: constant,
                range: Range::Real(1.0, 1.0),
            });
        }
        let mut names = Names::new('r');
        let rows = self.constraints.iter().map(|constraint| Row {
            name: names.next(constraint.name().unwrap_or_default()),
            relation: if constraint.is_equality() {
                Relation::Equal
            } else {
                Relation::AtMost
            },
            right: 0.0 - constraint.expression().constant(),
            entries: entries(constraint.expression()),
        });
        Text {
            title: "a formulation by matching-lp",
            rows: rows.collect(),
            columns,
        }
    }
}

impl core::fmt::Debug for Model {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Model")
            .field("variables", &self.variables.len())
            .field("constraints", &self.constraints.len())
            .finish_non_exhaustive()
    }
}

fn range(definition: &VariableDefinition) -> Range {
    let (least, most) = (definition.get_min(), definition.get_max());
    match definition.is_integer() {
        true if (least, most) == (0.0, 1.0) => Range::Binary,
        true => Range::Whole(least, most),
        false => Range::Real(least, most),
    }
}

/// Words of the LP format, in any case: some readers take them for the beginning of a section wherever they stand.
const WORDS_OF_LP: [&str; 36] = [
    "min", "minimise", "minimize", "minimum", "max", "maximise", "maximize", "maximum", "subject", "such", "st",
    "bound", "bounds", "free", "bin", "binaries", "binary", "gen", "general", "generals", "int", "integer", "integers",
    "sec", "semi", "semis", "sin", "sos", "sos1", "sos2", "lazy", "user", "pwlobj", "scenario", "multi", "end",
];

/// The same of the MPS format.
const WORDS_OF_MPS: [&str; 24] = [
    "name",
    "objsense",
    "objname",
    "rows",
    "columns",
    "rhs",
    "ranges",
    "qsection",
    "qmatrix",
    "quadobj",
    "qcmatrix",
    "csection",
    "sets",
    "indicators",
    "usercuts",
    "lazycons",
    "delayedrows",
    "modelcuts",
    "gencons",
    "pwlnam",
    "pwlcon",
    "endata",
    "marker",
    "objective",
];

/// Whether a name begins with these small letters, in any case.
fn begins_with(name: &str, start: &str) -> bool {
    name.get(..start.len())
        .is_some_and(|beginning| beginning.eq_ignore_ascii_case(start))
}

/// Names that both formats can have, each once.
struct Names {
    /// What a name begins with that is made here.
    letter: char,
    taken: HashSet<String>,
    count: usize,
}

impl Names {
    fn new(letter: char) -> Self {
        // The objective has a name, too.
        let words = ["cost"].iter().chain(&WORDS_OF_LP).chain(&WORDS_OF_MPS);
        Self {
            letter,
            taken: words.map(|&word| word.to_owned()).collect(),
            count: 0,
        }
    }

    /// The name wished for if it is a plain word that is not taken, else one with a number.
    fn next(&mut self, wish: &str) -> String {
        let number = self.count;
        self.count += 1;
        let is_plain = wish.len() <= 60
            && wish.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
            // What begins with a digit is a number, and so may be what begins with `e`, or as infinity and NaN do: some
            // readers take as much for a number as can be one.
            && wish.starts_with(|first: char| first.is_ascii_alphabetic())
            && !["e", "inf", "nan"].iter().any(|number| begins_with(wish, number))
            // Those are the names with numbers.
            && !(wish.starts_with(self.letter) && wish[1..].bytes().all(|digit| digit.is_ascii_digit()));
        if is_plain && self.taken.insert(wish.to_ascii_lowercase()) {
            wish.to_owned()
        } else {
            format!("{}{number}", self.letter)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use good_lp::variable;

    #[test]
    fn what_is_added_is_written() {
        let mut model = Model::new();
        let x = model.add_variable(variable().binary().name("keeps goal"));
        let y = model.add_variable(variable().integer().min(-2).max(3).name("even"));
        let z = model.add_variable(variable().name("late"));
        let again = model.add_variable(variable().min(0).name("Late"));
        model.add_cost(2.5 * x - 3 * y + 7);
        model.add_constraint((x + y - z).leq(4).set_name("rule".to_owned()));
        model.add_constraint((again - x).eq(0));
        let lp = model.to_lp();
        for line in [
            "Minimize\n cost: + 2.5 v0 -3 v1 + 0 late + 0 v3 + 7 one\n",
            "Subject To\n rule: + 1 v0 + 1 v1 -1 late <= 4\n r1: -1 v0 + 1 v3 = 0\n",
            "Bounds\n -2 <= v1 <= 3\n -inf <= late <= +inf\n 0 <= v3 <= +inf\n 1 <= one <= 1\n",
            "Binary\n v0\nGeneral\n v1\nEnd\n",
        ] {
            assert!(lp.contains(line), "{line}\nis not in\n{lp}");
        }
        let mps = model.to_mps();
        for line in [
            " MI BND late\n PL BND late\n",
            " BV BND v0\n",
            " one cost 7\n",
            " L rule\n E r1\n",
            " RHS rule 4\n",
        ] {
            assert!(mps.contains(line), "{line}\nis not in\n{mps}");
        }
        let whole = mps.split("'INTEND'").next().unwrap_or_default();
        assert!(whole.contains(" v1 rule 1\n") && !whole.contains(" late rule"), "{mps}");
    }

    /// A zero with a sign had two, of which not all readers know what to make.
    #[test]
    fn no_term_has_two_signs() {
        let mut model = Model::new();
        let x = model.add_variable(variable().binary());
        let y = model.add_variable(variable().binary());
        model.add_constraint((-(0.0 * x) + y).leq(1));
        let lp = model.to_lp();
        assert!(lp.contains(" r0: -0 v0 + 1 v1 <= 1\n"), "{lp}");
    }

    /// Readers took such names for the beginning of a section, or for a number.
    #[test]
    fn words_that_mean_something_else_are_no_names() {
        let words = [
            "max", "Min", "MAXIMIZE", "minimise", "maximum", "minimum", "bound", "gen", "generals", "integers", "bin",
            "binaries", "semi", "semis", "sos", "sos2", "subject", "Infinity", "inflow", "Nancy", "nan", "e1", "RHS",
            "ranges", "OBJSENSE",
        ];
        let mut model = Model::new();
        for word in words {
            model.add_variable(variable().binary().name(word));
        }
        model.add_variable(variable().binary().name("maximal"));
        let lp = model.to_lp();
        let (_, names) = lp.split_once("Binary\n").expect("a section");
        let names: Vec<&str> = names.lines().take(words.len() + 1).map(str::trim).collect();
        let mut expected: Vec<String> = (0..words.len()).map(|number| format!("v{number}")).collect();
        expected.push("maximal".to_owned());
        assert_eq!(names, expected);
    }
}
