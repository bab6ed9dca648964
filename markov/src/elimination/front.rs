//! Chains that are long and narrow: an order of states that follows them from one end to the other.
//!
//! States are eliminated breadth-first from a far end, whichever way moves lead. What leads to an eliminated state, and
//! where it leads, has been met by then, so that the states that are met and not yet eliminated, the front, are all that
//! it can have to do with: its elimination changes no more than as many entries as the square of these. That is known
//! before anything is eliminated, however states are numbered. It is little for bands, levels of phases and strips of
//! grids, of which nothing is to be seen in the degrees of single states.
//!
//! Reference: E. Cuthill, J. McKee, "Reducing the bandwidth of sparse symmetric matrices", Proceedings of the 24th
//! National Conference of the ACM (1969), 157-172, doi:10.1145/800195.805928.

/// Searches: from anywhere, from where that ended, and so on.
const SEARCHES: usize = 3;
/// Changes for each state that are few enough: fronts of two or three.
const SLIM: u64 = 16;
/// A search from the middle of a chain has two fronts, which count four times as much as one, and begins in a circle.
const FROM_MIDDLE: u64 = 8;
/// States with more moves than this times the square root of all states, and than so many, are neighbours of too many
/// states. They are in the front from the beginning, and go last.
const HUB: f64 = 10.0;
/// Fronts that are so many times as wide as all may be are not looked behind.
const BULGE: f64 = 16.0;
const HUB_MOVES: usize = 64;

/// An order with small fronts.
#[derive(Clone, Debug)]
pub(crate) struct Front {
    /// All states.
    pub(super) order: Vec<u32>,
    /// How many at the end of it are in the front from the beginning.
    pub(super) hubs: usize,
    /// States that are met and not eliminated, at most.
    pub(super) width: usize,
    /// Entries that an elimination in this order changes, at most.
    pub(crate) work: u64,
    /// Entries that are kept, at most.
    pub(crate) fill: usize,
}

impl Front {
    /// Chains with fewer entries are not worth a search.
    pub(crate) const FEW: usize = 4096;

    /// An order that changes no more than `most` entries, if one is found; `last` goes last. `neighbours` are the states
    /// that a state leads to, and those that lead to it, some of them twice perhaps; how many is known at once.
    ///
    /// A search ends as soon as it has counted too much, so that chains that are not narrow cost next to nothing.
    pub(crate) fn find<I: Iterator<Item = u32>>(
        len: usize,
        neighbours: impl Fn(usize) -> I,
        last: Option<usize>,
        most: u64,
    ) -> Option<Self> {
        let many = HUB_MOVES.max((HUB * (len as f64).sqrt()) as usize);
        let is_hub = |state: usize| Some(state) == last || neighbours(state).size_hint().0 > many;
        let is_hub: Vec<bool> = (0..len).map(is_hub).collect();
        let any = search(0..len as u32, &neighbours, &is_hub, most.saturating_mul(FROM_MIDDLE))?;
        let (mut best, mut ends) = any;
        for _ in 1..SEARCHES {
            if best.work <= SLIM * len as u64 {
                break;
            }
            let Some((found, ends_of_found)) = search(ends.into_iter(), &neighbours, &is_hub, best.work) else {
                break;
            };
            if found.work == best.work {
                break;
            }
            (best, ends) = (found, ends_of_found);
        }
        if best.work > most {
            return None;
        }
        let hubs = (0..len as u32).filter(|&state| is_hub[state as usize] && Some(state as usize) != last);
        best.order.extend(hubs);
        best.order.extend(last.map(|last| last as u32));
        Some(best)
    }
}

/// All states but hubs, breadth-first from these roots, and where the search from each of them ended; nothing
/// where that is too much work.
fn search<I: Iterator<Item = u32>>(
    roots: impl Iterator<Item = u32>,
    neighbours: impl Fn(usize) -> I,
    is_hub: &[bool],
    most: u64,
) -> Option<(Front, Vec<u32>)> {
    let mut is_met = is_hub.to_vec();
    let hubs = is_hub.iter().filter(|&&is_hub| is_hub).count() as u64;
    let (mut order, mut ends) = (Vec::new(), Vec::new());
    let (mut at, mut widest, mut fill) = (0, hubs, hubs * hubs);
    let bulge = (BULGE * (most as f64 / is_hub.len() as f64).sqrt()) as u64;
    // Of hubs alone, in the end.
    let mut work = hubs.saturating_mul(hubs).saturating_mul(hubs) / 3;
    if work > most {
        return None;
    }
    for root in roots {
        if core::mem::replace(&mut is_met[root as usize], true) {
            continue;
        }
        order.push(root);
        while at < order.len() {
            for to in neighbours(order[at] as usize) {
                if !core::mem::replace(&mut is_met[to as usize], true) {
                    order.push(to);
                }
            }
            at += 1;
            let front = (order.len() - at) as u64 + hubs;
            widest = widest.max(front + 1);
            work = work.saturating_add((front + 1) * (front + 1));
            fill += 2 * front;
            if work > most || front > bulge {
                return None;
            }
        }
        ends.extend(order.last());
    }
    let front = Front {
        order,
        hubs: hubs as usize,
        width: widest as usize,
        work,
        fill: usize::try_from(fill).unwrap_or(usize::MAX),
    };
    Some((front, ends))
}

#[cfg(test)]
mod tests {
    use super::Front;
    use crate::sparse::Csr;

    fn find(rates: &Csr<f64>, last: Option<usize>, most: u64) -> Option<Front> {
        let back = rates.transposed();
        let neighbours = |state: usize| {
            let (to, from) = (rates.row_slices(state).0, back.row_slices(state).0);
            to.iter().chain(from).copied()
        };
        Front::find(rates.rows(), neighbours, last, most)
    }

    /// A band whose states are numbered in steps of `step`, which has no divisor in common with their number.
    fn band(len: usize, reach: usize, step: usize) -> Csr<f64> {
        let place = |at: usize| at * step % len;
        let mut rows = vec![Vec::new(); len];
        for at in 0..len {
            let others = (at.saturating_sub(reach)..(at + reach + 1).min(len)).filter(|&to| to != at);
            rows[place(at)] = others.map(|to| (place(to), 1.0)).collect();
        }
        Csr::from_rows(len, rows)
    }

    #[test]
    fn bands_are_followed_from_an_end_however_they_are_numbered() {
        for step in [1, 389] {
            let found = find(&band(1_000, 3, step), None, 16 * 1_000).expect("it is narrow");
            // A front of three, but for the other end.
            let expected = 16 * 997 + 9 + 4 + 1;
            assert!((expected..16_000).contains(&found.work), "{step} {}", found.work);
            assert!(found.work == expected || step > 1);
            assert_eq!(found.order.len(), 1_000);
            // As many as that, and no fewer.
            assert!(find(&band(1_000, 3, step), None, found.work).is_some());
            assert!(find(&band(1_000, 3, step), None, found.work - 1).is_none());
        }
    }

    #[test]
    fn states_that_all_lead_to_go_last_and_are_in_all_fronts() {
        let len = 1_000;
        let mut rows: Vec<Vec<(usize, f64)>> = (0..len).map(|at| vec![((at + 1) % len, 1.0)]).collect();
        rows.iter_mut().skip(1).for_each(|row| row.push((500, 1.0)));
        rows[500].pop();
        let found = find(&Csr::from_rows(len, rows), Some(7), 16 * len as u64).expect("two lines");
        assert_eq!((found.order.len(), found.hubs), (len, 2));
        assert_eq!(found.order[len - 2..], [500, 7]);
    }

    #[test]
    fn what_leads_everywhere_is_not_narrow() {
        let rows = (0..1_000_usize).map(|at| (1..=5).map(move |by| ((at * 7 + by * 191) % 1_000, 1.0)));
        assert!(find(&Csr::from_rows(1_000, rows), None, 100 * 5_000).is_none());
    }
}
