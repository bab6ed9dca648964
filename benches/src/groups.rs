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
        let text = fs::read_to_string(path)?;
        let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        let (_, head) = lines.next().ok_or("an empty file")?;
        let numbers: Vec<usize> = head.split_whitespace().filter_map(|word| word.parse().ok()).collect();
        let (&[players, groups], bounds) = numbers.split_first_chunk::<2>().ok_or("line 1: n k")?;
        if bounds.len() != 2 * groups {
            return Err(format!("line 1: {} bounds for {groups} groups", bounds.len()).into());
        }
        let mut gains = vec![0; players * (players - 1) / 2];
        for (at, line) in lines {
            let words: Vec<&str> = line.split_whitespace().collect();
            let &[i, j, gain] = &words[..] else {
                return Err(format!("line {}: i j gain", at + 1).into());
            };
            let (i, j, gain): (usize, usize, f64) = (i.parse()?, j.parse()?, gain.parse()?);
            let (i, j) = (i.min(j), i.max(j));
            if i == j || j >= players {
                return Err(format!("line {}: a pair of {players} players", at + 1).into());
            }
            gains[i * (2 * players - i - 1) / 2 + j - i - 1] = (gain * SCALE).round() as i64;
        }
        Ok(Self {
            name: path
                .file_stem()
                .map_or_else(String::new, |stem| stem.to_string_lossy().into_owned()),
            cost: CondensedMatrix::new(players, gains)?.negated(),
            sizes: bounds.chunks_exact(2).map(|bound| bound[0]..=bound[1]).collect(),
        })
    }
}
