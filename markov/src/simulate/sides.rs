//! Games of one against one, with sides to choose or zones to play in.
//!
//! Reference: M. Xu, Y. Yu, C. Wu, "Rule designs for optimal online game matchmaking", 2018, sections IV and V.

use std::collections::VecDeque;

use super::Run;
use super::queue::{Arrivals, Report};
use crate::error::Error;

const A: usize = 0;
const B: usize = 1;
const FREE: usize = 2;
const PLAYERS: &[u8] = &[1, 1, 1];

/// A game needs a player for either side; some insist on side A, some on side B, and some do not care. Whoever arrives
/// plays the one that has waited longest of those that fit. Classes: A, B, choice-free.
///
/// # Errors
/// [`Error::Parameter`] for rates that are negative, not finite, or all zero; [`Error::Unstable`] where choice-free
/// players are not more than what one side has too much, so that the queue of that side has no long run.
pub fn sides(a: f64, b: f64, free: f64, run: Run) -> Result<Report, Error> {
    let arrivals = Arrivals::new(&[("a", a), ("b", b), ("free", free)], run.seed())?;
    let drift = ((a - b).abs() - free) / (a + b + free);
    if drift >= 0.0 {
        return Err(Error::Unstable { drift });
    }
    let mut waiting: [VecDeque<f64>; 3] = Default::default();
    Ok(arrivals.run(run, PLAYERS, |now, class, leavers| {
        let opponents: &[usize] = match class {
            A => &[B, FREE],
            B => &[A, FREE],
            _ => &[A, B, FREE],
        };
        // Those that could play each other have already gone, so that at most one class of opponents waits.
        match opponents.iter().copied().find(|&other| !waiting[other].is_empty()) {
            Some(other) => {
                if let Some(since) = waiting[other].pop_front() {
                    leavers.leave(other, now - since);
                    leavers.leave(class, 0.0);
                }
            }
            None => waiting[class].push_back(now),
        }
    }))
}

/// Two zones: players of zone A play each other, as do those of zone B, and choice-free players queue in both. Whoever
/// arrives plays the one that has waited longest in a zone they share. Classes: A, B, choice-free.
///
/// # Errors
/// [`Error::Parameter`] for rates that are negative, not finite, or all zero.
pub fn two_zones(a: f64, b: f64, free: f64, run: Run) -> Result<Report, Error> {
    let arrivals = Arrivals::new(&[("a", a), ("b", b), ("free", free)], run.seed())?;
    let mut waiting: Vec<(usize, f64)> = Vec::new();
    Ok(arrivals.run(run, PLAYERS, |now, class, leavers| {
        let shares_a_zone = |other: usize| other == class || other == FREE || class == FREE;
        // The list is in order of arrival.
        match waiting.iter().position(|&(other, _)| shares_a_zone(other)) {
            Some(at) => {
                let (other, since) = waiting.remove(at);
                leavers.leave(other, now - since);
                leavers.leave(class, 0.0);
            }
            None => waiting.push((class, now)),
        }
    }))
}
