//! What a report as JSON must be like.

use std::collections::BTreeSet;

use serde_json::Value;

/// That nobody is in two pairs, groups, matches, or games of one round, and that several games are those of the pairs, as many as
/// everybody should have.
///
/// # Panics
/// Where it is otherwise.
pub fn check_report(report: &Value) {
    match report["schema"].as_str() {
        Some("matchmaking/pair/1") if report["games"].is_object() => check_games(report),
        Some("matchmaking/pair/1") => {
            let paired = list(&report["pairs"]).flat_map(|pair| ends(pair));
            once(paired.chain(list(&report["unmatched"])), report);
        }
        Some("matchmaking/group/1") => {
            let grouped = list(&report["groups"]).flat_map(|group| list(&group["members"]));
            once(grouped.chain(list(&report["waiting"])), report);
        }
        Some("matchmaking/lobby/1") => {
            let teams = list(&report["matches"]).flat_map(|game| list(&game["red"]).chain(list(&game["blue"])));
            once(teams.chain(list(&report["waiting"])), report);
        }
        _ => {}
    }
}

/// The entries of a list; none where there is none.
fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

/// The first two entries: of a pair, the third is what it costs.
fn ends(pair: &Value) -> impl Iterator<Item = &Value> {
    list(pair).take(2)
}

/// A pair, whoever is named first.
fn unordered(pair: &Value) -> BTreeSet<String> {
    let both: BTreeSet<String> = ends(pair).map(Value::to_string).collect();
    assert_eq!(both.len(), 2, "{pair}");
    both
}

#[track_caller]
fn once<'a>(players: impl Iterator<Item = &'a Value>, report: &Value) {
    let mut seen = BTreeSet::new();
    for player in players {
        assert!(seen.insert(player.to_string()), "{player} twice: {report}");
    }
}

fn check_games(report: &Value) {
    let games = &report["games"];
    let pairs: BTreeSet<_> = list(&report["pairs"]).map(unordered).collect();
    assert_eq!(pairs.len(), list(&report["pairs"]).count(), "a game twice: {report}");
    let has_answer = matches!(report["status"].as_str(), Some("optimal" | "feasible"));
    let number = |value: &Value| value.as_u64().unwrap_or_else(|| panic!("{value}: {report}"));
    let mut missing = 0;
    for player in list(&games["each"]) {
        let opponents: BTreeSet<String> = list(&player["opponents"]).map(Value::to_string).collect();
        let count = list(&player["opponents"]).count();
        assert_eq!(opponents.len(), count, "{player}: {report}");
        let id = player["id"].to_string();
        let met = pairs.iter().filter(|pair| pair.contains(&id));
        let met: BTreeSet<String> = met.flatten().filter(|other| **other != id).cloned().collect();
        assert_eq!(met, opponents, "{player}: {report}");
        let (least, most) = (number(&player["least"]), number(&player["most"]));
        let is_right = (least..=most).contains(&(count as u64));
        assert!(is_right || !has_answer, "{player}: {report}");
        missing += most.saturating_sub(count as u64);
    }
    if has_answer {
        assert_eq!(number(&games["missing"]), missing, "{report}");
    }
    let rounds = &games["rounds"];
    if !rounds.is_object() {
        return;
    }
    let mut played = BTreeSet::new();
    for round in list(&rounds["games"]) {
        once(list(round).flat_map(|game| ends(game)), report);
        for game in list(round) {
            assert!(played.insert(unordered(game)), "{game} twice: {report}");
        }
    }
    assert_eq!(played, pairs, "{report}");
    let count = list(&rounds["games"]).count() as u64;
    assert!(
        number(&rounds["count"]) == count && number(&rounds["at_least"]) <= count,
        "{report}"
    );
}
