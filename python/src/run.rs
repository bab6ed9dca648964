//! Engines at work, while Python does something else.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use matching_core::{Budget, CancelToken};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;

/// Between two looks at whether somebody has pressed Ctrl-C. A look takes the interpreter's lock for a moment.
const LOOK: Duration = Duration::from_millis(50);

/// Threads for each core at most: no more are ever of use.
const PER_CORE: usize = 4;

/// Of a thread that runs Python, which counts on as much as its own threads have: 8 MiB in most places.
const STACK: usize = 16 << 20;

/// The limits of one call.
pub(crate) fn budget(seconds: Option<f64>, work: Option<u64>) -> PyResult<Budget> {
    let mut budget = Budget::new();
    if let Some(seconds) = seconds {
        let limit = Duration::try_from_secs_f64(seconds).map_err(|_| {
            PyValueError::new_err(format!(
                "seconds is {seconds}; give a number from 0 on, or None for no limit"
            ))
        })?;
        budget = budget.time(limit);
    }
    Ok(match work {
        Some(work) => budget.work(work),
        None => budget,
    })
}

/// Does work that ends within some milliseconds: on this thread.
pub(crate) fn at_once<T: Send>(py: Python<'_>, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    py.detach(|| catch_unwind(AssertUnwindSafe(work))).map_err(panicked)
}

/// Does work that may take long, on so many threads (0: one for each core), and looks out for signals. When one of their
/// handlers raises, the token is cancelled, and that is the error once the work has ended.
///
/// The threads are of this call alone: those of a pool that stays would be missing in a process that Python forks.
pub(crate) fn in_pool<T: Send>(
    py: Python<'_>,
    threads: usize,
    token: &CancelToken,
    work: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads_for(threads))
        .build();
    let pool = pool.map_err(|error| no_threads(&error))?;
    finished(py.detach(|| watch(&pool, token, work)))
}

/// The same where the work calls Python again and again. Python knows each of the threads from the beginning to the end:
/// to make itself known for every call takes a thread many times as long as the call.
pub(crate) fn in_pool_with_python<T: Send>(
    py: Python<'_>,
    threads: usize,
    token: &CancelToken,
    work: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    let ended = py.detach(|| {
        let mut handles = Vec::new();
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads_for(threads))
            .spawn_handler(|thread| {
                let run = || Python::attach(|py| py.detach(|| thread.run()));
                handles.push(std::thread::Builder::new().stack_size(STACK).spawn(run)?);
                Ok(())
            })
            .build();
        let ended = pool.map(|pool| watch(&pool, token, work));
        // No thread may still know Python when that comes to its own end.
        for handle in handles {
            // What its work has panicked with is caught there.
            let _ = handle.join();
        }
        ended
    });
    finished(ended.map_err(|error| no_threads(&error))?)
}

fn threads_for(asked: usize) -> usize {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    match asked {
        0 => cores,
        asked => asked.min(cores.saturating_mul(PER_CORE)),
    }
}

fn no_threads(error: &rayon::ThreadPoolBuildError) -> PyErr {
    PyRuntimeError::new_err(format!("no threads could be started: {error}"))
}

/// What came of work: what a handler of signals has raised meanwhile, and the answer, or a panic.
type Ended<T> = (Option<PyErr>, Option<std::thread::Result<T>>);

/// Has a pool work, and looks out for signals until that has ended.
fn watch<T: Send>(pool: &rayon::ThreadPool, token: &CancelToken, work: impl FnOnce() -> T + Send) -> Ended<T> {
    let mut interrupt = None;
    let (sender, receiver) = channel();
    let answer = pool.in_place_scope(|scope| {
        scope.spawn(move |_| {
            // Whoever waits for it is below, and does so until it comes.
            let _ = sender.send(catch_unwind(AssertUnwindSafe(work)));
        });
        loop {
            match receiver.recv_timeout(LOOK) {
                Ok(answer) => return Some(answer),
                Err(RecvTimeoutError::Disconnected) => return None,
                Err(RecvTimeoutError::Timeout) if interrupt.is_some() => {}
                Err(RecvTimeoutError::Timeout) => {
                    if let Err(raised) = Python::attach(|py| py.check_signals()) {
                        token.cancel();
                        interrupt = Some(raised);
                    }
                }
            }
        }
    });
    (interrupt, answer)
}

fn finished<T>(ended: Ended<T>) -> PyResult<T> {
    match ended {
        (Some(raised), _) => Err(raised),
        (None, Some(answer)) => answer.map_err(panicked),
        (None, None) => Err(PyRuntimeError::new_err(
            "the engine has ended without an answer; please report it",
        )),
    }
}

/// A panic is a fault of ours, and no reason to end the process.
#[allow(clippy::needless_pass_by_value, reason = "as `map_err` gives it")]
fn panicked(payload: Box<dyn Any + Send>) -> PyErr {
    let text = payload.downcast_ref::<String>().map(String::as_str);
    let text = text
        .or_else(|| payload.downcast_ref::<&str>().copied())
        .unwrap_or("unknown");
    PyRuntimeError::new_err(format!(
        "the engine has failed, which is a fault of it; please report it: {text}"
    ))
}
