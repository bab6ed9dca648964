//! Groups of different sizes, and as many of them as are wanted.

use serde_json::{Value, json};

use super::{Brute, Dice, groups, matrix_file, mdgplib_file, total};
use crate::support::{group, group_json, timeless};

const SHIPPED: &str = include_str!("../../../../examples/data/parties.csv");

fn sizes(document: &Value) -> Vec<usize> {
    let mut sizes: Vec<usize> = groups(document).iter().map(Vec::len).collect();
    sizes.sort_unstable();
    sizes
}

/// By both methods, against all groupings.
#[test]
fn groups_of_two_sizes_are_the_best_there_are() {
    for seed in 0..12 {
        let mut dice = Dice(seed);
        let n = 5 + seed as usize % 5;
        let matrix = dice.matrix(n, 30);
        // Bounds of every group, of the bench, and the arguments that say so.
        let (arguments, bounds): (&[&str], Vec<(usize, usize)>) = match seed % 4 {
            0 => (&["--size", "2-3"], vec![(2, 3); n.div_ceil(3)]),
            1 => (&["--size", "1-4", "--groups", "3"], vec![(1, 4); 3]),
            2 => (&["--groups", "2"], vec![(n / 2, n.div_ceil(2)); 2]),
            _ => (&["--size", "2-2", "--groups", "2"], vec![(2, 2); 2]),
        };
        let most: usize = bounds.iter().map(|(_, most)| most).sum();
        let bench = (0, n.saturating_sub(most));
        let brute = Brute {
            bounds: &[bounds.clone(), vec![bench]].concat(),
            cost: &|i, j| Some(matrix[i][j]),
            together: &|_, _| false,
        };
        let best = brute.least(n);
        let input = matrix_file(&n.to_string(), &matrix);
        for method in ["exact", "search", "auto"] {
            let document = group_json(&input, &[arguments, &["--method", method]].concat());
            assert_eq!(total(&document), best, "{seed} {method}\n{input}{document}");
            let sizes = sizes(&document);
            let waiting = document["waiting"].as_array().map_or(0, Vec::len);
            assert_eq!((sizes.len(), waiting), (bounds.len(), bench.1), "{document}");
            assert!(
                sizes.iter().all(|size| (bounds[0].0..=bounds[0].1).contains(size)),
                "{document}"
            );
        }
    }
}

#[test]
fn nobody_of_the_shipped_pool_waits_where_sizes_may_differ() {
    let document = group_json(SHIPPED, &["--size", "5-6"]);
    assert_eq!(document["status"], "optimal");
    assert_eq!(document["waiting"], json!([]));
    assert_eq!(sizes(&document), [5, 5, 5, 5, 6, 6, 6, 6, 6]);
    let even = group_json(
        SHIPPED,
        &["--groups", "7", "--method", "search", "--work-limit", "100000"],
    );
    assert_eq!(sizes(&even), [7, 7, 7, 7, 7, 7, 8]);
    // Who is left over when all are full waits.
    let few = [
        "--size",
        "3-4",
        "--groups",
        "2",
        "--method",
        "search",
        "--work-limit",
        "100000",
    ];
    let few = group_json(SHIPPED, &few);
    assert_eq!(sizes(&few), [4, 4]);
    assert_eq!(few["waiting"].as_array().map(Vec::len), Some(42));
}

#[test]
fn one_size_may_be_said_twice() {
    let once = group_json(SHIPPED, &["--size", "6", "--work-limit", "200000"]);
    for again in [&["--size", "6-6"][..], &["--size", "6", "--groups", "8"]] {
        let again = group_json(SHIPPED, &[again, &["--work-limit", "200000"]].concat());
        assert_eq!(timeless(again), timeless(once.clone()));
    }
}

#[test]
fn a_player_cannot_be_put_where_a_group_would_be_too_large() {
    let input = "id,rating,pin\na,1,1\nb,2,1\nc,3,1\nd,4,\ne,5,\n";
    group(input, &["--groups", "3"]).refused(&["pin"]);
    let document = group_json(input, &["--size", "1-3", "--groups", "3"]);
    assert_eq!(sizes(&document), [1, 1, 3]);
}

#[test]
fn too_few_players_for_so_many_groups_are_counted() {
    let input = "id,rating\na,1\nb,2\nc,3\nd,4\ne,5\n";
    let run = group(input, &["--size", "2-4", "--groups", "3"]);
    assert_eq!(run.code, Some(1));
    assert!(
        run.stdout.contains("infeasible: 5 players, and 3 groups of 2 have 6"),
        "{run:?}"
    );
    let document = group(input, &["--groups", "7", "--json"]).json();
    let witness = json!({"kind": "too-few-players", "parties": [], "most": 1, "needed": 7});
    assert_eq!(document["witness"], witness);
    let document = group(input, &["--size", "6-8", "--json"]).json();
    assert_eq!(
        document["witness"],
        json!({"kind": "too-few-players", "parties": [], "most": 6})
    );
}

#[test]
fn what_the_file_says_of_groups_cannot_be_otherwise() {
    let matrix = Dice(1).matrix(6, 9);
    let stated = matrix_file("6 3", &matrix);
    group(&stated, &["--size", "2-3"]).refused(&["--size: 2-3", "says 3"]);
    group(&stated, &["--groups", "3"]).refused(&["--groups: 3", "there are 2"]);
    assert_eq!(group(&stated, &["--size", "3-3", "--groups", "2"]).code, Some(0));
    // Too few players for one group are what is wrong, and not that one was asked for.
    let run = group("2 5\n0 1\n1 0\n", &["--groups", "1"]);
    assert!(run.stdout.contains("2 players, and a group has 5"), "{run:?}");
    let different = mdgplib_file("6 2 ds 2 4 2 4", &matrix);
    group(&different, &["--groups", "1"]).refused(&["--groups: 1", "there are 2"]);
    group(&different, &["--size", "3-4"]).refused(&["--size: 3-4", "group of 2 to 4"]);
    assert_eq!(group(&different, &["--size", "2-4", "--groups", "2"]).code, Some(0));
}

#[test]
fn sizes_that_are_none_are_refused() {
    let input = "id,rating\na,1\nb,2\n";
    for (size, said) in [
        ("0", "not a whole number from 1"),
        ("2..3", "like 4-6"),
        ("3-2", "write the smaller number first, 2-3"),
        ("-2", "not a whole number from 1"),
    ] {
        group(input, &["--size", size]).refused(&["--size", said]);
    }
    group(input, &["--groups", "0"]).refused(&["--groups", "from 1"]);
    group(input, &[]).refused(&["--size: stdin does not say", "--groups"]);
}
