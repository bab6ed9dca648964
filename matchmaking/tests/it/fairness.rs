//! Who fares how, by rating and by region, and in a lobby by party.

use serde_json::{Value, json};

use crate::support::{group, group_json, pair, pair_json, piped};

/// Seven players, one of whom sits out, of two regions and none.
const POOL: &str = "\
id,rating,deviation,outcomes,region
Ann,1500,60,WLL,eu
Ben,1480,45,LWW,us
Cho,1720,80,WWW,eu
Dee,1390,90,,us
Eve,1555,70,DDL,
Fay,1610,55,LLLLL,eu
Gil,1480,50,WL,us
";

fn number(value: &Value) -> f64 {
    value.as_f64().expect("a number")
}

/// Each part's figures for each of the pairings, in the order of the report.
fn figures<'a>(parts: &[&'a Value], pairing: usize) -> Vec<&'a Value> {
    parts.iter().map(|part| &part["pairings"][pairing]).collect()
}

#[test]
fn parts_come_to_what_the_pairing_comes_to() {
    let report = pair_json(POOL, &["--fairness", "--seed", "3"]);
    let parts: Vec<&Value> = report["fairness"].as_array().expect("an array").iter().collect();
    let of = |by: &str| -> Vec<&Value> { parts.iter().copied().filter(|part| part["by"] == by).collect() };
    let [everybody] = of("everybody")[..] else {
        panic!("{report}");
    };
    assert_eq!(everybody["players"], 7);
    let compared = report["comparison"].as_array().expect("an array");
    assert_eq!(compared.len(), 3);
    for (number_of, pairing) in compared.iter().enumerate() {
        let all = &everybody["pairings"][number_of];
        assert_eq!(all["pairing"], pairing["pairing"]);
        assert_eq!(all["playing"], 6);
        assert!((number(&all["expected_retained"]) - number(&pairing["expected_retained"])).abs() < 1e-9);
        assert!((number(&all["mean_rating_gap"]) - number(&pairing["mean_rating_gap"])).abs() < 1e-9);
        // Two in five of those who play win by the paper's rule, whoever they are.
        assert!((number(&all["win_chance"]) - 0.4).abs() < 1e-12);
        for by in ["rating", "region"] {
            let figures = figures(&of(by), number_of);
            let sum = |key: &str| figures.iter().map(|figure| number(&figure[key])).sum::<f64>();
            assert_eq!(sum("playing"), 6.0);
            assert!((sum("expected_retained") - number(&all["expected_retained"])).abs() < 1e-9);
        }
    }
    let regions = of("region");
    let named: Vec<(&Value, &Value)> = regions.iter().map(|part| (&part["region"], &part["players"])).collect();
    let expected = [
        (json!("eu"), json!(3)),
        (json!("us"), json!(3)),
        (Value::Null, json!(1)),
    ];
    assert_eq!(named, expected.each_ref().map(|(region, players)| (region, players)));
    // Ben and Gil are rated the same.
    let bands = of("rating");
    let bands: Vec<(f64, f64, &Value)> = bands
        .iter()
        .map(|part| (number(&part["from"]), number(&part["to"]), &part["players"]))
        .collect();
    let (one, two) = (&json!(1), &json!(2));
    let expected = [
        (1390.0, 1390.0, one),
        (1480.0, 1480.0, two),
        (1500.0, 1500.0, one),
        (1555.0, 1555.0, one),
        (1610.0, 1720.0, two),
    ];
    assert_eq!(bands, expected);
}

/// Of several games each, the figures are those of single games.
#[test]
fn parts_come_to_what_several_games_come_to() {
    let report = pair_json(POOL, &["--fairness", "--games", "2..3", "--missing-cost", "1"]);
    let parts = report["fairness"].as_array().expect("an array");
    let compared = report["comparison"].as_array().expect("an array");
    for (number_of, pairing) in compared.iter().enumerate() {
        let all = &parts[0]["pairings"][number_of];
        assert_eq!(all["pairing"], pairing["pairing"]);
        assert_eq!(number(&all["games"]), 2.0 * number(&pairing["games"]));
        assert!((number(&all["mean_rating_gap"]) - number(&pairing["mean_rating_gap"])).abs() < 1e-9);
        assert!((number(&all["win_chance"]) - 0.4).abs() < 1e-12);
        for by in ["rating", "region"] {
            let parts: Vec<&Value> = parts.iter().filter(|part| part["by"] == by).collect();
            let figures = figures(&parts, number_of);
            let sum = |figure: &dyn Fn(&Value) -> f64| figures.iter().map(|part| figure(part)).sum::<f64>();
            assert_eq!(sum(&|part| number(&part["games"])), number(&all["games"]));
            let stay = |part: &Value| number(&part["games"]) * number(&part["stay_chance"]);
            assert!((sum(&stay) - stay(all)).abs() < 1e-9);
        }
    }
    // By engagement, what games cost is who stops after them, each rounded to a millionth.
    let all = &parts[0]["pairings"][0];
    let costs = report["pairs"]
        .as_array()
        .expect("pairs")
        .iter()
        .map(|pair| number(&pair[2]));
    let lost = number(&all["games"]) * (1.0 - number(&all["stay_chance"]));
    assert!((costs.sum::<f64>() - lost).abs() < 1e-5);
    let text = pair(POOL, &["--fairness", "--games", "2"]).stdout;
    for line in ["stays after a game", "games each", "rated 1610 to 1720", "no region"] {
        assert!(text.contains(line), "{line:?} in {text}");
    }
    let none = pair_json(POOL, &["--fairness", "--games", "3"]);
    assert_eq!(
        (&none["status"], &none["fairness"]),
        (&json!("infeasible"), &Value::Null)
    );
}

#[test]
fn it_is_said_where_it_is_asked_and_there_is_a_pairing() {
    assert_eq!(pair_json(POOL, &[])["fairness"], Value::Null);
    assert!(!pair(POOL, &[]).stdout.contains("who fares how"));
    let text = pair(POOL, &["--fairness", "--cost", "skill"]).stdout;
    for line in [
        "who fares how",
        "everybody",
        "rated 1500  ",
        "rated 1610 to 1720",
        "region us",
        "no region",
    ] {
        assert!(text.contains(line), "{line:?} in {text}");
    }
    // All four avoid each other.
    let none = "id,rating,deviation,outcomes,avoid\na,1,50,,b;c\nb,2,50,,c\nc,3,50,,\nd,4,50,,a;b;c\n";
    let report = pair_json(none, &["--fairness"]);
    assert_eq!(
        (&report["status"], &report["fairness"]),
        (&json!("infeasible"), &Value::Null)
    );
    pair("2 1\n0 1 1\n", &["--fairness"]).refused(&["--fairness", "only for CSV pools"]);
}

/// 13 players, one of whom waits.
const ROUND: &str = "\
id,skill,party,region,waited
a,1000,x,EU-W,0
b,1200,x,EU-W,1
c,1100,,EU-W,2
d,1150,,EU-E,0
e,5000,,EU-E,0
f,5100,,EU-E,3
g,5200,y,NA-E,0
h,5300,y,NA-E,0
i,5400,y,NA-E,0
j,9000,,NA-E,0
k,9100,,EU-W,0
l,9200,,EU-W,0
m,9300,,EU-W,0
";

#[test]
fn parts_of_a_lobby_come_to_what_its_matches_say() {
    let run = piped(ROUND, &["lobby", "-", "--json", "--fairness"]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    let report = run.json();
    let parts: Vec<&Value> = report["fairness"].as_array().expect("an array").iter().collect();
    let kinds: Vec<&str> = parts.iter().map(|part| part["by"].as_str().expect("a word")).collect();
    let expected = [&["everybody"][..], &["skill"; 5], &["region"; 3], &["party"; 3]].concat();
    assert_eq!(kinds, expected);
    let all = parts[0];
    assert_eq!((&all["players"], &all["playing"]), (&json!(13), &json!(12)));
    assert!((number(&all["mean_score"]) - number(&report["score"])).abs() < 1e-9);

    // Region by region, from the matches as they are listed.
    let region = |id: &str| {
        let line = ROUND
            .lines()
            .find(|line| line.split(',').next() == Some(id))
            .expect("a player");
        line.split(',').nth(3).expect("a region").to_owned()
    };
    for part in parts.iter().filter(|part| part["by"] == "region") {
        let name = part["region"].as_str().expect("a name");
        let (mut playing, mut scores) = (0, 0.0);
        for one in report["matches"].as_array().expect("an array") {
            for team in ["red", "blue"] {
                let ids = one[team].as_array().expect("an array").iter();
                let here = ids.filter(|id| region(id.as_str().expect("an id")) == name).count();
                playing += here;
                scores += here as f64 * number(&one["score"]);
            }
        }
        assert_eq!(part["playing"], playing);
        assert!((number(&part["mean_score"]) - scores / playing as f64).abs() < 1e-9);
    }
    let sizes = parts[9..].iter().map(|part| (&part["size"], &part["players"]));
    let expected = [(json!(1), json!(8)), (json!(2), json!(2)), (json!(3), json!(3))];
    assert!(sizes.eq(expected.iter().map(|(size, players)| (size, players))));

    let text = piped(ROUND, &["lobby", "-", "--fairness"]).stdout;
    for line in [
        "who fares how",
        "skill 1000 to 1100",
        "region NA-E",
        "alone",
        "party of 3",
    ] {
        assert!(text.contains(line), "{line:?} in {text}");
    }
    assert_eq!(piped(ROUND, &["lobby", "-", "--json"]).json()["fairness"], Value::Null);
    // Two players are no match: nothing to say about them.
    let few = piped(
        "id,skill,region\na,1,SA\nb,2,SA\n",
        &["lobby", "-", "--json", "--fairness"],
    );
    assert_eq!((few.code, &few.json()["fairness"]), (Some(1), &Value::Null));
}

/// One region was as many as there were ways to write it, though pings are those of one.
#[test]
fn a_region_is_one_however_it_is_written() {
    let round = "id,skill,region\na,1,eu-w\nb,2,OCE\nc,3,EUW\nd,4,EU-W\n";
    let report = piped(round, &["lobby", "-", "--team-size", "1", "--json", "--fairness"]).json();
    let parts = report["fairness"].as_array().expect("an array").iter();
    let regions = parts.filter(|part| part["by"] == "region");
    let named: Vec<(&Value, &Value)> = regions.map(|part| (&part["region"], &part["players"])).collect();
    assert_eq!(named, [(&json!("eu-w"), &json!(3)), (&json!("OCE"), &json!(1))]);
}

/// Eight players, two of whom wait, of two regions and none; two are a party.
const GROUPS: &str = "\
id,rating,deviation,outcomes,wait,party,region
Ann,1500,60,,10,x,eu
Ben,1480.5,45,,20,,us
Cho,2720,80,,100,,eu
Dee,1390,90,,30,,us
Eve,1555,70,,0,x,
Fay,1610,55,,50,,eu
Gil,1480,50,,41,,us
Hal,1700,50,,,,us
";

/// A line of [`GROUPS`] as fields.
fn fields(id: &str) -> Vec<&'static str> {
    let mut lines = GROUPS.lines().map(|line| line.split(',').collect::<Vec<_>>());
    lines.find(|fields| fields[0] == id).expect("a player")
}

fn rating(id: &str) -> f64 {
    fields(id)[1].parse().expect("a rating")
}

/// What two players of a pool cost, as `group --help` has it.
fn price(one: &str, other: &str) -> f64 {
    let [a, b] = [one, other].map(fields);
    let wait = |fields: &[&str]| fields[4].parse().unwrap_or(0.0);
    let is_far = !a[6].is_empty() && !b[6].is_empty() && a[6] != b[6];
    let region = if is_far { 150.0 } else { 0.0 };
    let gap = (rating(one) - rating(other)).abs().min(800.0);
    gap + region + (60.0_f64 - (wait(&a) + wait(&b)) / 2.0).max(0.0)
}

/// Own share, group's cost and rating gap of the players of a part who are in groups, in the mean; and how many they are.
fn recounted(groups: &[Vec<String>], is_here: &dyn Fn(&str) -> bool) -> (usize, Option<[f64; 3]>) {
    let mut all: Vec<[f64; 3]> = Vec::new();
    for members in groups {
        let sum = |figure: &dyn Fn(&str, &str) -> f64, ids: &[String]| -> f64 {
            let each = |one: &String| {
                members
                    .iter()
                    .filter(|other| *other != one)
                    .map(|other| figure(one, other))
                    .sum::<f64>()
            };
            ids.iter().map(each).sum()
        };
        let gap = |one: &str, other: &str| (rating(one) - rating(other)).abs();
        for id in members.iter().filter(|id| is_here(id)) {
            let own = std::slice::from_ref(id);
            let others = (members.len() - 1) as f64;
            all.push([
                sum(&price, own) / 2.0,
                sum(&price, members) / 2.0,
                sum(&gap, own) / others,
            ]);
        }
    }
    let mean = |which: usize| all.iter().map(|figures| figures[which]).sum::<f64>() / all.len() as f64;
    (all.len(), (!all.is_empty()).then(|| [0, 1, 2].map(mean)))
}

#[test]
fn parts_of_groups_pay_what_their_groups_say() {
    let report = group_json(GROUPS, &["--size", "3", "--fairness", "--seed", "4"]);
    let parts = report["fairness"].as_array().expect("an array");
    let kinds: Vec<&str> = parts.iter().map(|part| part["by"].as_str().expect("a word")).collect();
    let expected = [&["everybody"][..], &["rating"; 5], &["region"; 3], &["party"; 2]].concat();
    assert_eq!(kinds, expected);

    let ids = |group: &Value| -> Vec<String> {
        let members = group["members"].as_array().expect("an array").iter();
        members.map(|id| id.as_str().expect("an id").to_owned()).collect()
    };
    let groups: Vec<Vec<String>> = report["groups"].as_array().expect("an array").iter().map(ids).collect();
    // The same players by rating.
    let mut sorted = groups.concat();
    sorted.sort_by(|one, other| rating(one).total_cmp(&rating(other)));
    let neighbours: Vec<Vec<String>> = sorted.chunks(3).map(<[String]>::to_vec).collect();
    for part in parts {
        let is_here = |id: &str| match part["by"].as_str() {
            Some("rating") => (number(&part["from"])..=number(&part["to"])).contains(&rating(id)),
            Some("region") => fields(id)[6] == part["region"].as_str().unwrap_or(""),
            Some("party") => (fields(id)[5] == "x") == (part["size"] == 2),
            _ => true,
        };
        let everybody = GROUPS.lines().skip(1).filter_map(|line| line.split(',').next());
        assert_eq!(part["players"], everybody.filter(|id| is_here(id)).count(), "{part}");
        for (number_of, word, groups) in [(0, "this", &groups), (1, "rating", &neighbours)] {
            let found = &part["groupings"][number_of];
            let (playing, figures) = recounted(groups, &is_here);
            assert_eq!(
                (&found["grouping"], &found["playing"]),
                (&json!(word), &json!(playing)),
                "{part}"
            );
            for (which, key) in ["mean_share", "mean_group_cost", "mean_rating_gap"]
                .into_iter()
                .enumerate()
            {
                match &figures {
                    None => assert_eq!(found[key], Value::Null, "{part}"),
                    Some(figures) => assert!((number(&found[key]) - figures[which]).abs() < 1e-9, "{key} {part}"),
                }
            }
        }
        assert_eq!(part["groupings"][2]["playing"], part["groupings"][0]["playing"]);
    }
    // Shares add up to the total.
    let all = &parts[0]["groupings"][0];
    let total = number(&report["cost"]["float"]);
    assert!((6.0 * number(&all["mean_share"]) - total).abs() < 1e-9, "{report}");
}

#[test]
fn groups_by_chance_go_by_the_seed_and_cost_what_some_groups_cost() {
    let parts = |seed: &str| {
        let report = group_json(GROUPS, &["--size", "3", "--fairness", "--seed", seed]);
        (report["groups"].clone(), report["fairness"].clone())
    };
    let (groups, first) = parts("0");
    assert_eq!(group_json(GROUPS, &["--size", "3", "--fairness"])["fairness"], first);
    let of_players: Vec<String> = super::group::groups(&json!({ "groups": groups })).concat();
    // All ways to halve six players: the first one's two companions decide.
    let mut totals = Vec::new();
    for one in 1..6 {
        for two in one + 1..6 {
            let (with, without): (Vec<usize>, Vec<usize>) = (0..6).partition(|at| [0, one, two].contains(at));
            let halves = [with, without].map(|half| half.into_iter().map(|at| of_players[at].clone()).collect());
            totals.push(6.0 * recounted(&halves, &|_| true).1.expect("players")[0]);
        }
    }
    let mut found = Vec::new();
    for seed in ["0", "1", "2", "3", "4", "5"] {
        let (same, parts) = parts(seed);
        assert_eq!(same, groups);
        let random = &parts[0]["groupings"][2];
        assert_eq!(random["grouping"], "random");
        let total = 6.0 * number(&random["mean_share"]);
        assert!(
            totals.iter().any(|some| (some - total).abs() < 1e-9),
            "{total} {totals:?}"
        );
        found.push(total);
        // Whoever is in no group is so in each; parts of a kind come to everybody's.
        let regions = parts
            .as_array()
            .expect("an array")
            .iter()
            .filter(|part| part["by"] == "region");
        let figures = regions.map(|part| &part["groupings"][2]);
        let sum = figures.map(|figure| number(&figure["playing"]) * figure["mean_share"].as_f64().unwrap_or(0.0));
        assert!((sum.sum::<f64>() - total).abs() < 1e-9);
    }
    found.dedup();
    assert!(found.len() > 1, "{found:?}");
}

#[test]
fn fairness_of_groups_is_said_where_it_is_asked_and_there_are_groups() {
    assert_eq!(group_json(GROUPS, &["--size", "3"])["fairness"], Value::Null);
    assert!(!group(GROUPS, &["--size", "3"]).stdout.contains("who fares how"));
    let text = group(GROUPS, &["--size", "3", "--fairness"]).stdout;
    for line in [
        "who fares how",
        "own share",
        "everybody",
        "rated 1390",
        "region us",
        "no region",
        "party of 2",
        "alone",
    ] {
        assert!(text.contains(line), "{line:?} in {text}");
    }
    let few = group(GROUPS, &["--size", "9", "--fairness", "--json"]);
    assert_eq!((few.code, &few.json()["fairness"]), (Some(1), &Value::Null));
    let parties = ["--size", "2", "--fairness", "--json"];
    assert!(group(GROUPS, &parties).json()["fairness"].is_array());
    for (input, format) in [
        ("2 2\n0 1\n1 0\n", "matrix"),
        ("2 1\n0 1 5\n", "edges"),
        ("2 1 ss 2 2\n0 1 5\n", "mdgplib"),
    ] {
        let options = ["--size", "2", "--format", format, "--fairness"];
        group(input, &options).refused(&["--fairness", "only for CSV pools"]);
    }
}

/// Parts were "rated -0", and who is rated -0 came before who is rated 0, though they are rated the same.
#[test]
fn zero_has_no_sign() {
    let pool = "id,rating,deviation,outcomes\na,0,50,\nb,-0,50,\nc,-0.0001,50,\nd,7,50,\ne,-0,50,\nf,8,50,\n";
    for report in [
        pair(pool, &["--fairness"]),
        pair(pool, &["--cost", "skill", "--explain", "b,c"]),
        group(pool, &["--size", "2", "--fairness"]),
        piped(
            "id,skill,region\na,-0,EU-W\nb,0,EU-W\n",
            &["lobby", "-", "--team-size", "1", "--fairness"],
        ),
        piped(
            "rating\n-0\n-0\n",
            &["advise", "--team-size", "1", "--alpha", "1", "--ratings", "-"],
        ),
    ] {
        assert_eq!(report.code, Some(0), "{report:?}");
        let is_sign = |word: &str| word.trim_matches('|') == "-0";
        assert!(!report.stdout.split_whitespace().any(is_sign), "{report:?}");
    }
}
