//! `matchmaking lobby` with players who would rather not have others as mates.

use serde_json::{Value, json};

use crate::support::{file, piped, run};

/// Four of different skill, whose fairest teams are the best with the worst; and those two do not get along.
const FOUR: &str = "id,skill,region,dislike\nAnn,10000,SA,Dee;Zoe\nBen,9000,SA,\nCho,8000,SA,\nDee,7000,SA,\n";

fn lobby(input: &str, arguments: &[&str]) -> Value {
    let run = piped(
        input,
        &[&["lobby", "-", "--json", "--team-size", "2"], arguments].concat(),
    );
    assert!(run.code == Some(0) && run.stderr.is_empty(), "{run:?}");
    run.json()
}

#[test]
fn whoever_is_disliked_is_no_mate_where_it_goes() {
    let kept = lobby(FOUR, &[]);
    assert_eq!(kept["weights"]["company"], json!(3.0));
    let one = &kept["matches"][0];
    assert_eq!((&one["red"], &one["disliked"]), (&json!(["Ann", "Cho"]), &json!([])));
    assert_eq!(one["breakdown"]["company"], json!(1.0));
    let broken = lobby(FOUR, &["--weights", "company=0.1"]);
    let one = &broken["matches"][0];
    assert_eq!(
        (&one["red"], &one["disliked"]),
        (&json!(["Ann", "Dee"]), &json!([["Ann", "Dee"]]))
    );
    assert_eq!(one["breakdown"]["company"], json!(5.0 / 6.0));
    // As if nobody had said anything, but that it is told.
    let none = lobby(FOUR, &["--weights", "company=0"]);
    let plain = lobby(&FOUR.replace("Dee;Zoe", ""), &[]);
    assert_eq!(none["score"], plain["score"]);
    assert_eq!(
        (&plain["weights"]["company"], &plain["matches"][0]["disliked"]),
        (&json!(0.0), &Value::Null)
    );
    // In JSON as in CSV.
    let document = r#"{"players": [{"id": "Ann", "skill": 10000, "region": "SA", "dislike": ["Dee", 7]},
        {"id": "Ben", "skill": 9000, "region": "SA"}, {"id": "Cho", "skill": 8000, "region": "SA"},
        {"id": "Dee", "skill": 7000, "region": "SA", "dislike": []}]}"#;
    assert_eq!(lobby(document, &[])["matches"], kept["matches"]);
}

#[test]
fn mates_who_do_not_get_along_are_named() {
    let (_directory, path) = file("four.csv", FOUR);
    let path = path.to_str().expect("a plain path");
    let text = |arguments: &[&str]| run(&[&["lobby", path, "--team-size", "2"], arguments].concat()).stdout;
    let kept = text(&[]);
    assert!(kept.contains("servers  company  weakest rule"), "{kept}");
    assert!(kept.contains("\nno mates of whom one dislikes the other\n"), "{kept}");
    let broken = text(&["--weights", "company=0.1"]);
    assert!(
        broken.contains("\n1 pair of mates of whom one dislikes the other: Ann, Dee (match 1)\n"),
        "{broken}"
    );
    let without = text(&["--weights", "company=0"]);
    assert!(
        without.contains("servers  weakest rule") && without.contains("Ann, Dee (match 1)"),
        "{without}"
    );
}

#[test]
fn company_without_anybody_who_is_disliked_is_warned_of() {
    let nobody = FOUR.replace("Dee;Zoe", "Zoe");
    let run = piped(
        &nobody,
        &["lobby", "-", "--json", "--team-size", "2", "--weights", "company=2"],
    );
    assert_eq!(run.code, Some(0), "{run:?}");
    assert!(
        run.stderr
            .contains("no column dislike names a player of another party who is there: company is 1 in every match"),
        "{run:?}"
    );
    let own = piped(FOUR.replace("Dee;Zoe", "Ann"), &["lobby", "-", "--team-size", "2"]);
    assert_eq!(own.code, Some(2));
    let message = "line 2, field dislike, player \"Ann\": the player's own id";
    assert!(own.stderr.contains(message), "{own:?}");
}

/// Company had its weight as soon as anybody was named, and so every match 3 of 13.3 parts of its score for a wish that is
/// passed over.
#[test]
fn a_wish_within_a_party_counts_for_nothing() {
    let four = |dislike: &str| {
        format!(
            "id,skill,region,party,dislike\nAnn,10000,SA,x,{dislike}\nBen,9000,SA,x,\nCho,8000,SA,,\nDee,7000,SA,,\n"
        )
    };
    let (named, plain) = (lobby(&four("Ben"), &[]), lobby(&four(""), &[]));
    assert_eq!(named["weights"]["company"], json!(0.0));
    for key in ["weights", "score", "matches"] {
        assert_eq!(named[key], plain[key], "{key}");
    }
    assert_eq!(lobby(&four("Cho"), &[])["weights"]["company"], json!(3.0));
}

#[test]
fn of_many_mates_who_do_not_get_along_the_first_are_named() {
    // Everybody dislikes everybody: of six against six, 30 pairs.
    let everybody: Vec<String> = (0..12).map(|i| format!("p{i}")).collect();
    let mut rows = "id,skill,region,dislike\n".to_owned();
    for id in &everybody {
        let others: Vec<&str> = everybody
            .iter()
            .filter(|other| *other != id)
            .map(String::as_str)
            .collect();
        rows += &format!("{id},1000,SA,{}\n", others.join("|"));
    }
    let run = piped(rows, &["lobby", "-", "--team-size", "6"]);
    let text = run.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        text.contains("30 pairs of mates of whom one dislikes the other: p0, p1 (match 1);"),
        "{text}"
    );
    assert!(text.contains("(match 1); and 10 more status"), "{text}");
}
