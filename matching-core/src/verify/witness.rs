//! Is that really a reason why there is no matching?

use super::error::VerifyError;
use super::graph::{Graph, Run};
use crate::blossom::Objective;
use crate::compiled::Compiled;
use crate::cost::CostValue;
use crate::instance::{Instance, Opaque};
use crate::witness::TutteBerge;

/// Checks that a witness proves that the graph has no perfect matching.
///
/// # Errors
/// The first thing found wrong.
///
/// # Examples
/// ```
/// use matching_core::{EdgeList, TutteBerge, verify};
///
/// // A star: without its centre, three leaves are left alone.
/// let star = EdgeList::new(4, [(0, 1, 1i32), (0, 2, 1), (0, 3, 1)])?;
/// verify::witness(&star, &TutteBerge::new(vec![0], vec![vec![1], vec![2], vec![3]]))?;
/// # Ok::<(), verify::VerifyError>(())
/// ```
pub fn witness<I: Instance + ?Sized>(instance: &I, witness: &TutteBerge) -> Result<(), VerifyError> {
    I::Value::check_witness(&Opaque(instance), &Objective::MinPerfect, witness)
}

/// Checks that a witness proves that the graph has no matching as the objective demands it: with one vertex left over
/// under [`Objective::MinBye`] and an odd number of vertices, none else.
///
/// Objectives that any matching fulfils have no witness.
///
/// # Errors
/// The first thing found wrong.
pub fn infeasibility<I, V>(instance: &I, objective: &Objective<V>, witness: &TutteBerge) -> Result<(), VerifyError>
where
    I: Instance<Value = V> + ?Sized,
    V: CostValue,
{
    V::check_witness(&Opaque(instance), objective, witness)
}

/// [`infeasibility`], whatever the instance.
pub(crate) fn check_witness<V: CostValue>(
    instance: &dyn Instance<Value = V>,
    objective: &Objective<V>,
    witness: &TutteBerge,
) -> Result<(), VerifyError> {
    Graph::read(instance, |graph| {
        let required = match objective {
            Objective::MinPerfect | Objective::MaxPerfect => 1,
            // How many may be left over depends on the number of vertices, which the byes must agree with.
            Objective::MinBye(byes) if byes.len() != graph.len() => {
                return Err(VerifyError::Length {
                    what: "penalties or byes",
                    found: byes.len(),
                    required: graph.len(),
                });
            }
            Objective::MinBye(_) => 1 + graph.len() % 2,
            _ => usize::MAX,
        };
        check(graph, witness, required)
    })
}

fn check<V: CostValue>(graph: &Graph<'_, V>, witness: &TutteBerge, required: usize) -> Result<(), VerifyError> {
    /// Part 0: in no component and not removed.
    const REST: usize = 0;
    const REMOVED: usize = 1;
    let len = graph.len();
    let mut part = vec![REST; len];
    let mut assign = |vertex: usize, own: usize| {
        let slot = part
            .get_mut(vertex)
            .ok_or(VerifyError::VertexOutOfRange { vertex, len })?;
        if *slot != REST {
            return Err(VerifyError::Overlap { vertex });
        }
        *slot = own;
        Ok(())
    };
    witness
        .removed()
        .iter()
        .try_for_each(|&vertex| assign(vertex, REMOVED))?;
    for (component, members) in witness.odd_components().iter().enumerate() {
        if members.len() % 2 == 0 {
            return Err(VerifyError::EvenComponent {
                component,
                len: members.len(),
            });
        }
        members
            .iter()
            .try_for_each(|&vertex| assign(vertex, REMOVED + 1 + component))?;
    }
    let is_escape = |u: usize, v: usize| part[u] != REMOVED && part[v] != REMOVED && part[u] != part[v];
    let visit = |(): &mut (), run: &Run<'_, V>| {
        run.check_numbers()?;
        let (u, mut edges) = (run.u, run.edges(0..run.weights.len()));
        edges.find(|&(v, _)| is_escape(u, v)).map_or(Ok(()), |(v, _)| {
            let (inside, outside) = if part[u] == REST { (v, u) } else { (u, v) };
            Err(VerifyError::Escape { inside, outside })
        })
    };
    graph.fold(visit, |(), ()| ())?;
    match witness.deficiency() {
        found if found < required => Err(VerifyError::Deficiency { found, required }),
        _ => Ok(()),
    }
}
