//! Two sides of a list of edges, where staying alone has a price.
//!
//! - [`sides`]: who is on which side;
//! - [`graph`]: rows, columns and the edges between them;
//! - here: what staying alone costs, when paths take too long, and the answer as one of two copies of the graph.
//!
//! Two copies have duals that are the same, so one is enough; and a column that nobody takes pays what it does alone from the
//! beginning, so that a row that finds it is done at once, however dear that is. Searches from both sides of two copies come to
//! those prices last of all.

mod graph;
mod sides;

use super::{Ends, NONE, Search};
use crate::certificate::Certificate;
use crate::cost::CostValue;
use crate::edge_list::EdgeList;
use crate::engine::{self, Dual, Glimpse, Limits, Outcome};
use crate::error::Error;
use crate::progress::Stage;
use crate::reduction::Reduced;
use crate::solution::StopReason;
use graph::Graph;

/// How long paths will be is not asked before they have looked at each edge so often in the mean.
const TRIAL: u64 = 4;
/// As often all paths may look at each edge; of what takes longer, most is sooner done by others.
const PATIENCE: u64 = 96;
/// The same where hardly a row stays alone rather than look for a column: others, who search from both sides, are done sooner.
const PATIENCE_DEAR: u64 = 24;
/// Paths that end at a column, of all, where staying alone is dear.
const DEAR: f64 = 0.99;
/// To let a column stay alone takes others a search through most of the graph, where rows are too few for all columns: as many
/// looks at each edge more may paths have.
const LOOKS_OF_SURPLUS: u64 = 8;
/// Where surplus columns are elsewhere, that is all that is lost.
const MOST_PATIENCE: u64 = 512;
/// Bits of a few times a number.
const ROOM_BITS: u32 = 4;

/// What came of it.
pub(crate) enum Found {
    Solved(Outcome),
    /// It is for others to find a matching; what this proves is a bound, and has taken so much work.
    GivenUp(Certificate, u64),
}

/// Solves a list under an objective by which everybody may stay alone; `None` if it has no two sides.
///
/// # Errors
/// A cost that the grid cannot hold.
pub(crate) fn solve<V: CostValue>(
    edges: &EdgeList<V>,
    reduced: &Reduced<'_, V>,
    limits: &Limits<'_>,
) -> Result<Option<Found>, Error> {
    debug_assert!(reduced.is_doubled(), "somebody must not stay alone");
    let Some(is_row) = sides::rows_of(edges.len(), edges.edges()) else {
        return Ok(None);
    };
    let mut most = 0;
    for edge in edges.edges() {
        most = most.max(reduced.reduced_cost(edge.weight)?.unsigned_abs());
    }
    for vertex in 0..edges.len() {
        most = most.max(reduced.unmatched_cost(vertex)?.unsigned_abs());
    }
    Ok(match Room::of(reduced.vertices(), most) {
        Room::Long => Some(Sides::<i64>::new(edges, &is_row, reduced)?.solve(limits)),
        Room::Wide => Some(Sides::<i128>::new(edges, &is_row, reduced)?.solve(limits)),
        Room::None => None,
    })
}

/// Which integers hold all numbers of a search.
enum Room {
    Long,
    Wide,
    /// Whoever checks the answer could not add it up.
    None,
}

impl Room {
    /// For costs up to `most`, which duals and distances exceed a few times, and a proof for so many vertices.
    fn of(vertices: usize, most: u128) -> Self {
        let links = most.checked_mul(2).and_then(|links| i128::try_from(links).ok());
        let is_provable = links.is_some_and(|links| engine::widths(vertices, -links, links).check().is_ok());
        let bits = u128::BITS - most.leading_zeros() + ROOM_BITS;
        match is_provable {
            true if bits < i64::BITS => Self::Long,
            true => Self::Wide,
            false => Self::None,
        }
    }
}

/// A search on all columns of each row.
type Paths<'s, D> = Search<'s, D, &'s Graph<D>>;

struct Sides<D> {
    graph: Graph<D>,
    /// Of the list.
    edges: u64,
}

impl<D: Dual> Sides<D> {
    fn new<V: CostValue>(edges: &EdgeList<V>, is_row: &[bool], reduced: &Reduced<'_, V>) -> Result<Self, Error> {
        Ok(Self {
            graph: Graph::new(edges, is_row, reduced)?,
            edges: edges.edges().len() as u64,
        })
    }

    fn solve(&self, limits: &Limits<'_>) -> Found {
        let graph = &self.graph;
        let mut search = Search::new(graph, Some(&graph.alone), graph.caps.clone(), self.edges);
        let mut outlook = Outlook::new(self.edges, graph.surplus());
        let ends = search.run(u64::MAX, |search| {
            let stop = limits.look(search.work, || self.glimpse(search)).map(Ends::Stopped);
            stop.or_else(|| {
                let standing = Standing {
                    work: search.work,
                    left: search.left(),
                    free: search.free(),
                };
                outlook.is_bad(standing).then_some(Ends::Tired)
            })
        });
        limits.tell(search.work, || self.glimpse(&search));
        limits.count(search.work);
        match ends {
            Ends::Done => Found::Solved(self.outcome(&search, None)),
            Ends::Stopped(reason) => Found::Solved(self.outcome(&search, Some(reason))),
            // A row that finds nobody stays alone, so none is stuck.
            Ends::Tired | Ends::Stuck(..) => Found::GivenUp(self.certificate(&search), search.work),
        }
    }

    fn glimpse(&self, search: &Paths<'_, D>) -> Glimpse {
        let sum = |duals: &[D]| {
            let mut duals = duals.iter();
            duals.try_fold(0i128, |sum, &dual| sum.checked_add(dual.into()))
        };
        let bound = sum(&search.rows)
            .zip(sum(&search.columns))
            .and_then(|(rows, columns)| rows.checked_add(columns)?.checked_mul(4));
        Glimpse {
            stage: Stage::Search,
            left: Some(2 * search.left()),
            doubled_bound: bound,
        }
    }

    /// Both copies of a vertex have the same dual.
    fn certificate(&self, search: &Paths<'_, D>) -> Certificate {
        let graph = &self.graph;
        let mut duals = vec![0; graph.rows.len() + graph.columns.len()];
        let of_rows = graph.rows.iter().zip(&search.rows);
        for (&vertex, &dual) in of_rows.chain(graph.columns.iter().zip(&search.columns)) {
            duals[vertex as usize] = 2 * dual.into();
        }
        duals.extend_from_within(..);
        let order = (0..duals.len() as u32).collect();
        Certificate::new(duals, order, Vec::new(), 0)
    }

    fn outcome(&self, search: &Paths<'_, D>, stopped: Option<StopReason>) -> Outcome {
        let graph = &self.graph;
        let mut mates = vec![NONE; graph.rows.len() + graph.columns.len()];
        for (row, &vertex) in graph.rows.iter().enumerate() {
            if let Some(column) = search.partner(row) {
                let other = graph.columns[column];
                (mates[vertex as usize], mates[other as usize]) = (other, vertex);
            }
        }
        Outcome {
            mates,
            certificate: self.certificate(search),
            stopped,
            work: search.work,
        }
    }
}

/// How long all paths will be, from those that there were.
struct Outlook {
    edges: u64,
    /// Columns that rows are too few for.
    surplus: u64,
    last: Standing,
}

/// Work, rows that are left and columns that are free at some time.
#[derive(Clone, Copy, Default)]
struct Standing {
    work: u64,
    left: usize,
    free: usize,
}

impl Outlook {
    fn new(edges: u64, surplus: u64) -> Self {
        Self {
            edges,
            surplus,
            last: Standing::default(),
        }
    }

    /// Whether paths will be too long on the whole. A path to a free column is as long as there are columns for each free one, so
    /// that the last ones are long where few are free; one that ends at a row is as long as those before.
    fn is_bad(&mut self, now: Standing) -> bool {
        if now.work < TRIAL * self.edges || now.work < self.last.work + self.edges {
            return false;
        }
        let last = core::mem::replace(&mut self.last, now);
        if last.work == 0 {
            return false;
        }
        let paths = (last.left - now.left).max(1) as f64;
        let (left, free) = (now.left as f64, now.free as f64);
        let taken = (last.free - now.free) as f64 / paths;
        let rest = if taken == 0.0 {
            left
        } else {
            // The sum of free / free, free / (free - 1) and so on, a term for each column that will be taken.
            free * (free / (free - left * taken).max(0.5)).ln() / taken
        };
        let outlook = now.work as f64 + (now.work - last.work) as f64 / paths * rest;
        let base = if taken > DEAR { PATIENCE_DEAR } else { PATIENCE };
        let patience = (base + LOOKS_OF_SURPLUS * self.surplus).min(MOST_PATIENCE);
        outlook > (patience * self.edges) as f64
    }
}
