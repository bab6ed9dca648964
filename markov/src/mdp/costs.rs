//! Stage costs from a matrix of states and actions, and from costs of moves.

use matching_core::{Cost, CostValue};

use crate::error::Error;
use crate::mdp::{Action, Flaw, Mdp, Place, RateAction};
use crate::scalar::{Rational, Scalar, rational};

impl<T: Scalar> Action<T> {
    /// An action with a cost of its own and one for each move, listed as the next state, its probability, and what it
    /// costs to go there: the expected cost is the sum of probabilities times costs of moves, and the cost of the action.
    /// Staying is a move as others. Without any error for fractions.
    ///
    /// # Examples
    /// ```
    /// use markov::{Rational, Scalar, mdp::{Action, Mdp, PolicyIteration}};
    ///
    /// // A machine that runs breaks once in ten days, which costs 30; it is back next day at no cost. Maintenance costs 2
    /// // a day, and makes that once in twenty days.
    /// let r = Rational::ratio;
    /// let runs = |cost, breaks: Rational| {
    ///     Action::with_move_costs(cost, [(0, r(1, 1) - &breaks, r(0, 1)), (1, breaks, r(30, 1))])
    /// };
    /// let machine = Mdp::new([
    ///     vec![runs(r(0, 1), r(1, 10)), runs(r(2, 1), r(1, 20))],
    ///     vec![Action { cost: r(0, 1), moves: vec![(0, r(1, 1))] }],
    /// ])?;
    /// assert_eq!((machine.cost(0, 0), machine.cost(0, 1)), (&r(3, 1), &r(7, 2)));
    /// assert_eq!(PolicyIteration::new().average(&machine)?.policy(), [0, 0]);
    /// # Ok::<(), markov::Error>(())
    /// ```
    pub fn with_move_costs(cost: T, moves: impl IntoIterator<Item = (usize, T, T)>) -> Self {
        let (cost, moves) = expected(cost, moves);
        Self { cost, moves }
    }
}

impl<T: Scalar> RateAction<T> {
    /// An action with a cost per unit of time and one for each move, listed as the state it leads to, its rate, and what it
    /// costs to go there: per unit of time that is the sum of rates times costs of moves, and the cost of the action. A
    /// move from a state to itself changes nothing and costs what it does each time. Without any error for fractions.
    ///
    /// # Examples
    /// ```
    /// use markov::{Rational, Scalar, mdp::RateAction};
    ///
    /// // Who waits costs 1 a minute, and 5 if they give up, which they do once in ten minutes.
    /// let r = Rational::ratio;
    /// let waits = RateAction::with_move_costs(r(1, 1), [(0, r(1, 10), r(5, 1)), (2, r(3, 1), r(0, 1))]);
    /// assert_eq!(waits.cost, r(3, 2));
    /// ```
    pub fn with_move_costs(cost: T, rates: impl IntoIterator<Item = (usize, T, T)>) -> Self {
        let (cost, rates) = expected(cost, rates);
        Self { cost, rates }
    }
}

/// A cost and that of moves, and the moves.
pub(super) fn expected<S, T: Scalar>(mut cost: T, moves: impl IntoIterator<Item = (S, T, T)>) -> (T, Vec<(S, T)>) {
    let moves = moves.into_iter().map(|(to, weight, of_move)| {
        let mut part = of_move;
        part *= &weight;
        cost += &part;
        (to, weight)
    });
    let moves = moves.collect();
    (cost, moves)
}

/// A process, and which columns of its costs its actions are.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Priced<T> {
    /// The process; the actions of a state are the columns allowed there, in rising order.
    pub mdp: Mdp<T>,
    /// For each state, the columns that its actions are.
    pub columns: Vec<Vec<usize>>,
}

impl<T: Scalar> Mdp<T> {
    /// A process whose rows, columns and costs are those of a rectangular [`Cost`]: what it costs to take action `j` in
    /// state `i`. A pair that is not allowed is an action that the state does not have. `kernel` gives the
    /// probabilities of the next state; it is asked for allowed pairs only. Integers and floats become fractions
    /// without error; integers beyond 2^53 are rounded where the process is one of floats.
    ///
    /// With as many actions as states the diagonal is read as any other pair, which a cost made for matching need not
    /// define: [`DenseMatrix::tabulate`](matching_core::cost::DenseMatrix::tabulate) makes it zero,
    /// [`tabulate_all`](matching_core::cost::DenseMatrix::tabulate_all) keeps it. A
    /// [`CondensedMatrix`](matching_core::cost::CondensedMatrix) has none, so that no state has the action of its own number.
    ///
    /// # Errors
    /// As [`Mdp::new`], and [`Flaw::CostOverflow`] where a cost does not fit its type; the error names the column as well.
    ///
    /// # Examples
    /// ```
    /// use markov::{Rational, Scalar, mdp::{Mdp, PolicyIteration}};
    /// use matching_core::{Cost, cost};
    ///
    /// // Three jobs in two states; job 2 is not to be had in state 0.
    /// let prices = [[3_i64, 1, 0], [2, 5, 1]];
    /// let price = cost::from_rectangular_fn(2, 3, |i, j| prices[i][j]).restricted(|i, j| i == 1 || j < 2);
    /// let r = Rational::ratio;
    /// let jobs = Mdp::with_costs(|_, job| vec![(job % 2, r(1, 1))], &price)?;
    /// assert_eq!(jobs.columns, [vec![0, 1], vec![0, 1, 2]]);
    /// let best = PolicyIteration::new().average(&jobs.mdp)?;
    /// assert_eq!(best.gain(), &r(1, 1));
    /// # Ok::<(), markov::Error>(())
    /// ```
    pub fn with_costs<C: Cost>(
        mut kernel: impl FnMut(usize, usize) -> Vec<(usize, T)>,
        costs: &C,
    ) -> Result<Priced<T>, Error> {
        let mut columns = Vec::with_capacity(costs.len());
        let mut states = Vec::with_capacity(costs.len());
        for state in 0..costs.len() {
            let allowed: Vec<usize> = (0..costs.cols()).filter(|&j| costs.is_allowed(state, j)).collect();
            let action = |(action, &column): (usize, &usize)| {
                let place = Place {
                    state,
                    action,
                    column: Some(column),
                };
                let cost = costs.checked_pair(state, column).ok_or(Flaw::CostOverflow);
                let cost = cost.and_then(number).map_err(|flaw| Error::Action { place, flaw })?;
                let moves = kernel(state, column);
                Ok(Action { cost, moves })
            };
            let actions = allowed.iter().enumerate().map(action);
            states.push(actions.collect::<Result<Vec<_>, Error>>()?);
            columns.push(allowed);
        }
        let with_column = |error| match error {
            Error::Action { place, flaw } => Error::Action {
                place: Place {
                    column: Some(columns[place.state][place.action]),
                    ..place
                },
                flaw,
            },
            other => other,
        };
        let mdp = Self::new(states).map_err(with_column)?;
        Ok(Priced { mdp, columns })
    }
}

/// The number that a cost is.
fn number<V: CostValue, T: Scalar>(cost: V) -> Result<T, Flaw> {
    let exact = match cost.to_integer() {
        Some(integer) => Rational::from_integer(integer.into()),
        None => rational(cost.to_f64()).ok_or(Flaw::Cost { cost: cost.to_f64() })?,
    };
    Ok(T::from_rational(&exact))
}
