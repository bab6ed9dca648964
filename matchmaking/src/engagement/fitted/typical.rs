//! What stands for counts and times that are not known of a player.

use super::feature::{MEMORY, Row, SPANS, Snapshot, WIDTH, span_column};
use crate::player::{Outcome, Player};

/// Means of the features over the states of a log, by how many outcomes are known: somebody without a game before has
/// not played today either, and whoever has ten of them behind him mostly has.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Typical {
    /// By number of known outcomes.
    rows: Vec<Row>,
}

impl Typical {
    /// Of these states. Where no state has as many outcomes, the means of all observations stand, but for counts: of
    /// fewer than ten games behind somebody, no more than these were today.
    #[cfg_attr(
        not(any(test, feature = "json", feature = "fit")),
        expect(dead_code, reason = "models are read or fitted with these")
    )]
    pub(crate) fn of(states: &[Player], means: &Row) -> Self {
        // Columns that are not known of a state show by this.
        const UNKNOWN: Row = [f64::INFINITY; WIDTH];
        let mut sums = vec![[(0.0, 0_u32); WIDTH]; MEMORY + 1];
        for state in states {
            let (snapshot, mut row) = (Snapshot::of(state), [0.0; WIDTH]);
            snapshot.fill(Outcome::Win, &UNKNOWN, &mut row);
            for (sum, x) in sums[snapshot.known()].iter_mut().zip(row) {
                if x.is_finite() {
                    *sum = (sum.0 + x, sum.1 + 1);
                }
            }
        }
        let row = |(known, sums): (usize, [(f64, u32); WIDTH])| {
            let mean = |column: usize| match sums[column] {
                (_, 0) => means[column],
                (sum, count) => sum / f64::from(count),
            };
            let mut row: Row = std::array::from_fn(mean);
            if known < MEMORY {
                let most = (known as f64).ln_1p();
                (0..SPANS.len()).for_each(|span| row[span_column(span)] = row[span_column(span)].min(most));
            }
            row
        };
        Self {
            rows: sums.into_iter().enumerate().map(row).collect(),
        }
    }

    /// What stands for that which is not known of this player.
    pub(crate) fn row(&self, snapshot: &Snapshot) -> &Row {
        &self.rows[snapshot.known()]
    }
}

#[cfg(test)]
mod tests {
    use super::{MEMORY, SPANS, Snapshot, Typical, WIDTH, span_column};
    use crate::player::{Outcome, Player};

    fn player(outcomes: usize, games_1d: Option<u32>) -> Player {
        let mut player = Player::new("Ann", 1500.0, 50.0);
        player.outcomes = vec![Outcome::Win; outcomes];
        player.activity.games_1d = games_1d;
        player
    }

    #[test]
    fn means_are_of_those_with_as_many_outcomes() {
        let states = [
            player(2, Some(1)),
            player(2, Some(2)),
            player(2, None),
            player(MEMORY, Some(20)),
        ];
        let typical = Typical::of(&states, &[3.0; WIDTH]);
        let today = |outcomes: usize| typical.row(&Snapshot::of(&player(outcomes, None)))[span_column(1)];
        assert_eq!(today(2), (2f64.ln() + 3f64.ln()) / 2.0);
        assert_eq!((today(MEMORY), today(0)), (21f64.ln(), 0.0));
        // Nobody has one outcome, or five: what everybody has, but no more than that.
        assert_eq!((today(1), today(5)), (2f64.ln(), 6f64.ln()));
        // Of weeks nobody knows anything.
        let week = typical.row(&Snapshot::of(&player(MEMORY, None)))[span_column(SPANS.len() - 2)];
        assert_eq!(week, 3.0);
    }
}
