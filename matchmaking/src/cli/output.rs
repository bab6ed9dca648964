//! Where results, warnings and progress go.

use std::fs;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use super::args::CommonArgs;
use super::failure::Failure;
use super::text::counted_as;
use super::threads::Threads;

/// What every subcommand begins with: a place for its result, threads, and word of what is going on.
pub(crate) struct Session {
    pub(crate) threads: Threads,
    pub(crate) progress: Progress,
}

impl Session {
    /// Fails early where a result could not be written late.
    pub(crate) fn start(common: &CommonArgs) -> Result<Self, Failure> {
        check_target(common.target())?;
        Ok(Self {
            threads: Threads::start(common.threads)?,
            progress: Progress::new(common.quiet),
        })
    }
}

/// Names that get a warning each, before the others are counted.
const MOST_NAMED: usize = 20;

/// Warnings of columns or fields that nothing is made of: a file may have any number of them.
pub(crate) fn unused(what: &str, names: &[String]) -> Vec<String> {
    let named = names.iter().take(MOST_NAMED);
    let mut warnings: Vec<String> = named
        .map(|name| format!("{what} {name:?} is unknown and not used"))
        .collect();
    let others = names.len() - warnings.len();
    if others > 0 {
        let others = counted_as(others, &format!("other {what} is"), &format!("other {what}s are"));
        warnings.push(format!("{others} unknown and not used"));
    }
    warnings
}

/// Writes warnings to stderr, unless nobody wants them.
pub(crate) fn warn(common: &CommonArgs, warnings: &[String]) {
    if !common.quiet {
        warnings
            .iter()
            .for_each(|warning| complain(&format!("matchmaking: warning: {warning}")));
    }
}

/// What every subcommand ends with: its report as JSON or as text, to where it was asked for.
pub(crate) fn deliver<R>(
    common: &CommonArgs,
    report: &R,
    json: impl FnOnce(&R) -> String,
    text: impl FnOnce(&R) -> String,
) -> Result<(), Failure> {
    let content = if common.json { json(report) } else { text(report) };
    write(common.target(), content.as_bytes())
}

/// An option that names where something is written, and what it names.
pub(crate) type Output<'a> = (&'static str, Option<&'a Path>);

/// Refuses two options that would write to one place: the second would take the place of the first, or follow it on
/// stdout. The report goes to stdout where its option names no file, and of the others nothing is written then.
pub(crate) fn check_apart(report: Output<'_>, others: &[Output<'_>]) -> Result<(), Failure> {
    let report = (report.0, Some(report.1.unwrap_or(Path::new(STDOUT))));
    let mut taken: Vec<(&str, PathBuf)> = Vec::new();
    for &(option, path) in [&report].into_iter().chain(others) {
        let Some(path) = path else { continue };
        let place = place(path);
        if let Some((other, _)) = taken.iter().find(|(_, earlier)| *earlier == place) {
            let problem = match (is_stdout(path), *other == report.0) {
                (false, _) => format!("{other} writes to the same file; give each a file of its own"),
                (true, false) => format!("{other} writes to stdout as well; give one of them a file"),
                (true, true) => format!("the report goes to stdout as well; give it a file by {other}"),
            };
            return Err(Failure::Usage { option, problem });
        }
        taken.push((option, place));
    }
    Ok(())
}

/// A path that is the same for all names of one file: links are followed, and of a file that is to be made the folder
/// is looked up.
fn place(path: &Path) -> PathBuf {
    if is_stdout(path) {
        return path.to_owned();
    }
    let of_folder = || Some(fs::canonicalize(folder(path)).ok()?.join(path.file_name()?));
    let known = fs::canonicalize(path).ok().or_else(of_folder);
    known.unwrap_or_else(|| path.to_owned())
}

/// Where the file is or will be.
fn folder(path: &Path) -> &Path {
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    parent.unwrap_or(Path::new("."))
}

/// What stands for stdout in place of a file.
const STDOUT: &str = "-";

/// Whether a path stands for stdout.
pub(crate) fn is_stdout(path: &Path) -> bool {
    path == Path::new(STDOUT)
}

/// Fails early where a result could not be written late.
pub(crate) fn check_target(target: Option<&Path>) -> Result<(), Failure> {
    let Some(path) = target.filter(|path| !is_stdout(path)) else {
        return Ok(());
    };
    let problem = if path.is_dir() {
        io::Error::from(io::ErrorKind::IsADirectory)
    } else if let Err(error) = fs::metadata(folder(path)) {
        error
    } else {
        return Ok(());
    };
    Err(Failure::Write {
        file: path.display().to_string(),
        source: problem,
    })
}

/// Writes a result to a file, or to stdout, for which `-` stands as well.
pub(crate) fn write(target: Option<&Path>, content: &[u8]) -> Result<(), Failure> {
    if let Some(path) = target.filter(|path| !is_stdout(path)) {
        return fs::write(path, content).map_err(|source| Failure::Write {
            file: path.display().to_string(),
            source,
        });
    }
    let mut stdout = io::stdout().lock();
    to_stdout(stdout.write_all(content).and_then(|()| stdout.flush()))
}

/// What came of writing to stdout. A reader who has gone away is no error: nobody misses the rest.
pub(crate) fn to_stdout(result: io::Result<()>) -> Result<(), Failure> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        result => result.map_err(|source| Failure::Write {
            file: "stdout".to_owned(),
            source,
        }),
    }
}

/// Writes a line to stderr; if that is closed, nobody wants to know.
pub(crate) fn complain(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}

/// Says on stderr what is going on, if somebody is watching.
pub(crate) struct Progress {
    is_shown: bool,
}

impl Progress {
    pub(crate) fn new(is_quiet: bool) -> Self {
        Self {
            is_shown: !is_quiet && io::stderr().is_terminal(),
        }
    }

    /// Replaces the last line that was shown this way.
    pub(crate) fn update(&self, what: &str) {
        if self.is_shown {
            // Back to the line's beginning, and the rest of the line away.
            let _ = write!(io::stderr(), "\r\x1b[Kmatchmaking: {what}");
        }
    }

    /// Takes that line away.
    pub(crate) fn end_updates(&self) {
        if self.is_shown {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
    }

    pub(crate) fn stage(&self, what: &str) {
        if self.is_shown {
            complain(&format!("matchmaking: {what} ..."));
        }
    }
}
