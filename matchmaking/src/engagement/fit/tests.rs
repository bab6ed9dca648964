//! Fits of logs whose models are known.

use super::logistic::{BLOCK, COLUMNS, Columns, Precision, Problem, moments};
use super::{Error, Fit, Fitted, LogColumns, LoggedGame, MatchLog, Needed, SyntheticLog, folds, observe, rate};
use crate::engagement::fitted::feature;
use crate::engagement::{ChurnModel, RatingParameters};
use crate::player::Outcome;

fn log(players: usize, games: usize, seed: u64) -> MatchLog {
    MatchLog::from_games(SyntheticLog::new(players, seed).games(games)).expect("games")
}

fn fitted(log: &MatchLog) -> Fitted {
    Fit::new(SyntheticLog::HORIZON).run(log).expect("enough to learn from")
}

/// The observations of a log at the horizon of the synthetic population.
fn observations(log: &MatchLog) -> Vec<observe::Observation> {
    let before = rate::before_each_game(log, RatingParameters::default());
    observe(log, 28_800_000_000, &before, &[]).observations
}

#[test]
fn known_coefficients_are_found_within_their_errors() {
    let observations = observations(&log(400, 15_000, 1));
    let (_, deviations) = moments(&observations);
    let problem = Problem {
        observations: &observations,
        without: None,
        deviations: &deviations,
        // Next to nothing: a penalty draws coefficients towards zero, on purpose.
        strength: 1e-6,
        precision: Precision::Full,
        threads: 1,
    };
    let found = problem.solve(&[0.0; COLUMNS]).expect("converges");
    let mut truth = [0.0; COLUMNS];
    truth[0] = SyntheticLog::intercept();
    for (column, name) in feature::names().into_iter().enumerate() {
        let mut effects = SyntheticLog::effects().iter();
        truth[column + 1] = effects
            .find(|(known, _)| *known == name)
            .map_or(0.0, |&(_, effect)| effect);
    }
    let errors = found.errors();
    let scores = (0..COLUMNS).map(|column| (found.coefficients[column] - truth[column]) / errors[column]);
    assert!(
        scores.clone().all(|z| z.abs() < 4.0),
        "{:?}",
        scores.collect::<Vec<_>>()
    );
    // Errors that are too large would hide everything: the squares are about 1 on the average.
    let mean = scores.map(|z| z * z).sum::<f64>() / COLUMNS as f64;
    assert!((0.4..1.7).contains(&mean), "{mean}");
}

#[test]
fn predictions_for_strangers_come_true() {
    let report = fitted(&log(150, 3_000, 9)).report;
    assert!(
        report.log_loss < report.log_loss_constant - 0.01 && report.auc > 0.6,
        "{report:?}"
    );
    assert_eq!(report.calibration.len(), 10);
    for bin in &report.calibration {
        let (low, high) = bin.share.interval().expect("a full bin");
        assert!(low - 0.05 < bin.predicted && bin.predicted < high + 0.05, "{bin:?}");
    }
}

#[test]
fn the_gradient_is_what_differences_say_and_zero_at_the_end() {
    let log = log(60, 1_500, 2);
    let before = rate::before_each_game(&log, RatingParameters::default());
    let observed = observe(&log, 28_800_000_000, &before, &[]);
    let (_, deviations) = moments(&observed.observations);
    let players = folds::Kinds::of(&observed.observations).folds(log.players().len(), 3);
    for without in [None, Some((&players[..], 2))] {
        let problem = Problem {
            observations: &observed.observations,
            without,
            deviations: &deviations,
            strength: 3.0,
            precision: Precision::Full,
            threads: 1,
        };
        let solution = problem.solve(&[0.0; COLUMNS]).expect("converges").coefficients;
        let at_end = problem.sums(&solution);
        let steepest = at_end.gradient.iter().fold(0.0, |most: f64, g| most.max(g.abs()));
        assert!(steepest < 1e-7, "{steepest}");
        // Elsewhere it is what central differences say.
        let elsewhere: Columns = std::array::from_fn(|column| 0.05 * (column as f64).sin());
        let sums = problem.sums(&elsewhere);
        for column in (0..COLUMNS).filter(|&column| column == 0 || deviations[column - 1] > 0.0) {
            let value = |step: f64| {
                let mut moved = elsewhere;
                moved[column] += step;
                problem.sums(&moved).value
            };
            let difference = (value(1e-5) - value(-1e-5)) / 2e-5;
            assert!(
                (difference - sums.gradient[column]).abs() < 1e-4 * (1.0 + difference.abs()),
                "{column}"
            );
        }
        // And nothing near the solution is better.
        for column in 0..COLUMNS {
            for step in [-1e-2, 1e-2] {
                let mut moved = solution;
                moved[column] += step;
                assert!(problem.sums(&moved).value >= at_end.value);
            }
        }
    }
}

#[test]
fn folds_share_no_player_and_have_all_kinds() {
    let log = log(80, 1_000, 5);
    let before = rate::before_each_game(&log, RatingParameters::default());
    let observed = observe(&log, 28_800_000_000, &before, &[]);
    let of = |seed| folds::Kinds::of(&observed.observations).folds(log.players().len(), seed);
    assert_eq!(of(1), of(1));
    assert_ne!(of(1), of(2));
    let folds = of(1);
    for fold in 0..folds::FOLDS as u8 {
        let own = || {
            observed
                .observations
                .iter()
                .filter(|o| folds[o.player as usize] == fold)
        };
        assert!(own().any(|o| o.churned) && own().any(|o| !o.churned));
        // A fold is a function of the player: a player's observations cannot be in two.
        let players = own().map(|o| o.player).collect::<std::collections::BTreeSet<_>>();
        assert!((14..=18).contains(&players.len()), "{}", players.len());
    }
}

#[test]
fn the_result_depends_on_nothing_but_log_and_seed() {
    let log = log(60, 700, 3);
    let fit = |threads, seed| Fit::new(SyntheticLog::HORIZON).seed(seed).threads(threads).run(&log);
    let one = fit(1, 0).expect("a fit");
    assert_eq!(fit(3, 0).as_ref(), Ok(&one));
    let other = fit(1, 1).expect("a fit");
    assert_ne!(other.report.auc, one.report.auc);
    // The model itself is of all observations, whatever the folds are, unless they chose another strength.
    if other.model.strength() == one.model.strength() {
        assert_eq!(other.model.coefficients(), one.model.coefficients());
    }
}

#[test]
fn sums_of_many_blocks_are_the_same_on_any_number_of_threads() {
    let observations = observations(&log(100, 40_000, 3));
    let (_, deviations) = moments(&observations);
    let sums = |threads| {
        let problem = Problem {
            observations: &observations,
            without: None,
            deviations: &deviations,
            strength: 1.0,
            precision: Precision::Full,
            threads,
        };
        let sums = problem.sums(&std::array::from_fn(|column| 0.01 * column as f64));
        (sums.count, sums.value, sums.gradient)
    };
    let one = sums(1);
    assert!(one.0 > 2 * BLOCK);
    assert!([2, 3, 8].into_iter().all(|threads| sums(threads) == one));
}

#[test]
fn everything_is_counted() {
    let log = log(100, 2_000, 7);
    let fitted = fitted(&log);
    let (report, counts) = (&fitted.report, fitted.model.counts());
    assert_eq!((report.used, report.churn.count + report.censored), (2_000, 4_000));
    assert!(report.censored > 0);
    let patterns: u64 = report.by_last_three.iter().map(|pattern| pattern.churn.count).sum();
    assert_eq!(
        (report.by_last_three.len(), patterns + report.short_history),
        (27, report.churn.count)
    );
    assert_eq!(counts.churned, report.churn.happened);
    let wins: u64 = report.win_calibration.iter().map(|bin| bin.share.happened).sum();
    assert_eq!(wins, counts.games - counts.draws);
    assert_eq!(fitted.model.states().len(), 4_000);
    let risks = fitted.model.states().iter().map(|state| fitted.model.idle(state));
    let mean = risks.sum::<f64>() / 4_000.0;
    assert!(
        (mean - report.churn.rate().expect("observations")).abs() < 0.03,
        "{mean}"
    );
}

#[test]
fn too_little_is_said_to_be_too_little() {
    let needs = |log: &MatchLog, horizon: f64| match Fit::new(horizon).run(log) {
        Err(error @ Error::TooLittle { what, .. }) => (what, error.to_string()),
        other => panic!("{other:?}"),
    };
    let ten = log(10, 10, 1);
    let (what, message) = needs(&ten, 3_600.0);
    assert_eq!(what, Needed::Observations);
    assert!(
        message.contains("and 200 are needed") && message.contains("60 minutes"),
        "{message}"
    );
    assert!(!message.contains("skipped"), "{message}");
    let rows = "time,player_a,player_b,score_a,score_b\n1,A,B,NaN,2\n2,A,B,,1\n3,,B,1,2\n4,A,A,1,2\n";
    let skipped = MatchLog::read_csv(rows.as_bytes(), &LogColumns::default()).expect("rows");
    let (_, message) = needs(&skipped, 3_600.0);
    let told = "; rows skipped: 1 without a player, 1 of a player against himself, 2 without a score";
    assert!(message.ends_with(told), "{message}");
    // A horizon longer than the log leaves nothing.
    let many = log(50, 2_000, 1);
    let (what, message) = needs(&many, 1e8);
    assert_eq!(what, Needed::Observations);
    assert!(message.contains("0 observations"), "{message}");
    assert_eq!(
        needs(&MatchLog::from_games([]).expect("none"), 3_600.0).0,
        Needed::Observations
    );
    // Everybody plays all the time; nobody ever plays again.
    let endless = (0..3_000).map(|i| LoggedGame {
        time: f64::from(i),
        player_a: format!("a{}", i % 30),
        player_b: format!("b{}", i % 30),
        outcome: Outcome::Win,
    });
    assert_eq!(
        needs(&MatchLog::from_games(endless).expect("games"), 100.0).0,
        Needed::Stopped
    );
    let once = (0..3_000).map(|i| LoggedGame {
        time: f64::from(i),
        player_a: format!("a{i}"),
        player_b: format!("b{i}"),
        outcome: Outcome::Win,
    });
    let (what, message) = needs(&MatchLog::from_games(once).expect("games"), 100.0);
    assert_eq!(what, Needed::Stayed);
    assert!(message.contains("a longer horizon"), "{message}");
    for horizon in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e12] {
        assert!(
            matches!(Fit::new(horizon).run(&many), Err(Error::BadHorizon { .. })),
            "{horizon}"
        );
    }
}
