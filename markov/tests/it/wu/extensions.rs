//! What the paper lacks: other costs of waiting, more types.

use markov::mdp::PolicyIteration;
use markov::models::wu::{PoolProcess, SkillType, TeamPool};
use markov::{Limits, Rational, Scalar};

fn r(p: i64, q: i64) -> Rational {
    Rational::ratio(p, q)
}

fn least_cost(pool: &TeamPool<Rational>) -> Rational {
    least_cost_of(&pool.process(Limits::default()).expect("a process"))
}

fn least_cost_of(process: &PoolProcess<Rational>) -> Rational {
    let best = PolicyIteration::new().average(process.mdp()).expect("a policy");
    assert!(best.verify(process.mdp()).expect("of this process").is_exact());
    best.gain().clone()
}

fn pool(n: usize, q: Rational, alpha: Rational, costs: &[Rational]) -> TeamPool<Rational> {
    let pool = TeamPool::new(n, q, alpha, 4 * n + 1).expect("a pool");
    pool.waiting_costs(costs).expect("two costs")
}

#[test]
fn high_and_low_are_only_names() {
    for n in 1..=2 {
        let one = least_cost(&pool(n, r(1, 3), r(3, 1), &[r(2, 1), r(1, 2)]));
        let other = least_cost(&pool(n, r(2, 3), r(3, 1), &[r(1, 2), r(2, 1)]));
        assert_eq!(one, other);
    }
}

#[test]
fn costs_scale() {
    let one = least_cost(&pool(2, r(2, 5), r(3, 2), &[r(2, 1), r(1, 2)]));
    let five = least_cost(&pool(2, r(2, 5), r(15, 2), &[r(10, 1), r(5, 2)]));
    assert_eq!(one * r(5, 1), five);
}

/// Neither the theorem nor the lemma survives unequal costs of waiting. Where low players wait at a ninth of the cost
/// of high ones, a stock of them is worth keeping: four low players do not play the fair game that they could, and one
/// high player with three low ones waits where three high ones with one low one do not.
#[test]
fn with_unequal_waiting_costs_it_pays_to_hold_fair_games_back() {
    let pool = pool(2, r(1, 2), r(1, 1), &[r(3, 1), r(1, 3)]);
    let process = pool.process(Limits::default()).expect("a process");
    let best = PolicyIteration::new().average(process.mdp()).expect("a policy");
    assert!(best.verify(process.mdp()).expect("of this process").is_exact());
    assert_eq!(best.gain(), &r(1465, 528));
    let of = |policy: Vec<usize>| process.average_cost(&policy).expect("one class");
    assert_eq!([of(process.greedy()), of(process.patient())], [r(3, 1), r(10, 3)]);
    let at_once = process.with_fair_games_at_once().expect("the same states");
    assert_eq!(least_cost_of(&at_once), r(3, 1));
    let waits = |high: usize| {
        let state = process
            .states()
            .find(&vec![high, 4 - high])
            .expect("a pool of the process");
        process.decisions(state)[best.policy()[state]].games == 0
    };
    assert_eq!([0, 1, 2, 3, 4].map(waits), [true, true, false, false, false]);
}

fn kind(skill: i32, probability: Rational) -> SkillType<Rational> {
    SkillType {
        skill,
        probability,
        waiting_cost: r(1, 1),
    }
}

#[test]
fn two_types_of_one_skill_are_one_type() {
    for n in 1..=2 {
        let cap = 2 * n + 2;
        let types = vec![kind(1, r(1, 6)), kind(0, r(2, 3)), kind(1, r(1, 6))];
        let three = TeamPool::with_types(n, types, r(3, 1), cap).expect("a pool");
        let two = TeamPool::new(n, r(1, 3), r(3, 1), cap).expect("a pool");
        assert_eq!(least_cost(&three), least_cost(&two));
    }
}

#[test]
fn only_differences_of_skill_count() {
    let types = |shift| vec![kind(shift, r(1, 4)), kind(1 + shift, r(1, 2)), kind(3 + shift, r(1, 4))];
    let cost = |shift| least_cost(&TeamPool::with_types(2, types(shift), r(1, 2), 6).expect("a pool"));
    assert_eq!(cost(0), cost(-7));
    // Skills twice as far apart cost as much as an imbalance cost of twice as much.
    let wide = vec![kind(0, r(1, 4)), kind(2, r(1, 2)), kind(6, r(1, 4))];
    let narrow = TeamPool::with_types(2, types(0), r(1, 1), 6).expect("a pool");
    assert_eq!(
        least_cost(&TeamPool::with_types(2, wide, r(1, 2), 6).expect("a pool")),
        least_cost(&narrow)
    );
}

/// Three types one against one: a game is fair only between equals, so that players of each type pair off or pay.
#[test]
fn free_imbalance_is_played_at_once() {
    let types = vec![kind(0, r(1, 3)), kind(1, r(1, 3)), kind(2, r(1, 3))];
    let free = TeamPool::with_types(1, types.clone(), r(0, 1), 6).expect("a pool");
    // Every other player waits one period.
    assert_eq!(least_cost(&free), r(1, 2));
    let costly = TeamPool::with_types(1, types, r(1000, 1), 4).expect("a pool");
    // Four of three types always hold two of one, so that nobody plays an unfair game.
    let cost = least_cost(&costly);
    assert!(cost > r(1, 2) && cost < r(3, 1), "{cost}");
}

#[test]
fn discounted_pools_have_their_closed_form_and_their_limit() {
    // One against one, imbalance for free: the first of two waits a period, and so on for ever: 1 / (1 - d^2).
    let process = |alpha| {
        pool(1, r(1, 3), alpha, &[r(1, 1), r(1, 1)])
            .process(Limits::default())
            .expect("a process")
    };
    let free = process(r(0, 1));
    let discount = r(9, 10);
    let best = PolicyIteration::new()
        .discounted(free.mdp(), &discount)
        .expect("a policy");
    let alone = free.states().find(&vec![1, 0]).expect("a pool of one");
    assert_eq!(best.values()[alone], r(100, 19));
    assert_eq!(best.verify(free.mdp(), &discount), Ok(r(0, 1)));
    // Towards no discount, a period's worth of the values is the average cost, to a multiple of what is discounted.
    let costly = process(r(3, 1));
    let average = PolicyIteration::new().average(costly.mdp()).expect("a policy");
    for digits in [1000, 1_000_000] {
        let interest = r(1, digits);
        let best = PolicyIteration::new()
            .discounted(costly.mdp(), &(r(1, 1) - &interest))
            .expect("a policy");
        let miss = &best.values()[alone] * &interest - average.gain();
        assert!(miss < r(3, 1) * &interest && -miss < r(3, 1) * interest);
    }
}
