//! Running the program.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

/// What a run left behind.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl From<Output> for Run {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).expect("stdout is UTF-8"),
            stderr: String::from_utf8(output.stderr).expect("stderr is UTF-8"),
        }
    }
}

impl Run {
    /// Stdout as JSON.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// Asserts that stdout is one object on one line, with its schema first and these keys in this order.
    pub(crate) fn in_order(&self, subcommand: &str, keys: &[&str]) {
        let json = &self.stdout;
        let schema = format!("{{\"schema\":\"matchmaking/{subcommand}/1\",\"status\":");
        assert!(json.starts_with(&schema) && json.lines().count() == 1, "{json}");
        let positions: Vec<Option<usize>> = keys.iter().map(|key| json.find(&format!("\"{key}\":"))).collect();
        assert!(
            positions.iter().all(Option::is_some) && positions.is_sorted(),
            "{positions:?} {json}"
        );
    }

    /// Asserts exit code 2, an empty stdout, and a message that contains all of these.
    pub(crate) fn refused(&self, parts: &[&str]) {
        assert_eq!((self.code, self.stdout.as_str()), (Some(2), ""), "{self:?}");
        for part in parts {
            assert!(self.stderr.contains(part), "{part:?} is missing in {}", self.stderr);
        }
        assert!(!self.stderr.contains("panicked"), "{}", self.stderr);
    }
}

/// The program with these arguments.
pub(crate) fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_matchmaking"));
    command.args(arguments);
    command
}

/// Runs the program with nothing on stdin.
pub(crate) fn run(arguments: &[&str]) -> Run {
    command(arguments)
        .stdin(Stdio::null())
        .output()
        .expect("the program starts")
        .into()
}

/// Runs `pair - ARGUMENTS` with this on stdin.
pub(crate) fn pair(input: impl AsRef<[u8]>, arguments: &[&str]) -> Run {
    piped(input, &[&["pair", "-"], arguments].concat())
}

/// Runs the program with this on stdin.
pub(crate) fn piped(input: impl AsRef<[u8]>, arguments: &[&str]) -> Run {
    let mut child = command(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("stdin is piped");
    let input = input.as_ref().to_vec();
    // The program may stop reading early, so a broken pipe is no failure; and it may write before it has read all.
    let writer = std::thread::spawn(move || stdin.write_all(&input));
    let output = child.wait_with_output().expect("the program ends");
    let _ = writer.join().expect("writing does not panic");
    output.into()
}

/// Runs `pair - --json ARGUMENTS` and reads the result.
pub(crate) fn pair_json(input: impl AsRef<[u8]>, arguments: &[&str]) -> Value {
    let run = pair(input, &[&["--json"], arguments].concat());
    assert!(run.code.is_some_and(|code| code != 2 && code < 70), "{run:?}");
    run.json()
}

/// Runs `group - ARGUMENTS` with this on stdin.
pub(crate) fn group(input: impl AsRef<[u8]>, arguments: &[&str]) -> Run {
    piped(input, &[&["group", "-"], arguments].concat())
}

/// Runs `group - --json ARGUMENTS` and reads the result.
pub(crate) fn group_json(input: impl AsRef<[u8]>, arguments: &[&str]) -> Value {
    let run = group(input, &[&["--json"], arguments].concat());
    assert!(run.code.is_some_and(|code| code != 2 && code < 70), "{run:?}");
    run.json()
}

/// A file of this content in a directory that lives as long as the first of the two.
pub(crate) fn file(name: &str, content: impl AsRef<[u8]>) -> (TempDir, PathBuf) {
    let directory = TempDir::new().expect("a temporary directory");
    let path = directory.path().join(name);
    fs::write(&path, content).expect("a temporary file");
    (directory, path)
}

/// The document without what may differ from run to run.
pub(crate) fn timeless(mut document: Value) -> Value {
    let object = document.as_object_mut().expect("an object");
    object.remove("seconds").expect("seconds");
    object.remove("timing").expect("timing");
    document
}

/// Looks whether a run took as long as its parts say, `seconds` being those of costs and solving.
pub(crate) fn check_timing(document: &Value) {
    let part = |name: &str| {
        let seconds = document["timing"][name].as_f64();
        seconds
            .filter(|&seconds| seconds >= 0.0)
            .unwrap_or_else(|| panic!("{name}: {document}"))
    };
    let [costs, solve] = ["costs", "solve"].map(part);
    let _others = ["parse", "verify", "write"].map(part);
    let seconds = document["seconds"].as_f64().expect("seconds");
    assert!(solve > 0.0 && (costs + solve - seconds).abs() < 1e-6, "{document}");
}

/// Twelve players of the shipped pool's kind.
pub(crate) const POOL: &str = "\
id,rating,deviation,outcomes
Ann,1500,60,WLL
Ben,1480,45,LWW
Cho,1720,80,WWW
Dee,1390,90,
Eve,1555.5,70,DDL
Fay,1610,55,LLLLL
";
