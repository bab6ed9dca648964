//! What is settled beforehand, against all choices of edges, where next to nothing is open to begin with.

use core::cell::Cell;
use core::ops::ControlFlow;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::asked::Asked;
use super::few::{Core, Opening};
use super::lift::Lift;
use super::{Degrees, Gadget, capped};
use crate::blossom::{Blossom, Precision};
use crate::budget::{Budget, CancelToken};
use crate::edge_list::EdgeList;
use crate::engine::Limits;
use crate::error::Error;
use crate::solution::Status;
use crate::verify;
use crate::{BMatching, Objective};

/// The solve with another opening than the usual one.
fn solve(
    graph: &EdgeList<i64>,
    degrees: &Degrees<i64>,
    blossom: &Blossom<i64>,
    opening: Opening,
) -> Result<BMatching<i64>, Error> {
    let is_maximum = matches!(blossom.objective, Objective::MaxPerfect);
    let mut asked = Asked::read(graph, degrees, is_maximum, blossom)?;
    asked.problem.opening = opening;
    asked.told(asked.problem.solve(&Limits::start(&blossom.budget))?)
}

/// The least total of all choices of edges that give every vertex as many partners as it should have, and the greatest.
fn all_choices(graph: &EdgeList<i64>, degrees: &Degrees<i64>) -> Option<(i128, i128)> {
    let edges: Vec<_> = graph.iter().collect();
    let total = |choice: u32| {
        let mut counts = vec![0u32; graph.len()];
        let mut total = 0i128;
        for (_, &(u, v, weight)) in edges.iter().enumerate().filter(|&(at, _)| choice >> at & 1 == 1) {
            counts[u] += 1;
            counts[v] += 1;
            total += i128::from(weight);
        }
        for (v, &count) in counts.iter().enumerate() {
            if count < degrees.least()[v] || count > degrees.most()[v] {
                return None;
            }
            total += i128::from(degrees.price(v)) * i128::from(degrees.most()[v] - count);
        }
        Some(total)
    };
    let totals = || (0..1u32 << edges.len()).filter_map(total);
    totals().min().zip(totals().max())
}

fn random_graph(n: usize, most_edges: usize, density: f64, weights: i64, rng: &mut ChaCha8Rng) -> EdgeList<i64> {
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

/// The certificate as the checker of all certificates sees it, on a list of the edges of the whole graph.
fn check_on_the_whole_graph(graph: &EdgeList<i64>, answer: &BMatching<i64>) {
    let most = capped(
        answer.degrees.bounds().most,
        graph.edges().iter().map(|edge| (edge.u, edge.v)),
    );
    let sign = if answer.is_maximum { -1 } else { 1 };
    let weights: Vec<i128> = answer
        .core
        .iter()
        .map(|&ends| {
            let edge = graph.edges().iter().find(|edge| (edge.u, edge.v) == ends);
            sign * i128::from(edge.expect("an edge").weight)
        })
        .collect();
    let gadget = Gadget::new(&answer.degrees.least, &most, &answer.core).expect("a graph");
    let price = |v: usize| sign * i128::from(answer.degrees.price(v));
    let edges = gadget.edges::<i128>(|edge| weights[edge], price, || false);
    let whole = EdgeList::from_simple(gadget.vertices(), edges.expect("costs that fit"));
    verify::certificate(&whole, &Objective::MinPerfect, &answer.certificate).expect("duals that hold");
}

/// Bounds of which some are wide and some exact, near the number of edges of each vertex or far from it.
fn random_degrees(graph: &EdgeList<i64>, weights: i64, rng: &mut ChaCha8Rng) -> Degrees<i64> {
    let mut counts = vec![0u32; graph.len()];
    for (u, v, _) in graph.iter() {
        counts[u] += 1;
        counts[v] += 1;
    }
    let away = rng.random_range(0..4);
    let most: Vec<u32> = counts
        .iter()
        .map(|&count| match rng.random_range(0..8) {
            0 => rng.random_range(0..=count + 1),
            _ => count.saturating_sub(rng.random_range(0..=away)),
        })
        .collect();
    let kind = rng.random_range(0..4);
    let least = most.iter().map(|&most| match kind {
        0 => most,
        1 => 0,
        2 => most.saturating_sub(rng.random_range(0..3)),
        _ => rng.random_range(0..=most),
    });
    let degrees = Degrees::between(least.collect(), most);
    if rng.random_bool(0.5) {
        degrees.missing((0..graph.len()).map(|_| rng.random_range(-weights..=weights)).collect())
    } else {
        degrees
    }
}

#[test]
fn whatever_is_settled_the_answer_is_the_cheapest_of_all_choices() {
    let rng = &mut ChaCha8Rng::seed_from_u64(31);
    let rounds = std::env::var("DEGREES_FUZZ")
        .ok()
        .and_then(|rounds| rounds.parse().ok());
    let (mut solved, mut refused) = (0, 0);
    for round in 0..rounds.unwrap_or(4_000) {
        let n = rng.random_range(2..8);
        let weights = [1, 3, 30, i64::MAX >> 8][round % 4];
        let density = rng.random_range(0.4..1.0);
        let graph = random_graph(n, 11, density, weights, rng);
        let degrees = random_degrees(&graph, weights, rng);
        let all = all_choices(&graph, &degrees);
        let opening = Opening {
            beyond: rng.random_range(1..3),
            few: 0,
            worst: rng.random_range(1..3),
        };
        for is_maximum in [false, true] {
            let objective = match is_maximum {
                true => Objective::MaxPerfect,
                false => Objective::MinPerfect,
            };
            let expected = all.map(|(least, greatest)| if is_maximum { greatest } else { least });
            let case = || format!("{graph:?} {degrees:?} {opening:?} {objective:?}");
            match solve(&graph, &degrees, &Blossom::new().objective(objective.clone()), opening) {
                Ok(answer) => {
                    assert_eq!(Some(answer.cost()), expected, "{}", case());
                    assert_eq!((answer.bound(), answer.status()), (answer.cost(), Status::Optimal));
                    answer
                        .verify(&graph)
                        .unwrap_or_else(|error| panic!("{error}: {}", case()));
                    check_on_the_whole_graph(&graph, &answer);
                    solved += 1;
                }
                Err(Error::NoDegrees(witness)) => {
                    assert_eq!(expected, None, "{}", case());
                    let checked = verify::degrees_witness(&graph, &degrees, &witness);
                    checked.unwrap_or_else(|error| panic!("{error}: {} {witness:?}", case()));
                    refused += 1;
                }
                Err(other) => panic!("{other}"),
            }
        }
    }
    assert!(solved > 2_000 && refused > 500, "{solved} {refused}");
}

/// Larger graphs, where blossoms lie within blossoms: as cheap as when all edges are open from the beginning.
#[test]
fn whatever_is_settled_the_answer_is_that_of_all_edges() {
    let rng = &mut ChaCha8Rng::seed_from_u64(32);
    let rounds = std::env::var("DEGREES_FUZZ")
        .ok()
        .and_then(|rounds| rounds.parse().ok());
    let mut solved = 0;
    for round in 0..rounds.unwrap_or(4_000) / 20 {
        let n = rng.random_range(8..24);
        let weights = [1, 3, 30, 1_000][round % 4];
        let density = rng.random_range(0.4..1.0);
        let graph = random_graph(n, usize::MAX, density, weights, rng);
        let degrees = random_degrees(&graph, weights, rng);
        let blossom = Blossom::new();
        let all = Opening {
            few: usize::MAX,
            ..Opening::default()
        };
        let some = Opening {
            beyond: rng.random_range(1..5),
            few: 0,
            worst: rng.random_range(1..5),
        };
        match (
            solve(&graph, &degrees, &blossom, all),
            solve(&graph, &degrees, &blossom, some),
        ) {
            (Ok(all), Ok(some)) => {
                all.verify(&graph).expect("a proof");
                check_on_the_whole_graph(&graph, &some);
                some.verify(&graph)
                    .unwrap_or_else(|error| panic!("{error}: {graph:?} {degrees:?}"));
                assert_eq!(
                    (all.cost(), all.status()),
                    (some.cost(), some.status()),
                    "{graph:?} {degrees:?}"
                );
                solved += 1;
            }
            (Err(Error::NoDegrees(_)), Err(Error::NoDegrees(witness))) => {
                verify::degrees_witness(&graph, &degrees, &witness).expect("a witness");
            }
            other => panic!("{other:?}"),
        }
    }
    assert!(solved > 50, "{solved}");
}

/// Wherever a limit falls, what is left says no more than is true.
#[test]
fn what_was_settled_when_a_limit_came_is_within_its_bound() {
    let rng = &mut ChaCha8Rng::seed_from_u64(33);
    let mut stopped = 0;
    for round in 0..150 {
        let n = rng.random_range(6..16);
        let graph = random_graph(n, usize::MAX, 0.9, [2, 50, 1_000][round % 3], rng);
        let degrees = random_degrees(&graph, 50, rng);
        let opening = Opening {
            beyond: rng.random_range(1..4),
            few: 0,
            worst: 1,
        };
        let Ok(best) = solve(&graph, &degrees, &Blossom::new(), opening) else {
            continue;
        };
        for _ in 0..8 {
            let budget = Budget::new().work(rng.random_range(0..=best.work()));
            let answer = solve(&graph, &degrees, &Blossom::new().budget(budget), opening).expect("something");
            answer.verify(&graph).expect("what it says");
            check_on_the_whole_graph(&graph, &answer);
            assert!(answer.bound() <= best.cost() && (!answer.is_optimal() || answer.cost() == best.cost()));
            stopped += u32::from(!answer.is_optimal());
        }
    }
    assert!(stopped > 200, "{stopped}");
}

/// Nothing is searched, and no graph is made, once it was cancelled.
#[test]
fn a_cancelled_solve_does_no_work() {
    let rng = &mut ChaCha8Rng::seed_from_u64(34);
    let graph = random_graph(60, usize::MAX, 1.0, 1_000, rng);
    for few in [0, usize::MAX] {
        let token = CancelToken::new();
        token.cancel();
        let blossom = Blossom::new().budget(Budget::new().cancel(token));
        let opening = Opening {
            few,
            ..Opening::default()
        };
        for degrees in [
            Degrees::exactly(vec![40; 60]),
            Degrees::between(vec![0; 60], vec![59; 60]),
        ] {
            let answer = solve(&graph, &degrees, &blossom, opening).expect("what there is");
            answer.verify(&graph).expect("what it says");
            assert!(!answer.is_optimal());
            if few > 0 {
                assert_eq!(answer.work(), 0);
            }
        }
    }
}

#[test]
fn whoever_makes_the_graph_asks_on_the_way_whether_to_stop() {
    let n = 60;
    let ends: Vec<(u32, u32)> = (0..n).flat_map(|v| (0..v).map(move |u| (u, v))).collect();
    let degrees = vec![n - 1; n as usize];
    let gadget = Gadget::new(&degrees, &degrees, &ends).expect("a graph");
    let asked = Cell::new(0);
    let ask = |last: u32| {
        asked.set(asked.get() + 1);
        asked.get() > last
    };
    assert_eq!(gadget.edges::<i64>(|_| 1, |_| 0, || ask(2)), None);
    assert_eq!(asked.replace(0), 3);
    let edges = gadget.edges::<i64>(|_| 1, |_| 0, || ask(u32::MAX)).expect("all");
    assert!(
        edges.len() / (1 << 15) < asked.get() as usize,
        "{} {asked:?}",
        edges.len()
    );
    asked.set(0);
    assert!(gadget.paired_off(|| ask(2)).is_none());
    assert_eq!(asked.replace(0), 3);
    let graph = gadget.paired_off(|| ask(u32::MAX)).expect("all");
    assert!(graph.edges().len() / (1 << 16) < asked.get() as usize);
}

/// A graph of more than 2³¹ edges was refused also where it was only to be looked at, as by a checker.
#[test]
fn more_edges_than_a_list_may_have_can_be_gone_through() {
    let ends: Vec<(u32, u32)> = (1..=1 << 14).map(|v| (0, v)).collect();
    let mut most = vec![1; (1 << 14) + 1];
    most[0] = 1 << 18;
    let gadget = Gadget::new(&most, &most, &ends).expect("a graph to go through");
    let Err(Error::TooLarge { vertices, edges }) = gadget.listed() else {
        panic!("too many for a list")
    };
    assert_eq!(
        (vertices, edges),
        ((1 << 18) + 3 * (1 << 14), (1 << 14) * ((1 << 18) + 2))
    );
}

/// Between two sides nothing is half, so that the search has a perfect matching to begin with.
#[test]
fn what_the_relaxation_solves_leaves_the_search_nothing_to_do() {
    let rng = &mut ChaCha8Rng::seed_from_u64(38);
    let (mut solved, mut spares) = (0, 0);
    for round in 0..400 {
        let n = 2 * rng.random_range(4..16);
        let weights = [1, 3, 30, 1_000][round % 4];
        let across = (0..n / 2).flat_map(|u| (n / 2..n).map(move |v| (u, v)));
        let edges: Vec<_> = across
            .map(|(u, v)| (u, v, rng.random_range(-weights..=weights)))
            .collect();
        let graph = EdgeList::new(n, edges).expect("edges");
        let most: Vec<u32> = (0..n).map(|_| rng.random_range(1..6)).collect();
        let least = most.iter().map(|&most| {
            if round % 2 == 0 {
                most.min(3)
            } else {
                rng.random_range(0..=most)
            }
        });
        let degrees = Degrees::between(least.collect(), most);
        let degrees = degrees.missing((0..n).map(|_| rng.random_range(-weights..=weights)).collect());
        let blossom = Blossom::new();
        let Ok(mut asked) = Asked::read(&graph, &degrees, false, &blossom) else {
            continue;
        };
        asked.problem.opening = Opening {
            beyond: rng.random_range(1..4),
            few: 0,
            worst: 2,
        };
        let problem = &asked.problem;
        let budget = Budget::new();
        let (core, _) = Core::new(problem, &Limits::start(&budget));
        let (Some(prices), Some(chosen)) = (&core.prices, &core.chosen) else {
            continue;
        };
        let ends = core.ends(problem);
        let gadget = core.gadget(problem, &ends).expect("a graph");
        let cost = |edge: usize| problem.costs[core.edges[edge] as usize];
        let price = |v: usize| problem.prices[v];
        let duals = gadget.duals(prices, cost, price);
        let mates = gadget.mates(&duals, |edge| chosen[core.edges[edge] as usize], cost, price);
        let mut matched = 0;
        let visited = gadget.visit(cost, price, |u, v, cost| {
            let slack = 2 * cost - duals[u] - duals[v];
            assert!(slack >= 0);
            if mates[u] as usize == v {
                assert_eq!((slack, mates[v] as usize), (0, u));
                matched += 2;
            }
            ControlFlow::Continue(())
        });
        assert!(visited.is_continue() && matched == gadget.vertices(), "{degrees:?}");
        solved += 1;
        spares += (0..n).map(|v| gadget.spares_of(v)).sum::<usize>();
    }
    assert!(solved > 200 && spares > 1_000, "{solved} {spares}");
}

/// One partner or none, without a choice: the engines for pairings give what the graph of copies and sides gives, and its
/// certificate holds there.
#[test]
fn a_pairing_is_proven_as_a_choice_of_edges() {
    let rng = &mut ChaCha8Rng::seed_from_u64(35);
    let rounds = std::env::var("DEGREES_FUZZ")
        .ok()
        .and_then(|rounds| rounds.parse().ok());
    let (mut solved, mut refused, mut inside) = (0, 0, 0);
    for round in 0..rounds.unwrap_or(4_000) / 4 {
        // Beyond 128 vertices lists of most pairs are for the dense engine.
        let n = if round % 100 == 0 {
            rng.random_range(129..150)
        } else {
            rng.random_range(1..24)
        };
        let weights = [1, 3, 30, 1_000][round % 4];
        let density = rng.random_range(0.3..1.0);
        let graph = random_graph(n, usize::MAX, density, weights, rng);
        let idle = if rng.random_bool(0.5) { 0.1 } else { 0.0 };
        let degrees = Degrees::exactly((0..n).map(|_| u32::from(!rng.random_bool(idle))).collect());
        for objective in [Objective::MinPerfect, Objective::MaxPerfect] {
            let blossom = Blossom::new().objective(objective);
            let by_sides = solve(&graph, &degrees, &blossom, Opening::default());
            match (blossom.solve_degrees(&graph, &degrees), by_sides) {
                (Ok(pairing), Ok(by_sides)) => {
                    let case = || format!("{graph:?} {degrees:?}");
                    pairing
                        .verify(&graph)
                        .unwrap_or_else(|error| panic!("{error}: {}", case()));
                    check_on_the_whole_graph(&graph, &pairing);
                    let told = |answer: &BMatching<i64>| (answer.cost(), answer.bound(), answer.status());
                    assert_eq!(told(&pairing), told(&by_sides), "{}", case());
                    solved += 1;
                    inside += pairing.core.len();
                }
                (Err(Error::NoDegrees(witness)), Err(Error::NoDegrees(other))) => {
                    verify::degrees_witness(&graph, &degrees, &witness).expect("a witness");
                    assert_eq!(witness.missing(), other.missing(), "{graph:?} {degrees:?}");
                    refused += 1;
                }
                other => panic!("{other:?}"),
            }
        }
    }
    assert!(
        solved > 400 && refused > 400 && inside > 200,
        "{solved} {refused} {inside}"
    );
}

#[test]
fn a_pairing_that_a_limit_cut_short_is_within_its_bound() {
    let rng = &mut ChaCha8Rng::seed_from_u64(36);
    let mut stopped = 0;
    for round in 0..60 {
        let n = if round % 6 == 0 {
            140
        } else {
            2 * rng.random_range(4..20)
        };
        let graph = random_graph(n, usize::MAX, 0.9, [2, 50, 1_000][round % 3], rng);
        let degrees = Degrees::exactly(vec![1; n]);
        let Ok(best) = Blossom::new().solve_degrees(&graph, &degrees) else {
            continue;
        };
        for _ in 0..8 {
            let budget = Budget::new().work(rng.random_range(0..=best.work()));
            let answer = Blossom::new()
                .budget(budget)
                .solve_degrees(&graph, &degrees)
                .expect("something");
            answer.verify(&graph).expect("what it says");
            check_on_the_whole_graph(&graph, &answer);
            assert!(answer.bound() <= best.cost() && (!answer.is_optimal() || answer.cost() == best.cost()));
            stopped += u32::from(!answer.is_optimal());
        }
    }
    assert!(stopped > 100, "{stopped}");
}

/// Where many partners are equally good, all took the first of them: there were not enough for everybody among the edges that
/// were open to begin with, and the search came to have all of them open.
#[test]
fn equally_good_partners_are_not_all_the_same_few() {
    let rng = &mut ChaCha8Rng::seed_from_u64(37);
    let n = 500;
    let number: Vec<i64> = (0..n).map(|_| rng.random_range(0..10)).collect();
    let pairs = (0..n).flat_map(|u| (0..u).map(move |v| (v, u)));
    let graph = EdgeList::new(n, pairs.map(|(v, u)| (v, u, number[u] * number[v]))).expect("edges");
    let degrees = Degrees::exactly(vec![10; n]);
    let blossom = Blossom::new();
    let asked = Asked::read(&graph, &degrees, false, &blossom).expect("a problem");
    let problem = &asked.problem;
    let found = problem.solve(&Limits::start(&Budget::new())).expect("games");
    let answer = asked.told(found).expect("an answer");
    answer.verify(&graph).expect("a proof");
    let open = answer.core.len();
    assert!(open < 25 * n, "{open}");
}

/// Whole ratings, several players of each: where those about somebody are odd in number, sets around all of them pay. As if each
/// paid alone, edges of the whole neighbourhood were opened, a few in each of eleven searches.
#[test]
fn what_only_sets_around_both_ends_pay_for_calls_for_no_search() {
    let rng = &mut ChaCha8Rng::seed_from_u64(39);
    let n = 500;
    let rating: Vec<i64> = (0..n).map(|_| rng.random_range(0..70)).collect();
    let pairs = (0..n).flat_map(|u| (0..u).map(move |v| (v, u)));
    let graph = EdgeList::new(n, pairs.map(|(v, u)| (v, u, (rating[u] - rating[v]).abs()))).expect("edges");
    let degrees = Degrees::exactly(vec![3; n]);
    let blossom = Blossom::new();
    let asked = Asked::read(&graph, &degrees, false, &blossom).expect("a problem");
    let problem = &asked.problem;
    let budget = Budget::new();
    let limits = Limits::start(&budget);
    let (core, _) = Core::new(problem, &limits);
    let ends = core.ends(problem);
    let gadget = core.gadget(problem, &ends).expect("a graph");
    let outcome = problem.search(&gadget, &core, &limits).expect("games");
    let lift = Lift::new(problem, &core, &gadget, &outcome.certificate);
    let doubts = lift.doubts();
    assert!(doubts.is_empty() && doubts.within.len() > n, "{}", doubts.within.len());
    let found = problem.solve(&limits).expect("games");
    let answer = asked.told(found).expect("an answer");
    assert_eq!(answer.core.len(), core.edges.len() + doubts.within.len());
    answer.verify(&graph).expect("a proof");
    check_on_the_whole_graph(&graph, &answer);
}

/// Best pairs first leave those at the rim with far too few partners where everybody has many: 1,000 players with half of the
/// others each took three minutes after the limit, and still not all had enough.
#[test]
fn a_limit_leaves_games_for_everybody_where_there_are_any() {
    let rng = &mut ChaCha8Rng::seed_from_u64(40);
    for round in 0..48 {
        let n = 2 * rng.random_range(20..60) + usize::from(round % 4 == 3);
        let place: Vec<i64> = (0..n).map(|_| rng.random_range(0..1_000)).collect();
        let pairs = (0..n).flat_map(|u| (0..u).map(move |v| (v, u)));
        let graph = EdgeList::new(n, pairs.map(|(v, u)| (v, u, (place[u] - place[v]).abs()))).expect("edges");
        let most: Vec<u32> = (0..n)
            .map(|_| rng.random_range(n as u32 / 4..n as u32 * 4 / 5))
            .collect();
        let degrees = match round % 4 {
            0 => Degrees::exactly(vec![n as u32 / 2; n]),
            1 => Degrees::exactly(vec![n as u32 * 9 / 10 / 2 * 2; n]),
            2 => Degrees::between(most.iter().map(|most| most - 1).collect(), most),
            _ => Degrees::exactly(vec![n as u32 / 4 * 2 + 1; n]),
        };
        let blossom = Blossom::new().budget(Budget::new().work(0));
        match blossom.solve_degrees(&graph, &degrees) {
            Ok(answer) if round % 4 < 3 => {
                answer.verify(&graph).expect("what it says");
                assert!(matches!(answer.status(), Status::Feasible(_)), "{n} {degrees:?}");
            }
            // An odd number of players with an odd number of games each.
            Err(Error::NoDegrees(witness)) if round % 4 == 3 => {
                verify::degrees_witness(&graph, &degrees, &witness).expect("a witness");
            }
            other => panic!("{other:?}"),
        }
    }
}

/// The price of what one vertex lacks left the range of floats, and was left out of a total that does not: that was less than its
/// bound.
#[test]
fn what_one_lacks_may_cost_more_than_a_float() {
    let big = 2f64.powi(1023);
    // The least edge lies on no grid with the others; its ends want no partners.
    let graph = EdgeList::new(6, [(0, 1, 0.0), (2, 3, -big), (4, 5, 1e-300)]).expect("edges");
    let degrees = Degrees::between(vec![0; 6], vec![3, 1, 1, 1, 0, 0]).missing(vec![big, 0.0, 0.0, 0.0, 0.0, 0.0]);
    let solver = Blossom::new().precision(Precision::Quantised);
    let answer = solver.solve_degrees(&graph, &degrees).expect("an answer");
    assert_eq!((answer.cost(), answer.pairs().len()), (big, 2));
    assert!(answer.bound() <= answer.cost());
    assert_eq!(answer.verify(&graph), Ok(()));
}

/// Any cost passed for the sum of numbers whose absolute sum is beyond all floats.
#[test]
fn no_other_total_is_the_sum_of_great_floats() {
    let graph = EdgeList::new(6, [(0, 1, 1.5e308), (2, 3, -1.5e308), (4, 5, 1e-300)]).expect("edges");
    let solver = Blossom::new().precision(Precision::Quantised);
    let answer = solver
        .solve_degrees(&graph, &Degrees::exactly(vec![1; 6]))
        .expect("an answer");
    assert_eq!(answer.verify(&graph), Ok(()));
    for cost in [1e304, -1e304, f64::MAX, f64::INFINITY, f64::NEG_INFINITY, f64::NAN] {
        let claimed = BMatching { cost, ..answer.clone() };
        assert!(claimed.verify(&graph).is_err(), "{cost}");
    }
}
