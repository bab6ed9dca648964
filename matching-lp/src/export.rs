//! The problem as a set-partitioning program, for people to read and for other solvers.

use core::fmt::Write;

use matching_core::CostValue;

use crate::duals::Duals;
use crate::error::Error;
use crate::grid::Grid;
use crate::limits::{Clock, Limits};
use crate::model::{Kind, Model};
use crate::pool::Pool;
use crate::problem::Problem;

/// Where the players of a column are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Place {
    /// In a group of these bounds, by [`SetPartitioning::sizes`].
    Group(usize),
    /// On the bench.
    Bench,
}

/// A team, a party that waits, or a group that stays empty.
#[derive(Clone, Debug, PartialEq)]
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
pub struct Sizes {
    /// Least number of members.
    pub least: usize,
    /// Greatest number of members.
    pub most: usize,
    /// Number of such groups.
    pub groups: usize,
}

/// A grouping problem as a program with a variable for every team there can be: pick columns such that every player is in
/// exactly one, as many of each kind of group as there are, and no more players wait than may, at least cost.
///
/// [`to_lp`](Self::to_lp) and [`to_mps`](Self::to_mps) write it for other solvers; the columns are there for models of one's own. The program has
/// as many columns as there are teams: for small problems.
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
pub struct SetPartitioning<V: CostValue> {
    players: usize,
    bench: usize,
    sizes: Vec<Sizes>,
    columns: Vec<Column<V::Total>>,
}

/// One row: its name, whether it may be less, its right-hand side, and the columns in it with their entries.
struct Row {
    name: String,
    is_limit: bool,
    right: usize,
    entries: Vec<(usize, usize)>,
}

impl<V: CostValue> SetPartitioning<V> {
    /// All teams, if there are no more than `most`.
    ///
    /// # Errors
    /// [`Error::TooManyTeams`], and what reading the problem can say.
    ///
    /// # Complexity
    /// Time and space in proportion to the number of teams.
    pub fn new(problem: &Problem<'_, V>, most: usize) -> Result<Self, Error> {
        let grid = Grid::new(problem)?;
        let model = Model::new(problem, &grid)?;
        let nothing = Duals {
            rows: vec![0; model.rows()],
            cuts: Vec::new(),
        };
        let limits = Limits::default();
        let mut clock = Clock::new(&limits, std::time::Instant::now());
        // Far above every reduced cost by duals of zero.
        let pool =
            Pool::enumerate(&model, &nothing, 1 << 58, most, &mut clock).map_err(|_| Error::TooManyTeams { most })?;
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

    /// All columns.
    pub fn columns(&self) -> &[Column<V::Total>] {
        &self.columns
    }

    /// The kinds of groups there are.
    pub fn sizes(&self) -> &[Sizes] {
        &self.sizes
    }

    fn rows(&self) -> Vec<Row> {
        let row = |name: String, is_limit: bool, right: usize| Row {
            name,
            is_limit,
            right,
            entries: Vec::new(),
        };
        let mut rows: Vec<Row> = (0..self.players)
            .map(|player| row(format!("player{player}"), false, 1))
            .collect();
        let kinds = self.sizes.iter().enumerate();
        rows.extend(kinds.map(|(number, sizes)| row(format!("groups{number}"), false, sizes.groups)));
        rows.push(row("bench".to_owned(), true, self.bench));
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

    /// The program in the LP format of CPLEX, which most solvers read. Column `c7` is the eighth of [`columns`](Self::columns).
    pub fn to_lp(&self) -> String {
        let mut text = String::from("\\ every player in exactly one column\nMinimize\n cost:");
        // A program without columns still has an objective.
        if self.columns.is_empty() {
            text.push_str(" 0 c0");
        }
        for (number, column) in self.columns.iter().enumerate() {
            write_term(&mut text, number, column.cost);
        }
        text.push_str("\nSubject To\n");
        for row in self.rows() {
            let _ = write!(text, " {}:", row.name);
            if row.entries.is_empty() {
                text.push_str(" 0 c0");
            }
            for (at, (column, entry)) in row.entries.iter().enumerate() {
                let _ = write!(text, "{} + {entry} c{column}", wrap(at));
            }
            let _ = writeln!(text, " {} {}", if row.is_limit { "<=" } else { "=" }, row.right);
        }
        text.push_str("Binary\n");
        for number in 0..self.columns.len() {
            let _ = writeln!(text, " c{number}");
        }
        text.push_str("End\n");
        text
    }

    /// The program in free MPS format. Columns are named as by [`to_lp`](Self::to_lp).
    pub fn to_mps(&self) -> String {
        let rows = self.rows();
        let mut text = String::from("NAME grouping\nROWS\n N cost\n");
        let mut entries: Vec<Vec<(usize, usize)>> = vec![Vec::new(); self.columns.len()];
        for (number, row) in rows.iter().enumerate() {
            let _ = writeln!(text, " {} {}", if row.is_limit { 'L' } else { 'E' }, row.name);
            for &(column, entry) in &row.entries {
                entries[column].push((number, entry));
            }
        }
        text.push_str("COLUMNS\n MARKER MARKER 'MARKER' 'INTORG'\n");
        for (number, column) in self.columns.iter().enumerate() {
            let _ = writeln!(text, " c{number} cost {}", column.cost);
            for &(row, entry) in &entries[number] {
                let _ = writeln!(text, " c{number} {} {entry}", rows[row].name);
            }
        }
        text.push_str(" MARKER MARKER 'MARKER' 'INTEND'\nRHS\n");
        for row in &rows {
            let _ = writeln!(text, " RHS {} {}", row.name, row.right);
        }
        text.push_str("BOUNDS\n");
        for number in 0..self.columns.len() {
            let _ = writeln!(text, " BV BND c{number}");
        }
        text.push_str("ENDATA\n");
        text
    }
}

/// Lines of the LP format must not grow too long.
fn wrap(at: usize) -> &'static str {
    if at % 20 == 19 { "\n " } else { "" }
}

fn write_term<T: CostValue>(text: &mut String, number: usize, cost: T) {
    let sign = if cost < T::zero() { "" } else { "+ " };
    let _ = write!(text, "{} {sign}{cost} c{number}", wrap(number));
}
