//! The few columns that are best for a row, and what all others cost it at least.

use super::super::lanes::{FORBIDDEN, Form, LANE_BITS, Smallest};
use super::super::parallel::Workers;
use super::table::Table;
use crate::assignment::{Entry, Neighbours};
use crate::engine::Dual;

/// Columns of each row to begin with.
pub(super) const WIDTH: usize = 10;

/// Lanes as they are.
const PLAIN: Form = Form {
    flip: 0,
    least: 0,
    down: 0,
    up: 0,
};

/// Where the best columns of a row stand, how many they are, and how many there is room for.
#[derive(Clone, Copy, Debug)]
struct Span {
    start: usize,
    count: usize,
    room: usize,
}

/// What fills room.
fn nothing<D: Dual>() -> Entry<D> {
    Entry {
        column: u32::MAX,
        weight: D::ZERO,
    }
}

/// Exact costs of a row with a column, less the least one.
pub(super) type Weight<'w, D> = &'w (dyn Fn(usize, usize) -> D + Sync);

/// The best columns of all rows.
pub(super) struct Near<'n, D> {
    table: &'n Table,
    scale: Scale<D>,
    weight: Weight<'n, D>,
    entries: Vec<Entry<D>>,
    spans: Vec<Span>,
    /// What a row pays at least for a column that is not among them, less what that column pays; [`Dual::MAX`] where there is none.
    floors: Vec<D>,
    /// How much more the last of the best columns cost than the first at the beginning, in lanes.
    reaches: Vec<i32>,
    /// What columns have to do with sums of lanes.
    addends: Vec<i32>,
    smallest: Smallest,
}

/// No addend is greater, and none is less than nothing: so whatever is allowed comes before all that is forbidden.
const MOST: i32 = FORBIDDEN - (2 << LANE_BITS);

/// What sums of lanes stand for.
#[derive(Clone, Copy, Debug)]
struct Scale<D> {
    /// The most that a column has paid: sums are as much more than what rows pay.
    top: D,
    /// Bits that lanes lack.
    down: u32,
}

impl<D: Dual> Scale<D> {
    fn new(columns: &[D], down: u32) -> Self {
        let top = columns.iter().copied().max().unwrap_or(D::ZERO);
        Self { top, down }
    }

    /// What a column has to do with a sum: how much less it pays than the first, rounded down.
    fn addend(self, dual: D) -> i32 {
        debug_assert!(dual <= self.top, "columns never pay more than they did at first");
        let lanes = (self.top - dual).into() >> self.down;
        // Far above all costs nothing is lost but an order.
        lanes.min(MOST.into()) as i32
    }

    /// A sum of lanes that what a row pays for a column is not above, rounded down.
    fn sum(self, paid: D) -> i128 {
        (paid.into() + self.top.into()) >> self.down
    }

    /// The least that a row pays for columns with such a sum of lanes.
    fn paid(self, sum: i32) -> D {
        D::from_i128((i128::from(sum) << self.down) - self.top.into())
    }
}

impl<'n, D: Dual> Near<'n, D> {
    /// The best columns at these duals.
    pub(super) fn new(table: &'n Table, down: u32, weight: Weight<'n, D>, columns: &[D], workers: Workers) -> Self {
        let scale = Scale::new(columns, down);
        let addends: Vec<i32> = columns.iter().map(|&dual| scale.addend(dual)).collect();
        let width = WIDTH.min(table.columns());
        let mut entries = vec![nothing(); table.rows() * width];
        let mut ends = vec![(0, D::MAX, 0); table.rows()];
        workers.for_zipped_rows(
            (&mut entries, width),
            &mut ends,
            Smallest::default,
            |smallest, row, entries, end| {
                let floor = look(table, scale, &addends, row, width, smallest);
                for (entry, found) in entries.iter_mut().zip(found(down, weight, row, smallest)) {
                    *entry = found;
                }
                let sums = || smallest.entries.iter().map(|kept| kept.sum);
                let reach = sums().max().unwrap_or(0) - sums().min().unwrap_or(0);
                *end = (smallest.entries.len(), floor, reach);
            },
        );
        Self {
            table,
            scale,
            weight,
            entries,
            spans: (0..table.rows())
                .map(|row| Span {
                    start: row * width,
                    count: ends[row].0,
                    room: width,
                })
                .collect(),
            floors: ends.iter().map(|&(_, floor, _)| floor).collect(),
            reaches: ends.iter().map(|&(.., reach)| reach).collect(),
            addends,
            smallest: Smallest::default(),
        }
    }

    /// Keeps what was found of a row.
    fn keep(&mut self, row: usize) {
        let (down, weight) = (self.scale.down, self.weight);
        let count = self.smallest.entries.len();
        let span = &mut self.spans[row];
        if count > span.room {
            // At least twice what there was before: of all room, little is given up.
            let (start, room) = (self.entries.len(), count.next_power_of_two());
            *span = Span { start, count, room };
            self.entries.resize(start + room, nothing());
        }
        span.count = count;
        let kept = &mut self.entries[span.start..][..count];
        for (entry, found) in kept.iter_mut().zip(found(down, weight, row, &self.smallest)) {
            *entry = found;
        }
    }
}

impl<D: Dual> Neighbours<D> for Near<'_, D> {
    fn rows(&self) -> usize {
        self.spans.len()
    }

    fn of_row(&self, row: usize) -> &[Entry<D>] {
        let Span { start, count, .. } = self.spans[row];
        &self.entries[start..start + count]
    }

    fn floor(&self, row: usize) -> D {
        self.floors[row]
    }

    fn renew(&mut self, row: usize, wanted: usize) -> u64 {
        let (table, scale) = (self.table, self.scale);
        let wanted = wanted.min(table.columns());
        self.floors[row] = look(table, scale, &self.addends, row, wanted, &mut self.smallest);
        self.keep(row);
        table.columns() as u64
    }

    /// For columns that cost up to as much more as the known ones differed at first, times two for each of so many `times`.
    fn reach_further(&mut self, row: usize, times: u32, columns: &[D]) -> u64 {
        let best = self
            .of_row(row)
            .iter()
            .map(|entry| entry.weight - columns[entry.column as usize])
            .min();
        let from = best.map_or(self.floors[row], |best| best.max(self.floors[row]));
        let bound = self.scale.sum(from) + (i128::from(self.reaches[row].max(1)) << times.min(32)) + 1;
        match i32::try_from(bound) {
            Ok(bound) if bound < FORBIDDEN => {
                let row_of_table = self.table.row(row);
                self.smallest.collect_below(row_of_table, &self.addends, PLAIN, bound);
                self.floors[row] = self.scale.paid(bound);
                self.keep(row);
                self.table.columns() as u64
            }
            _ => self.renew(row, self.table.columns()),
        }
    }

    fn lowered(&mut self, column: usize, dual: D) {
        self.addends[column] = self.scale.addend(dual);
    }
}

/// Finds the best columns of a row, and what the others cost at least.
fn look<D: Dual>(
    table: &Table,
    scale: Scale<D>,
    addends: &[i32],
    row: usize,
    wanted: usize,
    smallest: &mut Smallest,
) -> D {
    let columns = table.columns();
    // Rows whose costs are all the same want different columns.
    let turn = row * columns / table.rows().max(1) % columns;
    smallest.collect_from(table.row(row), addends, PLAIN, turn, wanted);
    let most = smallest.entries.iter().map(|kept| kept.sum).max();
    match most {
        Some(most) if smallest.entries.len() == wanted && wanted < columns => scale.paid(most),
        _ => D::MAX,
    }
}

fn found<'f, D: Dual>(
    down: u32,
    weight: Weight<'f, D>,
    row: usize,
    smallest: &'f Smallest,
) -> impl Iterator<Item = Entry<D>> + 'f {
    smallest.entries.iter().map(move |kept| Entry {
        column: kept.position,
        weight: if down == 0 {
            D::from_i128(kept.lane.into())
        } else {
            weight(row, kept.position as usize)
        },
    })
}
