//! Recent opponents, who may meet again at a price.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};

use crate::support::{pair, pair_json};

/// Two evenly rated pairs who have just met.
const POOL: &str = "\
id,rating,deviation,outcomes,opponents
Ann,1500,60,,Ben
Ben,1510,60,,
Cho,1600,60,,Dan;Eve
Dan,1620,60,,Cho
";

/// Ratings, and who has met whom.
struct Small {
    ratings: Vec<i64>,
    met: Vec<(usize, usize)>,
}

impl Small {
    fn random(rng: &mut ChaCha8Rng) -> Self {
        let n = rng.random_range(1..=7);
        let pairs = (0..n).flat_map(|i| (0..i).map(move |j| (j, i)));
        let met: Vec<(usize, usize)> = pairs.filter(|_| rng.random_bool(0.4)).collect();
        let ratings = (0..n).map(|_| 1000 + rng.random_range(0..40)).collect();
        Self { ratings, met }
    }

    /// Either of two who have met may say so.
    fn csv(&self, rng: &mut ChaCha8Rng) -> String {
        let mut named = vec![Vec::new(); self.ratings.len()];
        for &(i, j) in &self.met {
            let (by, of) = if rng.random() { (i, j) } else { (j, i) };
            named[by].push(format!("p{of}"));
        }
        let line = |(i, rating): (usize, &i64)| format!("p{i},{rating},50,,{}\n", named[i].join("|"));
        let lines: String = self.ratings.iter().enumerate().map(line).collect();
        format!("id,rating,deviation,outcomes,opponents\n{lines}")
    }

    /// The totals of all pairings of those left, with as many games as there can be.
    fn totals(&self, left: &[usize], price: i64, totals: &mut Vec<i64>, total: i64) {
        let [first, rest @ ..] = left else {
            return totals.push(total);
        };
        if left.len() % 2 == 1 {
            self.totals(rest, price, totals, total);
        }
        for (at, other) in rest.iter().enumerate() {
            let more = if self.met.contains(&(*first, *other)) { price } else { 0 };
            let cost = (self.ratings[*first] - self.ratings[*other]).abs() + more;
            let rest = [&rest[..at], &rest[at + 1..]].concat();
            self.totals(&rest, price, totals, total + cost);
        }
    }

    fn all_totals(&self, price: i64) -> Vec<i64> {
        let mut totals = Vec::new();
        let everybody: Vec<usize> = (0..self.ratings.len()).collect();
        self.totals(&everybody, price, &mut totals, 0);
        totals
    }
}

fn pairs(pairs: &Value) -> Vec<(usize, usize)> {
    let player = |id: &Value| id.as_str().expect("an id")[1..].parse().expect("a number");
    let pairs = pairs.as_array().expect("an array").iter();
    pairs.map(|pair| (player(&pair[0]), player(&pair[1]))).collect()
}

/// All pairings of up to seven players, whether their total is to be small or great, whatever the price.
#[test]
fn totals_are_the_best_of_all_pairings() {
    let rng = &mut ChaCha8Rng::seed_from_u64(1);
    for _ in 0..60 {
        let small = Small::random(rng);
        let csv = small.csv(rng);
        let price = [0, 1, 7, 30, 1000, -5][rng.random_range(0..6)];
        for objective in ["min-perfect", "max-perfect"] {
            let price_text = price.to_string();
            let document = pair_json(
                &csv,
                &[
                    "--cost",
                    "skill",
                    "--objective",
                    objective,
                    "--rematch-cost",
                    &price_text,
                ],
            );
            let best = match objective {
                "min-perfect" => small.all_totals(price).into_iter().min(),
                _ => small.all_totals(-price).into_iter().max(),
            };
            let best = best.expect("somebody plays or sits out").to_string();
            assert_eq!(document["status"], "optimal");
            assert_eq!(
                document["cost"]["exact"],
                json!(best),
                "{objective}, {price}:\n{csv}{document}"
            );
            let mut again = pairs(&document["pairs"]);
            again.retain(|pair| small.met.contains(pair));
            assert_eq!(pairs(&document["rematches"]["pairs"]), again, "{document}");
            assert_eq!(document["comparison"][0]["cost"], document["cost"]);
        }
    }
}

#[test]
fn a_price_decides_who_meets_again() {
    let skill = |price: &str| pair_json(POOL, &["--cost", "skill", "--rematch-cost", price]);
    let (cheap, dear) = (skill("5"), skill("95.5"));
    assert_eq!(cheap["pairs"], json!([["Ann", "Ben", 15], ["Cho", "Dan", 25]]));
    let again = json!({"cost": 5, "pairs": [["Ann", "Ben"], ["Cho", "Dan"]]});
    assert_eq!(cheap["rematches"], again);
    assert_eq!(dear["rematches"], json!({"cost": 95.5, "pairs": []}));
    assert_eq!(dear["cost"]["exact"], "210");
    assert_eq!(pair_json(POOL, &["--cost", "skill"]).get("rematches"), None);

    let text = |price: &str| pair(POOL, &["--cost", "skill", "--rematch-cost", price]).stdout;
    let cheap = text("5");
    let said = "\n2 pairs of recent opponents meet again, each at 5 more cost: Ann and Ben, Cho and Dan\n";
    assert!(cheap.contains(said), "{cheap}");
    assert!(cheap.contains("expected to stay  total cost\n"), "{cheap}");
    let great = pair(
        POOL,
        &[
            "--cost",
            "skill",
            "--objective",
            "max-perfect",
            "--rematch-cost",
            "-300",
        ],
    )
    .stdout;
    assert!(
        great.contains("\n2 pairs of recent opponents meet again, each at 300 more weight: "),
        "{great}"
    );
    let rivals = text("-300");
    assert!(
        rivals.contains("\n2 pairs of recent opponents meet again, each at 300 less cost: "),
        "{rivals}"
    );
    assert!(text("1e3").contains("\nno pair of recent opponents meets again\n"));
}

#[test]
fn what_a_rematch_costs_is_explained() {
    let asked = ["--cost", "skill", "--rematch-cost", "5", "--explain"];
    let explained = |pair: &str| pair_json(POOL, &[&asked[..], &[pair]].concat())["explain"].clone();
    let met = explained("Dan,Cho");
    assert_eq!(
        (&met["cost"]["exact"], &met["rematch_cost"]["exact"]),
        (&json!("25"), &json!("5"))
    );
    assert_eq!(explained("Ann,Dan").get("rematch_cost"), None);
    let text = pair(POOL, &[&asked[..], &["Ann,Ben"]].concat()).stdout;
    assert!(
        text.contains("the pair costs 15\nthat is |1500 - 1510|\nand 5, as the two have met of late\n"),
        "{text}"
    );
}

#[test]
fn columns_without_a_price_and_prices_without_a_column_are_said() {
    let warnings = |csv: &str, arguments: &[&str]| pair_json(csv, arguments)["warnings"].to_string();
    let free = warnings(POOL, &[]);
    assert!(free.contains("changes nothing without --rematch-cost"), "{free}");
    assert_eq!(warnings(POOL, &["--rematch-cost", "0.1"]), "[]");
    let strangers = POOL
        .replace("Ben\n", "Zoe\n")
        .replace("Dan;Eve", "")
        .replace(",Cho\n", ",\n");
    let nobody = warnings(&strangers, &["--rematch-cost", "0.1"]);
    assert!(nobody.contains("names nobody else of the pool"), "{nobody}");
    let none = warnings(
        "id,rating,deviation,outcomes\na,1,1,\nb,1,1,\n",
        &["--rematch-cost", "0.1"],
    );
    assert!(none.contains("nobody has anybody in column"), "{none}");
}

#[test]
fn prices_that_cannot_be_are_refused() {
    let refused = |price: &str, parts: &[&str]| {
        pair(POOL, &["--rematch-cost", price]).refused(&[&["--rematch-cost"], parts].concat());
    };
    refused("x", &["\"x\" is not a number; write one like 0.25"]);
    refused("0.1234567", &["more than 6 decimals"]);
    refused("2e12", &["too large"]);
    refused("NaN", &["not a number"]);
    pair("2 1\n0 1 5\n", &["--rematch-cost", "1"]).refused(&["--rematch-cost", "only for CSV pools"]);
    // The greatest price that there is.
    let greatest = pair_json(POOL, &["--rematch-cost", "1000000000000"]);
    assert_eq!(greatest["rematches"]["pairs"], json!([]));
}
