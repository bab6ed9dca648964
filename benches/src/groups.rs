//! Instances of grouping: random gains between players, and MDGPLIB files.
//!
//! The random ones are of the kind of MDGPLIB's `RanReal`: gains uniform on 0 to 100 with three decimals, groups of one
//! size, to be maximised.

use std::error::Error;
use std::fs;
use std::ops::RangeInclusive;
use std::path::Path;

use matching_core::Cost;
use matching_core::cost::{CondensedMatrix, Negated};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Thousandths in a gain of one.
pub const SCALE: f64 = 1000.0;

/// Players of a file at most: their gains take a gigabyte.
const MOST_PLAYERS: usize = 1 << 14;

/// Players with gains, and the sizes of the groups they are put into.
#[derive(Clone, Debug)]
pub struct GroupInstance {
    /// Its name.
    pub name: String,
    /// Minus the gain of each pair, in thousandths.
    pub cost: Negated<CondensedMatrix<i64>>,
    /// Bounds on the members of each group.
    pub sizes: Vec<RangeInclusive<usize>>,
}

impl GroupInstance {
    /// Number of players.
    pub fn players(&self) -> usize {
        self.cost.len()
    }

    /// The gain of a cost.
    pub fn gain(cost: f64) -> f64 {
        -cost / SCALE
    }

    /// The instance of that size and seed: 10 groups of 120 players, 12 of 240, 20 of 480, 24 of 960, 50 of 2000.
    ///
    /// # Errors
    /// If there are no groups for that many players.
    pub fn random(players: usize, seed: u64) -> Result<Self, Box<dyn Error + Send + Sync>> {
        let groups = match players {
            120 => 10,
            240 => 12,
            480 => 20,
            960 => 24,
            2000 => 50,
            _ => return Err(format!("{players} players: one of 120, 240, 480, 960, 2000").into()),
        };
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let pairs = players * (players - 1) / 2;
        let gains: Vec<i64> = (0..pairs).map(|_| rng.random_range(0..=100_000)).collect();
        Ok(Self {
            name: format!("random {players} seed {seed}"),
            cost: CondensedMatrix::new(players, gains)?.negated(),
            sizes: vec![players / groups..=players / groups; groups],
        })
    }

    /// A file of MDGPLIB: `n k ss|ds`, bounds of each group, then a line `i j gain` for each pair.
    ///
    /// # Errors
    /// If it cannot be read, with the line.
    pub fn from_mdgplib(path: &Path) -> Result<Self, Box<dyn Error + Send + Sync>> {
        let text = fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        Self::parse(&name, &text).map_err(|error| format!("{}: {error}", path.display()).into())
    }

    fn parse(name: &str, text: &str) -> Result<Self, Box<dyn Error + Send + Sync>> {
        let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        let (_, head) = lines.next().ok_or("an empty file")?;
        let numbers: Vec<usize> = head.split_whitespace().filter_map(|word| word.parse().ok()).collect();
        let (&[players, groups], bounds) = numbers.split_first_chunk::<2>().ok_or("line 1: n k")?;
        if !(1..=MOST_PLAYERS).contains(&players) {
            return Err(format!("line 1: {players} players: a number between 1 and {MOST_PLAYERS}").into());
        }
        if groups.checked_mul(2) != Some(bounds.len()) {
            return Err(format!("line 1: {} bounds for {groups} groups", bounds.len()).into());
        }
        let mut gains = vec![0; players * (players - 1) / 2];
        for (at, line) in lines {
            let words: Vec<&str> = line.split_whitespace().collect();
            let numbers = match words[..] {
                [i, j, gain] => i.parse().ok().zip(j.parse().ok()).zip(gain.parse().ok()),
                _ => None,
            };
            let numbers = numbers.filter(|(_, gain): &((usize, usize), f64)| gain.is_finite());
            let ((i, j), gain) = numbers.ok_or_else(|| format!("line {}: i j gain", at + 1))?;
            let (i, j) = (i.min(j), i.max(j));
            if i == j || j >= players {
                return Err(format!("line {}: a pair of {players} players", at + 1).into());
            }
            gains[i * (2 * players - i - 1) / 2 + j - i - 1] = (gain * SCALE).round() as i64;
        }
        Ok(Self {
            name: name.to_owned(),
            cost: CondensedMatrix::new(players, gains)?.negated(),
            sizes: bounds.chunks_exact(2).map(|bound| bound[0]..=bound[1]).collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_are_no_instances_are_refused_in_words() {
        let good = GroupInstance::parse("three", "3 1 ds 2 3\n0 1 5\n2 0 1.5\n").unwrap();
        assert_eq!(
            (good.cost.pair(0, 1), good.cost.pair(0, 2), good.cost.pair(1, 2)),
            (-5000, -1500, 0)
        );
        // No players were one too few for the number of pairs, and gains that are no numbers were gains of nothing.
        for (text, error) in [
            ("", "an empty file"),
            ("3", "line 1: n k"),
            ("0 0 ds", "line 1: 0 players: a number between 1 and 16384"),
            (
                "99999999999 1 ds 1 2",
                "line 1: 99999999999 players: a number between 1 and 16384",
            ),
            (
                "3 9223372036854775808 ds",
                "line 1: 0 bounds for 9223372036854775808 groups",
            ),
            ("3 1 ds 1", "line 1: 1 bounds for 1 groups"),
            ("3 1 ds 2 3\n0 1 nan", "line 2: i j gain"),
            ("3 1 ds 2 3\n0 one 5", "line 2: i j gain"),
            ("3 1 ds 2 3\n0 1", "line 2: i j gain"),
            ("3 1 ds 2 3\n1 1 5", "line 2: a pair of 3 players"),
            ("3 1 ds 2 3\n1 3 5", "line 2: a pair of 3 players"),
        ] {
            assert_eq!(GroupInstance::parse("", text).unwrap_err().to_string(), error, "{text}");
        }
    }
}
