//! Who is in whose way, where there are no groups.

use serde_json::{Value, json};

use crate::support::group;

fn witness(input: &str, size: &str, method: &str) -> Value {
    let run = group(input, &["--size", size, "--method", method, "--json"]);
    let document = run.json();
    assert_eq!(
        (run.code, &document["status"]),
        (Some(1), &json!("infeasible")),
        "{document}"
    );
    for key in ["cost", "bound", "gap", "certificate"] {
        assert_eq!(document[key], Value::Null, "{document}");
    }
    document["witness"].clone()
}

/// There was no picture, and no word of it.
#[test]
fn a_picture_that_is_not_drawn_is_spoken_of() {
    let directory = tempfile::TempDir::new().expect("a temporary directory");
    let picture = directory.path().join("picture.svg");
    let path = picture.to_str().expect("a plain path");
    let run = group("2 1\n0 1 5\n", &["--size", "3", "--plot", path, "--json"]);
    assert_eq!((run.code, picture.exists()), (Some(1), false), "{run:?}");
    let said = "--plot draws nothing: there are no groups whose total could be shown";
    assert_eq!(run.json()["warnings"], json!([said]));
    assert!(run.stderr.contains(said), "{}", run.stderr);
}

/// What turns text around, or is not seen, went into tables as it is.
#[test]
fn ids_that_are_not_what_they_look_like_are_escaped() {
    let pool = "id,rating\nab\u{202e}c,1\nd\u{200b}e,2\nf\u{2066}g,3\nnaïve 🏴\u{200d}☠,4\n";
    let text = group(pool, &["--size", "2"]).stdout;
    for said in ["ab\\u{202e}c", "d\\u{200b}e", "f\\u{2066}g", "naïve 🏴\u{200d}☠"] {
        assert!(text.contains(said), "{text}");
    }
    assert!(!text.contains(['\u{202e}', '\u{200b}', '\u{2066}']), "{text}");
    // For scripts they are what they are.
    let document = group(pool, &["--size", "2", "--json"]).stdout;
    assert!(document.contains("ab\u{202e}c"), "{document}");
}

/// In lists their spaces became one each, so that two of them looked the same.
#[test]
fn ids_in_lists_are_those_of_the_input() {
    let pool = "id,rating,avoid\na  b,1,a b\na b,1,山田\u{3000}太郎\n山田\u{3000}太郎,1,a  b\n";
    let text = group(pool, &["--groups", "2"]).stdout;
    for said in ["a  b, a b\n", "a  b, 山田\u{3000}太郎\n", "a b, 山田\u{3000}太郎\n"] {
        assert!(text.contains(&format!("stay apart:    {said}")), "{text}");
    }
    let text = group("id,rating\na  b,1\nb,1\nc,1\n", &["--size", "2", "--patience", "0"]).stdout;
    assert!(text.contains("\nwaiting: a  b\n"), "{text}");
}

const HEADER: &str = "id,rating,deviation,outcomes,party,avoid\n";

#[test]
fn enemies_who_are_more_than_the_groups_are_named_by_every_method() {
    // Three who avoid each other, two groups; dee avoids one more, which is in nobody's way.
    let input =
        format!("{HEADER}ann,1,1,,,ben;cho\nben,1,1,,,cho\ncho,1,1,,,\ndee,1,1,,,ann\neve,1,1,,,\nfay,1,1,,,\n");
    for method in ["exact", "auto", "search"] {
        assert_eq!(
            witness(&input, "3", method),
            json!({
                "kind": "wishes-cannot-be-met",
                "parties": [],
                "players": ["ann", "ben", "cho"],
                "forbidden": [["ann", "ben"], ["ann", "cho"], ["ben", "cho"]],
                "minimal": true
            }),
            "{method}"
        );
    }
    let text = group(&input, &["--size", "3", "--method", "exact"]).stdout;
    let expected = "infeasible: the wishes of 3 players cannot all be met, even if nobody else has any:\n  \
                    stay apart:    ann ben\n  stay apart:    ann cho\n  stay apart:    ben cho\n\
                    as soon as any one of them has no wishes, those of the others can be met; what else is wished may \
                    then be in\nthe way\n";
    assert!(text.contains(expected), "{text}");
}

const AT_ONCE: &str = "there are groups as soon as any one of them has no wishes\n";

/// That there are groups then was said whoever else had wishes, and there were none.
#[test]
fn groups_are_promised_only_where_nobody_else_has_wishes() {
    let alone = "id,rating,avoid\nann,1,ben;cho\nben,2,cho\ncho,3,\ndan,4,\neve,3,\nfay,1,\n";
    let two = "id,rating,avoid\nann,1,ben;cho\nben,2,cho\ncho,3,\ndan,4,eve;fay\neve,3,fay\nfay,1,\n";
    let party = "id,rating,party,avoid\nann,1,,ben;cho\nben,2,,cho\ncho,3,,\ndan,4,p,\neve,3,p,\nfay,1,,\n";
    let pinned = "id,rating,pin,avoid\nann,1,,ben;cho\nben,2,,cho\ncho,3,,\ndan,4,1,\neve,3,,\nfay,1,,\n";
    for (input, is_promised) in [(alone, true), (two, false), (party, false), (pinned, false)] {
        let text = group(input, &["--size", "3"]).stdout;
        assert!(text.contains("\n  stay apart:    ben cho\n"), "{text}");
        assert_eq!(text.contains(AT_ONCE), is_promised, "{text}");
        assert_eq!(text.contains("those of the others can be met"), !is_promised, "{text}");
    }
    // What is promised: ann has no wishes any more, by which nobody has any about her.
    let without = |input: &str| group(input.replace("ann,1,ben;cho", "ann,1,"), &["--size", "3"]).code;
    assert_eq!((without(alone), without(two)), (Some(0), Some(1)));
}

#[test]
fn groups_are_promised_only_where_everybody_else_plays_every_role() {
    let header = "id,rating,roles,avoid\nann,1,tank;healer,ben;cho\nben,2,tank;healer,cho\ncho,3,tank;healer,\n";
    for (roles, is_promised) in [("tank;healer", true), ("tank", false)] {
        let input = format!("{header}dan,4,{roles},\neve,3,tank;healer,\nfay,1,tank;healer,\n");
        let text = group(&input, &["--size", "3", "--roles", "tank=1,healer=1-2"]).stdout;
        assert!(text.contains("cannot all be met"), "{text}");
        assert_eq!(text.contains(AT_ONCE), is_promised, "{text}");
    }
}

/// Where there are too many groupings to try all, searches gave up, and the exact method took minutes.
#[test]
fn enemies_in_large_groups_are_named_by_every_method() {
    let names: String = (3..40).map(|player| format!("p{player},1,1,,,\n")).collect();
    let input = format!("{HEADER}ann,1,1,,,ben;cho\nben,1,1,,,cho\ncho,1,1,,,\n{names}");
    for (size, players) in [("20", json!(["ann", "ben", "cho"])), ("40", json!(["ann", "ben"]))] {
        for method in ["exact", "auto", "search"] {
            let found = witness(&input, size, method);
            assert_eq!(
                (&found["players"], &found["minimal"]),
                (&players, &json!(true)),
                "{method}"
            );
        }
    }
}

#[test]
fn parties_that_cannot_be_packed_are_named() {
    let input = format!("{HEADER}a,1,1,,x,\nb,1,1,,x,\nc,1,1,,y,\nd,1,1,,y,\ne,1,1,,z,\nf,1,1,,z,\n");
    let found = witness(&input, "3", "exact");
    assert_eq!(found["kind"], "wishes-cannot-be-met");
    assert_eq!(found["players"], json!(["a", "b", "c", "d", "e", "f"]));
    assert_eq!(found["parties"], json!([["a", "b"], ["c", "d"], ["e", "f"]]));
    let text = group(&input, &["--size", "3", "--method", "exact"]).stdout;
    assert!(text.contains("\n  stay together: c d\n"), "{text}");
}

#[test]
fn a_party_larger_than_groups_is_seen_at_once() {
    let trio = format!("{HEADER}a,1,1,,x,\nb,1,1,,x,\nc,1,1,,x,\nd,1,1,,,\n");
    for method in ["exact", "auto", "search"] {
        assert_eq!(
            witness(&trio, "2", method),
            json!({"kind": "party-too-large", "parties": [["a", "b", "c"]], "most": 2}),
            "{method}"
        );
    }
    // Four in one party, groups of three, and only two can wait: both limits are named.
    let four = format!("{HEADER}a,1,1,,x,\nb,1,1,,x,\nc,1,1,,x,\nd,1,1,,x,\ne,1,1,,,\n");
    assert_eq!(witness(&four, "3", "exact")["most"], 3);
    let text = group(&four, &["--size", "3"]).stdout;
    assert!(
        text.contains("a party of 4 members; a group has at most 3, and at most 2 can wait:\n  a b c d\n"),
        "{text}"
    );
}

#[test]
fn numbers_of_a_matrix_come_back_as_the_file_counts_them() {
    // Nobody may be with 0.
    let input = "4 2\n0 - - -\n- 0 1 1\n- 1 0 1\n- 1 1 0\n";
    let found = witness_of_matrix(input);
    assert_eq!(found["kind"], "wishes-cannot-be-met");
    assert_eq!(found["players"], json!([0, 1, 2, 3]));
    assert_eq!(found["forbidden"], json!([[0, 1], [0, 2], [0, 3]]));
}

fn witness_of_matrix(input: &str) -> Value {
    let run = group(input, &["--method", "exact", "--json"]);
    assert_eq!(run.code, Some(1), "{run:?}");
    run.json()["witness"].clone()
}
