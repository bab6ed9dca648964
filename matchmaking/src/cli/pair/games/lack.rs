//! Why there are no such games: a witness, and all that it takes to tell it.

use matching_core::{CostValue, DegreeWitness, Degrees, EdgeList, verify};

/// Looks at edges that making a witness plainer may take.
const PATIENCE: usize = 20_000_000;

/// Vertices that should have more partners than there are for them, whatever is chosen.
///
/// Those who are `wanting` need so many, and find some among the `removed`, who can take no more than they may have, and others
/// over the edges that are left. Of the rest, each odd group leaves one partner of theirs missing, or takes one more from the
/// removed: the numbers of all its members are fixed, and with the edges to those who are wanting they have an odd sum.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::cli::pair) struct Lack {
    pub(super) removed: Vec<usize>,
    pub(super) wanting: Vec<usize>,
    pub(super) odd_groups: Vec<Vec<usize>>,
    /// Partners that are missing at least.
    pub(super) missing: u64,
    /// Partners that those who are wanting need at least.
    pub(super) needed: u64,
    /// Partners that the removed may have.
    pub(super) shared: u64,
    /// Partners that the wanting can have among themselves and with those who are not removed.
    pub(super) elsewhere: u64,
}

impl Lack {
    /// What a checked witness says; a plainer one that proves as much is taken in its place, if it is found soon.
    pub(super) fn of<V: CostValue>(edges: &EdgeList<V>, degrees: &Degrees<V>, witness: &DegreeWitness) -> Self {
        let witness = plainer(edges, degrees, witness);
        let (removed, wanting) = (witness.removed().to_vec(), witness.wanting().to_vec());
        let sides = Sides::new(edges, degrees, &removed, &wanting);
        let sum = |of: &[usize], numbers: &[u32]| of.iter().map(|&v| u64::from(numbers[v])).sum();
        Self {
            missing: witness.missing(),
            needed: sum(&wanting, degrees.least()),
            shared: sum(&removed, &sides.most),
            elsewhere: sides.elsewhere,
            odd_groups: sides.odd_groups(degrees),
            removed,
            wanting,
        }
    }

    /// Whether it is about nothing but numbers with an odd sum.
    pub(super) fn is_odd_sum(&self) -> bool {
        self.removed.is_empty() && self.wanting.is_empty()
    }
}

/// The same witness without whom it does not need, and with those among the wanting who are odd groups by themselves: what is
/// told of fewer, and of partners in place of odd sums, is easier to see.
fn plainer<V: CostValue>(edges: &EdgeList<V>, degrees: &Degrees<V>, witness: &DegreeWitness) -> DegreeWitness {
    let missing = witness.missing();
    let proves = |witness: &DegreeWitness| verify::degrees_witness(edges, degrees, witness).is_ok();
    let nobody = DegreeWitness::new(Vec::new(), Vec::new(), missing);
    if proves(&nobody) {
        return nobody;
    }
    let (removed, wanting) = (witness.removed(), witness.wanting());
    let looks = edges.len().saturating_mul(edges.edges().len() + edges.len());
    if looks > PATIENCE {
        return witness.clone();
    }
    let mut kept = witness.clone();
    let alone = Sides::new(edges, degrees, removed, wanting).odd_groups(degrees);
    for group in alone.iter().filter(|group| group.len() == 1) {
        let wanting = kept.wanting().iter().chain(group).copied().collect();
        let fewer_groups = DegreeWitness::new(kept.removed().to_vec(), wanting, missing);
        if proves(&fewer_groups) {
            kept = fewer_groups;
        }
    }
    let groups = |witness: &DegreeWitness| {
        let sides = Sides::new(edges, degrees, witness.removed(), witness.wanting());
        sides.odd_groups(degrees).len()
    };
    let all = kept.clone();
    for &vertex in all.removed().iter().chain(all.wanting()) {
        let without = |of: &[usize]| of.iter().copied().filter(|&v| v != vertex).collect();
        let fewer = DegreeWitness::new(without(kept.removed()), without(kept.wanting()), missing);
        if proves(&fewer) && groups(&fewer) <= groups(&kept) {
            kept = fewer;
        }
    }
    kept
}

/// Where a vertex stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Rest,
    Removed,
    Wanting,
}

/// What a witness says of each vertex and of the edges.
struct Sides {
    of: Vec<Side>,
    /// Partners that each can have: no more than it has edges to others who may have any.
    most: Vec<u32>,
    elsewhere: u64,
    /// Edges of each one of the rest to those who are wanting.
    to_wanting: Vec<u64>,
    /// Neighbours among the rest.
    neighbours: Vec<Vec<u32>>,
}

impl Sides {
    fn new<V: CostValue>(edges: &EdgeList<V>, degrees: &Degrees<V>, removed: &[usize], wanting: &[usize]) -> Self {
        let n = edges.len();
        let mut of = vec![Side::Rest; n];
        removed.iter().for_each(|&v| of[v] = Side::Removed);
        wanting.iter().for_each(|&v| of[v] = Side::Wanting);
        let (mut elsewhere, mut to_wanting) = (0, vec![0; n]);
        let mut neighbours = vec![Vec::new(); n];
        let mut reach = vec![0u32; n];
        for (u, v, _) in edges.iter() {
            reach[u] += u32::from(degrees.most()[v] > 0);
            reach[v] += u32::from(degrees.most()[u] > 0);
            match (of[u], of[v]) {
                (Side::Removed, _) | (_, Side::Removed) => {}
                (Side::Wanting, Side::Wanting) => elsewhere += 2,
                (Side::Wanting, Side::Rest) => {
                    elsewhere += 1;
                    to_wanting[v] += 1;
                }
                (Side::Rest, Side::Wanting) => {
                    elsewhere += 1;
                    to_wanting[u] += 1;
                }
                (Side::Rest, Side::Rest) => {
                    neighbours[u].push(v as u32);
                    neighbours[v].push(u as u32);
                }
            }
        }
        let most = reach.iter().zip(degrees.most()).map(|(&reach, &most)| reach.min(most));
        Self {
            most: most.collect(),
            of,
            elsewhere,
            to_wanting,
            neighbours,
        }
    }

    /// Components of the rest whose numbers are fixed and, with the edges to those who are wanting, odd in sum.
    fn odd_groups<V: CostValue>(&self, degrees: &Degrees<V>) -> Vec<Vec<usize>> {
        let mut is_seen = vec![false; self.of.len()];
        let mut groups = Vec::new();
        for first in 0..self.of.len() {
            if self.of[first] != Side::Rest || std::mem::replace(&mut is_seen[first], true) {
                continue;
            }
            let mut group = vec![first];
            let mut at = 0;
            while let Some(&v) = group.get(at) {
                for &other in &self.neighbours[v] {
                    if !std::mem::replace(&mut is_seen[other as usize], true) {
                        group.push(other as usize);
                    }
                }
                at += 1;
            }
            let is_fixed = group.iter().all(|&v| degrees.least()[v] == self.most[v]);
            let sum: u64 = group
                .iter()
                .map(|&v| u64::from(self.most[v]) + self.to_wanting[v])
                .sum();
            if is_fixed && sum % 2 == 1 {
                group.sort_unstable();
                groups.push(group);
            }
        }
        groups
    }
}

#[cfg(test)]
mod tests {
    use matching_core::{Blossom, Degrees, EdgeList, Error};

    use super::Lack;

    fn lack(n: usize, edges: &[(usize, usize)], least: Vec<u32>, most: Vec<u32>) -> Lack {
        let edges = edges.iter().map(|&(u, v)| (u, v, 1_i64));
        let edges = EdgeList::new(n, edges).expect("a graph");
        let degrees = Degrees::between(least, most);
        match Blossom::new().solve_degrees(&edges, &degrees) {
            Err(Error::NoDegrees(witness)) => Lack::of(&edges, &degrees, &witness),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn an_odd_sum_is_told_as_one() {
        let all: Vec<(usize, usize)> = (0..5).flat_map(|v| (0..v).map(move |u| (u, v))).collect();
        let lack = lack(5, &all, vec![3; 5], vec![3; 5]);
        assert!(lack.is_odd_sum());
        assert_eq!((lack.odd_groups, lack.missing), (vec![vec![0, 1, 2, 3, 4]], 1));
    }

    #[test]
    fn a_star_has_not_enough_in_its_centre() {
        let lack = lack(
            5,
            &[(0, 1), (0, 2), (0, 3), (0, 4)],
            vec![2, 1, 1, 1, 1],
            vec![2, 1, 1, 1, 1],
        );
        assert_eq!((&lack.removed[..], &lack.wanting[..]), (&[0][..], &[1, 2, 3, 4][..]));
        assert_eq!((lack.needed, lack.shared, lack.elsewhere), (4, 2, 0));
        assert_eq!((lack.odd_groups, lack.missing), (Vec::<Vec<usize>>::new(), 2));
    }

    /// Numbers of the witness are those of its inequality.
    #[test]
    fn what_is_missing_adds_up() {
        let mut found = 0;
        for seed in 1..400_usize {
            let n = 4 + seed % 4;
            let pairs = (0..n).flat_map(|v| (0..v).map(move |u| (u, v)));
            let edges: Vec<(usize, usize)> = pairs
                .filter(|&(u, v)| (u * 31 + v * 17 + seed * 7) * seed % 11 < 5)
                .collect();
            let least: Vec<u32> = (0..n).map(|v| ((v * seed) % 4) as u32).collect();
            let most = least
                .iter()
                .enumerate()
                .map(|(v, &b): (usize, &u32)| b + ((v + seed) % 3 == 0) as u32)
                .collect();
            let graph = EdgeList::new(n, edges.iter().map(|&(u, v)| (u, v, 1_i64))).expect("a graph");
            let degrees = Degrees::between(least, most);
            let Err(Error::NoDegrees(witness)) = Blossom::new().solve_degrees(&graph, &degrees) else {
                continue;
            };
            let lack = Lack::of(&graph, &degrees, &witness);
            let missing = lack.needed + lack.odd_groups.len() as u64;
            assert_eq!(missing - lack.shared - lack.elsewhere, lack.missing, "{lack:?}");
            found += 1;
        }
        assert!(found > 100, "{found}");
    }
}
