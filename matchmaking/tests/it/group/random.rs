//! Random pools with parties and people who avoid each other: every method says the same.

use std::fmt::Write;

use super::{Dice, groups};
use crate::support::{group, group_json};

/// A pool of so many players: some in parties of two, some who avoid another.
fn pool(seed: u64, players: usize) -> String {
    let mut dice = Dice(seed);
    let mut text = "id,rating,deviation,outcomes,wait,party,region,avoid\n".to_owned();
    for player in 0..players {
        let party = match dice.roll(3) {
            0 => format!("party{}", player / 2),
            _ => String::new(),
        };
        // Partners stand next to each other, so these never avoid their own party.
        let mut others: Vec<String> = Vec::new();
        for _ in 0..dice.roll(1 + seed % 4) {
            let avoided = dice.roll(players as u64) as usize;
            if avoided / 2 != player / 2 {
                others.push(format!("p{avoided}"));
            }
        }
        let avoid = others.join("|");
        let (rating, wait, region) = (1000 + dice.roll(1000), dice.roll(120), dice.roll(3));
        writeln!(text, "p{player},{rating},60,,{wait},{party},r{region},{avoid}").expect("a String takes all");
    }
    text
}

#[test]
fn the_exact_method_agrees_with_trying_all_groupings() {
    let mut infeasible = 0;
    for seed in 0..30 {
        let size = ["2", "3", "4"][seed as usize % 3];
        let input = pool(seed, 8 + seed as usize % 3);
        let [tried, proven] =
            ["search", "exact"].map(|method| group(&input, &["--size", size, "--method", method, "--json"]));
        assert_eq!(tried.code, proven.code, "{seed}\n{input}\n{tried:?}\n{proven:?}");
        let [tried, proven] = [tried.json(), proven.json()];
        for key in ["status", "cost", "bound", "gap"] {
            assert_eq!(tried[key], proven[key], "{seed} {key}");
        }
        infeasible += usize::from(tried["status"] == "infeasible");
    }
    assert!((1..15).contains(&infeasible), "{infeasible} of 30");
}

#[test]
fn a_search_is_never_better_than_what_is_proven() {
    for seed in 100..104 {
        let input = pool(seed, 30);
        let proven = group_json(&input, &["--size", "3", "--method", "exact"]);
        assert_eq!(proven["status"], "optimal");
        let best = proven["cost"]["float"].as_f64();
        for engine in ["climb", "annealing"] {
            let found = group_json(&input, &["--size", "3", "--engine", engine, "--work-limit", "3000"]);
            assert!(found["cost"]["float"].as_f64() >= best, "{seed} {engine}");
        }
        assert!(groups(&proven).iter().all(|members| members.len() == 3));
    }
}
