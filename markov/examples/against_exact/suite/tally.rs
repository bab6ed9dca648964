//! What was asked, and how it was answered.

use std::collections::BTreeMap;

/// How an answer was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Answer {
    /// With a proven bound, or without any error; or the refusal is right.
    Proven,
    /// Without a bound or with an estimated one, and it is right within that (or within what the check allows).
    Estimated,
    /// With an estimated bound that it misses.
    Missed,
    /// An error says that iterations ended early.
    NotConverged,
    /// An error says that the method does not apply.
    Refused,
}

/// Counts of cases and answers, and what was wrong.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    pub(crate) cases: BTreeMap<&'static str, usize>,
    pub(crate) answers: BTreeMap<&'static str, BTreeMap<Answer, usize>>,
    /// Estimated bounds over true errors.
    pub(crate) ratios: BTreeMap<&'static str, Vec<f64>>,
    pub(crate) failures: Vec<String>,
    /// The case at hand.
    pub(crate) case: String,
}

impl Tally {
    pub(crate) fn count(&mut self, what: &'static str, answer: Answer) {
        *self.answers.entry(what).or_default().entry(answer).or_default() += 1;
    }

    /// Notes how much wider an estimated bound is than the error.
    pub(crate) fn compare(&mut self, what: &'static str, bound: f64, error: f64) {
        self.ratios.entry(what).or_default().push(bound / error);
    }

    /// Counts an answer, or notes that it is wrong.
    pub(crate) fn expect(&mut self, what: &'static str, is_right: bool, answer: Answer, found: impl Fn() -> String) {
        if is_right {
            self.count(what, answer);
        } else {
            self.failures.push(format!("{what}: {}\n    {}", found(), self.case));
        }
    }
}
