//! Solvers that run in this process, all asked the same question: a minimum-weight perfect matching of an instance.

use std::time::Duration;

use cpu_time::ProcessTime;
use matching_core::{Blossom, Error};

use crate::families::Instance;

/// A solver that is linked in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Solver {
    /// This project's engine: `EdgeList::new`, then `Blossom::new().solve`.
    MatchingCore,
    /// `rustworkx-core`, `max_weight_matching` with `max_cardinality` on the weights `max + 1 - w`, as `i128`.
    #[cfg(feature = "peers")]
    RustworkxCore,
    /// `integer-blossom` on a matrix of `i64`: `min_weight_perfect_matching` for complete graphs, else
    /// `max_weight_matching` on `1 + n / 2 * max - w`, so that one more pair always outweighs everything else.
    #[cfg(feature = "peers")]
    IntegerBlossom,
    /// `mwmatching` with `max_cardinality` on the weights `max + 1 - w`; its own check of the optimum is part of it.
    #[cfg(feature = "peers")]
    MwMatching,
}

/// An optimum and what it took: CPU time of the process.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Run {
    /// Total weight of the matching that was found.
    pub optimum: i128,
    /// From raw edges to the solver's own input type.
    pub build: Duration,
    /// The solve itself.
    pub solve: Duration,
}

/// Why there is no [`Run`].
#[derive(Debug)]
#[non_exhaustive]
pub enum Refusal {
    /// This project's engine returned an error.
    MatchingCore(Error),
    /// The solver returned no perfect matching.
    NotPerfect,
    /// The solver needs memory that grows with the square of the vertices, or has no room for the numbers.
    TooLarge,
}

impl Solver {
    /// All solvers of this build, this project's first.
    pub const ALL: &[Self] = &[
        Self::MatchingCore,
        #[cfg(feature = "peers")]
        Self::RustworkxCore,
        #[cfg(feature = "peers")]
        Self::IntegerBlossom,
        #[cfg(feature = "peers")]
        Self::MwMatching,
    ];

    /// Name on command lines and in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::MatchingCore => "matching-core",
            #[cfg(feature = "peers")]
            Self::RustworkxCore => "rustworkx-core",
            #[cfg(feature = "peers")]
            Self::IntegerBlossom => "integer-blossom",
            #[cfg(feature = "peers")]
            Self::MwMatching => "mwmatching",
        }
    }

    /// The solver of a name, if it is part of this build.
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|solver| solver.name() == name)
    }

    /// Builds and solves.
    ///
    /// # Errors
    /// See [`Refusal`].
    pub fn run(self, instance: &Instance) -> Result<Run, Refusal> {
        match self {
            Self::MatchingCore => matching_core(instance),
            #[cfg(feature = "peers")]
            Self::RustworkxCore => crate::peers::rustworkx_core(instance),
            #[cfg(feature = "peers")]
            Self::IntegerBlossom => crate::peers::integer_blossom(instance),
            #[cfg(feature = "peers")]
            Self::MwMatching => crate::peers::mwmatching(instance),
        }
    }
}

fn matching_core(instance: &Instance) -> Result<Run, Refusal> {
    let (list, build) = timed(|| instance.edge_list());
    let list = list.map_err(Refusal::MatchingCore)?;
    let (solution, solve) = timed(|| Blossom::new().solve(&list));
    let solution = solution.map_err(Refusal::MatchingCore)?;
    Ok(Run {
        optimum: solution.cost(),
        build,
        solve,
    })
}

/// Runs `work` and measures its CPU time.
pub(crate) fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let start = ProcessTime::now();
    let result = work();
    (result, start.elapsed())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::families::Family;

    #[test]
    fn all_solvers_agree_on_small_instances_of_every_family() {
        for family in Family::ALL {
            for n in [6, 50] {
                let instance = family.instance(n, 3);
                let optima: Vec<i128> = Solver::ALL
                    .iter()
                    .map(|solver| solver.run(&instance).expect("a perfect matching").optimum)
                    .collect();
                assert!(
                    optima.iter().all(|&optimum| optimum == optima[0]),
                    "{} {n}: {optima:?}",
                    family.name()
                );
            }
        }
    }
}
