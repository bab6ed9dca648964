//! The problem as a set-partitioning program, for people to read and for other solvers.

use matching_core::CostValue;

use crate::duals::Duals;
use crate::error::Error;
use crate::grid::Grid;
use crate::limits::{Clock, Limits};
use crate::model::{Kind, Model};
use crate::pool::{Pool, TooLarge};
use crate::problem::Problem;
use crate::terms::Fault;
use crate::text::{Column as TextColumn, Range, Relation, Row, Text};

/// Where the players of a column are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Place {
    /// In a group of these bounds, by [`SetPartitioning::sizes`].
    Group(usize),
    /// On the bench.
    Bench,
}

/// A team, a party that waits, or a group that stays empty.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Column<T> {
    /// The players, ascending.
    pub players: Vec<usize>,
    /// Where they are.
    pub place: Place,
    /// What that costs.
    pub cost: T,
}

/// Groups of the same bounds, and how many of them there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Sizes {
    /// Least number of members.
    pub least: usize,
    /// Greatest number of members.
    pub most: usize,
    /// Number of such groups.
    pub groups: usize,
}

/// A grouping problem as a program with a variable for every team there can be: pick columns such that every player is
/// in exactly one, as many of each kind of group as there are, and no more players wait than may, at least cost.
///
/// [`to_lp`](Self::to_lp) and [`to_mps`](Self::to_mps) write it for other solvers; the columns are there for models of
/// one's own. The program has as many columns as there are teams: for small problems. With feature `serde` it is written and not
/// read: whether columns from a file are all that there are, only the problem can say.
///
/// # Examples
/// ```
/// use matching_core::cost;
/// use matching_lp::{Groups, Problem, SetPartitioning};
///
/// let cost = cost::from_symmetric_fn(6, |i, j| (i as i64 - j as i64).abs());
/// let problem = Problem::new(&cost, Groups::of_size(6, 3)?)?;
/// let program = SetPartitioning::new(&problem, 1_000)?;
/// assert_eq!(program.columns().len(), 20);
/// assert!(program.to_lp().contains("player5:"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(bound(serialize = "V::Total: serde::Serialize")))]
pub struct SetPartitioning<V: CostValue> {
    players: usize,
    bench: usize,
    sizes: Vec<Sizes>,
    columns: Vec<Column<V::Total>>,
}

/// All columns that there are, if no more than `most` of them are teams.
fn all_teams(model: &Model<'_>, most: usize) -> Result<Pool, TooLarge> {
    let nothing = Duals {
        rows: vec![0; model.rows()],
        cuts: Vec::new(),
    };
    let limits = Limits::default();
    let mut clock = Clock::new(&limits, std::time::Instant::now());
    let most = most.saturating_add(model.other_columns().len());
    // Far above every reduced cost by duals of zero.
    Pool::enumerate(model, &nothing, 1 << 58, most, &mut clock)
}

impl<V: CostValue> SetPartitioning<V> {
    /// All teams, if there are no more than `most`; one that fits several kinds of groups counts for each. People who wait
    /// and groups that stay empty are columns, too, and are not counted.
    ///
    /// # Errors
    /// [`Error::TooManyTeams`], and what reading the problem can say.
    ///
    /// # Complexity
    /// Time and space in proportion to the number of teams.
    pub fn new(problem: &Problem<'_, V>, most: usize) -> Result<Self, Error> {
        let mut grid = Grid::new(problem)?;
        let (model, pool) = loop {
            let model = Model::new(problem, &grid)?;
            let pool = all_teams(&model, most).map_err(|_| Error::TooManyTeams { most })?;
            // A team whose cost does not fit would be missing as if it were forbidden.
            match model.terms.as_ref().and_then(|terms| terms.fault()) {
                Some(Fault::Grid { doublings, .. }) => grid = grid.coarser(doublings),
                Some(Fault::Error(error)) => return Err(error),
                None => break (model, pool),
            }
        };
        let columns = (0..pool.len() as u32).map(|column| {
            let units = pool.units(column).iter();
            let mut players: Vec<usize> = units
                .flat_map(|&unit| model.units[usize::from(unit)].iter().copied())
                .collect();
            players.sort_unstable();
            let (place, cost) = match pool.kind(column) {
                Kind::Team(class) | Kind::Unfilled(class) => {
                    let cost = problem.total(core::slice::from_ref(&players), &[])?;
                    (Place::Group(usize::from(class)), cost)
                }
                Kind::Bench | Kind::Nowhere => (Place::Bench, problem.total(&[], &players)?),
            };
            Ok(Column { players, place, cost })
        });
        Ok(Self {
            players: problem.len(),
            bench: *problem.groups().bench().end(),
            columns: columns.collect::<Result<_, Error>>()?,
            sizes: model
                .classes
                .iter()
                .map(|class| Sizes {
                    least: class.least as usize,
                    most: class.most as usize,
                    groups: class.count as usize,
                })
                .collect(),
        })
    }

    /// Number of players.
    #[cfg(feature = "good_lp")]
    pub(crate) fn players(&self) -> usize {
        self.players
    }

    /// Most players who may wait.
    #[cfg(feature = "good_lp")]
    pub(crate) fn bench(&self) -> usize {
        self.bench
    }

    /// All columns.
    pub fn columns(&self) -> &[Column<V::Total>] {
        &self.columns
    }

    /// The kinds of groups there are.
    pub fn sizes(&self) -> &[Sizes] {
        &self.sizes
    }

    /// The least and greatest value of a column: as many groups of a kind may stay empty as there are.
    pub(crate) fn range(&self, column: &Column<V::Total>) -> Range {
        match column.place {
            Place::Group(kind) if column.players.is_empty() => Range::Whole(0.0, self.sizes[kind].groups as f64),
            _ => Range::Binary,
        }
    }

    pub(crate) fn rows(&self) -> Vec<Row<usize>> {
        let row = |name: String, relation: Relation, right: usize| Row {
            name,
            relation,
            right,
            entries: Vec::new(),
        };
        let mut rows: Vec<Row<usize>> = (0..self.players)
            .map(|player| row(format!("player{player}"), Relation::Equal, 1))
            .collect();
        let kinds = self.sizes.iter().enumerate();
        rows.extend(kinds.map(|(number, sizes)| row(format!("groups{number}"), Relation::Equal, sizes.groups)));
        rows.push(row("bench".to_owned(), Relation::AtMost, self.bench));
        for (number, column) in self.columns.iter().enumerate() {
            for &player in &column.players {
                rows[player].entries.push((number, 1));
            }
            let (place, entry) = match column.place {
                Place::Group(kind) => (self.players + kind, 1),
                Place::Bench => (rows.len() - 1, column.players.len()),
            };
            rows[place].entries.push((number, entry));
        }
        rows
    }

    fn text(&self) -> Text<V::Total, usize> {
        let columns = self.columns.iter().enumerate().map(|(number, column)| TextColumn {
            name: format!("c{number}"),
            cost: column.cost,
            range: self.range(column),
        });
        Text {
            title: "every player in exactly one column",
            columns: columns.collect(),
            rows: self.rows(),
        }
    }

    /// The program in the LP format of CPLEX, which most solvers read. Column `c7` is the eighth of
    /// [`columns`](Self::columns).
    pub fn to_lp(&self) -> String {
        self.text().to_lp()
    }

    /// The program in free MPS format. Columns are named as by [`to_lp`](Self::to_lp).
    pub fn to_mps(&self) -> String {
        self.text().to_mps()
    }
}
