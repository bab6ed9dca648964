//! Vertices that may stay alone in large pools, where one copy stands for two.

use matching_core::cost::DenseMatrix;
use matching_core::{Blossom, Budget, Engine, Objective, SolvedBy};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::pools::{ALLOWED, COSTS, Square};
use crate::support::{checked, solve_with, unchecked};

/// A pool of a kind, costs from `low` on.
fn pool(rng: &mut ChaCha8Rng, n: usize, kind: usize, allowed: usize, low: i64) -> DenseMatrix<i64> {
    let costs: Square<i64> = COSTS[kind % COSTS.len()].1(rng, n);
    let allowed = ALLOWED[allowed % ALLOWED.len()].1(rng, n);
    let pairs = Square::of(n, None, |u, v| allowed.at(u, v).then(|| costs.at(u, v) + low));
    DenseMatrix::from_options(n, n, &pairs.data).expect("a square")
}

/// Prices by which hardly anybody, some, nearly all or all have a partner, and weights of both signs.
fn asked(rng: &mut ChaCha8Rng, n: usize) -> Vec<Objective<i64>> {
    let different = |rng: &mut ChaCha8Rng, most: i64| (0..n).map(|_| rng.random_range(-9..=most)).collect();
    vec![
        Objective::MaxWeight,
        Objective::MaxCardinality,
        Objective::MinOptOut(different(rng, 20)),
        Objective::MinOptOut(different(rng, 2_000)),
        Objective::MinOptOut(vec![1_000_000; n]),
        Objective::MinOptOut(different(rng, 1 << 40)),
    ]
}

/// Few pairs that are forbidden or not worth it once made a pool two, which took hundreds of times longer where costs have
/// a structure.
#[test]
fn one_copy_is_as_good_as_two() {
    let mut rng = ChaCha8Rng::seed_from_u64(223);
    for case in 0..150 {
        let n = rng.random_range(2..=90);
        let low = [0, -30, 0, -1_000][case % 4];
        let costs = pool(&mut rng, n, case, case / 3, low);
        for objective in asked(&mut rng, n) {
            let sparse = solve_with(&Blossom::new().engine(Engine::Sparse), &objective, &costs);
            let sparse = sparse.map(|solution| solution.cost());
            for solver in [
                Blossom::new().engine(Engine::Dense),
                Blossom::new(),
                Blossom::new().engine(Engine::Dense).budget(Budget::new().memory(4 * n)),
            ] {
                let found = checked(&objective, &costs, unchecked(&solver, &objective, &costs));
                assert_eq!(
                    found.map(|solution| solution.cost()),
                    sparse,
                    "case {case}: {objective:?}"
                );
            }
        }
    }
}

/// A forbidden pair, or one that is worth nothing, makes no pool a hard one: work is counted, not time.
#[test]
fn few_pairs_that_are_out_of_the_question_cost_little() {
    let n = 700;
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let (_, squares) = COSTS
        .iter()
        .find(|(name, _)| *name == "squares of gaps")
        .expect("a kind");
    let gaps: Square<i64> = squares(&mut rng, n);
    let work = |is_out: &dyn Fn(usize, usize) -> bool, loss: i64| {
        let pairs = Square::of(n, None, |u, v| (!is_out(u, v)).then(|| gaps.at(u, v) - loss));
        let costs = DenseMatrix::from_options(n, n, &pairs.data).expect("a square");
        let solver = Blossom::new().objective(Objective::MaxWeight);
        let best = solver.solve(&costs).expect("always one");
        assert_eq!((best.verify(&costs), best.solved_by()), (Ok(()), SolvedBy::Dense));
        best.work()
    };
    let whole = work(&|_, _| false, 0);
    let forbidden = work(&|u, v| u + v == 17, 0);
    let negative = work(&|_, _| false, 9);
    assert!(
        forbidden.max(negative) < 4 * whole,
        "{forbidden} and {negative} units of work for {whole}"
    );
}

/// Nobody is paired where that is worth nothing, whoever solves.
#[test]
fn pairs_of_no_use_are_left_out() {
    let zeros = DenseMatrix::square(5, vec![0_i64; 25]).expect("a square");
    for engine in [Engine::Auto, Engine::Dense] {
        let best = Blossom::new()
            .engine(engine)
            .objective(Objective::MaxWeight)
            .solve(&zeros);
        assert_eq!(best.expect("always one").pairs().count(), 0, "{engine}");
    }
}
