//! Who takes part, and how each is started on an instance file.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use benches::solvers::Solver;

use crate::options::Options;

const LEMON: &str = "lemon";

/// A solver and the command that runs it: `program arguments... FILE` prints `optimum seconds [peak_kib [build_seconds]]`.
pub(crate) struct Contender {
    pub(crate) name: String,
    pub(crate) program: PathBuf,
    pub(crate) arguments: Vec<String>,
}

/// Everyone asked for: linked solvers, LEMON where it is installed, external ones.
pub(crate) fn all(options: &Options, directory: &Path) -> Result<Vec<Contender>, Box<dyn Error>> {
    let is_asked = |name: &str| options.solvers.is_empty() || options.solvers.iter().any(|asked| asked == name);
    if let Some(unknown) = options
        .solvers
        .iter()
        .find(|name| Solver::by_name(name).is_none() && *name != LEMON)
    {
        return Err(format!("no solver {unknown:?}").into());
    }
    let own_program = std::env::current_exe()?;
    let mut contenders: Vec<Contender> = Solver::ALL
        .iter()
        .filter(|solver| is_asked(solver.name()))
        .map(|solver| Contender {
            name: solver.name().to_owned(),
            program: own_program.clone(),
            arguments: vec!["--measure".to_owned(), solver.name().to_owned()],
        })
        .collect();
    if is_asked(LEMON) {
        match compile_lemon_driver(directory) {
            Ok(program) => contenders.push(Contender {
                name: LEMON.to_owned(),
                program,
                arguments: Vec::new(),
            }),
            Err(reason) => eprintln!("{LEMON} is left out: {reason}"),
        }
    }
    for (name, command) in &options.external {
        let mut words = command.split_whitespace().map(str::to_owned);
        let program = words.next().ok_or("an external command is empty")?.into();
        contenders.push(Contender {
            name: name.clone(),
            program,
            arguments: words.collect(),
        });
    }
    Ok(contenders)
}

/// Compiles `peers/lemon_driver.cpp` with the C++ compiler of this machine.
fn compile_lemon_driver(directory: &Path) -> Result<PathBuf, String> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("peers/lemon_driver.cpp");
    let program = directory.join("lemon_driver");
    let status = Command::new("g++")
        .args(["-O3", "-march=native", "-DNDEBUG", "-w", "-o"])
        .arg(&program)
        .arg(&source)
        .stderr(Stdio::null())
        .status()
        .map_err(|error| format!("g++ does not run ({error})"))?;
    if status.success() {
        Ok(program)
    } else {
        Err("its driver does not compile; is it installed?".to_owned())
    }
}
