//! Matches, and how players fare in them, as they are written.

use matchmaking::fairness::{self, Segment};
use matchmaking::lobby::{Error, Flaw, LobbySearch, Player, Round, Rules, ServerRule, SymmetricMatrix};
use matchmaking::{EngagementCost, Horizon, OutcomeModel, Pairing, Pool, SyntheticChurn};
use serde_json::{Value, json, to_value};

fn object(keys: &[(&str, Value)]) -> Value {
    keys.iter()
        .map(|(key, value)| ((*key).to_owned(), value.clone()))
        .collect::<serde_json::Map<_, _>>()
        .into()
}

#[test]
fn a_lobby_is_written_as_it_is() {
    let (round, rules) = (Round::named("nauts-60-s1").expect("a name"), Rules::new(3));
    let lobby = LobbySearch::new(&round, &rules)
        .work(2_000)
        .seed(3)
        .run()
        .expect("matches");
    let written = to_value(&lobby).expect("plain data");
    let matches = written["matches"].as_array().expect("a list");
    assert_eq!(matches.len(), lobby.matches.len());
    for (written, one) in matches.iter().zip(&lobby.matches) {
        let scores = &one.breakdown;
        let breakdown = object(&[
            ("team_skill", json!(scores.team_skill)),
            ("player_skill", json!(scores.player_skill)),
            ("premade", json!(scores.premade)),
            ("enemy_ping", json!(scores.enemy_ping)),
            ("variation", json!(scores.variation)),
            ("servers", json!(scores.servers)),
            ("company", json!(scores.company)),
            ("total", json!(scores.total)),
        ]);
        assert_eq!(
            written,
            &json!({"red": one.red, "blue": one.blue, "breakdown": breakdown})
        );
    }
    assert_eq!(written["waiting"], json!(lobby.waiting));
    assert_eq!(
        written["total"],
        json!({"mean": lobby.total.mean, "worst": lobby.total.worst})
    );
    assert_eq!((&written["seed"], &written["work"]), (&json!(3), &json!(lobby.work)));
    assert_eq!(written["breakdown"]["total"], json!(lobby.breakdown.total));
    let segments = Segment::of_round(&round);
    let metrics = lobby.by_segment(&round, &segments);
    let written = to_value(&metrics).expect("plain data");
    assert_eq!(written[0]["players"], json!(metrics[0].players));
    assert_eq!(written.as_array().map(Vec::len), Some(segments.len()));
}

#[test]
fn a_pairing_and_its_terms_are_written_as_they_are() {
    let pool = Pool::synthetic(7, 1);
    let model = SyntheticChurn::new(Horizon::EightHours, 0);
    let cost = EngagementCost::new(&pool, &OutcomeModel::default(), &model).expect("risks");
    let pairing = Pairing::new(vec![(0, 3), (1, 6), (2, 5)], vec![4]);
    let written = to_value(&pairing).expect("plain data");
    assert_eq!(written, json!({"pairs": [[0, 3], [1, 6], [2, 5]], "unmatched": [4]}));
    let terms = cost.terms(0, 3);
    let written = to_value(terms).expect("plain data");
    let chances = json!({"win": terms.outcomes.win, "draw": terms.outcomes.draw, "loss": terms.outcomes.loss});
    assert_eq!(
        written,
        json!({"outcomes": chances, "first": terms.first, "second": terms.second})
    );
    let metrics = cost.by_segment(&pairing, &Segment::of_pool(&pool));
    let written = to_value(&metrics).expect("plain data");
    assert_eq!(written[0]["expected_retained"], json!(metrics[0].expected_retained));
    assert!((metrics[0].expected_retained - cost.expected_retained(&pairing)).abs() < 1e-12);
    let groups = [vec![0, 3, 4], vec![1, 2, 6]];
    let metrics = fairness::groups_by_segment(&pool, &cost, &groups, &Segment::of_pool(&pool));
    let written = to_value(&metrics).expect("plain data");
    assert_eq!(
        (&written[0]["playing"], &written[0]["mean_share"]),
        (&json!(6), &json!(metrics[0].mean_share))
    );
}

/// Every field as it is, and each exchange as serde writes results: `Ok` with the change, or `Err` with the flaw.
#[test]
fn an_explanation_is_written_as_it_is() -> Result<(), Box<dyn std::error::Error>> {
    // Two islands of five, of whom the last waits; that of the first one can connect with nobody.
    let players = (0..10).map(|i| Player {
        waited: u32::from(i % 5 < 4),
        ..Player::new(format!("p{i}"), 1_000.0 * f64::from(i))
    });
    let pings = SymmetricMatrix::from_fn(10, |i, j| if i / 5 == j / 5 { 30.0 } else { 200.0 });
    let connects = SymmetricMatrix::from_fn(10, |i, j| i != 4 && j != 4);
    let round = Round::new(players.collect(), pings, connects)?.with_avoided([(0, 6)])?;
    let rules = Rules::new(2).ping_limit(100.0).server_rule(ServerRule::Required);
    let lobby = LobbySearch::new(&round, &rules).run()?;
    let mut kinds = std::collections::BTreeSet::new();
    for player in 0..round.len() {
        let explanation = lobby.explain(&round, &rules, player)?;
        let written = to_value(&explanation)?;
        let exchanges = written["exchanges"].as_array().expect("a list");
        assert_eq!(
            (written.as_object().map(serde_json::Map::len), exchanges.len()),
            (Some(5), explanation.exchanges.len())
        );
        assert_eq!(
            (&written["party"], &written["place"], &written["stop"]),
            (&json!(explanation.party), &json!(explanation.place), &json!("Finished"))
        );
        for (written, exchange) in exchanges.iter().zip(&explanation.exchanges) {
            let outcome = match &exchange.outcome {
                Ok(change) => json!({"Ok": {"mean_score": change.mean_score, "gain": change.gain}}),
                Err(flaw) => json!({"Err": flaw_of(flaw)}),
            };
            kinds.extend(outcome["Err"].as_object().and_then(|flaw| flaw.keys().next().cloned()));
            kinds.extend(outcome.get("Ok").map(|_| "Ok".to_owned()));
            assert_eq!(
                written,
                &json!({"along": exchange.along, "parties": exchange.parties, "place": exchange.place, "outcome": outcome})
            );
        }
    }
    assert_eq!(
        kinds.into_iter().collect::<Vec<_>>(),
        ["Avoided", "NoServer", "Ok", "TooFar"]
    );
    Ok(())
}

/// What a flaw should look like, by name and fields.
fn flaw_of(flaw: &Flaw) -> Value {
    match flaw {
        Flaw::Avoided { number, players } => json!({"Avoided": {"number": number, "players": players}}),
        Flaw::TooFar {
            number,
            players,
            ping_ms,
        } => json!({"TooFar": {"number": number, "players": players, "ping_ms": ping_ms}}),
        Flaw::NoServer { number } => json!({"NoServer": {"number": number}}),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_flaw_is_written_by_its_name() {
    for flaw in [
        Flaw::NoServer { number: 3 },
        Flaw::Avoided {
            number: 1,
            players: ["a".to_owned(), "b".to_owned()],
        },
    ] {
        assert_eq!(to_value(&flaw).expect("plain data"), flaw_of(&flaw));
    }
    assert_eq!(to_value(&Flaw::Totals).expect("plain data"), json!("Totals"));
    // An error has many kinds of parts, and is written as what it says.
    let error = Error::TooFewPlayers { players: 5, needed: 6 };
    let (said, flaw) = (error.to_string(), Flaw::Refused(error));
    assert_eq!(to_value(flaw).expect("plain data"), json!({"Refused": said}));
}
