//! How far gains of floats may be off from the least ones.
//!
//! Let `d` be the expected change of the gain by an action, and `v` its cost with the expected change of the value, less
//! the gain. What any policy costs per step is the long-run average of the gains at hand plus that of `v`, and a multiple
//! of the gains that is added to the values adds as large a multiple of `d` to each `v`. So a policy is better by no more
//! than the gains fall while it is followed, and the largest amount by which some `v` is below zero. Where no `d` is
//! negative gains never fall, and the multiple may be so large that an action with `d` above zero saves nothing. What is
//! missed then is what roundings hide: of `v`, of `d` as often as it is made up for by that multiple, and of falls.

use super::MultichainSolution;
use crate::mdp::Mdp;
use crate::mdp::improvement::ROUNDINGS;
use crate::scalar::Scalar;

/// An action that leads to other gains, and not surely to larger ones.
struct Way {
    state: usize,
    is_taken: bool,
    /// By how much the gain may be expected to fall; nothing for the action taken, whose gains these are.
    fall: f64,
    /// How much of that is rounding.
    rounding: f64,
    /// The expected absolute change of the gain, by moves whose gains differ by more than roundings.
    change: f64,
    /// Whether one of them leads to a smaller gain.
    leads_down: bool,
}

impl<T: Scalar> MultichainSolution<T> {
    /// How far each gain may be off: by roundings of its own, and by what better policies save. That is never more than
    /// the cheapest action does.
    pub(super) fn estimate(&self, mdp: &Mdp<T>) -> f64 {
        if T::EXACT {
            return 0.0;
        }
        let least = |numbers: &[T]| numbers.iter().map(Scalar::to_float).fold(f64::INFINITY, f64::min);
        let most = |numbers: &[T]| numbers.iter().map(Scalar::to_float).fold(f64::NEG_INFINITY, f64::max);
        let found = &self.found;
        let highest = most(&found.gains);
        let better = self.savings(mdp) + self.falls(mdp, least(&found.gains));
        let roundings = most(&found.gain_sizes) * mdp.len() as f64 * T::ratio(ROUNDINGS.0, ROUNDINGS.1).to_float();
        better.min((highest - least(&mdp.costs)).max(0.0)) + roundings
    }

    /// The largest amount by which an action may cost less than the gain, or that of the policy miss it, with the gains
    /// added to values as often as it takes for actions that lead to larger ones to save no more.
    fn savings(&self, mdp: &Mdp<T>) -> f64 {
        let (mut level, mut up) = (Vec::new(), Vec::new());
        for (state, &taken) in self.policy.iter().enumerate() {
            for action in 0..mdp.actions(state) {
                let ahead = self.ahead(mdp, state, action);
                let saving = (self.found.gains[state].clone() - &ahead.value).to_float();
                let hidden = ahead.value_error.to_float();
                let rise = ahead.lowest().to_float();
                if action == taken {
                    level.push((saving.abs() + hidden, 0.0));
                } else if rise > 0.0 {
                    up.push((saving + hidden, rise));
                } else {
                    level.push((saving + hidden, -rise));
                }
            }
        }
        let least = level.iter().map(|&(saving, _)| saving).fold(0.0, f64::max);
        let multiple = up
            .iter()
            .map(|(saving, rise)| (saving - least) / rise)
            .fold(0.0, f64::max);
        let with_gains = |&(saving, fall): &(f64, f64)| if fall > 0.0 { saving + multiple * fall } else { saving };
        level.iter().map(with_gains).fold(0.0, f64::max)
    }

    /// How far the gain may fall in the end by actions of which roundings hide that they lead to smaller ones.
    ///
    /// Let an action that changes the gain by `c` on the average, up or down, lower it by `f` each time. It is taken `m`
    /// times at most, as `m (c - f) / 2` is what the chain climbs above the gain of its state, and what it climbs is no
    /// more than what it falls below, less `m f`. With `b` from that state to the lowest gain, `m f <= 2 b f / (c + f)`.
    fn falls(&self, mdp: &Mdp<T>, lowest: f64) -> f64 {
        let ways = self.ways(mdp);
        // Between gains that are equal but for roundings a policy may go to and fro, whatever its moves to others are:
        // all that is known of these is then as good as such gains are.
        let is_blurred = ways.iter().any(|way| !way.is_taken && way.change == 0.0);
        let mut falls = vec![0.0_f64; mdp.len()];
        for way in ways.iter().filter(|way| way.leads_down) {
            let fall = if is_blurred { way.fall + way.rounding } else { way.fall };
            if fall > 0.0 {
                let below = self.found.gains[way.state].to_float() - lowest;
                let share = 2.0 * fall / ((way.change - way.rounding).max(0.0) + fall);
                falls[way.state] = falls[way.state].max(below * share.min(1.0));
            }
        }
        // From one state to the next the gain may fall further.
        falls.iter().sum()
    }

    fn ways(&self, mdp: &Mdp<T>) -> Vec<Way> {
        let mut ways = Vec::new();
        for (state, &taken) in self.policy.iter().enumerate() {
            for action in 0..mdp.actions(state) {
                let ahead = self.ahead(mdp, state, action);
                let (fall, rounding) = (-ahead.lowest().to_float(), ahead.gain_error.to_float());
                let is_taken = action == taken;
                // Without roundings it does not leave states of one gain.
                if rounding > 0.0 && (is_taken || fall >= 0.0) {
                    let (change, leads_down) = self.change(mdp, state, action);
                    ways.push(Way {
                        state,
                        is_taken,
                        fall: if is_taken { 0.0 } else { fall },
                        rounding,
                        change,
                        leads_down,
                    });
                }
            }
        }
        ways
    }

    /// The expected absolute change of the gain by moves to gains that differ by more than roundings, and whether one of
    /// them is smaller.
    fn change(&self, mdp: &Mdp<T>, state: usize, action: usize) -> (f64, bool) {
        let found = &self.found;
        let rounding = T::ratio(ROUNDINGS.0, ROUNDINGS.1);
        let (mut change, mut leads_down) = (0.0, false);
        for (to, weight) in mdp
            .moves(state, action)
            .filter(|&(to, _)| !found.is_one_gain(state, to))
        {
            let fall = found.gains[state].clone() - &found.gains[to];
            let hidden = (found.gain_sizes[state].clone() + &found.gain_sizes[to]) * &rounding;
            if fall.abs() > hidden {
                change += fall.to_float().abs() * weight.to_float();
                leads_down |= fall > hidden;
            }
        }
        (change, leads_down)
    }
}
