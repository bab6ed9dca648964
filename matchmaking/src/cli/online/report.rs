//! What there is to report, before it becomes text or JSON.

use matching_core::StopReason;
use matchmaking::online::{Account, Game, Games, Log, Setting, quantile};

use super::args::OnlineArgs;
use crate::cli::json::Spent;
use crate::cli::limits::word;

/// Games, and what is known of how good they are.
pub(super) struct Served {
    pub(super) games: Games,
    /// No games cost less, up to so much rounding; of the optimum.
    pub(super) bound: Option<(f64, f64)>,
    /// The limit that the optimum ended by.
    pub(super) stop: Option<StopReason>,
}

/// Everything that text and JSON show.
pub(super) struct Report<'a> {
    pub(super) args: &'a OnlineArgs,
    /// The file.
    pub(super) name: &'a str,
    pub(super) setting: &'a Setting,
    pub(super) log: &'a Log,
    pub(super) served: &'a Served,
    pub(super) account: &'a Account,
    pub(super) warnings: Vec<String>,
    pub(super) spent: Spent,
}

/// Shares of players, or of games, of which a report says what they do not exceed.
pub(super) const SHARES: [f64; 5] = [0.1, 0.5, 0.9, 0.99, 1.0];

impl Report<'_> {
    /// `optimal` where that is proven; a policy's games are one answer.
    pub(super) fn status(&self) -> &'static str {
        match self.served.bound {
            Some((bound, tolerance)) if self.account.total() <= bound + tolerance => "optimal",
            _ => "feasible",
        }
    }

    /// What no games cost less than. Rounding may have moved the solver's bound above the very cost that it proves, so
    /// what it can have moved it by is taken off; none cost less than nothing.
    pub(super) fn bound(&self) -> Option<f64> {
        self.served.bound.map(|(bound, tolerance)| (bound - tolerance).max(0.0))
    }

    /// The word for what ended it, where it kept the proof from closing: what costs no more than the bound is the best.
    pub(super) fn stopped(&self) -> Option<&'static str> {
        self.served.stop.filter(|_| self.status() != "optimal").map(word)
    }

    /// The ids of a game's players.
    pub(super) fn ids(&self, game: Game<'_>) -> Vec<String> {
        let id = |player: &u32| match &self.log.ids {
            Some(ids) => ids[*player as usize].clone(),
            None => player.to_string(),
        };
        game.players.iter().map(id).collect()
    }

    /// What the shares of [`SHARES`] do not exceed; none where there is nothing.
    pub(super) fn quantiles(ascending: &[f64]) -> Option<[f64; SHARES.len()]> {
        (!ascending.is_empty()).then(|| SHARES.map(|share| quantile(ascending, share).unwrap_or_default()))
    }
}
