//! Limits of who may meet whom: by rating, the less the longer somebody waits, and by region.

use matching_core::{Blossom, Cost, Error, Objective, verify};
use matchmaking::{EngagementCost, Horizon, OutcomeModel, Player, Pool, PoolLimits, SkillCost, SyntheticChurn};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};

use crate::support::{pair, pair_json, timeless};

const OBJECTIVES: [&str; 4] = ["min-perfect", "max-perfect", "max-weight", "max-cardinality"];

/// A pool in hundredths of a point and of a second, and what limits there are.
#[derive(Debug)]
struct Small {
    ratings: Vec<i64>,
    waits: Vec<Option<i64>>,
    regions: Vec<&'static str>,
    avoided: Vec<(usize, usize)>,
    /// In hundredths.
    gap: Option<i64>,
    /// In thousandths of a point a second.
    growth: Option<i64>,
    region: Region,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Region {
    Unsaid,
    /// In hundredths.
    Cost(i64),
    Forbidden,
}

impl Small {
    fn random(rng: &mut ChaCha8Rng, most: usize) -> Self {
        let n = rng.random_range(1..=most);
        // A grid on which gaps meet limits, and one on which they hardly do.
        let step = [1, 50][rng.random_range(0..2)];
        let pairs = (0..n).flat_map(|i| (0..i).map(move |j| (j, i)));
        let gap = rng.random_bool(0.9).then(|| step * rng.random_range(0..40));
        Self {
            ratings: (0..n).map(|_| 100_000 + step * rng.random_range(0..80)).collect(),
            waits: (0..n)
                .map(|_| rng.random_bool(0.7).then(|| 50 * rng.random_range(0..20)))
                .collect(),
            regions: (0..n)
                .map(|_| ["eu", "us", "asia", ""][rng.random_range(0..4)])
                .collect(),
            avoided: pairs.filter(|_| rng.random_bool(0.1)).collect(),
            gap,
            growth: gap.and_then(|_| rng.random_bool(0.7).then(|| 5 * step * rng.random_range(0..40))),
            region: match rng.random_range(0..4) {
                0 => Region::Unsaid,
                1 => Region::Forbidden,
                _ => Region::Cost([0, 75, 1_000, 100_000, -300][rng.random_range(0..5)]),
            },
        }
    }

    fn len(&self) -> usize {
        self.ratings.len()
    }

    fn differ(&self, i: usize, j: usize) -> bool {
        let (one, other) = (self.regions[i], self.regions[j]);
        !one.is_empty() && !other.is_empty() && one != other
    }

    /// The rule in words: 100,000 times what either side is in points.
    fn may_meet(&self, i: usize, j: usize) -> bool {
        let wait = self.waits[i].unwrap_or(0).max(self.waits[j].unwrap_or(0));
        let limit = self.gap.map(|gap| 1_000 * gap + self.growth.unwrap_or(0) * wait);
        let is_near = limit.is_none_or(|limit| 1_000 * (self.ratings[i] - self.ratings[j]).abs() <= limit);
        let is_home = self.region != Region::Forbidden || !self.differ(i, j);
        is_near && is_home && !self.avoided.contains(&(i.min(j), i.max(j)))
    }

    /// In millionths.
    fn region_cost(&self, i: usize, j: usize) -> i64 {
        match self.region {
            Region::Cost(cost) if self.differ(i, j) => 10_000 * cost,
            _ => 0,
        }
    }

    fn players(&self) -> Vec<Player> {
        let player = |i: usize| {
            let mut player = Player::new(format!("p{i}"), self.ratings[i] as f64 / 100.0, 50.0);
            player.wait = self.waits[i].map(|wait| wait as f64 / 100.0);
            player.region = Some(self.regions[i].to_owned());
            let avoided = self.avoided.iter().filter(|pair| pair.1 == i);
            player.avoid = avoided.map(|pair| format!("p{}", pair.0)).collect();
            player
        };
        (0..self.len()).map(player).collect()
    }

    fn limits<'p>(&self, pool: &'p Pool) -> Result<PoolLimits<'p>, matchmaking::Error> {
        let mut limits = PoolLimits::new(pool);
        // In any order.
        if let Some(growth) = self.growth {
            limits = limits.with_gap_growth(growth as f64 / 1000.0)?;
        }
        if let Some(gap) = self.gap {
            limits = limits.with_gap_limit(gap as f64 / 100.0)?;
        }
        match self.region {
            Region::Unsaid => Ok(limits),
            Region::Cost(cost) => limits.with_region_cost(10_000 * cost),
            Region::Forbidden => Ok(limits.with_regions_apart()),
        }
    }

    fn csv(&self) -> String {
        let hundredths = |value: i64| format!("{}.{:02}", value / 100, value % 100);
        let line = |i: usize| {
            let avoided = self.avoided.iter().filter(|pair| pair.0 == i);
            let avoided: Vec<String> = avoided.map(|pair| format!("p{}", pair.1)).collect();
            let wait = self.waits[i].map_or_else(String::new, hundredths);
            let (rating, region) = (hundredths(self.ratings[i]), self.regions[i]);
            format!("p{i},{rating},50,WLD,{wait},{region},{}\n", avoided.join(";"))
        };
        let lines: String = (0..self.len()).map(line).collect();
        format!("id,rating,deviation,outcomes,wait,region,avoid\n{lines}")
    }

    fn arguments(&self) -> Vec<String> {
        let decimal = |value: i64, unit: i64| {
            let digits = if unit == 100 { 2 } else { 3 };
            let (sign, value) = (if value < 0 { "-" } else { "" }, value.abs());
            format!("{sign}{}.{:0digits$}", value / unit, value % unit)
        };
        let mut arguments = Vec::new();
        let mut push = |option: &str, value: String| arguments.extend([option.to_owned(), value]);
        if let Some(gap) = self.gap {
            push("--gap-limit", decimal(gap, 100));
        }
        if let Some(growth) = self.growth {
            push("--gap-growth", decimal(growth, 1000));
        }
        match self.region {
            Region::Unsaid => {}
            Region::Cost(cost) => push("--region-cost", decimal(cost, 100)),
            Region::Forbidden => push("--region-cost", "forbidden".to_owned()),
        }
        arguments
    }

    /// Number of pairs and total of all pairings by these costs of pairs.
    fn pairings(&self, cost: &dyn Fn(usize, usize) -> i64) -> Vec<(usize, i64)> {
        let mut found = Vec::new();
        self.extend(&(0..self.len()).collect::<Vec<_>>(), (0, 0), cost, &mut found);
        found
    }

    fn extend(
        &self,
        left: &[usize],
        (pairs, total): (usize, i64),
        cost: &dyn Fn(usize, usize) -> i64,
        found: &mut Vec<(usize, i64)>,
    ) {
        let [first, rest @ ..] = left else {
            return found.push((pairs, total));
        };
        self.extend(rest, (pairs, total), cost, found);
        for (at, &other) in rest
            .iter()
            .enumerate()
            .filter(|&(_, &other)| self.may_meet(*first, other))
        {
            let rest = [&rest[..at], &rest[at + 1..]].concat();
            self.extend(&rest, (pairs + 1, total + cost(*first, other)), cost, found);
        }
    }

    /// The best number of pairs, where it counts, and total; one of an odd number sits out for nothing.
    fn best(&self, objective: &str, cost: &dyn Fn(usize, usize) -> i64) -> Option<(usize, i64)> {
        let pairings = self.pairings(cost);
        let perfect = pairings.iter().copied().filter(|&(pairs, _)| pairs == self.len() / 2);
        match objective {
            "min-perfect" => perfect.min_by_key(|pairing| pairing.1),
            "max-perfect" => perfect.max_by_key(|pairing| pairing.1),
            "max-weight" => pairings.into_iter().max_by_key(|pairing| pairing.1),
            _ => pairings.into_iter().max(),
        }
    }
}

/// Solves by the library, and compares with all pairings.
fn check_library(small: &Small, cost: &impl Cost<Value = i64>) {
    let n = small.len();
    let expected = |i: usize, j: usize| cost.pair(i, j) + small.region_cost(i, j);
    let pool = Pool::new(small.players()).expect("valid players");
    let limits = small.limits(&pool).expect("limits that can be");
    for (i, j) in (0..n).flat_map(|i| (0..n).map(move |j| (i, j))).filter(|(i, j)| i != j) {
        assert_eq!(limits.may_meet(i, j), small.may_meet(i, j), "{i} {j} {small:?}");
        assert_eq!(limits.separations(i, j).is_empty(), small.may_meet(i, j));
    }
    let limited = cost.plus(&limits).expect("as many players");
    for objective in ["min-perfect", "max-weight", "max-cardinality"] {
        let asked = match objective {
            "min-perfect" if n % 2 == 1 => Objective::MinBye(vec![0; n]),
            "min-perfect" => Objective::MinPerfect,
            "max-weight" => Objective::MaxWeight,
            _ => Objective::MaxCardinality,
        };
        let best = small.best(objective, &expected);
        match Blossom::new().objective(asked.clone()).solve(&limited) {
            Ok(solution) => {
                solution.verify(&limited).expect("a checked answer");
                let (pairs, total) = best.unwrap_or_else(|| panic!("{objective}: {small:?}"));
                assert_eq!(solution.cost(), i128::from(total), "{objective}: {small:?}");
                assert!(objective == "max-weight" || solution.pairs().len() == pairs);
                assert!(solution.pairs().all(|(i, j, _)| small.may_meet(i, j)), "{small:?}");
            }
            Err(Error::NoPerfectMatching(witness)) => {
                verify::infeasibility(&limited, &asked, &witness).expect("a checked witness");
                assert_eq!(best, None, "{objective}: {small:?}");
            }
            Err(error) => panic!("{error}: {small:?}"),
        }
    }
}

/// All pairings of up to eight players, by both costs.
#[test]
fn the_library_keeps_all_limits_and_finds_the_best() {
    let rng = &mut ChaCha8Rng::seed_from_u64(1);
    let churn = SyntheticChurn::new(Horizon::EightHours, 0);
    let mut infeasible = 0;
    for case in 0..3_000 {
        let small = Small::random(rng, if case % 10 == 0 { 8 } else { 6 });
        infeasible += usize::from(small.best("min-perfect", &|_, _| 0).is_none());
        let pool = Pool::new(small.players()).expect("valid players");
        check_library(&small, &SkillCost::new(&pool));
        if case % 3 == 0 {
            let engagement = EngagementCost::new(&pool, &OutcomeModel::default(), &churn).expect("probabilities");
            check_library(&small, &engagement);
        }
    }
    assert!((300..2_700).contains(&infeasible), "{infeasible}");
}

fn positions(pairs: &Value) -> Vec<(usize, usize)> {
    let player = |id: &Value| id.as_str().expect("an id")[1..].parse().expect("a number");
    let pairs = pairs.as_array().expect("an array").iter();
    pairs.map(|pair| (player(&pair[0]), player(&pair[1]))).collect()
}

/// A total in millionths.
fn millionths(total: &Value) -> i64 {
    let text = total["exact"].as_str().expect("an exact total");
    let (numerator, denominator) = text.split_once('/').unwrap_or((text, "1"));
    let [numerator, denominator]: [i64; 2] = [numerator, denominator].map(|number| number.parse().expect("an integer"));
    numerator * (1_000_000 / denominator)
}

/// The program, whatever is asked for.
#[test]
fn the_program_keeps_all_limits_and_finds_the_best() {
    let rng = &mut ChaCha8Rng::seed_from_u64(2);
    let mut infeasible = 0;
    for case in 0..60 {
        let small = Small::random(rng, 7);
        let (csv, own) = (small.csv(), small.arguments());
        let own: Vec<&str> = own.iter().map(String::as_str).collect();
        for objective in OBJECTIVES {
            let sign = if objective == "min-perfect" { 1 } else { -1 };
            let cost = |i: usize, j: usize| {
                10_000 * (small.ratings[i] - small.ratings[j]).abs() + sign * small.region_cost(i, j)
            };
            let engine = ["auto", "sparse", "dense"][case % 3];
            let arguments = ["--cost", "skill", "--objective", objective, "--engine", engine];
            let run = pair(&csv, &[&["--json"], &arguments[..], &own].concat());
            let document = run.json();
            let n = small.len();
            let allowed = (0..n).flat_map(|i| (0..i).map(move |j| (i, j)));
            let allowed = allowed.filter(|&(i, j)| small.may_meet(i, j)).count();
            assert_eq!(document["edges"], json!(allowed), "{csv}{own:?}");
            let Some((pairs, total)) = small.best(objective, &cost) else {
                infeasible += 1;
                assert_eq!(
                    (run.code, &document["status"]),
                    (Some(1), &json!("infeasible")),
                    "{csv}{own:?}"
                );
                assert_eq!(document["certificate"]["verified"], true);
                let components = document["witness"]["odd_components"].as_array().expect("components");
                assert!(components.iter().all(|members| members[0].is_string()), "{document}");
                continue;
            };
            assert_eq!(
                (run.code, &document["status"]),
                (Some(0), &json!("optimal")),
                "{csv}{own:?}"
            );
            assert_eq!(
                millionths(&document["cost"]),
                total,
                "{objective}:\n{csv}{own:?}\n{document}"
            );
            let found = positions(&document["pairs"]);
            assert!(found.iter().all(|&(i, j)| small.may_meet(i, j)), "{csv}{own:?}");
            assert!(objective == "max-weight" || found.len() == pairs);
            assert_eq!(document["comparison"][0]["cost"], document["cost"]);
            match small.region {
                Region::Cost(_) => {
                    let across: Vec<_> = found.into_iter().filter(|&(i, j)| small.differ(i, j)).collect();
                    assert_eq!(positions(&document["limits"]["across_regions"]), across);
                }
                _ => assert_eq!(document["limits"].get("across_regions"), None),
            }
        }
    }
    assert!(infeasible > 20, "{infeasible}");
}

/// Whoever finds nobody waits, at a price: what is asked for where not everybody can have a partner.
#[test]
fn some_wait_at_a_price() {
    let rng = &mut ChaCha8Rng::seed_from_u64(3);
    for _ in 0..60 {
        let small = Small::random(rng, 7);
        let own = small.arguments();
        let price = [0, 5, 40, 1_000][rng.random_range(0..4)];
        let price_text = price.to_string();
        let arguments = ["--cost", "skill", "--games", "0..1", "--missing-cost", &price_text];
        let own: Vec<&str> = own.iter().map(String::as_str).collect();
        let document = pair_json(small.csv(), &[&arguments[..], &own].concat());
        let cost = |i: usize, j: usize| 10_000 * (small.ratings[i] - small.ratings[j]).abs() + small.region_cost(i, j);
        let missing = |pairs: usize| 1_000_000 * price * (small.len() - 2 * pairs) as i64;
        let totals = small
            .pairings(&cost)
            .into_iter()
            .map(|(pairs, total)| total + missing(pairs));
        assert_eq!(
            Some(millionths(&document["cost"])),
            totals.min(),
            "{small:?} {document}"
        );
        assert!(positions(&document["pairs"]).iter().all(|&(i, j)| small.may_meet(i, j)));
    }
}

/// Where a limit ends the solve, the answer may be that of neighbours by rating, which knew no limits once.
#[test]
fn what_a_limit_leaves_keeps_the_limits() {
    let rng = &mut ChaCha8Rng::seed_from_u64(4);
    let mut matched = 0;
    for seed in 0..4 {
        let small = Small {
            ratings: (0..400).map(|_| 100_000 + rng.random_range(0..40_000)).collect(),
            waits: (0..400).map(|_| Some(100 * rng.random_range(0..30))).collect(),
            regions: (0..400).map(|_| ["eu", "us"][rng.random_range(0..2)]).collect(),
            avoided: Vec::new(),
            gap: Some(300),
            growth: Some(100),
            region: [Region::Forbidden, Region::Cost(500)][seed % 2],
        };
        let own = small.arguments();
        let own: Vec<&str> = own.iter().map(String::as_str).collect();
        for games in [&[][..], &["--games", "0..2", "--missing-cost", "50"]] {
            for objective in ["min-perfect", "max-perfect"] {
                let arguments = [
                    &["--cost", "skill", "--work-limit", "1", "--objective", objective],
                    games,
                    &own,
                ];
                let document = pair_json(small.csv(), &arguments.concat());
                let found = positions(&document["pairs"]);
                assert!(found.iter().all(|&(i, j)| small.may_meet(i, j)), "{document}");
                matched += found.len();
            }
        }
    }
    assert!(matched > 0);
}

/// Dee is far from all others, and has waited for a minute.
const POOL: &str = "\
id,rating,deviation,outcomes,wait,region
Ann,1500,60,WLL,0,eu
Ben,1510,60,LWW,5,us
Cho,1540,60,WWW,0,eu
Dee,1650,60,,60,eu
";

const DEE: [&str; 6] = ["--cost", "skill", "--gap-limit", "50", "--gap-growth", "1"];

#[test]
fn a_limit_grows_by_the_longer_wait() {
    let document = pair_json(POOL, &DEE);
    assert_eq!(document["pairs"], json!([["Ann", "Ben", 10], ["Cho", "Dee", 110]]));
    let limits = json!({"gap_limit": 50, "gap_growth": 1, "region_cost": null, "ruled_out": 2});
    assert_eq!((&document["limits"], &document["edges"]), (&limits, &json!(4)));
    assert!(!document["warnings"].to_string().contains("\\\"wait\\\""), "{document}");
    assert!(
        document["warnings"].to_string().contains("\\\"region\\\""),
        "{document}"
    );
    let text = pair(POOL, &DEE).stdout;
    let headline = "stdin: 4 players, min-perfect by skill, no gap above 50 and 1 for each second waited\n";
    assert!(text.starts_with(headline), "{text}");
    assert_eq!(pair_json(POOL, &["--cost", "skill"]).get("limits"), None);
    // By engagement as well, and by ratings alone.
    let engagement = pair_json(POOL, &DEE[2..]);
    assert!(
        positions_of(&engagement).contains(&("Cho".to_owned(), "Dee".to_owned())),
        "{engagement}"
    );
    let ratings = "id,rating,wait\nAnn,1500,\nBen,1510,5\nCho,1540,\nDee,1650,60\n";
    assert_eq!(pair_json(ratings, &DEE)["pairs"], document["pairs"]);
}

fn positions_of(document: &Value) -> Vec<(String, String)> {
    let pairs = document["pairs"].as_array().expect("an array").iter();
    let id = |id: &Value| id.as_str().expect("an id").to_owned();
    pairs.map(|pair| (id(&pair[0]), id(&pair[1]))).collect()
}

#[test]
fn without_a_pairing_the_witness_names_players_and_the_limits_are_named() {
    let arguments = ["--cost", "skill", "--gap-limit", "50"];
    let run = pair(POOL, &arguments);
    assert_eq!(run.code, Some(1), "{run:?}");
    for part in [
        "infeasible: every pairing leaves at least 2 unmatched\n",
        "this group has an odd size, and nobody outside it can be paired with its members:\n  Ann Cho Ben\n",
        "the limits rule out 3 of 6 pairs; relax them by a greater --gap-limit or --gap-growth\n",
        "at a price C for each game that somebody lacks: --games 0..1 --missing-cost C\n",
        "status infeasible, certificate verified (tutte-berge)",
    ] {
        assert!(run.stdout.contains(part), "{part:?} is missing in {}", run.stdout);
    }
    let witness = &pair_json(POOL, &arguments)["witness"];
    assert_eq!(witness["odd_components"], json!([["Ann", "Cho", "Ben"]]), "{witness}");
    let apart = pair(
        POOL,
        &["--games", "2", "--gap-limit", "0", "--region-cost", "forbidden"],
    );
    assert_eq!(apart.code, Some(1), "{apart:?}");
    let advice =
        "the limits rule out 6 of 6 pairs; relax them by a greater --gap-limit or --gap-growth, or by a price for";
    assert!(apart.stdout.contains(advice), "{apart:?}");
    // The odd one out may be anybody, but for those whom all others need.
    let odd = format!("{POOL}Eve,1600,60,,0,us\n");
    let document = pair_json(&odd, &["--cost", "skill", "--gap-limit", "100"]);
    assert_eq!(
        (&document["status"], &document["unmatched"][1]),
        (&json!("optimal"), &Value::Null)
    );
}

#[test]
fn it_is_explained_why_two_cannot_meet() {
    let explained = |pair: &str, more: &[&str]| {
        pair_json(POOL, &[&DEE[..], more, &["--explain", pair]].concat())["explain"].clone()
    };
    let far = explained("Ben,Dee", &["--region-cost", "forbidden"]);
    assert_eq!((&far["cost"], &far["forced"]), (&Value::Null, &Value::Null));
    let reasons = json!([{"reason": "gap", "gap": 140, "limit": 110}, {"reason": "region"}]);
    assert_eq!(far["apart"], reasons);
    assert_eq!(explained("Cho,Dee", &[])["apart"], json!([]));
    let text = pair(
        POOL,
        &[&DEE[..], &["--region-cost", "forbidden", "--explain", "Ben,Dee"]].concat(),
    )
    .stdout;
    let lines = "A = Ben, B = Dee: the pair is not possible\n\
                 their ratings are 140 apart, and may be 110: 50, and 60 as one of them has waited for 60 s\n\
                 their regions differ, and are kept apart\n";
    assert!(text.contains(lines), "{text}");
    let avoided = "id,rating,deviation,outcomes,avoid\na,1500,60,,\nb,1510,60,,a\nc,1520,60,,\nd,1530,60,,\n";
    let avoided = pair(avoided, &["--gap-limit", "200", "--explain", "a,b"]).stdout;
    assert!(
        avoided.contains("not possible\none of the two avoids the other\n"),
        "{avoided}"
    );
    // Without limits it is as ever.
    let plain = pair_json(POOL, &["--explain", "Ann,Ben"]);
    assert_eq!(
        (plain["explain"].get("apart"), plain["explain"].get("region_cost")),
        (None, None)
    );
}

#[test]
fn regions_have_a_price() {
    let priced =
        |price: &str, more: &[&str]| pair_json(POOL, &[&["--cost", "skill", "--region-cost", price], more].concat());
    let cheap = priced("5", &["--explain", "Ann,Ben"]);
    assert_eq!(cheap["pairs"], json!([["Ann", "Ben", 15], ["Cho", "Dee", 110]]));
    let limits = json!({
        "gap_limit": null, "gap_growth": null, "region_cost": 5, "ruled_out": 0, "across_regions": [["Ann", "Ben"]]
    });
    assert_eq!(cheap["limits"], limits);
    assert_eq!(
        (&cheap["explain"]["region_cost"]["exact"], &cheap["explain"]["apart"]),
        (&json!("5"), &json!([]))
    );
    let text = pair(POOL, &["--cost", "skill", "--region-cost", "5", "--explain", "Ann,Ben"]).stdout;
    for part in [
        "\n1 pair is of two regions, each at 5 more cost: Ann and Ben\n",
        "  total cost\n",
        "that is |1500 - 1510|\nand 5, as their regions differ\n",
    ] {
        assert!(text.contains(part), "{part:?} is missing in {text}");
    }
    // Where the total is to be great, it is taken off.
    let great = priced("500", &["--objective", "max-weight"]);
    assert_eq!(
        (&great["pairs"], &great["limits"]["region_cost"]),
        (&json!([["Ann", "Dee", 150]]), &json!(-500))
    );
    // Ben is the only one abroad, and needs somebody.
    let home = pair(POOL, &["--cost", "skill", "--region-cost", "forbidden"]);
    assert_eq!(home.code, Some(1), "{home:?}");
    let alone = format!("{POOL}Eve,1600,60,,0,\n");
    let document = priced("forbidden", &[]);
    assert_eq!(document["limits"]["region_cost"], "forbidden");
    let document = pair_json(&alone, &["--cost", "skill", "--region-cost", "forbidden"]);
    assert_eq!(document["status"], "optimal", "{document}");
    let text = pair(&alone, &["--cost", "skill", "--region-cost", "forbidden"]).stdout;
    assert!(
        text.starts_with("stdin: 5 players, min-perfect by skill, regions apart\n"),
        "{text}"
    );
}

#[test]
fn threads_and_engines_change_nothing() {
    let arguments = ["--gap-limit", "120.5", "--gap-growth", "0.75", "--region-cost", "0.01"];
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/data/parties.csv");
    let text = std::fs::read_to_string(path).expect("a shipped pool");
    let run = |more: &[&str]| pair_json(&text, &[&["--cost", "skill"], &arguments[..], more].concat());
    let one = timeless(run(&["--threads", "1"]));
    assert_eq!(one, timeless(run(&["--threads", "3"])));
    for engine in ["sparse", "dense"] {
        assert_eq!(run(&["--engine", engine])["cost"], one["cost"]);
    }
}

#[test]
fn limits_that_change_nothing_are_said() {
    let plain = "id,rating,deviation,outcomes,wait,region\na,1,1,,,eu\nb,1,1,,,\n";
    let warnings = |arguments: &[&str]| pair_json(plain, arguments)["warnings"].to_string();
    assert_eq!(warnings(&["--gap-limit", "5"]), "[]");
    let growth = warnings(&["--gap-limit", "5", "--gap-growth", "1"]);
    assert!(
        growth.contains("--gap-growth changes nothing: nobody has a wait"),
        "{growth}"
    );
    let regions = warnings(&["--region-cost", "1"]);
    assert!(
        regions.contains("--region-cost changes nothing: no two players are of different regions"),
        "{regions}"
    );
    // Columns are named as long as nothing uses them.
    let all = pair_json(POOL, &[])["warnings"].to_string();
    assert!(all.contains("\\\"wait\\\"") && all.contains("\\\"region\\\""), "{all}");
    let used = pair_json(POOL, &[&DEE[..], &["--region-cost", "0"]].concat());
    assert_eq!(used["warnings"], json!([]));
}

#[test]
fn limits_that_cannot_be_are_refused() {
    let refused = |arguments: &[&str], parts: &[&str]| pair(POOL, arguments).refused(parts);
    refused(&["--gap-limit", "x"], &["--gap-limit", "\"x\" is not a number"]);
    refused(
        &["--gap-limit", "-1"],
        &["--gap-limit", "does not lie between 0 and 1000000000 rating points"],
    );
    refused(&["--gap-limit", "1000000000.000001"], &["does not lie between 0"]);
    refused(
        &["--gap-limit", "0.1234567"],
        &["more than 6 decimals, and ratings are read to as many"],
    );
    refused(&["--gap-growth", "1"], &["--gap-limit"]);
    refused(
        &["--gap-limit", "1", "--gap-growth", "NaN"],
        &["--gap-growth", "not a number"],
    );
    refused(&["--gap-limit", "1", "--gap-growth", "1e40"], &["--gap-growth"]);
    refused(
        &["--region-cost", "never"],
        &["--region-cost", "\"never\" is not a number", "forbidden"],
    );
    refused(&["--region-cost", "2e12"], &["--region-cost", "too large"]);
    let graph = |arguments: &[&str]| pair("2 1\n0 1 5\n", arguments).refused(&[arguments[0], "only for CSV pools"]);
    graph(&["--gap-limit", "1"]);
    graph(&["--region-cost", "1"]);
    // The greatest of all.
    let greatest = [
        "--gap-limit",
        "1000000000",
        "--gap-growth",
        "1e9",
        "--region-cost",
        "1000000000000",
    ];
    assert_eq!(pair_json(POOL, &greatest)["status"], "optimal");
}
