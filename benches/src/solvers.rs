//! Solvers that run in this process, all asked the same question: a minimum-weight perfect matching of an instance.

use std::time::{Duration, Instant};

use cpu_time::ProcessTime;
use matching_core::Error;
use matching_core::verify::VerifyError;

use crate::families::Instance;

/// A solver that is linked in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Solver {
    /// This project's solver: `Blossom::new().threads(..).solve(..)`.
    MatchingCore(Input, Threads),
    /// `rustworkx-core`, `max_weight_matching` with `max_cardinality` on the weights `max + 1 - w`, as `i128`.
    #[cfg(feature = "peers")]
    RustworkxCore,
    /// `integer-blossom` on a matrix of `i64`: `min_weight_perfect_matching` for complete graphs, whose matrix is built
    /// before the clock starts, else `max_weight_matching` on `1 + n / 2 * max - w`, so that one more pair always
    /// outweighs everything else.
    #[cfg(feature = "peers")]
    IntegerBlossom,
    /// `mwmatching` with `max_cardinality` on the weights `max + 1 - w`; its own check of the optimum is part of it.
    #[cfg(feature = "peers")]
    MwMatching,
}

/// What this project's solver is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Input {
    /// Raw edges: `EdgeList::new` is part of the measured time.
    Edges,
    /// A `DenseMatrix<i32>` that is in memory before the clock starts; pairs without an edge are forbidden.
    Matrix,
}

/// How many threads this project's solver may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Threads {
    /// The calling one.
    One,
    /// As many as the machine has.
    All,
}

/// CPU time of the process, and time on the wall.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Span {
    /// CPU time of all threads.
    pub cpu: Duration,
    /// What a clock shows.
    pub wall: Duration,
}

/// An optimum and what it took.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Run {
    /// Total weight of the matching that was found.
    pub optimum: i128,
    /// From raw edges to the solver's own input type; nothing where that is a matrix of the weights.
    pub build: Span,
    /// The solve itself.
    pub solve: Span,
    /// Peak resident memory of the process when the solve ends, where the system tells.
    pub peak_kib: Option<u64>,
    /// One scan of the matrix, [`crate::scan::time`], where there is a matrix and [`After::Checks`] was asked for.
    pub scan: Option<Duration>,
}

/// What happens when the clock has stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum After {
    /// Nothing.
    Nothing,
    /// This project's solutions prove themselves, and the scan of the matrix is timed.
    Checks,
}

/// Why there is no [`Run`].
#[derive(Debug)]
#[non_exhaustive]
pub enum Refusal {
    /// This project's solver returned an error.
    MatchingCore(Error),
    /// The certificate of this project's solution does not hold.
    NotProven(VerifyError),
    /// The solver returned no perfect matching.
    NotPerfect,
    /// The solver needs memory that grows with the square of the vertices, or has no room for the numbers.
    TooLarge,
}

impl Solver {
    /// All solvers of this build, this project's first.
    pub const ALL: &[Self] = &[
        Self::MatchingCore(Input::Edges, Threads::One),
        Self::MatchingCore(Input::Edges, Threads::All),
        Self::MatchingCore(Input::Matrix, Threads::One),
        Self::MatchingCore(Input::Matrix, Threads::All),
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
            Self::MatchingCore(Input::Edges, Threads::One) => "matching-core",
            Self::MatchingCore(Input::Edges, Threads::All) => "matching-core-threads",
            Self::MatchingCore(Input::Matrix, Threads::One) => "matching-core-matrix",
            Self::MatchingCore(Input::Matrix, Threads::All) => "matching-core-matrix-threads",
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
    pub fn run(self, instance: &Instance, after: After) -> Result<Run, Refusal> {
        match self {
            Self::MatchingCore(input, threads) => crate::own::run(instance, input, threads, after),
            #[cfg(feature = "peers")]
            Self::RustworkxCore => crate::peers::rustworkx_core(instance),
            #[cfg(feature = "peers")]
            Self::IntegerBlossom => crate::peers::integer_blossom(instance),
            #[cfg(feature = "peers")]
            Self::MwMatching => crate::peers::mwmatching(instance),
        }
    }
}

impl Span {
    /// Runs `work` and measures it.
    pub(crate) fn of<T>(work: impl FnOnce() -> T) -> (T, Self) {
        let (wall, cpu) = (Instant::now(), ProcessTime::now());
        let result = work();
        let span = Self {
            cpu: cpu.elapsed(),
            wall: wall.elapsed(),
        };
        (result, span)
    }
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        Self::MatchingCore(error)
    }
}

impl Run {
    /// A run without extras; reads the peak of memory now.
    pub(crate) fn new(optimum: i128, build: Span, solve: Span) -> Self {
        Self {
            optimum,
            build,
            solve,
            peak_kib: peak_kib(),
            scan: None,
        }
    }

    /// CPU and wall time of build and solve.
    pub fn total(&self) -> Span {
        Span {
            cpu: self.build.cpu + self.solve.cpu,
            wall: self.build.wall + self.solve.wall,
        }
    }
}

/// Peak resident memory of this process, where the system tells.
fn peak_kib() -> Option<u64> {
    status_kib("/proc/self/status", "VmHWM:")
}

/// A field of a file that Linux keeps for each process.
pub(crate) fn status_kib(file: &str, field: &str) -> Option<u64> {
    let status = std::fs::read_to_string(file).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(field))?;
    line.split_ascii_whitespace().next()?.parse().ok()
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
                let run = |solver: &Solver| solver.run(&instance, After::Checks).expect("a perfect matching");
                let optima: Vec<i128> = Solver::ALL.iter().map(|solver| run(solver).optimum).collect();
                assert!(
                    optima.iter().all(|&optimum| optimum == optima[0]),
                    "{} {n}: {optima:?}",
                    family.name()
                );
            }
        }
    }

    #[test]
    fn only_a_matrix_is_scanned_and_only_when_asked() {
        let instance = Family::Pendants.instance(12, 1);
        for &solver in Solver::ALL {
            let has_matrix = matches!(solver, Solver::MatchingCore(Input::Matrix, _));
            let scan = |after| solver.run(&instance, after).expect("a perfect matching").scan;
            assert_eq!(scan(After::Checks).is_some(), has_matrix);
            assert_eq!(scan(After::Nothing), None);
        }
    }
}
