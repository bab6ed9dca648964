//! How parts of a pool fare by the groups that were found, and by others of the same players and sizes.

use matching_core::{Cost, CostValue};
use matchmaking::Pool;
use matchmaking::fairness::{self, GroupMetrics, Segment};

use super::outcome::Outcome;
use super::problem::Problem;

/// What groups are compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Baseline {
    /// The groups that were found.
    This,
    /// Neighbours in rating.
    Rating,
    /// Chance.
    Random,
}

impl Baseline {
    /// The word of reports.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::This => "this",
            Self::Rating => "rating",
            Self::Random => "random",
        }
    }
}

/// Parts of the pool, and how each fares by each grouping, in the input's units.
#[derive(Debug)]
pub(super) struct Fairness {
    pub(super) segments: Vec<Segment>,
    /// Figures in the order of the segments.
    pub(super) groupings: [(Baseline, Vec<GroupMetrics>); 3],
}

impl Fairness {
    /// Of the groups that were found, if any were.
    pub(super) fn of<C: Cost>(pool: &Pool, problem: &Problem<C>, outcome: &Outcome, seed: u64) -> Option<Self>
    where
        C::Value: CostValue<Total = i128>,
    {
        let Outcome::Found(found) = outcome else {
            return None;
        };
        let groups: Vec<Vec<usize>> = found.groups.iter().map(|(members, _)| members.clone()).collect();
        let mut segments = Segment::of_pool(pool);
        segments.extend(Segment::by_party(pool));
        let divisor = problem.scale.divisor().to_f64();
        let measured = |groups: &[Vec<usize>]| {
            let mut metrics = fairness::groups_by_segment(pool, &problem.cost, groups, &segments);
            for figures in &mut metrics {
                for cost in [&mut figures.mean_group_cost, &mut figures.mean_share] {
                    *cost = cost.map(|cost| cost / divisor);
                }
            }
            metrics
        };
        let groupings = [
            (Baseline::This, measured(&groups)),
            (Baseline::Rating, measured(&fairness::groups_by_rating(pool, &groups))),
            (Baseline::Random, measured(&fairness::groups_at_random(&groups, seed))),
        ];
        Some(Self { segments, groupings })
    }
}
