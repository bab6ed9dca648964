//! One measurement: a process that solves one instance once.

use std::error::Error;
use std::fs;
use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use benches::files;
use benches::solvers::Solver;

use crate::contenders::Contender;

/// What one process reported.
#[derive(Clone, Debug)]
pub(crate) struct Measurement {
    pub(crate) optimum: i128,
    /// CPU seconds of build and solve.
    pub(crate) seconds: f64,
    pub(crate) peak_kib: Option<u64>,
    /// The part of `seconds` that built the solver's input.
    pub(crate) build_seconds: Option<f64>,
}

/// How one process ended.
pub(crate) enum Outcome {
    Measured(Measurement),
    OverLimit,
    /// It crashed, refused the instance, or printed something else.
    Failed,
}

/// Starts a contender on a file and waits for it, at most `limit` (wall time, reading the file included).
pub(crate) fn run(contender: &Contender, file: &Path, limit: Duration) -> Result<Outcome, Box<dyn Error>> {
    let mut child = Command::new(&contender.program)
        .args(&contender.arguments)
        .arg(file)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| format!("{} does not start: {error}", contender.program.display()))?;
    let Some(status) = wait(&mut child, limit)? else {
        return Ok(Outcome::OverLimit);
    };
    let mut text = String::new();
    if let Some(mut output) = child.stdout.take() {
        output.read_to_string(&mut text)?;
    }
    let measurement = status.success().then(|| parse(&text)).flatten();
    Ok(measurement.map_or(Outcome::Failed, Outcome::Measured))
}

/// The exit status, or `None` where the child had to be killed.
fn wait(child: &mut Child, limit: Duration) -> Result<Option<ExitStatus>, Box<dyn Error>> {
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if start.elapsed() > limit {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        thread::sleep(Duration::from_millis(5));
    }
}

fn parse(text: &str) -> Option<Measurement> {
    let mut words = text.split_ascii_whitespace();
    Some(Measurement {
        optimum: words.next()?.parse().ok()?,
        seconds: words.next()?.parse().ok()?,
        peak_kib: words.next().and_then(|word| word.parse().ok()),
        build_seconds: words.next().and_then(|word| word.parse().ok()),
    })
}

/// The other side: solves one instance and prints what [`run`] reads.
pub(crate) fn child(solver: Solver, file: &Path) -> Result<(), Box<dyn Error>> {
    let instance = files::read_file(file)?;
    let run = solver
        .run(&instance)
        .map_err(|refusal| format!("{}: {refusal:?}", solver.name()))?;
    let peak = peak_kib().map_or("-".to_owned(), |kib| kib.to_string());
    let seconds = (run.build + run.solve).as_secs_f64();
    println!("{} {seconds:.6} {peak} {:.6}", run.optimum, run.build.as_secs_f64());
    Ok(())
}

/// Peak resident memory of this process, where the system tells.
fn peak_kib() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.split_ascii_whitespace().next()?.parse().ok()
}
