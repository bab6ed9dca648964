//! Everything that can be wrong with a graph file: exit code 2, and a message with the line.

use crate::support::pair;

#[test]
fn edge_lists() {
    let cases: &[(&str, &[&str])] = &[
        ("4 2\n0 1 1\n", &["line 3", "ends after 1 of 2 edges"]),
        ("4 1\n0 1 1\n2 3 1\n", &["line 3", "after all 1 edges"]),
        ("4 1\n0 1 1\n\nend\n", &["line 4", "\"end\""]),
        ("4 1\n0 4 1\n", &["line 2", "no vertex 4", "counts from 0", "0 to 3"]),
        ("4 1\n-1 2 1\n", &["line 2", "\"-1\" is no vertex"]),
        ("4 1\n1.0 2 1\n", &["line 2", "\"1.0\" is no vertex"]),
        ("4 1\n2 2 1\n", &["line 2", "from vertex 2 to itself"]),
        (
            "4 3\n0 1 1\n2 3 1\n1 0 5\n",
            &["line 4", "second edge between 0 and 1", "line 2"],
        ),
        ("4 2\n\n0 1 1\n\n1 0 5\n", &["line 5", "line 3"]),
        ("4 1\n0 1\n", &["line 2", "2 fields", "u v w"]),
        ("4 1\n0 1 1 1\n", &["line 2", "4 fields"]),
        ("4 1\n0 1 abc\n", &["line 2", "\"abc\" is no weight"]),
        ("4 1\n0 1 NaN\n", &["line 2", "\"NaN\" is no weight"]),
        ("4 1\n0 1 inf\n", &["line 2", "is no weight"]),
        ("4 1\n0 1 1,5\n", &["line 2", "is no weight"]),
        ("4 1\n0 1 1e400\n", &["line 2", "does not fit"]),
        ("4 2\n0 1 1e-30\n2 3 1e30\n", &["line 3", "does not fit"]),
        ("0 1\n0 1 1\n", &["line 2", "graph without vertices"]),
        ("99999999999999999999 1\n0 1 1\n", &["line 1", "at most 50000000"]),
        ("4000000000 0\n", &["line 1", "at most 50000000"]),
        (
            "4 99999999999999999\n0 1 1\n",
            &["line 3", "ends after 1 of 99999999999999999"],
        ),
    ];
    for (input, parts) in cases {
        pair(input, &["--json"]).refused(parts);
    }
    pair("4\n0 1 1\n", &["--format", "edges"]).refused(&["line 1", "1 field", "n m"]);
    pair("x y\n", &["--format", "edges"]).refused(&["line 1", "\"x y\" is no header"]);
    pair("-4 2\n", &["--format", "edges"]).refused(&["line 1", "no header"]);
    pair("", &["--format", "edges"]).refused(&["empty"]);
}

#[test]
fn dimacs() {
    let cases: &[(&str, &[&str])] = &[
        ("c only comments\n", &["empty", "p edge n m"]),
        ("p col 4 1\ne 1 2 1\n", &["line 1", "p edge n m"]),
        ("p edge 4\n", &["line 1", "3 fields"]),
        (
            "c x\np edge 4 1\ne 0 1 1\n",
            &["line 3", "no vertex 0", "counts from 1", "1 to 4"],
        ),
        ("p edge 4 1\ne 1 5 1\n", &["line 2", "no vertex 5"]),
        ("p edge 4 1\na 1 2 1\n", &["line 2", "e u v w"]),
        ("p edge 4 1\ne 1 2\n", &["line 2", "3 fields", "e u v w"]),
        (
            "p edge 4 2\ne 1 2 1\nc between\ne 2 1 1\n",
            &["line 4", "between 1 and 2", "line 2"],
        ),
        (
            "p edge 4 1\ne 1 2 1\nc fine\ne 3 4 1\n",
            &["line 4", "after all 1 edges"],
        ),
        ("p edge 4 2\ne 1 2 1\n", &["line 3", "ends after 1 of 2 edges"]),
    ];
    for (input, parts) in cases {
        pair(input, &[]).refused(parts);
    }
}

#[test]
fn matrices() {
    let cases: &[(&str, &[&str])] = &[
        ("2\n0 1\n", &["line 3", "ends after 1 of 2 rows"]),
        ("2\n0 1\n1 0\n5\n", &["line 4", "after all 2 rows"]),
        ("2\n0 1\n1\n", &["line 3", "1 field", "2 entries"]),
        ("2\n0 1 2\n1 0\n", &["line 2", "3 fields"]),
        (
            "3\n0 1 2\n1 0 3\n2 4 0\n",
            &["line 4", "entry (2, 1) is 4", "entry (1, 2) is 3"],
        ),
        ("2\n0 1\n- 0\n", &["line 3", "entry (1, 0) is -", "entry (0, 1) is 1"]),
        ("2\n0 x\nx 0\n", &["line 2", "\"x\" is no weight"]),
        ("70000\n", &["line 1", "at most 65535"]),
    ];
    for (input, parts) in cases {
        pair(input, &[]).refused(parts);
    }
}

#[test]
fn matrix_market() {
    let with_banner = |kind: &str, rest: &str| format!("%%MatrixMarket matrix {kind}\n{rest}");
    let cases: &[(&str, &str, &[&str])] = &[
        (
            "array real general",
            "2 2\n",
            &["line 1", "\"array\" is not accepted", "coordinate"],
        ),
        ("coordinate complex general", "", &["\"complex\" is not accepted"]),
        (
            "coordinate real skew-symmetric",
            "",
            &["\"skew-symmetric\" is not accepted"],
        ),
        ("coordinate real", "", &["line 1", "no header"]),
        ("coordinate real symmetric", "", &["empty", "n n entries"]),
        (
            "coordinate real symmetric",
            "2 3 1\n",
            &["line 2", "2 rows and 3 columns"],
        ),
        (
            "coordinate real symmetric",
            "2 2 1\n0 1 1\n",
            &["line 3", "counts from 1"],
        ),
        (
            "coordinate real symmetric",
            "2 2 1\n2 1\n",
            &["line 3", "2 fields", "i j w"],
        ),
        // They were taken as if the file said `real`.
        (
            "coordinate integer symmetric",
            "3 3 2\n2 1 -4\n3 1 1.5\n",
            &["line 4", "\"1.5\" is no integer", "`real`"],
        ),
        (
            "coordinate integer general",
            "2 2 2\n2 1 1e2\n1 2 1e2\n",
            &["line 3", "\"1e2\" is no integer"],
        ),
        (
            "coordinate integer symmetric",
            "2 2 1\n2 1 x\n",
            &["line 3", "\"x\" is no weight"],
        ),
        (
            "coordinate pattern symmetric",
            "2 2 1\n2 1 7\n",
            &["line 3", "3 fields", "i j"],
        ),
        (
            "coordinate real symmetric",
            "2 2 2\n2 1 1\n% x\n1 2 1\n",
            &["line 5", "between 1 and 2", "line 3"],
        ),
        (
            "coordinate real general",
            "2 2 1\n2 1 1\n",
            &["line 3", "without its mirror"],
        ),
        (
            "coordinate real general",
            "2 2 2\n2 1 1\n1 2 3\n",
            &["line 4", "entry (1, 2) is 3", "(2, 1) is 1"],
        ),
        (
            "coordinate real general",
            "2 2 2\n2 1 1\n2 1 1\n",
            &["line 4", "second edge"],
        ),
        (
            "coordinate real general",
            "2 2 3\n2 1 1\n1 2 1\n1 2 1\n",
            &["line 5", "second edge", "line 4"],
        ),
        (
            "coordinate integer symmetric",
            "2 2 2\n2 1 1\n",
            &["line 4", "ends after 1 of 2 entries"],
        ),
        (
            "coordinate integer symmetric",
            "2 2 0\n2 1 1\n",
            &["line 3", "after all 0 entries"],
        ),
    ];
    for (kind, rest, parts) in cases {
        pair(with_banner(kind, rest), &[]).refused(parts);
    }
    pair("%%MatrixMarket vector coordinate real general\n", &[]).refused(&["\"vector\""]);
}

/// Whoever divided all weights, as he was told, had more decimals and was refused for these.
#[test]
fn weights_that_are_too_large_are_divided_and_rounded() {
    let graph = |weights: [&str; 3]| {
        let [a, b, c] = weights;
        let input = format!("3 3\n0 1 {a}\n0 2 {b}\n1 2 {c}\n");
        pair(&input, &["--objective", "max-weight"])
    };
    let advice = "divide them all by 2^9 or more, and round them to as many decimals as they have now";
    graph(["1e33", "1e-5", "3"]).refused(&[advice]);
    graph(["1.953125e30", "1.953125e-8", "0.005859375"]).refused(&["does not fit"]);
    let run = graph(["1.953125e30", "0", "0.00586"]);
    assert_eq!(run.code, Some(0), "{run:?}");
}
