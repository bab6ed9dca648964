use std::sync::Arc;

use super::*;
use crate::instance::Instance;

fn table<C: Cost + ?Sized>(cost: &C) -> Vec<(usize, usize, C::Value)> {
    cost.to_edges().unwrap().iter().collect()
}

/// All methods of a cost must tell the same story.
fn check_consistent<C: Cost>(cost: &C) {
    let (rows, cols) = (cost.len(), cost.cols());
    let mut row = vec![num_traits::zero(); cols];
    let mut bits = vec![u64::MAX; cols.div_ceil(64)];
    for i in 0..rows {
        cost.fill_row(i, &mut row);
        cost.allowed_row(i, &mut bits);
        let allowed: Vec<usize> = (0..cols)
            .rev()
            .filter(|&j| (i != j || rows != cols) && cost.is_allowed(i, j))
            .collect();
        let mut some = vec![num_traits::zero(); allowed.len()];
        cost.fill_pairs(i, &allowed, &mut some);
        assert!(
            allowed.iter().zip(&some).all(|(&j, &value)| value == cost.pair(i, j)),
            "row {i}"
        );
        for j in 0..cols {
            if i == j && rows == cols {
                continue;
            }
            let is_allowed = cost.is_allowed(i, j);
            assert_eq!(bits[j / 64] >> (j % 64) & 1 == 1, is_allowed, "({i}, {j})");
            assert!(is_allowed || cost.has_forbidden());
            if is_allowed {
                assert_eq!(row[j], cost.pair(i, j), "({i}, {j})");
                match cost.checked_pair(i, j) {
                    Some(value) => assert_eq!(value, cost.pair(i, j)),
                    None => assert!(cost.may_overflow()),
                }
                if cost.is_symmetric() {
                    assert_eq!(cost.pair(i, j), cost.pair(j, i));
                    assert!(cost.is_allowed(j, i));
                }
            }
        }
        let tail = bits.iter().map(|word| word.count_ones() as usize).sum::<usize>();
        assert!(tail <= cols, "bits past the last column");
    }
}

fn sample(n: usize) -> DenseMatrix<i64> {
    let mut matrix = DenseMatrix::square(n, (0..(n * n) as i64).map(|x| x * 7919 % 101 - 50).collect()).unwrap();
    (1..n).for_each(|i| matrix.forbid(i, (i * i) % n));
    matrix
}

#[test]
fn every_wrapper_tells_one_story() {
    let points = Points::new((0..70).map(|i| [f64::from(i), f64::from(i * i % 7)]).collect()).unwrap();
    check_consistent(&points);
    check_consistent(&points.clone().restricted(|i, j| (i + j) % 3 != 0));
    let wrapped: &dyn Embedded<2> = &Arc::new((&points).restricted(|_, _| true));
    assert_eq!(
        (wrapped.point(9), wrapped.norm(), wrapped.reach(8)),
        (points.point(9), Norm::Euclidean, points.reach(8))
    );
    for n in [1, 2, 3, 63, 64, 65, 70] {
        let base = sample(n);
        check_consistent(&base);
        check_consistent(&&base);
        check_consistent(&Box::new(base.clone()));
        check_consistent(&Arc::new(base.clone()));
        check_consistent(&base.clone().symmetrized());
        check_consistent(&base.clone().negated());
        check_consistent(&base.clone().scaled(3));
        check_consistent(&base.clone().scaled(i64::MAX / 7));
        check_consistent(&(&base).plus(base.clone().negated()).unwrap());
        check_consistent(&(&base).restricted(|i, j| (i + j) % 3 != 0));
        check_consistent(&from_fn(n, |i, j| i as f64 / (1.0 + j as f64)));
        check_consistent(&from_symmetric_fn(n, |i, j| i as i32 - j as i32));
        check_consistent(&from_rectangular_fn(n, 2 * n + 1, |i, j| (i + j) as i64));
        let mut condensed = CondensedMatrix::new(n, (0..(n * (n - 1) / 2) as i64).collect()).unwrap();
        check_consistent(&condensed);
        if n > 2 {
            condensed.forbid_pair(n - 1, n / 2);
            check_consistent(&condensed);
        }
        check_consistent(&condensed.scaled(2).symmetrized());
    }
}

#[test]
fn costs_are_object_safe() {
    let cost: Box<dyn Cost<Value = i64>> = Box::new(from_fn(3, |i, j| (i + j) as i64));
    assert_eq!(cost.pair(1, 2), 3);
    assert_eq!(table(&*cost), [(0, 1, 1), (0, 2, 2), (1, 2, 3)]);
    let group: Box<dyn GroupCost<Value = i64>> = Box::new(Pairwise(cost));
    assert_eq!(group.group(&[0, 1, 2]), 6);
}

#[test]
fn matrices_check_their_size() {
    let wrong = DenseMatrix::new(2, 3, vec![1; 5]);
    assert_eq!(
        wrong,
        Err(Error::LengthMismatch {
            what: "matrix entries",
            expected: 6,
            found: 5
        })
    );
    let ragged = DenseMatrix::from_rows([vec![1], vec![1, 2]]);
    assert_eq!(
        ragged,
        Err(Error::RaggedRow {
            row: 1,
            expected: 1,
            found: 2
        })
    );
    assert!(CondensedMatrix::new(4, vec![0; 5]).is_err());
    assert!(CondensedMatrix::<i64>::new(0, vec![]).is_ok());
    assert!(DenseMatrix::<i64>::new(0, 0, vec![]).unwrap().is_empty());
    assert!(DenseMatrix::<i64>::new(3, 0, vec![]).is_ok());
    assert!(matches!(
        from_fn(2, |_, _| 0).plus(from_fn(3, |_, _| 0)),
        Err(Error::LengthMismatch {
            expected: 2,
            found: 3,
            ..
        })
    ));
}

#[test]
fn overflow_is_a_typed_error_at_the_pair() {
    let low = from_symmetric_fn(4, |i, j| if (i, j) == (1, 3) { i64::MIN } else { 1 });
    assert_eq!(low.negated().to_edges().err(), Some(Error::CostOverflow { u: 1, v: 3 }));
    assert_eq!(low.negated().pair(1, 3), i64::MAX);
    assert_eq!(
        low.symmetrized().to_edges().err(),
        Some(Error::CostOverflow { u: 1, v: 3 })
    );
    assert_eq!(low.scaled(2).to_edges().err(), Some(Error::CostOverflow { u: 1, v: 3 }));
    assert_eq!(
        low.plus(low).unwrap().to_edges().err(),
        Some(Error::CostOverflow { u: 1, v: 3 })
    );
    // An inner overflow is one even if the outer result would fit.
    assert_eq!(low.negated().negated().checked_pair(1, 3), None);
    // Forbidden pairs do not count.
    let without = low.negated().restricted(|i, j| i.min(j) != 1 || i.max(j) != 3);
    assert_eq!(without.to_edges().unwrap().edges().len(), 5);
    let huge = from_fn(2, |_, _| f64::MAX).symmetrized();
    assert_eq!(huge.to_edges().err(), Some(Error::NotANumber { u: 0, v: 1 }));
}

#[test]
fn group_sums_are_checked() {
    let cost = Pairwise(from_fn(3, |_, _| i32::MAX));
    assert_eq!(cost.checked_group(&[0, 1]), Some(i32::MAX));
    assert_eq!(cost.checked_group(&[0, 1, 2]), None);
    assert_eq!(cost.group(&[0, 1, 2]), i32::MAX);
    let cost = Pairwise(from_fn(3, |_, _| 1).restricted(|i, j| i + j != 3));
    assert!(cost.has_forbidden_groups() && cost.is_group_allowed(&[0, 1]) && !cost.is_group_allowed(&[0, 1, 2]));
}

#[test]
fn instances_need_square_symmetric_numbers() {
    let rectangular = from_rectangular_fn(2, 3, |_, _| 0);
    assert_eq!(
        rectangular.to_edges().err(),
        Some(Error::NotSquare { rows: 2, cols: 3 })
    );
    for n in [2, 31, 33, 64, 100] {
        for (u, v) in [(0, 1), (0, n - 1), (n / 2 - 1, n / 2), (n - 2, n - 1)] {
            let mut matrix = DenseMatrix::tabulate(&from_fn(n, |i, j| (i * j) as f64)).unwrap();
            assert_eq!(matrix.to_edges().unwrap().edges().len(), n * (n - 1) / 2);
            matrix.forbid(v, u);
            assert_eq!(matrix.to_edges().err(), Some(Error::Asymmetric { u, v }));
            matrix.forbid(u, v);
            assert_eq!(matrix.to_edges().unwrap().edges().len(), n * (n - 1) / 2 - 1);
            let with = |i: usize, j: usize, value: f64| {
                from_fn(n, move |a, b| if (a, b) == (i, j) { value } else { (a * b) as f64 })
            };
            assert_eq!(with(v, u, -1.0).to_edges().err(), Some(Error::Asymmetric { u, v }));
            assert_eq!(with(u, v, f64::NAN).to_edges().err(), Some(Error::NotANumber { u, v }));
            assert_eq!(
                with(v, u, f64::NAN).to_edges().err(),
                Some(Error::NotANumber { u: v, v: u })
            );
        }
    }
    let empty = from_fn(0, |_, _| 0);
    assert!(empty.to_edges().unwrap().is_empty());
}

#[test]
fn tabulating_keeps_values_and_forbidden_pairs() {
    let cost = from_fn(70, |i, j| (i ^ j) as i64)
        .restricted(|i, j| (i + j) % 5 != 0)
        .negated();
    let table_of = DenseMatrix::tabulate(&cost).unwrap();
    check_consistent(&table_of);
    assert_eq!(table(&table_of), table(&cost));
    let overflow = from_fn(2, |_, _| i64::MIN).negated();
    assert_eq!(
        DenseMatrix::tabulate(&overflow),
        Err(Error::CostOverflow { u: 0, v: 1 })
    );
}

#[test]
fn equal_matrices_are_equal_however_pairs_were_forbidden() {
    for n in [2, 3, 64, 70] {
        let cost = from_fn(n, |i, j| (i ^ j) as i64);
        let plain = DenseMatrix::tabulate(&cost).unwrap();
        let restricted = |which: fn(usize, usize) -> bool| DenseMatrix::tabulate(&(&cost).restricted(which)).unwrap();
        assert_eq!(plain, restricted(|_, _| true), "{n}");
        assert_eq!(plain, restricted(|i, j| i != j), "{n}: the diagonal is no pair");
        let mut forbidden = plain.clone();
        forbidden.forbid_pair(0, 1);
        assert_eq!(forbidden, restricted(|i, j| i + j != 1), "{n}");
        assert_ne!(forbidden, plain, "{n}");
        // Of states and actions it is one, and costs what it costs.
        let all = |at: i64| DenseMatrix::tabulate_all(&from_fn(n, |i, j| if i == j { at } else { 0 })).unwrap();
        assert_eq!(all(1), all(1));
        assert_ne!(all(1), all(2));
    }
}

#[test]
fn costs_without_a_diagonal_have_none_to_read() {
    let condensed = CondensedMatrix::new(3, vec![1, 2, 3]).unwrap();
    let mut all = DenseMatrix::tabulate(&condensed).unwrap();
    assert!(all.is_allowed(1, 1));
    // What there is none of was asked for, and panicked, here and below.
    (0..3).for_each(|i| all.forbid(i, i));
    assert_eq!(DenseMatrix::tabulate_all(&condensed), Ok(all));
    for cost in [&condensed as &dyn Cost<Value = i32>, &(&condensed).negated().negated()] {
        let mut some = [9; 3];
        cost.fill_pairs(1, &[2, 1, 0], &mut some);
        assert_eq!((some[0], some[2]), (3, 1));
    }
    // With other columns than rows the same numbers are a pair.
    let mut some = [9];
    from_rectangular_fn(2, 3, |i, j| (10 * i + j) as i32).fill_pairs(1, &[1], &mut some);
    assert_eq!(some, [11]);
}

/// The pairs that only one direction has were read in the other one, with a panic.
#[test]
fn a_rectangular_cost_is_symmetrized_where_it_has_both_directions() {
    for (rows, cols) in [(2, 3), (3, 2), (0, 2), (2, 0)] {
        let numbers = (0..(rows * cols) as i64).collect();
        let cost = DenseMatrix::new(rows, cols, numbers).unwrap().symmetrized();
        check_consistent(&cost);
        let both = rows.min(cols);
        for (i, j) in (0..rows).flat_map(|i| (0..cols).map(move |j| (i, j))) {
            let is_pair = i < both && j < both;
            assert_eq!(cost.is_allowed(i, j), is_pair, "({i}, {j})");
            let sum = (i * cols + j + j * cols + i) as i64;
            assert_eq!(cost.pair(i, j), if is_pair { sum } else { 0 }, "({i}, {j})");
            assert_eq!(cost.checked_pair(i, j), Some(cost.pair(i, j)));
        }
        assert_eq!(cost.to_edges().err(), Some(Error::NotSquare { rows, cols }));
    }
}

#[test]
fn matrices_are_written_to() {
    let numbers: Vec<i64> = (0..70 * 71).collect();
    let mut matrix = DenseMatrix::new(70, 71, numbers.clone()).unwrap();
    let plain = matrix.clone();
    matrix.set(69, 70, -1);
    matrix.forbid(3, 65);
    matrix.set(3, 65, -2);
    assert!(!matrix.is_allowed(3, 65));
    matrix.allow(3, 65);
    matrix.allow(0, 0);
    assert!(matrix.is_allowed(3, 65));
    assert_eq!((matrix.pair(69, 70), matrix.pair(3, 65)), (-1, -2));
    check_consistent(&matrix);
    matrix.set(69, 70, plain.pair(69, 70));
    matrix.set(3, 65, plain.pair(3, 65));
    assert_eq!(matrix, plain);
    assert_eq!(matrix.into_vec(), numbers);

    let mut square = DenseMatrix::square(3, vec![0; 9]).unwrap();
    square.set_pair(2, 0, 5);
    square.forbid_pair(1, 2);
    assert_eq!((square.pair(0, 2), square.pair(2, 0)), (5, 5));
    square.allow_pair(2, 1);
    assert!(square.is_allowed(1, 2) && square.is_allowed(2, 1));

    let mut condensed = CondensedMatrix::from_options(3, &[Some(1), None, Some(3)]).unwrap();
    condensed.set_pair(2, 0, 7);
    assert!(!condensed.is_allowed(0, 2));
    condensed.allow_pair(2, 0);
    condensed.allow_pair(0, 1);
    assert!(condensed.is_allowed(0, 2) && condensed.is_allowed(1, 0));
    assert_eq!(condensed, CondensedMatrix::new(3, vec![1, 7, 3]).unwrap());
    condensed.forbid_pair(0, 1);
    assert_ne!(condensed, CondensedMatrix::new(3, vec![1, 7, 3]).unwrap());
    assert_eq!(condensed.into_vec(), [1, 7, 3]);
}

#[cfg(feature = "nalgebra")]
#[test]
fn nalgebra_matrices_are_costs() {
    use ::nalgebra::DMatrix;
    let cost = DMatrix::from_fn(5, 5, |i, j| (i * j) as i64);
    assert_eq!(table(&cost), table(&from_fn(5, |i, j| (i * j) as i64)));
    check_consistent(&DMatrix::from_fn(3, 4, |i, j| (i * 10 + j) as f32));
}

#[test]
fn a_closure_costs_groups_as_a_type_of_its_own_does() {
    struct Squares(usize);
    impl GroupCost for Squares {
        type Value = i64;
        fn len(&self) -> usize {
            self.0
        }
        fn group(&self, members: &[usize]) -> i64 {
            members.iter().map(|&member| (member * member) as i64).sum()
        }
    }
    fn solvers_take<C: GroupCost<Value = i64> + Sync>(cost: &C) -> &C {
        cost
    }
    let written = Squares(9);
    let closure = from_group_fn(9, |members| written.group(members));
    let closure = solvers_take(&closure);
    let groups: [&[usize]; 4] = [&[], &[8], &[1, 4, 6], &[0, 1, 2, 3, 4, 5, 6, 7, 8]];
    let (mut notes, mut costs) = (vec![7], Vec::new());
    for members in groups {
        assert_eq!(closure.group(members), written.group(members));
        assert_eq!(closure.checked_group(members), Some(written.group(members)));
        assert_eq!(closure.group_if_allowed(members), Some(written.group(members)));
        assert_eq!(closure.group_bound(members, 1), GroupBound::Unknown);
    }
    assert!(!closure.has_forbidden_groups() && !closure.is_empty() && closure.len() == 9);
    closure.take_notes(&[1, 4, 6], &mut notes);
    closure.groups_if_exchanged(&[1, 4, 6], &notes, &[1], &[0, 8], &mut costs);
    assert_eq!(costs, [Some(1 + 36), Some(1 + 36 + 64)]);
    let copy = *closure;
    assert_eq!(format!("{copy:?}"), "FromGroupFn { len: 9, .. }");
    let boxed: Box<dyn GroupCost<Value = i64> + Sync> = Box::new(closure);
    assert_eq!(boxed.group(&[2, 3]), 13);
    assert!(from_group_fn(0, |_| 0.5_f32).is_empty());
}

#[test]
fn a_closure_that_forbids_groups_is_as_a_type_of_its_own() {
    /// Products, of groups in which no two members follow each other.
    struct Gaps(usize);
    impl GroupCost for Gaps {
        type Value = i32;
        fn len(&self) -> usize {
            self.0
        }
        fn group(&self, members: &[usize]) -> i32 {
            members.iter().map(|&member| member as i32).product()
        }
        fn is_group_allowed(&self, members: &[usize]) -> bool {
            !members.iter().any(|&member| members.contains(&(member + 1)))
        }
        fn has_forbidden_groups(&self) -> bool {
            true
        }
    }
    let written = Gaps(7);
    let closure = from_group_option_fn(7, |members| {
        written.is_group_allowed(members).then(|| written.group(members))
    });
    let (mut kept, mut forbidden) = (0, 0);
    for set in 0_u32..1 << 7 {
        let members: Vec<usize> = (0..7).filter(|member| set >> member & 1 == 1).collect();
        assert_eq!(closure.is_group_allowed(&members), written.is_group_allowed(&members));
        assert_eq!(closure.group_if_allowed(&members), written.group_if_allowed(&members));
        match closure.group_if_allowed(&members) {
            Some(cost) => {
                assert_eq!(
                    (closure.group(&members), closure.checked_group(&members)),
                    (cost, Some(cost))
                );
                kept += 1;
            }
            None => forbidden += 1,
        }
        if let &[first, .., last] = &members[..] {
            let exchange = |cost: &dyn GroupCost<Value = i32>| {
                let mut costs = Vec::new();
                let others: Vec<usize> = (0..7).filter(|other| !members.contains(other)).collect();
                cost.groups_if_exchanged(&members, &[], &[0], &others, &mut costs);
                costs
            };
            assert_eq!(exchange(&closure), exchange(&written), "{first} to {last}");
        }
    }
    // Sets of 1 to 7 without neighbours: a Fibonacci number.
    assert_eq!((kept, forbidden), (34, 128 - 34));
    assert!(closure.has_forbidden_groups() && closure.len() == 7);
    assert_eq!(format!("{closure:?}"), "FromGroupOptionFn { len: 7, .. }");
}
