//! One measurement: a process that solves one instance once.

use std::error::Error;
use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use super::contender::Contender;
use crate::files;
use crate::solvers::{After, Refusal, Solver, status_kib};

/// First word of a child that does not take instances of this size.
const TOO_LARGE: &str = "too-large";

/// What one process reported: `optimum cpu_seconds [peak_kib [build_cpu_seconds [wall_seconds [scan_seconds]]]]`,
/// `-` for what it does not know.
#[derive(Clone, Debug, PartialEq)]
pub struct Measurement {
    /// Total weight of its matching.
    pub optimum: i128,
    /// CPU seconds of build and solve.
    pub seconds: f64,
    /// Peak resident memory.
    pub peak_kib: Option<u64>,
    /// The part of `seconds` that built the solver's input.
    pub build_seconds: Option<f64>,
    /// Build and solve on the wall.
    pub wall_seconds: Option<f64>,
    /// One scan of the matrix.
    pub scan_seconds: Option<f64>,
}

/// How one process ended.
pub(super) enum Outcome {
    Measured(Measurement),
    OverLimit,
    OverMemory,
    TooLarge,
    /// It crashed, or printed something else.
    Failed,
}

/// Starts a contender on a file and waits for it, at most `limit` (wall time, reading the file included), and while it
/// takes less than `memory_gib`.
pub(super) fn run(
    contender: &Contender,
    file: &Path,
    limit: Duration,
    memory_gib: u64,
) -> Result<Outcome, Box<dyn Error>> {
    let mut child = Command::new(&contender.program)
        .args(&contender.arguments)
        .arg(file)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| format!("{} does not start: {error}", contender.program.display()))?;
    let status = match wait(&mut child, limit, memory_gib)? {
        End::Exit(status) => status,
        End::Killed(outcome) => return Ok(outcome),
    };
    let mut text = String::new();
    if let Some(mut output) = child.stdout.take() {
        output.read_to_string(&mut text)?;
    }
    Ok(match parse(&text) {
        _ if text.trim() == TOO_LARGE => Outcome::TooLarge,
        Some(measurement) if status.success() => Outcome::Measured(measurement),
        _ => Outcome::Failed,
    })
}

/// How waiting ended.
enum End {
    Exit(ExitStatus),
    Killed(Outcome),
}

fn wait(child: &mut Child, limit: Duration, memory_gib: u64) -> Result<End, Box<dyn Error>> {
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(End::Exit(status));
        }
        let reason = if start.elapsed() > limit {
            Some(Outcome::OverLimit)
        } else if resident_kib(child.id()).is_some_and(|kib| kib >> 20 >= memory_gib) {
            Some(Outcome::OverMemory)
        } else {
            None
        };
        if let Some(reason) = reason {
            child.kill()?;
            child.wait()?;
            return Ok(End::Killed(reason));
        }
        thread::sleep(Duration::from_millis(5));
    }
}

/// Resident memory of a process, where the system tells.
fn resident_kib(process: u32) -> Option<u64> {
    status_kib(&format!("/proc/{process}/status"), "VmRSS:")
}

fn parse(text: &str) -> Option<Measurement> {
    let mut words = text.split_ascii_whitespace();
    let (optimum, seconds) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
    let peak_kib = words.next().and_then(|word| word.parse().ok());
    let mut next_seconds = || words.next().and_then(|word| word.parse().ok());
    Some(Measurement {
        optimum,
        seconds,
        peak_kib,
        build_seconds: next_seconds(),
        wall_seconds: next_seconds(),
        scan_seconds: next_seconds(),
    })
}

/// The other side: solves one instance and prints what the parent reads.
///
/// # Errors
/// Those of reading the file, and the solver's.
pub fn measure_child(solver: Solver, file: &Path) -> Result<(), Box<dyn Error>> {
    let instance = files::read_file(file)?;
    let run = match solver.run(&instance, After::Checks) {
        Ok(run) => run,
        Err(Refusal::TooLarge) => {
            println!("{TOO_LARGE}");
            return Ok(());
        }
        Err(refusal) => return Err(format!("{}: {refusal:?}", solver.name()).into()),
    };
    let or_dash = |value: Option<String>| value.unwrap_or_else(|| "-".to_owned());
    let seconds = |span: Duration| format!("{:.9}", span.as_secs_f64());
    println!(
        "{} {} {} {} {} {}",
        run.optimum,
        seconds(run.total().cpu),
        or_dash(run.peak_kib.map(|kib| kib.to_string())),
        seconds(run.build.cpu),
        seconds(run.total().wall),
        or_dash(run.scan.map(seconds)),
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_known_may_be_missing_or_a_dash() {
        let short = parse("17 0.5\n").unwrap();
        assert_eq!((short.optimum, short.seconds, short.peak_kib), (17, 0.5, None));
        let long = parse("17 0.5 - 0.25 1.5 -").unwrap();
        assert_eq!((long.build_seconds, long.wall_seconds), (Some(0.25), Some(1.5)));
        assert_eq!((long.peak_kib, long.scan_seconds), (None, None));
        assert_eq!(parse("none"), None);
    }
}
