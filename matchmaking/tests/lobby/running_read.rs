//! Matches that run already, in files: good and bad.

use matchmaking::lobby::{Error, Player, Playing, Round, Side, SymmetricMatrix};

use crate::running::read;

#[test]
fn what_is_written_of_running_matches_is_read_again() -> Result<(), Error> {
    let round = read();
    let mut bytes = Vec::new();
    round.write_json(&mut bytes).expect("a vector takes everything");
    assert_eq!(Round::read_json(&bytes[..])?, round);
    let text = r#"{"players": [{"id": 1, "skill": 1, "playing": {"match": 7, "team": 1}},
                   {"id": 2, "skill": 1, "playing": null}], "ping_ms": [[0, 9], [9, 0]]}"#;
    let players = Round::read_json(text.as_bytes())?.players().to_vec();
    let playing = Playing {
        match_id: "7".to_owned(),
        team: Side::Blue,
    };
    assert_eq!((&players[0].playing, &players[1].playing), (&Some(playing), &None));
    Ok(())
}

/// They were passed over in silence.
#[test]
fn what_is_not_used_of_a_match_is_named() -> Result<(), Error> {
    let text = r#"{"players": [
        {"id": 1, "skill": 1, "region": "SA", "playing": {"match": 7, "team": 1, "slot": 3}},
        {"id": 2, "skill": 1, "region": "SA", "playing": {"slot": null, "match": 7, "team": 0}, "last": {"match": 6, "team": 1, "won": true}}]}"#;
    let round = Round::read_json(text.as_bytes())?;
    assert_eq!(round.unknown_fields(), ["players[].playing.slot", "players[].last.won"]);
    Ok(())
}

#[test]
fn what_is_wrong_with_running_matches_is_said_with_its_place() {
    let csv = |rows: &str| {
        let text = format!("id,skill,region,party,waited,match,team\na,1,SA,,0,m,red\n{rows}");
        Round::read_csv(text.as_bytes()).expect_err(rows).to_string()
    };
    for (rows, message) in [
        (
            "b,1,SA,,0,m,green\n",
            "line 3, field team, player \"b\": \"green\" where there should be red or blue",
        ),
        (
            "b,1,SA,,0,m,\n",
            "line 3, field team, player \"b\": there is a match and no team; write red or blue, or leave both empty for somebody \
             who waits",
        ),
        (
            "b,1,SA,,0,,blue\n",
            "line 3, field match, player \"b\": there is a team and no match; write the match that the player plays already, or \
             leave both empty for somebody who waits",
        ),
        (
            "b,1,SA,,2,m,blue\n",
            "line 3, field waited, player \"b\": 2 where the player plays in match \"m\" already; write 0, or leave match and team \
             empty for somebody who waits",
        ),
        (
            "b,1,SA,x,0,m,blue\nc,1,SA,x,0,m,red\n",
            "line 4, field party, player \"c\": plays in match \"m\", team red while \"b\" of the same party \"x\" plays in match \
             \"m\", team blue; write the same match and team for both, or another party",
        ),
        (
            "b,1,SA,x,0,m,blue\n\nc,1,SA,x,0,n,blue\n",
            "line 5, field party, player \"c\": plays in match \"n\", team blue while \"b\" of the same party \"x\" plays in match \
             \"m\"",
        ),
        (
            "b,1,SA,x,0,,\nc,1,SA,x,0,m,blue\n",
            "player \"c\": plays in match \"m\", team blue while \"b\" of the same party \"x\" waits; write",
        ),
    ] {
        let found = csv(rows);
        assert!(found.contains(message), "{message:?} is not {found:?}");
    }
    for (playing, message) in [
        (
            r#"{"match": "m", "team": "green"}"#,
            "player at position 0, field playing.team, player \"a\": \"green\" where there should be \"red\" or \"blue\"",
        ),
        (
            r#"{"match": "m"}"#,
            "field playing, player \"a\": {\"match\":\"m\"} where there should be an object like",
        ),
        (r#"{"team": "red"}"#, "or null for somebody who waits"),
        (
            r#""m""#,
            "field playing, player \"a\": \"m\" where there should be an object like",
        ),
        (
            r#"{"match": "", "team": "red"}"#,
            "field playing.match, player \"a\": the match that the player plays already has an empty id",
        ),
        (
            r#"{"match": 1.5, "team": "red"}"#,
            "field playing.match, player \"a\": 1.5 where there should be a text or a whole number",
        ),
    ] {
        let text = format!(r#"{{"players": [{{"id": "a", "skill": 1, "region": "SA", "playing": {playing}}}]}}"#);
        let found = Round::read_json(text.as_bytes()).expect_err(playing).to_string();
        assert!(found.contains(message), "{message:?} is not in {found:?}");
    }
    // Of two matches of a player, it is said which.
    let text = r#"{"players": [{"id": "a", "skill": 1, "last": {"match": true, "team": "red"}, "playing": null}]}"#;
    let found = Round::read_json(text.as_bytes()).expect_err("no match").to_string();
    assert!(found.contains("field last.match, player \"a\": true"), "{found}");
    // Parties that are named later are looked at as well.
    let torn = read()
        .with_parties(&[vec!["a", "j"]])
        .expect_err("one plays and one waits")
        .to_string();
    assert!(
        torn.contains("player \"j\": waits while \"a\" of the same party \"party 0\" plays"),
        "{torn}"
    );
    let player = Player {
        playing: Some(Playing {
            match_id: String::new(),
            team: Side::Red,
        }),
        ..Player::new("a", 1.0)
    };
    let none = |_, _| 0.0;
    let refused = Round::new(
        vec![player],
        SymmetricMatrix::from_fn(1, none),
        SymmetricMatrix::from_fn(1, |_, _| true),
    );
    assert!(matches!(refused, Err(Error::NoMatchId { .. })));
}
