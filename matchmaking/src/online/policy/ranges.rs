//! Numbers of ranges, one for each criterion.

use std::fmt;
use std::str::FromStr;

use crate::online::error::Error;

/// More criteria than this could not all be cut, as there are no more than 2²⁰ queues.
const MOST: usize = 20;

const NEEDS: &str = "write a whole number from 1 on, or auto; or one for each of 2 to 20 criteria, like 18x1";

/// How many ranges each criterion is cut into, where [`PolicyKind::MultiQueueRanges`](super::PolicyKind::MultiQueueRanges) has a
/// number for each of 2 to 20; written `18x1`. [`MultiQueue::by_criterion`](super::MultiQueue::by_criterion) takes any number of criteria.
///
/// # Examples
/// ```
/// use matchmaking::online::{Error, Ranges};
///
/// let ranges: Ranges = "18x1".parse()?;
/// assert_eq!((ranges.as_slice(), ranges.to_string()), (&[18, 1][..], "18x1".to_owned()));
/// assert!(Ranges::new(&[6]).is_err()); // one number is for all criteria
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Ranges {
    /// How many numbers there are; the others are 0.
    criteria: usize,
    numbers: [usize; MOST],
}

impl Ranges {
    /// These numbers, in the order of the criteria.
    ///
    /// # Errors
    /// [`Error::BadParameter`] unless there are 2 to 20 of them, all 1 or more.
    pub fn new(ranges: &[usize]) -> Result<Self, Error> {
        if !(2..=MOST).contains(&ranges.len()) || ranges.contains(&0) {
            return Err(refused(Self::written(ranges)));
        }
        let mut numbers = [0; MOST];
        numbers[..ranges.len()].copy_from_slice(ranges);
        Ok(Self {
            criteria: ranges.len(),
            numbers,
        })
    }

    /// The numbers.
    pub fn as_slice(&self) -> &[usize] {
        &self.numbers[..self.criteria]
    }

    pub(super) fn written(ranges: &[usize]) -> String {
        let numbers: Vec<String> = ranges.iter().map(usize::to_string).collect();
        numbers.join("x")
    }
}

/// What was found in place of numbers of ranges.
pub(super) fn refused(found: String) -> Error {
    Error::BadParameter {
        policy: "multi-queue",
        found,
        needs: NEEDS,
    }
}

impl fmt::Debug for Ranges {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Ranges").field(&self.as_slice()).finish()
    }
}

impl fmt::Display for Ranges {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&Self::written(self.as_slice()))
    }
}

impl FromStr for Ranges {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let numbers = text.split('x').map(|number| number.parse().ok());
        let numbers: Option<Vec<usize>> = numbers.collect();
        // As it was written: numbers that are wrong are found by it.
        let ranges = numbers.and_then(|numbers| Self::new(&numbers).ok());
        ranges.ok_or_else(|| refused(text.to_owned()))
    }
}
