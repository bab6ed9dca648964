//! Groups that a closure forbids: people apart, and sizes that are four, five or nobody.

use matching_core::{GroupCost, cost};
use matching_heuristics::{Engine, Groups, Instance, Search};

const SKILL: [i64; 9] = [3, 14, 15, 92, 65, 35, 89, 79, 32];
const APART: [(usize, usize); 4] = [(0, 3), (1, 6), (2, 7), (3, 8)];

/// How far a group's mean is from that of all, in whole points; `None` for sizes and pairs that must not be.
fn judge(group: &[usize]) -> Option<i64> {
    let is_apart = APART.iter().all(|&(i, j)| !(group.contains(&i) && group.contains(&j)));
    let mean = SKILL.iter().sum::<i64>() / 9;
    let off = group.iter().map(|&player| SKILL[player] - mean).sum::<i64>();
    (is_apart && matches!(group.len(), 0 | 4 | 5)).then_some(off.abs())
}

#[test]
fn groups_that_a_closure_forbids_are_in_no_answer() {
    let players = |set: u32| (0..9).filter(|player| set >> player & 1 == 1).collect::<Vec<usize>>();
    let totals = (0..1_u32 << 9).filter_map(|set| Some(judge(&players(set))? + judge(&players(!set))?));
    let least = i128::from(totals.min().expect("some groups are allowed"));

    let judged = cost::from_group_option_fn(9, judge);
    let groups = Groups::with_bounds([0..=5, 0..=5, 0..=5]).expect("bounds");
    let instance = Instance::by_group(&judged, groups).expect("sizes add up");
    for engine in [Engine::Auto, Engine::Annealing, Engine::Tabu] {
        let found = Search::with(&instance, engine)
            .work(200_000)
            .seed(1)
            .run()
            .expect("there are groups");
        assert_eq!(found.cost(), least, "{engine:?}");
        assert_eq!(found.verify(&instance), Ok(()));
        assert!(
            found.groups().iter().all(|group| judged.is_group_allowed(group)),
            "{engine:?}"
        );
    }
}
