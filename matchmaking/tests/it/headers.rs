//! The line of a header, wherever it stands, and what it lacks.

use crate::support::{Run, piped};

/// A subcommand that reads from stdin, a header that will do, and a column that it needs.
const READERS: [(&[&str], &str, &str); 7] = [
    (&["pair", "-"], "id,rating,deviation,outcomes", "deviation"),
    (&["pair", "-", "--cost", "skill"], "id,rating", "rating"),
    (&["group", "-", "--size", "2"], "id,rating", "rating"),
    (&["lobby", "-"], "id,skill,region", "skill"),
    (&["online", "-", "--policy", "greedy"], "time,criterion", "criterion"),
    (&["fit", "-"], "time,player_a,player_b,score_a,score_b", "score_a"),
    (
        &["advise", "--team-size", "3", "--alpha", "1", "--ratings", "-"],
        "id,rating",
        "rating",
    ),
];

/// What goes before the header, and the line that the header is on then.
const BEFORE: [(&str, u64); 4] = [("", 1), ("\n", 2), ("\r\n  \r\n", 3), ("\u{feff}\n\n\n", 4)];

fn refused(run: &Run, line: u64, about: &str) {
    run.refused(&[&format!("stdin: line {line}"), about]);
}

/// They were always said to be on line 1.
#[test]
fn what_is_wrong_with_a_header_has_its_line() {
    for (arguments, header, column) in READERS {
        for (before, line) in BEFORE {
            let missing = header.replace(column, "other");
            refused(&piped(format!("{before}{missing}\n"), arguments), line, column);
            let twice = format!("{header},{column}");
            refused(&piped(format!("{before}{twice}\n"), arguments), line, "appears twice");
            // Any byte may stand in a column of `advise` that is not the rating.
            if arguments[0] != "advise" {
                let damaged = [before.as_bytes(), header.as_bytes(), b",x\xff\n"].concat();
                refused(&piped(damaged, arguments), line, "not UTF-8");
            }
        }
    }
}

/// `ID,RATING` was said to lack a column `id`, and no more.
#[test]
fn a_name_in_capitals_is_shown() {
    for (arguments, header, column) in READERS {
        let capitals = column.to_uppercase();
        let text = format!("\n{}\n", header.replace(column, &capitals));
        let run = piped(text, arguments);
        run.refused(&["stdin: line 2", column, &capitals]);
    }
    // One that nobody needs is another column.
    let run = piped("id,rating,Party\na,1,x\nb,2,x\n", &["pair", "-", "--cost", "skill"]);
    assert_eq!(run.code, Some(0), "{run:?}");
    assert!(run.stderr.contains("Party"), "{run:?}");
}

/// What spreadsheets write where decimals have commas was no format, or had a column missing; of what they call Unicode, the header of
/// ratings was shown with its zeros.
#[test]
fn other_separators_and_encodings_are_named() {
    for (arguments, header, _) in READERS {
        for (separator, name) in [(";", "semicolons"), ("\t", "tabs")] {
            let text = format!("{}\n", header.replace(',', separator));
            for (before, line) in BEFORE {
                let about = format!("{name} where commas should separate");
                refused(&piped(format!("{before}{text}"), arguments), line, &about);
            }
        }
        let wide: Vec<u8> = header.encode_utf16().flat_map(u16::to_le_bytes).collect();
        refused(&piped([&b"\xff\xfe"[..], &wide].concat(), arguments), 1, "not UTF-8");
    }
    // One column is enough for ratings, and others may have names in any encoding.
    let run = piped(
        b"na\xefve;x,rating\na,1500\nb,1400\n",
        &[
            "advise",
            "--team-size",
            "1",
            "--alpha",
            "1",
            "--ratings",
            "-",
            "--bands",
            "1",
        ],
    );
    assert_eq!(run.code, Some(0), "{run:?}");
}

/// Spreadsheets write lines that end with commas: a second one was a column that appears twice.
#[test]
fn columns_that_nobody_asks_for_may_share_a_name_or_have_none() {
    let warned = |arguments: &[&str], text: &str, warnings: usize| {
        let run = piped(text, arguments);
        assert_eq!(
            (run.code, run.stderr.lines().count()),
            (Some(0), warnings),
            "{}",
            run.stderr
        );
        assert!(
            run.stderr.contains("a column without a name is not used"),
            "{}",
            run.stderr
        );
    };
    let pool = "id,rating,deviation,outcomes,,mood,mood,\na,1,1,,,x,,\nb,2,1,,,,y,\n";
    warned(&["pair", "-"], pool, 2);
    warned(
        &["lobby", "-", "--team-size", "1"],
        "id,skill,region,,\na,1,SA,,\nb,2,SA,,\n",
        1,
    );
    warned(
        &["online", "-", "--policy", "greedy"],
        "time,,criterion,\n0,,0.5,\n1,,0.5,\n",
        1,
    );
}

#[test]
fn a_header_alone_has_its_line() {
    let alone = ["pair", "group", "online", "advise"];
    for (arguments, header, _) in READERS.into_iter().filter(|reader| alone.contains(&reader.0[0])) {
        for (before, line) in BEFORE {
            let run = piped(format!("{before}{header}\n"), arguments);
            refused(&run, line, "there is a header and no");
        }
    }
}

#[test]
fn a_first_line_of_no_format_has_its_line() {
    for (before, line) in BEFORE {
        for arguments in [&["pair", "-"][..], &["group", "-", "--size", "2"]] {
            let run = piped(format!("{before}hello\n"), arguments);
            refused(&run, line, "cannot tell the format from \"hello\"");
        }
    }
}

/// Names of columns were repeated as they are: what moves the cursor did so, and a long one hid the rest of the message.
#[test]
fn a_name_of_a_column_moves_no_cursor() {
    let readers: [(&[&str], &str, &str); 4] = [
        (&["pair", "-"], "id,rating,deviation,outcomes", "a,1,1,W"),
        (
            &["group", "-", "--size", "2"],
            "id,rating,deviation,outcomes",
            "a,1,1,W",
        ),
        (&["lobby", "-"], "id,skill,region", "a,1,SA"),
        (&["online", "-", "--policy", "greedy"], "time,criterion", "1,0.5"),
    ];
    let long = "x".repeat(70_000);
    for (arguments, header, row) in readers {
        for (name, said) in [("\u{1b}[2K", r"criterion\u{1b}[2K: not UTF-8"), (&long, "criterionxxx")] {
            let text = [format!("{header},criterion{name}\n{row},").as_bytes(), b"\xff\n"].concat();
            let run = piped(text, arguments);
            refused(&run, 2, said);
            assert!(run.stderr.len() < 300, "{}", run.stderr.len());
        }
    }
    let run = piped("time,criterion\0\n1,2\n", readers[3].0);
    refused(&run, 2, r"column criterion\u{0}: ");
}

/// It was said that a comma is missing.
#[test]
fn an_open_quote_has_its_line() {
    for (arguments, header, _) in READERS {
        for (before, line) in BEFORE {
            let text = format!("{before}{header}\n\n\"a,1,1,1,1\nb,1,1,1,1\n");
            refused(&piped(text, arguments), line + 2, "a quote opens a field");
        }
    }
}

/// They were read to their end, however far that was, into several times as much memory.
#[test]
fn a_line_without_end_is_refused_where_that_shows() {
    let zeros = vec![0; 17 << 20];
    for (arguments, header, _) in READERS {
        let body = [format!("{header}\n\n").as_bytes(), &zeros].concat();
        refused(&piped(body, arguments), 3, "does not end within 16777216 bytes");
        if !["pair", "group"].contains(&arguments[0]) {
            refused(&piped(&zeros, arguments), 1, "does not end within 16777216 bytes");
        }
    }
    for (arguments, header) in [(&["pair", "-"][..], "2 1"), (&["group", "-", "--size", "2"], "4")] {
        let body = [format!("{header}\n").as_bytes(), &zeros].concat();
        refused(&piped(body, arguments), 2, "no end of the line within 16777216 bytes");
    }
}

/// A rating of any length was repeated as a whole.
#[test]
fn what_is_repeated_is_short() {
    let long = "x".repeat(70_000);
    let advise = ["advise", "--team-size", "3", "--alpha", "1", "--ratings", "-"];
    for text in [format!("id,rating\na,{long}\n"), format!("id,{long}\na,1\n")] {
        let run = piped(text, &advise);
        refused(&run, if run.stderr.contains("missing") { 1 } else { 2 }, "characters)");
        assert!(run.stderr.len() < 300, "{}", run.stderr.len());
    }
}
