//! Players who have more games among them than fit into as many rounds as anybody has games.

use std::collections::VecDeque;

/// Looks at edges that the search for an overfull set may take.
const PATIENCE: usize = 500_000_000;

/// An odd number of players with more games among them than `most` rounds hold, each of which has room for one game for two of
/// them: the smallest of those found, or nobody. Where there are very many games, of all who are connected by games alone.
///
/// One further player takes all games that somebody lacks of `most`. An odd set is overfull where fewer than `most` games, those
/// with the further one included, lead out of it; the smallest cuts between all two are `n` (Gomory and Hu 1961), found as
/// Gusfield does (1990), and one of them is the smallest of all odd ones (Padberg and Rao 1982).
pub(super) fn overfull(players: usize, games: &[(usize, usize)], most: usize) -> Vec<usize> {
    let looks = players.saturating_mul(most + 1).saturating_mul(games.len() + players);
    if looks > PATIENCE {
        // No game leads out of those who are connected by games.
        let sets = connected(players, games).into_iter();
        let sets = sets.filter(|(set, among)| can_be_overfull(set.len()) && *among > most * (set.len() / 2));
        return sets.map(|(set, _)| set).min_by_key(Vec::len).unwrap_or_default();
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

/// Players who are connected by games, all of them together and in order, with the number of these games.
fn connected(players: usize, games: &[(usize, usize)]) -> Vec<(Vec<usize>, usize)> {
    let mut opponents = vec![Vec::new(); players];
    for &(i, j) in games {
        opponents[i].push(j);
        opponents[j].push(i);
    }
    let mut is_seen = vec![false; players];
    let mut sets = Vec::new();
    for first in 0..players {
        if std::mem::replace(&mut is_seen[first], true) {
            continue;
        }
        let mut set = vec![first];
        let mut at = 0;
        while let Some(&player) = set.get(at) {
            at += 1;
            set.extend(
                opponents[player]
                    .iter()
                    .filter(|&&other| !std::mem::replace(&mut is_seen[other], true)),
            );
        }
        set.sort_unstable();
        let ends: usize = set.iter().map(|&player| opponents[player].len()).sum();
        sets.push((set, ends / 2));
    }
    sets
}

/// Whether players have more games among them than so many rounds hold.
pub(super) fn is_overfull(set: &[usize], games: &[(usize, usize)], most: usize) -> bool {
    if !can_be_overfull(set.len()) {
        return false;
    }
    let is_in = |player: &usize| set.binary_search(player).is_ok();
    let among = games.iter().filter(|(i, j)| is_in(i) && is_in(j)).count();
    among > most * (set.len() / 2)
}

/// Of an even number there are never too many games, as nobody has more than the most.
fn can_be_overfull(players: usize) -> bool {
    players >= 3 && !players.is_multiple_of(2)
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
            // Everybody is in one of the sets that are looked at where there are very many games, and no game leads out of it.
            let sets = connected(n, &games);
            let set_of: Vec<usize> = (0..n)
                .map(|player| sets.iter().filter(|(set, _)| set.contains(&player)).count())
                .collect();
            assert_eq!(set_of, vec![1; n]);
            for (set, among) in &sets {
                let is_in = |player: &usize| set.contains(player);
                assert!(set.is_sorted() && games.iter().all(|(i, j)| is_in(i) == is_in(j)));
                assert_eq!(games.iter().filter(|(i, _)| is_in(i)).count(), *among);
            }
            found += u32::from(exists);
            none += u32::from(!exists);
        }
        assert!(found > 100 && none > 100, "{found} {none}");
    }

    /// All against all was not found to be overfull beyond two hundred players.
    #[test]
    fn of_very_many_games_those_of_all_together_are_counted() {
        let all: Vec<(usize, usize)> = (0..301).flat_map(|j| (0..j).map(move |i| (i, j))).collect();
        assert_eq!(overfull(301, &all, 300), (0..301).collect::<Vec<_>>());
        let even: Vec<(usize, usize)> = (0..300).flat_map(|j| (0..j).map(move |i| (i, j))).collect();
        assert!(overfull(300, &even, 299).is_empty());
        // Three circles, the smallest of odd length in the middle.
        let circle = |from: usize, to: usize| (from..to).map(move |i| (i, if i + 1 == to { from } else { i + 1 }));
        let circles: Vec<_> = circle(0, 9_001)
            .chain(circle(9_001, 9_006))
            .chain(circle(9_006, 20_000))
            .collect();
        assert_eq!(overfull(20_000, &circles, 2), (9_001..9_006).collect::<Vec<_>>());
    }
}
