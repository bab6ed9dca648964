//! States in pairs that move much to each other, and the chain of these pairs.

use super::inflows::Inflows;
use crate::sparse::Csr;

/// Lighter states are in no pair: flows between them may be no floats.
const LIGHT: f64 = 1e-200;
/// No pair, no move.
pub(super) const NONE: u32 = u32::MAX;

/// Which states are taken together, by twos or alone.
#[derive(Debug)]
pub(super) struct Pairs {
    /// By state; none for states that take no part.
    pub(super) of: Vec<u32>,
    /// By pair; the second is none where a state is alone.
    pub(super) members: Vec<[u32; 2]>,
}

impl Pairs {
    /// Each state in turn takes, of the sources that are still alone, the one that most of the flow out of one of the two
    /// comes from. `x` are weights near the stationary ones. Ends early, and means nothing, where the solve is to end.
    pub(super) fn find(chain: &Inflows<'_>, x: &[f64]) -> Self {
        let mut pairs = Self {
            of: vec![NONE; x.len()],
            members: Vec::with_capacity(x.len() / 2),
        };
        let states = (0..x.len()).take_while(|&state| chain.goes_on(state));
        for state in states.filter(|&state| x[state] >= LIGHT) {
            if pairs.of[state] == NONE {
                let source = pairs.best_source(chain, x, state).unwrap_or(NONE);
                pairs.push([state as u32, source]);
            }
        }
        pairs
    }

    fn best_source(&self, chain: &Inflows<'_>, x: &[f64], state: usize) -> Option<u32> {
        let out = |state: usize| x[state] / chain.holding[state];
        let (sources, rates) = chain.into.row_slices(state);
        let mut best = (0.0, None);
        for (&source, &rate) in sources.iter().zip(rates) {
            let from = source as usize;
            if self.of[from] == NONE && x[from] >= LIGHT {
                let share = x[from] * rate / out(from).min(out(state));
                if share > best.0 {
                    best = (share, Some(source));
                }
            }
        }
        best.1
    }

    fn push(&mut self, members: [u32; 2]) {
        let number = self.members.len() as u32;
        for member in members.into_iter().filter(|&member| member != NONE) {
            self.of[member as usize] = number;
        }
        self.members.push(members);
    }

    /// Number of pairs.
    pub(super) fn len(&self) -> usize {
        self.members.len()
    }

    /// The moves between pairs by the pairs that they lead to, of which only the places mean something, and the place of
    /// each move into a state among them: none for moves within a pair. `None` where the solve is to end.
    pub(super) fn moves(&self, chain: &Inflows<'_>) -> Option<(Csr<f64>, Vec<u32>)> {
        let into = &chain.into;
        let sources = |state: u32| {
            into.row_slices(state as usize)
                .0
                .iter()
                .map(|&from| self.of[from as usize])
        };
        let members = self
            .members
            .iter()
            .enumerate()
            .take_while(|&(pair, _)| chain.goes_on(pair));
        let rows = members.map(|(pair, members)| {
            let members = members.iter().filter(|&&member| member != NONE);
            let sources = members.flat_map(|&member| sources(member));
            let others = sources.filter(move |&from| from != NONE && from != pair as u32);
            others.map(|from| (from as usize, 1.0)).collect::<Vec<_>>()
        });
        let moves = Csr::from_rows(self.len(), rows);
        if moves.rows() < self.len() {
            return None;
        }
        let states = (0..into.rows()).take_while(|&state| chain.goes_on(state));
        let places = states.flat_map(|state| {
            let pair = self.of[state];
            let moves = &moves;
            sources(state as u32).map(move |from| match (pair, from) {
                (NONE, _) | (_, NONE) => NONE,
                _ if pair == from => NONE,
                _ => place(moves, pair, from),
            })
        });
        let places: Vec<u32> = places.collect();
        (places.len() == into.entries()).then_some((moves, places))
    }
}

/// Where the move from a pair stands in the row of another one.
fn place(moves: &Csr<f64>, to: u32, from: u32) -> u32 {
    let columns = moves.row_slices(to as usize).0;
    let at = columns.partition_point(|&column| column < from);
    (moves.range(to as usize).start + at) as u32
}

#[cfg(test)]
mod tests {
    use super::{NONE, Pairs};
    use crate::budget::Meter;
    use crate::sparse::Csr;
    use crate::stationary::inflows::Inflows;

    #[test]
    fn states_that_move_to_each_other_are_paired_and_light_ones_left_out() {
        // 0 and 2 exchange much, 1 and 3 as well; 4 has no weight.
        let rates = Csr::from_rows(
            5,
            [
                vec![(1, 0.1), (2, 5.0)],
                vec![(3, 5.0), (2, 0.1)],
                vec![(0, 5.0)],
                vec![(1, 5.0), (4, 0.1)],
                vec![(0, 1.0)],
            ],
        );
        let meter = Meter::unlimited();
        let chain = Inflows::new(&rates, rates.transposed(), &meter);
        let pairs = Pairs::find(&chain, &[0.25, 0.25, 0.25, 0.25, 0.0]);
        assert_eq!(pairs.of, [0, 1, 0, 1, NONE]);
        assert_eq!(pairs.members, [[0, 2], [1, 3]]);
        let (moves, places) = pairs.moves(&chain).expect("no limit");
        assert_eq!((moves.row_slices(0).0, moves.row_slices(1).0), (&[1][..], &[0][..]));
        // Moves into 0 come from 2 and 4, into 1 from 0 and 3, into 2 from 0 and 1, into 3 from 1, into 4 from 3.
        assert_eq!(places, [NONE, NONE, 1, NONE, NONE, 0, NONE, NONE]);
    }
}
