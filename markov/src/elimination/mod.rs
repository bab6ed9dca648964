//! State elimination without subtraction.
//!
//! Taking a state out of a chain and sending what came through it straight on leaves a smaller chain with the same
//! stationary proportions and the same expected totals on the way. All sums are of positive terms, the diagonal being
//! the sum of what leads away, so that every entry of the result is accurate relative to itself, however stiff the
//! chain.
//!
//! States go in the order of least in-degree times out-degree, as far as that is known at little cost, and among equals
//! in breadth-first order from the state that most moves lead to: chains with few states that everything comes back to
//! are eliminated with next to no fill. Where that takes more than a chain that is long and narrow is known to take from
//! one end to the other, it goes that way. When what is left is nearly full, it is finished as a full matrix.
//!
//! References: W. Grassmann, M. Taksar, D. Heyman, "Regenerative analysis and steady state distributions for Markov
//! chains", Operations Research 33 (1985), 1107-1116, doi:10.1287/opre.33.5.1107; C. O'Cinneide, "Entrywise
//! perturbation theory and error analysis for Markov chains", Numerische Mathematik 65 (1993), 109-120,
//! doi:10.1007/BF01385743; H. Markowitz, "The elimination form of the inverse and its application to linear
//! programming", Management Science 3 (1957), 255-269, doi:10.1287/mnsc.3.3.255.

mod dense;
mod front;
mod frontal;
mod graph;
mod order;
mod pool;
mod solve;
mod weights;
mod wide;
mod within;

use crate::budget::{Halted, Meter, Stage, Told};
use crate::error::Error;
use crate::scalar::Scalar;
use crate::sparse::Csr;
pub(crate) use front::Front;
use graph::{Graph, Move};
use order::Order;
use pool::Pool;
pub(crate) use solve::Visits;
pub(crate) use weights::relative_error;
pub(crate) use wide::Wide;
pub(crate) use within::Within;

/// Products with an exponent below it may have lost precision.
const LOWEST: i32 = -1020;

/// What led to a state when it was eliminated.
#[derive(Clone, Debug)]
struct Source<T> {
    from: u32,
    /// Power of two that the row of `from` was multiplied by.
    scale: i32,
    rate: T,
}

/// A chain with all states eliminated: what is needed to put them back.
#[derive(Clone, Debug)]
pub(crate) struct Elimination<T> {
    order: Vec<u32>,
    /// For each state, the probabilities of where it led, out of the chain not included.
    away: Pool<Move<T>>,
    /// What led to the states, step by step.
    into: Vec<Source<T>>,
    /// For each step, where its part of `into` ends.
    ends: Vec<usize>,
    /// For each step, the sum of what led away, out of the chain included.
    pivots: Vec<T>,
    /// For each step, the power of two that the row was multiplied by.
    scales: Vec<i32>,
    /// Sum over steps of changed rows times roundings of their entries; see [`weights::Weights`].
    roundings: f64,
    is_lossy: bool,
    /// Entries that are kept.
    kept: usize,
    /// Number of states.
    len: usize,
}

/// Entries that an elimination may keep unless told otherwise: about a gigabyte of floats, and up to three on the way.
pub(crate) const FILL: usize = 50_000_000;

/// Changes for each entry of a chain that make an order by fronts worth a try where another one takes more.
const NARROW: u64 = 4000;

/// Changes of a full matrix that take as long as one of lists.
const QUICK: u64 = 32;

/// How much an elimination may cost.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Room<'m> {
    /// Entries that are kept.
    pub(crate) fill: usize,
    /// Entries of the chain that is left at any time.
    live: usize,
    /// Changes for each entry of the chain that an order by [`Front`] may make.
    narrow: u64,
    /// Changes of lists, and `QUICK` times as many of full matrices.
    work: u64,
    /// What counts its work.
    pub(crate) meter: &'m Meter<'m>,
    /// Whether an observer is told of it.
    is_told: bool,
}

impl<'m> Room<'m> {
    /// For an elimination that is a stage of its own.
    pub(crate) fn new(fill: usize, meter: &'m Meter<'m>) -> Self {
        Self {
            fill,
            live: usize::MAX,
            narrow: NARROW,
            work: u64::MAX,
            meter,
            is_told: true,
        }
    }

    /// With so many entries of the chain that is left, at most, unless it is known that so many changes for each entry of
    /// the chain will do.
    pub(crate) fn with_live(self, live: usize, narrow: u64) -> Self {
        Self { live, narrow, ..self }
    }

    /// With about so many changes at most, a part of those of full matrices: where it takes more that is mostly known
    /// before they are made.
    pub(crate) fn with_work(self, work: u64) -> Self {
        Self { work, ..self }
    }

    /// For a small one, as a step of something else.
    pub(crate) fn within_step(meter: &'m Meter<'m>) -> Self {
        let is_told = false;
        Self {
            is_told,
            ..Self::new(FILL, meter)
        }
    }
}

/// Why an elimination came to no end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Refused {
    /// It takes more entries.
    TooLarge,
    /// The solve is to end, or there is no more memory.
    Halted(Halted),
}

impl From<Halted> for Refused {
    fn from(halted: Halted) -> Self {
        Self::Halted(halted)
    }
}

impl Refused {
    /// As an error, where there may be so many entries.
    pub(crate) fn error(self, limit: usize) -> Error {
        let what = "entries";
        match self {
            Self::TooLarge => Error::TooLarge { what, limit },
            Self::Halted(halted) => halted.bare().error(),
        }
    }
}

impl<T: Scalar> Elimination<T> {
    /// Eliminates all states of a chain with these rates (or probabilities) between different states, and these out of
    /// the chain.
    ///
    /// Where nothing leads out of the chain, it must be irreducible; where something does, it must be reached from
    /// everywhere.
    ///
    /// # Errors
    /// [`Error::TooLarge`] where it takes more entries than there is room for, and [`Error::Stopped`].
    pub(crate) fn new(rates: &Csr<T>, leave: Option<&[T]>, room: Room<'_>) -> Result<Self, Error> {
        Self::within(rates, leave, None, room).map_err(|refused| refused.error(room.fill))
    }

    /// As [`Elimination::new`]; `last` goes last.
    pub(crate) fn within(
        rates: &Csr<T>,
        leave: Option<&[T]>,
        last: Option<usize>,
        room: Room<'_>,
    ) -> Result<Self, Refused> {
        room.meter.look()?;
        let graph = Graph::new(rates, leave);
        let entries = rates.entries() as u64;
        let least_first = |graph: Graph<T>, work| {
            let mut order = Order::new(rates.rows());
            for state in breadth_first(rates) {
                if Some(state as usize) != last {
                    order.insert(state, graph.product(state));
                }
            }
            Self::least_first(graph, order, last, (room, work))
        };
        let neighbours = |v| graph.neighbours(v);
        let most = room.narrow.saturating_mul(entries).min(room.work.saturating_mul(QUICK));
        let is_large = rates.entries() >= Front::FEW;
        let front = is_large.then(|| Front::find(rates.rows(), neighbours, last, most));
        let Some(front) = front.flatten().filter(|front| front.fill <= room.fill) else {
            return least_first(graph, u64::MAX);
        };
        // What is easy takes much less than the front, whose full matrix takes a fraction of what lists take for each
        // change.
        let enough = (front.work / 8).saturating_add(2 * entries);
        match least_first(graph, enough) {
            Err(Refused::TooLarge) => Self::along(&front, Graph::new(rates, leave), room),
            found => found,
        }
    }

    /// As [`Elimination::new`], in an order that was found for these rates.
    ///
    /// # Errors
    /// As [`Elimination::new`].
    pub(crate) fn by_front(rates: &Csr<T>, front: &Front, room: Room<'_>) -> Result<Self, Error> {
        let graph = Graph::new(rates, None);
        Self::along(front, graph, room).map_err(|refused| refused.error(room.fill))
    }

    /// As [`Elimination::within`], in the order of least degrees, and with so many changes at most.
    fn least_first(
        mut graph: Graph<T>,
        mut order: Order,
        last: Option<usize>,
        (room, work): (Room<'_>, u64),
    ) -> Result<Self, Refused> {
        let n = graph.scale.len();
        let meter = room.meter;
        let mut done = Self::empty(n);
        let mut changes = 0_u64;
        while let Some(v) = order.pop(|state| graph.product(state)) {
            let start = done.into.len();
            let gone = graph.eliminate(v as usize, &mut done.into, meter)?;
            let degree = graph.rows.len(v as usize);
            done.push(v, gone.pivot, graph.scale[v as usize], degree, gone.touched);
            changes += (done.into.len() - start) as u64 * (degree as u64 + 1);
            if done.kept > room.fill || graph.live > room.live || changes > work.min(room.work) {
                return Err(Refused::TooLarge);
            }
            meter.hold(|| graph.bytes() + done.bytes())?;
            if room.is_told {
                meter.tell(|| done.progress());
            }
            let sources = done.into[start..].iter().map(|source| source.from);
            let targets = graph.rows.list(v as usize).iter().map(|step| step.to);
            for state in sources.chain(targets) {
                if Some(state as usize) != last {
                    order.insert(state, graph.product(state));
                }
            }
            let left = n - done.order.len();
            if is_nearly_full(left, graph.live) {
                let full = (left as u64).saturating_pow(3) / 3;
                let is_long = full > work - changes || full / QUICK > room.work - changes;
                if done.kept.saturating_add(left * left) > room.fill || is_long {
                    return Err(Refused::TooLarge);
                }
                let states = done.left_in_order(last);
                done.finish_dense(&mut graph, states, room)?;
                return Ok(done.finished(graph));
            }
        }
        if let Some(last) = last {
            let gone = graph.eliminate(last, &mut done.into, meter)?;
            let degree = graph.rows.len(last);
            done.push(last as u32, gone.pivot, graph.scale[last], degree, gone.touched);
        }
        Ok(done.finished(graph))
    }

    fn empty(n: usize) -> Self {
        Self {
            order: Vec::with_capacity(n),
            away: Pool::new(Move::to(0, T::zero()), 0, 0),
            into: Vec::new(),
            ends: Vec::with_capacity(n),
            pivots: Vec::with_capacity(n),
            scales: Vec::with_capacity(n),
            roundings: 0.0,
            is_lossy: false,
            kept: 0,
            len: n,
        }
    }

    /// Bytes of what is kept beside the rows.
    fn bytes(&self) -> usize {
        self.into.capacity() * size_of::<Source<T>>()
    }

    fn progress(&self) -> Told {
        Told {
            of: Some(self.len),
            ..Told::of(Stage::Elimination, self.order.len())
        }
    }

    /// Notes the elimination of a state whose row led to `degree` others, and changed `touched` rows.
    fn push(&mut self, v: u32, pivot: T, scale: i32, degree: usize, touched: usize) {
        let start = self.ends.last().copied().unwrap_or(0);
        self.kept += degree + self.into.len() - start;
        self.roundings += touched as f64 * weights::changed_entry(degree);
        self.is_lossy |= pivot.is_zero() && self.order.len() + 1 < self.len;
        self.order.push(v);
        self.ends.push(self.into.len());
        self.pivots.push(pivot);
        self.scales.push(scale);
    }

    /// What is left, in rising order but for `last`.
    fn left_in_order(&self, last: Option<usize>) -> Vec<u32> {
        let mut is_gone = vec![false; self.len];
        for &v in &self.order {
            is_gone[v as usize] = true;
        }
        let states = (0..is_gone.len()).filter(|&v| !is_gone[v] && Some(v) != last);
        states.chain(last).map(|v| v as u32).collect()
    }

    fn finished(mut self, graph: Graph<T>) -> Self {
        self.is_lossy |= graph.is_lossy;
        self.away = graph.rows;
        self
    }

    /// What led to the state that was eliminated in a step.
    fn sources(&self, step: usize) -> &[Source<T>] {
        let start = step.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.into[start..self.ends[step]]
    }
}

/// All states, breadth-first from the one that most moves lead to.
fn breadth_first<T: Scalar>(rates: &Csr<T>) -> Vec<u32> {
    let n = rates.rows();
    let mut degree = vec![0_u32; n];
    for state in 0..n {
        rates
            .row_slices(state)
            .0
            .iter()
            .for_each(|&to| degree[to as usize] += 1);
    }
    // The first of the largest.
    let root = (0..n).rev().max_by_key(|&state| degree[state]);
    let mut is_met = vec![false; n];
    let mut queue = Vec::with_capacity(n);
    let mut at = 0;
    for state in root.into_iter().chain(0..n) {
        if !core::mem::replace(&mut is_met[state], true) {
            queue.push(state as u32);
        }
        while at < queue.len() {
            for &to in rates.row_slices(queue[at] as usize).0 {
                if !core::mem::replace(&mut is_met[to as usize], true) {
                    queue.push(to);
                }
            }
            at += 1;
        }
    }
    queue
}

/// Whether a full matrix is the quicker way for what is left.
fn is_nearly_full(left: usize, live: usize) -> bool {
    left >= 16 && live * 4 > left * left
}

#[cfg(test)]
mod tests {
    use super::{Elimination, FILL, QUICK, Refused, Room};
    use crate::budget::Meter;
    use crate::scalar::{Rational, Scalar};
    use crate::sparse::Csr;

    #[test]
    fn a_birth_and_death_chain_in_fractions() {
        // Up 1, down 2: weights halve.
        let rates = Csr::from_rows(
            4,
            (0..4_usize).map(|v| {
                let up = (v < 3).then(|| (v + 1, Rational::ratio(1, 1)));
                let down = v.checked_sub(1).map(|w| (w, Rational::ratio(2, 1)));
                up.into_iter().chain(down).collect::<Vec<_>>()
            }),
        );
        let meter = Meter::unlimited();
        let done = Elimination::within(&rates, None, Some(0), Room::new(FILL, &meter)).expect("no limit");
        let expected: Vec<Rational> = (0..4).map(|v| Rational::ratio(8 >> v, 15)).collect();
        assert_eq!(done.weights(&meter).expect("no limit").values, expected);
    }

    #[test]
    fn a_full_matrix_finishes_as_the_lists_do() {
        // Twenty states, all leading to all: the full matrix from the first step on.
        let rate = |i: usize, j: usize| Rational::ratio(1 + (i * 7 + j * 3) as i64 % 11, 1 + (i + j) as i64 % 4);
        let rows = (0..20).map(|i| (0..20).filter(move |&j| j != i).map(move |j| (j, rate(i, j))));
        let rates = Csr::from_rows(20, rows);
        let meter = Meter::unlimited();
        let done = Elimination::within(&rates, None, Some(3), Room::new(FILL, &meter)).expect("no limit");
        let x = done.weights(&meter).expect("no limit").values;
        for j in 0..20 {
            let inflow = (0..20)
                .filter(|&i| i != j)
                .fold(Rational::ratio(0, 1), |sum, i| sum + &x[i] * rate(i, j));
            let out = (0..20)
                .filter(|&i| i != j)
                .fold(Rational::ratio(0, 1), |sum, i| sum + rate(j, i));
            assert_eq!(inflow, out * &x[j]);
        }
    }

    /// What takes too much is refused before it is done.
    #[test]
    fn an_elimination_of_too_many_changes_is_refused() {
        let rates = Csr::from_rows(60, (0..60).map(|i| (0..60).filter(move |&j| j != i).map(|j| (j, 1.0))));
        let meter = Meter::unlimited();
        let within = |work| {
            let before = meter.work();
            let done = Elimination::within(&rates, None, None, Room::new(FILL, &meter).with_work(work));
            (done.map(|done| done.kept), meter.work() - before)
        };
        let full = 60_u64.pow(3) / 3;
        let (refused, work) = within(full / QUICK);
        assert_eq!(refused.err(), Some(Refused::TooLarge));
        assert!(work < full / 4, "{work}");
        // As many as a state of lists takes as well.
        let (done, work) = within(full / QUICK + 60 * 60);
        assert!(done.is_ok() && work > full / 2, "{work}");
    }
}
