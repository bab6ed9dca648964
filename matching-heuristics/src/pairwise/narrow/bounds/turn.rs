//! One group that is held against all others in turn, where every group takes as many vectors.

use core::hint::black_box;
use core::slice;

use super::loops::{BANK, LANES, Scanner};
use super::places::{Even, Place};
use super::{Bounds, OFFSETS, Round, Swap};

/// Slots of one group, whose number a compiler knows.
type Part<'a, T, const V: usize> = &'a [[T; LANES]; V];

/// What is read of a state, for groups of `V` vectors. Slices are found once and their lengths are known, so that
/// little is left to check at every visit. Groups of more vectors, or of different numbers of them, go by
/// [`Bounds::next_swap`].
pub(super) struct Turn<'a, S, const V: usize> {
    scanner: S,
    state: &'a Bounds,
    group: usize,
    place: Place,
    gains: &'a [i16],
    /// Vectors from the beginning of one row of gains to that of the next.
    width: usize,
    units: &'a [u16],
    /// Costs, a row of so many per unit.
    costs: &'a [u8],
    stride: usize,
    /// What changes must stay below, from every offset on, for each vector of the group.
    limits: [&'a [i16; OFFSETS + LANES]; V],
    /// Of the group's members: what they pay, and twice the greatest cost of each.
    own: Part<'a, i16, V>,
    most: Part<'a, i16, V>,
}

/// The group and another one.
#[derive(Clone, Copy)]
struct Visit<Vector, const V: usize> {
    other: usize,
    place: Place,
    offset: usize,
    turn: u32,
    /// What members of the other group would pay more in this one.
    joins: [Vector; V],
    /// A bit for each slot of the group whose unit may find a partner, were that one to pay the least more.
    leavers: u64,
}

impl<'a, S: Scanner, const V: usize> Turn<'a, S, V> {
    #[inline(always)]
    pub(super) fn new(scanner: S, state: &'a Bounds, group: usize, limits: &'a [i16]) -> Self {
        let place = Even::<V>::of(state, group);
        let mut of_vectors = [limits.first_chunk().expect("limits for every offset"); V];
        for (at, of_vector) in of_vectors.iter_mut().enumerate() {
            *of_vector = limits[at * LANES..].first_chunk().expect("limits for every offset");
        }
        Self {
            scanner,
            state,
            group,
            place,
            gains: &state.gains,
            width: state.stride / LANES,
            units: &state.slots.units,
            costs: state.grid.rows(),
            stride: state.grid.stride(),
            limits: of_vectors,
            own: part(&state.gains[group * state.stride..], place.start),
            most: part(&state.most, place.start),
        }
    }

    /// The next swap that passes, as [`Bounds::next_swap`] says.
    #[inline(always)]
    pub(super) fn next_swap(&self, round: &mut Round) -> Option<Swap> {
        if round.left == 0 {
            return None;
        }
        let mut visit = self.visit(round);
        visit.leavers &= u64::MAX.checked_shl(round.from as u32).unwrap_or(0);
        loop {
            // Who may leave for the next group is looked at before anything hangs upon who may for this one: a
            // processor that guesses that wrong, which is often, need not begin anew with the next. Compilers would put
            // it off until it is needed.
            let mut next = *round;
            next.go_on(self.state.slots.of_groups.len());
            let mut ahead = self.visit(&next);
            ahead.leavers = black_box(ahead.leavers);
            let mut leavers = visit.leavers;
            while leavers != 0 {
                let slot = leavers.trailing_zeros() as usize;
                leavers &= leavers - 1;
                if let Some((partner, change)) = self.first_partner(&visit, slot) {
                    // Whoever comes in waits for the next visit.
                    round.from = slot + 1;
                    return Some(Swap {
                        groups: [self.group, visit.other],
                        slots: [self.place.start + slot, visit.place.start + partner],
                        change,
                    });
                }
            }
            *round = next;
            if next.left == 0 {
                return None;
            }
            visit = ahead;
        }
    }

    /// What those who stand at a place would pay in a group.
    #[inline(always)]
    fn gains(&self, group: usize, place: Place) -> Part<'a, i16, V> {
        if V == 1 {
            let vectors: &[[i16; LANES]] = self.gains.as_chunks().0;
            let vector = &vectors[group * self.width + place.start / LANES];
            return slice::from_ref(vector).first_chunk().expect("it is one");
        }
        part(self.gains, group * self.state.stride + place.start)
    }

    /// What the change must stay below for a vector of the group.
    #[inline(always)]
    fn limits(&self, offset: usize, vector: usize) -> &'a [i16; LANES] {
        self.limits[vector][offset..].first_chunk().expect("as long")
    }

    #[inline(always)]
    fn visit(&self, round: &Round) -> Visit<S::Vector, V> {
        let (scanner, other, offset) = (self.scanner, round.other, round.offset());
        let place = Even::<V>::of(self.state, other);
        let (here, stay) = (self.gains(self.group, place), self.gains(other, place));
        let there = self.gains(other, self.place);
        let mut joins = [scanner.splat(0); V];
        for (joins, (here, stay)) in joins.iter_mut().zip(here.iter().zip(stay)) {
            *joins = scanner.sub(scanner.load(here), scanner.load(stay));
        }
        let mut least = joins[V - 1];
        if V > 1 && !place.is_full() {
            least = scanner.max(least, scanner.load(place.floor()));
        }
        for &joins in &joins[..V - 1] {
            least = scanner.min(least, joins);
        }
        let least = scanner.least(least);
        let mut leavers = 0;
        for (at, (there, own)) in there.iter().zip(self.own).enumerate() {
            let leaves = scanner.sub(scanner.load(there), scanner.load(own));
            let bound = scanner.add(scanner.load(self.limits(offset, at)), scanner.load(&self.most[at]));
            let lanes = scanner.below(least, scanner.sub(bound, leaves)) & self.place.lanes(at);
            leavers |= u64::from(lanes) << (at * LANES);
        }
        Visit {
            other,
            place,
            offset,
            turn: round.turn(),
            joins,
            leavers,
        }
    }

    /// Costs beside those who stand in some slots, where all units are so few that one look-up finds them. Several of
    /// them take as long as to look at partners one by one.
    #[inline(always)]
    fn looked_up(&self, row: usize, units: &[u16; LANES]) -> Option<S::Vector> {
        if V > 1 || self.stride != BANK {
            return None;
        }
        self.scanner.costs(self.costs[row..].first_chunk()?, units)
    }

    /// The first slot of the other group, vector by vector from some lane on, whose unit can change places with that of
    /// a slot of the group, and what that changes.
    #[inline(always)]
    fn first_partner(&self, visit: &Visit<S::Vector, V>, slot: usize) -> Option<(usize, i16)> {
        let (scanner, vector, lane) = (self.scanner, slot / LANES % V, slot % LANES);
        let (here, stay) = (
            self.gains(self.group, visit.place),
            self.gains(visit.other, visit.place),
        );
        let there = self.gains(visit.other, self.place);
        let leaves = there[vector][lane].wrapping_sub(self.own[vector][lane]);
        let need = self.limits(visit.offset, vector)[lane].wrapping_sub(leaves);
        let costs = usize::from(self.units[self.place.start + slot]) * self.stride;
        let units: Part<'_, u16, V> = part(self.units, visit.place.start);
        let bound = need.wrapping_add(self.most[vector][lane]);
        for at in 0..V {
            let lanes = match self.looked_up(costs, &units[at]) {
                Some(costs) => {
                    let joins = scanner.sub(visit.joins[at], scanner.add(costs, costs));
                    scanner.below(joins, scanner.splat(need))
                }
                // Those who might pass, if they cost as much as anybody: the cost itself is looked at one by one.
                None => scanner.below(visit.joins[at], scanner.splat(bound)),
            };
            let mut lanes = (lanes & visit.place.lanes(at)).rotate_right(visit.turn);
            while lanes != 0 {
                let lane = (lanes.trailing_zeros() + visit.turn) as usize % LANES;
                lanes &= lanes - 1;
                let cost = i16::from(self.costs[costs + usize::from(units[at][lane])]);
                let joins = here[at][lane].wrapping_sub(stay[at][lane]).wrapping_sub(2 * cost);
                if joins < need {
                    return Some((at * LANES + lane, leaves.wrapping_add(joins)));
                }
            }
        }
        None
    }
}

/// So many vectors from a slot on.
#[inline(always)]
fn part<T, const V: usize>(slots: &[T], from: usize) -> Part<'_, T, V> {
    slots[from..]
        .as_chunks()
        .0
        .first_chunk()
        .expect("rows end with whole vectors")
}
