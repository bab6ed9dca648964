//! Files with rounds, good and bad.

use matchmaking::lobby::{Error, MAX_PLAYERS, Player, Region, Round, Side, SymmetricMatrix};

fn json(text: &str) -> Result<Round, Error> {
    Round::read_json(text.as_bytes())
}

fn csv(text: &str) -> Result<Round, Error> {
    Round::read_csv(text.as_bytes())
}

fn message(result: Result<Round, Error>) -> String {
    result.err().map(|error| error.to_string()).unwrap_or_default()
}

#[test]
fn what_is_written_is_read_again() -> Result<(), Error> {
    let mut players = Round::named("nauts-60-s2")?.players().to_vec();
    players[0].id = "Zoë \"the\" \\ fox\n".to_owned();
    players[1].skill = 0.1 + 0.2;
    let ping = |i: usize, j: usize| (i * 31 + j) as f32 / 7.0;
    let n = players.len();
    let round = Round::new(
        players,
        SymmetricMatrix::from_fn(n, ping),
        SymmetricMatrix::from_fn(n, |i, j| (i + j) % 3 > 0),
    )?;
    let mut bytes = Vec::new();
    round.write_json(&mut bytes).expect("a vector takes everything");
    assert_eq!(Round::read_json(&bytes[..])?, round);
    Ok(())
}

#[test]
fn every_field_arrives_where_it_belongs() -> Result<(), Error> {
    let round = json(
        r#"{"version": 3, "can_connect": [[1, 0, true], [0, 1, 1], [true, 1, false]],
            "players": [
              {"id": "Ann", "skill": 9000.5, "party": "x", "region": "EU-W", "waited": 2, "last": {"match": 17, "team": "blue"}},
              {"id": 12, "skill": -3, "party": null, "mood": "good", "last": null},
              {"id": "Cho", "skill": 1e4, "party": "x", "mood": "bad", "last": {"match": "17", "team": 0}}],
            "ping_ms": [[0, 10, 20.5], [10, 0, 30], [20.5, 30, 0]]}"#,
    )?;
    let [ann, twelve, cho] = round.players() else {
        panic!("three players")
    };
    assert_eq!(
        (ann.skill, ann.party.as_deref(), ann.region.as_deref(), ann.waited),
        (9000.5, Some("x"), Some("EU-W"), 2)
    );
    assert_eq!((twelve.id.as_str(), &twelve.party, &twelve.last), ("12", &None, &None));
    let last = |player: &Player| player.last.as_ref().map(|last| (last.match_id.clone(), last.team));
    assert_eq!(
        (last(ann), last(cho)),
        (Some(("17".into(), Side::Blue)), Some(("17".into(), Side::Red)))
    );
    assert_eq!(round.parties(), [vec![0, 2], vec![1]]);
    assert_eq!(
        (round.ping_ms(2, 0), round.can_connect(0, 1), round.can_connect(2, 1)),
        (20.5, false, true)
    );
    assert_eq!(round.unknown_fields(), ["version", "players[].mood"]);
    assert_eq!((round.party_label(0), round.party_label(1)), ("x", "12"));
    Ok(())
}

/// As if they were not there, as for what stands in a player.
/// Everybody whose party was written as an empty text, as many services write what is not set, was in one party: in
/// JSON and in code, while it was none in CSV.
#[test]
fn an_empty_party_is_none() -> Result<(), Error> {
    let players = r#"{"players": [{"id": "Ann", "skill": 1, "party": "", "region": "SA"},
                                  {"id": "Ben", "skill": 2, "party": "x", "region": "SA"},
                                  {"id": "Cho", "skill": 3, "party": "", "region": "SA"},
                                  {"id": "Dan", "skill": 4, "party": "x", "region": "SA"}]}"#;
    let of_json = json(players)?;
    let of_csv = csv("id,skill,party,region\nAnn,1,,SA\nBen,2,x,SA\nCho,3,,SA\nDan,4,x,SA\n")?;
    let in_code = Round::new(
        of_json.players().to_vec(),
        SymmetricMatrix::from_fn(4, |_, _| 40.0),
        SymmetricMatrix::from_fn(4, |_, _| true),
    )?;
    for round in [of_json, of_csv, in_code] {
        assert_eq!(round.parties(), [vec![0], vec![1, 3], vec![2]]);
        assert_eq!([0, 1, 2].map(|party| round.party_label(party)), ["Ann", "x", "Cho"]);
    }
    Ok(())
}

/// CSV may begin with a byte order mark, as editors and shells write it; JSON was refused for it.
#[test]
fn json_may_begin_with_a_byte_order_mark() -> Result<(), Error> {
    let text = r#"{"players": [{"id": 1, "skill": 5, "region": "EU-W"}]}"#;
    assert_eq!(json(&format!("\u{feff}{text}"))?, json(text)?);
    Ok(())
}

#[test]
fn matrices_may_be_null() -> Result<(), Error> {
    let text = r#"{"players": [{"id": 1, "skill": 5, "region": "EU-W"}, {"id": 2, "skill": 5, "region": "SA"}],
                   "ping_ms": null, "can_connect": null}"#;
    let round = Round::read_json(text.as_bytes())?;
    let expected = Region::EuropeWest.round_trip_ms(Region::AmericaSouth);
    assert_eq!((round.ping_ms(0, 1), round.can_connect(0, 1)), (expected, true));
    let twice = r#"{"players": [], "ping_ms": null, "ping_ms": null}"#;
    let error = Round::read_json(twice.as_bytes()).expect_err("a name that appears twice");
    assert!(error.to_string().contains("ping_ms"), "{error}");
    Ok(())
}

#[test]
fn csv_takes_pings_from_regions() -> Result<(), Error> {
    let round = csv(
        "\u{feff}region,id,skill,party,waited,mood\r\nEU-W, Ann ,9000,a,1,good\nsa,Ben,1.5,,,\nOCE,\"Cho, Q\",3,a,0,\n",
    )?;
    assert_eq!(round.players()[2].id, "Cho, Q");
    assert_eq!(round.parties(), [vec![0, 2], vec![1]]);
    assert_eq!(
        round.ping_ms(0, 1),
        Region::EuropeWest.round_trip_ms(Region::AmericaSouth)
    );
    assert_eq!((round.ping_ms(1, 2), round.can_connect(1, 2)), (300.0, true));
    assert_eq!(
        (round.players()[0].waited, round.unknown_fields()),
        (1, &["mood".to_owned()][..])
    );
    Ok(())
}

#[test]
fn whom_players_avoid_is_read_and_written() -> Result<(), Error> {
    let of_csv =
        csv("id,skill,region,avoid\nAnn,1,SA,Cho; ;Dan|\nBen,2,SA,\nCho,3,SA, Ann \n4,4,SA,Ben\nDan,5,SA,\"\"\n")?;
    let of_json = json(
        r#"{"players": [{"id": "Ann", "skill": 1, "region": "SA", "avoid": ["Cho", "Dan"]},
                        {"id": "Ben", "skill": 2, "region": "SA", "avoid": null},
                        {"id": "Cho", "skill": 3, "region": "SA", "avoid": ["Ann"]},
                        {"id": 4, "skill": 4, "region": "SA", "avoid": ["Ben", "Ben"]},
                        {"id": "Dan", "skill": 5, "region": "SA", "avoid": []}]}"#,
    )?;
    let by_number = json(
        r#"{"players": [{"id": "Ben", "skill": 2, "region": "SA", "avoid": [4]}, {"id": 4, "skill": 4, "region": "SA"}]}"#,
    )?;
    for round in [&of_csv, &of_json] {
        assert_eq!(round.avoided_pairs().collect::<Vec<_>>(), [(0, 2), (0, 4), (1, 3)]);
        assert!(round.has_avoided() && round.unknown_fields().is_empty());
    }
    assert_eq!(of_csv, of_json);
    assert_eq!(by_number.avoided_pairs().collect::<Vec<_>>(), [(0, 1)]);
    let mut bytes = Vec::new();
    of_csv.write_json(&mut bytes).expect("a vector takes everything");
    assert_eq!(Round::read_json(&bytes[..])?, of_csv);
    Ok(())
}

#[test]
fn avoided_players_must_be_there() {
    let rows = |rows: &str| csv(&format!("id,skill,region,avoid\n{rows}"));
    let one = |avoid: &str| {
        json(&format!(
            r#"{{"players": [{{"id": "Ann", "skill": 1, "region": "SA", "avoid": {avoid}}}]}}"#
        ))
    };
    let cases = [
        (
            rows("Ann,1,SA,\n\nBen,1,SA,Ann;Bob\n"),
            "line 4, field avoid, player \"Ben\": nobody has the id \"Bob\"; write ids of the round",
        ),
        // As ids are compared elsewhere: to the letter.
        (
            rows("Ann,1,SA,\nBen,1,SA,ann\n"),
            "line 3, field avoid, player \"Ben\": nobody has the id \"ann\"",
        ),
        (
            rows("Ann,1,SA,Ann\n"),
            "line 2, field avoid, player \"Ann\": the player's own id",
        ),
        (
            one("[\"Bob\"]"),
            "player at position 0, field avoid, player \"Ann\": nobody has the id \"Bob\"",
        ),
        (
            one("[\"Ann\"]"),
            "player at position 0, field avoid, player \"Ann\": the player's own id",
        ),
        (
            one("\"Bob\""),
            "player at position 0, field avoid, player \"Ann\": \"Bob\" where there should be a list of ids like",
        ),
        (
            one("[1.5]"),
            "field avoid, player \"Ann\": [1.5] where there should be a list of ids like",
        ),
        (
            one("{}"),
            "field avoid, player \"Ann\": {} where there should be a list of ids like",
        ),
    ];
    for (result, expected) in cases {
        let found = message(result);
        assert!(found.contains(expected), "{expected:?} is missing in {found:?}");
    }
}

#[test]
fn bad_csv_is_refused_with_its_line() {
    let rows = |rows: &str| csv(&format!("id,skill,party,region,waited\n{rows}"));
    let cases = [
        (csv(""), "line 1: the file is empty"),
        (csv("id,skill\n"), "line 1: column `region` is missing"),
        (csv("id,skill,region,id\n"), "line 1: column \"id\" appears twice"),
        (rows(""), "there are no players"),
        (rows("Ann,9000,,EU-W"), "line 2: 4 fields where the header has 5"),
        (
            rows("Ann,x,,EU-W,"),
            "line 2, field skill, player \"Ann\": \"x\" is not a number",
        ),
        (
            rows("Ann,,,EU-W,"),
            "line 2, field skill, player \"Ann\": \"\" is not a number",
        ),
        (
            rows("Ann,NaN,,EU-W,"),
            "line 2, field skill, player \"Ann\": \"NaN\" is not a number",
        ),
        (rows("Ann,inf,,EU-W,"), "is infinite"),
        // Said as it is written.
        (rows("Ann,1e400,,EU-W,"), "\"1e400\" is infinite"),
        (
            rows("Ann,-1.5e308,,EU-W,"),
            "line 2, field skill, player \"Ann\": \"-1.5e308\" is out of range; it must lie between -1e300 and 1e300",
        ),
        (
            rows("Ann,1,,EU-W,-1"),
            "line 2, field waited, player \"Ann\": \"-1\" is not a count",
        ),
        (
            rows("Ann,1,,EU-W,\n\nBen,1,,Moon,"),
            "line 4, field region, player \"Ben\": \"Moon\" is none of",
        ),
        (
            rows("Ann,1,,,"),
            "line 2, field region, player \"Ann\": pings come from regions",
        ),
        (rows(",1,,EU-W,"), "line 2, field id: the id is empty"),
        (
            rows("Ann,1,,EU-W,\nAnn,1,,EU-W,"),
            "line 3, field id: player \"Ann\" is there already (line 2)",
        ),
        (
            Round::read_csv(&b"id,skill,region\nAnn,1,\xff\n"[..]),
            "line 2, column region: not UTF-8",
        ),
    ];
    for (result, expected) in cases {
        let found = message(result);
        assert!(found.contains(expected), "{expected:?} is missing in {found:?}");
    }
}

#[test]
fn bad_json_is_refused_with_its_place() {
    let players = |players: &str| json(&format!("{{\"players\": [{players}]}}"));
    let two = |rest: &str| {
        json(&format!(
            "{{\"players\": [{{\"id\": \"A\", \"skill\": 1}}, {{\"id\": \"B\", \"skill\": 2}}], {rest}}}"
        ))
    };
    let ann = |rest: &str| {
        players(&format!(
            "{{\"id\": \"Ann\", \"skill\": 1, \"region\": \"SA\", {rest}}}"
        ))
    };
    let cases = [
        (json("{\"players\": [\n  oops]}"), "line 2, column 3"),
        (json("[]"), "expected an object with `players`"),
        (json("{}"), "missing field `players`"),
        (json("{\"players\": [], \"players\": []}"), "`players` appears twice"),
        (
            json("{\"mood\": 1, \"players\": [], \"mood\": 2}"),
            "line 1, column 37: field `mood` appears twice",
        ),
        (ann("\"skill\": 2"), "field `skill` appears twice"),
        (
            ann("\"last\": {\"match\": 1, \"team\": \"red\", \"match\": 2}"),
            "field `match` appears twice",
        ),
        (players(""), "there are no players"),
        (players("3"), "player at position 0, field players"),
        (players("{\"skill\": 1}"), "player at position 0: field `id` is missing"),
        (
            players("{\"id\": 1.5, \"skill\": 1}"),
            "field id: 1.5 where there should be a text",
        ),
        (
            players("{\"id\": \"Ann\"}"),
            "player at position 0: field `skill` is missing",
        ),
        (
            players("{\"id\": \"Ann\", \"skill\": \"high\"}"),
            "field skill, player \"Ann\": \"high\" where there should be a number",
        ),
        (ann("\"waited\": -1"), "field waited, player \"Ann\": -1"),
        (ann("\"party\": []"), "field party, player \"Ann\""),
        (ann("\"last\": 5"), "field last, player \"Ann\""),
        (ann("\"last\": {\"match\": 1}"), "field last, player \"Ann\""),
        (
            ann("\"last\": {\"match\": 1, \"team\": \"green\"}"),
            "field last.team, player \"Ann\": \"green\"",
        ),
        (
            players("{\"id\": \"Ann\", \"skill\": 1}"),
            "field region, player \"Ann\": pings come from regions",
        ),
        (
            two("\"ping_ms\": [[0, 1]]"),
            "field ping_ms: 1 row where there are 2 players",
        ),
        (
            two("\"ping_ms\": [[0, 1], [1]]"),
            "field ping_ms, row 1 (from 0): 1 entry",
        ),
        (
            two("\"ping_ms\": [[0, 1], [2, 0]]"),
            "field ping_ms: 2 for \"B\" with \"A\" and 1 the other way round",
        ),
        (
            two("\"ping_ms\": [[0, -1], [-1, 0]]"),
            "field ping_ms, players \"B\" and \"A\": -1 is no ping",
        ),
        // These were written with 39 digits.
        (
            two("\"ping_ms\": [[0, 3e38], [1e38, 0]]"),
            "field ping_ms: 1e38 for \"B\" with \"A\" and 3e38 the other way round",
        ),
        (
            two("\"ping_ms\": [[0, -3e38], [-3e38, 0]]"),
            "field ping_ms, players \"B\" and \"A\": -3e38 is no ping",
        ),
        (
            two("\"ping_ms\": [[0, 1e300], [1e300, 0]]"),
            "line 1, column 85: number out of range",
        ),
        (two("\"ping_ms\": [[0, \"x\"], [1, 0]]"), "line 1, column"),
        (
            two("\"ping_ms\": [[0, 1], [1, 0]], \"can_connect\": [[1, 1], [0, 1]]"),
            "field can_connect: false for \"B\" with \"A\"",
        ),
        (
            two("\"ping_ms\": [[0, 1], [1, 0]], \"can_connect\": [[1, 2], [2, 1]]"),
            "true, false, 1 or 0",
        ),
    ];
    for (result, expected) in cases {
        let found = message(result);
        assert!(found.contains(expected), "{expected:?} is missing in {found:?}");
    }
}

#[test]
fn rounds_made_in_code_are_checked_too() -> Result<(), Error> {
    let player = |id: &str| Player::new(id, 1.0);
    let rows = |ping: f32| vec![vec![0.0, ping], vec![ping, 0.0]];
    let connects = vec![vec![true; 2]; 2];
    let two = vec![player("a"), player("b")];
    assert!(matches!(
        Round::from_rows(two.clone(), &rows(f32::NAN), &connects),
        Err(Error::BadPing { .. })
    ));
    assert!(matches!(Round::from_rows(vec![], &[], &[]), Err(Error::NoPlayers)));
    let round = Round::from_rows(two, &rows(5.0), &connects)?;
    let unknown = round.clone().with_parties(&[vec!["a"], vec!["b", "c"]]);
    assert_eq!(
        unknown,
        Err(Error::UnknownMember {
            party: 1,
            id: "c".into()
        })
    );
    let twice = round.clone().with_parties(&[vec!["a"], vec!["b", "a"]]);
    assert_eq!(
        twice,
        Err(Error::InTwoParties {
            id: "a".into(),
            parties: (0, 1)
        })
    );
    assert_eq!(round.with_parties(&[vec!["a", "b"]])?.parties(), [[0, 1]]);
    let nan = Round::new(
        vec![Player::new("a", f64::NAN)],
        SymmetricMatrix::from_fn(1, |_, _| 0.0),
        SymmetricMatrix::from_fn(1, |_, _| true),
    );
    assert!(matches!(nan, Err(Error::BadNumber { field: "skill", .. })));
    let shape = Round::new(
        vec![player("a")],
        SymmetricMatrix::from_fn(2, |_, _| 0.0),
        SymmetricMatrix::from_fn(1, |_, _| true),
    );
    assert!(matches!(
        shape,
        Err(Error::WrongShape {
            matrix: "ping_ms",
            row: None,
            expected: 1,
            found: 2
        })
    ));
    let many = (0..=MAX_PLAYERS).map(|i| player(&i.to_string())).collect();
    let many = Round::new(
        many,
        SymmetricMatrix::from_fn(0, |_, _| 0.0),
        SymmetricMatrix::from_fn(0, |_, _| true),
    );
    assert!(matches!(
        many,
        Err(Error::TooManyPlayers {
            players: 5001,
            limit: 5000
        })
    ));
    Ok(())
}
