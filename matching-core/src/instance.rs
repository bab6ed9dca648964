//! Anything that can be read as a weighted graph.

use std::borrow::Cow;

use crate::cost::{Cost, CostValue};
use crate::edge_list::EdgeList;
use crate::error::Error;

/// Input of a matching solver: an [`EdgeList`], or any symmetric [`Cost`] (a graph with all allowed pairs).
pub trait Instance {
    /// The number type of a single cost.
    type Value: CostValue;

    /// The graph as a list of edges; borrowed where it is one already.
    ///
    /// # Errors
    /// [`Error::NotSquare`], [`Error::Asymmetric`], [`Error::NotANumber`], [`Error::TooLarge`].
    fn to_edges(&self) -> Result<Cow<'_, EdgeList<Self::Value>>, Error>;
}

impl<V: CostValue> Instance for EdgeList<V> {
    type Value = V;

    fn to_edges(&self) -> Result<Cow<'_, EdgeList<V>>, Error> {
        Ok(Cow::Borrowed(self))
    }
}

impl<C: Cost + ?Sized> Instance for C {
    type Value = C::Value;

    fn to_edges(&self) -> Result<Cow<'_, EdgeList<C::Value>>, Error> {
        let n = self.len();
        let pairs = (0..n).flat_map(|i| (i + 1..n).map(move |j| (i, j))).filter(|&(i, j)| self.is_allowed(i, j));
        EdgeList::new(n, pairs.map(|(i, j)| (i, j, self.pair(i, j)))).map(Cow::Owned)
    }
}
