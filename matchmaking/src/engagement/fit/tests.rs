//! Fits of logs whose models are known.

use std::sync::LazyLock;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::assess::{Prediction, deciles};
use super::{Error, Fit, Fitted, LogColumns, LoggedGame, MatchLog, Needed, SyntheticLog, draws, folds, observe, rate};
use crate::engagement::{ChurnModel, OutcomeModel, RatingParameters, SkillModel};
use crate::player::{Activity, Outcome, Player};

fn log(players: usize, games: usize, seed: u64) -> MatchLog {
    MatchLog::from_games(SyntheticLog::new(players, seed).games(games)).expect("games")
}

fn fitted(log: &MatchLog) -> Fitted {
    Fit::new(SyntheticLog::HORIZON).run(log).expect("enough to learn from")
}

/// A log of 2,000 games, fitted once for the tests that any log would do for.
static FITTED: LazyLock<Fitted> = LazyLock::new(|| fitted(&log(100, 2_000, 7)));

#[test]
fn predictions_for_strangers_come_true() {
    let report = fitted(&log(150, 3_000, 9)).report;
    assert!(
        report.log_loss < report.log_loss_constant - 0.01 && report.auc > 0.6,
        "{report:?}"
    );
    assert_eq!(report.calibration.len(), 10);
    for bin in &report.calibration {
        let (low, high) = bin.interval.expect("a full bin");
        assert!(low - 0.05 < bin.predicted && bin.predicted < high + 0.05, "{bin:?}");
    }
}

/// A third of these games are drawn, and a draw is half a point: chances of a win that were shared out as the scores are
/// came out ten points of a hundred off at either end.
#[test]
fn chances_of_winning_come_true_where_draws_are_frequent() {
    const PLAYERS: usize = 40;
    const DRAWS: f64 = 0.33;
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let ratings: Vec<f64> = (0..PLAYERS).map(|player| 1340.0 + 8.0 * player as f64).collect();
    let mut laws = Vec::new();
    let games = (0..30_000).map(|time| {
        let a = rng.random_range(0..PLAYERS);
        let b = (a + rng.random_range(1..PLAYERS)) % PLAYERS;
        let score = 1.0 / (1.0 + 10.0f64.powf((ratings[b] - ratings[a]) / 400.0));
        let win = (score - DRAWS / 2.0).clamp(0.0, 1.0 - DRAWS);
        laws.push(win);
        let drawn: f64 = rng.random();
        let outcome = if drawn < win {
            Outcome::Win
        } else if drawn < win + DRAWS {
            Outcome::Draw
        } else {
            Outcome::Loss
        };
        LoggedGame {
            time: f64::from(time),
            player_a: format!("p{a}"),
            player_b: format!("p{b}"),
            outcome,
        }
    });
    let log = MatchLog::from_games(games.collect::<Vec<_>>()).expect("games");
    let before = rate::before_each_game(&log, RatingParameters::default());
    let rule = draws(&log, &before).expect("games").0.rule();
    let model = OutcomeModel::new(SkillModel::Glicko, rule);
    // Once the ratings are known.
    let settled = 10_000..log.len();
    let predictions: Vec<Prediction> = settled
        .clone()
        .map(|game| {
            let [a, b] = before[game];
            Prediction {
                player: log.games[game].players[0],
                chance: model.probabilities(a, b).win,
                happened: log.games[game].outcome == Outcome::Win,
            }
        })
        .collect();
    let bins = deciles(&predictions);
    assert_eq!(bins.len(), 10);
    for bin in &bins {
        let rate = bin.share.rate().expect("a full bin");
        let error = (rate * (1.0 - rate) / bin.share.count as f64).sqrt();
        // Besides chance in the games, that in the ratings: some 20 points, or a hundredth of a win.
        assert!((bin.predicted - rate).abs() < 3.0 * error + 0.01, "{bin:?}");
    }
    // The first and the last bin against the law itself.
    let mut order: Vec<usize> = settled.collect();
    order.sort_by(|&one, &other| {
        predictions[one - 10_000]
            .chance
            .total_cmp(&predictions[other - 10_000].chance)
    });
    let tenth = order.len() / 10;
    for (bin, part) in [(&bins[0], &order[..tenth]), (&bins[9], &order[order.len() - tenth..])] {
        let law = part.iter().map(|&game| laws[game]).sum::<f64>() / tenth as f64;
        assert!((bin.predicted - law).abs() < 0.02, "{} {law}", bin.predicted);
    }
}

#[test]
fn folds_share_no_player_and_have_all_kinds() {
    let log = log(80, 1_000, 5);
    let before = rate::before_each_game(&log, RatingParameters::default());
    let observed = observe(&log, 28_800_000_000, &before, &[]);
    let of = |seed| folds::Kinds::of(&observed.observations).folds(log.players(), seed);
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
    let log = log(50, 400, 3);
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

/// Folds, and the order of sums, went by the numbers of players, and these by who stood first in a row.
#[test]
fn who_stands_first_in_a_row_changes_nothing() {
    let games = SyntheticLog::new(50, 3).games(400);
    let turned = games.iter().enumerate().map(|(at, game)| match at % 3 {
        0 => game.clone(),
        _ => LoggedGame {
            player_a: game.player_b.clone(),
            player_b: game.player_a.clone(),
            outcome: game.outcome.mirror(),
            ..*game
        },
    });
    let turned = MatchLog::from_games(turned.collect::<Vec<_>>()).expect("games");
    let fits = [MatchLog::from_games(games).expect("games"), turned].map(|log| fitted(&log));
    let [one, other] = [&fits[0].report, &fits[1].report];
    assert_eq!(fits[0].model.coefficients(), fits[1].model.coefficients());
    assert_eq!(one.strengths, other.strengths);
    assert_eq!((&one.auc_by_fold, one.log_loss), (&other.auc_by_fold, other.log_loss));
    // Predictions of the five regressions are not compared with each other.
    assert_eq!(one.auc_by_fold.len(), 5);
    assert!((one.auc - one.auc_by_fold.iter().sum::<f64>() / 5.0).abs() < 1e-15);
    let spread: f64 = one.auc_by_fold.iter().map(|auc| (auc - one.auc).powi(2)).sum();
    assert!(one.auc_error > 0.0 && (one.auc_error - (spread / 20.0).sqrt()).abs() < 1e-15);
}

/// Everybody without counts was taken for somebody with the counts of the mean: newcomers for regulars.
#[test]
fn who_is_not_known_is_like_those_with_as_many_games() {
    let model = &FITTED.model;
    let newcomer = Player::new("Ann", 1500.0, 350.0);
    let mut known = newcomer.clone();
    known.activity = Activity {
        games_8h: Some(0),
        games_1d: Some(0),
        games_1w: Some(0),
        games_1m: Some(0),
    };
    for outcome in Outcome::ALL {
        assert_eq!(model.after(&newcomer, outcome), model.after(&known, outcome));
    }
    // What is not known of some is their mean, so that their mean logit is as before.
    let logit = |player: &Player| {
        let risk = model.after(player, Outcome::Loss);
        (risk / (1.0 - risk)).ln()
    };
    for games in [0, 3, 10] {
        let alike: Vec<&Player> = model
            .states()
            .iter()
            .filter(|state| state.outcomes.len() == games)
            .collect();
        assert!(alike.len() > 10, "{games}");
        let stripped = alike.iter().map(|&state| {
            let mut state = state.clone();
            (state.activity, state.hours) = (Activity::default(), Vec::new());
            logit(&state)
        });
        let stripped: f64 = stripped.sum();
        let whole: f64 = alike.iter().map(|state| logit(state)).sum();
        assert!(
            (stripped - whole).abs() < 1e-9 * alike.len() as f64,
            "{games} {stripped} {whole}"
        );
    }
}

#[test]
fn everything_is_counted() {
    let (report, counts) = (&FITTED.report, FITTED.model.counts());
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
    assert_eq!(FITTED.model.states().len(), 4_000);
    let risks = FITTED.model.states().iter().map(|state| FITTED.model.idle(state));
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
    let columns = LogColumns::default().renamed("score_b", "score_a").expect("a column");
    let shared = MatchLog::read_csv(rows.as_bytes(), &columns).expect_err("every game would be a draw");
    assert!(shared.to_string().contains("both score_a and score_b"), "{shared}");
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
    for growth in [-1.0, f64::NAN, f64::INFINITY] {
        assert!(
            matches!(Fit::new(100.0).growth(growth).run(&many), Err(Error::BadGrowth { .. })),
            "{growth}"
        );
    }
}

#[cfg(feature = "json")]
#[test]
fn a_report_is_written_as_it_is() {
    use serde_json::{json, to_value};

    let report = &FITTED.report;
    let written = to_value(report).expect("plain data");
    assert_eq!(
        (&written["used"], &written["auc"]),
        (&json!(report.used), &json!(report.auc))
    );
    let churn = json!({"count": report.churn.count, "happened": report.churn.happened});
    assert_eq!(written["churn"], churn);
    assert_eq!(written["skipped"]["no_time"], json!(0));
    assert_eq!(
        written["strengths"].as_array().map(Vec::len),
        Some(report.strengths.len())
    );
    let patterns = written["by_last_three"].as_array().expect("a list");
    for (written, pattern) in patterns.iter().zip(&report.by_last_three) {
        let letters = pattern.outcomes.map(|outcome| outcome.letter().to_string());
        assert_eq!(
            (&written["outcomes"], &written["players"]),
            (&json!(letters), &json!(pattern.players))
        );
    }
    assert_eq!(patterns.len(), 27);
    let chosen = report.draws.chosen;
    assert_eq!(
        written["draws"]["chosen"],
        json!({"share": chosen.share(), "width": chosen.width()})
    );
}
