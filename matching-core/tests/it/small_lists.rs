//! One workspace for lists of edges of all sizes and shapes, and for pools in between, against exhaustive search and
//! solves in fresh memory.

use matching_core::{
    Blossom, Budget, CostValue, EdgeList, Engine, Error, Objective, Precision, SolvedBy, Workspace, cost, oracle,
    verify,
};
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::support::{SHAPES, WEIGHTS, graph, objectives, random_graph};

/// Solves in the workspace and checks whatever comes out: the cost, or `None` with a checked witness.
#[track_caller]
fn checked<V: CostValue>(
    blossom: &Blossom<V>,
    objective: &Objective<V>,
    edges: &EdgeList<V>,
    workspace: &mut Workspace<V>,
) -> Option<V::Total> {
    let blossom = blossom.clone().objective(objective.clone());
    match blossom.solve_list_with(edges, workspace) {
        Ok(solution) => {
            solution
                .verify(edges)
                .unwrap_or_else(|error| panic!("answer refused ({objective:?}): {error}"));
            assert_eq!(solution.objective(), objective);
            assert!(solution.pairs().is_sorted_by_key(|(u, _, _)| u), "pairs are in order");
            Some(solution.cost())
        }
        Err(Error::NoPerfectMatching(witness)) => {
            verify::infeasibility(edges, objective, &witness)
                .unwrap_or_else(|error| panic!("witness refused ({objective:?}): {error}, {witness:?}"));
            None
        }
        Err(error) => panic!("no answer ({objective:?}): {error:?}"),
    }
}

#[test]
fn tiny_lists_agree_with_exhaustive_search() {
    let mut rng = ChaCha8Rng::seed_from_u64(179);
    let mut workspace = Workspace::new();
    let mut infeasible = 0;
    for case in 0..1_500 {
        let n = rng.random_range(0..=9);
        let weights = *WEIGHTS.choose(&mut rng).unwrap();
        let edges = graph(n, &random_graph(&mut rng, n, SHAPES[case % SHAPES.len()], weights));
        let singles: Vec<i64> = (0..n).map(|_| rng.random_range(-3..20)).collect();
        for objective in objectives(&singles, &singles) {
            let found = checked(&Blossom::new(), &objective, &edges, &mut workspace);
            let best = oracle::solve(&edges, &objective).expect("a valid instance");
            assert_eq!(found, best.map(|best| best.cost), "{objective:?} {edges:?}");
            infeasible += u32::from(found.is_none());
        }
    }
    assert!(infeasible > 500, "{infeasible} had no perfect matching");
}

/// Lists around the sizes up to which they are solved in the workspace; weights that change; pools in between.
#[test]
fn lists_agree_with_solves_in_fresh_memory() {
    let mut rng = ChaCha8Rng::seed_from_u64(181);
    let mut workspace = Workspace::new();
    let mut by = [0; 2];
    for case in 0..400 {
        let n = rng.random_range(2..=40);
        let weights = *WEIGHTS.choose(&mut rng).unwrap();
        let triples = random_graph(&mut rng, n, SHAPES[case % SHAPES.len()], weights);
        let mut edges = graph(n, &triples);
        let singles: Vec<i64> = (0..n).map(|_| rng.random_range(weights.0..=weights.1)).collect();
        for objective in objectives(&singles, &singles) {
            if !triples.is_empty() {
                let (edge, weight) = (rng.random_range(0..triples.len()), rng.random_range(-9..=9));
                edges.set_weight(edge, weight).unwrap();
                assert_eq!(edges.edges()[edge].weight, weight);
            }
            let fresh = Blossom::new().engine(Engine::Sparse).objective(objective.clone());
            let fresh = fresh.solve(&edges).ok().map(|fresh| fresh.cost());
            let found = checked(&Blossom::new(), &objective, &edges, &mut workspace);
            assert_eq!(found, fresh, "{objective:?} {edges:?}");
            let blossom = Blossom::new().objective(objective);
            if let Ok(solution) = blossom.solve_list_with(&edges, &mut workspace) {
                let is_small = solution.solved_by() == SolvedBy::Small;
                assert_eq!(is_small, n <= 32 && !triples.is_empty(), "{n} vertices");
                by[usize::from(is_small)] += 1;
            }
        }
        let pool = cost::from_symmetric_fn(2 + 2 * (case % 9), |i, j| (i * j) as i64 % 7);
        let pairing = Blossom::new().solve_with(&pool, &mut workspace).unwrap();
        pairing.verify(&pool).unwrap();
    }
    assert!(by.iter().all(|&count| count > 300), "{by:?}");
}

#[test]
fn floats_and_wide_integers_are_as_ever() {
    let mut rng = ChaCha8Rng::seed_from_u64(191);
    let (mut floats, mut wide) = (Workspace::new(), Workspace::new());
    for case in 0..200 {
        let n = rng.random_range(2..=18);
        let triples = random_graph(&mut rng, n, SHAPES[case % SHAPES.len()], (-1_000, 1_000));
        let tenths: Vec<_> = triples
            .iter()
            .map(|&(u, v, weight)| (u, v, weight as f64 / 10.0))
            .collect();
        let singles: Vec<f64> = (0..n).map(|_| f64::from(rng.random_range(-9..90)) / 8.0).collect();
        for objective in objectives(&singles, &singles) {
            for precision in [Precision::Exact, Precision::Quantised] {
                let blossom = Blossom::new().precision(precision);
                let found = checked(&blossom, &objective, &graph(n, &tenths), &mut floats);
                let fresh = blossom.objective(objective.clone()).solve(&graph(n, &tenths));
                assert_eq!(found, fresh.ok().map(|fresh| fresh.cost()), "{objective:?}");
            }
        }
        // Beyond 64 bits, and within them again.
        let far: Vec<_> = triples
            .iter()
            .map(|&(u, v, weight)| (u, v, weight << (30 * (case % 3))))
            .collect();
        let singles: Vec<i64> = vec![i64::MAX >> (case % 2 * 40); n];
        for objective in objectives(&singles, &singles) {
            let found = checked(&Blossom::new(), &objective, &graph(n, &far), &mut wide);
            let fresh = Blossom::new().objective(objective.clone()).solve(&graph(n, &far));
            assert_eq!(found, fresh.ok().map(|fresh| fresh.cost()), "{objective:?}");
        }
    }
}

#[test]
fn what_is_not_made_for_it_is_handed_on_and_faults_are_named() {
    let mut workspace = Workspace::new();
    let square = graph(4, &[(0, 1, 4_i64), (1, 2, 1), (2, 3, 4), (0, 3, 5)]);
    for engine in [Engine::Sparse, Engine::Dense] {
        let blossom = Blossom::new().engine(engine);
        let solution = blossom.solve_list_with(&square, &mut workspace).unwrap();
        assert_ne!(solution.solved_by(), SolvedBy::Small);
    }
    let limited = Blossom::new().budget(Budget::new().work(1 << 30));
    let solution = limited.solve_list_with(&square, &mut workspace).unwrap();
    assert_eq!((solution.solved_by(), solution.cost()), (SolvedBy::Sparse, 6));
    let short = Blossom::new().objective(Objective::MinOptOut(vec![1; 3]));
    let error = short.solve_list_with(&square, &mut workspace).err();
    assert_eq!(error, short.solve(&square).err());
    assert!(matches!(error, Some(Error::LengthMismatch { .. })));
    let mut triangle = graph(3, &[(0, 1, 1.0), (1, 2, 2.0), (0, 2, 3.0)]);
    assert_eq!(
        triangle.set_weight(1, f64::INFINITY),
        Err(Error::NotANumber { u: 1, v: 2 })
    );
    assert_eq!(triangle.edges()[1].weight, 2.0);
    let nan = Blossom::new().objective(Objective::MinBye(vec![0.0, f64::NAN, 0.0]));
    let mut floats = Workspace::new();
    let error = nan.solve_list_with(&triangle, &mut floats).err();
    assert_eq!(error, Some(Error::PenaltyNotANumber { vertex: 1 }));
    let odd = Blossom::new().solve_list_with(&triangle, &mut floats);
    assert!(matches!(odd, Err(Error::NoPerfectMatching(_))));
    let bye = Blossom::new().objective(Objective::MinBye(vec![0.5; 3]));
    assert_eq!(bye.solve_list_with(&triangle, &mut floats).unwrap().cost(), 1.5);
    // The workspace is as good as before.
    let solution = Blossom::new().solve_list_with(&square, &mut workspace).unwrap();
    assert_eq!((solution.solved_by(), solution.cost()), (SolvedBy::Small, 6));
}
