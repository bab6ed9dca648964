//! Why there are not as many partners for everybody as there should be: a witness, and all that it takes to tell it.

use matching_core::{CostValue, DegreeWitness, Degrees, EdgeList, Instance, verify};

/// Looks at vertices and edges that making a witness plainer may take.
const PATIENCE: usize = 20_000_000;

/// Two sets of vertices that show that some lack partners whatever is chosen, with what [`DegreeWitness`] counts of them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lack {
    pub(crate) removed: Vec<usize>,
    pub(crate) wanting: Vec<usize>,
    /// Parts of the rest whose numbers are fixed and, with the edges to those who are wanting, odd in sum.
    pub(crate) odd_components: Vec<Vec<usize>>,
    /// Partners that the removed can have at most.
    pub(crate) shared: u64,
    /// Partners that the wanting can have among themselves and with the rest.
    pub(crate) elsewhere: u64,
    /// Partners that are missing at least; 0 where it is not known who lacks them.
    pub(crate) missing: u64,
}

/// Where a vertex stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Rest,
    Removed,
    Wanting,
}

impl Lack {
    /// What a witness says, made plainer where that is soon done: without whom it does not need, and with those among the
    /// wanting who are odd parts by themselves, as partners that are missing are easier to see than odd sums.
    pub(crate) fn of<V: CostValue>(edges: &EdgeList<V>, degrees: &Degrees<V>, witness: &DegreeWitness) -> Self {
        if witness.missing() == 0 {
            return Self::default();
        }
        let mut kept = Self::count(edges, degrees, witness.removed().to_vec(), witness.wanting().to_vec());
        let single = kept.odd_components.iter().filter(|part| part.len() == 1).flatten();
        let wanting = kept.wanting.iter().chain(single).copied().collect();
        let fewer_parts = Self::count(edges, degrees, kept.removed.clone(), wanting);
        if fewer_parts.missing >= kept.missing {
            kept = fewer_parts;
        }
        let sets = kept.removed.len() + kept.wanting.len();
        if sets.saturating_mul(edges.len() + edges.edges().len()) > PATIENCE {
            return kept;
        }
        let all = [&kept.removed[..], &kept.wanting].concat();
        for vertex in all {
            let without = |of: &[usize]| of.iter().copied().filter(|&v| v != vertex).collect();
            let fewer = Self::count(edges, degrees, without(&kept.removed), without(&kept.wanting));
            if fewer.missing >= kept.missing && fewer.odd_components.len() <= kept.odd_components.len() {
                kept = fewer;
            }
        }
        kept
    }

    /// What two disjoint sets of vertices say.
    fn count<V: CostValue>(
        edges: &EdgeList<V>,
        degrees: &Degrees<V>,
        mut removed: Vec<usize>,
        mut wanting: Vec<usize>,
    ) -> Self {
        removed.sort_unstable();
        wanting.sort_unstable();
        let n = edges.len();
        let mut side = vec![Side::Rest; n];
        removed.iter().for_each(|&v| side[v] = Side::Removed);
        wanting.iter().for_each(|&v| side[v] = Side::Wanting);
        let (mut elsewhere, mut to_wanting) = (0, vec![0u64; n]);
        let mut neighbours = vec![Vec::new(); n];
        // Nobody has more partners than there are who may have any.
        let mut reach = vec![0u32; n];
        for (u, v, _) in edges.iter() {
            reach[u] += u32::from(degrees.most()[v] > 0);
            reach[v] += u32::from(degrees.most()[u] > 0);
            match (side[u], side[v]) {
                (Side::Removed, _) | (_, Side::Removed) => {}
                (Side::Rest, Side::Rest) => {
                    neighbours[u].push(v);
                    neighbours[v].push(u);
                }
                (Side::Wanting, Side::Wanting) => elsewhere += 2,
                (one, _) => {
                    elsewhere += 1;
                    to_wanting[if one == Side::Rest { u } else { v }] += 1;
                }
            }
        }
        let most: Vec<u32> = reach
            .iter()
            .zip(degrees.most())
            .map(|(&reach, &most)| reach.min(most))
            .collect();
        let parts = parts(&side, &neighbours);
        let is_odd = |part: &Vec<usize>| {
            let sum: u64 = part.iter().map(|&v| u64::from(most[v]) + to_wanting[v]).sum();
            sum % 2 == 1 && part.iter().all(|&v| degrees.least()[v] == most[v])
        };
        let odd_components: Vec<Vec<usize>> = parts.into_iter().filter(is_odd).collect();
        let sum = |of: &[usize], numbers: &[u32]| of.iter().map(|&v| u64::from(numbers[v])).sum::<u64>();
        let (needed, shared) = (sum(&wanting, degrees.least()), sum(&removed, &most));
        let missing = (needed + odd_components.len() as u64).saturating_sub(shared + elsewhere);
        Self {
            removed,
            wanting,
            odd_components,
            shared,
            elsewhere,
            missing,
        }
    }

    /// Whether that is so, by the library.
    pub(crate) fn verify<I, V>(&self, instance: &I, degrees: &Degrees<V>) -> Result<(), verify::VerifyError>
    where
        I: Instance<Value = V>,
        V: CostValue,
    {
        let witness = DegreeWitness::new(self.removed.clone(), self.wanting.clone(), self.missing);
        verify::degrees_witness(instance, degrees, &witness)
    }
}

/// Components of the rest, each in order.
fn parts(side: &[Side], neighbours: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut is_seen = vec![false; side.len()];
    let mut parts = Vec::new();
    for first in 0..side.len() {
        if side[first] != Side::Rest || std::mem::replace(&mut is_seen[first], true) {
            continue;
        }
        let mut part = vec![first];
        let mut at = 0;
        while let Some(&v) = part.get(at) {
            for &other in &neighbours[v] {
                if !std::mem::replace(&mut is_seen[other], true) {
                    part.push(other);
                }
            }
            at += 1;
        }
        part.sort_unstable();
        parts.push(part);
    }
    parts
}
