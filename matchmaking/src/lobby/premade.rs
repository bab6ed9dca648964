//! How alike the parties of two teams are.

use super::error::{Error, RuleProblem};

/// The score of two teams by the sizes of their parties; 1 where these are the same.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "json", serde(rename_all = "kebab-case", deny_unknown_fields))]
#[non_exhaustive]
pub enum Premade {
    /// `levels[d]`, where `d` is the difference between the sizes of the two teams' largest parties.
    Levels(Vec<f64>),
    /// `1 - d / (k² - k)`, where `d` is the difference between the two teams' sums of squared party sizes and `k` the
    /// size of a team: 0 for one party of `k` against `k` single players.
    Squares,
    /// A score for two teams, each as party sizes that add up to the size of a team. The order of sizes and of the two
    /// does not matter; the last of several entries for the same teams counts. What is not listed is as in
    /// [`Premade::Squares`].
    Table(Vec<(Vec<usize>, Vec<usize>, f64)>),
}

impl Premade {
    /// The article's levels for teams of up to three, squares for larger ones.
    pub(super) fn for_team_size(team_size: usize) -> Self {
        if team_size <= 3 {
            Self::Levels(vec![1.0, 0.6, 0.0])
        } else {
            Self::Squares
        }
    }

    /// The score of two teams of `team_size`, given as party sizes in descending order.
    pub(super) fn score(&self, team_size: usize, red: &[usize], blue: &[usize]) -> f64 {
        if red == blue {
            return 1.0;
        }
        match self {
            Self::Levels(levels) => levels[red[0].abs_diff(blue[0])],
            Self::Squares => squares(team_size, red, blue),
            Self::Table(entries) => {
                let is_it = |(a, b): (&[usize], &[usize])| (a, b) == (red, blue) || (a, b) == (blue, red);
                let found = entries
                    .iter()
                    .rev()
                    .find(|(a, b, _)| is_it((&descending(a), &descending(b))));
                found.map_or_else(|| squares(team_size, red, blue), |&(_, _, score)| score)
            }
        }
    }

    pub(super) fn check(&self, team_size: usize) -> Result<(), Error> {
        let problem = match self {
            Self::Levels(levels) if levels.len() < team_size => Some(RuleProblem::TooShort),
            Self::Levels(levels) if levels[0] != 1.0 => Some(RuleProblem::NotDecreasing),
            Self::Levels(levels) => levels.iter().any(is_no_score).then_some(RuleProblem::NotAScore),
            Self::Squares => None,
            Self::Table(entries) => entries.iter().find_map(|(red, blue, score)| {
                let is_team = |sizes: &[usize]| {
                    let total = sizes.iter().try_fold(0_usize, |sum, &size| sum.checked_add(size));
                    sizes.iter().all(|&size| size > 0) && total == Some(team_size)
                };
                if !is_team(red) || !is_team(blue) {
                    Some(RuleProblem::NotATeam)
                } else if is_no_score(score) {
                    Some(RuleProblem::NotAScore)
                } else {
                    (descending(red) == descending(blue) && *score != 1.0).then_some(RuleProblem::NotDecreasing)
                }
            }),
        };
        problem.map_or(Ok(()), |problem| {
            Err(Error::BadRule {
                rule: "premade",
                problem,
            })
        })
    }
}

fn is_no_score(score: &f64) -> bool {
    !(0.0..=1.0).contains(score)
}

fn descending(sizes: &[usize]) -> Vec<usize> {
    let mut sizes = sizes.to_vec();
    sizes.sort_unstable_by(|a, b| b.cmp(a));
    sizes
}

fn squares(team_size: usize, red: &[usize], blue: &[usize]) -> f64 {
    let sum = |sizes: &[usize]| sizes.iter().map(|size| size * size).sum::<usize>();
    let greatest = team_size * team_size - team_size;
    1.0 - sum(red).abs_diff(sum(blue)) as f64 / greatest as f64
}

/// All ways to make up `total` of party sizes, each in descending order, the finest first.
pub(super) fn partitions(total: usize) -> Vec<Vec<usize>> {
    fn extend(left: usize, largest: usize, head: &mut Vec<usize>, found: &mut Vec<Vec<usize>>) {
        if left == 0 {
            found.push(head.clone());
        }
        for size in 1..=largest.min(left) {
            head.push(size);
            extend(left - size, size, head, found);
            head.pop();
        }
    }
    let mut found = Vec::new();
    extend(total, total, &mut Vec::new(), &mut found);
    found
}

#[cfg(test)]
mod tests {
    use super::{Premade, partitions};

    #[test]
    fn the_article_gives_three_levels() {
        let rule = Premade::for_team_size(3);
        assert_eq!(rule.score(3, &[3], &[3]), 1.0);
        assert_eq!(rule.score(3, &[3], &[2, 1]), 0.6);
        assert_eq!(rule.score(3, &[1, 1, 1], &[2, 1]), 0.6);
        assert_eq!(rule.score(3, &[1, 1, 1], &[3]), 0.0);
    }

    #[test]
    fn larger_teams_differ_by_squares_unless_a_table_says_otherwise() {
        let ones = [1; 5];
        assert_eq!(Premade::for_team_size(5).score(5, &[5], &ones), 0.0);
        assert_eq!(Premade::Squares.score(5, &[3, 2], &[3, 1, 1]), 1.0 - 2.0 / 20.0);
        let table = Premade::Table(vec![(vec![1, 1, 3], vec![2, 3], 0.25)]);
        assert!(table.check(5).is_ok());
        assert_eq!(table.score(5, &[3, 2], &[3, 1, 1]), 0.25);
        assert_eq!(table.score(5, &[5], &ones), 0.0);
    }

    #[test]
    fn rules_that_make_no_sense_are_refused() {
        assert!(Premade::Levels(vec![1.0, 0.6]).check(3).is_err());
        assert!(Premade::Levels(vec![0.9, 0.6, 0.0]).check(3).is_err());
        assert!(Premade::Levels(vec![1.0, f64::NAN, 0.0]).check(3).is_err());
        assert!(Premade::Table(vec![(vec![3], vec![2, 2], 0.5)]).check(3).is_err());
        assert!(Premade::Table(vec![(vec![2, 1], vec![1, 2], 0.5)]).check(3).is_err());
        assert!(
            Premade::Table(vec![(vec![usize::MAX, 4], vec![3], 0.5)])
                .check(3)
                .is_err()
        );
    }

    #[test]
    fn partitions_are_counted_as_in_the_books() {
        let counts: Vec<usize> = (1..=8).map(|total| partitions(total).len()).collect();
        assert_eq!(counts, [1, 2, 3, 5, 7, 11, 15, 22]);
        assert_eq!(partitions(3), [vec![1, 1, 1], vec![2, 1], vec![3]]);
    }
}
