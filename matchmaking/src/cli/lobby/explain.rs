//! Why somebody is in this match, or waits.

use matchmaking::lobby::{Exchange, Explanation, Flaw, Lobby, Rules, Stop};
use serde::Serialize;
use serde_json::Value;

use super::read::Source;
use super::report::INTERRUPT;
use crate::cli::asked;
use crate::cli::failure::Failure;
use crate::cli::limits::Limits;
use crate::cli::text::{Column, counted, printable, signed, table, wrapped};

/// So many exchanges are shown to people.
const SHOWN: usize = 8;

/// Below this a change is what rounding makes of none.
const NOTHING: f64 = 1e-9;

/// The player whom `--explain` names.
pub(super) fn player(source: &Source, id: &str) -> Result<usize, Failure> {
    asked::among(id, source.round.players().iter().map(|player| player.id.as_str()))
}

/// A player and what there is to say about him.
#[derive(Debug)]
pub(super) struct Explained {
    player: usize,
    explanation: Explanation,
}

/// The same for scripts.
#[derive(Serialize)]
pub(super) struct Document<'a> {
    player: &'a Value,
    party: Vec<&'a Value>,
    /// From 1, in the order of `matches`, as people are told; null for who waits.
    r#match: Option<usize>,
    /// That the player is in a running match already, and so changes places with nobody.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    stays: bool,
    exchanges: Vec<Row<'a>>,
    /// Exchanges that were not looked at: of one party against several, or, where a limit ended it, of whatever kind.
    exchanges_left_out: u64,
    /// The limit that ended it; null where none did.
    stopped: Option<&'static str>,
}

#[derive(Serialize)]
struct Row<'a> {
    /// Who comes: one party, or several smaller ones.
    with: Vec<&'a Value>,
    /// Who goes along with the player's party where a larger one comes.
    along: Vec<&'a Value>,
    r#match: Option<usize>,
    /// By how much the mean score rises; null where the exchange is not allowed.
    mean_score: Option<f64>,
    /// Whether it is better by the objective.
    better: Option<bool>,
    refused: Option<String>,
}

/// A match as it is told.
fn from_one(place: usize) -> usize {
    place + 1
}

/// Why an exchange may not be, with the match as it is told.
fn refusal(flaw: &Flaw) -> String {
    flaw.describe(|number| format!("match {}", from_one(number)))
}

fn is_better(exchange: &Exchange) -> bool {
    exchange.outcome.as_ref().is_ok_and(|change| change.gain > NOTHING)
}

impl Explained {
    /// Asks within limits.
    pub(super) fn of(
        (lobby, player): (&Lobby, usize),
        source: &Source,
        rules: &Rules,
        limits: &Limits,
    ) -> Result<Self, Flaw> {
        let explanation = lobby.explain_within(&source.round, rules, player, &limits.budget())?;
        Ok(Self { player, explanation })
    }

    /// The word for the limit that ended it, if one did.
    pub(super) fn stopped(&self) -> Option<&'static str> {
        match self.explanation.stop {
            Stop::Finished => None,
            Stop::Time => Some("time-limit"),
            _ => Some(INTERRUPT),
        }
    }

    pub(super) fn document<'a>(&self, source: &'a Source) -> Document<'a> {
        let ids = |players: &[usize]| players.iter().map(|&player| &source.ids[player]).collect();
        let row = |exchange: &Exchange| {
            let change = exchange.outcome.as_ref().ok();
            Row {
                with: ids(&exchange.parties.concat()),
                along: ids(&exchange.along.concat()),
                r#match: exchange.place.map(from_one),
                mean_score: change.map(|change| change.mean_score),
                better: change.map(|_| is_better(exchange)),
                refused: exchange.outcome.as_ref().err().map(refusal),
            }
        };
        Document {
            player: &source.ids[self.player],
            party: ids(&self.explanation.party),
            r#match: self.explanation.place.map(from_one),
            stays: self.explanation.stays,
            exchanges: self.explanation.exchanges.iter().map(row).collect(),
            exchanges_left_out: self.explanation.left_out,
            stopped: self.stopped(),
        }
    }

    /// For people: where he is, the exchanges that come closest, and what all of them say.
    pub(super) fn say(&self, out: &mut String, source: &Source) {
        let Explanation {
            party,
            place,
            stays,
            exchanges,
            ..
        } = &self.explanation;
        let names = |players: &[usize]| {
            let ids = players
                .iter()
                .map(|&player| printable(&source.round.players()[player].id));
            ids.collect::<Vec<_>>().join(", ")
        };
        let of =
            |place: Option<usize>| place.map_or_else(|| "waits".to_owned(), |at| format!("match {}", from_one(at)));
        let party = match party.len() {
            1 => "a party of one".to_owned(),
            many => format!("a party of {many} ({})", names(party)),
        };
        out.push('\n');
        if *stays {
            let running = place.map_or_else(String::new, |at| format!(" (match {} of the table)", from_one(at)));
            let said = format!(
                "{}, {party}, plays in a running match already{running}, and changes places with nobody.",
                names(&[self.player])
            );
            wrapped(out, "", &said);
            return;
        }
        let verb = if place.is_some() { "plays in " } else { "" };
        let place = of(*place);
        wrapped(out, "", &format!("{}, {party}, {verb}{place}.", names(&[self.player])));
        let allowed: Vec<&Exchange> = exchanges.iter().filter(|exchange| exchange.outcome.is_ok()).collect();
        let header = [
            Column::left("changes places with"),
            Column::left("who"),
            Column::right("mean score"),
        ];
        let rows = allowed.iter().take(SHOWN).map(|exchange| {
            let change = exchange.outcome.as_ref().map_or(0.0, |change| change.mean_score);
            let who = exchange
                .place
                .map_or_else(|| "waits".to_owned(), |at| format!("plays in match {}", at + 1));
            let mut with = names(&exchange.parties.concat());
            if !exchange.along.is_empty() {
                with = format!("{with} (along with {})", names(&exchange.along.concat()));
            }
            vec![with, who, signed(change, 5)]
        });
        if !allowed.is_empty() {
            *out += &table(&header, rows);
        }
        wrapped(out, "", &self.verdict(allowed.len()));
    }

    /// What all exchanges say together.
    fn verdict(&self, allowed: usize) -> String {
        let exchanges = &self.explanation.exchanges;
        let better = exchanges.iter().filter(|exchange| is_better(exchange));
        let is_between_matches = |exchange: &&Exchange| exchange.place.is_some() && self.explanation.place.is_some();
        let (of_matches, with_bench): (Vec<&Exchange>, Vec<&Exchange>) = better.partition(is_between_matches);
        let refused = match exchanges.len() - allowed {
            0 => String::new(),
            some => format!(", {some} of which the limits do not allow"),
        };
        let is_of_two = |exchange: &&Exchange| exchange.parties.len() == 1 && exchange.along.is_empty();
        let of_two = exchanges.iter().filter(is_of_two).count();
        let alike = |count| counted(count, "exchange") + " with a party of as many members";
        let several = match (of_two, exchanges.len() - of_two) {
            (of_two, 0) => alike(of_two),
            (0, some) => counted(some, "exchange") + " of one party against several",
            (of_two, some) => alike(of_two) + &format!(", {some} of one party against several"),
        };
        let some = match self.explanation.left_out {
            // There may be any number of them.
            u64::MAX => "more than 10^19".to_owned(),
            some => format!("{some} more"),
        };
        let left_out = match (self.explanation.left_out, self.stopped()) {
            (0, _) => String::new(),
            (_, None) => format!(" ({some} of these were not looked at)"),
            (_, Some(INTERRUPT)) => format!(" ({some} were not looked at, as an interrupt ended the explanation)"),
            (_, Some(limit)) => format!(" ({some} were not looked at, as the {limit} ended the explanation)"),
        };
        let first = format!("{several}{left_out}{refused}: ");
        match (of_matches.len(), with_bench.len()) {
            (0, 0) => first + "none makes the matches better.",
            (0, some) => {
                let makes = if some == 1 { "makes" } else { "make" };
                format!("{first}{some} {makes} them better, but who waits goes by priority and not by scores.")
            }
            (some, _) => {
                let makes = if some == 1 { "makes" } else { "make" };
                format!("{first}{some} between two matches {makes} them better: the search did not get that far.")
            }
        }
    }
}
