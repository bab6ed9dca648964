//! What different parties cost, for many splits at a time.

use super::tables::fixed;
use crate::lobby::premade::{Premade, partitions};
use crate::lobby::rules::{MAX_TEAM_SIZE, Rules};

/// The loss of different parties, from one number per player that is summed over each team.
///
/// The sum of squared party sizes of a team is the sum over its players of their party's size. So that rule is as
/// linear as skills are. In teams of up to three, the difference between two such sums says which parties they have,
/// whatever the rule. Other rules look the two teams up.
#[derive(Clone, Debug)]
pub(super) enum PremadeLoss {
    /// The absolute difference is the loss in units.
    Linear {
        /// Units for each member of a party.
        unit: i32,
    },
    /// The loss rises by these units where the absolute difference of sums of squares reaches 2, 4 and 6.
    Steps([i32; 3]),
    /// The two sums name the rows.
    Table(PartyTable),
}

/// The loss of every two kinds of teams.
#[derive(Clone, Debug)]
pub(super) struct PartyTable {
    /// A number for each party size, such that no two kinds of teams have the same sum over players.
    codes: [i32; MAX_TEAM_SIZE + 1],
    /// The kind of team of each sum.
    kinds: Vec<u8>,
    /// Units lost, row by row.
    losses: Vec<i32>,
    count: usize,
}

impl PremadeLoss {
    pub(super) fn new(rules: &Rules, share: f64) -> Self {
        let size = rules.team_size;
        let loss = |red: &[usize], blue: &[usize]| fixed(share * (1.0 - rules.premade.score(size, red, blue)));
        match (size, &rules.premade) {
            (1, _) => Self::Linear { unit: 0 },
            (2, _) => Self::Steps([loss(&[2], &[1, 1]), 0, 0]),
            (3, _) => {
                let [solos, duo, trio] = [&[1, 1, 1][..], &[2, 1], &[3]];
                let losses = [loss(duo, solos), loss(trio, duo), loss(trio, solos)];
                Self::Steps([losses[0], losses[1] - losses[0], losses[2] - losses[1]])
            }
            (_, Premade::Squares) => Self::Linear {
                unit: fixed(share / (size * size - size) as f64),
            },
            _ => Self::Table(PartyTable::new(size, loss)),
        }
    }

    /// What a member of a party of this size adds to a team's sum.
    pub(super) fn part(&self, party_size: usize) -> i32 {
        match self {
            Self::Linear { unit } => unit * party_size as i32,
            Self::Steps(_) => party_size as i32,
            Self::Table(table) => table.codes[party_size],
        }
    }
}

impl PartyTable {
    fn new(team_size: usize, loss: impl Fn(&[usize], &[usize]) -> i32) -> Self {
        let teams = partitions(team_size);
        let codes = codes(team_size, &teams);
        let sums: Vec<usize> = teams.iter().map(|team| sum(&codes, team) as usize).collect();
        let mut kinds = vec![0; sums.iter().max().map_or(0, |max| max + 1)];
        for (kind, &sum) in sums.iter().enumerate() {
            kinds[sum] = kind as u8;
        }
        let losses = teams
            .iter()
            .flat_map(|red| teams.iter().map(|blue| loss(red, blue)).collect::<Vec<_>>());
        Self {
            codes,
            kinds,
            losses: losses.collect(),
            count: teams.len(),
        }
    }

    /// The loss of two teams with these sums. Sums that no teams have are those of divided parties; they lose nothing
    /// here, they have lost enough.
    pub(super) fn loss(&self, red: i32, blue: i32) -> i32 {
        let kind = |sum: i32| usize::try_from(sum).ok().and_then(|sum| self.kinds.get(sum)).copied();
        match (kind(red), kind(blue)) {
            (Some(red), Some(blue)) => self.losses[usize::from(red) * self.count + usize::from(blue)],
            _ => 0,
        }
    }
}

/// A number for each party size: the least ones, size by size, that keep the sums of all teams apart.
fn codes(team_size: usize, teams: &[Vec<usize>]) -> [i32; MAX_TEAM_SIZE + 1] {
    let mut codes = [0; MAX_TEAM_SIZE + 1];
    for size in 2..=team_size {
        let so_far: Vec<&Vec<usize>> = teams.iter().filter(|team| team[0] <= size).collect();
        let is_apart = |codes: &[i32; MAX_TEAM_SIZE + 1]| {
            let mut sums: Vec<i32> = so_far.iter().map(|team| sum(codes, team)).collect();
            sums.sort_unstable();
            sums.windows(2).all(|pair| pair[0] < pair[1])
        };
        codes[size] += 1;
        while !is_apart(&codes) {
            codes[size] += 1;
        }
    }
    codes
}

fn sum(codes: &[i32; MAX_TEAM_SIZE + 1], team: &[usize]) -> i32 {
    team.iter().map(|&size| size as i32 * codes[size]).sum()
}
