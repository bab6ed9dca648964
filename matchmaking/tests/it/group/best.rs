//! Small instances, whose best groups are found by trying all.

use serde_json::Value;

use super::{Brute, Dice, groups, matrix_file, mdgplib_file, total};
use crate::support::group_json;

fn least(n: usize, bounds: &[(usize, usize)], cost: &dyn Fn(usize, usize) -> Option<i64>) -> Option<i64> {
    let together = &|_, _| false;
    Brute { bounds, cost, together }.least(n)
}

#[test]
fn an_mdgplib_instance_of_equal_sizes_is_grouped_best() {
    let matrix = Dice(1).matrix(10, 100);
    let best = least(10, &[(5, 5), (5, 5), (0, 0)], &|i, j| Some(-matrix[i][j])).map(|least| -least);
    let document = group_json(mdgplib_file("10 2 ss 5 5 5 5 ", &matrix), &[]);
    assert_eq!((total(&document), &document["objective"]), (best, &"maximize".into()));
    assert_eq!(
        (&document["format"], &document["scale"]),
        (&"mdgplib".into(), &1.into())
    );
    assert!(groups(&document).iter().all(|members| members.len() == 5));
}

#[test]
fn an_mdgplib_instance_of_different_sizes_is_grouped_best() {
    let matrix = Dice(2).matrix(9, 100);
    let bounds = [(2, 3), (2, 5), (1, 4), (0, 0)];
    let best = least(9, &bounds, &|i, j| Some(-matrix[i][j])).map(|least| -least);
    let document = group_json(mdgplib_file("9 3 ds 2 3 2 5 1 4", &matrix), &[]);
    assert_eq!(total(&document), best);
    for (members, (least, most)) in groups(&document).iter().zip(bounds) {
        assert!((least..=most).contains(&members.len()), "{document}");
    }
}

#[test]
fn a_matrix_with_forbidden_pairs_and_players_left_over_is_grouped_best() {
    let matrix = Dice(3).matrix(8, 50);
    let is_forbidden = |i: usize, j: usize| (i + j).is_multiple_of(5);
    let rows: Vec<String> = (0..8)
        .map(|i| {
            let entry = |j| match is_forbidden(i, j) && i != j {
                true => "-".to_owned(),
                false => matrix[i][j].to_string(),
            };
            (0..8).map(entry).collect::<Vec<_>>().join(" ")
        })
        .collect();
    let cost = |i: usize, j: usize| (!is_forbidden(i, j)).then_some(matrix[i][j]);
    let best = least(8, &[(3, 3), (3, 3), (0, 2)], &cost);
    let document = group_json(format!("8 3\n{}\n", rows.join("\n")), &[]);
    assert_eq!((total(&document), &document["objective"]), (best, &"minimize".into()));
    assert_eq!(document["waiting"].as_array().map(Vec::len), Some(2));
}

#[test]
fn every_engine_finds_the_best_groups_of_a_small_instance() {
    let matrix = Dice(4).matrix(9, 1000);
    let best = least(9, &[(3, 3), (3, 3), (3, 3), (0, 0)], &|i, j| Some(matrix[i][j]));
    let file = matrix_file("9 3", &matrix);
    for engine in ["auto", "climb", "cached-climb", "annealing", "population"] {
        let document = group_json(&file, &["--engine", engine]);
        assert_eq!(total(&document), best, "{engine}");
        if engine != "auto" {
            assert_eq!(document["engine"], engine);
        }
    }
}

#[test]
fn groups_cost_what_their_pairs_cost() {
    let matrix = Dice(5).matrix(30, 100);
    let document = group_json(
        mdgplib_file("30 5 ss 6 6 6 6 6 6 6 6 6 6", &matrix),
        &["--work-limit", "100000"],
    );
    let mut sum = 0;
    for (group, members) in document["groups"]
        .as_array()
        .into_iter()
        .flatten()
        .zip(groups(&document))
    {
        let members: Vec<usize> = members.iter().filter_map(|id| id.parse().ok()).collect();
        let pairs = members.iter().flat_map(|&i| members.iter().map(move |&j| (i, j)));
        let value: i64 = pairs.filter(|(i, j)| i < j).map(|(i, j)| matrix[i][j]).sum();
        assert_eq!(group["cost"], Value::from(value));
        sum += value;
    }
    assert_eq!(total(&document), Some(sum));
}
