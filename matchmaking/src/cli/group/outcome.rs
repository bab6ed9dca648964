//! What came of a run, whichever method it was.

/// What ended a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ended {
    /// It spent what it allots itself.
    Itself,
    /// No other grouping is better.
    Proven,
    Target,
    WorkLimit,
    TimeLimit,
    /// Somebody pressed Ctrl-C.
    Interrupt,
    /// The digits of costs or of floats did not suffice for the last step of a proof.
    Precision,
}

/// What came of a run.
#[derive(Debug)]
pub(super) enum Outcome {
    Found(Found),
    /// There is no grouping, for this reason.
    Infeasible(Witness),
    /// No grouping was found; there may be one.
    Unknown(Unfound),
}

/// A grouping, checked.
#[derive(Debug)]
pub(super) struct Found {
    /// Members, and what they cost together, in the input's sense.
    pub(super) groups: Vec<(Vec<usize>, i128)>,
    /// The number of the role that each member plays, if any, where there are roles; else no lists at all.
    pub(super) roles: Vec<Vec<Option<usize>>>,
    pub(super) waiting: Vec<usize>,
    pub(super) total: i128,
    /// What no grouping can beat, in the input's sense, if anything is known.
    pub(super) bound: Option<Bound>,
    pub(super) method: Method,
    pub(super) engine: &'static str,
    pub(super) work: u64,
    pub(super) ended: Ended,
}

impl Found {
    pub(super) fn is_optimal(&self) -> bool {
        self.bound.is_some_and(|bound| bound.total == self.total)
    }
}

/// What no grouping can beat, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bound {
    pub(super) total: i128,
    pub(super) kind: BoundKind,
}

/// What a bound rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BoundKind {
    /// All groupings were tried: nothing but the search itself says so.
    AllTried,
    /// Dual values by which no team pays more than it costs, checked.
    Duals,
    /// Dual values, and a tree of cases with dual values for each, checked.
    Cases,
    /// The dual values of an exact pairing, checked.
    Pairing,
    /// What each player alone has at best: as plain as a sum can be, and counted by nobody else.
    LeastCosts,
}

impl BoundKind {
    /// The word of reports.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::AllTried => "all-tried",
            Self::Duals => "duals",
            Self::Cases => "cases",
            Self::Pairing => "pairing",
            Self::LeastCosts => "least-costs",
        }
    }

    /// Whether a checker that shares nothing with the solver went through it.
    pub(super) fn is_verified(self) -> bool {
        !matches!(self, Self::AllTried | Self::LeastCosts)
    }
}

/// What worked on the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Method {
    Search,
    Exact,
    /// The exact method, and a search for what it left.
    Both,
}

impl Method {
    /// The word of reports.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Search => "search",
            Self::Exact => "exact",
            Self::Both => "exact+search",
        }
    }
}

/// Why there is no grouping.
#[derive(Debug, PartialEq)]
pub(super) enum Witness {
    /// For so many groups of at least this size.
    TooFew {
        players: usize,
        groups: usize,
        size: usize,
    },
    /// The party is larger than the largest group, and than the bench.
    PartyTooLarge {
        party: Vec<usize>,
        group: usize,
        bench: usize,
    },
    PartyApart {
        party: Vec<usize>,
        pair: [usize; 2],
    },
    /// Beside those who are pinned to a group, if there are any.
    PartiesDoNotFit {
        parties: Vec<Vec<usize>>,
        pinned: Vec<(usize, usize)>,
    },
    /// Roles are needed more often than there are players who can play them.
    RolesShort {
        roles: Vec<String>,
        needed: usize,
        players: Vec<usize>,
    },
    /// More players can play, of the roles asked for, only these than there is room for.
    RolesCrowded {
        roles: Vec<String>,
        room: usize,
        players: Vec<usize>,
    },
    /// The wishes of these players cannot all be met, even if nobody else has any.
    Wishes(Wishes),
    /// What the exact solver says, where it names no players.
    Other {
        reason: String,
    },
    /// All groupings were tried, and each has a forbidden pair; the one with the fewest has this group.
    AllForbidden {
        members: Vec<usize>,
    },
}

/// Wishes that are in each other's way.
#[derive(Debug, PartialEq)]
pub(super) struct Wishes {
    pub(super) players: Vec<usize>,
    /// Those of `players` who are in one party.
    pub(super) parties: Vec<Vec<usize>>,
    /// Those of `players` who are pinned to a group, with its number from 0.
    pub(super) pinned: Vec<(usize, usize)>,
    /// Those of `players` who must not be together.
    pub(super) apart: Vec<[usize; 2]>,
    /// What each of `players` can play, where there are roles.
    pub(super) can_play: Vec<Vec<String>>,
    /// Whether none of `players` can be left out: there would be a grouping if any one of them had no wishes, and nobody
    /// but `players` had any.
    pub(super) is_minimal: bool,
    /// Whether there are wishes beside these, which may be in the way as well.
    pub(super) has_others: bool,
}

/// Why no grouping was found.
#[derive(Debug, PartialEq)]
pub(super) enum Unfound {
    /// The best one still has a forbidden pair, in this group; what ended the search, and the moves that it looked at.
    Forbidden {
        members: Vec<usize>,
        ended: Ended,
        work: u64,
    },
    /// The parties were not packed in so many steps.
    Packing { steps: u64 },
    /// The exact method was ended by this before there was one.
    Stopped(Ended),
}
