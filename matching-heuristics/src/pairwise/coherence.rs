//! Whether costs of pairs have anything to do with each other.

use matching_core::CancelToken;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::grid::Grid;

/// Triples that are looked at: of costs without order the mean is known to a hundredth.
const SAMPLE: u32 = 1 << 14;

/// How costs of the three pairs among three units go together, as the mean of their product in standard deviations:
/// near 0 for numbers at random, one over the square root of the dimensions for products of points, less than 0 for
/// distances. Costs are taken without what a unit costs beside everybody, which no swap changes. 0 if it is cancelled on
/// the way.
pub(super) fn coherence(grid: &Grid, cancel: &CancelToken) -> f64 {
    let units = grid.units();
    if units < 3 {
        return 0.0;
    }
    let others = (units - 1) as f64;
    let means: Vec<f64> = (0..units as u32)
        .take_while(|_| !cancel.is_cancelled())
        .map(|unit| grid.row(unit).iter().map(|&cost| f64::from(cost)).sum::<f64>() / others)
        .collect();
    if means.len() < units {
        return 0.0;
    }
    // With these weights a cost that is a sum of what its two units bring has nothing left.
    let mean = means.iter().sum::<f64>() / units as f64;
    let rest = |i: usize, j: usize| {
        let bring = (means[i] + means[j] - 2.0 * mean) * others / (others - 1.0);
        f64::from(grid.row(i as u32)[j]) - mean - bring
    };
    let rng = &mut ChaCha8Rng::seed_from_u64(0);
    let (mut products, mut squares, mut count) = (0.0, 0.0, 0.0);
    for at in 0..SAMPLE {
        if at % 256 == 0 && cancel.is_cancelled() {
            return 0.0;
        }
        let [i, j, k] = [(); 3].map(|()| rng.random_range(0..units));
        if i != j && j != k && k != i {
            let [one, two, three] = [rest(i, j), rest(j, k), rest(k, i)];
            products += one * two * three;
            squares += (one * one + two * two + three * three) / 3.0;
            count += 1.0;
        }
    }
    let variance: f64 = squares / f64::max(count, 1.0);
    if variance > 0.0 {
        products / count / variance.powf(1.5)
    } else {
        0.0
    }
}

#[cfg(test)]
mod tests {
    use matching_core::cost;

    use super::*;
    use crate::groups::Groups;
    use crate::layout::Layout;

    fn of(cost: impl Fn(usize, usize) -> f64 + Sync) -> f64 {
        let layout = Layout::new(120, &Groups::of_size(120, 12).expect("groups"), &[], &[]).expect("a layout");
        let grid = Grid::new(&cost::from_symmetric_fn(120, cost), &layout, &|| false);
        let grid = grid.expect("costs are numbers").expect("nobody cancels");
        coherence(&grid, &CancelToken::new())
    }

    #[test]
    fn distances_go_together_and_noise_does_not() {
        let rng = &mut ChaCha8Rng::seed_from_u64(3);
        let numbers: Vec<f64> = (0..120 * 120).map(|_| rng.random()).collect();
        let point = |i: usize| &numbers[5 * i..5 * i + 5];
        let noise = |i: usize, j: usize| numbers[i.min(j) * 120 + i.max(j)];
        assert!(of(noise).abs() < 0.05);
        // What each brings makes no difference.
        assert!(of(|i, j| noise(i, j) + 30.0 * (numbers[i] + numbers[j])).abs() < 0.05);
        assert!(of(|i, j| numbers[i] + numbers[j] + 1e-3 * noise(i, j)).abs() < 0.05);
        let distance = |i: usize, j: usize| {
            let apart = point(i).iter().zip(point(j)).map(|(x, y)| (x - y) * (x - y));
            apart.sum::<f64>().sqrt()
        };
        assert!(of(distance) < -0.2, "{}", of(distance));
        assert!(of(|i, j| -distance(i, j)) > 0.2);
        assert!(of(|i, j| (numbers[i] - numbers[j]).abs()) < -0.5);
        assert_eq!(of(|_, _| 7.0), 0.0);
    }
}
