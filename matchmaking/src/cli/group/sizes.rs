//! How many groups there are, and how large each may be.

use std::fmt;

use matching_heuristics::Groups;

use super::args::GroupArgs;
use crate::cli::failure::Failure;
use crate::cli::formats::Sizes;

/// Members that a group has at least and at most, as one argument says it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SizeArg {
    least: u32,
    most: u32,
}

impl SizeArg {
    /// Reads `K` or `K-L`.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let number = |text: &str| {
            let number = text.trim().parse().ok().filter(|&number| number > 0);
            let how = "not a whole number from 1 to 4294967295, or two of them, like 4-6";
            number.ok_or_else(|| how.to_owned())
        };
        let (least, most) = text.split_once('-').unwrap_or((text, text));
        let (least, most) = (number(least)?, number(most)?);
        if most < least {
            return Err(format!(
                "at least {least} and at most {most}; write the smaller number first, {most}-{least}"
            ));
        }
        Ok(Self { least, most })
    }

    fn bounds(self) -> (usize, usize) {
        (self.least as usize, self.most as usize)
    }
}

impl fmt::Display for SizeArg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.least, self.most) {
            (least, most) if least == most => write!(f, "{least}"),
            (least, most) => write!(f, "{least}-{most}"),
        }
    }
}

/// The groups to be filled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// They can be, as far as numbers go.
    Groups(Groups),
    /// There are fewer players than so many groups of at least this size have.
    TooFew { groups: usize, size: usize },
}

impl Shape {
    /// From what the file says and what the command line says.
    pub(super) fn new(args: &GroupArgs, file: &str, len: usize, stated: &Sizes) -> Result<Self, Failure> {
        let (size, count) = (args.size, args.groups.map(|count| count as usize));
        let refused = |option, problem: String| Err(Failure::Usage { option, problem });
        let says = format!("the first line of {file}");
        let shape = match (stated, size, count) {
            (Sizes::Unstated, None, None) => {
                let problem = format!("{file} does not say how large groups are; give one, or --groups");
                return refused("--size", problem);
            }
            (Sizes::Unstated, None, Some(count)) => return Ok(Self::even(len, count)),
            (Sizes::Unstated, Some(size), count) => {
                let count = count.unwrap_or_else(|| fewest(len, size.bounds()));
                return Ok(Self::filled(len, count, size.bounds()));
            }
            (&Sizes::Each(stated), Some(size), _) if size.bounds() != (stated, stated) => {
                return refused("--size", format!("{size}, but {says} says {stated}"));
            }
            (&Sizes::Each(stated), ..) => Self::filled(len, fewest(len, (stated, stated)), (stated, stated)),
            (Sizes::Bounds(bounds), ..) => {
                let other = size.and_then(|size| bounds.iter().find(|bound| **bound != size.bounds()));
                if let (Some(size), Some((least, most))) = (size, other) {
                    return refused("--size", format!("{size}, but {says} has a group of {least} to {most}"));
                }
                let groups = Groups::with_bounds(bounds.iter().map(|&(least, most)| least..=most));
                groups.map(Self::Groups).map_err(|source| Failure::Search {
                    file: file.to_owned(),
                    source,
                })?
            }
        };
        match (&shape, count) {
            (Self::Groups(groups), Some(count)) if count != groups.len() => {
                refused("--groups", format!("{count}, but by {says} there are {}", groups.len()))
            }
            _ => Ok(shape),
        }
    }

    /// Groups whose sizes differ by one at most.
    fn even(len: usize, groups: usize) -> Self {
        Groups::balanced(len, groups).map_or(Self::TooFew { groups, size: 1 }, Self::Groups)
    }

    /// So many groups of between two sizes; who is left over when all are full waits.
    fn filled(len: usize, groups: usize, (least, most): (usize, usize)) -> Self {
        let too_few = Self::TooFew { groups, size: least };
        if len < groups.saturating_mul(least) {
            return too_few;
        }
        let waiting = len.saturating_sub(groups.saturating_mul(most));
        let bounds = core::iter::repeat_n(least..=most, groups);
        Groups::with_bounds(bounds).map_or(too_few, |groups| Self::Groups(groups.with_bench(waiting)))
    }
}

/// As few groups as hold everybody; where that is impossible, as many as can be filled.
fn fewest(len: usize, (least, most): (usize, usize)) -> usize {
    let all = len.div_ceil(most);
    let fitting = if all.saturating_mul(least) <= len {
        all
    } else {
        len / least
    };
    fitting.max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bounds of all groups, which are the same, how many there are, and how many may wait.
    fn shape(len: usize, count: Option<usize>, bounds: (usize, usize)) -> Option<(usize, (usize, usize), usize)> {
        match Shape::filled(len, count.unwrap_or_else(|| fewest(len, bounds)), bounds) {
            Shape::Groups(groups) => {
                let same = (0..groups.len()).all(|group| groups.bounds(group) == (bounds.0..=bounds.1));
                assert!(same, "{groups:?}");
                Some((groups.len(), bounds, *groups.bench().end()))
            }
            Shape::TooFew { .. } => None,
        }
    }

    #[test]
    fn one_size_is_as_ever() {
        for len in 1..40 {
            for size in 1..=len + 1 {
                let groups = Groups::of_size(len, size).ok();
                let found = match Shape::filled(len, fewest(len, (size, size)), (size, size)) {
                    Shape::Groups(groups) => Some(groups),
                    Shape::TooFew { groups, size: told } => {
                        assert_eq!((groups, told), (1, size));
                        None
                    }
                };
                assert_eq!(found, groups, "{len} {size}");
            }
        }
    }

    /// Of all numbers of groups the one that leaves fewest waiting, and the least of these.
    #[test]
    fn as_few_groups_as_hold_everybody() {
        for len in 1..40_usize {
            for (least, most) in (1..9).flat_map(|least| (least..12).map(move |most| (least, most))) {
                let left = |count: usize| len.saturating_sub(count * most);
                let possible = (1..=len).filter(|count| count * least <= len);
                let best = possible.min_by_key(|&count| (left(count), count));
                let best = best.map(|count| (count, (least, most), left(count)));
                assert_eq!(shape(len, None, (least, most)), best, "{len} {least} {most}");
            }
        }
        assert_eq!(shape(50, None, (4, 6)), Some((9, (4, 6), 0)));
        assert_eq!(shape(7, None, (4, 6)), Some((1, (4, 6), 1)));
        assert_eq!(shape(50, Some(11), (4, 6)), Some((11, (4, 6), 0)));
        assert_eq!(shape(50, Some(13), (4, 6)), None);
        assert_eq!(shape(50, Some(2), (4, 6)), Some((2, (4, 6), 38)));
    }

    #[test]
    fn sizes_are_one_number_or_two() {
        for (text, least, most) in [("3", 3, 3), ("4-6", 4, 6), ("5 - 5", 5, 5)] {
            assert_eq!(SizeArg::parse(text), Ok(SizeArg { least, most }), "{text}");
        }
        for text in ["", "0", "-3", "3-", "0-2", "3..4", "x", "4294967296"] {
            let how = "not a whole number from 1 to 4294967295, or two of them, like 4-6";
            assert_eq!(SizeArg::parse(text), Err(how.to_owned()), "{text}");
        }
        let crossed = "at least 6 and at most 4; write the smaller number first, 4-6";
        assert_eq!(SizeArg::parse("6-4"), Err(crossed.to_owned()));
    }
}
