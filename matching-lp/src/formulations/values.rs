//! Values that come from elsewhere.

use std::collections::HashMap;

use good_lp::{Solution, SolutionStatus, Variable};

/// Values of variables, as another program gave them; zero for all that it left out, as most do with zeros. The last one
/// counts where a variable has several.
///
/// A `HashMap<Variable, f64>` is a solution for `good_lp`, too, but must have all variables: it panics where one is
/// asked for that it does not have.
///
/// ```
/// use matching_lp::formulations::{Formulation, Split, Values};
///
/// let split = Split::new(4, 2);
/// let printed: Values = [(split.variable(0), 1.0), (split.variable(3), 1.0)].into_iter().collect();
/// assert_eq!(split.read(&printed)?.groups(), [[0, 3], [1, 2]]);
/// # Ok::<(), matching_lp::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Values {
    of: HashMap<Variable, f64>,
}

impl FromIterator<(Variable, f64)> for Values {
    fn from_iter<I: IntoIterator<Item = (Variable, f64)>>(values: I) -> Self {
        Self {
            of: values.into_iter().collect(),
        }
    }
}

impl Solution for Values {
    /// What the other program said of them is not known here; `good_lp` takes values that are given for the best, too.
    fn status(&self) -> SolutionStatus {
        SolutionStatus::Optimal
    }

    fn value(&self, variable: Variable) -> f64 {
        self.of.get(&variable).copied().unwrap_or(0.0)
    }
}
