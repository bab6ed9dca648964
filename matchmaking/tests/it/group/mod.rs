//! `matchmaking group`.

mod auto;
mod bad;
mod best;
mod contract;
mod exact;
mod explain;
mod formats;
mod infeasible;
mod pins;
mod pools;
mod random;
mod roles;
mod sizes;

use std::ops::Range;

use serde_json::Value;

/// Numbers that look like chance.
struct Dice(u64);

impl Dice {
    /// A number below `most`.
    fn roll(&mut self, most: u64) -> i64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % most) as i64
    }

    /// A symmetric matrix of numbers below `most`.
    fn matrix(&mut self, n: usize, most: u64) -> Vec<Vec<i64>> {
        let mut matrix = vec![vec![0; n]; n];
        let pairs = (0..n).flat_map(|i| (i + 1..n).map(move |j| (i, j)));
        pairs.for_each(|(i, j)| {
            matrix[i][j] = self.roll(most);
            matrix[j][i] = matrix[i][j];
        });
        matrix
    }
}

/// A matrix file: `header`, then the rows.
fn matrix_file(header: &str, matrix: &[Vec<i64>]) -> String {
    let row = |row: &Vec<i64>| row.iter().map(i64::to_string).collect::<Vec<_>>().join(" ");
    let rows: Vec<String> = matrix.iter().map(row).collect();
    format!("{header}\n{}\n", rows.join("\n"))
}

/// A list of edges within 19 vertices and within 21 others: there are no groups of two, which nobody sees at a glance.
fn odd_crowds() -> String {
    let within = |crowd: Range<usize>| {
        let pairs = crowd.clone().flat_map(move |i| (i + 1..crowd.end).map(move |j| (i, j)));
        pairs.map(|(i, j)| format!("{i} {j} 5\n")).collect::<String>()
    };
    format!("40 381\n{}{}", within(0..19), within(19..40))
}

/// An MDGPLIB file: `header`, then every pair.
fn mdgplib_file(header: &str, matrix: &[Vec<i64>]) -> String {
    let n = matrix.len();
    let pairs = (0..n).flat_map(|i| (i + 1..n).map(move |j| (i, j)));
    let lines: String = pairs.map(|(i, j)| format!("{i} {j} {}\n", matrix[i][j])).collect();
    format!("{header}\n{lines}")
}

/// Every way to put players into groups, tried.
struct Brute<'a> {
    /// Least and greatest number of members of each group; the last is the bench, which costs nothing.
    bounds: &'a [(usize, usize)],
    /// `None` where the two must not be together.
    cost: &'a dyn Fn(usize, usize) -> Option<i64>,
    /// Whether the two must be together.
    together: &'a dyn Fn(usize, usize) -> bool,
}

impl Brute<'_> {
    /// The least total of `n` players.
    fn least(&self, n: usize) -> Option<i64> {
        self.place(&mut Vec::new(), n, 0)
    }

    fn place(&self, seats: &mut Vec<usize>, n: usize, total: i64) -> Option<i64> {
        let filled = |group: usize, seats: &[usize]| seats.iter().filter(|&&seat| seat == group).count();
        let player = seats.len();
        if player == n {
            let is_full = |(group, bound): (usize, &(usize, usize))| filled(group, seats) >= bound.0;
            return self.bounds.iter().enumerate().all(is_full).then_some(total);
        }
        let bench = self.bounds.len() - 1;
        let mut best: Option<i64> = None;
        for group in 0..=bench {
            let is_torn = (0..player).any(|other| self.together_but_apart(other, player, seats, group));
            if is_torn || filled(group, seats) == self.bounds[group].1 {
                continue;
            }
            let mates = (0..player).filter(|&other| seats[other] == group && group != bench);
            let Some(more) = mates.map(|other| (self.cost)(other, player)).sum::<Option<i64>>() else {
                continue;
            };
            seats.push(group);
            let found = self.place(seats, n, total + more);
            seats.pop();
            best = match (best, found) {
                (Some(a), Some(b)) => Some(a.min(b)),
                (a, b) => a.or(b),
            };
        }
        best
    }

    fn together_but_apart(&self, other: usize, player: usize, seats: &[usize], group: usize) -> bool {
        (self.together)(other, player) && seats[other] != group
    }
}

/// The groups of a report, as ids.
pub(crate) fn groups(document: &Value) -> Vec<Vec<String>> {
    let text = |id: &Value| id.as_str().map_or_else(|| id.to_string(), str::to_owned);
    let members = |group: &Value| -> Vec<String> {
        let members = group["members"].as_array().expect("members");
        members.iter().map(text).collect()
    };
    let groups = document["groups"].as_array().expect("groups");
    groups.iter().map(members).collect()
}

/// The exact total of a report, where it is an integer.
fn total(document: &Value) -> Option<i64> {
    document["cost"]["exact"].as_str()?.parse().ok()
}
