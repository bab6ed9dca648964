//! Which states lead to each other.
//!
//! Reference: R. Tarjan, "Depth-first search and linear graph algorithms", SIAM Journal on Computing 1 (1972), 146-160,
//! doi:10.1137/0201010.

use crate::scalar::Scalar;
use crate::sparse::Csr;

const NONE: u32 = u32::MAX;

/// The classes of a chain: two states are in one class if each leads to the other. A class that nothing leads out of is
/// closed; states outside of closed classes are transient.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Classes {
    class_of: Vec<u32>,
    is_closed: Vec<bool>,
}

impl Classes {
    /// Classes by the entries of a square matrix that are not zero. O(states + entries).
    pub(crate) fn of<T: Scalar>(moves: &Csr<T>) -> Self {
        let class_of = components(moves);
        let count = class_of.iter().map(|&class| class as usize + 1).max().unwrap_or(0);
        let mut is_closed = vec![true; count];
        for (state, &class) in class_of.iter().enumerate() {
            if moves.row(state).any(|(to, _)| class_of[to] != class) {
                is_closed[class as usize] = false;
            }
        }
        Self { class_of, is_closed }
    }

    /// Number of classes.
    pub fn len(&self) -> usize {
        self.is_closed.len()
    }

    /// Whether there are no classes, because there are no states.
    pub fn is_empty(&self) -> bool {
        self.is_closed.is_empty()
    }

    /// The class of a state. Classes are numbered so that what leads from one class to another leads to a lower number.
    ///
    /// # Panics
    /// If there is no such state.
    #[track_caller]
    pub fn class_of(&self, state: usize) -> usize {
        self.class_of[state] as usize
    }

    /// Whether nothing leads out of a class.
    ///
    /// # Panics
    /// If there is no such class.
    #[track_caller]
    pub fn is_closed(&self, class: usize) -> bool {
        self.is_closed[class]
    }

    /// Whether a state is left for good some time.
    ///
    /// # Panics
    /// If there is no such state.
    #[track_caller]
    pub fn is_transient(&self, state: usize) -> bool {
        !self.is_closed[self.class_of(state)]
    }

    /// The closed classes, each with its states in rising order.
    pub fn closed(&self) -> Vec<Vec<usize>> {
        let mut members = vec![Vec::new(); self.len()];
        for (state, &class) in self.class_of.iter().enumerate() {
            if self.is_closed[class as usize] {
                members[class as usize].push(state);
            }
        }
        members.into_iter().filter(|class| !class.is_empty()).collect()
    }

    /// Whether all states are in one class.
    pub fn is_irreducible(&self) -> bool {
        self.len() == 1
    }

    /// Periods of the closed classes: the greatest common divisor of `level(i) + 1 - level(j)` over moves i to j, by
    /// levels of a breadth-first search.
    pub(crate) fn periods<T: Scalar>(&self, moves: &Csr<T>, stays: impl Fn(usize) -> bool) -> Vec<usize> {
        let mut level = vec![NONE; self.class_of.len()];
        let period = |class: Vec<usize>| {
            if class.iter().any(|&state| stays(state)) {
                return 1;
            }
            let mut divisor = 0;
            let mut queue = vec![class[0]];
            level[class[0]] = 0;
            let mut at = 0;
            while at < queue.len() {
                let state = queue[at];
                at += 1;
                for (to, _) in moves.row(state) {
                    if level[to] == NONE {
                        level[to] = level[state] + 1;
                        queue.push(to);
                    }
                    divisor = gcd(divisor, (level[state] + 1).abs_diff(level[to]) as usize);
                }
            }
            // A single absorbing state.
            divisor.max(1)
        };
        self.closed().into_iter().map(period).collect()
    }
}

fn gcd(mut a: usize, mut b: usize) -> usize {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// Strongly connected components, numbered in the order in which Tarjan's search completes them.
fn components<T: Scalar>(moves: &Csr<T>) -> Vec<u32> {
    let n = moves.rows();
    let mut class_of = vec![NONE; n];
    let mut number = vec![NONE; n];
    let mut low = vec![0_u32; n];
    let (mut next, mut classes) = (0_u32, 0_u32);
    let mut open: Vec<u32> = Vec::new();
    // States on the path, each with the position of its next move.
    let mut path: Vec<(u32, u32)> = Vec::new();
    for root in 0..n {
        if number[root] != NONE {
            continue;
        }
        path.push((root as u32, 0));
        while let Some((state, at)) = path.last_mut() {
            let v = *state as usize;
            if *at == 0 {
                number[v] = next;
                low[v] = next;
                next += 1;
                open.push(v as u32);
            }
            let (columns, _) = moves.row_slices(v);
            if let Some(&to) = columns.get(*at as usize) {
                *at += 1;
                let w = to as usize;
                if number[w] == NONE {
                    path.push((to, 0));
                } else if class_of[w] == NONE {
                    low[v] = low[v].min(number[w]);
                }
                continue;
            }
            path.pop();
            if low[v] == number[v] {
                while let Some(w) = open.pop() {
                    class_of[w as usize] = classes;
                    if w as usize == v {
                        break;
                    }
                }
                classes += 1;
            }
            if let Some(&(parent, _)) = path.last() {
                low[parent as usize] = low[parent as usize].min(low[v]);
            }
        }
    }
    class_of
}

#[cfg(test)]
mod tests {
    use super::Classes;
    use crate::sparse::Csr;

    #[test]
    fn transient_states_lead_to_closed_classes() {
        // 0 -> 1 <-> 2, 0 -> 3 absorbing.
        let moves = Csr::from_rows(4, [vec![(1, 0.5), (3, 0.5)], vec![(2, 1.0)], vec![(1, 1.0)], vec![]]);
        let classes = Classes::of(&moves);
        assert_eq!(classes.len(), 3);
        let mut closed = classes.closed();
        closed.sort();
        assert_eq!(closed, [vec![1, 2], vec![3]]);
        assert!(classes.is_transient(0));
        let mut periods = classes.periods(&moves, |state| state == 3);
        periods.sort_unstable();
        assert_eq!(periods, [1, 2]);
    }
}
