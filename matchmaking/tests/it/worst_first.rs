//! `pair --worst-first`: the worst pair as good as can be, then the total.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};

use crate::support::{pair, pair_json};

/// The cheapest in all has a pair of 90.
const PINGS: &str = "4 5\n0 1 20\n2 3 90\n0 2 60\n1 3 65\n0 3 95\n";

/// A whole number as JSON has exact ones.
#[track_caller]
fn exact(value: &Value) -> i64 {
    let text = value["exact"]
        .as_str()
        .unwrap_or_else(|| panic!("a number, not {value}"));
    text.parse().expect("a whole number")
}

/// Ratings, and who avoids whom.
struct Small {
    ratings: Vec<i64>,
    apart: Vec<(usize, usize)>,
}

impl Small {
    fn random(rng: &mut ChaCha8Rng) -> Self {
        let n = rng.random_range(2..=7);
        let pairs = (0..n).flat_map(|i| (0..i).map(move |j| (j, i)));
        let apart = pairs.filter(|_| rng.random_bool(0.3)).collect();
        let ratings = (0..n).map(|_| 1000 + rng.random_range(0..40)).collect();
        Self { ratings, apart }
    }

    fn csv(&self) -> String {
        let mut avoid = vec![Vec::new(); self.ratings.len()];
        self.apart.iter().for_each(|&(i, j)| avoid[i].push(format!("p{j}")));
        let line = |(i, rating): (usize, &i64)| format!("p{i},{rating},{}\n", avoid[i].join(";"));
        let lines: String = self.ratings.iter().enumerate().map(line).collect();
        format!("id,rating,avoid\n{lines}")
    }

    /// Worst pair and total of all pairings of those left, who are all paired but one of an odd number. Gaps count by `sign`.
    fn visit(&self, left: &[usize], sign: i64, (worst, total): (i64, i64), found: &mut Vec<(i64, i64)>) {
        let [first, rest @ ..] = left else {
            return found.push((worst, total));
        };
        if left.len() % 2 == 1 {
            self.visit(rest, sign, (worst, total), found);
        }
        for (at, other) in rest.iter().enumerate() {
            if !self.apart.contains(&(*first, *other)) {
                let gap = sign * (self.ratings[*first] - self.ratings[*other]).abs();
                let rest = [&rest[..at], &rest[at + 1..]].concat();
                self.visit(&rest, sign, (worst.max(gap), total + gap), found);
            }
        }
    }
}

/// The key was missing, as if nobody had asked.
#[test]
fn where_there_are_no_pairs_the_worst_one_is_null() {
    for (input, options) in [
        ("0 0\n", &[][..]),
        ("3 1\n0 1 5\n", &[]),
        ("id,rating\na,1\n", &["--cost", "skill"]),
    ] {
        let ask = |more: &[&str]| pair(input, &[options, more, &["--json"]].concat()).json();
        assert_eq!(ask(&["--worst-first"]).get("worst"), Some(&Value::Null));
        assert_eq!(ask(&[]).get("worst"), None);
    }
}

/// Of all pairings of up to seven players, of whom some avoid each other.
#[test]
fn no_pairing_has_a_better_worst_pair_or_such_a_one_and_a_better_total() {
    let rng = &mut ChaCha8Rng::seed_from_u64(3);
    let (mut solved, mut refused) = (0, 0);
    for round in 0..80 {
        let small = Small::random(rng);
        let (objective, sign) = [("min-perfect", 1), ("max-perfect", -1)][round % 2];
        let everybody: Vec<usize> = (0..small.ratings.len()).collect();
        let mut all = Vec::new();
        small.visit(&everybody, sign, (i64::MIN, 0), &mut all);
        let run = pair(
            small.csv(),
            &["--cost", "skill", "--objective", objective, "--worst-first", "--json"],
        );
        let document = run.json();
        let Some(&(worst, total)) = all.iter().min() else {
            assert_eq!((run.code, &document["status"]), (Some(1), &json!("infeasible")));
            refused += 1;
            continue;
        };
        solved += 1;
        assert_eq!((run.code, &document["status"]), (Some(0), &json!("optimal")));
        let gap = sign * worst;
        assert_eq!(exact(&document["cost"]), sign * total, "{}", small.csv());
        let of_worst = &document["worst"];
        assert_eq!((exact(&of_worst["cost"]), exact(&of_worst["bound"])), (gap, gap));
        assert_eq!(exact(&document["comparison"][0]["worst"]), gap);
        let pairs = document["pairs"].as_array().expect("pairs");
        let of_worst = pairs.iter().find(|pair| pair[2] == json!(gap)).expect("the worst pair");
        assert_eq!(document["worst"]["pair"], json!([of_worst[0], of_worst[1]]));
        let deficiency = document["worst"]["witness"]["deficiency"].as_u64();
        assert!(deficiency > Some(everybody.len() as u64 % 2));
    }
    assert!(solved > 30 && refused > 3, "{solved} {refused}");
}

#[test]
fn a_graph_says_which_pair_it_is_and_why() {
    let run = pair(PINGS, &["--worst-first"]);
    assert_eq!(run.code, Some(0));
    for line in [
        "2 pairs, total cost 125",
        "worst pair: 1 and 3, which costs 65",
        "no pairing has a better one: 3 has no better one",
        "optimal: no pairing with such a worst pair costs less (bound 125)",
    ] {
        assert!(run.stdout.contains(line), "{line:?} is missing in {}", run.stdout);
    }
    let worst = &pair_json(PINGS, &["--worst-first"])["worst"];
    assert_eq!((exact(&worst["cost"]), exact(&worst["bound"])), (65, 65));
    assert_eq!(worst["pair"], json!([1, 3]));
    let witness = json!({"removed": [], "odd_components": [[3]], "deficiency": 1});
    assert_eq!(worst["witness"], witness);
    assert_eq!(pair_json(PINGS, &[]).get("worst"), None);

    // Weights that are to be great: the least of them first.
    let most = pair_json(PINGS, &["--worst-first", "--objective", "max-perfect"]);
    assert_eq!((exact(&most["worst"]["cost"]), exact(&most["cost"])), (60, 125));
}

/// A player of an odd pool who sits out is in no pair, whatever that costs.
#[test]
fn a_bye_is_no_pair() {
    let pool = "id,rating\nAnn,1000\nBen,1100\nCho,1105\n";
    let document = pair_json(pool, &["--cost", "skill", "--worst-first", "--bye-cost", "500"]);
    assert_eq!((exact(&document["worst"]["cost"]), exact(&document["cost"])), (5, 505));
    assert_eq!(document["bye"], json!(["Ann", 500]));
    let one = pair_json("id,rating\nAnn,1000\n", &["--cost", "skill", "--worst-first"]);
    assert_eq!(
        (&one["status"], one.get("worst")),
        (&json!("optimal"), Some(&Value::Null))
    );
}

/// Who had no better pair was the reason in an odd pool as well, where he might sit out: it takes a second one, or an odd group.
#[test]
fn one_player_of_an_odd_pool_is_no_reason() {
    let said = |pool: &str| pair(pool, &["--cost", "skill", "--worst-first"]).stdout;
    let far = "id,rating\nAnn,0\nBen,1000\nCho,1001\nDee,1002\nEve,5000\nFay,5001\nGil,5002\n";
    let line = "no pairing has a better one: by better ones alone at least 3 players would be left over";
    assert!(said(far).contains(line), "{}", said(far));
    let two = "id,rating\nAnn,0\nBen,1000\nCho,2000\n";
    let line = "no pairing has a better one: Ann and 2 more have no better one";
    assert!(said(two).contains(line), "{}", said(two));
}

#[test]
fn a_limit_leaves_what_was_found_and_says_what_is_known() {
    let rng = &mut ChaCha8Rng::seed_from_u64(5);
    let numbers: Vec<(i64, i64)> = (0..300)
        .map(|_| (rng.random_range(0..1_000), rng.random_range(-300..300)))
        .collect();
    let mut graph = format!("{} {}\n", 300, 300 * 299 / 2);
    for (i, a) in numbers.iter().enumerate() {
        for (j, b) in numbers.iter().enumerate().skip(i + 1) {
            graph += &format!("{i} {j} {}\n", (a.0 - b.0) * (a.1 - b.1));
        }
    }
    let whole = pair_json(&graph, &["--worst-first"]);
    let (work, best) = (whole["work"].as_u64().expect("work"), exact(&whole["worst"]["cost"]));
    let mut partly = 0;
    for step in 1..8 {
        let limit = (work * step / 8).to_string();
        let run = pair(&graph, &["--worst-first", "--json", "--work-limit", &limit]);
        let document = run.json();
        if run.code == Some(0) {
            assert_eq!(exact(&document["worst"]["cost"]), best);
            continue;
        }
        assert_eq!((run.code, &document["stopped"]), (Some(3), &json!("work-limit")));
        let of = |key: &str| exact(&document["worst"][key]);
        assert!(of("bound") <= best && best <= of("cost"));
        if of("bound") < of("cost") {
            let text = pair(&graph, &["--worst-first", "--work-limit", &limit]).stdout;
            let known = format!("no pairing has one better than {}: ", of("bound"));
            assert!(
                text.contains(&known) && !text.contains("a better one"),
                "{known:?} is missing in {text}"
            );
            partly += 1;
        }
    }
    assert!(partly > 1, "{partly}");
}

#[test]
fn what_does_not_go_with_it_is_refused() {
    for objective in ["max-weight", "max-cardinality"] {
        pair(PINGS, &["--worst-first", "--objective", objective]).refused(&[
            "--worst-first",
            objective,
            "ask for min-perfect or max-perfect",
        ]);
    }
    for other in [["--games", "2"], ["--explain", "0,1"]] {
        pair(PINGS, &[&["--worst-first"][..], &other].concat()).refused(&["--worst-first", other[0]]);
    }
}

/// Beside pairings without optimisation a pool says what their worst pairs cost.
#[test]
fn a_pool_is_compared_by_worst_pairs() {
    let pool = "id,rating,avoid\nAnn,1000,Ben\nBen,1010,\nCho,1020,\nDee,1100,\n";
    let run = pair(pool, &["--cost", "skill", "--worst-first"]);
    let lines: Vec<&str> = run.stdout.lines().collect();
    let header = lines
        .iter()
        .position(|line| line.ends_with("worst pair"))
        .expect("a column");
    assert!(lines[header + 2].starts_with("this pairing") && lines[header + 2].ends_with(" 90"));
    let document: Value = pair_json(pool, &["--cost", "skill"]);
    let rows = document["comparison"].as_array().expect("three pairings");
    assert_eq!(rows.iter().map(|row| exact(&row["worst"])).max(), Some(90));
}
