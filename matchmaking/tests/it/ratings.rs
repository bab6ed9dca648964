//! Files of ratings: what engagement asks for may be missing where nobody asks about it.

use serde_json::Value;

use crate::support::{POOL, Run, group_json, pair, pair_json, timeless};

/// The pool without some of its columns, by position.
fn without(columns: &[usize]) -> String {
    let line = |line: &str| {
        let fields = line.split(',').enumerate();
        let kept: Vec<&str> = fields
            .filter(|(at, _)| !columns.contains(at))
            .map(|(_, field)| field)
            .collect();
        kept.join(",") + "\n"
    };
    POOL.lines().map(line).collect()
}

/// All files that lack something: without deviations, without outcomes, without both.
fn lacking() -> [String; 3] {
    [&[2][..], &[3], &[2, 3]].map(without)
}

/// The answer, without who is expected to stay.
fn by_rating(mut document: Value) -> Value {
    for compared in document["comparison"].as_array_mut().into_iter().flatten() {
        let compared = compared.as_object_mut().expect("an object");
        compared.remove("expected_retained");
    }
    timeless(document)
}

#[test]
fn ratings_are_paired_as_in_a_whole_pool() {
    for arguments in [
        &["--cost", "skill"][..],
        &["--cost", "skill", "--explain", "Ann,Ben"],
        &["--cost", "skill", "--games", "2", "--rounds"],
        &["--cost", "skill", "--objective", "max-weight"],
    ] {
        let whole = pair_json(POOL, arguments);
        for file in lacking() {
            let found = pair_json(&file, arguments);
            assert!(!found.to_string().contains("expected_retained"), "{found}");
            assert_eq!(by_rating(found), by_rating(whole.clone()), "{file}");
        }
    }
}

#[test]
fn nothing_is_said_of_what_is_not_known() {
    let whole = pair(POOL, &["--cost", "skill"]).stdout;
    assert!(
        whole.contains("A stops") && whole.contains("expected to stay"),
        "{whole}"
    );
    for file in lacking() {
        let Run { code, stdout, stderr } = pair(&file, &["--cost", "skill"]);
        assert_eq!((code, stderr.as_str()), (Some(0), ""));
        assert!(
            !stdout.contains("stop") && !stdout.contains("stay") && !stdout.contains("wins"),
            "{stdout}"
        );
        assert!(
            stdout.contains("total rating gap") && stdout.contains("mean rating gap"),
            "{stdout}"
        );
    }
}

#[test]
fn ratings_are_grouped_as_a_whole_pool() {
    for arguments in [&["--size", "3"][..], &["--size", "2", "--explain", "Cho", "--fairness"]] {
        let whole = timeless(group_json(POOL, arguments));
        for file in lacking() {
            assert_eq!(timeless(group_json(&file, arguments)), whole, "{file}");
        }
    }
}

#[test]
fn who_asks_about_engagement_is_told_what_is_missing_and_what_does_without() {
    let hint = "ratings are enough for `group`, and for `pair --cost skill`";
    for arguments in [
        &[][..],
        &["--cost", "engagement"],
        &["--cost", "skill", "--fairness"],
        &["--games", "2"],
    ] {
        pair(without(&[2, 3]), arguments).refused(&["stdin: line 1", "column `deviation`", hint]);
        pair(without(&[3]), arguments).refused(&["stdin: line 1", "column `outcomes`", hint]);
    }
    let run = pair(without(&[1, 2, 3]), &["--cost", "skill"]);
    run.refused(&["stdin: line 1", "column `rating`"]);
    assert!(!run.stderr.contains(hint), "{}", run.stderr);
}
