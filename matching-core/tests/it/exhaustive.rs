//! Every small graph, in a form short enough for every build; the full run is the example `exhaustive`.

use crate::small::{SubsetTable, random, ternary, ternary_count};

#[test]
fn all_ternary_graphs_on_up_to_four_vertices_and_some_on_five_and_six() {
    let mut table = SubsetTable::default();
    for (n, step) in [(0, 1), (1, 1), (2, 1), (3, 1), (4, 1), (5, 7), (6, 997)] {
        for number in (0..ternary_count(n)).step_by(step) {
            ternary(n, number).check(&mut table).unwrap();
        }
    }
}

#[test]
fn random_graphs_on_up_to_ten_vertices() {
    let mut table = SubsetTable::default();
    for number in 0..20_000 {
        random(number).check(&mut table).unwrap();
    }
}
