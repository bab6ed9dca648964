//! Several games each: everything that the report says, against exhaustive search and from the input alone.

use std::collections::BTreeSet;
use std::fmt::Write;

use matching_core::Cost;
use matchmaking::{EngagementCost, Horizon, OutcomeModel, Pool, SyntheticChurn};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};

use crate::support::{check_timing, file, pair, pair_json, run, timeless};

/// Edges with weights, and between which numbers of partners everybody should have some, at a price for missing ones.
struct Problem {
    edges: Vec<(usize, usize, i64)>,
    least: Vec<u32>,
    most: Vec<u32>,
    price: i64,
}

impl Problem {
    /// The totals of all choices of edges, in which each edge is used or not as `uses` says of an edge and a choice.
    fn totals(&self, uses: Option<(usize, bool)>) -> Vec<i64> {
        let choices = 0..1_u32 << self.edges.len();
        let fits = |choice: &u32| uses.is_none_or(|(edge, is_used)| (choice >> edge & 1 == 1) == is_used);
        choices.filter(fits).filter_map(|choice| self.total(choice)).collect()
    }

    /// What a choice costs, if everybody has as many partners as he should.
    fn total(&self, choice: u32) -> Option<i64> {
        let mut counts = vec![0; self.least.len()];
        let mut total = 0;
        for (edge, &(u, v, weight)) in self.edges.iter().enumerate() {
            if choice >> edge & 1 == 1 {
                counts[u] += 1;
                counts[v] += 1;
                total += weight;
            }
        }
        for (v, &count) in counts.iter().enumerate() {
            if count < self.least[v] || count > self.most[v] {
                return None;
            }
            total += self.price * i64::from(self.most[v] - count);
        }
        Some(total)
    }

    /// The best of them.
    fn best(&self, objective: &str, uses: Option<(usize, bool)>) -> Option<i64> {
        let totals = self.totals(uses).into_iter();
        if objective == "min-perfect" {
            totals.min()
        } else {
            totals.max()
        }
    }

    /// Looks at an answer: pairs, their numbers, what is missing, and the total, in units of so many to one.
    fn check(&self, document: &Value, best: i64, units: i64, position: impl Fn(&Value) -> usize) {
        let context = document.to_string();
        assert_eq!(document["status"], "optimal", "{context}");
        assert_eq!(
            document["certificate"],
            json!({"verified": true, "kind": "dual"}),
            "{context}"
        );
        assert_eq!(
            (&document["cost"], &document["gap"]),
            (&document["bound"], &json!(0.0)),
            "{context}"
        );
        let number = |value: &Value| (value.as_f64().expect("a number") * units as f64).round() as i64;
        assert_eq!(number(&document["cost"]["float"]), best, "{context}");
        let mut partners = vec![BTreeSet::new(); self.least.len()];
        let mut choice = 0;
        for pair in document["pairs"].as_array().expect("pairs") {
            let (u, v) = (position(&pair[0]), position(&pair[1]));
            let is_edge = |&(a, b, _): &(usize, usize, i64)| (a, b) == (u.min(v), u.max(v));
            let edge = self.edges.iter().position(is_edge).expect("a pair that may be");
            assert_eq!(number(&pair[2]), self.edges[edge].2, "{context}");
            assert!(choice >> edge & 1 == 0, "nobody meets anybody twice: {context}");
            choice |= 1 << edge;
            partners[u].insert(v);
            partners[v].insert(u);
        }
        assert_eq!(self.total(choice), Some(best), "{context}");
        let games = &document["games"];
        let each = games["each"].as_array().expect("everybody");
        assert_eq!(each.len(), self.least.len(), "{context}");
        let mut missing = 0;
        for (v, one) in each.iter().enumerate() {
            assert_eq!(position(&one["id"]), v, "{context}");
            assert_eq!(
                (&one["least"], &one["most"]),
                (&json!(self.least[v]), &json!(self.most[v]))
            );
            assert_eq!(number(&one["missing_cost"]), self.price, "{context}");
            let opponents = one["opponents"].as_array().expect("opponents").iter().map(&position);
            assert!(
                opponents.clone().is_sorted() && opponents.eq(partners[v].iter().copied()),
                "{context}"
            );
            missing += i64::from(self.most[v]) - partners[v].len() as i64;
        }
        assert_eq!(games["missing"], missing, "{context}");
        assert_eq!(
            number(&games["missing_cost"]["float"]),
            missing * self.price,
            "{context}"
        );
        let idle = (0..partners.len()).filter(|&v| partners[v].is_empty());
        let unmatched = document["unmatched"].as_array().expect("a list").iter().map(&position);
        assert!(idle.eq(unmatched), "{context}");
    }

    /// Looks whether a witness proves, by the input alone, that as many are missing as it says.
    fn check_witness(&self, document: &Value, position: impl Fn(&Value) -> usize) {
        let context = document.to_string();
        assert_eq!(document["status"], "infeasible", "{context}");
        let kind = json!({"verified": true, "kind": "tutte-lovasz"});
        assert_eq!(document["certificate"], kind, "{context}");
        assert_eq!(
            (&document["pairs"], &document["cost"]),
            (&json!([]), &Value::Null),
            "{context}"
        );
        assert_eq!(document["games"]["missing"], Value::Null, "{context}");
        let witness = &document["witness"];
        let list = |value: &Value| -> Vec<usize> { value.as_array().expect("a list").iter().map(&position).collect() };
        let (removed, wanting) = (list(&witness["removed"]), list(&witness["wanting"]));
        let n = self.least.len();
        let takes = |v: usize| self.most[v] > 0;
        // Nobody has more partners than there are for him.
        let most = |v: usize| {
            let meets = |&&(a, b, _): &&(usize, usize, i64)| a == v && takes(b) || b == v && takes(a);
            self.most[v].min(self.edges.iter().filter(meets).count() as u32)
        };
        let outside: Vec<&(usize, usize, i64)> = self
            .edges
            .iter()
            .filter(|(a, b, _)| !removed.contains(a) && !removed.contains(b))
            .collect();
        let ends = |v: usize| outside.iter().filter(|edge| edge.0 == v || edge.1 == v).count() as i64;
        let mut missing: i64 = wanting.iter().map(|&v| i64::from(self.least[v]) - ends(v)).sum();
        missing -= removed.iter().map(|&v| i64::from(most(v))).sum::<i64>();
        let groups = witness["odd_groups"].as_array().expect("groups");
        let mut seen = vec![false; n];
        for group in groups {
            let group = list(group);
            let is_in = |v: usize| group.contains(&v);
            for &v in &group {
                assert!(!std::mem::replace(&mut seen[v], true), "{context}");
                assert!(!removed.contains(&v) && !wanting.contains(&v), "{context}");
                assert_eq!(self.least[v], most(v), "{context}");
            }
            let leaves = |a: usize, b: usize| is_in(a) && !is_in(b) && !wanting.contains(&b);
            assert!(
                outside.iter().all(|&&(a, b, _)| !leaves(a, b) && !leaves(b, a)),
                "{context}"
            );
            let to = |a: usize, b: usize| is_in(a) && wanting.contains(&b);
            let edges = outside.iter().filter(|&&&(a, b, _)| to(a, b) || to(b, a)).count() as u32;
            let sum = group.iter().map(|&v| most(v)).sum::<u32>() + edges;
            assert_eq!(sum % 2, 1, "{context}");
            missing += 1;
        }
        assert!(missing > 0 && witness["missing"] == missing, "{missing} {context}");
    }
}

/// `--games`, and numbers of games for everybody else.
fn wish(rng: &mut ChaCha8Rng, most: u32) -> (u32, u32) {
    let (one, other) = (rng.random_range(0..=most), rng.random_range(1..=most));
    if rng.random_bool(0.5) {
        (other, other)
    } else {
        (one.min(other), one.max(other))
    }
}

fn text((least, most): (u32, u32)) -> String {
    if least == most {
        most.to_string()
    } else {
        format!("{least}..{most}")
    }
}

/// Players with whom they avoid, whom they have met, and numbers of games of their own.
fn pool(rng: &mut ChaCha8Rng, (least, most): (u32, u32), rematch: i64) -> (String, Problem) {
    let n = rng.random_range(2..=6_usize);
    let ratings: Vec<i64> = (0..n).map(|_| 1000 + rng.random_range(0..60)).collect();
    let mut problem = Problem {
        edges: Vec::new(),
        least: vec![least; n],
        most: vec![most; n],
        price: 0,
    };
    let (mut avoid, mut met) = (vec![Vec::new(); n], vec![Vec::new(); n]);
    for (u, v) in (0..n).flat_map(|v| (0..v).map(move |u| (u, v))) {
        let gap = (ratings[u] - ratings[v]).abs();
        match rng.random_range(0..8) {
            0 => avoid[v].push(format!("p{u}")),
            1 => {
                met[u].push(format!("p{v}"));
                problem.edges.push((u, v, gap + rematch));
            }
            _ => problem.edges.push((u, v, gap)),
        }
    }
    let mut csv = String::from("id,rating,deviation,outcomes,avoid,opponents,games_wanted\n");
    for v in 0..n {
        let mut own = String::new();
        if rng.random_bool(0.2) {
            let (least, most) = wish(rng, n as u32 - 1);
            (problem.least[v], problem.most[v], own) = (least, most, text((least, most)));
        }
        let (avoid, met) = (avoid[v].join(";"), met[v].join("|"));
        writeln!(csv, "p{v},{},50,,{avoid},{met},{own}", ratings[v]).expect("a text");
    }
    (csv, problem)
}

fn player(id: &Value) -> usize {
    id.as_str().expect("an id")[1..].parse().expect("a number")
}

#[test]
fn games_of_pools_are_the_best_of_all_choices() {
    let rng = &mut ChaCha8Rng::seed_from_u64(7);
    let (mut solved, mut infeasible) = (0, 0);
    for _ in 0..120 {
        let games = wish(rng, 3);
        let rematch = [0, 15, -4][rng.random_range(0..3)];
        let objective = ["min-perfect", "max-perfect"][rng.random_range(0..2)];
        let is_cost = objective == "min-perfect";
        let (csv, mut problem) = pool(rng, games, if is_cost { rematch } else { -rematch });
        let mut options: Vec<String> = vec!["--cost".into(), "skill".into(), "--games".into(), text(games)];
        options.extend([
            "--objective".into(),
            objective.into(),
            "--rematch-cost".into(),
            rematch.to_string(),
        ]);
        if problem.least != problem.most && rng.random_bool(0.7) {
            let price = rng.random_range(-5..40);
            problem.price = if is_cost { price } else { -price };
            options.extend(["--missing-cost".into(), price.to_string()]);
        }
        let options: Vec<&str> = options.iter().map(String::as_str).collect();
        // More games than there are others are an error of the input, which is told elsewhere.
        if problem.least.iter().any(|&least| least as usize >= problem.least.len()) {
            pair(&csv, &options).refused(&["games take as many different opponents"]);
            continue;
        }
        let document = pair_json(&csv, &options);
        match problem.best(objective, None) {
            Some(best) => {
                problem.check(&document, best, 1, player);
                let own = &document["comparison"][0];
                assert_eq!((&own["pairing"], &own["cost"]), (&json!("this"), &document["cost"]));
                assert_eq!(own["missing"], document["games"]["missing"]);
                solved += 1;
            }
            None => {
                problem.check_witness(&document, player);
                infeasible += 1;
            }
        }
    }
    assert!(solved > 50 && infeasible > 15, "{solved} {infeasible}");
}

/// A graph with weights in hundredths in a format, and the number of its first vertex there.
fn graph(format: &str, n: usize, edges: &[(usize, usize, i64)]) -> (String, usize) {
    let m = edges.len();
    let weight = |w: i64| format!("{}{}.{:02}", if w < 0 { "-" } else { "" }, w.abs() / 100, w.abs() % 100);
    let lines = |begin: &str, first: usize| -> String {
        let line = |&(u, v, w): &(usize, usize, i64)| format!("{begin}{} {} {}\n", v + first, u + first, weight(w));
        edges.iter().map(line).collect()
    };
    let entry = |u: usize, v: usize| {
        let edge = edges.iter().find(|&&(a, b, _)| (a, b) == (u.min(v), u.max(v)));
        edge.map_or("-".to_owned(), |&(_, _, w)| weight(w))
    };
    match format {
        "edges" => (format!("{n} {m}\n{}", lines("", 0)), 0),
        "dimacs" => (format!("p edge {n} {m}\n{}", lines("e ", 1)), 1),
        "mm" => {
            let head = "%%MatrixMarket matrix coordinate real symmetric";
            (format!("{head}\n{n} {n} {m}\n{}", lines("", 1)), 1)
        }
        _ => {
            let row = |u| (0..n).map(|v| entry(u, v)).collect::<Vec<_>>().join(" ") + "\n";
            (format!("{n}\n{}", (0..n).map(row).collect::<String>()), 0)
        }
    }
}

/// In thousandths, as prices have one decimal more than weights.
#[test]
fn partners_in_graphs_are_the_best_of_all_choices_in_every_format() {
    let rng = &mut ChaCha8Rng::seed_from_u64(11);
    let (mut solved, mut infeasible) = (0, 0);
    for round in 0..80 {
        let n = rng.random_range(2..=6_usize);
        let pairs = (0..n).flat_map(|v| (0..v).map(move |u| (u, v)));
        let kept: Vec<(usize, usize)> = pairs.filter(|_| rng.random_bool(0.7)).collect();
        let edges: Vec<_> = kept
            .into_iter()
            .map(|(u, v)| (u, v, rng.random_range(-300..=300)))
            .collect();
        let format = ["edges", "dimacs", "mm", "matrix"][round % 4];
        let (input, first) = graph(format, n, &edges);
        let games = wish(rng, n as u32 - 1);
        let objective = ["min-perfect", "max-perfect"][rng.random_range(0..2)];
        let games_text = text(games);
        let mut options = vec!["--games", &games_text, "--objective", objective];
        let price_text;
        let mut price = 0;
        if games.0 < games.1 {
            price = rng.random_range(-500..2500);
            price_text = format!("{price}e-3");
            options.extend(["--missing-cost", &price_text]);
        }
        let problem = Problem {
            edges: edges.iter().map(|&(u, v, w)| (u, v, 10 * w)).collect(),
            least: vec![games.0; n],
            most: vec![games.1; n],
            price: if objective == "min-perfect" { price } else { -price },
        };
        let vertex = |id: &Value| id.as_u64().expect("a vertex") as usize - first;
        let (a, b) = (rng.random_range(0..n), rng.random_range(1..n));
        let (a, b) = (a, (a + b) % n);
        let pair = format!("{},{}", a + first, b + first);
        options.extend(["--explain", &pair]);
        let document = pair_json(&input, &options);
        assert_eq!(document["format"], format);
        let best = problem.best(objective, None);
        match best {
            Some(best) => {
                problem.check(&document, best, 1000, vertex);
                solved += 1;
            }
            None => {
                problem.check_witness(&document, vertex);
                infeasible += 1;
            }
        }
        let edge = problem
            .edges
            .iter()
            .position(|&(u, v, _)| (u, v) == (a.min(b), a.max(b)));
        check_explanation(&problem, objective, (edge, best), &document);
        check_changes(&problem, &document, vertex);
    }
    assert!(solved > 30 && infeasible > 20, "{solved} {infeasible}");
}

/// With the pair, and without it.
fn check_explanation(problem: &Problem, objective: &str, (edge, best): (Option<usize>, Option<i64>), document: &Value) {
    let explain = &document["explain"];
    let number = |value: &Value| value.as_f64().map(|number| (number * 1000.0).round() as i64);
    let check = |said: &Value, expected: Option<i64>| {
        let status = if expected.is_some() { "optimal" } else { "infeasible" };
        assert_eq!(said["status"], status, "{document}");
        assert_eq!(number(&said["cost"]["float"]), expected, "{document}");
        let change = best.zip(expected).map(|(best, expected)| expected - best);
        assert_eq!(number(&said["change"]["float"]), change, "{document}");
    };
    match edge {
        Some(edge) => {
            check(&explain["forced"], problem.best(objective, Some((edge, true))));
            check(&explain["forbidden"], problem.best(objective, Some((edge, false))));
        }
        None => {
            assert!(explain["forced"].is_null() && explain["cost"].is_null(), "{document}");
            check(&explain["forbidden"], best);
        }
    }
}

/// What would come and go makes games of the answer that cost what is said.
fn check_changes(problem: &Problem, document: &Value, vertex: impl Fn(&Value) -> usize) {
    let pairs = |value: &Value| -> BTreeSet<(usize, usize)> {
        let pairs = value.as_array().expect("pairs").iter();
        pairs.map(|pair| (vertex(&pair[0]), vertex(&pair[1]))).collect()
    };
    let answer = pairs(&document["pairs"]);
    for condition in ["forced", "forbidden"] {
        let said = &document["explain"][condition];
        let Some(cost) = said["cost"]["float"].as_f64() else {
            continue;
        };
        let (added, dropped) = (pairs(&said["added"]), pairs(&said["dropped"]));
        assert!(added.is_disjoint(&answer) && dropped.is_subset(&answer), "{document}");
        let after: BTreeSet<_> = answer.difference(&dropped).chain(&added).copied().collect();
        let is_in = |&(_, &(u, v, _)): &(usize, &(usize, usize, i64))| after.contains(&(u, v));
        let choice = problem.edges.iter().enumerate().filter(is_in);
        let choice = choice.fold(0_u32, |choice, (edge, _)| choice | 1 << edge);
        assert_eq!(choice.count_ones() as usize, after.len(), "{document}");
        assert_eq!(said["pairs"], after.len(), "{document}");
        assert_eq!(
            problem.total(choice),
            Some((cost * 1000.0).round() as i64),
            "{document}"
        );
    }
}

fn synthetic(n: usize, seed: u64) -> Vec<u8> {
    let mut csv = Vec::new();
    Pool::synthetic(n, seed)
        .write_csv(&mut csv)
        .expect("a vector takes everything");
    csv
}

#[test]
fn one_game_each_costs_what_a_pairing_costs() {
    for (n, seed) in [(2, 1), (12, 2), (150, 3), (300, 4)] {
        let csv = synthetic(n, seed);
        for cost in ["engagement", "skill"] {
            for objective in ["min-perfect", "max-perfect"] {
                let options = ["--cost", cost, "--objective", objective];
                let paired = pair_json(&csv, &options);
                let games = pair_json(&csv, &[&options[..], &["--games", "1"]].concat());
                assert_eq!(games["status"], "optimal");
                assert_eq!(
                    (&games["cost"], &games["edges"]),
                    (&paired["cost"], &paired["edges"]),
                    "{options:?}"
                );
            }
        }
    }
    // Where one of an odd pool may be left out, at what a bye costs.
    let odd = synthetic(31, 5);
    let bye = pair_json(&odd, &["--bye-cost", "0.4"]);
    let games = pair_json(&odd, &["--games", "0..1", "--missing-cost", "0.4"]);
    let missing = games["games"]["missing"].as_u64().expect("a number");
    assert!(missing % 2 == 1 && games["cost"]["float"].as_f64() <= bye["cost"]["float"].as_f64());
    let graph = "6 8\n0 1 3\n1 2 1\n2 3 4\n3 4 2\n4 5 7\n5 0 1\n0 3 2\n1 4 1\n";
    for objective in ["min-perfect", "max-perfect"] {
        let cost = |more: &[&str]| pair_json(graph, &[&["--objective", objective], more].concat())["cost"].clone();
        assert_eq!(cost(&["--games", "1"]), cost(&[]));
    }
}

/// Costs are those of the model, and missing games cost what a bye costs where nothing else is said.
#[test]
fn engagement_is_summed_over_games() {
    let csv = synthetic(40, 8);
    let pool = Pool::read_csv(&csv[..]).expect("a pool");
    let churn = SyntheticChurn::new(Horizon::EightHours, 3);
    let engagement = EngagementCost::new(&pool, &OutcomeModel::default(), &churn).expect("probabilities");
    let document = pair_json(&csv, &["--games", "1..4", "--seed", "3"]);
    assert_eq!(document["status"], "optimal");
    let millionths = |value: &Value| (value.as_f64().expect("a number") * 1e6).round() as i64;
    let mut total = 0;
    for pair in document["pairs"].as_array().expect("pairs") {
        let [i, j] = [0, 1].map(|end| pool.position(pair[end].as_str().expect("an id")).expect("a player"));
        assert_eq!(millionths(&pair[2]), engagement.pair(i, j));
        total += engagement.pair(i, j);
    }
    let mut some = 0;
    for (player, one) in document["games"]["each"]
        .as_array()
        .expect("everybody")
        .iter()
        .enumerate()
    {
        let games = one["opponents"].as_array().expect("opponents").len() as i64;
        assert!((1..=4).contains(&games));
        assert_eq!(millionths(&one["missing_cost"]), engagement.bye(player));
        total += (4 - games) * engagement.bye(player);
        some += i64::from((2..4).contains(&games));
    }
    assert!(some > 0, "a price is worth something");
    assert_eq!(millionths(&document["cost"]["float"]), total);
}

#[test]
fn large_pools_are_solved_at_once_and_check_out() {
    for (cost, n) in [("engagement", 500), ("skill", 501)] {
        let games = if n % 2 == 0 { "3" } else { "2..3" };
        let (_directory, path) = file("pool.csv", synthetic(n, 1));
        let path = path.to_str().expect("a path in UTF-8");
        let by_threads = |threads| {
            run(&[
                "pair",
                path,
                "--json",
                "--cost",
                cost,
                "--games",
                games,
                "--threads",
                threads,
            ])
        };
        let (one, two) = (by_threads("1").json(), by_threads("2").json());
        check_timing(&one);
        assert_eq!((&one["status"], &one["engine"]), (&"optimal".into(), &"sparse".into()));
        assert_eq!(timeless(one.clone()), timeless(two));
        let mut counts = vec![0; n];
        let mut seen = BTreeSet::new();
        let pool = Pool::synthetic(n, 1);
        for pair in one["pairs"].as_array().expect("pairs") {
            let [i, j] = [0, 1].map(|end| pool.position(pair[end].as_str().expect("an id")).expect("a player"));
            assert!(i < j && seen.insert((i, j)));
            counts[i] += 1;
            counts[j] += 1;
        }
        assert!(
            counts
                .iter()
                .all(|count| (n / 2 * 2 == n && *count == 3) || (n % 2 == 1 && (2..=3).contains(count)))
        );
        let total = |row: usize| one["comparison"][row]["cost"]["float"].as_f64();
        assert!(
            (1..3).all(|row| one["comparison"][row]["missing"] != 0 || total(0) <= total(row)),
            "{}",
            one["comparison"]
        );
    }
}

/// Somebody has so many games, or, which is what it says, players who are named have more among them than fit into fewer rounds.
fn check_overfull(document: &Value, rounds: usize) -> bool {
    let overfull: Vec<&str> = document["games"]["rounds"]["overfull"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|id| id.as_str().expect("an id"))
        .collect();
    let each = document["games"]["each"].as_array().expect("everybody").iter();
    let most = each
        .map(|one| one["opponents"].as_array().map_or(0, Vec::len))
        .max()
        .unwrap_or(0);
    if most == rounds {
        assert!(overfull.is_empty(), "{overfull:?}");
        return false;
    }
    let is_in = |id: &Value| overfull.contains(&id.as_str().expect("an id"));
    let pairs = document["pairs"].as_array().expect("pairs").iter();
    let among = pairs.filter(|pair| is_in(&pair[0]) && is_in(&pair[1])).count();
    assert!(
        overfull.len() % 2 == 1 && among > (rounds - 1) * (overfull.len() / 2),
        "{among} {overfull:?}"
    );
    true
}

/// Every game is in one round, and nobody has two in any.
#[test]
fn rounds_hold_every_game_once() {
    let (mut as_many, mut one_more) = (0, 0);
    for (n, games, seed) in [(9, "4", 6), (6, "5", 6), (30, "1..7", 6)]
        .into_iter()
        .chain((1..12).map(|seed| (36, "3", seed)))
    {
        let csv = synthetic(n, seed);
        let options = ["--games", games, "--rounds", "--missing-cost", "0.9"];
        let options = if games.contains("..") {
            &options[..]
        } else {
            &options[..3]
        };
        let document = pair_json(&csv, options);
        assert_eq!(document["status"], "optimal");
        let rounds = &document["games"]["rounds"];
        assert_eq!(rounds["count"], rounds["at_least"], "{n} {games} {seed}");
        let expected = rounds["count"].as_u64().expect("a number") as usize;
        match check_overfull(&document, expected) {
            true => one_more += 1,
            false => as_many += 1,
        }
        let all: Vec<&Value> = rounds["games"].as_array().expect("rounds").iter().collect();
        assert_eq!(all.len(), expected);
        let mut played = BTreeSet::new();
        for round in all {
            let mut busy = BTreeSet::new();
            for game in round.as_array().expect("games") {
                let [i, j] = [0, 1].map(|end| game[end].as_str().expect("an id"));
                assert!(busy.insert(i) && busy.insert(j), "twice at once: {round}");
                assert!(played.insert((i, j)), "twice: {round}");
            }
        }
        let pairs = document["pairs"].as_array().expect("pairs").iter();
        let pairs = pairs.map(|pair| (pair[0].as_str().expect("an id"), pair[1].as_str().expect("an id")));
        assert_eq!(played, pairs.collect(), "{n} {games}");
        let without = &options
            .iter()
            .copied()
            .filter(|option| *option != "--rounds")
            .collect::<Vec<_>>();
        let without = pair_json(&csv, without);
        assert_eq!(without["games"].get("rounds"), None);
        assert_eq!(
            (&without["pairs"], &without["cost"]),
            (&document["pairs"], &document["cost"])
        );
        let text = pair(&csv, options).stdout;
        let said = format!("\n{expected} rounds, in each of which everybody plays once at most; no fewer will do");
        assert!(text.contains(&said), "{text}");
    }
    assert!(as_many > 0 && one_more > 0, "{as_many} {one_more}");
}
