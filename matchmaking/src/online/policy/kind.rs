//! Policies by name.

use std::fmt;
use std::str::FromStr;

use super::ranges;
use super::{DifferenceWait, Greedy, MultiQueue, Periodic, Policy, Ranges, Slack, Threshold, Ticks};
use crate::online::error::Error;
use crate::online::setting::Setting;
use crate::written::number_text;

/// How policies are written.
pub(in crate::online) const NAMES: &str = "greedy, periodic:X, periodic:auto, multi-queue:R, multi-queue:RxR, \
                                           multi-queue:auto, difference-wait:F, threshold:BASE,GROWTH, ticks:INTERVAL, slack";

/// A policy and its parameters, before anybody arrives.
///
/// # Examples
/// ```
/// use matchmaking::online::{Error, PolicyKind, Ranges};
///
/// assert_eq!("multi-queue:6".parse(), Ok(PolicyKind::MultiQueue(Some(6))));
/// assert_eq!("multi-queue:18x1".parse(), Ranges::new(&[18, 1]).map(PolicyKind::MultiQueueRanges));
/// assert_eq!(PolicyKind::Periodic(None).to_string(), "periodic:auto");
/// assert!("multi-queue:0".parse::<PolicyKind>().is_err());
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum PolicyKind {
    /// [`Greedy`].
    Greedy,
    /// [`Periodic`]: games per period, or as many as formula (6) advises for the rate so far and the weight.
    Periodic(Option<usize>),
    /// [`MultiQueue`]: ranges of every criterion, or as many of each as formula (9) advises for the rate so far and the weights.
    MultiQueue(Option<usize>),
    /// [`MultiQueue`]: ranges of each criterion.
    MultiQueueRanges(Ranges),
    /// [`DifferenceWait`]: time per unit of difference.
    DifferenceWait(f64),
    /// [`Threshold`].
    Threshold {
        /// Criteria cost accepted at once.
        base: f64,
        /// Criteria cost accepted in addition after a wait of `τ_max`.
        growth: f64,
    },
    /// [`Ticks`]: time between them.
    Ticks(f64),
    /// [`Slack`].
    Slack,
}

impl PolicyKind {
    /// The policy, ready for the first arrival.
    ///
    /// # Errors
    /// [`Error::Unsuited`] if it does not serve games of this setting, [`Error::BadParameter`].
    pub fn build(self, setting: &Setting) -> Result<Box<dyn Policy>, Error> {
        Ok(match self {
            Self::Greedy => Box::new(Greedy::new(setting)),
            Self::Periodic(Some(games)) => Box::new(Periodic::fixed(setting, games)?),
            Self::Periodic(None) => Box::new(Periodic::adaptive(setting)?),
            Self::MultiQueue(Some(ranges)) => Box::new(MultiQueue::fixed(setting, ranges)?),
            Self::MultiQueueRanges(ranges) => Box::new(MultiQueue::by_criterion(setting, ranges.as_slice())?),
            Self::MultiQueue(None) => Box::new(MultiQueue::adaptive(setting)),
            Self::DifferenceWait(factor) => Box::new(DifferenceWait::new(setting, factor)?),
            Self::Threshold { base, growth } => Box::new(Threshold::new(setting, base, growth)?),
            Self::Ticks(interval) => Box::new(Ticks::new(setting, interval)?),
            Self::Slack => Box::new(Slack::new(setting)?),
        })
    }

    /// Its name without parameters.
    pub fn name(self) -> &'static str {
        match self {
            Self::Greedy => "greedy",
            Self::Periodic(_) => "periodic",
            Self::MultiQueue(_) | Self::MultiQueueRanges(_) => "multi-queue",
            Self::DifferenceWait(_) => "difference-wait",
            Self::Threshold { .. } => "threshold",
            Self::Ticks(_) => "ticks",
            Self::Slack => "slack",
        }
    }
}

impl fmt::Display for PolicyKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.name();
        match self {
            Self::Greedy | Self::Slack => f.write_str(name),
            Self::Periodic(None) | Self::MultiQueue(None) => write!(f, "{name}:auto"),
            Self::Periodic(Some(count)) | Self::MultiQueue(Some(count)) => write!(f, "{name}:{count}"),
            Self::MultiQueueRanges(ranges) => write!(f, "{name}:{ranges}"),
            Self::DifferenceWait(number) | Self::Ticks(number) => write!(f, "{name}:{}", number_text(*number)),
            Self::Threshold { base, growth } => write!(f, "{name}:{},{}", number_text(*base), number_text(*growth)),
        }
    }
}

impl FromStr for PolicyKind {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let (name, parameter) = match text.split_once(':') {
            Some((name, parameter)) => (name, Some(parameter)),
            None => (text, None),
        };
        match (name, parameter) {
            ("greedy", None) => Ok(Self::Greedy),
            ("slack", None) => Ok(Self::Slack),
            ("periodic", Some(games)) => count("periodic", games).map(Self::Periodic),
            ("multi-queue", Some(ranges)) if ranges.contains('x') => ranges.parse().map(Self::MultiQueueRanges),
            ("multi-queue", Some(ranges)) => {
                let count = count("multi-queue", ranges).map(Self::MultiQueue);
                count.map_err(|_| ranges::refused(ranges.to_owned()))
            }
            ("difference-wait", Some(factor)) => number("difference-wait", factor).map(Self::DifferenceWait),
            ("ticks", Some(interval)) => number("ticks", interval).map(Self::Ticks),
            ("threshold", Some(both)) => {
                let two = both.split_once(',').filter(|(_, growth)| !growth.contains(','));
                let (base, growth) = two.ok_or_else(|| Error::BadParameter {
                    policy: "threshold",
                    found: both.to_owned(),
                    needs: "write two numbers, like threshold:0.2,0.5",
                })?;
                Ok(Self::Threshold {
                    base: number("threshold", base)?,
                    growth: number("threshold", growth)?,
                })
            }
            _ => Err(Error::UnknownPolicy { name: text.to_owned() }),
        }
    }
}

fn count(policy: &'static str, text: &str) -> Result<Option<usize>, Error> {
    if text == "auto" {
        return Ok(None);
    }
    match text.parse() {
        Ok(count) if count > 0 => Ok(Some(count)),
        _ => Err(Error::BadParameter {
            policy,
            found: text.to_owned(),
            needs: "write a whole number from 1 on, or auto",
        }),
    }
}

fn number(policy: &'static str, text: &str) -> Result<f64, Error> {
    let number = text.trim().parse::<f64>().ok().filter(|number| number.is_finite());
    number.ok_or_else(|| Error::BadParameter {
        policy,
        found: text.to_owned(),
        needs: "write a finite number",
    })
}

/// A parameter that must be finite and 0 or more.
pub(super) fn at_least_zero(policy: &'static str, value: f64) -> Result<(), Error> {
    if value >= 0.0 && value.is_finite() {
        return Ok(());
    }
    Err(Error::BadParameter {
        policy,
        found: number_text(value),
        needs: "it must be finite and 0 or more",
    })
}

/// A parameter that must be finite and more than 0.
pub(super) fn positive(policy: &'static str, value: f64) -> Result<(), Error> {
    if value > 0.0 && value.is_finite() {
        return Ok(());
    }
    Err(Error::BadParameter {
        policy,
        found: number_text(value),
        needs: "it must be finite and more than 0",
    })
}

/// Only pairs by one criterion.
pub(super) fn pairs_on_a_line(policy: &'static str, setting: &Setting) -> Result<(), Error> {
    let (players, criteria) = (setting.players(), setting.criteria());
    if players == 2 && criteria == 1 {
        return Ok(());
    }
    Err(Error::Unsuited {
        policy,
        serves: "games of 2 players by 1 criterion",
        players,
        criteria,
    })
}
