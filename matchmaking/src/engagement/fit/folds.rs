//! Which players are kept aside together.

use super::observe::Observation;
use crate::engagement::churn::fnv_1a;

/// Parts of a cross-validation, as in the EOMM paper.
pub(super) const FOLDS: usize = 5;

/// Players with observations, by what they ever did: stopped only, both, stayed only.
pub(super) struct Kinds {
    kinds: [Vec<u32>; 3],
}

impl Kinds {
    /// Sorts out the players of these observations, which come player by player.
    pub(super) fn of(observations: &[Observation]) -> Self {
        let mut kinds = [const { Vec::new() }; 3];
        for own in observations.chunk_by(|a, b| a.player == b.player) {
            let stopped = own.iter().any(|observation| observation.churned);
            let stayed = own.iter().any(|observation| !observation.churned);
            let kind = match (stopped, stayed) {
                (true, false) => 0,
                (true, true) => 1,
                (false, _) => 2,
            };
            kinds[kind].push(own[0].player);
        }
        Self { kinds }
    }

    /// Players who stopped after some game.
    pub(super) fn stopped(&self) -> usize {
        self.kinds[0].len() + self.kinds[1].len()
    }

    /// Players who went on after some game.
    pub(super) fn stayed(&self) -> usize {
        self.kinds[1].len() + self.kinds[2].len()
    }

    /// The fold of each of these players. All observations of a player are in one fold; of those who stopped, and of
    /// those who stayed, each fold has its share.
    ///
    /// They are dealt in the order of a hash of seed and name, which no order of players or games changes.
    pub(super) fn folds(mut self, players: &[String], seed: u64) -> Vec<u8> {
        let key = |&player: &u32| {
            let name = &players[player as usize];
            (mixed(seed ^ fnv_1a(name.as_bytes())), name)
        };
        let mut folds = vec![0; players.len()];
        self.kinds.iter_mut().for_each(|kind| kind.sort_by_cached_key(key));
        for (position, player) in self.kinds.into_iter().flatten().enumerate() {
            folds[player as usize] = (position % FOLDS) as u8;
        }
        folds
    }
}

/// Spreads what differs in few bits over all of them: the last step of Steele, Lea and Flood's SplitMix64.
fn mixed(mut bits: u64) -> u64 {
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}
