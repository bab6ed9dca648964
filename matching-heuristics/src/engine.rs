//! The engines there are.

/// How to search.
///
/// # References
/// - X. Lai, J.-K. Hao, "Iterated maxima search for the maximally diverse grouping problem", European Journal of
///   Operational Research 254 (2016), doi:10.1016/j.ejor.2016.05.018: [`IteratedMaxima`](Self::IteratedMaxima), and the
///   table of what each player would pay in each group, which all engines for sums over pairs keep.
/// - E. Burke, Y. Bykov, "The late acceptance hill-climbing heuristic", European Journal of Operational Research 258
///   (2017), doi:10.1016/j.ejor.2016.07.012: [`LateAcceptance`](Self::LateAcceptance).
/// - R. H. Swendsen, J.-S. Wang, "Replica Monte Carlo simulation of spin-glasses", Physical Review Letters 57 (1986),
///   doi:10.1103/PhysRevLett.57.2607: [`Tempering`](Self::Tempering).
/// - S. Kirkpatrick, C. D. Gelatt, M. P. Vecchi, "Optimization by simulated annealing", Science 220 (1983), 671-680,
///   doi:10.1126/science.220.4598.671: [`Annealing`](Self::Annealing).
/// - F. Glover, "Tabu search, part I", ORSA Journal on Computing 1 (1989), 190-206, doi:10.1287/ijoc.1.3.190:
///   [`Tabu`](Self::Tabu).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Engine {
    /// All groupings where that is within the budget, or without a limit where it takes about as long as a walk would at
    /// most, which proves the answer to be the best; else what did best when measured: tempering for 241 to 680 players in
    /// groups of twenty or more, by pairs whose costs are like random ones, where the budget is worth two long coolings, and
    /// annealing for everything else.
    #[default]
    Auto,
    /// The best of all moves until none improves, from new starts until the budget is spent.
    Climb,
    /// The same moves as [`Climb`](Self::Climb), faster: the best move of each two groups is kept. With more than 600
    /// groups, the best move of each two groups is made in turn.
    CachedClimb,
    /// Cooling from a temperature that the costs themselves suggest, then a climb; as often as the budget allows long
    /// coolings, from other starts.
    Annealing,
    /// Several annealed groupings, and children that keep what two of them agree on.
    Population,
    /// Chains of local optima: a descent, a few moves that cost little, a descent again; after a while many random
    /// moves (Lai and Hao).
    IteratedMaxima,
    /// The best move at every step even if it makes things worse, but nobody returns soon to a group he has left. Keeps
    /// some 100 bytes for each two groups, and takes up to 8,192 of them.
    Tabu,
    /// Random moves that end no worse than things were a number of moves ago (Burke and Bykov).
    LateAcceptance,
    /// Several groupings at different temperatures that now and then change places, and run side by side as far as
    /// there are threads; as many times over as [`Search::walks`](crate::Search::walks) says.
    Tempering,
    /// Downhill, then a dozen swaps out of the worst group whatever they cost, and downhill again.
    ForcedSwaps,
}

impl Engine {
    /// All of them.
    pub const ALL: [Self; 10] = [
        Self::Auto,
        Self::Climb,
        Self::CachedClimb,
        Self::Annealing,
        Self::Population,
        Self::IteratedMaxima,
        Self::Tabu,
        Self::LateAcceptance,
        Self::Tempering,
        Self::ForcedSwaps,
    ];

    /// The engine of that [`name`](Self::name).
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|engine| engine.name() == name)
    }

    /// Its name, in lower case with hyphens.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Climb => "climb",
            Self::CachedClimb => "cached-climb",
            Self::Annealing => "annealing",
            Self::Population => "population",
            Self::IteratedMaxima => "iterated-maxima",
            Self::Tabu => "tabu",
            Self::LateAcceptance => "late-acceptance",
            Self::Tempering => "tempering",
            Self::ForcedSwaps => "forced-swaps",
        }
    }
}
