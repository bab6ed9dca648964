//! Whether parties go into so many teams.

use std::collections::HashSet;

use super::{Counts, players};

/// Whether parties of these sizes go into `teams` teams of `team_size`, some of which may stay incomplete.
///
/// Exact: a depth-first search that fills one team after the other, around the largest party left. Of two ways to fill
/// up a team it skips one whose parties fit into the other's places: exchanging them leaves room elsewhere (S.
/// Martello, P. Toth, "Lower bounds and reduction procedures for the bin packing problem", Discrete Applied Mathematics
/// 28, 1990). For teams of up to six a single way is left each time, so that nothing is tried twice.
///
/// # Panics
/// If a size exceeds `team_size`.
pub(super) fn fit(counts: &Counts, teams: usize, team_size: usize) -> bool {
    let largest = counts.iter().rposition(|&count| count > 0).unwrap_or(0);
    assert!(largest <= team_size, "parties fit into a team");
    // Parties of one fill any room.
    let mut rest = *counts;
    rest[1] = 0;
    players(counts) <= teams * team_size && Search::new(team_size).fit(rest, teams)
}

struct Search {
    team_size: usize,
    /// Parties that have been found not to go into so many teams.
    failed: HashSet<(Counts, usize)>,
}

impl Search {
    fn new(team_size: usize) -> Self {
        Self {
            team_size,
            failed: HashSet::new(),
        }
    }

    fn fit(&mut self, mut counts: Counts, mut teams: usize) -> bool {
        loop {
            let Some(largest) = counts.iter().rposition(|&count| count > 0) else {
                return true;
            };
            if players(&counts) > teams * self.team_size {
                return false;
            }
            if counts[..largest].iter().all(|&count| count == 0) {
                return counts[largest].div_ceil(self.team_size / largest) <= teams;
            }
            if teams == 0 {
                return false;
            }
            let whole = counts;
            counts[largest] -= 1;
            let ways = undominated(completions(&counts, largest, self.team_size - largest));
            if let [way] = &ways[..] {
                // The same way is the only one for as long as there are parties for it: those it dominates become fewer.
                let mut team = Counts::default();
                [largest].iter().chain(way).for_each(|&size| team[size] += 1);
                let alike = (1..=largest).filter(|&size| team[size] > 0);
                let alike = alike.fold(teams, |alike, size| alike.min(whole[size] / team[size]));
                counts = std::array::from_fn(|size| whole[size] - alike * team[size]);
                teams -= alike;
                continue;
            }
            teams -= 1;
            let rest = |way: &Vec<usize>| {
                let mut rest = counts;
                way.iter().for_each(|&size| rest[size] -= 1);
                rest
            };
            let key = (whole, teams);
            if self.failed.contains(&key) {
                return false;
            }
            let is_possible = ways.iter().any(|way| self.fit(rest(way), teams));
            if !is_possible {
                self.failed.insert(key);
            }
            return is_possible;
        }
    }
}

/// All ways to use up to `room` places for parties of 2 to `largest`, in descending order each.
pub(super) fn completions(counts: &Counts, largest: usize, room: usize) -> Vec<Vec<usize>> {
    let mut found = vec![Vec::new()];
    for size in (2..=largest.min(room)).filter(|&size| counts[size] > 0) {
        let mut left = *counts;
        left[size] -= 1;
        for mut tail in completions(&left, size, room - size) {
            tail.insert(0, size);
            found.push(tail);
        }
    }
    found
}

/// Those ways whose parties do not all fit into the places of another's.
pub(super) fn undominated(mut ways: Vec<Vec<usize>>) -> Vec<Vec<usize>> {
    // The fullest first: nothing later has room for what comes earlier, unless the two are equally full.
    ways.sort_by_key(|way| (std::cmp::Reverse(way.iter().sum::<usize>()), way.len()));
    let mut kept: Vec<Vec<usize>> = Vec::new();
    for way in ways {
        if !kept.iter().any(|other| fits_into(&way, &mut other.clone())) {
            kept.push(way);
        }
    }
    kept
}

/// Whether the parties can be put into places of these sizes, several into one.
fn fits_into(parties: &[usize], places: &mut [usize]) -> bool {
    let Some((&first, rest)) = parties.split_first() else {
        return true;
    };
    (0..places.len()).any(|at| {
        places[at] >= first && {
            places[at] -= first;
            let is_possible = fits_into(rest, places);
            places[at] += first;
            is_possible
        }
    })
}

#[cfg(test)]
mod tests {
    use super::{Counts, fit, players};

    fn counts(sizes: &[(usize, usize)]) -> Counts {
        let mut counts = Counts::default();
        sizes.iter().for_each(|&(size, count)| counts[size] = count);
        counts
    }

    fn fill(counts: &Counts, teams: usize, team_size: usize) -> bool {
        players(counts) == teams * team_size && fit(counts, teams, team_size)
    }

    /// Every party into every team, one after the other.
    fn fit_by_force(parties: &[usize], teams: &mut Vec<usize>) -> bool {
        let Some((&first, rest)) = parties.split_first() else {
            return true;
        };
        (0..teams.len()).any(|at| {
            let is_new = !teams[..at].contains(&teams[at]);
            is_new && teams[at] >= first && {
                teams[at] -= first;
                let is_possible = fit_by_force(rest, teams);
                teams[at] += first;
                is_possible
            }
        })
    }

    #[test]
    fn three_duos_fill_no_match_of_three_against_three() {
        assert!(!fill(&counts(&[(2, 3)]), 2, 3));
        assert!(fill(&counts(&[(2, 2), (1, 2)]), 2, 3));
        assert!(fill(&counts(&[(3, 1), (2, 1), (1, 1)]), 2, 3));
        assert!(!fill(&counts(&[(2, 2)]), 2, 3), "too few players to fill the teams");
        assert!(fit(&counts(&[(2, 2)]), 2, 3));
    }

    #[test]
    fn large_rounds_are_no_trouble() {
        assert!(!fill(&counts(&[(2, 2500)]), 1000, 5));
        assert!(fill(&counts(&[(3, 1000), (2, 1000)]), 1000, 5));
        assert!(fill(&counts(&[(3, 800), (2, 800), (1, 776)]), 597, 8));
        assert!(!fit(&counts(&[(3, 1001), (2, 999)]), 999, 5));
        assert!(!fit(&counts(&[(4, 626), (2, 624)]), 625, 6));
    }

    #[test]
    fn agrees_with_force() {
        let mut possible = [0; 2];
        for team_size in 2..=8_usize {
            for code in 0..4_usize.pow(4) {
                // Up to three parties of each of four sizes, the largest ones of this team size.
                let mut sizes = Counts::default();
                for at in 0..team_size.min(4) {
                    sizes[team_size - at] = code / 4_usize.pow(at as u32) % 4;
                }
                let parties: Vec<usize> = (1..=8).rev().flat_map(|size| vec![size; sizes[size]]).collect();
                let least = players(&sizes).div_ceil(team_size);
                for teams in [least, least + 1] {
                    let expected = fit_by_force(&parties, &mut vec![team_size; teams]);
                    assert_eq!(fit(&sizes, teams, team_size), expected, "{sizes:?} {teams} {team_size}");
                    possible[usize::from(expected)] += 1;
                }
            }
        }
        assert!(possible.iter().all(|&count| count > 500), "{possible:?}");
    }
}
