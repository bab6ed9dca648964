//! What is wrong is refused. The parts of a certificate are private, so wrong ones are those of other problems.

use std::time::Duration;

use matching_core::cost;
use matching_lp::{Groups, Number, Problem, Solution, Solver, VerifyError};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn solved(costs: &cost::CondensedMatrix<i64>) -> Solution<i64> {
    let problem = Problem::new(costs, Groups::of_size(15, 3).unwrap()).unwrap();
    let solution = Solver::new().solve(&problem).unwrap();
    solution.verify(&problem).unwrap();
    solution
}

#[test]
fn an_answer_of_another_problem_is_refused() {
    for seed in 0..10 {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let data: Vec<i64> = (0..15 * 14 / 2).map(|_| rng.random_range(0..100)).collect();
        let costs = cost::CondensedMatrix::new(15, data.clone()).unwrap();
        let solution = solved(&costs);

        // Other sizes, other wishes.
        let others = Problem::new(&costs, Groups::of_size(15, 5).unwrap()).unwrap();
        assert!(matches!(
            solution.verify(&others),
            Err(VerifyError::WrongNumberOfGroups { .. })
        ));
        let group = &solution.groups()[0];
        let same = || Problem::new(&costs, Groups::of_size(15, 3).unwrap()).unwrap();
        let apart = same().apart(group[0], group[1]).unwrap();
        assert!(matches!(solution.verify(&apart), Err(VerifyError::Forbidden { .. })));
        let party = same().party(&[group[0], solution.groups()[1][0]]).unwrap();
        assert!(matches!(solution.verify(&party), Err(VerifyError::PartySplit { .. })));

        // A pair inside a group costs one more; a pair that is not together costs nothing at all.
        let at = |i: usize, j: usize| i * 15 - i * (i + 1) / 2 + j - i - 1;
        let mut dearer = data.clone();
        dearer[at(group[0], group[1])] += 1;
        let dearer = cost::CondensedMatrix::new(15, dearer).unwrap();
        let problem = Problem::new(&dearer, Groups::of_size(15, 3).unwrap()).unwrap();
        let claimed = Number::Integer(solution.cost());
        let counted = Some(Number::Integer(solution.cost() + 1));
        assert_eq!(
            solution.verify(&problem),
            Err(VerifyError::WrongCost { claimed, counted })
        );
        let mut cheaper = data;
        for i in 0..15 {
            for j in i + 1..15 {
                if !solution
                    .groups()
                    .iter()
                    .any(|group| group.contains(&i) && group.contains(&j))
                {
                    cheaper[at(i, j)] = 0;
                }
            }
        }
        let cheaper = cost::CondensedMatrix::new(15, cheaper).unwrap();
        let problem = Problem::new(&cheaper, Groups::of_size(15, 3).unwrap()).unwrap();
        assert!(matches!(
            solution.verify(&problem),
            Err(VerifyError::PaysTooMuch { .. })
        ));
    }
}

#[test]
fn a_certificate_says_how_much_is_in_it() {
    let mut rng = ChaCha8Rng::seed_from_u64(9);
    let data: Vec<i64> = (0..30 * 29 / 2).map(|_| rng.random_range(0..1000)).collect();
    let costs = cost::CondensedMatrix::new(30, data).unwrap();
    let parts = |solver: Solver<'_>, size: usize| {
        let problem = Problem::new(&costs, Groups::of_size(30, size).unwrap()).unwrap();
        let solution = solver.solve(&problem).unwrap();
        solution.verify(&problem).unwrap();
        let certificate = solution.certificate();
        (certificate.is_empty(), certificate.len(), certificate.splits())
    };
    assert_eq!(parts(Solver::new().time(Duration::ZERO), 5), (true, 0, 0), "no time");
    assert_eq!(
        parts(Solver::new().work(0), 5),
        (false, 1, 0),
        "what each player costs at least"
    );
    assert_eq!(parts(Solver::new(), 2), (false, 1, 0), "a pairing");
    let certificates = (0..20).map(|seed| {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let data = (0..15 * 14 / 2).map(|_| rng.random_range(0..100)).collect();
        solved(&cost::CondensedMatrix::new(15, data).unwrap())
            .certificate()
            .clone()
    });
    // Duals, and a tree for some: of each of its cases something is said.
    let (trees, alone): (Vec<_>, Vec<_>) = certificates.partition(|certificate| certificate.splits() > 0);
    assert!(!trees.is_empty() && !alone.is_empty());
    assert!(
        trees
            .iter()
            .all(|tree| !tree.is_empty() && tree.len() > 2 * tree.splits())
    );
    assert!(alone.iter().any(|duals| !duals.is_empty() && duals.len() == 1));
}
