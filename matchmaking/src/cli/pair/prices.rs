//! What the command line says that things cost.

use super::pool::DECIMALS;
use super::solve::Weight;
use crate::cli::args::PairArgs;
use crate::cli::decimal::{Decimal, DecimalError};
use crate::cli::failure::Failure;

/// Costs in millionths, as those of pairs are.
#[derive(Clone, Copy, Debug)]
pub(super) struct Prices {
    /// Of leaving a player of an odd pool without a game.
    pub(super) bye: Option<i64>,
    /// What a pair of recent opponents costs more.
    pub(super) rematch: Option<i64>,
}

impl Prices {
    pub(super) fn read(args: &PairArgs) -> Result<Self, Failure> {
        let price = |option, text: &Option<String>| text.as_deref().map(|text| on_grid(option, text)).transpose();
        let bye = price("--bye-cost", &args.bye_cost)?;
        if bye.is_some() && !args.objective.is_perfect() {
            return Err(Failure::Usage {
                option: "--bye-cost",
                problem: format!(
                    "{} leaves players without a game at no cost; byes are for min-perfect and max-perfect",
                    args.objective.word()
                ),
            });
        }
        let rematch = price("--rematch-cost", &args.rematch_cost)?;
        Ok(Self { bye, rematch })
    }
}

/// A price, whatever the grid; as many decimals as are named may have some place on it.
pub(super) fn decimal(option: &'static str, text: &str, decimals: u32) -> Result<Decimal, Failure> {
    let usage = |problem| Failure::Usage { option, problem };
    Decimal::parse(text.trim().as_bytes()).map_err(|error| match error {
        DecimalError::NotANumber => usage(format!("{text:?} is not a number; write one like 0.25")),
        DecimalError::TooWide => usage(format!("{text:?} is too large, or has more than {decimals} decimals")),
    })
}

/// A price on the grid.
pub(super) fn on_grid(option: &'static str, text: &str) -> Result<i64, Failure> {
    let usage = |problem| Failure::Usage { option, problem };
    let decimal = decimal(option, text, DECIMALS)?;
    if decimal.decimals() > DECIMALS {
        return Err(usage(format!(
            "{text:?} has more than {DECIMALS} decimals, and costs are in millionths"
        )));
    }
    let fits = |&value: &i64| value.unsigned_abs() < 1 << 60;
    let value = decimal.on_grid(DECIMALS).and_then(i64::from_wide).filter(fits);
    value.ok_or_else(|| usage(format!("{text:?} is too large; write one below 10^12")))
}
