//! Text reports, word by word. `BLESS=1` writes them anew.

use std::fs;
use std::path::Path;

use crate::support::{POOL, pair};

/// Everything but the time on the last line.
fn check(name: &str, input: &str, arguments: &[&str]) {
    let run = pair(input, arguments);
    let text = run.stdout.trim_end();
    let (rest, seconds) = text.rsplit_once(", ").expect("a footer");
    assert!(seconds.ends_with(" s"), "{text}");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/golden").join(name);
    let found = format!("{rest}\n");
    if std::env::var_os("BLESS").is_some() {
        fs::write(&path, &found).expect("a golden file");
    }
    let expected = fs::read_to_string(&path).expect("a golden file");
    assert_eq!(found, expected.replace("\r\n", "\n"), "{name}");
}

#[test]
fn a_pool() {
    check("pool.txt", POOL, &[]);
    check("pool_explained.txt", POOL, &["--explain", "Ann,Cho"]);
    check(
        "pool_odd_skill.txt",
        &format!("{POOL}Gil,1999,50,\n"),
        &["--cost", "skill"],
    );
}

#[test]
fn a_graph() {
    check(
        "graph.txt",
        "4 5\n0 1 3\n1 2 1.5\n2 3 4\n0 3 2.25\n0 2 1\n",
        &["--explain", "0,2"],
    );
    check("infeasible.txt", "p edge 4 3\ne 1 2 1\ne 1 3 1\ne 1 4 1\n", &[]);
}

#[test]
fn several_games() {
    let own = POOL
        .replace("outcomes\n", "outcomes,games_wanted\n")
        .replace("W\n", "W,\n")
        .replace("L\n", "L,\n");
    check(
        "games.txt",
        POOL,
        &["--games", "3", "--cost", "skill", "--explain", "Ann,Dee"],
    );
    check(
        "games_priced.txt",
        &own.replace("Dee,1390,90,", "Dee,1390,90,,1"),
        &["--games", "2..4", "--missing-cost", "0.9"],
    );
    let graph = "6 7\n0 1 3\n1 2 1.5\n2 3 4\n0 3 2.25\n0 2 1\n2 4 5\n2 5 1\n";
    check("games_graph.txt", graph, &["--games", "1..2", "--missing-cost", "2"]);
    check(
        "games_rounds.txt",
        POOL,
        &["--games", "3", "--rounds", "--cost", "skill"],
    );
    check("games_none.txt", graph, &["--games", "2"]);
}
