//! The dense engine against the sparse one: random cases of every kind, and what must be equal.

use std::mem::discriminant;

use matching_core::cost::{self, CondensedMatrix, Cost, DenseMatrix};
use matching_core::{
    Blossom, Budget, CostValue, EdgeList, Engine, Error, Instance, Objective, Precision, Solution, Status, verify,
};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::pools::{ALLOWED, COSTS, Square};

/// As what an instance is handed over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    Matrix,
    Condensed,
    Function,
    SymmetricFunction,
    Sum,
    Negated,
    List,
}

const FORMS: [Form; 7] = [
    Form::Matrix,
    Form::Condensed,
    Form::Function,
    Form::SymmetricFunction,
    Form::Sum,
    Form::Negated,
    Form::List,
];

/// One instance with all that is asked of it.
#[derive(Clone, Debug)]
pub(crate) struct Case<V> {
    /// Costs of all pairs, forbidden ones `None`. Symmetric, but where a fault is meant.
    pub(crate) pairs: Square<Option<V>>,
    pub(crate) objective: Objective<V>,
    pub(crate) precision: Precision,
    pub(crate) memory: Option<usize>,
    pub(crate) form: Form,
    /// Whether one entry was made to be wrong.
    pub(crate) has_fault: bool,
}

/// How a case ended, the same for both engines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    /// Solved, and the dense engine read all pairs.
    Dense,
    /// Solved without the dense engine: there were no pairs to read.
    Sparse,
    Infeasible,
    Refused,
}

/// The classes that a case belongs to.
#[derive(Clone, Copy, Debug)]
#[allow(dead_code, reason = "an example counts by them")]
pub(crate) struct Classes {
    pub(crate) costs: &'static str,
    pub(crate) allowed: &'static str,
    pub(crate) numbers: &'static str,
    pub(crate) objective: &'static str,
    pub(crate) form: Form,
}

impl<V: CostValue> Case<V> {
    /// Solves by both engines; what they do not agree on, if there is such a thing.
    pub(crate) fn compare(&self) -> Result<Ending, String> {
        let n = self.pairs.n;
        let at = |u: usize, v: usize| self.pairs.at(u, v);
        let value = |u, v| at(u, v).unwrap_or(V::one());
        let allows = |u, v| at(u, v).is_some();
        match self.form {
            Form::Matrix => {
                // Without forbidden pairs the entries lie in memory row by row.
                let data = &self.pairs.data;
                if (0..n * n).all(|k| data[k].is_some() || k / n == k % n) {
                    let plain = data.iter().map(|entry| entry.unwrap_or(V::zero())).collect();
                    return self.solve_both(&DenseMatrix::square(n, plain).expect("square"));
                }
                self.solve_both(&DenseMatrix::from_options(n, n, &self.pairs.data).expect("square"))
            }
            Form::Condensed => {
                let upper: Vec<Option<V>> = (0..n).flat_map(|u| (u + 1..n).map(move |v| at(u, v))).collect();
                self.solve_both(&CondensedMatrix::from_options(n, &upper).expect("all pairs"))
            }
            Form::Function => self.solve_both(&cost::from_fn(n, value).restricted(allows)),
            Form::SymmetricFunction => self.solve_both(&cost::from_symmetric_fn(n, value).restricted(allows)),
            Form::Sum => {
                let zero = cost::from_symmetric_fn(n, |_, _| V::zero());
                let sum = zero.plus(cost::from_fn(n, value)).expect("as many");
                self.solve_both(&sum.restricted(allows))
            }
            Form::Negated => self.solve_both(&cost::from_fn(n, value).restricted(allows).negated()),
            Form::List => {
                let edges = (0..n).flat_map(|u| (u + 1..n).filter_map(move |v| Some((u, v, at(u, v)?))));
                self.solve_both(&EdgeList::new(n, edges).map_err(|error| format!("{error}"))?)
            }
        }
    }

    fn solver(&self, engine: Engine, threads: usize) -> Blossom<V> {
        let mut budget = Budget::new();
        if let Some(bytes) = self.memory {
            budget = budget.memory(bytes);
        }
        Blossom::new()
            .objective(self.objective.clone())
            .precision(self.precision)
            .budget(budget)
            .engine(engine)
            .threads(threads)
    }

    fn solve_both<I: Instance<Value = V> + ?Sized>(&self, instance: &I) -> Result<Ending, String> {
        let sparse = self.solver(Engine::Sparse, 1).solve(instance);
        let dense = self.solver(Engine::Dense, 1).solve(instance);
        let shared = self.solver(Engine::Dense, 2).solve(instance);
        if dense != shared {
            return Err(format!("threads matter: {dense:?} against {shared:?}"));
        }
        self.judge(instance, &sparse, &dense)
    }

    /// Whether two results are equally right.
    pub(crate) fn judge<I: Instance<Value = V> + ?Sized>(
        &self,
        instance: &I,
        sparse: &Result<Solution<V>, Error>,
        dense: &Result<Solution<V>, Error>,
    ) -> Result<Ending, String> {
        match (sparse, dense) {
            (Ok(sparse), Ok(dense)) => {
                for (engine, solution) in [("sparse", sparse), ("dense", dense)] {
                    let verified = solution.verify(instance);
                    verified.map_err(|error| format!("{engine} answer refused: {error}; {solution:?}"))?;
                }
                self.compare_solutions(sparse, dense)?;
                let entries = self.pairs.n as u64 * self.pairs.n as u64;
                Ok(if self.pairs.n > 1 && dense.work() >= entries {
                    Ending::Dense
                } else {
                    Ending::Sparse
                })
            }
            (Err(Error::NoPerfectMatching(one)), Err(Error::NoPerfectMatching(other))) => {
                for (engine, witness) in [("sparse", one), ("dense", other)] {
                    let verified = verify::infeasibility(instance, &self.objective, witness);
                    verified.map_err(|error| format!("{engine} witness refused: {error}; {witness:?}"))?;
                }
                Ok(Ending::Infeasible)
            }
            // Of two reasons either may be named: too wide to be solved, and without a solution.
            (Err(Error::NoPerfectMatching(witness)), Err(Error::Overflow { .. }))
            | (Err(Error::Overflow { .. }), Err(Error::NoPerfectMatching(witness))) => {
                let verified = verify::infeasibility(instance, &self.objective, witness);
                verified.map_err(|error| format!("witness refused: {error}; {witness:?}"))?;
                Ok(Ending::Refused)
            }
            (Err(one), Err(other)) => {
                // A fault that was put in may not be the only one where costs are negated.
                let has_many = !self.has_fault || self.form == Form::Negated;
                let is_same = one == other || (has_many && discriminant(one) == discriminant(other));
                let is_either = |error: &Error| matches!(error, Error::CostOverflow { .. } | Error::Asymmetric { .. });
                let is_same = is_same || (self.has_fault && has_many && is_either(one) && is_either(other));
                if is_same {
                    Ok(Ending::Refused)
                } else {
                    Err(format!("errors differ: sparse {one:?}, dense {other:?}"))
                }
            }
            _ => Err(format!("sparse {sparse:?}, dense {dense:?}")),
        }
    }

    fn compare_solutions(&self, sparse: &Solution<V>, dense: &Solution<V>) -> Result<(), String> {
        let is_same = match (sparse.status(), dense.status()) {
            (Status::Optimal, Status::Optimal) => {
                sparse.cost() == dense.cost() && sparse.bound() == dense.bound() && dense.cost() == dense.bound()
            }
            // Of several best on the grid each may choose its own.
            (one, other) if one == other => {
                let is_maximum = matches!(
                    self.objective,
                    Objective::MaxPerfect | Objective::MaxWeight | Objective::MaxCardinality
                );
                let holds = |bound: V::Total, cost: V::Total| {
                    if is_maximum { bound >= cost } else { bound <= cost }
                };
                holds(sparse.bound(), dense.cost()) && holds(dense.bound(), sparse.cost())
            }
            _ => false,
        };
        if !is_same {
            let say = |solution: &Solution<V>| {
                let (cost, bound) = (solution.cost(), solution.bound());
                format!("{:?} cost {cost:?} bound {bound:?}", solution.status())
            };
            return Err(format!("sparse {}, dense {}", say(sparse), say(dense)));
        }
        Ok(())
    }
}

/// Kinds of numbers: what they are, and the range that the drawn costs are stretched to, if they are.
const NUMBERS: [&str; 17] = [
    "i32",
    "i32, to both ends",
    "i32, to an end",
    "i64",
    "i64, about 2^31",
    "i64, about 2^32",
    "i64, 2^33 to 2^61",
    "i64, about 2^62",
    "i64, to both ends",
    "i128",
    "i128, beyond 2^64",
    "i128, about 2^120",
    "f64, eighths",
    "f64, wide grid",
    "f64, exact or refused",
    "f64, quantised",
    "f32",
];

/// Runs the case of a seed: its classes, and how it ended.
pub(crate) fn run(seed: u64, sizes: std::ops::RangeInclusive<usize>) -> (Classes, Result<Ending, String>) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let n = rng.random_range(sizes) & if rng.random_bool(0.75) { !1 } else { !0 };
    let costs = COSTS[seed as usize % COSTS.len()];
    let allowed = ALLOWED[if rng.random_bool(0.45) {
        0
    } else {
        rng.random_range(1..ALLOWED.len())
    }];
    let numbers = rng.random_range(0..NUMBERS.len());
    let objective = rng.random_range(0..6);
    let form = FORMS[rng.random_range(0..FORMS.len())];
    let raw = costs.1(&mut rng, n);
    let mask = allowed.1(&mut rng, n);
    let mut classes = Classes {
        costs: costs.0,
        allowed: allowed.0,
        numbers: NUMBERS[numbers],
        objective: "",
        form,
    };
    let mut draft = Draft {
        rng: &mut rng,
        raw: &raw,
        mask: &mask,
        objective,
        form,
    };
    let ending = match numbers {
        0 => draft.case(0..=0, |value| value.clamp(-1 << 31, (1 << 31) - 1) as i32),
        1 => draft.case(i32::MIN.into()..=i32::MAX.into(), |value| value as i32),
        2 => {
            let range = draft.end_of(i32::MIN.into(), i32::MAX.into());
            draft.case(range, |value| value as i32)
        }
        3 => draft.case(0..=0, |value| value as i64),
        4 | 5 | 7 => {
            let bits = [31, 32, 0, 62][numbers - 4];
            let range = draft.about(bits);
            draft.case(range, |value| value as i64)
        }
        6 => {
            let width = 1i128 << draft.rng.random_range(33..=61);
            let low = draft.rng.random_range(-width..=width);
            draft.case(low..=low + width, |value| value as i64)
        }
        8 => draft.case(i64::MIN.into()..=i64::MAX.into(), |value| value as i64),
        9 => draft.case(0..=0, |value| value),
        10 => {
            let width = 1i128 << draft.rng.random_range(64..=110);
            draft.case(-width / 3..=width, |value| value)
        }
        11 => {
            let width = 1i128 << draft.rng.random_range(111..=126);
            draft.case(-(width - 1)..=width - 1, |value| value)
        }
        12 => draft.case(0..=0, |value| value as f64 / 8.0),
        13 => {
            let bits = draft.rng.random_range(20..=53);
            draft.case(-(1 << bits)..=1 << bits, |value| value as f64 / 1024.0)
        }
        14 | 15 => {
            draft.form = form;
            let scale = 2f64.powi(draft.rng.random_range(-400..400)) / 3.0;
            let precision = [Precision::Exact, Precision::Quantised][numbers - 14];
            draft.case_with(0..=0, precision, |value| value as f64 * scale)
        }
        _ => draft.case(0..=0, |value| value as f32 * 0.37),
    };
    classes.objective = OBJECTIVES[objective];
    (classes, ending)
}

const OBJECTIVES: [&str; 6] = [
    "MinPerfect",
    "MaxPerfect",
    "MaxWeight",
    "MaxCardinality",
    "MinOptOut",
    "MinBye",
];

/// What a case is made of once the numbers are chosen.
struct Draft<'d> {
    rng: &'d mut ChaCha8Rng,
    raw: &'d Square<i64>,
    mask: &'d Square<bool>,
    objective: usize,
    form: Form,
}

impl Draft<'_> {
    /// A range of some power of two, or one less or more, at an end of the 64-bit numbers or about zero.
    fn about(&mut self, bits: u32) -> std::ops::RangeInclusive<i128> {
        let width = (1i128 << bits) + self.rng.random_range(-2..=2);
        match self.rng.random_range(0..3) {
            0 => i128::from(i64::MIN)..=i128::from(i64::MIN) + width,
            1 => i128::from(i64::MAX) - width..=i128::from(i64::MAX),
            _ => -width / 2..=width - width / 2,
        }
    }

    /// A narrow or a wide range at one end.
    fn end_of(&mut self, low: i128, high: i128) -> std::ops::RangeInclusive<i128> {
        let width = 1i128 << self.rng.random_range(0..=31);
        if self.rng.random_bool(0.5) {
            low..=low + width
        } else {
            high - width..=high
        }
    }

    fn case<V: CostValue>(
        &mut self,
        range: std::ops::RangeInclusive<i128>,
        number: impl Fn(i128) -> V,
    ) -> Result<Ending, String> {
        self.case_with(range, Precision::Exact, number)
    }

    /// Stretches the drawn costs to a range, unless it is `0..=0`, and runs the case.
    fn case_with<V: CostValue>(
        &mut self,
        range: std::ops::RangeInclusive<i128>,
        precision: Precision,
        number: impl Fn(i128) -> V,
    ) -> Result<Ending, String> {
        let n = self.raw.n;
        let (least, most) = (self.raw.data.iter().min(), self.raw.data.iter().max());
        let (least, most) = (
            least.copied().map_or(0, i128::from),
            most.copied().map_or(0, i128::from),
        );
        let (low, high) = (*range.start(), *range.end());
        let spread = (most - least).max(1);
        let unit = (high - low) / spread;
        let has_noise = unit > 1 && self.rng.random_bool(0.5);
        let stretch = |rng: &mut ChaCha8Rng, value: i64| {
            let value = i128::from(value);
            if range == (0..=0) {
                return value;
            }
            let offset = value - least;
            let noise = if has_noise && value < most {
                rng.random_range(0..unit)
            } else {
                0
            };
            let whole = if value == most && most > least {
                high - low
            } else {
                offset * unit
            };
            low + whole + noise
        };
        let rng = &mut *self.rng;
        let pairs = Square::of(n, None, |u, v| {
            let value = stretch(rng, self.raw.at(u, v));
            self.mask.at(u, v).then(|| number(value))
        });
        let singles: Vec<V> = (0..n)
            .map(|v| {
                let value = self.raw.data[rng.random_range(0..n) * n + (v + 1) % n];
                number(stretch(rng, value))
            })
            .collect();
        let objective = match self.objective {
            0 => Objective::MinPerfect,
            1 => Objective::MaxPerfect,
            2 => Objective::MaxWeight,
            3 => Objective::MaxCardinality,
            4 => Objective::MinOptOut(singles),
            _ => Objective::MinBye(singles),
        };
        let memory = [None, None, None, None, Some(0), Some(1), Some(4 * n), Some(2 * n * n)];
        let mut case = Case {
            pairs,
            objective,
            precision,
            memory: memory[rng.random_range(0..memory.len())],
            form: self.form,
            has_fault: false,
        };
        let reads_all = matches!(self.form, Form::Matrix | Form::Function | Form::Sum | Form::Negated);
        if reads_all && n > 1 && rng.random_bool(0.03) {
            case.spoil(rng);
        }
        case.compare()
    }
}

impl<V: CostValue> Case<V> {
    /// Makes the two sides of a pair differ.
    fn spoil(&mut self, rng: &mut ChaCha8Rng) {
        let n = self.pairs.n;
        let (u, step) = (rng.random_range(0..n), rng.random_range(1..n));
        let entry = &mut self.pairs.data[u * n + (u + step) % n];
        *entry = match *entry {
            None => Some(V::zero()),
            Some(_) if rng.random_bool(0.5) => None,
            Some(value) if value == V::one() => Some(V::zero()),
            Some(_) => Some(V::one()),
        };
        self.has_fault = true;
    }
}

#[test]
fn nobody_is_asked_about_a_pair_with_themselves() {
    // `allowed_row` asked whether they may be put together, though the diagonal is never read.
    for n in [2, 6, 50, 200] {
        let costs = cost::from_fn(n, |i, j| {
            assert_ne!(i, j);
            (i * j % 17) as i64
        });
        let costs = costs.restricted(|i, j| {
            assert_ne!(i, j);
            (i + j) % 3 != 0 || i.abs_diff(j) == 1
        });
        for engine in [Engine::Auto, Engine::Dense, Engine::Sparse] {
            let solution = Blossom::new()
                .engine(engine)
                .solve(&costs)
                .expect("neighbours are allowed");
            solution.verify(&costs).expect("an optimum");
        }
    }
}
