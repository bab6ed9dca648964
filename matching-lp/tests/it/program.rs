//! The exported program, solved by a solver that nobody here wrote: `microlp`, through `good_lp`.

use good_lp::{Expression, ProblemVariables, ResolutionError, Solution, SolverModel, microlp, variable};
use matching_core::{GroupCost, cost};
use matching_lp::{Column, Error, Groups, Overflow, Place, Problem, SetPartitioning, Solver};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use crate::mixtures::{Built, random};
use crate::oracle::Plain;

/// The least cost of the program, `None` where it has no solution.
fn least(plain: &Plain, program: &SetPartitioning<i64>) -> Option<i64> {
    let mut variables = ProblemVariables::new();
    // As many groups may stay empty as there are.
    let groups = plain.bounds.len() as f64;
    let most = |column: &Column<i128>| if column.players.is_empty() { groups } else { 1.0 };
    let columns = program.columns().iter();
    let chosen: Vec<_> = columns
        .map(|column| variables.add(variable().integer().min(0).max(most(column))))
        .collect();
    let columns = || program.columns().iter().zip(&chosen);
    let cost: Expression = columns().map(|(column, &chosen)| column.cost as f64 * chosen).sum();
    let mut model = variables.minimise(cost.clone()).using(microlp);
    for player in 0..plain.players {
        let holds = columns().filter(|(column, _)| column.players.contains(&player));
        let sum: Expression = holds.map(|(_, &chosen)| Expression::from(chosen)).sum();
        model.add_constraint(sum.eq(1.0));
    }
    for (kind, sizes) in program.sizes().iter().enumerate() {
        let in_kind = columns().filter(|(column, _)| column.place == Place::Group(kind));
        let sum: Expression = in_kind.map(|(_, &chosen)| Expression::from(chosen)).sum();
        model.add_constraint(sum.eq(sizes.groups as f64));
    }
    let waiting = columns().filter(|(column, _)| column.place == Place::Bench);
    let sum: Expression = waiting
        .map(|(column, &chosen)| column.players.len() as f64 * chosen)
        .sum();
    model.add_constraint(sum.leq(plain.bench as f64));
    match model.solve() {
        Ok(solution) => Some(solution.eval(&cost).round() as i64),
        Err(ResolutionError::Infeasible) => None,
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn another_solver_finds_the_same() {
    let mut compared = 0;
    for seed in 1_000_000..1_000_080 {
        let plain = random(&mut ChaCha8Rng::seed_from_u64(seed), 8);
        let built = Built::new(&plain);
        let problem = built.problem().unwrap();
        let program = match SetPartitioning::new(&problem, 10_000) {
            Ok(program) => program,
            Err(error @ (Error::PartyTooLarge { .. } | Error::PinsDisagree { .. } | Error::TooManyPinned { .. })) => {
                assert_eq!(Solver::new().solve(&problem), Err(error), "seed {seed}");
                continue;
            }
            Err(error) => panic!("{error}"),
        };
        match Solver::new().solve(&problem) {
            Ok(solution) => {
                assert_eq!(
                    Some(solution.cost()),
                    least(&plain, &program).map(i128::from),
                    "seed {seed}"
                );
                compared += 1;
            }
            Err(Error::Infeasible(_)) => assert_eq!(least(&plain, &program), None, "seed {seed}"),
            Err(error) => panic!("{error}"),
        }
    }
    assert!(compared > 20, "{compared}");
}

#[test]
fn texts_name_every_row_and_column() {
    let plain = Plain {
        players: 3,
        cost: vec![0, -4, 7, 0, 0, 2, 0, 0, 0],
        bounds: vec![(2, 2)],
        bench: 1,
        waiting: vec![5, 6, 7],
        parties: vec![],
        apart: vec![(0, 2)],
        ..Plain::default()
    };
    let built = Built::new(&plain);
    let problem = built.problem().unwrap();
    assert_eq!(SetPartitioning::new(&problem, 1), Err(Error::TooManyTeams { most: 1 }));
    let program = SetPartitioning::new(&problem, 10).unwrap();
    let columns: Vec<(&[usize], Place, i128)> = program
        .columns()
        .iter()
        .map(|column| (&column.players[..], column.place, column.cost))
        .collect();
    let at = |players: &[usize]| columns.iter().position(|column| column.0 == players).unwrap();
    assert_eq!(columns.len(), 5);
    assert_eq!(columns[at(&[0, 1])], (&[0, 1][..], Place::Group(0), -4));
    assert_eq!(columns[at(&[2])], (&[2][..], Place::Bench, 7));
    let lp = program.to_lp();
    assert!(
        lp.contains(&format!(
            " player0: + 1 c{} + 1 c{} = 1\n",
            at(&[0]).min(at(&[0, 1])),
            at(&[0]).max(at(&[0, 1]))
        )),
        "{lp}"
    );
    assert!(
        lp.contains(&format!(" -4 c{}", at(&[0, 1]))) && lp.contains("<= 1\n") && lp.ends_with("End\n"),
        "{lp}"
    );
    let mps = program.to_mps();
    // CBC reads neither a marker of four words nor free fields that are not said to be free.
    assert!(
        mps.starts_with("NAME grouping FREE\n") && mps.contains("\n MARKER 'MARKER' 'INTORG'\n"),
        "{mps}"
    );
    assert!(
        mps.contains(&format!("\n c{} cost -4\n", at(&[0, 1]))) && mps.contains("\n RHS bench 1\n"),
        "{mps}"
    );
    assert!(
        mps.contains(&format!("\n c{} groups0 1\n", at(&[1, 2]))) && mps.contains(" L bench\n"),
        "{mps}"
    );
}

/// A team whose cost does not fit was missing from the program, as if it were forbidden.
#[test]
fn costs_that_do_not_fit_are_an_error() {
    struct Dear;
    impl GroupCost for Dear {
        type Value = i64;

        fn len(&self) -> usize {
            6
        }

        fn group(&self, members: &[usize]) -> i64 {
            if members == [0, 1, 2] { -(1 << 45) } else { 1 }
        }
    }
    let problem = Problem::by_group(&Dear, Groups::of_size(6, 3).unwrap()).unwrap();
    let overflow = Overflow::Share {
        members: vec![0, 1, 2],
        cost: -1 << 45,
        most: 1 << 39,
    };
    assert_eq!(
        SetPartitioning::new(&problem, 1000).unwrap_err(),
        Error::CostOverflow(overflow)
    );
}

/// A program without columns had rows and no variable in MPS format, which HiGHS takes for an empty program, at no cost;
/// in LP format it had one, and was infeasible, as it is.
#[test]
fn a_program_without_columns_has_a_variable_in_both_formats() {
    let none = matching_core::Cost::restricted(cost::from_symmetric_fn(4, |_, _| 0_i64), |_, _| false);
    let problem = Problem::new(&none, Groups::of_size(4, 2).expect("two groups")).expect("a problem");
    let program = SetPartitioning::new(&problem, 100).expect("no teams at all");
    assert!(program.columns().is_empty());
    assert!(program.to_lp().contains(" 0 none\n"));
    assert!(program.to_mps().contains("\n none cost 0\n"), "{}", program.to_mps());
}

/// Players who may wait were counted as teams, though only once there was a team.
#[test]
fn only_teams_count_where_there_may_be_so_many() {
    let flat = cost::from_symmetric_fn(10, |_, _| 1_i64);
    let apart = cost::from_symmetric_fn(10, |_, _| 1_i64);
    let nobody = matching_core::Cost::restricted(&apart, |_, _| false);
    let groups = || Groups::with_bounds([2..=2]).unwrap().with_bench(10);
    // 45 pairs, and ten who wait.
    let problem = Problem::new(&flat, groups()).unwrap();
    assert_eq!(SetPartitioning::new(&problem, 45).unwrap().columns().len(), 55);
    let error = SetPartitioning::new(&problem, 44).unwrap_err();
    assert_eq!(error, Error::TooManyTeams { most: 44 });
    // No team at all.
    let problem = Problem::new(&nobody, groups()).unwrap();
    assert_eq!(SetPartitioning::new(&problem, 0).unwrap().columns().len(), 10);
}

/// Lines had twenty terms each, however long these were, and floats as many digits as there are powers of ten: some lines were
/// longer than the 560 characters that CPLEX takes.
#[test]
fn lines_of_the_lp_format_are_as_short_as_readers_want_them() {
    for size in [1.0 / 7.0, 1e300 / 7.0, 1e-300 / 7.0] {
        let cost = cost::from_symmetric_fn(24, |i, j| size * (i * j + 1) as f64);
        let problem = Problem::new(&cost, Groups::of_size(24, 3).unwrap()).unwrap();
        let program = SetPartitioning::new(&problem, 10_000).unwrap();
        let (lp, mps) = (program.to_lp(), program.to_mps());
        for text in [&lp, &mps] {
            let longest = text.lines().map(str::len).max().unwrap_or_default();
            assert!(longest <= 255, "a line of {longest} characters");
        }
        let objective = lp
            .split_once("cost:")
            .and_then(|parts| parts.1.split_once("Subject To"));
        let (objective, _) = objective.expect("an objective");
        let words: Vec<&str> = objective.split_whitespace().collect();
        let told = words.chunks(3).map(|term| match term {
            ["+", cost, _] => cost.parse::<f64>().expect("a number"),
            other => panic!("{other:?}"),
        });
        assert!(told.eq(program.columns().iter().map(|column| column.cost)));
    }
}
