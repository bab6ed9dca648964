//! Everything that can be wrong with an input: exit code 2, and a message with the line.

use crate::support::group;

#[test]
fn matrices() {
    let cases: &[(&str, &[&str])] = &[
        ("2 2\n0 1\n", &["line 3", "ends after 1 of 2 rows"]),
        ("2 2\n0 1\n1 0\n5\n", &["line 4", "after all 2 rows"]),
        ("2 2\n0 1\n1\n", &["line 3", "1 field", "2 entries"]),
        (
            "3 3\n0 1 2\n1 0 3\n2 4 0\n",
            &["line 4", "entry (2, 1) is 4", "entry (1, 2) is 3"],
        ),
        ("2 2\n0 x\nx 0\n", &["line 2", "\"x\" is no weight"]),
        ("2 0\n0 1\n1 0\n", &["line 1", "groups of 0 members"]),
        ("70000 2\n0 1\n", &["line 1", "at most 65535"]),
    ];
    for (input, parts) in cases {
        group(input, &["--json"]).refused(parts);
    }
    let matrix = &["--format", "matrix"];
    group("2 2 2\n0 1\n1 0\n", matrix).refused(&["line 1", "3 fields", "`n k`"]);
    group("x 2\n", matrix).refused(&["line 1", "no header"]);
}

#[test]
fn edge_lists() {
    let cases: &[(&str, &[&str])] = &[
        ("4 2\n0 1 1\n", &["line 3", "ends after 1 of 2 edges"]),
        ("4 1\n0 1 1\n2 3 1\n", &["line 3", "after all 1 edges"]),
        ("4 1\n0 4 1\n", &["line 2", "no vertex 4", "0 to 3"]),
        ("4 1\n2 2 1\n", &["line 2", "from vertex 2 to itself"]),
        (
            "4 2\n0 1 1\n1 0 5\n",
            &["line 3", "second edge between 0 and 1", "line 2"],
        ),
        ("4 1\n0 1 abc\n", &["line 2", "\"abc\" is no weight"]),
    ];
    for (input, parts) in cases {
        group(input, &["--size", "2"]).refused(parts);
    }
    // Each fits 128 bits, and there are no groups but with both. It was not said what would do.
    let great = "4 2\n0 1 1e38\n2 3 1e38\n";
    group(great, &["--size", "2", "--absent", "forbidden"]).refused(&["total cost", "use", "smaller costs"]);
}

#[test]
fn mdgplib() {
    let cases: &[(&str, &[&str])] = &[
        ("3 1 ss 3 3\n0 1 5\n0 2 5\n", &["line 4", "ends after 2 of 3 pairs"]),
        ("2 1 ss 2 2\n0 1 5\n1 0 5\n", &["line 3", "\"1 0 5\" after all 1 pairs"]),
        (
            "3 1 ss 3 3\n0 1 5\n1 0 5\n0 2 5\n",
            &["line 3", "second edge between 0 and 1", "line 2"],
        ),
        ("2 1 ss 2 2\n0 2 5\n", &["line 2", "no vertex 2"]),
        ("2 1 ss 2 2\n0 1\n", &["line 2", "2 fields", "`i j value`"]),
        ("2 1 ss 2 2\n0 1 much\n", &["line 2", "\"much\" is no weight"]),
        ("4 2 ss 2 2 2\n", &["line 1", "6 fields", "for 2 groups"]),
        ("4 2 ds 2 2 3 1\n", &["line 1", "group 2", "at least 3 and at most 1"]),
        ("9 2 ds 2 4 2 4\n", &["line 1", "9 elements", "from 4 to 8"]),
        ("4 2 ds 3 4 3 4\n", &["line 1", "4 elements", "from 6 to 8"]),
        ("4 0 ss\n", &["line 1", "no header"]),
        ("4 2 ss 2 x 2 2\n", &["line 1", "no header"]),
        ("4 99999999999999999999 ss 2 2\n", &["line 1", "no header"]),
        ("70000 1 ss 70000 70000\n", &["line 1", "at most 65535"]),
    ];
    for (input, parts) in cases {
        group(input, &[]).refused(parts);
    }
    group("4 2\n", &["--format", "mdgplib"]).refused(&["line 1", "no header", "ss"]);
}

#[test]
fn pools() {
    let cases: &[(&str, &[&str])] = &[
        (
            "id,deviation,outcomes\na,1,\n",
            &["stdin: line 1", "`rating` is missing"],
        ),
        (
            "id,rating,deviation,outcomes,wait\na,1,1,,-5\n",
            &["line 2", "column wait", "\"a\"", "negative"],
        ),
        (
            "id,rating,deviation,outcomes,wait\na,1,1,,\nb,1,1,,long\n",
            &["line 3", "column wait", "\"b\"", "not a number"],
        ),
        (
            "id,rating,deviation,outcomes,wait\na,1,1,,inf\n",
            &["line 2", "column wait", "infinite"],
        ),
        (
            "id,rating,deviation,outcomes,avoid\na,1,1,,b\n",
            &["line 2", "column avoid", "nobody has the id \"b\""],
        ),
    ];
    for (input, parts) in cases {
        group(input, &["--size", "2"]).refused(parts);
    }
    let weights = ["--size", "1", "--rating-weight", "1000000", "--wait-weight", "0.000001"];
    group(
        "id,rating,deviation,outcomes,wait\na,999999999.123457,1,,0.000001\n",
        &weights,
    )
    .refused(&["--rating-weight", "do not fit"]);
}

/// It said "take smaller weights", and a smaller weight has more decimals, which is what was wrong.
#[test]
fn costs_of_too_many_digits_are_not_blamed_on_large_weights() {
    let pool = "id,rating,deviation,outcomes,wait\na,999999999.123457,1,,3.123457\nb,0,1,,5\n";
    let weigh = |weight: &str| group(pool, &["--size", "2", "--wait-weight", weight]);
    let run = weigh("0.000001");
    run.refused(&["--wait-weight", "fewer decimals"]);
    assert!(!run.stderr.contains("smaller weights"), "{}", run.stderr);
    assert_eq!(weigh("0.1").code, Some(0));
}

#[test]
fn first_lines() {
    group("hello\n", &["--size", "2"]).refused(&["stdin: line 1", "\"hello\"", "n k", "MDGPLIB", "--format"]);
    group("", &["--size", "2"]).refused(&["empty"]);
    for format in ["matrix", "edges", "mdgplib", "csv"] {
        group("", &["--size", "2", "--format", format]).refused(&["empty"]);
    }
}
