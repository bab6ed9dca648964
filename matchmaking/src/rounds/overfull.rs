//! Players who have more games among them than fit into as many rounds as anybody has games.

use std::collections::VecDeque;

/// Looks at edges that the search for an overfull set may take.
const PATIENCE: usize = 500_000_000;

/// An odd number of players with more games among them than `most` rounds hold, each of which has room for one game for two of
/// them: the smallest of those found, or nobody.
///
/// One further player takes all games that somebody lacks of `most`. An odd set is overfull where fewer than `most` games, those
/// with the further one included, lead out of it; the smallest cuts between all two are `n` (Gomory and Hu 1961), found as
/// Gusfield does (1990), and one of them is the smallest of all odd ones (Padberg and Rao 1982).
pub(super) fn overfull(players: usize, games: &[(usize, usize)], most: usize) -> Vec<usize> {
    let looks = players.saturating_mul(most + 1).saturating_mul(games.len() + players);
    if looks > PATIENCE {
        return Vec::new();
    }
    let mut cuts = Cuts::new(players, games, most);
    let further = players;
    let mut parent = vec![further; players + 1];
    let mut best: Vec<usize> = Vec::new();
    for source in 0..players {
        let sink = parent[source];
        let side = cuts.side(source, sink);
        for other in (0..=players).filter(|&other| other != source && side[other]) {
            if parent[other] == sink {
                parent[other] = source;
            }
        }
        if side[parent[sink]] {
            parent[source] = parent[sink];
            parent[sink] = source;
        }
        // Of the two sides the one without the further player.
        let set: Vec<usize> = (0..players).filter(|&player| side[player] != side[further]).collect();
        if is_overfull(&set, games, most) && (best.is_empty() || set.len() < best.len()) {
            best = set;
        }
    }
    best
}

/// Whether players have more games among them than so many rounds hold.
pub(super) fn is_overfull(set: &[usize], games: &[(usize, usize)], most: usize) -> bool {
    if set.len() < 3 || set.len().is_multiple_of(2) {
        return false;
    }
    let is_in = |player: &usize| set.binary_search(player).is_ok();
    let among = games.iter().filter(|(i, j)| is_in(i) && is_in(j)).count();
    among > most * (set.len() / 2)
}

/// The games as a network; each arc stands beside the one back.
struct Cuts {
    first: Vec<Vec<u32>>,
    to: Vec<usize>,
    room: Vec<u32>,
}

impl Cuts {
    fn new(players: usize, games: &[(usize, usize)], most: usize) -> Self {
        let mut cuts = Self {
            first: vec![Vec::new(); players + 1],
            to: Vec::new(),
            room: Vec::new(),
        };
        let mut lacking = vec![most; players];
        for &(i, j) in games {
            (lacking[i], lacking[j]) = (lacking[i] - 1, lacking[j] - 1);
            cuts.push(i, j, 1);
        }
        for (player, lacking) in lacking.into_iter().enumerate().filter(|&(_, lacking)| lacking > 0) {
            cuts.push(player, players, lacking);
        }
        cuts
    }

    fn push(&mut self, u: usize, v: usize, room: usize) {
        for (from, to) in [(u, v), (v, u)] {
            self.first[from].push(self.to.len() as u32);
            self.to.push(to);
            self.room.push(room as u32);
        }
    }

    /// The side of the source in a smallest cut: nobody has more than the most games, so that as many paths are enough.
    fn side(&mut self, source: usize, sink: usize) -> Vec<bool> {
        let room = self.room.clone();
        let mut by = vec![u32::MAX; self.first.len()];
        loop {
            by.fill(u32::MAX);
            let mut queue = VecDeque::from([source]);
            let mut is_seen = vec![false; self.first.len()];
            is_seen[source] = true;
            while let Some(from) = queue.pop_front().filter(|_| !is_seen[sink]) {
                for &arc in &self.first[from] {
                    let to = self.to[arc as usize];
                    if self.room[arc as usize] > 0 && !std::mem::replace(&mut is_seen[to], true) {
                        by[to] = arc;
                        queue.push_back(to);
                    }
                }
            }
            if !is_seen[sink] {
                self.room = room;
                return is_seen;
            }
            let mut at = sink;
            while at != source {
                let arc = by[at] as usize;
                self.room[arc] -= 1;
                self.room[arc ^ 1] += 1;
                at = self.to[arc ^ 1];
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;

    /// Beside all odd sets.
    #[test]
    fn an_overfull_set_is_found_where_there_is_one() {
        let rng = &mut ChaCha8Rng::seed_from_u64(5);
        let (mut found, mut none) = (0, 0);
        for _ in 0..3_000 {
            let n = rng.random_range(2..=9);
            let share = rng.random_range(0.2..1.0);
            let all = (0..n).flat_map(|j| (0..j).map(move |i| (i, j)));
            let games: Vec<(usize, usize)> = all.filter(|_| rng.random_bool(share)).collect();
            let degree = |player: usize| games.iter().filter(|&&(i, j)| i == player || j == player).count();
            let most = (0..n).map(degree).max().unwrap_or(0);
            let set = |bits: u32| (0..n).filter(|&player| bits >> player & 1 == 1).collect::<Vec<_>>();
            let exists = (0..1 << n).any(|bits| is_overfull(&set(bits), &games, most));
            let overfull = overfull(n, &games, most);
            assert_eq!(!overfull.is_empty(), exists, "{games:?}");
            assert!(overfull.is_empty() || is_overfull(&overfull, &games, most));
            found += u32::from(exists);
            none += u32::from(!exists);
        }
        assert!(found > 100 && none > 100, "{found} {none}");
    }
}
