//! Several partners each, against all choices of edges, against a theorem, and forged.

use matching_core::verify::{self, VerifyError};
use matching_core::{
    Blossom, Budget, CancelToken, Cost, Degrees, EdgeList, Error, Objective, Precision, Status, StopReason, cost,
};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// The least total of all choices of edges that give every vertex as many partners as it should have.
fn least_of_all(graph: &EdgeList<i64>, degrees: &Degrees<i64>, sign: i128) -> Option<i128> {
    let edges: Vec<_> = graph.iter().collect();
    let total = |choice: u32| {
        let mut counts = vec![0u32; graph.len()];
        let mut total = 0i128;
        for (at, &(u, v, weight)) in edges.iter().enumerate() {
            if choice >> at & 1 == 1 {
                counts[u] += 1;
                counts[v] += 1;
                total += i128::from(weight);
            }
        }
        for (v, &count) in counts.iter().enumerate() {
            if count < degrees.least()[v] || count > degrees.most()[v] {
                return None;
            }
            total += i128::from(degrees.price(v)) * i128::from(degrees.most()[v] - count);
        }
        Some(sign * total)
    };
    (0..1u32 << edges.len()).filter_map(total).min()
}

fn random_graph(n: usize, most_edges: usize, weights: i64, rng: &mut ChaCha8Rng) -> EdgeList<i64> {
    let density = rng.random_range(0.2..1.0);
    let mut edges = Vec::new();
    for u in 0..n {
        for v in u + 1..n {
            if rng.random_bool(density) && edges.len() < most_edges {
                edges.push((u, v, rng.random_range(-weights..=weights)));
            }
        }
    }
    EdgeList::new(n, edges).expect("edges")
}

fn random_degrees(n: usize, rng: &mut ChaCha8Rng) -> Degrees<i64> {
    let most: Vec<u32> = (0..n).map(|_| rng.random_range(0..4)).collect();
    let least = match rng.random_range(0..3) {
        0 => most.clone(),
        1 => vec![0; n],
        _ => most.iter().map(|&most| rng.random_range(0..=most)).collect(),
    };
    let degrees = Degrees::between(least, most);
    if rng.random_bool(0.5) {
        degrees.missing((0..n).map(|_| rng.random_range(-5..10)).collect())
    } else {
        degrees
    }
}

#[test]
fn as_cheap_as_the_cheapest_of_all_choices() {
    let rng = &mut ChaCha8Rng::seed_from_u64(20);
    let (mut solved, mut refused) = (0, 0);
    for round in 0..4_000 {
        let n = rng.random_range(1..8);
        let weights = [1, 3, 30, i64::MAX >> 8][round % 4];
        let graph = random_graph(n, 11, weights, rng);
        let degrees = random_degrees(n, rng);
        for (objective, sign) in [(Objective::MinPerfect, 1), (Objective::MaxPerfect, -1)] {
            let expected = least_of_all(&graph, &degrees, sign);
            match Blossom::new().objective(objective).solve_degrees(&graph, &degrees) {
                Ok(answer) => {
                    assert_eq!(Some(sign * answer.cost()), expected, "{graph:?} {degrees:?}");
                    assert_eq!((answer.bound(), answer.status()), (answer.cost(), Status::Optimal));
                    answer
                        .verify(&graph)
                        .unwrap_or_else(|error| panic!("{error}: {graph:?} {degrees:?}"));
                    solved += 1;
                }
                Err(Error::NoDegrees(witness)) => {
                    assert_eq!(expected, None, "{graph:?} {degrees:?}");
                    let checked = verify::degrees_witness(&graph, &degrees, &witness);
                    checked.unwrap_or_else(|error| panic!("{error}: {graph:?} {degrees:?} {witness:?}"));
                    refused += 1;
                }
                Err(other) => panic!("{other}"),
            }
        }
    }
    assert!(solved > 2_000 && refused > 2_000, "{solved} {refused}");
}

/// Whoever is not chosen `b` times is left `n - 1 - b` times: the cheapest games are those that the dearest leave.
#[test]
fn what_the_dearest_leave_is_cheapest() {
    let rng = &mut ChaCha8Rng::seed_from_u64(21);
    for (n, b) in [(8, 3), (11, 4), (30, 7), (60, 30), (90, 3), (101, 40), (121, 2)] {
        let rating: Vec<i64> = (0..n).map(|_| rng.random_range(0..1000)).collect();
        let noise: Vec<i64> = (0..n * n).map(|_| rng.random_range(0..300)).collect();
        let gap = cost::from_symmetric_fn(n, |i, j| (rating[i] - rating[j]).abs() + noise[i.min(j) * n + i.max(j)]);
        let cheapest = Blossom::new()
            .solve_degrees(&gap, &Degrees::exactly(vec![b; n]))
            .expect("games");
        cheapest.verify(&gap).expect("a proof");
        assert!((0..n).all(|v| cheapest.degree(v) == b as usize));
        let all: i128 = (0..n)
            .flat_map(|i| (0..i).map(move |j| (i, j)))
            .map(|(i, j)| i128::from(gap.pair(i, j)))
            .sum();
        let rest = Degrees::exactly(vec![n as u32 - 1 - b; n]);
        let dearest = Blossom::new()
            .objective(Objective::MaxPerfect)
            .solve_degrees(&gap, &rest)
            .expect("games");
        dearest.verify(&gap).expect("a proof");
        assert_eq!(cheapest.cost() + dearest.cost(), all, "{n} {b}");
    }
}

/// Many partners each, most of which are settled before the search: bounds near each other or far apart, and two sides of a
/// hall that only play across, where one may be too small for the other.
#[test]
fn many_partners_each_prove_themselves() {
    let rng = &mut ChaCha8Rng::seed_from_u64(26);
    let n = 90;
    let table: Vec<i64> = (0..n * n).map(|_| rng.random_range(0..1_000)).collect();
    let pool = cost::from_symmetric_fn(n, |i, j| table[i.min(j) * n + i.max(j)]);
    for (least, most) in [(0, 89), (30, 80), (60, 60), (85, 88), (86, 86)] {
        let mut least = vec![least; n];
        least[7] = 0;
        let degrees = Degrees::between(least, vec![most; n]).missing(vec![400; n]);
        let games = Blossom::new().solve_degrees(&pool, &degrees).expect("games");
        games.verify(&pool).expect("a proof");
        assert!(games.is_optimal());
        // Missing partners are as dear as the sum of two prices says.
        let own: i128 = games.pairs().map(|(_, _, weight)| i128::from(weight) - 800).sum();
        assert_eq!(games.cost(), own + 400 * i128::from(most) * n as i128);
    }
    for (reds, is_possible) in [(45, true), (46, false)] {
        let across = pool.restricted(|i, j| (i < reds) != (j < reds));
        let degrees = Degrees::exactly(vec![30; n]);
        match Blossom::new().solve_degrees(&across, &degrees) {
            Ok(games) => {
                assert!(is_possible);
                games.verify(&across).expect("a proof");
            }
            Err(Error::NoDegrees(witness)) => {
                assert!(!is_possible);
                verify::degrees_witness(&across, &degrees, &witness).expect("a witness");
                assert_eq!(witness.missing(), 60);
            }
            Err(other) => panic!("{other}"),
        }
    }
}

/// One partner each is a perfect matching; a hundred players have so many pairs that most are left out of the search.
#[test]
fn one_partner_each_is_a_pairing() {
    let rng = &mut ChaCha8Rng::seed_from_u64(22);
    for n in [2, 10, 100, 300] {
        let skill: Vec<(i64, i64)> = (0..n)
            .map(|_| (rng.random_range(0..1000), rng.random_range(0..1000)))
            .collect();
        // A product form, which is hard to guess few edges for.
        let product = cost::from_symmetric_fn(n, |i, j| (skill[i].0 - skill[j].0) * (skill[i].1 - skill[j].1));
        let pairing = Blossom::new().solve(&product).expect("a pairing");
        let games = Blossom::new()
            .solve_degrees(&product, &Degrees::exactly(vec![1; n]))
            .expect("games");
        games.verify(&product).expect("a proof");
        assert_eq!(games.cost(), pairing.cost());
        let weight = Blossom::new()
            .objective(Objective::MaxWeight)
            .solve(&product)
            .expect("a matching");
        let solver = Blossom::new().objective(Objective::MaxPerfect);
        let games = solver
            .solve_degrees(&product, &Degrees::between(vec![0; n], vec![1; n]))
            .expect("games");
        games.verify(&product).expect("a proof");
        assert_eq!(games.cost(), weight.cost());
        let prices: Vec<i64> = (0..n).map(|_| rng.random_range(-300_000..100)).collect();
        let alone = Blossom::new()
            .objective(Objective::MinOptOut(prices.clone()))
            .solve(&product)
            .expect("a matching");
        let some = Degrees::between(vec![0; n], vec![1; n]).missing(prices);
        let games = Blossom::new().solve_degrees(&product, &some).expect("games");
        games.verify(&product).expect("a proof");
        assert_eq!(games.cost(), alone.cost());
    }
}

#[test]
fn floats_are_exact_or_refused_or_rounded_with_a_gap() {
    let rng = &mut ChaCha8Rng::seed_from_u64(23);
    for _ in 0..200 {
        let graph = random_graph(6, 15, 1000, rng);
        let degrees = random_degrees(6, rng);
        let quarters = graph.map_weights(|weight| Some(weight as f64 / 4.0)).expect("numbers");
        let prices = (0..6).map(|v| degrees.price(v) as f64 / 4.0).collect();
        let as_floats = Degrees::between(degrees.least().to_vec(), degrees.most().to_vec()).missing(prices);
        match Blossom::new().solve_degrees(&graph, &degrees) {
            Ok(answer) => {
                let float = Blossom::new().solve_degrees(&quarters, &as_floats).expect("the same");
                float.verify(&quarters).expect("a proof");
                assert_eq!(
                    (float.cost() * 4.0, float.status()),
                    (answer.cost() as f64, Status::Optimal)
                );
                let wide = quarters
                    .map_weights(|weight| Some(weight * 1e30 + 1e-30))
                    .expect("numbers");
                let wide_prices = (0..6).map(|v| as_floats.price(v) * 1e30).collect();
                let wide_degrees =
                    Degrees::between(degrees.least().to_vec(), degrees.most().to_vec()).missing(wide_prices);
                let rounded = Blossom::new()
                    .precision(Precision::Quantised)
                    .solve_degrees(&wide, &wide_degrees)
                    .expect("an answer");
                rounded.verify(&wide).expect("a bound");
                let exact = answer.cost() as f64 / 4.0 * 1e30;
                assert!((rounded.cost() - exact).abs() <= 1e18, "{} {exact}", rounded.cost());
                assert!(rounded.bound() <= rounded.cost() + 1e15);
            }
            Err(Error::NoDegrees(_)) => {
                let refused = Blossom::new().solve_degrees(&quarters, &as_floats);
                assert!(matches!(refused, Err(Error::NoDegrees(_))));
            }
            Err(other) => panic!("{other}"),
        }
    }
    let wide = EdgeList::new(4, [(0, 1, 1e-40), (2, 3, 1e30), (0, 2, 1e30), (1, 3, 3e-40)]).expect("edges");
    let refused = Blossom::new().solve_degrees(&wide, &Degrees::exactly(vec![1; 4]));
    assert!(matches!(refused, Err(Error::PrecisionRequired { .. })), "{refused:?}");
}

/// Numbers beyond 64 bits: the same choice, whose total is greater by as much.
#[test]
fn great_costs_make_the_same_choice() {
    let rng = &mut ChaCha8Rng::seed_from_u64(25);
    let n = 100;
    let table: Vec<i128> = (0..n * n).map(|_| rng.random_range(-100_000..100_000)).collect();
    let small = cost::from_symmetric_fn(n, |i, j| table[i.min(j) * n + i.max(j)]);
    let great = cost::from_symmetric_fn(n, |i, j| table[i.min(j) * n + i.max(j)] << 80);
    for degrees in [Degrees::exactly(vec![2; n]), Degrees::between(vec![1; n], vec![4; n])] {
        let one = Blossom::new().solve_degrees(&small, &degrees).expect("games");
        let other = Blossom::new().solve_degrees(&great, &degrees).expect("games");
        other.verify(&great).expect("a proof");
        assert_eq!(one.cost() << 80, other.cost());
    }
}

/// Pools of so many that most pairs are left out of the search, with holes, bounds and prices of all kinds: every answer
/// proves itself, every refusal has a witness, and numbers that must be rounded lead to the same total.
#[test]
fn large_pools_prove_themselves() {
    let rng = &mut ChaCha8Rng::seed_from_u64(99);
    let (mut solved, mut refused) = (0, 0);
    for round in 0..60 {
        let n: usize = rng.random_range(90..160);
        let at: Vec<(i64, i64)> = (0..n)
            .map(|_| (rng.random_range(0..500), rng.random_range(0..500)))
            .collect();
        let table: Vec<i64> = (0..n * n).map(|_| rng.random_range(-50..1000)).collect();
        let hole = rng.random_range(0.0..0.9);
        let closed: Vec<bool> = (0..n * n).map(|_| rng.random_bool(hole)).collect();
        let kind = round % 3;
        let pool = cost::from_symmetric_fn(n, |i, j| match kind {
            0 => (at[i].0 - at[j].0) * (at[i].1 - at[j].1),
            1 => (at[i].0 - at[j].0).abs(),
            _ => table[i.min(j) * n + i.max(j)],
        });
        let pool = pool.restricted(|i, j| !closed[i.min(j) * n + i.max(j)]);
        let most: Vec<u32> = (0..n).map(|_| rng.random_range(0..6)).collect();
        let least: Vec<u32> = match round % 2 {
            0 => most.clone(),
            _ => most.iter().map(|&most| rng.random_range(0..=most)).collect(),
        };
        let prices: Vec<i64> = (0..n).map(|_| rng.random_range(-100..300)).collect();
        let scaled = prices.iter().map(|&price| price as f64 * 1e25).collect();
        let degrees = Degrees::between(least.clone(), most.clone()).missing(prices);
        let is_maximum = round % 5 == 0;
        let objective = if is_maximum {
            Objective::MaxPerfect
        } else {
            Objective::MinPerfect
        };
        match Blossom::new().objective(objective).solve_degrees(&pool, &degrees) {
            Ok(answer) => {
                answer.verify(&pool).expect("a proof");
                assert!(answer.is_optimal());
                let wide = cost::from_symmetric_fn(n, |i, j| pool.pair(i, j) as f64 * 1e25 + 0.1)
                    .restricted(|i, j| pool.is_allowed(i, j));
                let objective = if is_maximum {
                    Objective::MaxPerfect
                } else {
                    Objective::MinPerfect
                };
                let solver = Blossom::new().objective(objective).precision(Precision::Quantised);
                let degrees = Degrees::between(least, most).missing(scaled);
                let rounded = solver.solve_degrees(&wide, &degrees).expect("an answer");
                rounded.verify(&wide).expect("a bound");
                assert_eq!(rounded.status(), Status::Feasible(StopReason::Rounding));
                assert!((rounded.cost() / 1e25 - answer.cost() as f64).abs() < 1e-3);
                solved += 1;
            }
            Err(Error::NoDegrees(witness)) => {
                verify::degrees_witness(&pool, &degrees, &witness).expect("a witness");
                refused += 1;
            }
            Err(other) => panic!("{other}"),
        }
    }
    assert!(solved > 20 && refused > 10, "{solved} {refused}");
}

#[test]
fn a_stopped_solve_keeps_what_it_has_and_a_bound_that_holds() {
    let rng = &mut ChaCha8Rng::seed_from_u64(24);
    let n = 120;
    let table: Vec<i64> = (0..n * n).map(|_| rng.random_range(0..10_000)).collect();
    let random = cost::from_symmetric_fn(n, |i, j| table[i.min(j) * n + i.max(j)]);
    let degrees = Degrees::exactly(vec![3; n]);
    let best = Blossom::new().solve_degrees(&random, &degrees).expect("games");
    let mut stopped = 0;
    for work in [
        0,
        10,
        1_000,
        10_000,
        20_000,
        30_000,
        50_000,
        100_000,
        best.work(),
        best.work() + 1,
    ] {
        let answer = Blossom::new()
            .budget(Budget::new().work(work))
            .solve_degrees(&random, &degrees)
            .expect("something");
        answer.verify(&random).expect("what it says");
        assert!(answer.bound() <= best.cost());
        match answer.status() {
            Status::Optimal => assert_eq!(answer.cost(), best.cost()),
            Status::Feasible(StopReason::WorkLimit) => assert!(answer.cost() >= best.cost()),
            Status::Unknown(StopReason::WorkLimit) => assert!((0..n).any(|v| answer.degree(v) < 3)),
            other => panic!("{other}"),
        }
        stopped += u32::from(!answer.is_optimal());
    }
    assert!(stopped > 3, "{stopped}");
    let token = CancelToken::new();
    token.cancel();
    let answer = Blossom::new()
        .budget(Budget::new().cancel(token))
        .solve_degrees(&random, &degrees)
        .expect("something");
    answer.verify(&random).expect("what it says");
    assert!(matches!(
        answer.status(),
        Status::Feasible(StopReason::Cancelled) | Status::Unknown(StopReason::Cancelled)
    ));
}

#[test]
fn what_is_wrong_is_named() {
    let square = EdgeList::new(4, [(0, 1, 1_i64), (1, 2, 1), (2, 3, 1), (3, 0, 1)]).expect("edges");
    let solve = |degrees| Blossom::new().solve_degrees(&square, &degrees).expect_err("wrong");
    let short = solve(Degrees::exactly(vec![1; 3]));
    assert_eq!(short.to_string(), "3 least degrees were given; 4 are needed");
    let short = solve(Degrees::exactly(vec![1; 4]).missing(vec![1; 5]));
    assert_eq!(
        short.to_string(),
        "5 prices of missing partners were given; 4 are needed"
    );
    let reversed = solve(Degrees::between(vec![0, 0, 2, 0], vec![1; 4]));
    assert!(
        reversed
            .to_string()
            .starts_with("vertex 2 should have at least 2 partners and at most 1;"),
        "{reversed}"
    );
    let many = solve(Degrees::exactly(vec![1, 3, 1, 1]));
    assert!(
        many.to_string()
            .ends_with("at least 2 partners would be missing beside vertex 1"),
        "{many}"
    );
    let objective = Blossom::new().objective(Objective::MaxCardinality);
    let refused = objective
        .solve_degrees(&square, &Degrees::exactly(vec![1; 4]))
        .expect_err("wrong");
    assert!(
        refused.to_string().contains("`MinPerfect` or `MaxPerfect`"),
        "{refused}"
    );
    let floats = square.map_weights(|weight| Some(weight as f64)).expect("numbers");
    let nan = Degrees::exactly(vec![1; 4]).missing(vec![1.0, f64::NAN, 1.0, 1.0]);
    assert_eq!(
        Blossom::new().solve_degrees(&floats, &nan),
        Err(Error::PenaltyNotANumber { vertex: 1 })
    );
    let asymmetric = cost::from_fn(3, |i, j| (i * 2 + j) as i64);
    let refused = Blossom::new().solve_degrees(&asymmetric, &Degrees::exactly(vec![2; 3]));
    assert!(matches!(refused, Err(Error::Asymmetric { .. })));
    let large = EdgeList::new(3, [(0, 1, i128::MAX / 2), (1, 2, 1), (0, 2, 1)]).expect("edges");
    let refused = Blossom::new().solve_degrees(&large, &Degrees::exactly(vec![2; 3]));
    // The vertices are those of the graph, not of the one that stands for it.
    assert!(
        matches!(refused, Err(Error::Overflow { vertices: 3, .. })),
        "{refused:?}"
    );
    let nothing = EdgeList::<i64>::new(0, []).expect("no edges");
    let empty = Blossom::new()
        .solve_degrees(&nothing, &Degrees::exactly(vec![]))
        .expect("nothing to do");
    assert_eq!((empty.cost(), empty.status()), (0, Status::Optimal));
    empty.verify(&nothing).expect("nothing to check");
}

/// Nothing that an answer says can be changed without being found out, but for its work.
#[test]
#[cfg(feature = "serde")]
fn forged_answers_are_refused() {
    let graph = EdgeList::new(
        5,
        [
            (0, 1, 4_i64),
            (1, 2, 3),
            (2, 3, 5),
            (3, 4, 2),
            (4, 0, 6),
            (0, 2, 7),
            (1, 3, 1),
        ],
    );
    let graph = graph.expect("edges");
    let degrees = Degrees::between(vec![1; 5], vec![2; 5]).missing(vec![3; 5]);
    let answer = Blossom::new().solve_degrees(&graph, &degrees).expect("an answer");
    answer.verify(&graph).expect("a proof");
    let text = serde_json::to_value(&answer).expect("plain data");
    let read = |value| serde_json::from_value::<matching_core::BMatching<i64>>(value).expect("the same shape");
    assert_eq!(read(text.clone()), answer);
    let forge = |change: &dyn Fn(&mut serde_json::Value)| {
        let mut forged = text.clone();
        change(&mut forged);
        assert_ne!(forged, text);
        read(forged).verify(&graph).expect_err("forged")
    };
    let cheaper = forge(&|value| value["cost"] = (answer.cost() as i64 - 1).into());
    assert!(matches!(cheaper, VerifyError::Cost { .. }), "{cheaper}");
    let bound = forge(&|value| value["bound"] = (answer.bound() as i64 + 1).into());
    assert!(matches!(bound, VerifyError::Bound { .. }), "{bound}");
    let fewer = forge(&|value| {
        value["pairs"].as_array_mut().expect("pairs").pop();
    });
    assert!(
        matches!(fewer, VerifyError::Degree { .. } | VerifyError::Cost { .. }),
        "{fewer}"
    );
    let lighter = forge(&|value| value["pairs"][0]["weight"] = 0.into());
    assert!(matches!(lighter, VerifyError::PairWeight { .. }), "{lighter}");
    let twice = forge(&|value| value["pairs"][1] = value["pairs"][0].clone());
    assert!(matches!(twice, VerifyError::Pair { .. }), "{twice}");
    let nobody = forge(&|value| value["pairs"][0] = serde_json::json!({"u": 0, "v": 3, "weight": 0}));
    assert!(matches!(nobody, VerifyError::NotAnEdge { u: 0, v: 3 }), "{nobody}");
    let outside = forge(&|value| value["core"][0] = serde_json::json!([0, 3]));
    assert!(matches!(outside, VerifyError::NotAnEdge { .. }), "{outside}");
    let repeated = forge(&|value| value["core"][0] = value["core"][1].clone());
    assert!(matches!(repeated, VerifyError::Repeated { .. }), "{repeated}");
    let duals = forge(&|value| value["certificate"]["vertex_duals"][0] = 1000.into());
    assert!(matches!(duals, VerifyError::Slack { .. }), "{duals}");
    let lower = forge(&|value| value["certificate"]["vertex_duals"][0] = (-1000).into());
    assert!(matches!(lower, VerifyError::Gap { .. }), "{lower}");
    let missing = forge(&|value| value["core"].as_array_mut().expect("edges").clear());
    assert!(matches!(missing, VerifyError::Length { .. }), "{missing}");
    forge(&|value| value["is_maximum"] = true.into());
    forge(&|value| value["degrees"]["most"][0] = 1.into());
    forge(&|value| value["degrees"]["missing"][0] = 4.into());
}

/// Duals of two vertices that add up to more than 128 bits hold were cut off at the greatest number, and with them what an edge
/// between the two, outside the certificate's, takes from the bound: so the dearer half of a square was proven to be best.
#[test]
#[cfg(feature = "serde")]
fn duals_beyond_the_greatest_number_prove_nothing() {
    let edges = [(0, 5, 0_i64), (1, 2, -10), (3, 4, -10), (2, 3, -5), (1, 4, -5)];
    let graph = EdgeList::new(6, edges).expect("edges");
    let degrees = Degrees::exactly(vec![1; 6]);
    let answer = Blossom::new().solve_degrees(&graph, &degrees).expect("an answer");
    assert_eq!(answer.cost(), -20);
    let pair = |u: u32, v: u32, weight: i64| serde_json::json!({"u": u, "v": v, "weight": weight});
    let mut forged = serde_json::to_value(&answer).expect("plain data");
    forged["pairs"] = serde_json::json!([pair(0, 5, 0), pair(1, 4, -5), pair(2, 3, -5)]);
    (forged["cost"], forged["bound"]) = ((-10).into(), (-10).into());
    forged["core"] = serde_json::json!([]);
    forged["certificate"] =
        serde_json::json!({"vertex_duals": "DUALS", "order": [0, 1, 2, 3, 4, 5], "sets": [], "exponent": 0});
    // A value holds no numbers of more than 64 bits.
    let verified = |first: i128, last: i128| {
        let duals = format!("[{first},-10,-10,-10,-10,{last}]");
        let text = forged.to_string().replace("\"DUALS\"", &duals);
        let forged: matching_core::BMatching<i64> = serde_json::from_str(&text).expect("the same shape");
        forged.verify(&graph)
    };
    // The edge of the two takes from the bound what is above twice its cost.
    assert!(matches!(verified(1 << 90, 1 << 90), Err(VerifyError::Gap { .. })));
    assert_eq!(verified(1 << 126, (1 << 126) + 19), Err(VerifyError::Overflow));
}

/// What partners cost that only a limit left missing was doubled for a comparison that is made of best answers alone, so that an
/// answer could not be verified.
#[test]
fn what_a_limit_leaves_missing_may_cost_much() {
    // Two triangles and an edge between them: whoever takes the cheapest edge of each leaves two without partners.
    let edges = [
        (0, 2, 0_i128),
        (3, 5, 0),
        (0, 1, 1),
        (1, 2, 1),
        (3, 4, 1),
        (4, 5, 1),
        (2, 3, 1),
    ];
    let triangles = EdgeList::new(6, edges).expect("edges");
    let degrees = Degrees::exactly(vec![1; 6]).missing(vec![1 << 125; 6]);
    let solver = Blossom::new().budget(Budget::new().work(0));
    let answer = solver.solve_degrees(&triangles, &degrees).expect("an answer");
    assert_eq!(answer.status(), Status::Unknown(StopReason::WorkLimit));
    assert_eq!(answer.cost(), 1 << 126);
    assert_eq!(answer.verify(&triangles), Ok(()));
}

/// Takes the cheapest edges first, as long as they fit. `None` where somebody has too few in the end.
fn cheapest_first(n: usize, edges: &[(usize, usize, i64)], partners: usize) -> Option<i64> {
    let mut order = edges.to_vec();
    order.sort_by_key(|edge| edge.2);
    let (mut counts, mut total) = (vec![0; n], 0);
    for (u, v, cost) in order {
        if counts[u] < partners && counts[v] < partners {
            (counts[u], counts[v], total) = (counts[u] + 1, counts[v] + 1, total + cost);
        }
    }
    counts.iter().all(|&count| count == partners).then_some(total)
}

/// Who was stopped had edges as they came in the list; the last few could be left without any that they lacked.
#[test]
fn who_is_stopped_has_all_partners_and_the_cheapest_first() {
    let mut rng = ChaCha8Rng::seed_from_u64(79);
    let (mut stopped, mut compared) = (0, 0);
    for round in 0..60 {
        let (n, partners) = (2 * rng.random_range(6..=30), rng.random_range(2..=5));
        let places: Vec<i64> = (0..n).map(|_| rng.random_range(0..3_000)).collect();
        let pairs = (0..n).flat_map(|u| (u + 1..n).map(move |v| (u, v)));
        let edges: Vec<_> = pairs
            .map(|(u, v)| match round % 2 {
                0 => (u, v, (places[u] - places[v]).abs()),
                _ => (u, v, rng.random_range(-500..1_000)),
            })
            .collect();
        let graph = EdgeList::new(n, edges.iter().copied()).expect("edges");
        let degrees = Degrees::exactly(vec![partners as u32; n]);
        // By the cheapest edges first somebody may end up with too few.
        let most = cheapest_first(n, &edges, partners);
        for work in [0, 50, 1_000, 20_000] {
            let solver = Blossom::new().budget(Budget::new().work(work));
            let answer = solver.solve_degrees(&graph, &degrees).expect("all pairs");
            assert_eq!(answer.verify(&graph), Ok(()));
            assert!(
                !matches!(answer.status(), Status::Unknown(_)),
                "{n} with {partners} each after {work}"
            );
            let cost = i64::try_from(answer.cost()).expect("a small total");
            if let Some(most) = most {
                assert!(cost <= most, "{cost} after {work}, and {most} by hand");
                compared += 1;
            }
            // What everybody pays at least is a bound without a search.
            let least = |v: usize| {
                edges
                    .iter()
                    .filter(|edge| edge.0 == v || edge.1 == v)
                    .map(|edge| edge.2)
                    .min()
            };
            let least: i64 = (0..n).filter_map(least).sum();
            assert!(2 * answer.bound() >= i128::from(least) * partners as i128);
            stopped += usize::from(!answer.is_optimal());
        }
    }
    assert!(stopped > 50 && compared > 50, "{stopped} {compared}");
}

/// Who may choose is too many for a witness: that there is no answer is said all the same.
#[test]
fn of_very_many_who_may_choose_no_witness_is_looked_for() {
    let n = 5_000;
    let star = EdgeList::new(n, (1..n).map(|leaf| (0, leaf, leaf as i64))).expect("edges");
    let degrees = Degrees::between(vec![1; n], [vec![3], vec![2; n - 1]].concat());
    let Err(Error::NoDegrees(witness)) = Blossom::new().solve_degrees(&star, &degrees) else {
        panic!("three places for 4,999 leaves");
    };
    // Leaves have one edge, so that nobody but the centre may choose, and there is a witness.
    verify::degrees_witness(&star, &degrees, &witness).expect("a witness");
    assert_eq!(witness.missing(), 4_996);
    let two = EdgeList::new(n, (1..n).flat_map(|leaf| [(0, leaf, 1_i64), (1, leaf.max(2), 1)])).expect("edges");
    let degrees = Degrees::between(vec![1; n], [vec![3; 2], vec![2; n - 2]].concat());
    let Err(Error::NoDegrees(witness)) = Blossom::new().solve_degrees(&two, &degrees) else {
        panic!("six places for 4,998 leaves");
    };
    assert!(
        witness.missing() == 0 && witness.to_string().contains("too long"),
        "{witness}"
    );
    let refused = verify::degrees_witness(&two, &degrees, &witness);
    assert!(matches!(refused, Err(VerifyError::Deficiency { .. })));
}

#[test]
fn false_witnesses_are_refused() {
    let star = EdgeList::new(4, [(0, 1, 1_i64), (0, 2, 1), (0, 3, 1)]).expect("edges");
    let degrees = Degrees::exactly(vec![2, 1, 1, 1]);
    let Err(Error::NoDegrees(witness)) = Blossom::new().solve_degrees(&star, &degrees) else {
        panic!("three leaves and two places");
    };
    verify::degrees_witness(&star, &degrees, &witness).expect("a witness");
    let check = |removed: Vec<usize>, wanting: Vec<usize>, missing| {
        let forged = matching_core::DegreeWitness::new(removed, wanting, missing);
        verify::degrees_witness(&star, &degrees, &forged).expect_err("forged")
    };
    assert!(matches!(
        check(vec![0], vec![1, 2, 3], 2),
        VerifyError::Deficiency { found: 1, required: 2 }
    ));
    assert!(matches!(
        check(vec![0], vec![1, 2, 3], 0),
        VerifyError::Deficiency { .. }
    ));
    assert!(matches!(check(vec![1], vec![2], 1), VerifyError::Deficiency { .. }));
    assert!(matches!(
        check(vec![0], vec![0, 1], 1),
        VerifyError::Overlap { vertex: 0 }
    ));
    assert!(matches!(
        check(vec![0], vec![4], 1),
        VerifyError::VertexOutOfRange { vertex: 4, len: 4 }
    ));
    let possible = Degrees::exactly(vec![3, 1, 1, 1]);
    let refused = verify::degrees_witness(&star, &possible, &witness);
    assert!(matches!(refused, Err(VerifyError::Deficiency { .. })));
}
