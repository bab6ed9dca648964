//! Why this pair plays, or does not, and what if.

use std::time::Instant;

use matching_core::verify::VerifyError;
use matching_core::{BMatching, Blossom, DegreeWitness, DegreesExplanation, DegreesWhatIf, Instance, Objective};

use super::solve::Solved;
use crate::cli::pair::explain::{About, Asked, Explained, WhatIf};
use crate::cli::pair::report::status;
use crate::cli::pair::solve::{Settings, SolveError, Weight};

/// A question and its answer, to be asked again with one pair forced or forbidden.
pub(super) struct Question<'a, V: Weight> {
    pub(super) graph: Asked<'a, V>,
    pub(super) objective: &'a Objective<V>,
    /// With what the answer has left of the limits.
    pub(super) settings: Settings,
    pub(super) solved: &'a Solved<V>,
}

impl<V: Weight> Question<'_, V> {
    /// What the pair costs, and the best games with it and without it: one of the two is the answer.
    pub(super) fn explain(&self, (a, b): (usize, usize), about: About) -> Result<Explained, SolveError> {
        let Some(answer) = &self.solved.answer else {
            return Ok(self.explain_none((a, b), about));
        };
        let start = Instant::now();
        let explanation = match self.graph {
            Asked::List(edges) => self.ask(edges, answer, (a, b))?,
            Asked::Table(table) => self.ask(table, answer, (a, b))?,
        };
        let gone = start.elapsed();
        let told = |what_if: &DegreesWhatIf<V>| match what_if.witness() {
            // That there is none is known, and why is not.
            Some(witness) if is_silent(witness) => WhatIf {
                status: "unknown",
                stopped: self.settings.stopped_after(gone),
                ..WhatIf::none()
            },
            _ => told(what_if),
        };
        Ok(Explained {
            pair: (a, b),
            cost: explanation.cost().map(Into::into),
            is_chosen: explanation.is_chosen(),
            about,
            forced: explanation.forced().map(told),
            forbidden: told(explanation.forbidden()),
            work: [explanation.forced(), Some(explanation.forbidden())]
                .into_iter()
                .filter_map(|what_if| what_if?.work())
                .sum(),
        })
    }

    /// Asks, and checks the answer.
    fn ask<I: Instance<Value = V>>(
        &self,
        graph: &I,
        answer: &BMatching<V>,
        (a, b): (usize, usize),
    ) -> Result<DegreesExplanation<V>, SolveError> {
        let ask = |blossom: &Blossom<V>| blossom.explain_degrees(graph, answer, a, b);
        let explanation = self.settings.ask(self.objective, ask);
        let explanation = explanation.map_err(SolveError::Refused)?;
        match explanation.verify(graph, answer) {
            Ok(()) => {}
            // All else was found right, and what has no proof is not told.
            Err(VerifyError::Deficiency { .. }) if has_silence(&explanation) => {}
            Err(error) => return Err(SolveError::Unverified(error)),
        }
        Ok(explanation)
    }

    /// Where there are no such games, there are none with one more condition, and where that is not known, no more is.
    fn explain_none(&self, (a, b): (usize, usize), about: About) -> Explained {
        let cost = self.graph.weight(a.min(b), a.max(b)).map(Into::into);
        let none = || WhatIf {
            status: status(&self.solved.outcome),
            ..WhatIf::none()
        };
        Explained {
            pair: (a, b),
            cost,
            is_chosen: false,
            about,
            forced: cost.map(|_: i128| none()),
            forbidden: none(),
            work: 0,
        }
    }
}

/// In the words of the report.
fn told<V: Weight>(what_if: &DegreesWhatIf<V>) -> WhatIf {
    let (status, stopped) = WhatIf::words(what_if.status());
    WhatIf {
        status,
        pairs: what_if.pairs().map(|pairs| pairs.len()),
        cost: what_if.cost(),
        change: what_if.change(),
        added: what_if.added().map(|(u, v, _)| (u, v)).collect(),
        dropped: what_if.dropped().map(|(u, v, _)| (u, v)).collect(),
        stopped,
    }
}

/// Whether there is no proof that there are no such games.
fn is_silent(witness: &DegreeWitness) -> bool {
    witness.missing() == 0
}

fn has_silence<V: Weight>(explanation: &DegreesExplanation<V>) -> bool {
    let both = [explanation.forced(), Some(explanation.forbidden())];
    let mut witnesses = both.into_iter().flatten().filter_map(DegreesWhatIf::witness);
    witnesses.any(is_silent)
}
