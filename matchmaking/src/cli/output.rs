//! Where results, warnings and progress go.

use std::env;
use std::ffi::OsStr;
use std::io::{self, IsTerminal, Write};
use std::path::Path;

use super::args::CommonArgs;
use super::failure::Failure;
use super::places::Files;
use super::replace;
use super::text::{counted_as, on_one_line};
use super::threads::Threads;
use crate::quoted::quoted;

/// What every subcommand begins with: a place for its result, threads, and word of what is going on.
pub(crate) struct Session {
    pub(crate) threads: Threads,
    pub(crate) progress: Progress,
}

impl Session {
    /// Fails early where a result could not be written late, or would take the place of another file of the run.
    pub(crate) fn start(common: &CommonArgs, files: &Files<'_>) -> Result<Self, Failure> {
        files.check(common.target())?;
        Ok(Self {
            threads: Threads::start(common.threads)?,
            progress: Progress::new(common.quiet),
        })
    }
}

/// Names that get a warning each, before the others are counted.
pub(crate) const MOST_NAMED: usize = 20;

/// Warnings of columns or fields that nothing is made of: a file may have any number of them.
pub(crate) fn unused(what: &str, names: &[String]) -> Vec<String> {
    let named = names.iter().take(MOST_NAMED);
    let mut warnings: Vec<String> = named
        .map(|name| match name.as_str() {
            "" => format!("a {what} without a name is not used"),
            name => format!("{what} {} is unknown and not used", quoted(name)),
        })
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

/// What stands for stdout in place of a file.
pub(crate) const STDOUT: &str = "-";

/// Whether a path stands for stdout.
pub(crate) fn is_stdout(path: &Path) -> bool {
    path == Path::new(STDOUT)
}

/// Writes a result to a file, or to stdout, for which `-` stands as well.
pub(crate) fn write(target: Option<&Path>, content: &[u8]) -> Result<(), Failure> {
    if let Some(path) = target.filter(|path| !is_stdout(path)) {
        return written(replace::write(path, content), || path.display().to_string());
    }
    let mut stdout = io::stdout().lock();
    to_stdout(stdout.write_all(content).and_then(|()| stdout.flush()))
}

/// What came of writing to stdout.
pub(crate) fn to_stdout(result: io::Result<()>) -> Result<(), Failure> {
    written(result, || "stdout".to_owned())
}

/// What came of writing somewhere. A reader who has gone away is no error: nobody misses the rest.
fn written(result: io::Result<()>, place: impl FnOnce() -> String) -> Result<(), Failure> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        result => result.map_err(|source| Failure::Write { file: place(), source }),
    }
}

/// Writes a line to stderr, whatever the names of files in it are made of; if that is closed, nobody wants to know.
pub(crate) fn complain(line: &str) {
    let _ = writeln!(io::stderr(), "{}", on_one_line(line));
}

/// Says on stderr what is going on, if somebody is watching.
#[derive(Clone, Debug)]
pub(crate) struct Progress {
    is_shown: bool,
    /// Whether a line can take the place of another.
    replaces: bool,
}

impl Progress {
    pub(crate) fn new(is_quiet: bool) -> Self {
        Self {
            is_shown: !is_quiet && io::stderr().is_terminal(),
            replaces: can_replace(env::var_os("TERM").as_deref()),
        }
    }

    /// Whether somebody is watching.
    pub(crate) fn is_shown(&self) -> bool {
        self.is_shown
    }

    /// Replaces the last line that was shown this way; where that cannot be done, it is not shown.
    pub(crate) fn update(&self, what: &str) {
        if self.is_shown && self.replaces {
            let _ = io::stderr().write_all(in_place(what).as_bytes());
        }
    }

    /// Takes that line away.
    pub(crate) fn end_updates(&self) {
        if self.is_shown && self.replaces {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
    }

    pub(crate) fn stage(&self, what: &str) {
        if self.is_shown {
            complain(&format!("matchmaking: {what} ..."));
        }
    }
}

/// Whether a terminal of this kind is one that does what moves the cursor, in place of showing it.
fn can_replace(terminal: Option<&OsStr>) -> bool {
    terminal.is_none_or(|name| name != "dumb")
}

/// What replaces a line: back to its beginning, and the rest of it away. What the terminal has no room for is cut off, as the
/// part of a line that went on below would stay there for ever.
fn in_place(what: &str) -> String {
    format!("\r\x1b[K\x1b[?7lmatchmaking: {what}\x1b[?7h")
}

#[cfg(test)]
mod tests {
    use std::ffi::OsStr;

    use super::{can_replace, in_place};

    /// In a terminal of 80 columns each word of a sweep left a line behind: it went on below, and that line was replaced.
    #[test]
    fn a_line_that_is_replaced_is_one_line_in_narrow_terminals() {
        assert_eq!(in_place("30 rounds"), "\r\x1b[K\x1b[?7lmatchmaking: 30 rounds\x1b[?7h");
    }

    /// As in editors and logs of builds: escapes stood there as they are.
    #[test]
    fn dumb_terminals_replace_no_lines() {
        let kinds = [None, Some("xterm-256color"), Some("dumb")];
        assert_eq!(kinds.map(|kind| can_replace(kind.map(OsStr::new))), [true, true, false]);
    }
}
