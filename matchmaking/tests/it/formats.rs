//! What the graph formats accept.

use serde_json::json;

use crate::support::{file, pair, pair_json, piped, run};

#[test]
fn a_given_format_is_believed() {
    // Two integers on the first line: an edge list unless told otherwise.
    pair("2 1\n0 1 5\n", &["--format", "matrix"]).refused(&["line 1", "2 fields"]);
    assert_eq!(pair_json("2 1\n0 1 5\n", &["--format", "edges"])["cost"]["exact"], "5");
    pair("id,rating,deviation,outcomes\n", &["--format", "dimacs"]).refused(&["line 1", "p edge n m"]);
}

#[test]
fn matrices_forbid_pairs_and_never_read_the_diagonal() {
    let document = pair_json("4\nx - 1 5\n- 7 5 1\n1 5 - 9\n5 1.0 9 0\n", &[]);
    assert_eq!(document["pairs"], json!([[0, 2, 1], [1, 3, 1]]));
    assert_eq!(document["edges"], 5);
}

#[test]
fn matrix_market_kinds() {
    let general =
        "%%matrixmarket MATRIX Coordinate Real General\n% c\n\n4 4 5\n1 2 1.5\n2 1 1.50\n3 4 2\n4 3 2.0\n1 1 9\n";
    let run = pair(general, &["--json"]);
    assert_eq!(run.json()["pairs"], json!([[1, 2, 1.5], [3, 4, 2]]));
    assert!(
        run.stderr
            .contains("1 entry on the diagonal is not used: it is no edge"),
        "{}",
        run.stderr
    );
    let two = pair(
        "%%MatrixMarket matrix coordinate real symmetric\n2 2 3\n1 1 1\n2 2 1\n2 1 1\n",
        &[],
    );
    assert!(two.stderr.contains("2 entries on the diagonal are not used"), "{two:?}");
    let pattern = pair_json(
        "%%MatrixMarket matrix coordinate pattern symmetric\n4 4 3\n2 1\n3 2\n4 3\n",
        &["--objective", "max-weight"],
    );
    assert_eq!(
        (&pattern["pairs"], &pattern["cost"]["exact"]),
        (&json!([[1, 2, 1], [3, 4, 1]]), &json!("2"))
    );
}

#[test]
fn empty_graphs_are_matched_by_nothing() {
    for input in [
        "0 0\n",
        "0\n",
        "p edge 0 0\n",
        "%%MatrixMarket matrix coordinate real general\n0 0 0\n",
    ] {
        for objective in ["min-perfect", "max-perfect", "max-weight", "max-cardinality"] {
            let document = pair_json(input, &["--objective", objective]);
            assert_eq!(
                (&document["status"], &document["cost"]["exact"]),
                (&json!("optimal"), &json!("0")),
                "{input}"
            );
            assert_eq!((&document["pairs"], &document["unmatched"]), (&json!([]), &json!([])));
        }
    }
    let loose = pair_json("3 0\n", &["--objective", "max-weight"]);
    assert_eq!(loose["unmatched"], json!([0, 1, 2]));
    assert_eq!(pair("3 0\n", &[]).code, Some(1));
}

#[test]
fn spaces_tabs_and_a_missing_line_end_are_fine() {
    let (_directory, path) = file("graph", " 2\t1 \r\n\r\n\t1   0\t-2.50");
    let run = run(&["pair", path.to_str().unwrap(), "--json"]);
    assert_eq!(run.json()["pairs"], json!([[0, 1, -2.5]]));
}

#[test]
fn ties_in_size_are_broken_by_weight() {
    // Path 0-1-2-3: two pairs weigh less than the middle one alone.
    let path = "4 3\n0 1 1\n1 2 10\n2 3 1\n";
    assert_eq!(
        pair_json(path, &["--objective", "max-cardinality"])["pairs"],
        json!([[0, 1, 1], [2, 3, 1]])
    );
    assert_eq!(
        pair_json(path, &["--objective", "max-weight"])["pairs"],
        json!([[1, 2, 10]])
    );
    let star = "4 3\n0 1 1\n0 2 10\n0 3 5\n";
    let document = pair_json(star, &["--objective", "max-cardinality"]);
    assert_eq!(
        (&document["pairs"], &document["unmatched"]),
        (&json!([[0, 2, 10]]), &json!([1, 3]))
    );
}

#[test]
fn an_infeasible_graph_names_its_witness_as_the_file_counts() {
    let run = pair("p edge 4 3\ne 1 2 1\ne 1 3 1\ne 1 4 1\n", &[]);
    assert_eq!(run.code, Some(1));
    assert!(run.stdout.contains("only 1 to be paired with: 1\n"), "{}", run.stdout);
    let odd = pair("3 2\n0 1 1\n1 2 1\n", &["--objective", "max-perfect", "--json"]);
    assert_eq!((odd.code, &odd.json()["status"]), (Some(1), &json!("infeasible")));
}

/// Blank lines are passed over without being kept, and count.
#[test]
fn lines_count_from_the_beginning_whatever_is_blank_there() {
    let line = 100_002;
    for (mark, blank) in [("", "\n"), ("\u{feff}", "\r\n"), ("", " \n")] {
        let blank = format!("{mark}{}", blank.repeat(line - 2));
        let place = format!("stdin: line {line}");
        for graph in ["\n2 1 x\n", "\n4 2\n0 9 1\n"] {
            let place = format!("stdin: line {}", line + usize::from(graph.len() > 8));
            pair(format!("{blank}{graph}"), &[]).refused(&[&place]);
        }
        pair(format!("{blank}id,rating\nx\n"), &[]).refused(&[&format!("stdin: line {}", line - 1)]);
        piped(format!("{blank}\nid,skill\nx\n"), &["lobby", "-"]).refused(&[&place, "region"]);
        piped(format!("{blank}\n{{\"players\": 5}}"), &["lobby", "-"]).refused(&[&format!("{place}, column 13")]);
        let model = ["pair", "-", "--model"];
        let (_directory, path) = file("model.json", format!("{blank}\nx"));
        let path = path.to_str().expect("a path in UTF-8");
        piped(
            "id,rating,deviation,outcomes\na,1,1,\nb,1,1,\n",
            &[&model[..], &[path]].concat(),
        )
        .refused(&[&format!("line {line}, column 1:"), "`matchmaking fit -o`"]);
        // It was empty where a mark stood first.
        let round =
            r#"{"players": [{"id": 1, "skill": 5, "region": "EU-W"}, {"id": 2, "skill": 5, "region": "EU-W"}]}"#;
        let read = piped(format!("{blank}{round}"), &["lobby", "-", "--team-size", "1", "--json"]);
        assert_eq!(read.json()["players"], 2, "{read:?}");
    }
}
