//! The best answer under one more condition, in the caller's terms.

use crate::cost::CostValue;
use crate::degrees::{BMatching, DegreeWitness};
use crate::edge_list::Edge;
use crate::explain::sums::Sums;
use crate::solution::Status;

/// The best answer with one pair forced, or forbidden, where everybody has several partners.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(
    feature = "serde",
    serde(bound(serialize = "V: serde::Serialize, V::Total: serde::Serialize"))
)]
pub struct DegreesWhatIf<V: CostValue> {
    /// `None` where there is no such answer.
    status: Option<Status>,
    /// `None` unless everybody has enough partners.
    pairs: Option<Vec<Edge<V>>>,
    /// Pairs that the answer that was asked about does not have.
    added: Vec<Edge<V>>,
    /// Pairs that it alone has.
    dropped: Vec<Edge<V>>,
    cost: Option<V::Total>,
    bound: Option<V::Total>,
    change: Option<V::Total>,
    answer: Answer<V>,
}

/// Where it comes from.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(
    feature = "serde",
    serde(bound(serialize = "V: serde::Serialize, V::Total: serde::Serialize"))
)]
pub(super) enum Answer<V: CostValue> {
    /// The answer that was asked about.
    Same,
    /// An answer for the rest.
    Found(Box<BMatching<V>>),
    /// The rest has none.
    Infeasible(DegreeWitness),
    /// This one may have no partners at all.
    Barred(usize),
}

fn told<V: CostValue>(pairs: &[Edge<V>]) -> impl ExactSizeIterator<Item = (usize, usize, V)> + '_ {
    pairs.iter().map(|edge| (edge.u as usize, edge.v as usize, edge.weight))
}

impl<V: CostValue> DegreesWhatIf<V> {
    /// How good it is: as of a [`BMatching`]. `None` where no pairs meet the condition and give everybody as many partners as
    /// he should have ([`witness`](DegreesWhatIf::witness), [`barred`](DegreesWhatIf::barred)).
    pub fn status(&self) -> Option<Status> {
        self.status
    }

    /// Whether there are no such pairs.
    pub fn is_infeasible(&self) -> bool {
        self.status.is_none()
    }

    /// The pairs: lower vertex, higher vertex, weight, in order. `None` where there are none such, or none were found before a
    /// limit.
    pub fn pairs(&self) -> Option<impl ExactSizeIterator<Item = (usize, usize, V)> + '_> {
        self.pairs.as_deref().map(told)
    }

    /// Those [`pairs`](DegreesWhatIf::pairs) that are not in the answer that was asked about, in order; nothing where one of the
    /// two is not known. There may be other answers of the same total, from which fewer differ.
    pub fn added(&self) -> impl ExactSizeIterator<Item = (usize, usize, V)> + '_ {
        told(&self.added)
    }

    /// Those pairs of the answer that was asked about that are not among [`pairs`](DegreesWhatIf::pairs), likewise.
    pub fn dropped(&self) -> impl ExactSizeIterator<Item = (usize, usize, V)> + '_ {
        told(&self.dropped)
    }

    /// Total of the pairs, with the one that is forced, and of missing partners, as [`BMatching::cost`]; `None` where there
    /// are no [`pairs`](DegreesWhatIf::pairs), and where the total leaves its type.
    pub fn cost(&self) -> Option<V::Total> {
        self.cost
    }

    /// Nothing that meets the condition can be better than this, as [`BMatching::bound`]; `None` where nothing does, and
    /// where the number leaves its type.
    pub fn bound(&self) -> Option<V::Total> {
        self.bound
    }

    /// By how much the total changes against the answer that was asked about: [`cost`](DegreesWhatIf::cost) less that of the
    /// answer. `None` where one of them is not known, and where the number leaves its type. Of floats it is the sum of what
    /// changes, not the difference of two rounded totals.
    pub fn change(&self) -> Option<V::Total> {
        self.change
    }

    /// Why there are no such pairs: a witness of the instance without the pair. Where it is forced, either end needs, and may
    /// have, one partner fewer there. Vertices keep their names. It says nothing where [`DegreeWitness`] says so, and then
    /// there is no proof.
    pub fn witness(&self) -> Option<&DegreeWitness> {
        match &self.answer {
            Answer::Infeasible(witness) => Some(witness),
            Answer::Same | Answer::Found(_) | Answer::Barred(_) => None,
        }
    }

    /// Who may have no partners at all, where that is why the pair cannot be forced.
    pub fn barred(&self) -> Option<usize> {
        match self.answer {
            Answer::Barred(vertex) => Some(vertex),
            _ => None,
        }
    }

    /// Units of work that it took: none where nothing had to be searched. Who proves that there are no such pairs does not say.
    pub fn work(&self) -> Option<u64> {
        match &self.answer {
            Answer::Same | Answer::Barred(_) => Some(0),
            Answer::Found(found) => Some(found.work()),
            Answer::Infeasible(_) => None,
        }
    }

    /// Whether the answer that was asked about answers by itself.
    pub(super) fn is_same(&self) -> bool {
        matches!(self.answer, Answer::Same)
    }

    pub(super) fn answer(&self) -> &Answer<V> {
        &self.answer
    }
}

/// What all there is to say of a pair is said against.
pub(super) struct Context<'a, V: CostValue> {
    answer: &'a BMatching<V>,
    /// The lower vertex first.
    pair: (usize, usize),
    /// Of the pair.
    cost: Option<V>,
}

impl<'a, V: CostValue> Context<'a, V> {
    pub(super) fn new(answer: &'a BMatching<V>, pair: (usize, usize), cost: Option<V>) -> Self {
        Self { answer, pair, cost }
    }

    pub(super) fn answer(&self) -> &'a BMatching<V> {
        self.answer
    }

    pub(super) fn pair(&self) -> (usize, usize) {
        self.pair
    }

    /// Whether the pair is one of an answer as it was asked for.
    pub(super) fn is_chosen(&self) -> bool {
        let (u, v) = (self.pair.0 as u32, self.pair.1 as u32);
        self.answer.is_full() && self.answer.pairs.iter().any(|edge| (edge.u, edge.v) == (u, v))
    }

    /// What an answer for the rest says of the whole, beside what other duals say of it. The pair has a cost.
    pub(super) fn what_if_forced(&self, answer: Answer<V>, bound: Option<V::Total>) -> DegreesWhatIf<V> {
        let fixed = self.cost.filter(|_| !matches!(answer, Answer::Same));
        self.what_if(answer, fixed, bound)
    }

    pub(super) fn what_if_forbidden(&self, answer: Answer<V>, bound: Option<V::Total>) -> DegreesWhatIf<V> {
        self.what_if(answer, None, bound)
    }

    /// What an answer says, beside which a pair of this cost may be fixed.
    fn what_if(&self, answer: Answer<V>, fixed: Option<V>, bound: Option<V::Total>) -> DegreesWhatIf<V> {
        let found = match &answer {
            Answer::Same => Some(self.answer),
            Answer::Found(found) => Some(&**found),
            Answer::Infeasible(_) | Answer::Barred(_) => None,
        };
        let full = found.filter(|found| found.is_full());
        let is_same = matches!(answer, Answer::Same);
        let pairs = full.map(|found| self.whole(&found.pairs, fixed));
        let before = Some(&self.answer.pairs[..]).filter(|_| self.answer.is_full());
        let both = pairs.as_deref().zip(before);
        let cost = full.and_then(|found| found.total_with(fixed));
        let change = full.and_then(|after| match is_same {
            true => Some(V::zero().to_total()),
            false => after.change_with(fixed, self.answer),
        });
        let of_found = found.and_then(|found| found.bound_with(fixed));
        DegreesWhatIf {
            status: found.map(Sums::status),
            added: both.map_or_else(Vec::new, |(after, before)| without(after, before)),
            dropped: both.map_or_else(Vec::new, |(after, before)| without(before, after)),
            pairs,
            cost,
            bound: match of_found.zip(bound) {
                // Nothing is better than either.
                Some((one, other)) if (other > one) != self.answer.is_maximum => Some(other),
                Some((one, _)) => Some(one),
                None => of_found.or(bound),
            },
            change,
            answer,
        }
    }

    /// The pairs with the one that is fixed, in order.
    fn whole(&self, pairs: &[Edge<V>], fixed: Option<V>) -> Vec<Edge<V>> {
        let mut pairs = pairs.to_vec();
        if let Some(weight) = fixed {
            let (u, v) = (self.pair.0 as u32, self.pair.1 as u32);
            let at = pairs.partition_point(|edge| (edge.u, edge.v) < (u, v));
            pairs.insert(at, Edge { u, v, weight });
        }
        pairs
    }
}

/// The pairs that are not among others, both in order.
fn without<V: CostValue>(pairs: &[Edge<V>], others: &[Edge<V>]) -> Vec<Edge<V>> {
    let mut others = others.iter().map(|edge| (edge.u, edge.v)).peekable();
    let is_new = |edge: &&Edge<V>| {
        let ends = (edge.u, edge.v);
        while others.next_if(|&other| other < ends).is_some() {}
        others.peek() != Some(&ends)
    };
    pairs.iter().filter(is_new).copied().collect()
}
