//! The reason why nobody can have as many partners as everybody should.

use core::fmt;

use super::parity::Components;
use super::{Bounds, Gadget, capped};
use crate::engine::{self, Failure, Limits};

/// Vertices with a choice of degrees up to which a witness is looked for: it takes an edge for each two of them.
const MOST_FLEXIBLE: usize = 4_096;

/// Two sets of vertices that show that no choice of edges gives every vertex as many partners as it should have.
///
/// Let the removed vertices `S` be partners as often as they may at most, and have edges to others who may. Whoever is wanting
/// (`T`) has no other partners beyond these than over the edges that are left to him. Of what is left when both are taken
/// away, each component in which every degree is fixed, and with its edges to the wanting ones the sum of degrees is odd, needs
/// or leaves one more. So whatever is chosen, at least so many partners are [`missing`](Self::missing) (Tutte 1954, Lovász
/// 1970):
///
/// `sum of least(v) over T + odd components - sum of most(v) over S - sum over T of edges to vertices outside S`
///
/// Both sets are empty, and nothing is said to be missing, where more than 4,096 vertices have a choice of degrees, as to look
/// for sets takes the square of their number, and where the budget was spent once it was known that there is no choice.
///
/// # Examples
/// ```
/// use matching_core::{Blossom, Degrees, EdgeList, Error, verify};
///
/// // Three leaves want one partner each, and the centre of the star takes two.
/// let star = EdgeList::new(4, [(0, 1, 1_i64), (0, 2, 1), (0, 3, 1)])?;
/// let degrees = Degrees::exactly(vec![2, 1, 1, 1]);
/// let Err(Error::NoDegrees(witness)) = Blossom::new().solve_degrees(&star, &degrees) else { panic!() };
/// assert_eq!(witness.missing(), 1);
/// verify::degrees_witness(&star, &degrees, &witness)?;
/// # Ok::<(), verify::VerifyError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct DegreeWitness {
    removed: Vec<usize>,
    wanting: Vec<usize>,
    missing: u64,
}

impl DegreeWitness {
    /// A claimed witness; [`crate::verify::degrees_witness`] checks it against an instance.
    pub fn new(removed: Vec<usize>, wanting: Vec<usize>, missing: u64) -> Self {
        Self {
            removed,
            wanting,
            missing,
        }
    }

    /// The vertices that are taken away, as often as they may be partners.
    pub fn removed(&self) -> &[usize] {
        &self.removed
    }

    /// The vertices that do not find as many partners as they need.
    pub fn wanting(&self) -> &[usize] {
        &self.wanting
    }

    /// At least so many partners are missing, whatever is chosen.
    pub fn missing(&self) -> u64 {
        self.missing
    }

    /// Two disjoint sets, and how many partners they show to be missing.
    pub(super) fn counted(edges: &[(u32, u32)], bounds: Bounds<'_>, removed: Vec<usize>, wanting: Vec<usize>) -> Self {
        let missing = missing(edges, bounds, &removed, &wanting);
        Self::new(removed, wanting, u64::try_from(missing).unwrap_or(0))
    }

    /// Why no edges give every vertex as many partners as it should have, where that is known, by the graph of the edges with
    /// these ends: all, or few of them and what is left of the degrees, of which nothing need follow for all.
    pub(super) fn of(
        edges: &[(u32, u32)],
        bounds: Bounds<'_>,
        ends: &[(u32, u32)],
        gadget: &Gadget<'_>,
        limits: &Limits<'_>,
    ) -> Self {
        let flexible = |v: &usize| gadget.spares_of(*v) > 0;
        let vertices = 0..bounds.most.len();
        if vertices.clone().filter(flexible).count() > MOST_FLEXIBLE {
            return Self::new(Vec::new(), Vec::new(), 0);
        }
        let Some(graph) = gadget.paired_off(|| limits.reached(0).is_some()) else {
            return Self::new(Vec::new(), Vec::new(), 0);
        };
        let Err(Failure::Infeasible { witness, .. }) =
            engine::solve(engine::Size::of(graph.len()), graph.edges(), limits)
        else {
            // A limit came first: there is no perfect matching, as the other graph has none.
            return Self::new(Vec::new(), Vec::new(), 0);
        };
        let mut is_removed = vec![false; graph.len()];
        witness.removed().iter().for_each(|&vertex| is_removed[vertex] = true);
        // Who can have no partner at all is taken away for nothing.
        let is_gone = |&v: &usize| gadget.copies_of(v).all(|copy| is_removed[copy]);
        let mut is_cut_off = vec![true; bounds.most.len()];
        for (edge, &(u, v)) in ends.iter().enumerate() {
            let [low, high] = gadget.sides(edge);
            is_cut_off[u as usize] &= is_removed[low];
            is_cut_off[v as usize] &= is_removed[high];
        }
        let is_wanting = |&v: &usize| !is_gone(&v) && bounds.least[v] > 0 && is_cut_off[v];
        let (removed, wanting) = (vertices.clone().filter(is_gone), vertices.filter(is_wanting));
        Self::counted(edges, bounds, removed.collect(), wanting.collect())
    }
}

/// How many partners are missing at least, by two disjoint sets of vertices.
pub(crate) fn missing(edges: &[(u32, u32)], bounds: Bounds<'_>, removed: &[usize], wanting: &[usize]) -> i128 {
    #[derive(Clone, Copy, PartialEq)]
    enum Part {
        Rest,
        Removed,
        Wanting,
    }
    let vertices = bounds.most.len();
    let mut part = vec![Part::Rest; vertices];
    removed.iter().for_each(|&v| part[v] = Part::Removed);
    wanting.iter().for_each(|&v| part[v] = Part::Wanting);
    let sum = |of: &[usize], numbers: &[u32]| of.iter().map(|&v| i128::from(numbers[v])).sum::<i128>();
    let most = capped(bounds.most, edges.iter().copied());
    let mut missing = sum(wanting, bounds.least) - sum(removed, &most);
    // Components of the rest, and how many edges each has to those who are wanting.
    let mut components = Components::new(vertices);
    let mut to_wanting = vec![0u64; vertices];
    for &(u, v) in edges {
        match (part[u as usize], part[v as usize]) {
            (Part::Removed, _) | (_, Part::Removed) => {}
            (Part::Wanting, Part::Wanting) => missing -= 2,
            (Part::Wanting, Part::Rest) => {
                missing -= 1;
                to_wanting[v as usize] += 1;
            }
            (Part::Rest, Part::Wanting) => {
                missing -= 1;
                to_wanting[u as usize] += 1;
            }
            (Part::Rest, Part::Rest) => components.join(u, v),
        }
    }
    let mut is_fixed = vec![true; vertices];
    let mut is_odd = vec![false; vertices];
    for v in (0..vertices).filter(|&v| part[v] == Part::Rest) {
        let root = components.of(v as u32) as usize;
        is_fixed[root] &= bounds.least[v] == most[v];
        is_odd[root] ^= (u64::from(most[v]) + to_wanting[v]) % 2 == 1;
    }
    // Vertices that no component is called after are even.
    let odd = (0..vertices).filter(|&v| is_fixed[v] && is_odd[v]);
    missing + odd.count() as i128
}

/// Vertices that are named in a message.
const NAMED: usize = 5;

impl fmt::Display for DegreeWitness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = |of: &[usize]| {
            let named: Vec<String> = of.iter().take(NAMED).map(usize::to_string).collect();
            let noun = if of.len() == 1 { "vertex" } else { "vertices" };
            match of.len().saturating_sub(NAMED) {
                0 => format!("{noun} {}", named.join(", ")),
                more => format!("{noun} {} and {more} more", named.join(", ")),
            }
        };
        let partners = if self.missing == 1 { "partner" } else { "partners" };
        match (self.missing, &self.wanting[..]) {
            (0, _) => write!(f, "to find out who lacks them would take too long"),
            (missing, []) => write!(
                f,
                "at least {missing} {partners} would be missing, as numbers that are fixed add up to odd sums"
            ),
            (missing, wanting) => write!(
                f,
                "at least {missing} {partners} would be missing beside {}",
                names(wanting)
            ),
        }?;
        match &self.removed[..] {
            [] => Ok(()),
            removed => write!(f, ", even if {} had as many as possible", names(removed)),
        }
    }
}
