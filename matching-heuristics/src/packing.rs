//! A first grouping: parties packed whole into groups.
//!
//! Only sizes matter, so the search runs over how many parties of each size a group takes. It is complete: a state (the
//! next group, parties left by size) from which no packing exists is met once, as long as memory for such states lasts.
//! Groups are filled with large parties first, which almost always succeeds at once; a table of the sums that parties
//! can make keeps it from looking for sums that they cannot.

use std::collections::HashSet;

use rand::Rng;
use rand::seq::SliceRandom;

use crate::error::Error;
use crate::layout::Layout;

/// Steps after which the search gives up, beyond what first choices take that fill their groups: below a second.
const STEPS: u64 = 1 << 27;
/// Steps before anybody is asked whether it is cancelled, where the first choices lead nowhere: below a millisecond.
const UNASKED: u64 = 1 << 18;
/// What one choice counts beside the table of sums: it allocates.
const CHOICE: u64 = 64;
/// Words of memory for states from which no packing exists: some 100 MB. Past that they are no longer noted.
const DEAD: usize = 1 << 24;

/// How many units of each class every group takes.
#[derive(Clone, Debug)]
pub(crate) struct Shape(Vec<Vec<u32>>);

impl Shape {
    /// One that is within all bounds.
    ///
    /// # Errors
    /// [`Error::PartiesDoNotFit`] if there is none, [`Error::PackingUnknown`] if none was found in time, or before it
    /// was cancelled.
    pub(crate) fn find(layout: &Layout, is_cancelled: &dyn Fn() -> bool) -> Result<Self, Error> {
        let room = Room::new(layout);
        Packing::new(&room).solve(layout, is_cancelled).map(Self)
    }

    /// How many units of each class a group takes.
    pub(crate) fn taken(&self, group: usize) -> &[u32] {
        &self.0[group]
    }

    /// The group of every unit, at random.
    pub(crate) fn deal(&self, layout: &Layout, rng: &mut impl Rng) -> Vec<u32> {
        let mut group_of: Vec<u32> = layout.pin.iter().map(|pin| pin.unwrap_or(0)).collect();
        for (size, class) in layout.classes.iter().enumerate() {
            let mut units: Vec<u32> = class.clone().collect();
            units.shuffle(rng);
            let mut units = units.into_iter();
            for (group, taken) in self.0.iter().enumerate() {
                units
                    .by_ref()
                    .take(taken[size] as usize)
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
/// that is as wide as the group, with a line for each class and one more.
fn at_once(room: &Room) -> u64 {
    let units = room.counts.iter().zip(&room.sizes);
    let players: u64 = units.map(|(&count, &size)| u64::from(count) * u64::from(size)).sum();
    (players + room.bounds.len() as u64) * (CHOICE + 1 + room.sizes.len() as u64)
}

/// A depth-first search over groups, without recursion: there may be many groups.
struct Packing<'a> {
    room: &'a Room,
    /// Groups with the least freedom first.
    order: Vec<usize>,
    /// Least and greatest number of players that groups from here on take.
    rest: Vec<(u64, u64)>,
    /// Groups from here on cannot be filled with exactly these units left.
    dead: HashSet<(usize, Vec<u32>)>,
    left: Vec<u32>,
    steps: u64,
    /// Steps after which it gives up.
    most_steps: u64,
}

/// What one group takes: players from `total` down to `least`, made of `counts` units of each class.
struct Choice {
    least: u32,
    total: u32,
    counts: Vec<u32>,
    sums: Sums,
}

/// Which numbers of players the parties left can make, by how many classes they are taken from.
struct Sums {
    width: usize,
    can: Vec<bool>,
}

impl Sums {
    fn new(room: &Room, left: &[u32], most: u32) -> Self {
        let width = most as usize + 1;
        let mut can = vec![false; width * (left.len() + 1)];
        can[0] = true;
        let mut used = vec![0_u32; width];
        for (class, (&size, &count)) in room.sizes.iter().zip(left).enumerate() {
            let (before, after) = can[class * width..].split_at_mut(width);
            for players in 0..width {
                // The fewest parties of this class with which the sum can be made.
                used[players] = match players.checked_sub(size as usize) {
                    _ if before[players] => 0,
                    Some(rest) if after[rest] && used[rest] < count => used[rest] + 1,
                    _ => continue,
                };
                after[players] = true;
            }
        }
        Self { width, can }
    }

    /// Whether exactly that many players can be taken from the classes below `class`.
    fn can(&self, class: usize, players: u32) -> bool {
        self.can[class * self.width + players as usize]
    }
}

impl<'a> Packing<'a> {
    fn new(room: &'a Room) -> Self {
        let mut order: Vec<usize> = (0..room.bounds.len()).collect();
        order.sort_by_key(|&group| room.bounds[group].1.abs_diff(room.bounds[group].0));
        let mut rest = vec![(0, 0); order.len() + 1];
        for at in (0..order.len()).rev() {
            let (least, most) = room.bounds[order[at]];
            rest[at] = (rest[at + 1].0 + u64::from(least), rest[at + 1].1 + u64::from(most));
        }
        Self {
            room,
            order,
            rest,
            dead: HashSet::new(),
            left: room.counts.clone(),
            steps: 0,
            most_steps: STEPS.saturating_add(at_once(room)),
        }
    }

    fn solve(mut self, layout: &Layout, is_cancelled: &dyn Fn() -> bool) -> Result<Vec<Vec<u32>>, Error> {
        let mut choices: Vec<Choice> = Vec::new();
        let mut next = self.enter(0);
        let mut has_turned_back = false;
        loop {
            self.steps += CHOICE;
            // What the first choices lead to is found all the same.
            if self.steps > self.most_steps || has_turned_back && self.steps > UNASKED && is_cancelled() {
                return Err(Error::PackingUnknown { steps: self.steps });
            }
            match next.take() {
                Some(choice) => {
                    self.take(&choice.counts);
                    choices.push(choice);
                    if choices.len() == self.order.len() {
                        break;
                    }
                    next = self.enter(choices.len());
                }
                None => {
                    has_turned_back = true;
                    if self.dead.len() * (16 + self.left.len()) < DEAD {
                        self.dead.insert((choices.len(), self.left.clone()));
                    }
                    let Some(last) = choices.pop() else {
                        return Err(Error::PartiesDoNotFit {
                            parties: layout.players.iter().filter(|party| party.len() > 1).cloned().collect(),
                            pinned: layout.pinned_players(),
                        });
                    };
                    self.put_back(&last.counts);
                    next = self.advance(last);
                }
            }
        }
        let mut taken = vec![Vec::new(); self.order.len()];
        for (choice, &group) in choices.into_iter().zip(&self.order) {
            taken[group] = choice.counts;
        }
        Ok(taken)
    }

    /// The first choice for the group at a position of the order; none if it cannot be filled.
    fn enter(&mut self, at: usize) -> Option<Choice> {
        if self.dead.contains(&(at, self.left.clone())) {
            return None;
        }
        let players: u64 = self
            .left
            .iter()
            .zip(&self.room.sizes)
            .map(|(&n, &size)| u64::from(n) * u64::from(size))
            .sum();
        // Whatever this group takes, the others must be able to take the rest.
        let (least, most) = self.room.bounds[self.order[at]];
        let least = u64::from(least).max(players.saturating_sub(self.rest[at + 1].1));
        let most = u64::from(most).min(players.checked_sub(self.rest[at + 1].0)?);
        if least > most {
            return None;
        }
        let sums = Sums::new(self.room, &self.left, most as u32);
        self.steps += sums.can.len() as u64;
        let first = Choice {
            least: least as u32,
            total: most as u32,
            counts: vec![0; self.room.sizes.len()],
            sums,
        };
        self.first_of(first)
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
            let mut packing = Packing::new(&room);
            packing.most_steps -= STEPS;
            let found = packing.solve(&layout, &|| false);
            assert!(found.is_ok(), "{} groups of {:?}: {found:?}", bounds.len(), bounds[0]);
        }
    }
}
