//! What is seen of a long solve, for those who watch.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use matching_core::{Progress, Stage};

use crate::cli::output;
use crate::cli::text::counted_as;

/// Lines that people read are not written more often than this.
const PAUSE: Duration = Duration::from_millis(100);

/// What to do with each word of the engine: show it, if some time has passed since the last one.
pub(super) fn watch(shown: output::Progress) -> impl Fn(&Progress) + Send + Sync + 'static {
    let last = Mutex::new(None);
    move |progress| {
        let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
        if last.is_none_or(|last| is_due(last, progress.elapsed)) {
            *last = Some(progress.elapsed);
            shown.update(&line(progress.stage, progress.left, progress.elapsed));
        }
    }
}

/// Whether the next line may be written, so long after the start of a solve; another solve has another start.
fn is_due(last: Duration, elapsed: Duration) -> bool {
    elapsed >= last + PAUSE || elapsed < last
}

/// How it stands.
fn line(stage: Stage, left: Option<usize>, elapsed: Duration) -> String {
    let left = left.map_or_else(String::new, |left| {
        let left = match stage {
            Stage::Search => counted_as(left, "tree", "trees"),
            _ => counted_as(left, "vertex", "vertices"),
        };
        format!(", {left} left")
    });
    format!("{stage}{left} after {:.1} s", elapsed.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use matching_core::Stage;

    use super::{is_due, line};

    /// The second solve of an explanation was not heard of until it had taken longer than the first one.
    #[test]
    fn each_solve_is_heard_of_from_its_start() {
        let [last, soon, later, of_another] = [5_000, 5_050, 5_100, 10].map(Duration::from_millis);
        assert_eq!((is_due(last, soon), is_due(last, later)), (false, true));
        assert!(is_due(last, of_another));
    }

    #[test]
    fn a_line_says_what_is_left() {
        let seconds = Duration::from_secs(2);
        assert_eq!(line(Stage::Search, Some(1), seconds), "search, 1 tree left after 2.0 s");
        assert_eq!(
            line(Stage::Start, Some(17), seconds),
            "start, 17 vertices left after 2.0 s"
        );
        assert_eq!(line(Stage::Pricing, None, seconds), "pricing after 2.0 s");
    }
}
