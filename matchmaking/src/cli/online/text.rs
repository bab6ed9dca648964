//! The report for people.

use super::report::{Report, SHARES};
use crate::cli::text::{Column, counted, float, printable, rounded, say, table};

/// A table of games is no longer than this.
const MOST_GAMES: usize = 20;

/// The whole report.
pub(super) fn render(report: &Report<'_>) -> String {
    let account = report.account;
    let mut out = format!(
        "{}: {}, games of {} under {}, longest wait {}\n\n",
        printable(report.name),
        counted(account.players, "arrival"),
        report.setting.players(),
        report.args.policy,
        float(report.setting.tau_max())
    );
    out += &games(report);
    let left = account.games.len().saturating_sub(MOST_GAMES);
    if left > 0 {
        say(
            &mut out,
            format_args!("and {} more; --json has all of them", counted(left, "game")),
        );
    }
    out.push('\n');
    say(
        &mut out,
        format_args!(
            "total cost {}: {} for criteria, {} for waiting",
            float(account.total()),
            float(account.criteria_cost),
            float(account.waiting_cost)
        ),
    );
    say(
        &mut out,
        format_args!(
            "{}, {} of them with bots; cost per game {:.4}, per player {:.4}",
            counted(account.games.len(), "game"),
            account.bot_games,
            account.per_game(),
            account.per_player()
        ),
    );
    out.push('\n');
    out += &distributions(report);
    out.push('\n');
    if let Some(bound) = report.bound() {
        let what = match report.status() {
            "optimal" => "optimal: no games cost less; certificate verified",
            _ => match report.stopped() {
                Some("work-limit") => "feasible: stopped by the work limit; no games cost less than the bound",
                Some("time-limit") => "feasible: stopped by the time limit; no games cost less than the bound",
                Some(_) => "feasible: stopped by an interrupt; no games cost less than the bound",
                None => {
                    "feasible: solved in windows, or rounding kept the proof from closing; no games cost less than the bound"
                }
            },
        };
        say(&mut out, format_args!("status {what} (bound {})", float(bound)));
    }
    say(&mut out, format_args!("{:.3} s", report.spent.seconds()));
    out
}

fn games(report: &Report<'_>) -> String {
    let columns = [
        Column::right("start"),
        Column::left("players"),
        Column::right("bots"),
        Column::right("cost"),
    ];
    let games = report.served.games.iter().zip(&report.account.games).take(MOST_GAMES);
    let rows = games.map(|(game, cost)| {
        let ids: Vec<String> = report.ids(game).iter().map(|id| printable(id)).collect();
        let bots = report.setting.players() - game.players.len();
        vec![
            float(game.time),
            ids.join(", "),
            bots.to_string(),
            format!("{:.4}", cost.total()),
        ]
    });
    table(&columns, rows)
}

fn distributions(report: &Report<'_>) -> String {
    let shares = SHARES.map(|share| format!("{} %", float(share * 100.0)));
    let mut columns = vec![Column::left("at most")];
    columns.extend(shares.iter().map(|share| Column::right(share)));
    let row = |name: &str, values: &[f64]| {
        let mut row = vec![name.to_owned()];
        match Report::quantiles(values) {
            Some(quantiles) => row.extend(quantiles.map(|value| rounded(value, 4))),
            None => row.extend(SHARES.map(|_| "-".to_owned())),
        }
        row
    };
    let account = report.account;
    table(
        &columns,
        [
            row("wait of a player", &account.waits),
            row("criteria of a game", &account.qualities),
        ],
    )
}
