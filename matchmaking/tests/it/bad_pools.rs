//! Everything that can be wrong with a CSV pool: exit code 2, and a message with file, line and field.

use crate::support::{file, pair, piped, run};

const HEADER: &str = "id,rating,deviation,outcomes";

#[test]
fn each_mistake_is_named() {
    let many = format!(
        "{HEADER}\n{}",
        (0..65_536).map(|i| format!("p{i},1,1,\n")).collect::<String>()
    );
    let cases: &[(&str, &[&str])] = &[
        (
            "id,rating,outcomes\n",
            &["stdin: line 1", "column `deviation` is missing"],
        ),
        (
            "name,rating,deviation,outcomes\nx,1,1,\n",
            &["line 1", "column `id` is missing"],
        ),
        (
            "id,rating,deviation,outcomes,rating\n",
            &["line 1", "\"rating\" appears twice", "2 and 5"],
        ),
        ("id,rating,deviation,outcomes\n", &["no player"]),
        (
            "id,rating,deviation,outcomes\na,1,1,\na,2,1,\n",
            &["line 3", "column id", "\"a\"", "line 2"],
        ),
        (
            "id,rating,deviation,outcomes\r\na,1,1,\r\n\r\nb,x,1,\r\n",
            &["line 4", "column rating", "\"b\""],
        ),
        // A CR that no LF follows ends lines, too, and was not counted.
        (
            "id,rating,deviation,outcomes\rAnn,1500,50,W\rBen,1400,50,x\r",
            &["line 3", "column outcomes", "\"Ben\""],
        ),
        (
            "id,rating,deviation,outcomes\n\nAnn,x,50,W\rBen,1400,50,\nCho,1,1,x\n",
            &["line 3", "column rating", "\"Ann\""],
        ),
        (
            "id,rating,deviation,outcomes,hours\na,1,1,WW,5;;0.5\n",
            &["line 2", "column hours", "\"a\"", "\"\""],
        ),
        // Those that no outcome belongs to were passed over in silence, whichever game they had been meant for.
        (
            "id,rating,deviation,outcomes,hours\na,1,1,WW,5;0.5\nb,1,1,WL,9;5;0.5\n",
            &[
                "line 3",
                "column hours",
                "\"b\"",
                "3 numbers for 2 outcomes",
                "newest game last",
            ],
        ),
        (
            "id,rating,deviation,outcomes,hours\na,1,1,,5\n",
            &["line 2", "column hours", "\"a\"", "1 number for 0 outcomes"],
        ),
        (
            "id,rating,deviation,outcomes\na,NaN,1,\n",
            &["line 2", "column rating", "\"a\"", "NaN"],
        ),
        (
            "id,rating,deviation,outcomes\na,-inf,1,\n",
            &["line 2", "column rating", "infinite"],
        ),
        // Said as they are written: they were `inf` and a row of zeros.
        (
            "id,rating,deviation,outcomes\na,1e400,1,\n",
            &["line 2", "column rating", "\"1e400\" is infinite"],
        ),
        (
            "id,rating,deviation,outcomes\na,1,1e300,\n",
            &["line 2", "column deviation", "\"1e300\" is too large"],
        ),
        (
            "id,rating,deviation,outcomes\na,,1,\n",
            &["line 2", "column rating", "not a number"],
        ),
        (
            "id,rating,deviation,outcomes\na,1,-0.5,\n",
            &["line 2", "column deviation", "negative"],
        ),
        (
            "id,rating,deviation,outcomes\na,1,1,WLW\nb,1,1,WxL\n",
            &["line 3", "\"b\"", "'x' at position 2"],
        ),
        (
            "id,rating,deviation,outcomes\na,1,1,wld\n",
            &["'w' at position 1", "W, D or L"],
        ),
        (
            "id,rating,deviation,outcomes\na,1,1,\nb,1",
            &["line 3", "2 fields", "header has 4"],
        ),
        (
            "id,rating,deviation,outcomes\na,1,1,,\n",
            &["line 2", "5 fields", "header has 4"],
        ),
        (
            "id,rating,deviation,outcomes\n\"a,1,1,\nb,1,1,\n",
            &["line 2: a quote opens a field"],
        ),
        (
            "id,rating,deviation,outcomes,games_1d\na,1,1,,2.5\n",
            &["line 2", "games_1d", "whole number"],
        ),
        (
            "id,rating,deviation,outcomes,games_8h,games_1d,games_1w,games_1m\na,1,1,,0,0,0,0\nb,1,1,,5,,3,\n",
            &["line 3, column games_8h, player \"b\": 5 games, and 3 in column games_1w"],
        ),
        (
            "id,rating,deviation,outcomes,avoid\na,1,1,,zed\n",
            &["line 2", "column avoid", "\"zed\""],
        ),
        (&many, &["line 65537", "more than 65535 players"]),
    ];
    for (input, parts) in cases {
        pair(input, &["--json"]).refused(parts);
    }
}

#[test]
fn bytes_that_are_no_text_are_refused() {
    pair(b"id,rating,deviation,outcomes\nb\xffd,1,1,\n", &[]).refused(&["line 2", "column id", "UTF-8"]);
    pair(b"id,ra\xffting,deviation,outcomes\n", &[]).refused(&["line 1", "column 2", "UTF-8"]);
    pair([0u8; 4096], &[]).refused(&["cannot tell the format"]);
    // UTF-16, as some programs save text: its bytes were shown as what no format begins with.
    for utf16 in [
        &b"\xff\xfei\0d\0"[..],
        b"\xff\xfe4\0 \x002\0\n\0",
        b"\xfe\xff\x004\0 \x002\0\n",
    ] {
        pair(utf16, &[]).refused(&["stdin: line 1: not UTF-8; save the file as UTF-8"]);
    }
}

#[test]
fn files_that_are_none_are_refused() {
    run(&["pair", "/no/such/file.csv"]).refused(&["/no/such/file.csv", "No such file"]);
    let (directory, path) = file("empty.csv", "");
    let folder = directory.path().to_str().unwrap();
    run(&["pair", folder]).refused(&[folder, "is a directory"]);
    run(&["pair", path.to_str().unwrap()]).refused(&["empty.csv", "the file is empty; it needs a pool", "or a graph"]);
    pair("\u{feff}", &[]).refused(&["the file is empty"]);
    pair("\n\n  \n", &[]).refused(&["the file is empty"]);
    pair("hello world\n", &[]).refused(&["line 1", "cannot tell the format", "hello world", "--format"]);
}

#[test]
fn messages_name_the_file() {
    let (_directory, path) = file("bad.csv", "id,rating,deviation,outcomes\na,x,1,\n");
    run(&["pair", path.to_str().unwrap()])
        .refused(&["bad.csv: line 2, column rating, player \"a\": \"x\" is not a number"]);
}

/// They stood there whole, thousands of characters before what is wrong with them.
#[test]
fn long_ids_keep_their_ends_in_messages() {
    let id = format!("Ann{}Ben", "x".repeat(5000));
    let short = "xBen\" (5006 characters)";
    let twice = format!("{HEADER}\n{id},1,1,\n{id},2,1,\n");
    let run = pair(&twice, &[]);
    run.refused(&[
        "stdin: line 3, column id: player \"Annx",
        short,
        "is there already (line 2)",
    ]);
    assert!(run.stderr.len() < 250, "{}", run.stderr);
    pair(format!("{HEADER}\n{id},{id},1,\n"), &[]).refused(&["line 2, column rating, player \"Annx", short]);
    pair(format!("{HEADER},avoid\na,1,1,,{id}\n"), &[]).refused(&["player \"a\"", "nobody has the id \"Annx", short]);
    pair(format!("{HEADER}\na,1,1,\n"), &["--explain", &format!("a,{id}")]).refused(&["no id of the input", short]);
    let lobby = format!("id,skill,region\n{id},1,SA\n{id},1,SA\n");
    piped(lobby, &["lobby", "-"]).refused(&["line 3, field id: player \"Annx", short]);
    let party = format!("id,skill,region,party\n{id},1,SA,x\nb,1,SA,x\n");
    let infeasible = piped(party, &["lobby", "-", "--team-size", "1"]);
    assert!(
        infeasible.code == Some(1) && infeasible.stdout.len() < 500,
        "{}",
        infeasible.stdout
    );
    assert!(infeasible.stdout.contains("xBen,"), "{}", infeasible.stdout);
    let unknown = pair(format!("{HEADER},{id}\na,1,1,,\n"), &[]);
    assert!(
        unknown.stderr.contains("column \"Annx") && unknown.stderr.contains(short),
        "{}",
        unknown.stderr
    );
}

#[test]
fn a_line_without_end_is_no_trap() {
    let mut input = format!("{HEADER}\n").into_bytes();
    input.resize(3_000_000, b'x');
    pair(&input, &[]).refused(&["line 2", "1 field"]);
    pair(vec![b'7'; 3_000_000], &[]).refused(&["vertices; at most"]);
    pair(vec![b'\n'; 3_000_000], &[]).refused(&["the file is empty"]);
}
