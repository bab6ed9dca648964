//! Pools of players: what two of them cost, and who stays together.

use std::collections::HashMap;

use matching_core::Cost;
use matchmaking::Pool;

use super::args::{GroupArgs, OPTION_DECIMALS};
use super::problem::Scale;
use crate::cli::decimal::Decimal;
use crate::cli::failure::Failure;
use crate::cli::{output, rematches};

/// More players than this have more pairs than can be numbered in 31 bits.
pub(super) const PLAYER_LIMIT: usize = 65_535;

/// Ratings and waits are read to so many decimals.
const POOL_DECIMALS: u32 = 6;

/// A rating or a wait times a weight, halved: the finest grid that is met.
const FINEST: u32 = POOL_DECIMALS + OPTION_DECIMALS + 1;

/// What a wait is short of, a rating, a cap: below this on the grid, so that a pair fits 64 bits.
const MOST: i128 = 1 << 60;

/// A smaller weight may have more decimals, which is no help.
const TOO_MANY_DIGITS: &str = "costs do not fit into 64 bits: give weights and costs with fewer decimals, or ratings \
                               and waits that are rounder or closer to 0";

/// `|rating difference|`, capped, and what two regions cost, and what the mean wait falls short of the players'
/// patience, and what recent opponents cost. Exact integers on the coarsest grid that holds all of it.
#[derive(Debug)]
pub(super) struct PoolCost<'p> {
    pool: &'p Pool,
    /// Asked once: the pool goes through all its players for it, and the search asks for every pair.
    has_avoided: bool,
    ratings: Vec<i64>,
    cap: i64,
    /// 0 for no region.
    regions: Vec<u32>,
    region_cost: i64,
    /// What recent opponents cost more.
    rematch: i64,
    /// Half of what each player has waited.
    waits: Vec<i64>,
    patience: i64,
}

impl<'p> PoolCost<'p> {
    /// The costs and their grid.
    pub(super) fn new(pool: &'p Pool, args: &GroupArgs) -> Result<(Self, Scale), Failure> {
        let option = |given: Option<Decimal>, default: i128| {
            let number = given.unwrap_or(Decimal::new(default, 0));
            number.on_grid(OPTION_DECIMALS).unwrap_or(0)
        };
        let rating_weight = option(args.rating_weight, 1);
        let wait_weight = option(args.wait_weight, 1);
        let millionths = |value: f64| (value * 10f64.powi(POOL_DECIMALS as i32)).round() as i128;
        let players = pool.players();
        // Everything in units of 10^-13: decimals of a rating or an option, of a weight, and one for a half.
        let whole = |product: i128| 10 * product;
        let ratings: Vec<i128> = players
            .iter()
            .map(|player| whole(millionths(player.rating) * rating_weight))
            .collect();
        let waits: Vec<i128> = players
            .iter()
            .map(|player| whole(millionths(player.wait.unwrap_or(0.0)) * wait_weight) / 2)
            .collect();
        let cap = whole(option(args.rating_cap, 800) * rating_weight);
        let patience = whole(option(args.patience, 60) * wait_weight);
        let region_cost = whole(option(args.region_cost, 150) * 10i128.pow(OPTION_DECIMALS));
        let rematch = whole(option(args.rematch_cost, 0) * 10i128.pow(OPTION_DECIMALS));
        let all = ratings.iter().chain(&waits);
        let all = all.chain([&cap, &patience, &region_cost, &rematch]);
        let unit = all.clone().fold(10i128.pow(FINEST), |unit, &value| gcd(unit, value));
        if all.clone().any(|value| value.abs() / unit >= MOST) {
            return Err(Failure::Usage {
                option: "--rating-weight, --wait-weight",
                problem: TOO_MANY_DIGITS.to_owned(),
            });
        }
        let on_grid = |value: &i128| (value / unit) as i64;
        let cost = Self {
            pool,
            has_avoided: pool.has_avoided(),
            ratings: ratings.iter().map(on_grid).collect(),
            cap: on_grid(&cap),
            regions: regions(pool),
            region_cost: on_grid(&region_cost),
            rematch: on_grid(&rematch),
            waits: waits.iter().map(on_grid).collect(),
            patience: on_grid(&patience),
        };
        let decimals = FINEST;
        Ok((cost, Scale { unit, decimals }))
    }
}

fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a.abs() } else { gcd(b, a % b) }
}

/// Regions as numbers from 1; 0 for players without one.
fn regions(pool: &Pool) -> Vec<u32> {
    let mut numbers: HashMap<&str, u32> = HashMap::new();
    let mut number = |region| {
        let next = numbers.len() as u32 + 1;
        *numbers.entry(region).or_insert(next)
    };
    let players = pool.players().iter();
    players
        .map(|player| player.region.as_deref().map_or(0, &mut number))
        .collect()
}

impl Cost for PoolCost<'_> {
    type Value = i64;

    fn len(&self) -> usize {
        self.ratings.len()
    }

    fn pair(&self, i: usize, j: usize) -> i64 {
        let rating = (self.ratings[i] - self.ratings[j]).abs().min(self.cap);
        let (a, b) = (self.regions[i], self.regions[j]);
        let region = if a != 0 && b != 0 && a != b {
            self.region_cost
        } else {
            0
        };
        let wait = (self.patience - self.waits[i] - self.waits[j]).max(0);
        let rematch = if self.rematch > 0 && self.pool.is_rematch(i, j) {
            self.rematch
        } else {
            0
        };
        rating + region + wait + rematch
    }

    fn is_allowed(&self, i: usize, j: usize) -> bool {
        self.pool.may_meet(i, j)
    }

    fn has_forbidden(&self) -> bool {
        self.has_avoided
    }

    fn is_symmetric(&self) -> bool {
        true
    }
}

/// What the pool holds that the grouping does not use.
pub(super) fn warnings(pool: &Pool, args: &GroupArgs) -> Vec<String> {
    let mut warnings = output::unused("column", pool.unknown_columns());
    if args.roles.is_empty() && pool.players().iter().any(|player| !player.roles.is_empty()) {
        warnings.push("column \"roles\" changes nothing without --roles".into());
    }
    warnings.extend(rematches::warning(pool, args.rematch_cost.is_some()));
    if pool.players().iter().any(|player| player.games_wanted.is_some()) {
        warnings.push("column \"games_wanted\" does not change groups: it is for `pair --games`".into());
    }
    warnings
}
