//! Decision processes explored from a state: states and actions with names, and results read by them.

use core::hash::Hash;

use crate::error::Error;
use crate::mdp::continuous::{CtMdp, RateAction, exit_rate};
use crate::mdp::costs::expected;
use crate::mdp::flaw::{Flaw, Weight, check_cost, check_move, check_sum};
use crate::mdp::rule::RuleError;
use crate::mdp::{Mdp, check_policy};
use crate::scalar::Scalar;
use crate::sparse::Csr;
use crate::states::{Limits, StateIndex};

/// One action of a state with a name, by names of the states it leads to.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice<S, A, T = f64> {
    /// What it is called; no other action of the state is called so.
    pub name: A,
    /// Expected cost of taking it once; in continuous time, cost per unit of time while it is done.
    pub cost: T,
    /// Probabilities of the next state; in continuous time, rates of going to other states. Those of one state are added up.
    pub moves: Vec<(S, T)>,
}

impl<S, A, T: Scalar> Choice<S, A, T> {
    /// An action with this cost, and these states that it leads to.
    pub fn new(name: A, cost: T, moves: impl IntoIterator<Item = (S, T)>) -> Self {
        let moves = moves.into_iter().collect();
        Self { name, cost, moves }
    }

    /// An action with a cost of its own and one for each move, listed as the state it leads to, its probability or rate,
    /// and what it costs to go there, as [`Action::with_move_costs`](crate::mdp::Action::with_move_costs) and
    /// [`RateAction::with_move_costs`] count them.
    pub fn with_move_costs(name: A, cost: T, moves: impl IntoIterator<Item = (S, T, T)>) -> Self {
        let (cost, moves) = expected(cost, moves);
        Self { name, cost, moves }
    }
}

/// A decision process that was explored: its named states, its named actions, and the process, of which every solver
/// takes a reference.
///
/// States and actions have the numbers that policies, values and errors of solvers speak of: states in the order in which
/// they were met, the actions of a state as the rule listed them.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Named<P, S, A> {
    /// The states; the first one is where the exploration began.
    pub states: StateIndex<S>,
    /// The process: an [`Mdp`] or a [`CtMdp`].
    pub process: P,
    names: StateIndex<A>,
    /// First action of each state, and the number of all actions.
    starts: Vec<usize>,
    /// The name of each action, by number.
    actions: Vec<usize>,
}

impl<P, S: Clone + Eq + Hash, A: Clone + Eq + Hash> Named<P, S, A> {
    /// The names of the actions of a state, in their order.
    ///
    /// # Panics
    /// If there is no such state.
    #[track_caller]
    pub fn actions(&self, state: usize) -> impl ExactSizeIterator<Item = &A> + Clone {
        let actions = &self.actions[self.starts[state]..self.starts[state + 1]];
        actions.iter().map(|&name| &self.names.names()[name])
    }

    /// What a list with an entry for each state, such as values, biases, gains or shares of time, has for a state; `None`
    /// for a state that was not met.
    pub fn entry<'v, V>(&self, list: &'v [V], state: &S) -> Option<&'v V> {
        list.get(self.states.find(state)?)
    }

    /// The action that a policy takes in a state; `None` for a state that was not met, or an action that it does not have.
    pub fn action(&self, policy: &[usize], state: &S) -> Option<&A> {
        let state = self.states.find(state)?;
        self.actions(state).nth(*policy.get(state)?)
    }

    /// The policy that takes the action of this name in each state: to start from, or to make a chain of.
    ///
    /// # Errors
    /// [`RuleError::UnknownAction`].
    pub fn policy(&self, mut rule: impl FnMut(&S) -> A) -> Result<Vec<usize>, RuleError<S, A>> {
        let action = |(state, name): (usize, &S)| {
            let wanted = rule(name);
            let found = self.actions(state).position(|action| *action == wanted);
            found.ok_or_else(|| RuleError::UnknownAction {
                state: name.clone(),
                action: wanted,
                actions: self.actions(state).cloned().collect(),
            })
        };
        self.states.names().iter().enumerate().map(action).collect()
    }

    /// A policy by names: each state and the action taken there, by the numbers of states.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`] and [`Error::ActionOutOfRange`].
    pub fn decisions<'a>(
        &'a self,
        policy: &'a [usize],
    ) -> Result<impl ExactSizeIterator<Item = (&'a S, &'a A)>, Error> {
        let states = self.states.names();
        check_policy(policy, states.len(), |state| {
            self.starts[state + 1] - self.starts[state]
        })?;
        let name = |state: usize| self.actions[self.starts[state] + policy[state]];
        let named = states.iter().enumerate();
        Ok(named.map(move |(state, of_state)| (of_state, &self.names.names()[name(state)])))
    }
}

impl<T: Scalar> Mdp<T> {
    /// Explores a process breadth-first from a state: `rule` lists the actions of a state, with their costs and the
    /// probabilities of the states they lead to. Of those only states that can be reached are part of it, which a
    /// probability of zero does not do.
    ///
    /// # Errors
    /// [`RuleError`], which names the state and the action: of the first one that is wrong, in the order in which they are
    /// met. [`RuleError::TooLarge`] as soon as a limit is passed, where every action counts for a transition at least.
    ///
    /// # Complexity
    /// One call of the rule per state; O(m log m) steps for `m` moves of one action.
    ///
    /// # Examples
    /// ```
    /// use markov::{Limits, Rational, Scalar, mdp::{Choice, Mdp, PolicyIteration}};
    ///
    /// // A game is uneven half the time: play it at a cost of 3, or wait at a cost of 1 for the next one, at most twice.
    /// let r = Rational::ratio;
    /// let game = |waited: u32| [((waited, "even"), r(1, 2)), ((waited, "uneven"), r(1, 2))];
    /// let rule = |&(waited, kind): &(u32, &'static str)| {
    ///     let cost = if kind == "even" { r(0, 1) } else { r(3, 1) };
    ///     let wait = (waited < 2).then(|| Choice::new("wait", r(1, 1), game(waited + 1)));
    ///     [Choice::new("play", cost, game(0))].into_iter().chain(wait)
    /// };
    /// let games = Mdp::explore((0, "even"), rule, Limits::default())?;
    /// let best = PolicyIteration::new().average(&games.process)?;
    /// assert_eq!(games.action(best.policy(), &(0, "uneven")), Some(&"wait"));
    /// assert_eq!(games.action(best.policy(), &(2, "uneven")), Some(&"play"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn explore<S, A, I>(
        start: S,
        rule: impl FnMut(&S) -> I,
        limits: Limits,
    ) -> Result<Named<Self, S, A>, RuleError<S, A>>
    where
        S: Clone + Eq + Hash,
        A: Clone + Eq + Hash,
        I: IntoIterator<Item = Choice<S, A, T>>,
    {
        let (mut moves, mut costs) = (Csr::from_rows::<[(usize, T); 0]>(0, []), Vec::new());
        let found = Explorer::new(start, limits, Weight::Probability).run(rule, |_, states, cost, row| {
            moves.add_row(states, row);
            costs.push(cost);
            // As it lies in the matrix, which is how those who read the process add it up.
            check_sum(moves.row(moves.rows() - 1))
        })?;
        let starts = found.starts.clone();
        Ok(found.with(Self { starts, moves, costs }))
    }
}

impl<T: Scalar> CtMdp<T> {
    /// Explores a process breadth-first from a state, as [`Mdp::explore`] does: `rule` lists the actions of a state, with
    /// costs per unit of time and the rates at which they lead to states.
    ///
    /// # Errors
    /// As [`Mdp::explore`].
    ///
    /// # Examples
    /// ```
    /// use markov::{Limits, Rational, Scalar, mdp::{Choice, CtMdp, PolicyIteration}};
    ///
    /// // A queue: players arrive at rate 2 and are served at rate 3; each who waits costs 1 per unit of time, each who is
    /// // turned away 5. There is room for nine.
    /// let r = |number: i64| Rational::ratio(number, 1);
    /// let rule = |&waiting: &i64| {
    ///     let served = (waiting > 0).then(|| (waiting - 1, r(3), r(0)));
    ///     let admit = (waiting < 9).then(|| (waiting + 1, r(2), r(0)));
    ///     let admit = admit.map(|joins| {
    ///         Choice::with_move_costs("admit", r(waiting), served.clone().into_iter().chain([joins]))
    ///     });
    ///     let lost = (waiting, r(2), r(5));
    ///     let refuse = Choice::with_move_costs("refuse", r(waiting), served.into_iter().chain([lost]));
    ///     admit.into_iter().chain([refuse])
    /// };
    /// let queue = CtMdp::explore(0, rule, Limits::default())?;
    /// let best = queue.process.average(&PolicyIteration::new())?;
    /// let admits = |waiting| queue.action(best.policy(), &waiting) == Some(&"admit");
    /// assert_eq!((0..=9).filter(|&waiting| admits(waiting)).collect::<Vec<_>>(), [0, 1, 2, 3, 4, 5]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn explore<S, A, I>(
        start: S,
        rule: impl FnMut(&S) -> I,
        limits: Limits,
    ) -> Result<Named<Self, S, A>, RuleError<S, A>>
    where
        S: Clone + Eq + Hash,
        A: Clone + Eq + Hash,
        I: IntoIterator<Item = Choice<S, A, T>>,
    {
        let (mut actions, mut largest) = (Vec::new(), T::zero());
        let found = Explorer::new(start, limits, Weight::Rate).run(rule, |state, states, cost, rates| {
            let action = RateAction { cost, rates };
            let exit = exit_rate(state, &action, states)?;
            if exit > largest {
                largest = exit;
            }
            actions.push(action);
            Ok(())
        })?;
        let mut actions = actions.into_iter();
        let of_state = |pair: &[usize]| actions.by_ref().take(pair[1] - pair[0]).collect();
        let states = found.starts.windows(2).map(of_state).collect();
        Ok(found.with(Self::from_checked(states, largest)))
    }
}

impl<S, A> Named<(), S, A> {
    fn with<P>(self, process: P) -> Named<P, S, A> {
        Named {
            states: self.states,
            process,
            names: self.names,
            starts: self.starts,
            actions: self.actions,
        }
    }
}

/// Numbers states and actions in the order in which they are met.
struct Explorer<S, A> {
    found: Named<(), S, A>,
    limits: Limits,
    /// What moves have.
    weight: Weight,
    /// Transitions so far, of which every action counts for one at least: a list of actions that lead nowhere has an end.
    transitions: usize,
    /// For each name, the last state that had an action of it, and one.
    last: Vec<usize>,
}

impl<S: Clone + Eq + Hash, A: Clone + Eq + Hash> Explorer<S, A> {
    fn new(start: S, limits: Limits, weight: Weight) -> Self {
        Self {
            found: Named {
                states: StateIndex::of(start),
                process: (),
                names: StateIndex::default(),
                starts: vec![0],
                actions: Vec::new(),
            },
            // Columns of matrices have 32 bits.
            limits: Limits {
                states: limits.states.min(u32::MAX as usize),
                ..limits
            },
            weight,
            transitions: 0,
            last: Vec::new(),
        }
    }

    /// Gives each action to `add`: the number of its state, how many states were met so far, its cost and its moves, with
    /// numbers that it may have; `add` says what is wrong with their sum.
    fn run<T: Scalar, I: IntoIterator<Item = Choice<S, A, T>>>(
        mut self,
        mut rule: impl FnMut(&S) -> I,
        mut add: impl FnMut(usize, usize, T, Vec<(usize, T)>) -> Result<(), Flaw>,
    ) -> Result<Named<(), S, A>, RuleError<S, A>> {
        self.check_limits(0)?;
        while self.found.starts.len() <= self.found.states.len() {
            let at = self.found.starts.len() - 1;
            let state = self.found.states.names()[at].clone();
            for choice in rule(&state) {
                let Choice { name, cost, moves } = choice;
                let number = self.name(at, &state, &name)?;
                let wrong = |flaw| RuleError::Action {
                    state: state.clone(),
                    action: name.clone(),
                    number,
                    flaw,
                };
                check_cost(&cost).map_err(wrong)?;
                let row = self.row(moves, wrong)?;
                self.transitions += row.len().max(1);
                self.check_limits(0)?;
                if let Err(flaw) = add(at, self.found.states.len(), cost, row) {
                    return Err(wrong(flaw.named(|to| self.found.states.names()[to].clone())));
                }
            }
            let actions = self.found.actions.len();
            if self.found.starts.last() == Some(&actions) {
                return Err(RuleError::NoAction { state });
            }
            self.found.starts.push(actions);
        }
        Ok(self.found)
    }

    /// Takes the next action of a state, which has none of its name yet; its number there.
    fn name(&mut self, at: usize, state: &S, name: &A) -> Result<usize, RuleError<S, A>> {
        let of_name = self.found.names.number(name);
        self.last.resize(self.found.names.len(), 0);
        let of_state = &self.found.actions[self.found.starts[at]..];
        let number = of_state.len();
        if core::mem::replace(&mut self.last[of_name], at + 1) == at + 1 {
            let first = of_state.iter().position(|&other| other == of_name).unwrap_or(number);
            return Err(RuleError::RepeatedAction {
                state: state.clone(),
                action: name.clone(),
                numbers: [first, number],
            });
        }
        self.found.actions.push(of_name);
        Ok(number)
    }

    /// The moves of an action by numbers of states, without zeros.
    fn row<T: Scalar>(
        &mut self,
        moves: Vec<(S, T)>,
        wrong: impl Fn(Flaw<S>) -> RuleError<S, A>,
    ) -> Result<Vec<(usize, T)>, RuleError<S, A>> {
        let mut row = Vec::with_capacity(moves.len());
        for (to, value) in moves.into_iter().filter(|(_, value)| !value.is_zero()) {
            // Only then its state becomes one of the process.
            check_move(self.weight, &to, &value).map_err(|flaw| wrong(flaw.named(S::clone)))?;
            row.push((self.found.states.number(&to), value));
            self.check_limits(row.len())?;
        }
        Ok(row)
    }

    /// Refuses so many transitions more, or as many states as there are, where they are too many.
    fn check_limits(&self, more: usize) -> Result<(), RuleError<S, A>> {
        match self.limits.passed(self.found.states.len(), self.transitions + more) {
            Some((what, limit)) => Err(RuleError::TooLarge { what, limit }),
            None => Ok(()),
        }
    }
}
