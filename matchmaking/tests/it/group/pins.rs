//! Column `pin`: who has a group already, whatever the method.

use std::fmt::Write;

use serde_json::{Value, json};

use super::{Dice, groups};
use crate::support::{group, group_json, pair, run};

/// A player as the tests draw one; all numbers are small, so that many groupings are alike.
#[derive(Clone, Debug, Default)]
pub(super) struct One {
    rating: i64,
    wait: i64,
    region: i64,
    party: Option<i64>,
    avoid: Vec<usize>,
    /// From 1, as in files.
    pin: Option<usize>,
    /// Of tank and healer.
    roles: [bool; 2],
}

/// A pool, with what the definitions say of it.
#[derive(Clone, Debug, Default)]
pub(super) struct Small {
    pub(super) players: Vec<One>,
    pub(super) size: usize,
    /// Whether every group has one tank, and at most one healer.
    pub(super) has_roles: bool,
}

impl Small {
    /// Anything, also what cannot be.
    pub(super) fn random(dice: &mut Dice) -> Self {
        let n = 2 + dice.roll(8) as usize;
        let size = 1 + dice.roll(4.min(n as u64)) as usize;
        let has_roles = dice.roll(4) == 0;
        let mut players = vec![One::default(); n];
        let number = (n / size) as u64;
        // Without some room, hardly any pool has groups.
        let (parties, pinned) = (1 + dice.roll(4) as u64, 1 + dice.roll(4) as u64);
        for (at, player) in players.iter_mut().enumerate() {
            player.rating = 1000 + 10 * dice.roll(100);
            player.wait = dice.roll(80);
            player.region = dice.roll(3);
            player.party = (dice.roll(parties + 1) == 0).then(|| dice.roll(3));
            // At times one group more than there are.
            let numbers = number + u64::from(dice.roll(40) == 0);
            let pin = 1 + dice.roll(numbers) as usize;
            player.pin = (dice.roll(pinned) == 0).then_some(pin);
            if dice.roll(6) == 0 {
                player.avoid = vec![dice.roll(n as u64) as usize];
                player.avoid.retain(|&other| other != at);
            }
            player.roles = [dice.roll(2) == 0, dice.roll(3) == 0];
        }
        Self {
            players,
            size,
            has_roles,
        }
    }

    pub(super) fn text(&self) -> String {
        let mut text = "id,rating,deviation,outcomes,wait,party,region,avoid,pin,roles\n".to_owned();
        for (at, player) in self.players.iter().enumerate() {
            let One {
                rating, wait, region, ..
            } = player;
            let party = player.party.map_or_else(String::new, |party| format!("party{party}"));
            let avoid: Vec<String> = player.avoid.iter().map(|other| format!("p{other}")).collect();
            let pin = player.pin.map_or_else(String::new, |pin| pin.to_string());
            let roles = [("tank", player.roles[0]), ("healer", player.roles[1])];
            let roles: Vec<&str> = roles.into_iter().filter(|role| role.1).map(|role| role.0).collect();
            let (avoid, roles) = (avoid.join(";"), roles.join("|"));
            writeln!(
                text,
                "p{at},{rating},60,,{wait},{party},r{region},{avoid},{pin},{roles}"
            )
            .expect("a String takes all");
        }
        text
    }

    pub(super) fn options(&self) -> Vec<String> {
        let mut options = vec!["--size".to_owned(), self.size.to_string()];
        if self.has_roles {
            options.extend(["--roles".to_owned(), "tank=1,healer=0-1".to_owned()]);
        }
        options
    }

    pub(super) fn number_of_groups(&self) -> usize {
        self.players.len() / self.size
    }

    pub(super) fn are_one_party(&self, i: usize, j: usize) -> bool {
        i == j || self.players[i].party.is_some() && self.players[i].party == self.players[j].party
    }

    fn may_meet(&self, i: usize, j: usize) -> bool {
        !self.players[i].avoid.contains(&j) && !self.players[j].avoid.contains(&i)
    }

    /// Twice what two players cost.
    fn pair(&self, i: usize, j: usize) -> i64 {
        let (a, b) = (&self.players[i], &self.players[j]);
        let region = if a.region == b.region { 0 } else { 300 };
        2 * (a.rating - b.rating).abs().min(800) + region + (120 - a.wait - b.wait).max(0)
    }

    /// The groups in which a player has to be: by the player's own pin, and by those of the party.
    fn pins_of(&self, player: usize) -> Vec<usize> {
        let friends = (0..self.players.len()).filter(|&friend| self.are_one_party(player, friend));
        let mut pins: Vec<usize> = friends.filter_map(|friend| self.players[friend].pin).collect();
        pins.sort_unstable();
        pins.dedup();
        pins
    }

    /// Whether pins are wrong by themselves, whoever else is grouped.
    pub(super) fn is_to_be_refused(&self) -> bool {
        let all = 0..self.players.len();
        let pins: Vec<Vec<usize>> = all.clone().map(|player| self.pins_of(player)).collect();
        let number = self.number_of_groups();
        let is_wrong = |pins: &Vec<usize>| pins.len() > 1 || pins.iter().any(|&pin| pin > number);
        let is_wrong_group = |group: usize| {
            let members: Vec<usize> = all.clone().filter(|&player| pins[player].contains(&group)).collect();
            let is_apart = |&i: &usize| members.iter().any(|&j| !self.may_meet(i, j));
            members.len() > self.size || members.iter().any(is_apart)
        };
        pins.iter().any(is_wrong) || (1..=number).any(is_wrong_group)
    }

    /// Whether these can be given roles: one plays tank, at most one heals, and all who can play either do.
    fn can_be_cast(&self, members: &[usize]) -> bool {
        let mut tallies = vec![[0, 0]];
        for &member in members {
            let mut next = Vec::new();
            for tally in tallies {
                let can = self.players[member].roles;
                if can == [false, false] {
                    next.push(tally);
                }
                for role in (0..2).filter(|&role| can[role]) {
                    let mut more: [i32; 2] = tally;
                    more[role] += 1;
                    next.push(more);
                }
            }
            tallies = next;
        }
        tallies.iter().any(|&[tanks, healers]| tanks == 1 && healers <= 1)
    }

    /// Twice what the best groups cost: every group for every player, and the bench, tried.
    fn least(&self) -> Option<i64> {
        self.place(&mut Vec::new())
    }

    fn place(&self, seats: &mut Vec<usize>) -> Option<i64> {
        let (n, bench) = (self.players.len(), self.number_of_groups());
        if seats.len() == n {
            return self.total(seats);
        }
        let room = |seat: usize| if seat == bench { n % self.size } else { self.size };
        let is_open = |seat: usize, seats: &[usize]| seats.iter().filter(|&&other| other == seat).count() < room(seat);
        let mut best: Option<i64> = None;
        for seat in 0..=bench {
            if !is_open(seat, seats) {
                continue;
            }
            seats.push(seat);
            let found = self.place(seats);
            seats.pop();
            best = best.into_iter().chain(found).min();
        }
        best
    }

    /// Twice what this grouping costs, if it is one.
    pub(super) fn total(&self, seats: &[usize]) -> Option<i64> {
        let (n, bench) = (self.players.len(), self.number_of_groups());
        let is_kept = |player: usize| {
            let pin = self.players[player].pin;
            pin.is_none_or(|pin| seats[player] < bench && seats[player] == pin - 1)
        };
        if !(0..n).all(is_kept) {
            return None;
        }
        let mut total = 0;
        for i in 0..n {
            for j in i + 1..n {
                let are_together = seats[i] == seats[j] && seats[i] < bench;
                if self.are_one_party(i, j) && seats[i] != seats[j] || are_together && !self.may_meet(i, j) {
                    return None;
                }
                total += if are_together { self.pair(i, j) } else { 0 };
            }
        }
        let members = |group: usize| (0..n).filter(|&player| seats[player] == group).collect::<Vec<_>>();
        let is_cast = |group: usize| !self.has_roles || self.can_be_cast(&members(group));
        (0..bench).all(is_cast).then_some(total)
    }

    /// The group of each player in a report, which has everybody once, those who wait after the last group.
    pub(super) fn seats(&self, document: &Value) -> Vec<usize> {
        let mut seats = vec![usize::MAX; self.players.len()];
        let waiting = document["waiting"].as_array().expect("an array").iter();
        let waiting = waiting.map(|id| id.as_str().expect("an id").to_owned()).collect();
        for (seat, members) in groups(document).into_iter().chain([waiting]).enumerate() {
            for id in members {
                let player: usize = id[1..].parse().expect("a number");
                assert_eq!(std::mem::replace(&mut seats[player], seat), usize::MAX, "{document}");
            }
        }
        seats
    }
}

#[test]
fn both_methods_find_what_trying_all_groupings_finds() {
    let mut dice = Dice(77);
    let (mut refused, mut infeasible, mut solved, mut cast) = (0, 0, 0, 0);
    for number in 0..400 {
        let small = Small::random(&mut dice);
        let (text, options) = (small.text(), small.options());
        let options: Vec<&str> = options.iter().map(String::as_str).collect();
        let is_refused = small.is_to_be_refused();
        let least = small.least();
        assert!(!is_refused || least.is_none(), "{number}\n{text}");
        // Searches know no roles.
        for method in if small.has_roles {
            &["exact", "auto"][..]
        } else {
            &["exact", "search", "auto"]
        } {
            let run = group(&text, &[&options[..], &["--json", "--method", method]].concat());
            let about = format!("{number} {method} {options:?}\n{text}\n{run:?}");
            if is_refused {
                assert_eq!(run.code, Some(2), "{about}");
                assert!(run.stderr.contains("column pin, player \"p"), "{about}");
                continue;
            }
            let document = run.json();
            match least {
                None => assert_eq!(
                    (run.code, &document["status"]),
                    (Some(1), &json!("infeasible")),
                    "{about}"
                ),
                Some(least) => {
                    assert_eq!((run.code, &document["status"]), (Some(0), &json!("optimal")), "{about}");
                    assert_eq!(document["cost"]["float"].as_f64(), Some(least as f64 / 2.0), "{about}");
                    assert_eq!(small.total(&small.seats(&document)), Some(least), "{about}");
                }
            }
        }
        match (is_refused, least) {
            (true, _) => refused += 1,
            (false, None) => infeasible += 1,
            (false, Some(_)) => {
                let is_pinned = small.players.iter().any(|player| player.pin.is_some());
                solved += usize::from(is_pinned);
                cast += usize::from(is_pinned && small.has_roles);
            }
        }
    }
    let counts = [refused, infeasible, solved, cast];
    assert!(refused > 50 && infeasible > 20 && solved > 80 && cast > 3, "{counts:?}");
}

/// A pool that has groups, some of whose players are pinned to those they have there.
fn planted(dice: &mut Dice, n: usize, size: usize) -> Small {
    let mut players = vec![One::default(); n];
    let mut seats: Vec<usize> = (0..n).map(|at| at / size).collect();
    for at in (1..n).rev() {
        seats.swap(at, dice.roll(at as u64 + 1) as usize);
    }
    let number = n / size;
    for at in 0..n {
        let mates: Vec<usize> = (0..at).filter(|&other| seats[other] == seats[at]).collect();
        let mate = mates.last().copied().filter(|_| dice.roll(3) == 0);
        let other = dice.roll(n as u64) as usize;
        let player = &mut players[at];
        player.rating = 1000 + dice.roll(1000);
        player.wait = dice.roll(100);
        player.pin = (seats[at] < number && dice.roll(4) == 0).then(|| seats[at] + 1);
        player.party = Some(at as i64);
        if seats[other] != seats[at] && dice.roll(8) == 0 {
            player.avoid.push(other);
        }
        if let Some(mate) = mate {
            players[at].party = players[mate].party;
        }
    }
    Small {
        players,
        size,
        has_roles: false,
    }
}

#[test]
fn pins_hold_in_all_that_is_found() {
    let mut dice = Dice(5);
    for (number, (n, size)) in [(20, 4), (33, 5), (40, 2), (41, 3), (48, 12), (60, 7)]
        .into_iter()
        .enumerate()
    {
        for engine in [
            "auto",
            "climb",
            "cached-climb",
            "annealing",
            "population",
            "tabu",
            "tempering",
        ] {
            let small = planted(&mut dice, n, size);
            assert!(small.players.iter().any(|player| player.pin.is_some()));
            let (text, size, seed) = (small.text(), size.to_string(), number.to_string());
            let options = [
                "--size", &size, "--method", "search", "--engine", engine, "--seed", &seed,
            ];
            let document = group_json(&text, &[&options[..], &["--work-limit", "20000"]].concat());
            assert_eq!(
                document["status"], "feasible",
                "{engine} {options:?}\n{text}\n{document}"
            );
            // Costs have halves, and totals do.
            let total = small.total(&small.seats(&document)).expect("a grouping");
            assert_eq!(
                document["cost"]["float"].as_f64(),
                Some(total as f64 / 2.0),
                "{engine}\n{text}"
            );
        }
        let small = planted(&mut dice, n, size);
        let (text, size) = (small.text(), size.to_string());
        for method in ["exact", "auto"] {
            let options = ["--size", &size, "--method", method, "--work-limit", "2000000"];
            let document = group_json(&text, &options);
            let total = small.total(&small.seats(&document)).expect("a grouping");
            assert_eq!(
                document["cost"]["float"].as_f64(),
                Some(total as f64 / 2.0),
                "{method}\n{text}"
            );
        }
    }
}

const HEADER: &str = "id,rating,deviation,outcomes,party,avoid,pin\n";

/// Two captains who would be together, and a group that is there already but for one.
const CAPTAINS: &str = "\
id,rating,deviation,outcomes,party,avoid,pin
Ann,1500,60,,,,3
Ben,1510,60,,,,1
Cho,1900,60,,,,2
Dee,1100,60,,,,2
Eve,1520,60,,,,
Fay,1530,60,,red,,
Gil,1540,60,,red,,
Hal,1550,60,,,,
Ivy,1560,60,,,,
";

#[test]
fn groups_count_as_they_are_printed() {
    let free = groups(&group_json(
        CAPTAINS
            .replace(",1\n", ",\n")
            .replace(",2\n", ",\n")
            .replace(",3\n", ",\n"),
        &["--size", "3"],
    ));
    assert!(
        free.iter()
            .any(|members| members.contains(&"Ann".into()) && members.contains(&"Ben".into()))
    );
    for method in ["exact", "search", "auto"] {
        let document = group_json(CAPTAINS, &["--size", "3", "--method", method]);
        assert_eq!(document["status"], "optimal");
        let groups = groups(&document);
        assert!(
            groups[2].contains(&"Ann".into()) && groups[0].contains(&"Ben".into()),
            "{groups:?}"
        );
        assert!(
            groups[1].contains(&"Cho".into()) && groups[1].contains(&"Dee".into()),
            "{groups:?}"
        );
    }
    // As the README has it.
    let six = "id,rating,deviation,outcomes,pin\nAnn,1900,60,,1\nBen,1880,60,,2\nCho,1500,60,,\nDee,1490,60,,\nEve,1300,60,,\n\
               Fay,1310,60,,\n";
    let text = group(six, &["--size", "3"]).stdout;
    assert!(
        text.contains("1  1000  1490 to 1900  Ann Cho Dee\n    2  1340  1300 to 1880  Ben Eve Fay\n"),
        "{text}"
    );
    // Pairs with pins are no pairing: whom the exact method cannot ask for one.
    let pairs = format!("{HEADER}a,1,1,,,,2\nb,2,1,,,,1\nc,3,1,,,,\nd,4,1,,,,\n");
    let document = group_json(&pairs, &["--size", "2", "--method", "exact"]);
    assert_eq!(groups(&document), [["b", "c"], ["a", "d"]], "{document}");
    assert_ne!(document["certificate"]["kind"], "pairing");
    // Everybody has a group.
    let all = format!("{HEADER}a,1,1,,,,2\nb,2,1,,,,1\nc,3,1,,,,1\nd,4,1,,,,2\n");
    for method in ["exact", "search", "auto"] {
        let document = group_json(&all, &["--size", "2", "--method", method]);
        assert_eq!(groups(&document), [["b", "c"], ["a", "d"]], "{document}");
        assert_eq!(document["status"], "optimal", "{method}");
    }
}

#[test]
fn a_pin_that_cannot_hold_is_refused_with_its_place() {
    let cases = [
        (
            "a,1,1,,,,\nb,1,1,,,,x\n",
            "line 3, column pin, player \"b\": \"x\" is not the number of a group",
        ),
        (
            "a,1,1,,,,0\nb,1,1,,,,\n",
            "line 2, column pin, player \"a\": \"0\" is not the number of a group",
        ),
        (
            "a,1,1,,,,1\nb,1,1,,,,2\n",
            "line 3, column pin, player \"b\": there is no group 2; write a number from 1 to 1",
        ),
        (
            "a,1,1,,,,1\n\nb,1,1,,,,1\nc,1,1,,,,1\nd,1,1,,,,\n",
            "line 5, column pin, player \"c\": group 1 may have 2 members, and with this player 3 have to be in it",
        ),
        (
            "a,1,1,,x,,1\nb,1,1,,x,,2\nc,1,1,,,,\nd,1,1,,,,\n",
            "line 3, column pin, player \"b\": group 2, but \"a\" of the same party \"x\" is in group 1 (line 2)",
        ),
        (
            "a,1,1,,,b,1\nb,1,1,,,,1\nc,1,1,,,,\nd,1,1,,,,\n",
            "line 3, column pin, player \"b\": group 1 would have both \"a\" and \"b\"",
        ),
    ];
    for (rows, message) in cases {
        for method in ["exact", "search", "auto"] {
            let file = format!("stdin: {message}");
            group(format!("{HEADER}{rows}"), &["--size", "2", "--method", method]).refused(&[&file]);
        }
    }
    // Fewer players than one group has are told first.
    let few = group(format!("{HEADER}a,1,1,,,,1\n"), &["--size", "2", "--json"]);
    assert_eq!(
        (few.code, &few.json()["witness"]["kind"]),
        (Some(1), &json!("too-few-players"))
    );
}

fn witness(input: &str, options: &[&str]) -> Value {
    let run = group(input, &[&["--size", "3", "--json"], options].concat());
    assert_eq!(run.code, Some(1), "{run:?}");
    run.json()["witness"].clone()
}

#[test]
fn pins_in_the_way_of_parties_are_named() {
    // Two parties of two for two groups of three, each of which has room for two: one has to be with both captains.
    let input = format!("{HEADER}a,1,1,,,,1\nb,1,1,,,,1\nc,1,1,,x,,\nd,1,1,,x,,\ne,1,1,,y,,\nf,1,1,,y,,\n");
    assert_eq!(
        witness(&input, &["--method", "search"]),
        json!({"kind": "parties-do-not-fit", "parties": [["c", "d"], ["e", "f"]], "pinned": [["a", 1], ["b", 1]]})
    );
    let text = group(&input, &["--size", "3", "--method", "search"]).stdout;
    let expected =
        "cannot be packed whole into the groups:\n  c d\n  e f\nwhile these have their groups:\n  in group 1: a b\n";
    assert!(text.contains(expected), "{text}");

    let named = witness(&input, &["--method", "exact"]);
    assert_eq!(
        (&named["kind"], &named["minimal"]),
        (&json!("wishes-cannot-be-met"), &json!(true))
    );
    assert_eq!(named["pinned"], json!([["a", 1], ["b", 1]]));
    let text = group(&input, &["--size", "3", "--method", "exact"]).stdout;
    assert!(
        text.contains("\n  stay together: e f\n") && text.contains("\n  in group 1: a b\n"),
        "{text}"
    );
}

#[test]
fn pins_in_the_way_of_wishes_are_named_by_every_method() {
    // Whoever is left cannot be with either captain.
    let input = format!("{HEADER}a,1,1,,,,1\nb,1,1,,,,2\nc,1,1,,,a|b,\nd,1,1,,,,\ne,1,1,,,,\nf,1,1,,,,\n");
    for method in ["exact", "search", "auto"] {
        let named = witness(&input, &["--method", method]);
        assert_eq!(
            (&named["kind"], &named["players"]),
            (&json!("wishes-cannot-be-met"), &json!(["a", "b", "c"]))
        );
        assert_eq!(named["pinned"], json!([["a", 1], ["b", 2]]), "{method}");
    }
    let roles = "id,rating,deviation,outcomes,roles,pin\na,1,1,,tank,1\nb,1,1,,tank,1\nc,1,1,,,\nd,1,1,,,\ne,1,1,,,\nf,1,1,,,\n";
    let named = witness(roles, &["--roles", "tank=0-1"]);
    assert_eq!(
        (&named["kind"], &named["pinned"]),
        (&json!("wishes-cannot-be-met"), &json!([["a", 1], ["b", 1]]))
    );
    assert_eq!(named["can_play"], json!([["tank"], ["tank"]]));
}

#[test]
fn pins_are_spoken_of() {
    let help = run(&["group", "--help"]).stdout;
    let words = help.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("pin (the number of a group)"), "{help}");
    let said = "column \"pin\" does not change one-on-one pairing";
    assert!(pair(CAPTAINS, &[]).stderr.contains(said));
    assert_eq!(group_json(CAPTAINS, &["--size", "3"])["warnings"], json!([]));
}
