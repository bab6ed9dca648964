//! Kept costs of groups, against what a recount gives.

use std::sync::Arc;

use matching_core::cost::Pairwise;
use matching_core::{Cost, GroupBound, GroupCost, cost};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::{Asked, Failure, Whole};
use crate::change::Change;
use crate::groups::Groups;
use crate::layout::Layout;
use crate::moves::{Proposer, movable_of};
use crate::neighbourhood::{self, Sets, Step};
use crate::packing::Shape;
use crate::partition::{Exchange, Partition};
use crate::score::Score;
use crate::state::State;

fn layout(rng: &mut ChaCha8Rng) -> Arc<Layout> {
    let bounds = [4..=4, 3..=6, 5..=5, 0..=6, 4..=6];
    let groups = Groups::with_bounds(bounds)
        .expect("bounds")
        .with_bench(rng.random_range(0..=6));
    let parties = [vec![0, 1], vec![2, 3, 4], vec![5, 6], vec![7, 8, 9, 10], vec![11, 12]];
    Arc::new(Layout::new(24, &groups, &parties, &[(0, 1), (20, 3)]).expect("a layout"))
}

/// Tenths, which floats do not hold exactly: their sum depends on the order.
struct Tenths;

impl GroupCost for Tenths {
    type Value = f64;

    fn len(&self) -> usize {
        24
    }

    fn group(&self, members: &[usize]) -> f64 {
        let sum: f64 = members.iter().map(|&player| (player * player % 17) as f64 * 0.1).sum();
        (sum - 3.3).powi(2)
    }

    fn is_group_allowed(&self, members: &[usize]) -> bool {
        !(members.contains(&13) && members.contains(&14))
    }

    fn has_forbidden_groups(&self) -> bool {
        true
    }
}

/// The same, and it minds that it is shown the notes of the group it is asked about.
struct Noting;

impl GroupCost for Noting {
    type Value = f64;

    fn len(&self) -> usize {
        Tenths.len()
    }

    fn group(&self, members: &[usize]) -> f64 {
        Tenths.group(members)
    }

    fn is_group_allowed(&self, members: &[usize]) -> bool {
        Tenths.is_group_allowed(members)
    }

    fn has_forbidden_groups(&self) -> bool {
        true
    }

    fn take_notes(&self, members: &[usize], notes: &mut Vec<i32>) {
        notes.extend(members.iter().map(|&player| player as i32));
    }

    fn group_bound(&self, _: &[usize], _: usize) -> GroupBound<f64> {
        GroupBound::AtLeast(0.0)
    }

    fn group_if_exchanged(&self, members: &[usize], notes: &[i32], leave: &[usize], join: &[usize]) -> Option<f64> {
        assert!(members.is_sorted() && members.iter().map(|&player| player as i32).eq(notes.iter().copied()));
        assert!(leave.len() == join.len() && join.iter().all(|player| !members.contains(player)));
        GroupCost::group_if_exchanged(&Tenths, members, notes, leave, join)
    }
}

fn walk<S: Score>(cost: &dyn Asked<S>, seed: u64) {
    let rng = &mut ChaCha8Rng::seed_from_u64(seed);
    let layout = layout(rng);
    let first = Partition::new(
        Arc::clone(&layout),
        &Shape::find(&layout, &|| false).expect("a packing").deal(&layout, rng),
    );
    let failure = Failure::default();
    let fresh = |partition: Partition| {
        let groups_of = partition.groups_of().to_vec();
        // Members in another order: costs may not depend on it.
        Whole::new(
            cost,
            Partition::new(partition.shared_layout(), &groups_of),
            failure.clone(),
        )
    };
    let mut state = Whole::new(cost, first, failure.clone());
    let proposer = Proposer::new(state.partition());
    let mut made = 0;
    while made < 10_000 {
        let Some(exchange) = proposer.any(state.partition(), rng) else {
            continue;
        };
        let Some(change) = state.change(&exchange) else {
            assert!(!state.partition().allows(&exchange));
            continue;
        };
        let mut partition = state.partition().clone();
        partition.apply(&exchange);
        let after = fresh(partition);
        assert_eq!(change, difference(&state, &after, &exchange));
        if rng.random() {
            // Another move in between, so that nothing is remembered of this one.
            let other = proposer.any(state.partition(), rng);
            other.and_then(|other| state.change(&other));
        }
        state.apply(&exchange);
        assert_eq!(state.costs, after.costs);
        assert_eq!(state.rank(), after.rank());
        made += 1;
        if made % 1_000 == 0 {
            every_move(&mut state);
        }
        // What is kept of one grouping serves the next one.
        if made % 1_000 < 4 {
            every_look(&mut state);
        }
    }
}

/// What climbs are told, from what is kept too, is what every move says.
fn every_look<S: Score>(state: &mut Whole<'_, S>) {
    let mut plain = state.clone();
    let partition = plain.partition().clone();
    let mut check = |step: Step<'_>| {
        let change = plain.change(&step.exchange(plain.partition()));
        assert_eq!(state.look(&step, None), change, "{step:?}");
        let better = change.filter(|change| *change < Change::NONE);
        assert_eq!(state.look(&step, Some(&Change::NONE)), better, "{step:?}");
    };
    let groups = 0..partition.layout().groups() as u32;
    for (a, b) in groups.clone().flat_map(|a| groups.clone().map(move |b| (a, b))) {
        let (units, others) = (movable_of(&partition, a), movable_of(&partition, b));
        let mut sets = Sets::default();
        for &x in units.iter().filter(|_| a != b) {
            for &y in others.iter().filter(|&&y| partition.size(y) == partition.size(x)) {
                check(Step::Swap { x, y });
            }
            check(Step::Insert { x, to: b });
            let sets = sets.of(&partition, &others, partition.size(x));
            (0..sets.len()).for_each(|at| check(Step::Against { x, to: b, sets, at }));
        }
    }
}

/// What an exchange has changed, from the costs of its two groups.
fn difference<S: Score>(before: &Whole<'_, S>, after: &Whole<'_, S>, exchange: &Exchange) -> Change<S> {
    let two = |state: &Whole<'_, S>| [exchange.a, exchange.b].map(|group| state.costs[group as usize]);
    let forbidden = |costs: &[Option<S>]| costs.iter().filter(|cost| cost.is_none()).count() as i32;
    let sum = |costs: &[Option<S>]| costs.iter().flatten().fold(S::ZERO, |sum, &cost| sum + cost);
    Change {
        forbidden: forbidden(&two(after)) - forbidden(&two(before)),
        cost: sum(&two(after)) - sum(&two(before)),
    }
}

/// Every move of the neighbourhood says what it changes.
fn every_move<S: Score>(state: &mut Whole<'_, S>) {
    let groups = state.partition().layout().groups() as u32;
    for (a, b) in (0..groups).flat_map(|a| (a + 1..groups).map(move |b| (a, b))) {
        let mut moves = Vec::new();
        neighbourhood::between(state.partition(), a, b, |exchange| moves.push(exchange.clone()));
        for exchange in moves {
            let change = state.change(&exchange).expect("sizes and pins allow it");
            let mut after = state.clone();
            after.apply(&exchange);
            assert_eq!(change, difference(state, &after, &exchange));
        }
    }
}

#[test]
fn a_hundred_thousand_random_moves_leave_the_costs_that_a_recount_gives() {
    for seed in 0..4 {
        walk::<f64>(&Tenths, seed);
        walk::<f64>(&Noting, seed);
        let gap = cost::from_symmetric_fn(24, |i, j| ((i * j) % 13) as i64 - 4);
        let restricted = gap.restricted(|i, j| i + j != 20);
        walk::<i128>(&Pairwise(restricted), seed);
        let tenths = cost::from_symmetric_fn(24, |i, j| ((i * j) % 13) as f32 * 0.1);
        walk::<f64>(&Pairwise(tenths), seed);
    }
}
