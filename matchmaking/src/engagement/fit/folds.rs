//! Which players are kept aside together.

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use super::observe::Observation;

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

    /// The fold of each of so many players. All observations of a player are in one fold; of those who stopped, and of
    /// those who stayed, each fold has its share.
    pub(super) fn folds(mut self, players: usize, seed: u64) -> Vec<u8> {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut folds = vec![0; players];
        self.kinds.iter_mut().for_each(|kind| kind.shuffle(&mut rng));
        for (position, player) in self.kinds.into_iter().flatten().enumerate() {
            folds[player as usize] = (position % FOLDS) as u8;
        }
        folds
    }
}
