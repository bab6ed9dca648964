//! `--explain`: why somebody is in this group, and why two are or are not in one.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::pins::Small;
use super::{Dice, matrix_file, mdgplib_file};
use crate::support::{Run, group, group_json};

/// The number of a player of a [`Small`] pool.
fn number(id: &Value) -> usize {
    id.as_str()
        .and_then(|id| id.strip_prefix('p')?.parse().ok())
        .expect("an id")
}

fn numbers(ids: &Value) -> Vec<usize> {
    ids.as_array().expect("ids").iter().map(number).collect()
}

/// The seats after an exchange of a report; groups count from 1 there, and null is the bench.
fn seats_after(row: &Value, seats: &[usize], bench: usize) -> Vec<usize> {
    let place = |key: &str| row[key].as_u64().map_or(bench, |group| group as usize - 1);
    let mut after = seats.to_vec();
    for player in [numbers(&row["party"]), numbers(&row["along"])].concat() {
        assert_eq!(seats[player], place("from"), "{row}");
        after[player] = place("to");
    }
    for player in numbers(&row["with"]) {
        assert_eq!(seats[player], place("to"), "{row}");
        after[player] = place("from");
    }
    after
}

/// Twice what a grouping costs, if it is one and its groups are full.
fn total(small: &Small, seats: &[usize]) -> Option<i64> {
    let is_full = |group| seats.iter().filter(|&&seat| seat == group).count() == small.size;
    (0..small.number_of_groups())
        .all(is_full)
        .then(|| small.total(seats))
        .flatten()
}

/// Who must be in one place, place by place.
fn units(small: &Small, seats: &[usize]) -> Vec<Vec<Vec<usize>>> {
    let all = 0..small.players.len();
    let mut units = vec![Vec::new(); small.number_of_groups() + 1];
    for player in all.clone() {
        let unit: Vec<usize> = all
            .clone()
            .filter(|&other| small.are_one_party(player, other))
            .collect();
        if unit[0] == player {
            units[seats[player]].push(unit);
        }
    }
    units
}

/// All seats that an exchange of the player's party comes to and that are allowed: a move, one party for another, or one
/// for several with as many members.
fn exchanges(small: &Small, seats: &[usize], player: usize) -> BTreeSet<Vec<usize>> {
    let units = units(small, seats);
    let from = seats[player];
    let set = |units: &[Vec<usize>], mask: u32| -> Vec<Vec<usize>> {
        let chosen = (0..units.len()).filter(|at| mask >> at & 1 == 1);
        chosen.map(|at| units[at].clone()).collect()
    };
    let members = |set: &[Vec<usize>]| set.iter().map(Vec::len).sum::<usize>();
    let mut all = BTreeSet::new();
    for to in (0..units.len()).filter(|&to| to != from) {
        for mine in 1..1_u32 << units[from].len() {
            let leave = set(&units[from], mine);
            if !leave.iter().any(|unit| unit.contains(&player)) {
                continue;
            }
            for theirs in 0..1_u32 << units[to].len() {
                let come = set(&units[to], theirs);
                let is_of_two = leave.len() == 1 && come.len() <= 1;
                let is_of_several = (leave.len() == 1) != (come.len() == 1) && members(&leave) == members(&come);
                let mut after = seats.to_vec();
                leave.concat().into_iter().for_each(|player| after[player] = to);
                come.concat().into_iter().for_each(|player| after[player] = from);
                if (is_of_two || is_of_several) && total(small, &after).is_some() {
                    all.insert(after);
                }
            }
        }
    }
    all
}

/// What the report says of each exchange, held against the seats after it; those that are allowed.
fn allowed(small: &Small, document: &Value, seats: &[usize], seen: &mut BTreeSet<String>) -> BTreeSet<Vec<usize>> {
    let before = total(small, seats).expect("a grouping");
    let bench = small.number_of_groups();
    let mut all = BTreeSet::new();
    for row in document["explain"]["exchanges"].as_array().expect("exchanges") {
        let after = seats_after(row, seats, bench);
        let total = total(small, &after);
        let about = format!("{row} {document}");
        assert_eq!(row["change"].is_null(), total.is_none(), "{about}");
        assert_eq!(row["refused"].is_null(), total.is_some(), "{about}");
        match total {
            Some(total) => {
                let change = (total - before) as f64 / 2.0;
                assert_eq!(row["change"].as_f64(), Some(change), "{about}");
                assert_eq!(row["better"].as_bool(), Some(change < 0.0), "{about}");
                assert!(document["status"] != "optimal" || change >= 0.0, "{about}");
                all.insert(after);
            }
            None => {
                seen.insert(row["reason"].as_str().expect("a reason").to_owned());
            }
        }
    }
    all
}

#[test]
fn every_exchange_is_said_and_changes_what_the_definitions_say() {
    let mut dice = Dice(4242);
    let (mut explained, mut apart, mut together) = (0, 0, 0);
    let mut seen = BTreeSet::new();
    for number in 0..400 {
        let small = Small::random(&mut dice);
        if small.is_to_be_refused() {
            continue;
        }
        let text = small.text();
        let options = small.options();
        let mut options: Vec<&str> = options.iter().map(String::as_str).collect();
        // A target that anything reaches: not the best groups.
        match dice.roll(3) {
            0 if !small.has_roles => options.extend(["--method", "search", "--target", "100000"]),
            1 => options.extend(["--method", "exact"]),
            _ => {}
        }
        let n = small.players.len() as u64;
        let (a, b) = (dice.roll(n) as usize, dice.roll(n) as usize);
        let (one, two) = (format!("p{a}"), format!("p{a},p{b}"));
        let run = group(&text, &[&options[..], &["--json", "--explain", &one]].concat());
        if run.code != Some(0) {
            assert!(!run.stdout.contains("\"explain\":{"), "{number} {run:?}\n{text}");
            continue;
        }
        let document = run.json();
        let seats = small.seats(&document);
        let explain = &document["explain"];
        let bench = small.number_of_groups();
        assert_eq!(explain["player"], json!(one));
        assert_eq!(
            explain["group"].as_u64().map_or(bench, |group| group as usize - 1),
            seats[a]
        );
        assert_eq!(explain["exchanges_left_out"], json!(0));
        let found = allowed(&small, &document, &seats, &mut seen);
        assert_eq!(
            found,
            exchanges(&small, &seats, a),
            "{number} {options:?}\n{text}\n{document}"
        );
        explained += 1;
        if a == b {
            continue;
        }
        let document = group_json(&text, &[&options[..], &["--explain", &two]].concat());
        let seats = small.seats(&document);
        let explain = &document["explain"];
        let are_together = |seats: &[usize]| seats[a] == seats[b] && seats[a] < bench;
        let is = are_together(&seats);
        assert_eq!(
            (&explain["together"], &explain["pair"]),
            (&json!(is), &json!([format!("p{a}"), format!("p{b}")]))
        );
        let found = allowed(&small, &document, &seats, &mut seen);
        let all = exchanges(&small, &seats, a)
            .into_iter()
            .chain(exchanges(&small, &seats, b));
        let expected: BTreeSet<_> = all.filter(|after| are_together(after) != is).collect();
        assert_eq!(found, expected, "{number} {options:?}\n{text}\n{document}");
        assert!(explain["obstacle"].is_null() || found.is_empty() && !is, "{document}");
        if is { together += 1 } else { apart += 1 }
    }
    assert!(
        explained > 100 && apart > 50 && together > 20,
        "{explained} {apart} {together}"
    );
    // Where others of another number come, it is a group that has the wrong size first.
    let expected = ["apart", "pinned", "roles", "size"];
    assert!(expected.iter().all(|reason| seen.contains(*reason)), "{seen:?}");
}

const POOL: &str = "\
id,rating,deviation,outcomes,party,avoid,opponents,pin
Ann,1500,60,,,Ben,Cho,
Ben,1510,60,,,,,
Cho,1520,60,,,,,
Dee,1530,60,,x,,,
Eve,1540,60,,x,,,
Fay,1550,60,,,,,
Gil,1560,60,,,,,2
";

fn pool(arguments: &[&str]) -> Run {
    let common = ["--size", "3", "--patience", "0", "--rematch-cost", "7"];
    group(POOL, &[&common[..], arguments].concat())
}

/// The text on one line, however it was wrapped.
fn flat(run: &Run) -> String {
    run.stdout.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn people_read_where_a_player_is_and_what_comes_closest() {
    let text = flat(&pool(&["--explain", "Dee"]));
    let place = "Dee, a party of 2 (Dee Eve), is in group 1, which costs 40; the share of Dee is 15, half of what each pair costs: \
                 Fay 20, Eve 10";
    assert!(text.contains(place), "{text}");
    assert!(
        text.contains("group 2 Ben Cho 0 no exchange makes the party wait: group 1 would have 2 members, and has 3"),
        "{text}"
    );
    assert!(
        text.contains("1 exchange fits the sizes: none is better, and one is as good."),
        "{text}"
    );
    assert!(text.contains("No groups are better, that is proven;"), "{text}");
    let search = flat(&pool(&["--explain", "Dee", "--method", "search", "--engine", "climb"]));
    assert!(
        search.contains("An exchange is one step: several at once may still be better."),
        "{search}"
    );
    let pinned = flat(&pool(&["--explain", "Gil"]));
    assert!(
        pinned.contains("no exchange leads to group 1: Gil is pinned to group 2"),
        "{pinned}"
    );
    let document = pool(&["--json"]).json();
    let waiting = document["waiting"][0].as_str().expect("who waits").to_owned();
    let waits = flat(&pool(&["--explain", &waiting]));
    assert!(waits.contains(&format!("{waiting}, a party of one, waits.")), "{waits}");
}

#[test]
fn people_read_why_two_are_not_together() {
    let avoid = flat(&pool(&["--explain", "Ann,Ben"]));
    let why = "They are together in no groups at all: Ann and Ben must not be together, as one avoids the other.";
    assert!(avoid.contains(why), "{avoid}");
    let party = flat(&pool(&["--explain", "Eve,Dee"]));
    assert!(
        party.contains("they are of one party; the two cost 10 together."),
        "{party}"
    );
    // Three seats: the party and another one.
    let large = pool(&["--json", "--explain", "Dee,Ann"]).json();
    assert_eq!(
        (&large["explain"]["cost"], &large["explain"]["obstacle"]),
        (&json!(30), &Value::Null)
    );
    let met = pool(&["--json", "--explain", "Cho,Ann"]).json();
    assert_eq!(met["explain"]["cost"], json!(20 + 7), "recent opponents");
}

/// Numbers, and totals that are to be great.
#[test]
fn values_of_matrices_and_mdgplib_files_change_as_their_sums_do() {
    let mut dice = Dice(9);
    for _ in 0..20 {
        let matrix = dice.matrix(8, 50);
        let mdgplib = mdgplib_file("8 2 ds 2 5 3 6", &matrix);
        let small = matrix_file("8 3", &matrix);
        for (file, sign, method) in [(&mdgplib, -1, "search"), (&mdgplib, -1, "exact"), (&small, 1, "search")] {
            let player = dice.roll(8);
            let arguments = ["--method", method, "--explain", &player.to_string()];
            let document = group_json(file, &arguments);
            let group_of = |player: &Value| {
                let mut groups = document["groups"].as_array().expect("groups").iter();
                groups.position(|group| group["members"].as_array().expect("members").contains(player))
            };
            let sum = |seats: &[Option<usize>]| -> i64 {
                let pairs = (0..8).flat_map(|i| (i + 1..8).map(move |j| (i, j)));
                let together = pairs.filter(|&(i, j)| seats[i].is_some() && seats[i] == seats[j]);
                together.map(|(i, j)| matrix[i][j]).sum()
            };
            let seats: Vec<Option<usize>> = (0..8).map(|player| group_of(&json!(player))).collect();
            let explain = &document["explain"];
            assert_eq!(explain["player"], json!(player), "{document}");
            let pairs = explain["pairs"].as_array().expect("pairs");
            for pair in pairs {
                let other = pair["player"].as_u64().expect("a number") as usize;
                assert_eq!(pair["cost"], json!(matrix[player as usize][other]));
            }
            let mut moved = 0;
            for row in explain["exchanges"].as_array().expect("exchanges") {
                let place = |key: &str| row[key].as_u64().map(|group| group as usize - 1);
                let mut after = seats.clone();
                after[player as usize] = place("to");
                for other in row["with"].as_array().expect("ids") {
                    after[other.as_u64().expect("a number") as usize] = place("from");
                }
                if let Some(change) = row["change"].as_i64() {
                    moved += 1;
                    assert_eq!(change, sum(&after) - sum(&seats), "{row} {document}");
                    assert_eq!(row["better"], json!(sign * change < 0));
                    assert!(sign * change >= 0, "{row} {document}: the best groups");
                }
            }
            assert!(moved > 0);
        }
    }
}

#[test]
fn who_is_not_there_is_refused_before_the_search() {
    pool(&["--explain", "ann"]).refused(&["--explain", "\"ann\" is no id of the input; \"Ann\" is"]);
    pool(&["--explain", "Ann,Bem"]).refused(&["--explain", "\"Bem\" is no id of the input; \"Ben\" is"]);
    pool(&["--explain", "Zoe-17"]).refused(&["\"Zoe-17\" is no id of the input, which has 7 and none that is like it"]);
    pool(&["--explain", "Ann,Ann"]).refused(&["--explain", "names the same id twice; name two"]);
    pool(&["--explain", ""]).refused(&["--explain", "\"\" is no id"]);
    let matrix = matrix_file("4 2", &Dice(1).matrix(4, 9));
    group(&matrix, &["--explain", "4"]).refused(&["\"4\" is no id of the input; ids are numbers from 0 to 3"]);
    group(&matrix, &["--explain", "-1"]).refused(&["\"-1\" is no id"]);
    // Without groups there is nothing to explain.
    let none = group(matrix_file("3 4", &Dice(1).matrix(3, 9)), &["--explain", "0", "--json"]);
    assert_eq!((none.code, none.json().get("explain")), (Some(1), None), "{none:?}");
    assert_eq!(pool(&["--json"]).json().get("explain"), None);
}

/// Two crowds far apart, each of which is a group; a party of four in one, and somebody else in it who avoids one of the other.
fn crowds() -> String {
    let row = |i: usize| match i {
        0..4 => format!("p{i},1000,50,,four,\n"),
        4 => "p4,1000,50,,,q0\n".to_owned(),
        5..16 => format!("p{i},1000,50,,,\n"),
        _ => format!("q{},3000,50,,,\n", i - 16),
    };
    let rows: String = (0..32).map(row).collect();
    format!("id,rating,deviation,outcomes,party,avoid\n{rows}")
}

/// It was said of all exchanges, where those that were looked at had one in them who may not come.
#[test]
fn what_is_said_of_the_exchanges_that_were_looked_at_is_not_said_of_others() {
    let options = ["--size", "16", "--method", "search", "--explain", "p1"];
    let document = group_json(crowds(), &options);
    let explain = &document["explain"];
    assert_eq!(explain["exchanges_left_out"], json!(1_820 - 8 * 32), "{document}");
    let text = flat(&group(crowds(), &options));
    let why = "leads to group 2: p4 and q0 must not be together, as one avoids the other";
    assert!(
        text.contains(&format!("no exchange that was looked at {why}")),
        "{text}"
    );
    assert!(
        text.contains("(1564 more of one party against several were not looked at), and none is allowed"),
        "{text}"
    );
}

/// It was the greatest number that there is, less those that were looked at.
#[test]
fn more_exchanges_than_can_be_counted_are_said_to_be_many() {
    let rows = (0..160).map(|i| {
        format!(
            "p{i},{},50,,{}\n",
            1_000 + i / 80 * 900,
            if i < 40 { "crowd" } else { "" }
        )
    });
    let pool = format!("id,rating,deviation,outcomes,party\n{}", rows.collect::<String>());
    let text = flat(&group(
        pool,
        &[
            "--size",
            "80",
            "--method",
            "search",
            "--work-limit",
            "1000",
            "--explain",
            "p1",
        ],
    ));
    assert!(
        text.contains(" (more than 10^19 of one party against several were not looked at)"),
        "{text}"
    );
}

/// It took as long as it took.
#[test]
fn a_limit_in_time_ends_an_explanation_with_what_there_is() {
    let crowds = || crowds().replace("q0\n", "\n");
    let options = [
        "--size",
        "16",
        "--method",
        "search",
        "--explain",
        "p4",
        "--time-limit",
        "0",
    ];
    let run = group(crowds(), &[&options[..], &["--json"]].concat());
    assert_eq!(run.code, Some(3), "{run:?}");
    let explain = &run.json()["explain"];
    assert_eq!(
        (&explain["stopped"], &explain["exchanges"]),
        (&json!("time-limit"), &json!([]))
    );
    // One moves to the other group, or changes places with one there.
    assert_eq!(explain["exchanges_left_out"], json!(17));
    assert_eq!(explain["pairs"].as_array().map(Vec::len), Some(15));
    let text = flat(&group(crowds(), &options));
    let why = "No exchange that was looked at fits the sizes of groups (17 more were not looked at, as the time-limit ended the \
               explanation).";
    assert!(text.contains(why), "{text}");
    let free = group_json(crowds(), &options[..6]);
    assert_eq!(
        (&free["explain"]["stopped"], &free["explain"]["exchanges_left_out"]),
        (&Value::Null, &json!(0))
    );
}

/// Who had an id that could be read as two others was refused, and could not be asked about at all.
#[test]
fn an_id_comes_before_a_pair() {
    let pool = "id,rating\n\"a,b\",1\nb,2\na,3\nc,4\n";
    let asked = |text: &str| {
        let document = group_json(pool, &["--size", "2", "--explain", text]);
        let explain = &document["explain"];
        [&explain["player"], &explain["pair"]].map(Clone::clone)
    };
    assert_eq!(asked("a,b"), [json!("a,b"), Value::Null]);
    for (text, players) in [
        ("a, b", ["a", "b"]),
        ("b,a", ["b", "a"]),
        ("a,b,c", ["a,b", "c"]),
        ("a,b, b", ["a,b", "b"]),
    ] {
        assert_eq!(asked(text), [Value::Null, json!(players)], "{text}");
    }
}

/// The document's keys, and the time that explaining took.
#[test]
fn the_report_has_its_keys_in_order() {
    let run = pool(&["--json", "--explain", "Fay"]);
    run.in_order(
        "group",
        &[
            "groups",
            "waiting",
            "rematches",
            "explain",
            "exchanges_left_out",
            "stopped",
            "certificate",
            "timing",
        ],
    );
    assert!(run.json()["timing"]["explain"].is_f64(), "{run:?}");
}
