//! The checker reads a cost row by row and a list edge by edge: whatever an answer says, both must judge it alike.

use matching_core::cost::{self, CondensedMatrix, DenseMatrix};
use matching_core::verify::{self, Claim, VerifyError};
use matching_core::{
    Blossom, Certificate, Cost, CostValue, Edge, Error, Instance, Objective, OddSet, Precision, Solution, Status,
};
use num_traits::One;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::support::objectives;

/// A symmetric matrix of random entries, some of them forbidden.
fn random_matrix<V: CostValue>(
    rng: &mut ChaCha8Rng,
    n: usize,
    forbidden: u32,
    draw: impl Fn(&mut ChaCha8Rng) -> V,
) -> DenseMatrix<V> {
    let mut entries = vec![V::zero(); n * n];
    for (i, j) in (0..n).flat_map(|i| (i + 1..n).map(move |j| (i, j))) {
        let entry = draw(rng);
        (entries[i * n + j], entries[j * n + i]) = (entry, entry);
    }
    let mut matrix = DenseMatrix::square(n, entries).expect("n rows of n");
    for (i, j) in (0..n).flat_map(|i| (i + 1..n).map(move |j| (i, j))) {
        if rng.random_range(0..100) < forbidden {
            matrix.forbid_pair(i, j);
        }
    }
    matrix
}

/// The same matrix in one of the ways in which a cost may present itself.
fn presented<V: CostValue>(matrix: &DenseMatrix<V>, way: usize) -> Box<dyn Cost<Value = V> + '_> {
    let n = matrix.len();
    match way % 5 {
        0 => Box::new(matrix),
        1 => Box::new(cost::from_fn(n, |i, j| matrix.pair(i, j)).restricted(|i, j| matrix.is_allowed(i, j))),
        2 => Box::new(cost::from_symmetric_fn(n, |i, j| matrix.pair(i, j)).restricted(|i, j| matrix.is_allowed(i, j))),
        3 => Box::new(matrix.scaled(V::one())),
        _ => {
            let pairs = (0..n).flat_map(|i| (i + 1..n).map(move |j| (i, j)));
            let entries: Vec<_> = pairs
                .map(|(i, j)| matrix.is_allowed(i, j).then(|| matrix.pair(i, j)))
                .collect();
            Box::new(CondensedMatrix::from_options(n, &entries).expect("all pairs"))
        }
    }
}

/// An answer in parts that can be changed.
#[derive(Clone, Debug)]
struct Parts<V: CostValue> {
    objective: Objective<V>,
    mates: Vec<u32>,
    pairs: Vec<Edge<V>>,
    cost: V::Total,
    bound: V::Total,
    status: Status,
    duals: Vec<i128>,
    order: Vec<u32>,
    sets: Vec<OddSet>,
    exponent: i32,
}

impl<V: CostValue> Parts<V> {
    fn new(solution: &Solution<V>) -> Self {
        let certificate = solution.certificate();
        let edge = |(u, v, weight)| Edge {
            u: u as u32,
            v: v as u32,
            weight,
        };
        Self {
            objective: solution.objective().clone(),
            mates: (0..solution.len())
                .map(|v| solution.mate(v).map_or(u32::MAX, |mate| mate as u32))
                .collect(),
            pairs: solution.pairs().map(edge).collect(),
            cost: solution.cost(),
            bound: solution.bound(),
            status: solution.status(),
            duals: certificate.vertex_duals().to_vec(),
            order: certificate.order().to_vec(),
            sets: certificate.odd_sets().to_vec(),
            exponent: certificate.exponent(),
        }
    }

    fn verdict<I: Instance<Value = V> + ?Sized>(&self, instance: &I) -> Result<(), VerifyError> {
        let certificate = Certificate::new(self.duals.clone(), self.order.clone(), self.sets.clone(), self.exponent);
        let claim = Claim {
            objective: &self.objective,
            mates: &self.mates,
            pairs: &self.pairs,
            cost: self.cost,
            bound: self.bound,
            status: self.status,
            certificate: &certificate,
        };
        verify::claim(instance, &claim)
    }
}

/// Number of kinds of [`change`].
const KINDS: usize = 17;

/// A change after which the answer may or may not be right.
fn change<V: CostValue>(parts: &mut Parts<V>, kind: usize, rng: &mut ChaCha8Rng) {
    let (vertices, n) = (parts.duals.len(), parts.mates.len());
    let mut any = |len: usize| rng.random_range(0..len.max(1));
    match kind {
        _ if n == 0 => {}
        0 => parts.duals[any(vertices)] += 1,
        1 => parts.duals[any(vertices)] -= 1,
        2 => {
            let (a, b) = (any(vertices), any(vertices));
            parts.duals[a] += 1;
            parts.duals[b] -= 1;
        }
        3 => {
            // From shifts within 64 bits to sums beyond 128.
            let shift = 1i128 << (10 * any(13));
            let (a, b) = (any(vertices), any(vertices));
            parts.duals[a] = parts.duals[a].saturating_add(shift);
            parts.duals[b] = parts.duals[b].saturating_sub(shift);
        }
        4 => parts.order.swap(any(vertices), any(vertices)),
        5 => parts.cost = parts.cost + V::Total::one(),
        6 => parts.bound = parts.bound - V::Total::one(),
        7 => parts.exponent += [-1, 1, 300][any(3)],
        8 => {
            let (start, len) = (any(vertices) as u32, 1 + any(vertices) as u32);
            let dual = any(3) as i128;
            parts
                .sets
                .insert(any(parts.sets.len() + 1), OddSet { start, len, dual });
        }
        9 => parts.duals.truncate(vertices - 1),
        10 => parts.mates.swap(any(n), any(n)),
        11 | 12 if parts.sets.is_empty() => {}
        11 => {
            let at = any(parts.sets.len());
            parts.sets.remove(at);
        }
        12 => {
            let at = any(parts.sets.len());
            parts.sets[at].dual += [-2, -1, 1, 2][any(4)];
        }
        13 => {
            // Somebody pairs with itself, for nothing.
            let u = any(n) as u32;
            let weight = V::zero();
            let mate = core::mem::replace(&mut parts.mates[u as usize], u);
            parts.pairs.retain(|pair| pair.u != u && pair.v != u);
            if mate != u32::MAX {
                parts.mates[mate as usize] = u32::MAX;
            }
            parts.pairs.push(Edge { u, v: u, weight });
            parts.pairs.sort_by_key(|pair| pair.u);
        }
        _ if parts.pairs.is_empty() => {}
        14 => {
            let at = any(parts.pairs.len());
            parts.pairs[at].weight = parts.pairs[at].weight + V::one();
        }
        15 => {
            let gone = parts.pairs.remove(any(parts.pairs.len()));
            (parts.mates[gone.u as usize], parts.mates[gone.v as usize]) = (u32::MAX, u32::MAX);
        }
        _ => {
            // Two pairs change partners: those may be forbidden, and are not worth what they are said to be.
            let (a, b) = (any(parts.pairs.len()), any(parts.pairs.len()));
            let (low, high) = (parts.pairs[a.min(b)], parts.pairs[a.max(b)]);
            if low.v < high.v && a != b {
                (parts.pairs[a.min(b)].v, parts.pairs[a.max(b)].v) = (high.v, low.v);
                if high.u < low.v {
                    for pair in [parts.pairs[a], parts.pairs[b]] {
                        (parts.mates[pair.u as usize], parts.mates[pair.v as usize]) = (pair.v, pair.u);
                    }
                }
            }
        }
    }
}

/// Both ways to read the input must lead to the same verdict; where they go through the edges in the same order, for
/// the same reason.
#[track_caller]
fn assert_alike<V: CostValue>(cost: &dyn Cost<Value = V>, parts: &Parts<V>) -> bool {
    let list = cost.to_edges().expect("a symmetric cost");
    let (streamed, listed) = (parts.verdict(&cost), parts.verdict(&*list));
    let is_doubled = parts.duals.len() > parts.mates.len() + 1;
    if is_doubled {
        assert_eq!(streamed.is_ok(), listed.is_ok(), "{streamed:?} {listed:?} {parts:?}");
    } else {
        assert_eq!(streamed, listed, "{parts:?}");
    }
    listed.is_ok()
}

/// Solves random costs, changes answers and costs, and compares verdicts; returns how many were right and wrong.
fn compare<V: CostValue>(
    seed: u64,
    rounds: usize,
    sizes: core::ops::RangeInclusive<usize>,
    draw: impl Fn(&mut ChaCha8Rng) -> V,
) -> [usize; 2] {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut verdicts = [0; 2];
    for round in 0..rounds {
        let n = rng.random_range(sizes.clone());
        let matrix = random_matrix(&mut rng, n, [0, 10, 50][round % 3], &draw);
        let cost = presented(&matrix, round / 3);
        let singles: Vec<V> = (0..n).map(|_| draw(&mut rng)).collect();
        let objective = objectives(&singles, &singles)[round / 15 % 6].clone();
        let solver = Blossom::new().objective(objective).precision(Precision::Quantised);
        let solution = match solver.solve(&cost) {
            Ok(solution) => solution,
            Err(Error::NoPerfectMatching(_)) => continue,
            Err(error) => panic!("{error}"),
        };
        let whole = Parts::new(&solution);
        assert!(assert_alike(&*cost, &whole), "the answer is right");
        for kind in 0..KINDS {
            let mut parts = whole.clone();
            change(&mut parts, kind, &mut rng);
            verdicts[usize::from(assert_alike(&*cost, &parts))] += 1;
        }
        // The same answer to other costs.
        if n >= 2 {
            let (i, j) = (rng.random_range(1..n), rng.random_range(0..n));
            let (i, j) = if i == j { (0, j) } else { (i, j) };
            let step = [V::one(), V::zero() - V::one(), draw(&mut rng)][rng.random_range(0..3)];
            let bent = cost::from_symmetric_fn(n, |u, v| {
                let is_bent = (u.min(v), u.max(v)) == (i.min(j), i.max(j));
                matrix.pair(u, v) + if is_bent { step } else { V::zero() }
            });
            let bent = bent.restricted(|u, v| matrix.is_allowed(u, v));
            verdicts[usize::from(assert_alike(&bent, &whole))] += 1;
        }
    }
    verdicts
}

#[test]
fn costs_and_lists_are_judged_alike() {
    let small = |seed, low: i64, high: i64| {
        compare(seed, 900, 0..=12, move |rng| rng.random_range(low..=high))
            .iter()
            .zip(compare(seed, 300, 0..=12, move |rng| {
                rng.random_range(low..=high) as i32
            }))
            .map(|(a, b)| a + b)
            .collect::<Vec<_>>()
    };
    for (seed, (low, high)) in [(0, 1), (-3, 3), (-1000, 1000), (1, 1 << 30)].into_iter().enumerate() {
        let verdicts = small(seed as u64, low, high);
        assert!(verdicts.iter().all(|&count| count > 500), "{verdicts:?}");
    }
    // Sizes around the limit of what can be cleared in 64 bits, and far beyond.
    for bits in [59, 60, 61, 62, 90] {
        let wide = 1i128 << bits;
        compare(bits, 300, 2..=10, move |rng| rng.random_range(-wide..=wide));
    }
    let wide = 1i64 << 61;
    compare(1, 300, 2..=10, move |rng| rng.random_range(-wide..=wide));
}

#[test]
fn float_costs_and_lists_are_judged_alike() {
    compare(11, 900, 0..=12, |rng| rng.random_range(-1.0..1.0f64));
    compare(12, 900, 0..=12, |rng| f64::from(rng.random_range(-9..9)) / 4.0);
    compare(13, 900, 0..=12, |rng| f64::from(rng.random_range(0..99)) / 10.0);
    compare(14, 900, 0..=12, |rng| {
        10f64.powi(rng.random_range(-20..20)) * rng.random_range(-1.0..1.0)
    });
    compare(15, 300, 0..=12, |rng| f64::from_bits(rng.random_range(0..1 << 20)));
    compare(16, 300, 0..=12, |rng| rng.random_range(-1.0..1.0f32));
}

#[test]
fn costs_of_many_blocks_and_lists_are_judged_alike() {
    compare(21, 90, 62..=200, |rng| rng.random_range(0..=40i32));
    compare(22, 45, 62..=200, |rng| rng.random_range(-500..=500i64));
    compare(23, 45, 62..=140, |rng| f64::from(rng.random_range(0..99)) / 8.0);
    compare(24, 45, 62..=140, |rng| rng.random_range(0.0..1.0f64));
}

/// Duals that say nothing: low enough for any cost used here.
fn humble(n: usize) -> Certificate {
    Certificate::new(vec![-1 << 50; n], (0..n as u32).collect(), Vec::new(), 0)
}

/// The one fault of a cost must be named as [`Instance::to_edges`] names it.
#[track_caller]
fn assert_refused<C: Cost>(cost: &C) {
    assert_refused_with(cost, &humble(cost.len()));
}

#[track_caller]
fn assert_refused_with<C: Cost>(cost: &C, certificate: &Certificate) {
    let expected = cost.to_edges().expect_err("a fault");
    let found = verify::certificate(cost, &Objective::MinPerfect, certificate);
    assert_eq!(found, Err(VerifyError::Input(expected.clone())));
    let witness = matching_core::TutteBerge::new(Vec::new(), Vec::new());
    assert_eq!(verify::witness(cost, &witness), Err(VerifyError::Input(expected)));
}

#[test]
fn costs_that_cannot_be_read_are_refused_wherever_the_fault_lies() {
    let mut rng = ChaCha8Rng::seed_from_u64(31);
    for round in 0..150 {
        let n = rng.random_range(2..=200);
        let (u, v) = (rng.random_range(0..n), rng.random_range(1..n));
        let (u, v) = if u == v { (u, 0) } else { (u, v) };
        let forbidden = [0, 20][round % 2];
        let matrix = random_matrix(&mut rng, n, forbidden, |rng| rng.random_range(0.0..1.0f64));
        let with = |changed: &[(usize, usize, f64)]| {
            let mut entries = matrix.as_slice().to_vec();
            for &(i, j, entry) in changed {
                entries[i * n + j] = entry;
            }
            DenseMatrix::square(n, entries).expect("n rows of n")
        };
        for changed in [
            vec![(u, v, 2.0)],
            vec![(u, v, f64::NAN)],
            vec![(u, v, f64::NAN), (v, u, f64::NAN)],
            vec![(u, v, f64::INFINITY), (v, u, f64::INFINITY)],
        ] {
            let bad = with(&changed);
            assert_refused(&bad);
            assert_refused(&cost::from_fn(n, |i, j| bad.pair(i, j)));
            let (i, j) = (u, v);
            assert_refused(&bad.restricted(|a, b| (a.min(b), a.max(b)) == (i.min(j), i.max(j))));
        }
        let mut one_way = matrix.clone();
        if one_way.is_allowed(u, v) {
            one_way.forbid(u, v);
            assert_refused(&one_way);
        }
        // Nobody reads the diagonal, nor forbidden pairs.
        let bad = with(&[(u, u, f64::NAN), (u, v, f64::NAN), (v, u, 3.0)]).restricted(|i, j| i + j != u + v);
        let found = verify::certificate(&bad, &Objective::MinPerfect, &humble(n));
        assert_eq!(found, Ok(-(n as i128) << 50));
        let too_low = cost::from_fn(n, |i, j| {
            if (i.min(j), i.max(j)) == (u.min(v), u.max(v)) {
                i64::MIN
            } else {
                0
            }
        });
        assert_refused(&too_low.negated());
    }
    assert_refused(&cost::from_rectangular_fn(2, 3, |_, _| 1i64));
    // The limit on vertices; a list's own limit on its pairs is none of a checker that keeps no pair.
    assert_refused_with(&cost::from_symmetric_fn(1 << 29, |_, _| 1i64), &humble(0));
}

#[test]
fn witnesses_are_judged_alike() {
    let mut rng = ChaCha8Rng::seed_from_u64(32);
    let mut verdicts = [0; 2];
    for round in 0..600 {
        let n = rng.random_range(1..=9);
        let matrix = random_matrix(&mut rng, n, 70, |rng| rng.random_range(0..9i32));
        let cost = presented(&matrix, round);
        let Err(Error::NoPerfectMatching(witness)) = Blossom::new().solve(&cost) else {
            continue;
        };
        let list = cost.to_edges().expect("symmetric");
        assert_eq!(verify::witness(&cost, &witness), Ok(()));
        let (mut removed, mut components) = (witness.removed().to_vec(), witness.odd_components().to_vec());
        match rng.random_range(0..3) {
            0 => drop(removed.pop()),
            1 => components.push(vec![rng.random_range(0..n)]),
            _ => components.truncate(components.len() - 1),
        }
        let bent = matching_core::TutteBerge::new(removed, components);
        let (streamed, listed) = (verify::witness(&cost, &bent), verify::witness(&*list, &bent));
        assert_eq!(streamed, listed, "{bent:?}");
        verdicts[usize::from(listed.is_ok())] += 1;
    }
    assert!(verdicts[0] > 100 && verdicts[1] > 10, "{verdicts:?}");
}

#[test]
fn nobody_pairs_with_itself() {
    let claim = Claim {
        objective: &Objective::MinPerfect,
        mates: &[0, 1],
        pairs: &[0, 1].map(|u| Edge { u, v: u, weight: 0 }),
        cost: 0,
        bound: 0,
        status: Status::Optimal,
        certificate: &Certificate::new(vec![0, 0], vec![0, 1], Vec::new(), 0),
    };
    let expected = Err(VerifyError::NotAnEdge { u: 0, v: 0 });
    let cost = DenseMatrix::square(2, vec![0i64, 1, 1, 0]).expect("two rows of two");
    assert_eq!(verify::claim(&cost, &claim), expected);
    assert_eq!(verify::claim(&presented(&cost, 4), &claim), expected);
    assert_eq!(verify::claim(&*cost.to_edges().expect("symmetric"), &claim), expected);
}

/// The first error does not depend on who finds it.
#[cfg(feature = "rayon")]
#[test]
fn every_number_of_threads_finds_the_same_error() {
    let n = 900;
    let mut rng = ChaCha8Rng::seed_from_u64(33);
    for _ in 0..10 {
        let mut faults: Vec<(usize, usize)> = (0..5)
            .map(|_| (rng.random_range(0..n - 1), rng.random_range(1..n)))
            .map(|(u, v)| if u < v { (u, v) } else { (u, u + 1) })
            .collect();
        faults.sort_unstable();
        let is_fault = |i: usize, j: usize| faults.contains(&(i, j));
        let one_way = cost::from_fn(n, |i, j| i64::from(is_fault(i, j)));
        let mut entries = vec![0i32; n * n];
        for &(u, v) in &faults {
            (entries[u * n + v], entries[v * n + u]) = (-1 << 30, -1 << 30);
        }
        let dear = DenseMatrix::square(n, entries).expect("n rows of n");
        let duals = Certificate::new(vec![0; n], (0..n as u32).collect(), Vec::new(), 0);
        let (u, v) = faults[0];
        for threads in [1, 2, 5] {
            let pool = rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .build()
                .expect("threads");
            let (asymmetric, slack) = pool.install(|| {
                (
                    verify::certificate(&one_way, &Objective::MinPerfect, &duals),
                    verify::certificate(&dear, &Objective::MinPerfect, &duals),
                )
            });
            assert_eq!(asymmetric, Err(VerifyError::Input(Error::Asymmetric { u, v })));
            assert_eq!(slack, Err(VerifyError::Slack { u, v, slack: -2 << 30 }));
        }
    }
}

/// Blocks of a matrix are compared with their images at once. A fault may hide among entries that are all the same, and where
/// there is nothing but faults.
#[test]
fn an_entry_without_its_image_is_found_among_equal_ones() {
    let n = 150;
    let of_matrix = |matrix: &DenseMatrix<i64>| {
        let certificate = Certificate::new(vec![-9; n], (0..n as u32).collect(), vec![], 0);
        verify::certificate(matrix, &Objective::MinPerfect, &certificate)
    };
    let verdict = |entries: Vec<i64>| of_matrix(&DenseMatrix::square(n, entries).expect("n rows of n"));
    let refusal = |u, v| Err(VerifyError::Input(Error::Asymmetric { u, v }));
    for value in [0, 7] {
        assert_eq!(verdict(vec![value; n * n]), Ok(-9 * n as i128));
        for at in (0..n * n).step_by(41).filter(|at| at / n != at % n) {
            let (i, j) = (at / n, at % n);
            let mut entries = vec![value; n * n];
            entries[at] += 1;
            assert_eq!(verdict(entries), refusal(i.min(j), i.max(j)));
        }
    }
    // The first sixty-four players agree with each other, and so do the next; nobody agrees with anybody else.
    let of_blocks = (0..n * n).map(|at| if at / n / 64 > at % n / 64 { 2 } else { 1 });
    assert_eq!(verdict(of_blocks.collect()), refusal(0, 64));
    let mut one_way = DenseMatrix::square(n, vec![7; n * n]).expect("n rows of n");
    for at in (0..n * n).filter(|at| at / n / 64 > at % n / 64) {
        one_way.forbid(at / n, at % n);
    }
    assert_eq!(of_matrix(&one_way), refusal(0, 64));
}
