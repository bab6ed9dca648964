//! Processes that solve one file each.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use benches::chains::{self, Problem};
use cpu_time::ProcessTime;
use markov::Stationary;
use markov::mdp::ValueIteration;

/// First argument of this program where it is the one that solves.
pub(crate) const MEASURE: &str = "--measure";
const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/peers/markov_peers.py");
/// What iterations have to reach, as in the script: the residual of distributions, the error of values.
const RESIDUAL: f64 = 1e-10;
const ACCURACY: f64 = 1e-6;
/// Libraries that would start threads of their own.
const ONE_THREAD: [&str; 4] = [
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "NUMBA_NUM_THREADS",
    "RAYON_NUM_THREADS",
];

/// How often, and how long.
pub(crate) struct Plan {
    pub(crate) repeat: usize,
    /// Wall time of a process.
    pub(crate) limit: Duration,
}

/// A command that solves a problem file, and writes an answer file.
pub(crate) struct Contender {
    name: String,
    program: PathBuf,
    arguments: Vec<String>,
}

impl Contender {
    /// This workspace first, then methods of the script.
    pub(crate) fn all(python: &Path, methods: &[&str]) -> Result<Vec<Self>, Box<dyn Error>> {
        let mut all = vec![Self {
            name: "markov".to_owned(),
            program: std::env::current_exe()?,
            arguments: vec![MEASURE.to_owned()],
        }];
        all.extend(methods.iter().map(|&method| Self {
            name: method.to_owned(),
            program: python.to_owned(),
            arguments: vec![SCRIPT.to_owned(), method.to_owned()],
        }));
        Ok(all)
    }
}

/// Best time in CPU seconds and last answer, or why there is none.
type Outcome = Result<(f64, Vec<f64>), String>;

/// What one contender did.
pub(crate) struct Run {
    pub(crate) name: String,
    pub(crate) outcome: Outcome,
}

/// Everyone solves the same file, in turns; who fails once is not asked again.
pub(crate) fn take_turns(
    contenders: &[Contender],
    problem: &Problem,
    plan: &Plan,
    directory: &Path,
) -> Result<Vec<Run>, Box<dyn Error>> {
    let [file, answer] = ["problem", "answer"].map(|name| directory.join(name));
    chains::write(problem, &file)?;
    let mut outcomes: Vec<Option<Outcome>> = contenders.iter().map(|_| None).collect();
    for _ in 0..plan.repeat {
        for (contender, outcome) in contenders.iter().zip(&mut outcomes) {
            *outcome = Some(match outcome.take() {
                Some(Err(reason)) => Err(reason),
                earlier => {
                    let best = earlier.map_or(f64::INFINITY, |run| run.map_or(f64::INFINITY, |(seconds, _)| seconds));
                    let now = solve(contender, &file, &answer, plan.limit);
                    now.map(|(seconds, found)| (seconds.min(best), found))
                }
            });
        }
    }
    let never = || Err("not run".to_owned());
    let runs = contenders.iter().zip(outcomes).map(|(contender, outcome)| Run {
        name: contender.name.clone(),
        outcome: outcome.unwrap_or_else(never),
    });
    Ok(runs.collect())
}

/// CPU seconds and the answer, or a reason.
fn solve(contender: &Contender, file: &Path, answer: &Path, limit: Duration) -> Outcome {
    let mut child = Command::new(&contender.program)
        .args(&contender.arguments)
        .args([file, answer])
        .envs(ONE_THREAD.map(|name| (name, "1")))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|_| "not installed".to_owned())?;
    let start = Instant::now();
    let broken = |error: std::io::Error| error.to_string();
    while child.try_wait().map_err(broken)?.is_none() {
        if start.elapsed() > limit {
            child.kill().and_then(|()| child.wait()).map_err(broken)?;
            return Err(format!("> {} s", limit.as_secs()));
        }
        thread::sleep(Duration::from_millis(5));
    }
    let output = child.wait_with_output().map_err(broken)?;
    let text = String::from_utf8_lossy(&output.stdout);
    // Storm logs to the standard output, before what is looked for.
    let line = text.lines().next_back().unwrap_or_default();
    match line.strip_prefix("note ") {
        Some(note) => Err(note.to_owned()),
        None => {
            let seconds = line.parse().map_err(|_| "failed".to_owned())?;
            Ok((seconds, chains::read_floats(answer).map_err(broken)?))
        }
    }
}

/// The other side: solves a problem file, writes the answer, prints CPU seconds from raw arrays to the answer.
pub(crate) fn measure(file: &Path, answer: &Path) -> Result<(), Box<dyn Error>> {
    let problem = chains::read(file)?;
    let start = ProcessTime::now();
    let found = match &problem {
        Problem::Stationary(rates) => {
            let chain = chains::chain(rates)?;
            Stationary::new().tolerance(RESIDUAL).solve(&chain)?.into_distribution()
        }
        Problem::Discounted(process) => {
            let solver = ValueIteration::new().threads(1).tolerance(ACCURACY);
            solver.solve(&process.build()?, process.discount)?.values().to_vec()
        }
    };
    let seconds = start.elapsed().as_secs_f64();
    chains::write_floats(&found, answer)?;
    println!("{seconds:.9}");
    Ok(())
}

/// The packages that the interpreter has, with their versions.
pub(crate) fn versions(python: &Path) -> Result<String, String> {
    let output = Command::new(python).args([SCRIPT, "--versions"]).output();
    let output = output.map_err(|error| format!("{} does not start: {error}", python.display()))?;
    let lines: Vec<String> = String::from_utf8_lossy(&output.stdout)
        .lines()
        .map(str::to_owned)
        .collect();
    match lines.is_empty() {
        true => Err("the Python interpreter has none of them".to_owned()),
        false => Ok(lines.join(", ")),
    }
}
