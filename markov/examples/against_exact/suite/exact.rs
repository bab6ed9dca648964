//! Exact answers by plain Gaussian elimination over full matrices, sharing no code with the crate's solvers.

use markov::{Rational, Scalar};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{FromPrimitive, One, Zero};

pub(crate) type Matrix = Vec<Vec<Rational>>;

/// The fraction that a finite float is.
pub(crate) fn fraction(value: f64) -> Rational {
    Rational::from_f64(value).unwrap_or_else(|| panic!("{value} is not finite"))
}

/// A row as integers, all of its fractions times the same.
fn integers(row: &[Rational]) -> Vec<BigInt> {
    let common = row
        .iter()
        .fold(BigInt::one(), |common, value| common.lcm(value.denom()));
    row.iter()
        .map(|value| value.numer() * (&common / value.denom()))
        .collect()
}

/// `x` with `a x = b`, for several right-hand sides side by side; `a` must not be singular.
///
/// In integers (Bareiss): the pivot before divides what a step leaves, so that no fraction is ever reduced but those of `x`.
pub(crate) fn solve(a: Matrix, b: Matrix) -> Matrix {
    let n = a.len();
    let rows = a.into_iter().zip(b).map(|(a, b)| integers(&[a, b].concat()));
    let mut rows: Vec<Vec<BigInt>> = rows.collect();
    let mut last = BigInt::one();
    for column in 0..n {
        let pivot = (column..n)
            .find(|&row| !rows[row][column].is_zero())
            .expect("not singular");
        rows.swap(column, pivot);
        let by = rows[column].clone();
        for row in (0..n).filter(|&row| row != column) {
            let factor = rows[row][column].clone();
            for (value, other) in rows[row].iter_mut().zip(&by).skip(column + 1) {
                *value = (&*value * &by[column] - &factor * other) / &last;
            }
        }
        last = by[column].clone();
    }
    // Each row has the last pivot on its diagonal now.
    let solved = |row: &Vec<BigInt>| {
        row[n..]
            .iter()
            .map(|value| Rational::new(value.clone(), last.clone()))
            .collect()
    };
    rows.iter().map(solved).collect()
}

/// Which states lead to which, each to itself.
fn leads(rates: &Matrix) -> Vec<Vec<bool>> {
    let n = rates.len();
    let mut leads: Vec<Vec<bool>> = (0..n)
        .map(|i| (0..n).map(|j| i == j || !rates[i][j].is_zero()).collect())
        .collect();
    for via in 0..n {
        let onward = leads[via].clone();
        for row in leads.iter_mut().filter(|row| row[via]) {
            row.iter_mut()
                .zip(&onward)
                .for_each(|(leads, &onward)| *leads |= onward);
        }
    }
    leads
}

/// The closed classes, by their lowest states.
pub(crate) fn closed_classes(rates: &Matrix) -> Vec<Vec<usize>> {
    let leads = leads(rates);
    let n = rates.len();
    let led_to = |i: usize| (0..n).filter(|&j| leads[i][j]).collect::<Vec<_>>();
    let is_closed = |class: &Vec<usize>, i: usize| class[0] == i && class.iter().all(|&j| leads[j][i]);
    (0..n)
        .map(|i| (led_to(i), i))
        .filter(|(class, i)| is_closed(class, *i))
        .map(|(class, _)| class)
        .collect()
}

/// Whether all states lead to one of these.
pub(crate) fn is_reached(rates: &Matrix, target: &[usize]) -> bool {
    leads(rates).iter().all(|row| target.iter().any(|&state| row[state]))
}

/// `-Q`: what leads away on the diagonal, less what leads from `i` to `j` beside it. Diagonals of `rates` do not count.
fn generator(rates: &Matrix) -> Matrix {
    let n = rates.len();
    let entry = |i: usize, j: usize| match i == j {
        true => (0..n).filter(|&k| k != i).map(|k| &rates[i][k]).sum(),
        false => -rates[i][j].clone(),
    };
    (0..n).map(|i| (0..n).map(|j| entry(i, j)).collect()).collect()
}

/// The stationary distribution of a closed class, by state of the chain.
fn stationary(rates: &Matrix, class: &[usize]) -> Vec<Rational> {
    let q = generator(rates);
    let mut a: Matrix = class
        .iter()
        .map(|&j| class.iter().map(|&i| q[i][j].clone()).collect())
        .collect();
    let mut b = vec![vec![Rational::zero()]; class.len()];
    // One of the balances follows from the others.
    a[0].fill(Rational::one());
    b[0][0] = Rational::one();
    let mut all = vec![Rational::zero(); rates.len()];
    for (&state, value) in class.iter().zip(solve(a, b)) {
        all[state] = value[0].clone();
    }
    all
}

/// Expected totals of costs until the first visit of these states, for several costs side by side; all states must lead
/// there.
fn totals(rates: &Matrix, is_end: &[bool], costs: &Matrix) -> Matrix {
    let inside: Vec<usize> = (0..rates.len()).filter(|&state| !is_end[state]).collect();
    let q = generator(rates);
    let a = inside
        .iter()
        .map(|&i| inside.iter().map(|&j| q[i][j].clone()).collect())
        .collect();
    let b = inside.iter().map(|&i| costs[i].clone()).collect();
    let mut all = vec![vec![Rational::zero(); costs[0].len()]; rates.len()];
    for (&state, value) in inside.iter().zip(solve(a, b)) {
        all[state] = value;
    }
    all
}

/// The probability of being caught in each closed class, by start.
pub(crate) fn absorption(rates: &Matrix, classes: &[Vec<usize>]) -> Matrix {
    let n = rates.len();
    let is_end: Vec<bool> = (0..n).map(|i| classes.iter().any(|class| class.contains(&i))).collect();
    let entered = |i: usize| {
        classes
            .iter()
            .map(|class| class.iter().map(|&j| &rates[i][j]).sum())
            .collect()
    };
    let costs: Matrix = (0..n).map(entered).collect();
    let mut caught = totals(rates, &is_end, &costs);
    for (at, class) in classes.iter().enumerate() {
        class.iter().for_each(|&state| caught[state][at] = Rational::one());
    }
    caught
}

/// The long-run distribution, by start.
pub(crate) fn long_run(rates: &Matrix) -> Matrix {
    let classes = closed_classes(rates);
    let within: Matrix = classes.iter().map(|class| stationary(rates, class)).collect();
    let caught = absorption(rates, &classes);
    let mixed = |shares: &Vec<Rational>| {
        (0..rates.len())
            .map(|j| shares.iter().zip(&within).map(|(share, x)| share * &x[j]).sum())
            .collect()
    };
    caught.iter().map(mixed).collect()
}

/// Moments `E[T^k]`, k = 1 to `count`, of the time to a target in continuous time: `-Q m_k = k m_{k-1}`.
pub(crate) fn continuous_moments(rates: &Matrix, target: &[usize], count: usize) -> Matrix {
    let is_end: Vec<bool> = (0..rates.len()).map(|i| target.contains(&i)).collect();
    let mut last = vec![Rational::one(); rates.len()];
    let mut moments = Vec::new();
    for k in 1..=count {
        let costs: Matrix = last.iter().map(|m| vec![m * Rational::ratio(k as i64, 1)]).collect();
        last = totals(rates, &is_end, &costs)
            .into_iter()
            .map(|mut row| row.remove(0))
            .collect();
        moments.push(last.clone());
    }
    moments
}

/// The same in steps: `E[T^k] = E[(1 + T')^k]`, with `T'` the time left after a step.
pub(crate) fn discrete_moments(rates: &Matrix, target: &[usize], count: usize) -> Matrix {
    let n = rates.len();
    let is_end: Vec<bool> = (0..n).map(|i| target.contains(&i)).collect();
    let q = generator(rates);
    let after = |of: &[Rational], i: usize| &of[i] - q[i].iter().zip(of).map(|(a, b)| a * b).sum::<Rational>();
    let mut moments: Matrix = vec![vec![Rational::one(); n]];
    for k in 1..=count {
        let mut binomial = Rational::one();
        let mut costs = vec![vec![Rational::zero()]; n];
        for (l, of) in moments.iter().enumerate() {
            for (i, cost) in costs.iter_mut().enumerate() {
                cost[0] += &binomial * after(of, i);
            }
            binomial *= Rational::ratio((k - l) as i64, l as i64 + 1);
        }
        moments.push(
            totals(rates, &is_end, &costs)
                .into_iter()
                .map(|mut row| row.remove(0))
                .collect(),
        );
    }
    moments.split_off(1)
}

/// What each state costs in all, costs being discounted: `(1 - discount P) v = cost`.
pub(crate) fn discounted(moves: &Matrix, costs: &[Rational], discount: &Rational) -> Vec<Rational> {
    let n = moves.len();
    let unit = |i: usize, j: usize| Rational::ratio(i64::from(i == j), 1);
    let a = (0..n)
        .map(|i| (0..n).map(|j| unit(i, j) - discount * &moves[i][j]).collect())
        .collect();
    let b = costs.iter().map(|cost| vec![cost.clone()]).collect();
    solve(a, b).into_iter().map(|mut row| row.remove(0)).collect()
}
