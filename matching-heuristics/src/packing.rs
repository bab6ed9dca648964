//! A first grouping: parties packed whole into groups.
//!
//! Only sizes matter, so the search runs over how many parties of each size a group takes. It is complete: a state (the
//! next group, parties left by size) from which no packing exists is met once, as long as memory for such states lasts.
//! Groups are filled with large parties first, which almost always succeeds at once; a table of the sums that parties
//! can make keeps it from looking for sums that they cannot.

use std::collections::{HashSet, VecDeque};

use rand::Rng;
use rand::seq::SliceRandom;

use crate::error::Error;
use crate::layout::Layout;

/// Steps after which the search gives up, beyond what first choices take that fill their groups: below a second.
const STEPS: u64 = 1 << 27;
/// Steps before anybody is asked whether it is cancelled, where the first choices lead nowhere: below a millisecond.
const UNASKED: u64 = 1 << 18;
/// The same as long as they lead somewhere: a few seconds, which is more than they take for as many groups as there may
/// be, unless parties have hundreds of sizes.
const PATIENCE: u64 = 1 << 31;
/// What one choice counts beside the table of sums: it allocates.
const CHOICE: u64 = 64;
/// Words of memory for states from which no packing exists: some 100 MB. Past that they are no longer noted.
const DEAD: usize = 1 << 24;
/// Words of memory for tables of sums: some 16 MB. Those of choices that were made long ago are made again where the
/// search comes back to them.
const TABLES: usize = 1 << 22;

/// How many units of each class every group takes.
#[derive(Clone, Debug)]
pub(crate) struct Shape {
    /// Where what each group takes begins, and where that of the last one ends.
    begins: Vec<u32>,
    taken: Vec<Taken>,
}

/// Some units of a class.
#[derive(Clone, Copy, Debug)]
struct Taken {
    class: u32,
    count: u32,
}

impl Shape {
    /// One that is within all bounds.
    ///
    /// # Errors
    /// [`Error::PartiesDoNotFit`] if there is none, [`Error::PackingUnknown`] if none was found in time, or before it
    /// was cancelled.
    pub(crate) fn find(layout: &Layout, is_cancelled: &dyn Fn() -> bool) -> Result<Self, Error> {
        let room = Room::new(layout);
        Packing::new(&room, is_cancelled).solve(layout)
    }

    /// How many units of each class a group takes, of so many classes.
    pub(crate) fn taken(&self, group: usize, classes: usize) -> Vec<u32> {
        let mut counts = vec![0; classes];
        self.of_group(group)
            .iter()
            .for_each(|taken| counts[taken.class as usize] = taken.count);
        counts
    }

    fn of_group(&self, group: usize) -> &[Taken] {
        &self.taken[self.begins[group] as usize..self.begins[group + 1] as usize]
    }

    /// The group of every unit, at random.
    pub(crate) fn deal(&self, layout: &Layout, rng: &mut impl Rng) -> Vec<u32> {
        let mut group_of: Vec<u32> = layout.pin.iter().map(|pin| pin.unwrap_or(0)).collect();
        let shuffled = layout.classes.iter().map(|class| {
            let mut units: Vec<u32> = class.clone().collect();
            units.shuffle(rng);
            units.into_iter()
        });
        let mut units: Vec<_> = shuffled.collect();
        for group in 0..layout.groups() {
            for taken in self.of_group(group) {
                units[taken.class as usize]
                    .by_ref()
                    .take(taken.count as usize)
                    .for_each(|unit| group_of[unit as usize] = group as u32);
            }
        }
        group_of
    }
}

/// What is left to be packed once pinned units sit.
struct Room {
    /// Size of the units of each class, and how many there are.
    sizes: Vec<u32>,
    counts: Vec<u32>,
    /// Least and greatest number of players still wanted by each group.
    bounds: Vec<(u32, u32)>,
}

impl Room {
    fn new(layout: &Layout) -> Self {
        let mut bounds = layout.bounds.clone();
        for (unit, pin) in layout.pin.iter().enumerate() {
            if let Some(group) = *pin {
                let (least, most) = &mut bounds[group as usize];
                *least = least.saturating_sub(layout.size[unit]);
                *most -= layout.size[unit];
            }
        }
        Self {
            sizes: layout
                .classes
                .iter()
                .map(|class| layout.size[class.start as usize])
                .collect(),
            counts: layout.classes.iter().map(|class| class.len() as u32).collect(),
            bounds,
        }
    }
}

/// Steps that first choices take where they fill their groups, at most: a choice for each group, and a table of sums
/// that is as wide as the group, with a pass for each class and one more.
fn at_once(room: &Room) -> u64 {
    let units = room.counts.iter().zip(&room.sizes);
    let players: u64 = units.map(|(&count, &size)| u64::from(count) * u64::from(size)).sum();
    (players + room.bounds.len() as u64) * (CHOICE + 1 + room.sizes.len() as u64)
}

/// A depth-first search over groups, without recursion: there may be many groups.
struct Packing<'a> {
    room: &'a Room,
    is_cancelled: &'a dyn Fn() -> bool,
    /// Groups with the least freedom first.
    order: Vec<u32>,
    /// Least and greatest number of players that groups from here on take.
    rest: Vec<(u64, u64)>,
    /// Groups from here on cannot be filled with exactly these units left.
    dead: HashSet<(usize, Vec<u32>)>,
    left: Vec<u32>,
    made: Made,
    steps: u64,
    /// Steps after which it gives up.
    most_steps: u64,
    /// Steps before anybody is asked whether it is cancelled, as long as it has not turned back.
    patience: u64,
    has_turned_back: bool,
}

/// What one group takes: players from `total` down to `least`, made of `counts` units of each class.
struct Choice {
    least: u32,
    /// The first total that was tried.
    most: u32,
    total: u32,
    counts: Vec<u32>,
    sums: Sums,
}

/// A choice that was made, and where what it takes begins.
struct MadeChoice {
    least: u32,
    most: u32,
    total: u32,
    begin: u32,
}

/// The choices for the groups so far. There may be millions of them, so no more of each is kept than what it takes, and
/// the tables of the last ones.
struct Made {
    choices: Vec<MadeChoice>,
    taken: Vec<Taken>,
    sums: VecDeque<Sums>,
    /// Words of memory that these have, and may have.
    words: usize,
    most_words: usize,
}

impl Made {
    fn new(groups: usize) -> Self {
        Self {
            choices: Vec::with_capacity(groups),
            taken: Vec::new(),
            sums: VecDeque::new(),
            words: 0,
            most_words: TABLES,
        }
    }

    fn len(&self) -> usize {
        self.choices.len()
    }

    fn push(&mut self, choice: Choice) {
        self.choices.push(MadeChoice {
            least: choice.least,
            most: choice.most,
            total: choice.total,
            begin: self.taken.len() as u32,
        });
        let taken = (0_u32..).zip(&choice.counts).filter(|(_, count)| **count > 0);
        self.taken.extend(taken.map(|(class, &count)| Taken { class, count }));
        self.words += choice.sums.words();
        self.sums.push_back(choice.sums);
        while self.words > self.most_words {
            self.words -= self.sums.pop_front().map_or(0, |sums| sums.words());
        }
    }

    /// The last choice, what it takes of each of so many classes, and its table if it is still there.
    fn pop(&mut self, classes: usize) -> Option<(MadeChoice, Vec<u32>, Option<Sums>)> {
        let choice = self.choices.pop()?;
        let mut counts = vec![0; classes];
        for taken in self.taken.drain(choice.begin as usize..) {
            counts[taken.class as usize] = taken.count;
        }
        let sums = self.sums.pop_back();
        self.words -= sums.as_ref().map_or(0, Sums::words);
        Some((choice, counts, sums))
    }

    /// What every group takes, where they were filled in that order.
    fn into_shape(self, order: &[u32]) -> Shape {
        let begins = self.choices.iter().map(|choice| choice.begin);
        let ends = begins.clone().skip(1).chain([self.taken.len() as u32]);
        let mut place_of = vec![(0, 0); order.len()];
        for (&group, place) in order.iter().zip(begins.zip(ends)) {
            place_of[group as usize] = place;
        }
        let mut shape = Shape {
            begins: Vec::with_capacity(order.len() + 1),
            taken: Vec::with_capacity(self.taken.len()),
        };
        for (begin, end) in place_of {
            shape.begins.push(shape.taken.len() as u32);
            shape.taken.extend_from_slice(&self.taken[begin as usize..end as usize]);
        }
        shape.begins.push(shape.taken.len() as u32);
        shape
    }
}

/// For each number of players, from how many of the first classes the parties left can make it.
struct Sums(Vec<u32>);

impl Sums {
    /// Stands for numbers that they cannot make.
    const NEVER: u32 = u32::MAX;

    /// Nothing is made of no class.
    fn new(most: u32) -> Self {
        let mut from = vec![Self::NEVER; most as usize + 1];
        from[0] = 0;
        Self(from)
    }

    /// Goes through the numbers that one more class adds. `used` is as long, and of no meaning before or after.
    fn add(&mut self, class: u32, size: u32, count: u32, used: &mut [u32]) {
        for players in 0..self.0.len() {
            // The fewest parties of this class with which the sum can be made.
            used[players] = match players.checked_sub(size as usize) {
                _ if self.0[players] <= class => 0,
                Some(rest) if self.0[rest] <= class + 1 && used[rest] < count => used[rest] + 1,
                _ => continue,
            };
            self.0[players] = self.0[players].min(class + 1);
        }
    }

    /// Whether exactly that many players can be taken from the classes below `class`.
    fn can(&self, class: usize, players: u32) -> bool {
        self.0[players as usize] as usize <= class
    }

    /// Words of memory.
    fn words(&self) -> usize {
        16 + self.0.len()
    }
}

impl<'a> Packing<'a> {
    fn new(room: &'a Room, is_cancelled: &'a dyn Fn() -> bool) -> Self {
        let mut order: Vec<u32> = (0..room.bounds.len() as u32).collect();
        let freedom = |(least, most): (u32, u32)| most.abs_diff(least);
        order.sort_by_key(|&group| freedom(room.bounds[group as usize]));
        let mut rest = vec![(0, 0); order.len() + 1];
        for at in (0..order.len()).rev() {
            let (least, most) = room.bounds[order[at] as usize];
            rest[at] = (rest[at + 1].0 + u64::from(least), rest[at + 1].1 + u64::from(most));
        }
        Self {
            room,
            is_cancelled,
            order,
            rest,
            dead: HashSet::new(),
            left: room.counts.clone(),
            made: Made::new(room.bounds.len()),
            steps: 0,
            most_steps: STEPS.saturating_add(at_once(room)),
            patience: PATIENCE,
            has_turned_back: false,
        }
    }

    fn solve(mut self, layout: &Layout) -> Result<Shape, Error> {
        self.run(layout)?;
        Ok(self.shape())
    }

    /// What the choices come to, once there is one for every group.
    fn shape(self) -> Shape {
        self.made.into_shape(&self.order)
    }

    fn run(&mut self, layout: &Layout) -> Result<(), Error> {
        let mut next = self.enter()?;
        loop {
            self.spend(CHOICE)?;
            if self.steps > self.most_steps {
                return Err(self.unknown());
            }
            match next.take() {
                Some(choice) => {
                    self.take(&choice.counts);
                    self.made.push(choice);
                    if self.made.len() == self.order.len() {
                        return Ok(());
                    }
                    next = self.enter()?;
                }
                None => {
                    self.has_turned_back = true;
                    if self.dead.len() * (16 + self.left.len()) < DEAD {
                        self.dead.insert((self.made.len(), self.left.clone()));
                    }
                    let Some(last) = self.turn_back()? else {
                        return Err(Error::PartiesDoNotFit {
                            parties: layout.players.iter().filter(|party| party.len() > 1).cloned().collect(),
                            pinned: layout.pinned_players(),
                        });
                    };
                    next = self.advance(last);
                }
            }
        }
    }

    /// Counts steps. What the first choices lead to is found all the same by one who has cancelled, if it does not take
    /// too long.
    fn spend(&mut self, steps: u64) -> Result<(), Error> {
        self.steps += steps;
        let unasked = if self.has_turned_back { UNASKED } else { self.patience };
        if self.steps > unasked && (self.is_cancelled)() {
            return Err(self.unknown());
        }
        Ok(())
    }

    fn unknown(&self) -> Error {
        Error::PackingUnknown { steps: self.steps }
    }

    /// Takes back the last choice, if there is one.
    fn turn_back(&mut self) -> Result<Option<Choice>, Error> {
        let Some((choice, counts, sums)) = self.made.pop(self.left.len()) else {
            return Ok(None);
        };
        let MadeChoice { least, most, total, .. } = choice;
        self.put_back(&counts);
        // The same units are left as when it was made.
        let sums = match sums {
            Some(sums) => sums,
            None => self.sums(most)?,
        };
        Ok(Some(Choice {
            least,
            most,
            total,
            counts,
            sums,
        }))
    }

    /// Least and greatest number of players for the next group. Whatever it takes, the others must be able to take the
    /// rest. `None` if they are not.
    fn bounds(&self) -> Option<(u32, u32)> {
        let at = self.made.len();
        let units = self.left.iter().zip(&self.room.sizes);
        let players: u64 = units.map(|(&n, &size)| u64::from(n) * u64::from(size)).sum();
        let (least, most) = self.room.bounds[self.order[at] as usize];
        let least = u64::from(least).max(players.saturating_sub(self.rest[at + 1].1));
        let most = u64::from(most).min(players.checked_sub(self.rest[at + 1].0)?);
        (least <= most).then_some((least as u32, most as u32))
    }

    /// The sums that the units left can make, up to that many players.
    fn sums(&mut self, most: u32) -> Result<Sums, Error> {
        let mut sums = Sums::new(most);
        let mut used = vec![0; most as usize + 1];
        self.spend(used.len() as u64)?;
        for class in 0..self.left.len() {
            let (size, count) = (self.room.sizes[class], self.left[class]);
            if count > 0 && size <= most {
                sums.add(class as u32, size, count, &mut used);
            }
            self.spend(used.len() as u64)?;
        }
        Ok(sums)
    }

    /// The first choice for the next group; none if it cannot be filled.
    fn enter(&mut self) -> Result<Option<Choice>, Error> {
        if self.dead.contains(&(self.made.len(), self.left.clone())) {
            return Ok(None);
        }
        let Some((least, most)) = self.bounds() else {
            return Ok(None);
        };
        let first = Choice {
            least,
            most,
            total: most,
            counts: vec![0; self.left.len()],
            sums: self.sums(most)?,
        };
        Ok(self.first_of(first))
    }

    /// The greedy way to take `total` players, or the next smaller number of players.
    fn first_of(&self, mut choice: Choice) -> Option<Choice> {
        loop {
            if self.fill(&choice.sums, self.room.sizes.len(), choice.total, &mut choice.counts) {
                return Some(choice);
            }
            if choice.total == choice.least {
                return None;
            }
            choice.total -= 1;
        }
    }

    /// The choice after this one.
    fn advance(&self, mut choice: Choice) -> Option<Choice> {
        let mut smaller = choice.counts.first().map_or(0, |count| count * self.room.sizes[0]);
        for class in 1..self.room.sizes.len() {
            while choice.counts[class] > 0 {
                choice.counts[class] -= 1;
                smaller += self.room.sizes[class];
                if self.fill(&choice.sums, class, smaller, &mut choice.counts) {
                    return Some(choice);
                }
            }
        }
        if choice.total == choice.least {
            return None;
        }
        choice.total -= 1;
        self.first_of(choice)
    }

    /// Takes exactly `players` from the classes below `class`, large units first; `false` if there is no way.
    fn fill(&self, sums: &Sums, class: usize, mut players: u32, counts: &mut [u32]) -> bool {
        if !sums.can(class, players) {
            return false;
        }
        for class in (0..class).rev() {
            let size = self.room.sizes[class];
            let most = self.left[class].min(players / size);
            let count = (0..=most).rev().find(|count| sums.can(class, players - count * size));
            counts[class] = count.unwrap_or(0);
            players -= counts[class] * size;
        }
        true
    }

    fn take(&mut self, counts: &[u32]) {
        self.left
            .iter_mut()
            .zip(counts)
            .for_each(|(left, &count)| *left -= count);
    }

    fn put_back(&mut self, counts: &[u32]) {
        self.left
            .iter_mut()
            .zip(counts)
            .for_each(|(left, &count)| *left += count);
    }
}

#[cfg(test)]
mod tests {
    use core::ops::RangeInclusive;

    use super::*;
    use crate::groups::Groups;

    fn layout(bounds: Vec<RangeInclusive<usize>>, parties: &[usize]) -> Layout {
        let mut next = 0;
        let parties = parties.iter().map(|&size| {
            next += size;
            (next - size..next).collect()
        });
        let parties: Vec<Vec<usize>> = parties.collect();
        let groups = Groups::with_bounds(bounds).expect("bounds");
        Layout::new(next, &groups, &parties, &[]).expect("a layout")
    }

    /// Two million groups of three, to which the first choices lead, took more steps than a search may make.
    #[test]
    fn what_first_choices_fill_is_no_search() {
        let mixed: Vec<usize> = (0..1_000).map(|at| 1 + at % 5).collect();
        for (bounds, parties) in [
            (vec![3..=3; 1_000], vec![1; 3_000]),
            (vec![1..=1; 1_000], vec![1; 1_000]),
            (vec![2..=4; 1_000], vec![1; 3_000]),
            (vec![0..=usize::MAX; 1_000], vec![1; 3_000]),
            (vec![0..=usize::MAX; 1_000], vec![1; 3]),
            (vec![5..=5; 1_000], [vec![2; 1_000], vec![1; 3_000]].concat()),
            (vec![15..=15; 200], mixed.clone()),
            (vec![0..=40; 200], mixed),
            (vec![5_000..=usize::MAX; 2], (1..=150).collect()),
        ] {
            let layout = layout(bounds.clone(), &parties);
            let room = Room::new(&layout);
            let mut packing = Packing::new(&room, &|| false);
            packing.most_steps -= STEPS;
            let found = packing.solve(&layout);
            assert!(found.is_ok(), "{} groups of {:?}: {found:?}", bounds.len(), bounds[0]);
        }
    }

    /// Tables that are made again where the search comes back to a choice.
    #[test]
    fn without_memory_for_tables_the_same_is_found() {
        let sizes: Vec<usize> = (0..24).map(|at| 20 + (at * 7) % 13).collect();
        let players: usize = sizes.iter().sum();
        let (mut turned_back, mut found_any) = (false, false);
        for spare in 0..4 {
            let size = players / 8 + spare;
            let mut bounds = vec![size..=size; 7];
            bounds.push(players - 7 * size..=players - 7 * size);
            let layout = layout(bounds, &sizes);
            let room = Room::new(&layout);
            let found = [TABLES, 0].map(|most_words| {
                let mut packing = Packing::new(&room, &|| false);
                packing.made.most_words = most_words;
                let found = packing.run(&layout);
                turned_back |= packing.has_turned_back;
                found.map(|()| packing.shape())
            });
            let taken = found.map(|found| {
                let of_group = |shape: Shape| {
                    (0..8)
                        .map(|group| shape.taken(group, layout.classes.len()))
                        .collect::<Vec<_>>()
                };
                found.map(of_group).ok()
            });
            assert_eq!(taken[0], taken[1], "{size}");
            found_any |= taken[0].is_some();
        }
        assert!(turned_back && found_any);
    }

    /// A table of sums, and a number for each class, were kept for every group: 2 GB of them for as many as there may be.
    #[test]
    fn a_group_takes_little_memory() {
        let groups = 1 << 19;
        let layout = layout(vec![1..=1; groups], &vec![1; groups]);
        let measured = allocation_counter::measure(|| {
            Shape::find(&layout, &|| false).expect("one in each");
        });
        let each = measured.bytes_max / groups as u64;
        assert!(each <= 90, "{each} bytes for each group");
    }

    /// Whoever cancelled waited for all that the first choices lead to: where parties have thousands of sizes, minutes.
    #[test]
    fn patience_ends_where_parties_have_very_many_sizes() {
        let sizes: Vec<usize> = (1..=200).collect();
        let half = sizes.iter().sum::<usize>() / 2;
        let layout = layout(vec![half..=half; 2], &sizes);
        let room = Room::new(&layout);
        for (patience, is_found) in [(PATIENCE, true), (1 << 20, false)] {
            let mut packing = Packing::new(&room, &|| true);
            packing.patience = patience;
            let found = packing.solve(&layout);
            assert_eq!(found.is_ok(), is_found, "{found:?}");
        }
    }
}
