//! Recent opponents who meet again, and what that costs.

use matchmaking::Pool;
use serde::Serialize;
use serde_json::value::RawValue;

use super::decimal::Decimal;
use super::json::literal;
use super::names::{Id, Names};
use super::text::{counted, say};

/// Who meets again, where the command line says what that costs.
#[derive(Debug)]
pub(crate) struct Rematches {
    /// What each pair of recent opponents adds to the total.
    pub(crate) cost: Decimal,
    pub(crate) pairs: Vec<(usize, usize)>,
}

/// The same for scripts.
#[derive(Serialize)]
pub(crate) struct Document<'a> {
    cost: Box<RawValue>,
    pairs: Vec<(Id<'a>, Id<'a>)>,
}

impl Rematches {
    /// Those of these pairs who have met of late.
    pub(crate) fn among(pool: &Pool, cost: Decimal, pairs: impl Iterator<Item = (usize, usize)>) -> Self {
        let pairs = pairs.filter(|&(i, j)| pool.is_rematch(i, j)).collect();
        Self { cost, pairs }
    }

    /// For people; costs are called by this noun.
    pub(crate) fn say(&self, out: &mut String, names: &Names<'_>, noun: &str) {
        if self.pairs.is_empty() {
            return say(out, format_args!("\nno pair of recent opponents meets again"));
        }
        let (each, all) = (each_at(self.cost, noun), named(names, &self.pairs));
        let count = counted(self.pairs.len(), "pair");
        let verb = if self.pairs.len() == 1 { "meets" } else { "meet" };
        say(
            out,
            format_args!("\n{count} of recent opponents {verb} again, {each}: {all}"),
        );
    }

    pub(crate) fn document<'a>(&self, names: &'a Names<'_>) -> Document<'a> {
        let pairs = self.pairs.iter().map(|&(i, j)| (names.id(i), names.id(j)));
        Document {
            cost: literal(self.cost),
            pairs: pairs.collect(),
        }
    }
}

/// What each of some pairs costs more, or less.
pub(crate) fn each_at(cost: Decimal, noun: &str) -> String {
    let (each, more) = if cost.to_f64() < 0.0 {
        (cost.negated(), "less")
    } else {
        (cost, "more")
    };
    format!("each at {each} {more} {noun}")
}

/// All of some pairs.
pub(crate) fn named(names: &Names<'_>, pairs: &[(usize, usize)]) -> String {
    let name = |&(i, j): &(usize, usize)| format!("{} and {}", names.text(i), names.text(j));
    pairs.iter().map(name).collect::<Vec<_>>().join(", ")
}

/// Recent opponents without a price, or a price without them.
pub(crate) fn warning(pool: &Pool, has_price: bool) -> Option<String> {
    let are_named = pool.players().iter().any(|player| !player.opponents.is_empty());
    if !has_price {
        let text = "column \"opponents\" changes nothing without --rematch-cost: recent opponents may meet again";
        return are_named.then(|| text.to_owned());
    }
    let lack = if are_named {
        "column \"opponents\" names nobody else of the pool"
    } else {
        "nobody has anybody in column \"opponents\""
    };
    (pool.rematches().next().is_none()).then(|| format!("--rematch-cost changes nothing: {lack}"))
}
