//! Who may meet whom, as the command line says: how far apart in rating, and of which regions.

use std::collections::HashSet;

use matching_core::Cost;
use matchmaking::{Pool, PoolLimits, Separation};
use serde::Serialize;
use serde_json::value::RawValue;

use super::pool::DECIMALS;
use super::prices;
use crate::cli::args::PairArgs;
use crate::cli::decimal::{Decimal, DecimalError};
use crate::cli::failure::Failure;
use crate::cli::json::literal;
use crate::cli::names::{Id, Names};
use crate::cli::rematches::{each_at, named};
use crate::cli::text::{counted, say, wrapped};

/// In place of a price.
const FORBIDDEN: &str = "forbidden";

/// No two ratings of a pool are so far apart but for the most extreme ones, in millionths.
const MOST: i64 = 1_000_000_000_000_000;

/// What `--gap-limit`, `--gap-growth` and `--region-cost` say, in millionths.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    gap: Option<i64>,
    growth: Option<i64>,
    regions: Option<Regions>,
}

/// What becomes of pairs whose regions differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Regions {
    Cost(i64),
    Forbidden,
}

impl Limits {
    pub(super) fn read(args: &PairArgs) -> Result<Self, Failure> {
        let points = |option, text: &Option<String>| text.as_deref().map(|text| points(option, text)).transpose();
        let regions = args.region_cost.as_deref().map(|text| match text {
            FORBIDDEN => Ok(Regions::Forbidden),
            text if Decimal::parse(text.trim().as_bytes()) == Err(DecimalError::NotANumber) => Err(Failure::Usage {
                option: "--region-cost",
                problem: format!("{text:?} is not a number; write one like 0.25, or {FORBIDDEN}"),
            }),
            text => prices::on_grid("--region-cost", text).map(Regions::Cost),
        });
        Ok(Self {
            gap: points("--gap-limit", &args.gap_limit)?,
            growth: points("--gap-growth", &args.gap_growth)?,
            regions: regions.transpose()?,
        })
    }

    /// The same in a total that is to be great, from which prices are taken off.
    pub(super) fn taken_off(self) -> Self {
        let regions = self.regions.map(|regions| match regions {
            Regions::Cost(cost) => Regions::Cost(-cost),
            Regions::Forbidden => Regions::Forbidden,
        });
        Self { regions, ..self }
    }

    /// For a pool.
    pub(super) fn of(self, pool: &Pool) -> Result<PoolLimits<'_>, matchmaking::Error> {
        // Below 2^53, so that nothing is lost on the way.
        let number = |millionths: i64| millionths as f64 / PoolLimits::SCALE as f64;
        let mut limits = PoolLimits::new(pool);
        if let Some(gap) = self.gap {
            limits = limits.with_gap_limit(number(gap))?;
        }
        if let Some(growth) = self.growth {
            limits = limits.with_gap_growth(number(growth))?;
        }
        match self.regions {
            Some(Regions::Cost(cost)) => limits.with_region_cost(cost),
            Some(Regions::Forbidden) => Ok(limits.with_regions_apart()),
            None => Ok(limits),
        }
    }

    /// What a pair costs more whose regions differ, where the command line says.
    pub(super) fn region_cost(self) -> Option<i64> {
        match self.regions? {
            Regions::Cost(cost) => Some(cost),
            Regions::Forbidden => None,
        }
    }

    fn is_given(self) -> bool {
        self.gap.is_some() || self.regions.is_some()
    }

    /// Columns that change nothing, and limits that do not.
    pub(super) fn warnings(self, pool: &Pool) -> Vec<String> {
        let mut warnings = Vec::new();
        let has_regions = has_regions(pool);
        let has_waits = pool.players().iter().any(|player| player.wait.is_some());
        match self.regions {
            None if has_regions => warnings
                .push("column \"region\" does not change one-on-one pairing: players of all regions may meet".into()),
            Some(_) if !has_regions => {
                warnings.push("--region-cost changes nothing: no two players are of different regions".into());
            }
            _ => {}
        }
        match self.growth {
            None if has_waits => warnings.push("column \"wait\" does not change one-on-one pairing".into()),
            Some(_) if !has_waits => {
                warnings.push("--gap-growth changes nothing: nobody has a wait in column \"wait\"".into());
            }
            _ => {}
        }
        warnings
    }
}

/// Whether players of different regions are there, as the library tells them.
fn has_regions(pool: &Pool) -> bool {
    let regions = pool.players().iter().filter_map(|player| player.region.as_deref());
    let regions: HashSet<&str> = regions.filter(|region| !region.is_empty()).collect();
    regions.len() > 1
}

/// A number of rating points, on the grid.
fn points(option: &'static str, text: &str) -> Result<i64, Failure> {
    let usage = |problem| Failure::Usage { option, problem };
    let decimal = prices::decimal(option, text, DECIMALS)?;
    if decimal.decimals() > DECIMALS {
        return Err(usage(format!(
            "{text:?} has more than {DECIMALS} decimals, and ratings are read to as many"
        )));
    }
    let value = decimal.on_grid(DECIMALS).and_then(|value| i64::try_from(value).ok());
    value.filter(|value| (0..=MOST).contains(value)).ok_or_else(|| {
        let most = Decimal::new(MOST.into(), DECIMALS);
        usage(format!("{text:?} does not lie between 0 and {most} rating points"))
    })
}

/// The limits of a report, and what they mean for it.
#[derive(Debug)]
pub(super) struct Limited {
    limits: Limits,
    /// Pairs that may not meet, but for those of whom one avoids the other.
    ruled_out: usize,
    pairs: usize,
    /// Pairs of the answer whose regions differ, where they have a price.
    across: Option<Vec<(usize, usize)>>,
}

impl Limited {
    /// What there is to report, where there are limits: some of the pairs may be found.
    pub(super) fn of(
        limits: Limits,
        (pool, beyond): (&PoolLimits<'_>, usize),
        found: impl Iterator<Item = (usize, usize)>,
    ) -> Option<Self> {
        let n = pool.len();
        let across = |_| found.filter(|&(i, j)| pool.regions_differ(i, j)).collect();
        limits.is_given().then(|| Self {
            ruled_out: beyond - pool.pool().avoided_pairs().count(),
            pairs: n * n.saturating_sub(1) / 2,
            across: limits.region_cost().map(across),
            limits,
        })
    }

    /// Behind what is asked for.
    pub(super) fn headline(&self) -> String {
        let Limits { gap, growth, regions } = self.limits;
        let gap = gap.map_or_else(String::new, |gap| format!(", no gap above {}", number(gap)));
        let growth = growth.filter(|&growth| growth > 0);
        let growth = growth.map_or_else(String::new, |growth| {
            format!(" and {} for each second waited", number(growth))
        });
        let apart = match regions {
            Some(Regions::Forbidden) => ", regions apart",
            _ => "",
        };
        format!("{gap}{growth}{apart}")
    }

    /// Whether prices are in the totals.
    pub(super) fn has_price(&self) -> bool {
        self.limits.region_cost().is_some()
    }

    /// What a pair costs more whose regions differ.
    pub(super) fn region_cost(&self) -> Option<Decimal> {
        self.limits.region_cost().map(number)
    }

    /// Who meets across regions; costs are called by this noun.
    pub(super) fn say(&self, out: &mut String, names: &Names<'_>, noun: &str) {
        let (Some(across), Some(cost)) = (&self.across, self.region_cost()) else {
            return;
        };
        if across.is_empty() {
            return say(out, format_args!("\nno pair is of two regions"));
        }
        let (count, verb) = (
            counted(across.len(), "pair"),
            if across.len() == 1 { "is" } else { "are" },
        );
        let (each, all) = (each_at(cost, noun), named(names, across));
        say(out, format_args!("\n{count} {verb} of two regions, {each}: {all}"));
    }

    /// What to relax where there is no answer.
    pub(super) fn advise(&self, out: &mut String) {
        if self.ruled_out == 0 {
            return;
        }
        let mut ways = Vec::new();
        if self.limits.gap.is_some() {
            ways.push("a greater --gap-limit or --gap-growth");
        }
        if self.limits.regions == Some(Regions::Forbidden) {
            ways.push("a price for --region-cost in place of forbidden");
        }
        let (ruled_out, pairs) = (self.ruled_out, counted(self.pairs, "pair"));
        let text = format!(
            "the limits rule out {ruled_out} of {pairs}; relax them by {}",
            ways.join(", or by ")
        );
        wrapped(out, "", &text);
    }

    pub(super) fn document<'a>(&self, names: &'a Names<'_>) -> Document<'a> {
        let pair = |&(i, j): &(usize, usize)| (names.id(i), names.id(j));
        let across = |pairs: &Vec<(usize, usize)>| pairs.iter().map(pair).collect();
        Document {
            gap_limit: self.limits.gap.map(|gap| literal(number(gap))),
            gap_growth: self.limits.growth.map(|growth| literal(number(growth))),
            region_cost: self.limits.regions.map(|regions| match regions {
                Regions::Cost(cost) => RegionCost::Number(literal(number(cost))),
                Regions::Forbidden => RegionCost::Word(FORBIDDEN),
            }),
            ruled_out: self.ruled_out,
            across_regions: self.across.as_ref().map(across),
        }
    }

    /// Why two may not meet, a line each.
    pub(super) fn reasons(&self, pool: &Pool, (a, b): (usize, usize), separations: &[Separation]) -> Vec<String> {
        let reason = |separation: &Separation| match *separation {
            Separation::Gap { limit, .. } => {
                let base = self.limits.gap.unwrap_or(limit);
                let wait = |player: usize| pool.players()[player].wait.unwrap_or(0.0);
                let grown = match limit - base {
                    0 => String::new(),
                    more => {
                        let (base, more, wait) = (number(base), number(more), wait(a).max(wait(b)));
                        format!(": {base}, and {more} as one of them has waited for {wait} s")
                    }
                };
                format!("{separation}{grown}")
            }
            _ => separation.to_string(),
        };
        separations.iter().map(reason).collect()
    }
}

fn number(millionths: i64) -> Decimal {
    Decimal::new(millionths.into(), DECIMALS)
}

/// The same for scripts.
#[derive(Serialize)]
pub(super) struct Document<'a> {
    gap_limit: Option<Box<RawValue>>,
    gap_growth: Option<Box<RawValue>>,
    region_cost: Option<RegionCost>,
    /// Pairs that may not meet, but for those of whom one avoids the other.
    ruled_out: usize,
    /// Where regions have a price.
    #[serde(skip_serializing_if = "Option::is_none")]
    across_regions: Option<Vec<(Id<'a>, Id<'a>)>>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum RegionCost {
    Number(Box<RawValue>),
    Word(&'static str),
}

/// Why two may not meet.
#[derive(Serialize)]
pub(super) struct Reason {
    reason: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    gap: Option<Box<RawValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    limit: Option<Box<RawValue>>,
}

impl Reason {
    pub(super) fn new(separation: &Separation) -> Self {
        let (reason, numbers) = match *separation {
            Separation::Avoided => ("avoid", None),
            Separation::Gap { gap, limit } => ("gap", Some((gap, limit))),
            Separation::Regions => ("region", None),
            // A reason that this program does not know.
            _ => ("other", None),
        };
        Self {
            reason,
            gap: numbers.map(|(gap, _)| literal(number(gap))),
            limit: numbers.map(|(_, limit)| literal(number(limit))),
        }
    }
}
