//! The curves against what is known of them, and the files against the curves.

use std::fs;
use std::path::Path;

use markov::models::xu::{Order, Packed};

use super::queues::{Mix, battle};
use super::{all, packs, sides, steps, teams, zones};

fn is_near(one: f64, other: f64) -> bool {
    (one - other).abs() <= 1e-10 * other.abs().max(1.0)
}

#[test]
fn printed_variances_are_not_those_of_the_chains() {
    let mix = Mix::of_share(0.5);
    let fifo = mix.single_queue(battle(Order::First)).unwrap();
    assert!(is_near(mix.single_queue(Packed).unwrap(), fifo));
    assert!((mix.nine() - fifo).abs() > 0.01);
    assert!((mix.ten() - mix.single_queue(battle(Order::Last)).unwrap()).abs() > 0.01);
    assert!((mix.seven() - mix.two_queues().unwrap()).abs() > 0.01);
}

#[test]
fn two_queues_vary_least_at_five_minus_two_roots_of_five() {
    let least = 5.0 - 2.0 * 5.0_f64.sqrt();
    let at = |share| Mix::of_share(share).two_queues().unwrap();
    assert!(at(least) < at(least - 0.01) && at(least) < at(least + 0.01));
}

#[test]
fn the_density_between_packs_has_the_mean_of_its_rate() {
    for share in [0.2, 0.8] {
        let times = || steps(0.0, 80.0, 4000);
        let densities = packs::densities(Mix::of_share(share), times()).unwrap();
        let mean: f64 = densities.iter().map(|(time, density)| time * density * 0.02).sum();
        assert!((mean - 1.0 / packs::RATE).abs() < 1e-3, "{mean}");
    }
}

#[test]
fn more_players_for_side_a_first_help_and_then_hurt() {
    let at = |a| sides::mean_wait(a, 0.4).unwrap();
    let values: Vec<f64> = steps(0.0, 0.43, 43).map(at).collect();
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    assert!(least < values[0] && least < values[43]);
}

#[test]
fn zones_without_choice_follow_the_paper() {
    for a in [0.1, 0.5, 0.8] {
        assert!(is_near(zones::factor(a, 0.0).unwrap(), (1.0 - a) / 2.0));
    }
    assert!(zones::mean_wait(0.3, 0.3).unwrap() < zones::mean_wait(0.5, 0.5).unwrap());
}

#[test]
fn thresholds_are_those_of_the_formula() {
    for n in 1..=5 {
        for q in [0.1, 0.35, 0.5, 0.9] {
            let formula = 1.0 / (1.0 - (2.0 * q - 1.0_f64).powi(2 * n as i32));
            assert!(is_near(teams::alpha(n, q).unwrap(), formula), "{n} {q}");
        }
    }
}

#[test]
fn every_picture_is_small_and_stands_in_the_repository() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../markov/figures");
    for picture in all().unwrap() {
        let drawn = picture.draw().unwrap();
        assert!(drawn.len() < 60_000, "{}: {} bytes", picture.file, drawn.len());
        let kept = fs::read_to_string(directory.join(picture.file)).unwrap();
        assert!(kept.contains(&picture.title), "{} is another picture", picture.file);
    }
}
