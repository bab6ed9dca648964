//! Which parties can be served: against all facets of the cone, against playing it out, and against lobbies.

use markov::models::xu::{Order, Overload, Parties, Service, Stability};
use markov::{Error, Limits, Rational, Scalar};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::cone::{all_teams, dot, is_inside};

type Q = Rational;

fn int(n: i64) -> Q {
    Q::ratio(n, 1)
}

fn parties(rates: &[i64]) -> Parties {
    Parties::new(rates.len(), rates.iter().map(|&rate| int(rate)).collect()).expect("rates")
}

fn service(parties: &Parties) -> Option<Service> {
    match parties.stability() {
        Stability::Stable(service) => Some(service),
        Stability::Unstable(_) => None,
    }
}

fn overload(parties: &Parties) -> Option<Overload> {
    match parties.stability() {
        Stability::Stable(_) => None,
        Stability::Unstable(overload) => Some(overload),
    }
}

/// Checks a proof without the crate's own checker.
fn check_proof(rates: &[i64], parties: &Parties) {
    match parties.stability() {
        Stability::Stable(service) => {
            assert!(service.verify(parties));
            let mut served = vec![int(0); rates.len()];
            for (team, rate) in service.teams() {
                assert!(*rate >= service.slack() && service.slack() > int(0));
                assert_eq!(
                    team.iter().zip(1..).map(|(count, party)| count * party).sum::<usize>(),
                    rates.len()
                );
                for (served, &count) in served.iter_mut().zip(team) {
                    *served += rate * int(count as i64);
                }
            }
            assert_eq!(served, parties.rates());
        }
        Stability::Unstable(overload) => {
            assert!(overload.verify(parties));
            let weights: Vec<i64> = overload
                .weights()
                .iter()
                .map(|w| w.to_integer().try_into().expect("small"))
                .collect();
            assert!(overload.weights().iter().all(|weight| weight.is_integer()));
            assert!(all_teams(rates.len()).iter().all(|team| dot(team, &weights) <= 0));
            assert!((0..rates.len()).any(|at| rates[at] > 0 && weights[at] > 0));
            assert!(int(dot(&weights, rates)) == *overload.drift() && *overload.drift() >= int(0));
        }
    }
}

/// Random rates, many of them zero or alike.
fn random_rates(size: usize, rng: &mut ChaCha8Rng) -> Vec<i64> {
    loop {
        let rates: Vec<i64> = (0..size).map(|_| (rng.random_range(0..10_i64) - 2).max(0)).collect();
        if rates.iter().any(|&rate| rate > 0) {
            return rates;
        }
    }
}

#[test]
fn verdicts_agree_with_all_facets_of_the_cone() {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    for size in 1..=5 {
        let mut verdicts = [0; 3];
        for _ in 0..300 {
            let rates = random_rates(size, &mut rng);
            let parties = parties(&rates);
            check_proof(&rates, &parties);
            assert_eq!(service(&parties).is_some(), is_inside(&rates), "{rates:?}");
            let verdict = overload(&parties).map_or(0, |overload| if *overload.drift() > int(0) { 1 } else { 2 });
            verdicts[verdict] += 1;
        }
        // With one or two players nothing goes wrong; with more, each verdict comes up.
        assert_eq!(
            verdicts.iter().all(|&count| count > 0),
            size > 2,
            "{size}: {verdicts:?}"
        );
    }
}

#[test]
fn what_is_known_of_small_teams() {
    for rates in [
        &[1][..],
        &[3, 0],
        &[0, 3],
        &[1, 1000],
        &[3, 2, 0],
        &[2, 0, 9],
        &[0, 0, 5],
        &[0, 3, 0, 1],
    ] {
        assert!(service(&parties(rates)).is_some(), "{rates:?}");
    }
    // A walk without drift: as many pairs as singles, or pairs and threes that only fit each other.
    for rates in [&[2, 2, 0][..], &[2, 2, 7], &[0, 2, 2, 0, 0]] {
        assert_eq!(
            *overload(&parties(rates)).expect("critical").drift(),
            int(0),
            "{rates:?}"
        );
    }
    for rates in [&[0, 1, 0][..], &[0, 1, 3], &[1, 2, 3], &[0, 0, 1, 0], &[0, 3, 2, 0, 0]] {
        assert!(
            *overload(&parties(rates)).expect("too many").drift() > int(0),
            "{rates:?}"
        );
    }
}

#[test]
fn the_slack_is_the_largest_rate_of_all_teams_at_once() {
    // Where each team is needed n times, no other way gives its rarest one more: nothing would be left.
    for (size, n) in [(1, 4), (2, 1), (4, 7), (5, 2), (6, 3)] {
        let once = all_teams(size);
        let rates: Vec<i64> = (0..size)
            .map(|at| n * once.iter().map(|team| team[at]).sum::<i64>())
            .collect();
        let found = service(&parties(&rates)).expect("served");
        assert_eq!(found.slack(), int(n));
        assert!(found.teams().len() == once.len() && found.teams().iter().all(|(_, rate)| *rate == int(n)));
    }
}

#[test]
fn headroom_ends_where_the_cone_does() {
    let mut rng = ChaCha8Rng::seed_from_u64(6);
    let (mut limited, mut unlimited) = (0, 0);
    for size in 3..=6 {
        for _ in 0..60 {
            let rates = random_rates(size, &mut rng);
            let parties = parties(&rates);
            for party in 1..=size {
                let with = |more: Q| {
                    let mut rates = parties.rates().to_vec();
                    rates[party - 1] += more;
                    Parties::new(size, rates).expect("rates")
                };
                match parties.headroom(party) {
                    Err(error) => assert!(matches!(error, Error::Unstable { .. }) && service(&parties).is_none()),
                    Ok(None) => {
                        unlimited += 1;
                        assert!(service(&with(int(1_000_000))).is_some());
                    }
                    Ok(Some(room)) => {
                        limited += 1;
                        assert!(*overload(&with(&room + int(1))).expect("too much").drift() > int(0));
                        if room == int(0) {
                            // None of a size that does not come.
                            assert_eq!(parties.rates()[party - 1], int(0));
                            continue;
                        }
                        let at_the_end = overload(&with(room.clone())).expect("no more");
                        assert_eq!(*at_the_end.drift(), int(0));
                        assert!(service(&with(room * Q::ratio(999, 1000))).is_some());
                    }
                }
            }
        }
    }
    assert!(limited > 50 && unlimited > 50, "{limited}, {unlimited}");
}

#[test]
fn larger_teams_come_with_proofs() {
    for (size, count) in [(10, 42), (12, 77)] {
        // A few more of each size than of the next larger one.
        let rates: Vec<i64> = (0..size).map(|at| 3 * (size - at) + 1).collect();
        let plenty = parties(&rates);
        let found = service(&plenty).expect("there are many singles");
        assert_eq!(found.teams().len(), count);
        assert!(found.verify(&plenty));
        let reversed: Vec<i64> = rates.into_iter().rev().collect();
        let crowd = parties(&reversed);
        assert!(overload(&crowd).expect("nobody fills up").verify(&crowd));
    }
}

#[test]
fn proofs_of_other_arrivals_are_refused() {
    let (good, bad) = (parties(&[5, 2, 1, 1]), parties(&[1, 2, 5, 1]));
    let (service, overload) = (service(&good).expect("stable"), overload(&bad).expect("unstable"));
    assert!(service.verify(&good) && !service.verify(&bad) && !service.verify(&parties(&[5, 2, 1, 2])));
    assert!(overload.verify(&bad) && !overload.verify(&good) && !overload.verify(&parties(&[1, 2, 6, 1])));
    assert!(!service.verify(&parties(&[5, 2, 1])) && !overload.verify(&parties(&[1, 2, 5])));
}

#[test]
fn rates_that_make_no_sense_are_refused() {
    let refused =
        |size, rates: &[i64]| Parties::new(size, rates.iter().map(|&rate| int(rate)).collect()).expect_err("no");
    assert!(matches!(refused(0, &[]), Error::Parameter { name: "size", .. }));
    assert!(matches!(refused(21, &[1; 21]), Error::Parameter { name: "size", .. }));
    assert!(matches!(refused(3, &[1, 1]), Error::LengthMismatch { .. }));
    assert!(matches!(refused(2, &[1, -1]), Error::Parameter { name: "rate", .. }));
    assert!(matches!(
        refused(2, &[0, 0]),
        Error::Parameter { name: "total rate", .. }
    ));
    assert!(matches!(
        parties(&[1, 1]).headroom(3),
        Err(Error::Parameter { name: "party", .. })
    ));
}

/// Plays out the policy of the proof: the largest sum of entries of `q`, signs apart, after so many arrivals each.
fn play(rates: &[i64], arrivals: usize, rng: &mut ChaCha8Rng) -> [i64; 2] {
    let possible = |team: &Vec<i64>| team.iter().zip(rates).all(|(&count, &rate)| count == 0 || rate > 0);
    let teams: Vec<Vec<i64>> = all_teams(rates.len()).into_iter().filter(possible).collect();
    let total: i64 = rates.iter().sum();
    let mut q = vec![0_i64; rates.len()];
    [0, 1].map(|_| {
        for _ in 0..arrivals {
            let mut point = rng.random_range(0..total);
            let party = rates.iter().position(|&rate| {
                point -= rate;
                point < 0
            });
            q[party.expect("below the total")] += 1;
            let gain = |team: &Vec<i64>, q: &[i64]| 2 * dot(q, team) - dot(team, team);
            while let Some(team) = teams
                .iter()
                .max_by_key(|team| gain(team, &q))
                .filter(|team| gain(team, &q) > 0)
            {
                for (entry, count) in q.iter_mut().zip(team) {
                    *entry -= count;
                }
            }
        }
        q.iter().map(|entry| entry.abs()).sum()
    })
}

#[test]
fn queues_stay_short_or_grow_as_the_verdict_says() {
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let arrivals = 20_000;
    let (mut short, mut long) = (0, 0);
    for size in 2..=5 {
        for _ in 0..12 {
            let rates = random_rates(size, &mut rng);
            let parties = parties(&rates);
            let [_, end] = play(&rates, arrivals, &mut rng);
            match parties.stability() {
                Stability::Stable(_) => {
                    short += 1;
                    assert!(end < 60, "{rates:?}: {end}");
                }
                Stability::Unstable(overload) if *overload.drift() > int(0) => {
                    long += 1;
                    // Weights times parties grow at the drift, whoever plays; in 40,000 arrivals by chance alone by
                    // some hundred times the largest weight.
                    let total: i64 = rates.iter().sum();
                    let comes = overload.weights().iter().zip(&rates).filter(|(_, rate)| **rate > 0);
                    let largest = comes.map(|(weight, _)| weight.to_float().abs()).fold(0.0, f64::max);
                    let growth = overload.drift().to_float() * 2.0 * arrivals as f64 / total as f64;
                    assert!(largest * end as f64 > growth - 1_000.0 * largest, "{rates:?}: {end}");
                    assert!(end > 100, "{rates:?}: {end}");
                }
                Stability::Unstable(_) => {}
            }
        }
    }
    assert!(short > 10 && long > 5, "{short}, {long}");
}

#[test]
fn an_overloaded_lobby_turns_away_what_the_proof_says() -> Result<(), Error> {
    let crowd = parties(&[1, 2, 1]);
    let overload = overload(&crowd).expect("too many pairs");
    let mut last = int(2);
    for room in [5, 7, 9] {
        let lobby = crowd.lobby::<Q>(Order::First, room, Limits::default())?;
        let weights = overload.weights().iter().zip(crowd.rates());
        let lost: Q = (1..)
            .zip(weights)
            .map(|(kind, (weight, rate))| weight * rate * lobby.turned_away(kind))
            .sum();
        // Those who stay can be served; the rest is lost, and with more room little else.
        assert!(lost >= *overload.drift() && lost < last, "{room}: {lost}");
        assert_eq!([1, 3].map(|kind| lobby.turned_away(kind)), [int(0), int(0)]);
        last = lost;
    }
    Ok(())
}

#[test]
fn a_lobby_that_can_be_served_hardly_turns_anybody_away() -> Result<(), Error> {
    // Three against three; four singles for each pair.
    let parties = Parties::new(3, vec![int(4), int(1), Q::ratio(1, 2)])?;
    assert!(service(&parties).is_some());
    let mut last = 1.0;
    let mut means = Vec::new();
    for room in [6, 9, 12] {
        let lobby = parties.lobby::<f64>(Order::First, room, Limits::default())?;
        let lost = lobby.turned_away(2);
        assert!(lost < 0.1 * last && lobby.turned_away(1) == 0.0, "{room}: {lost}");
        last = lost;
        means.push([1, 2, 3].map(|kind| lobby.wait(kind).map(|wait| wait.mean)));
    }
    let (almost, all) = (means[1].clone(), means[2].clone());
    for (one, other) in almost.into_iter().zip(all) {
        let (one, other) = (one?, other?);
        assert!((one - other).abs() < 1e-3 * other, "{one}, {other}");
    }
    Ok(())
}
