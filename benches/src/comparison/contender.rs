//! Who takes part, and how each is started on an instance file.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::solvers::Solver;

/// Name of LEMON on command lines and in tables.
pub const LEMON: &str = "lemon";

/// Packages that `peers/python_peers.py` knows.
pub const PYTHON_PEERS: [&str; 2] = ["networkx", "rustworkx"];

/// A solver and the command that runs it: `program arguments... FILE` prints what [`super::Measurement`] is read from.
#[derive(Clone, Debug)]
pub struct Contender {
    /// Name in tables.
    pub name: String,
    /// The program.
    pub program: PathBuf,
    /// What comes before the file.
    pub arguments: Vec<String>,
}

/// A solver of this build, run by the calling program.
///
/// # Errors
/// If the system does not tell which program that is.
pub fn linked(solver: Solver) -> Result<Contender, Box<dyn Error>> {
    Ok(Contender {
        name: solver.name().to_owned(),
        program: std::env::current_exe()?,
        arguments: vec!["--measure".to_owned(), solver.name().to_owned()],
    })
}

/// A solver from elsewhere, of `NAME=COMMAND`.
///
/// # Errors
/// If it does not read like that.
pub fn external(name_and_command: &str) -> Result<Contender, String> {
    let form = || format!("{name_and_command:?} is not NAME=COMMAND");
    let (name, command) = name_and_command.split_once('=').ok_or_else(form)?;
    let mut words = command.split_whitespace().map(str::to_owned);
    Ok(Contender {
        name: name.to_owned(),
        program: words.next().ok_or_else(form)?.into(),
        arguments: words.collect(),
    })
}

/// LEMON: compiles `peers/lemon_driver.cpp` with the C++ compiler of this machine.
///
/// # Errors
/// Why there is none here.
pub fn lemon(directory: &Path) -> Result<Contender, String> {
    let program = directory.join("lemon_driver");
    let status = Command::new("g++")
        .args(["-O3", "-march=native", "-DNDEBUG", "-w", "-o"])
        .arg(&program)
        .arg(peers_directory().join("lemon_driver.cpp"))
        .stderr(Stdio::null())
        .status()
        .map_err(|error| format!("g++ does not run ({error})"))?;
    if !status.success() {
        return Err("its driver does not compile; is it installed?".to_owned());
    }
    Ok(Contender {
        name: LEMON.to_owned(),
        program,
        arguments: Vec::new(),
    })
}

/// A Python interpreter, for the packages of [`PYTHON_PEERS`].
#[derive(Clone, Debug)]
pub struct Python {
    /// The interpreter.
    pub interpreter: PathBuf,
}

impl Python {
    /// The package as a contender named `PACKAGE (Python)`.
    ///
    /// # Errors
    /// Why there is none here.
    pub fn contender(&self, package: &str) -> Result<Contender, String> {
        let script = peers_directory().join("python_peers.py");
        let contender = Contender {
            name: format!("{package} (Python)"),
            program: self.interpreter.clone(),
            arguments: vec![script.display().to_string(), package.to_owned()],
        };
        let version = contender.version();
        version.map(|_| contender).ok_or_else(|| {
            let interpreter = self.interpreter.display();
            format!("{interpreter} has no package {package:?}; see benches/README.md")
        })
    }
}

impl Contender {
    /// What the drivers of this repository, and programs like them, print on `--version`.
    pub fn version(&self) -> Option<String> {
        let output = Command::new(&self.program)
            .args(&self.arguments)
            .arg("--version")
            .stderr(Stdio::null())
            .output()
            .ok()
            .filter(|output| output.status.success())?;
        let text = String::from_utf8(output.stdout).ok()?;
        Some(text.trim().to_owned())
    }
}

fn peers_directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("peers")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_external_solver_is_a_name_and_a_command() {
        let contender = external("Some Solver 2=/bin/solve --fast=1").unwrap();
        assert_eq!(contender.name, "Some Solver 2");
        assert_eq!(contender.program, Path::new("/bin/solve"));
        assert_eq!(contender.arguments, ["--fast=1"]);
        assert!(external("no command").is_err() && external("empty=").is_err());
    }
}
