//! Whether what a run writes would take the place of something else that it writes, or of what it reads.

use std::fs::{self, Metadata};
use std::io;
use std::iter;
use std::path::{Path, PathBuf};

use super::failure::Failure;
use super::output::{STDOUT, is_stdout};
use super::replace;

/// An option that names a file, and what it names.
pub(crate) type Named<'a> = (&'static str, Option<&'a Path>);

/// The files of a run.
#[derive(Debug)]
pub(crate) struct Files<'a> {
    pub(crate) read: &'a [Named<'a>],
    /// The option of the report, which goes to stdout where no file is named.
    pub(crate) report: &'static str,
    pub(crate) others: &'a [Named<'a>],
}

impl<'a> Files<'a> {
    /// A run that writes its report, by `-o`, and nothing else.
    pub(crate) fn read(read: &'a [Named<'a>]) -> Self {
        Self {
            read,
            report: "-o",
            others: &[],
        }
    }

    /// Fails early where a result could not be written late, would take the place of another or follow it on stdout, or
    /// would take that of the input.
    pub(super) fn check(&self, report: Option<&Path>) -> Result<(), Failure> {
        let report = (self.report, Some(report.unwrap_or(Path::new(STDOUT))));
        let inputs: Vec<(&Path, Place)> = self
            .read
            .iter()
            .filter_map(|&(_, path)| Some((path?, Place::of_input(path?)?)))
            .collect();
        let mut taken: Vec<(&str, Place)> = Vec::new();
        for &(option, path) in [&report].into_iter().chain(self.others) {
            let Some(path) = path else { continue };
            check_target(path)?;
            let Some(place) = Place::of_output(path) else {
                continue;
            };
            let usage = |problem| Failure::Usage { option, problem };
            if let Some((input, _)) = inputs.iter().find(|(_, input)| *input == place) {
                return Err(usage(format!(
                    "would write over {}, which is read; give another file",
                    input_name(input)
                )));
            }
            if let Some((other, _)) = taken.iter().find(|(_, earlier)| *earlier == place) {
                return Err(usage(match (is_stdout(path), *other == report.0) {
                    (true, false) => format!("{other} writes to stdout as well; give one of them a file"),
                    (true, true) => format!("the report goes to stdout as well; give it a file by {other}"),
                    (false, _) => format!("{other} writes to the same file; give each a file of its own"),
                }));
            }
            taken.push((option, place));
        }
        Ok(())
    }
}

fn input_name(path: &Path) -> String {
    if is_stdout(path) {
        "the file on stdin".to_owned()
    } else {
        path.display().to_string()
    }
}

/// Whether something can be written there, as far as can be seen without doing so.
fn check_target(path: &Path) -> Result<(), Failure> {
    if is_stdout(path) {
        return Ok(());
    }
    let seen = if path.is_dir() {
        Err(io::Error::from(io::ErrorKind::IsADirectory))
    } else {
        match fs::metadata(folder(path)) {
            Ok(there) if there.is_dir() => replace::check(path),
            Ok(_) => Err(io::Error::from(io::ErrorKind::NotADirectory)),
            Err(error) => Err(error),
        }
    };
    seen.map_err(|source| Failure::Write {
        file: path.display().to_string(),
        source,
    })
}

/// Where the file is or will be.
pub(super) fn folder(path: &Path) -> &Path {
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    parent.unwrap_or(Path::new("."))
}

/// What is the same for all names of one file. Devices like `/dev/null` take everything, and have no place.
#[derive(Debug, PartialEq, Eq)]
enum Place {
    /// Stdout, where it is no file.
    Stdout,
    /// Something that is there.
    There(Identity),
    /// A file that is to be made, links followed.
    New(PathBuf),
}

impl Place {
    fn of_output(path: &Path) -> Option<Self> {
        if is_stdout(path) {
            let there = fs::metadata("/dev/stdout").ok();
            let there = there.and_then(|data| Identity::of(Path::new("/dev/stdout"), &data));
            return Some(there.map_or(Self::Stdout, Self::There));
        }
        match fs::metadata(path) {
            Ok(data) => Identity::of(path, &data).map(Self::There),
            Err(_) => Some(Self::New(target(path))),
        }
    }

    /// Of stdin only if it is a file: a terminal and a socket are read and written.
    fn of_input(path: &Path) -> Option<Self> {
        let is_stdin = is_stdout(path);
        let path = if is_stdin { Path::new("/dev/stdin") } else { path };
        let data = fs::metadata(path).ok()?;
        if is_stdin && !data.is_file() {
            return None;
        }
        Identity::of(path, &data).map(Self::There)
    }
}

/// The file that writing makes where there is none, and that it writes where there is one: behind links, also those that
/// lead nowhere yet.
pub(super) fn target(path: &Path) -> PathBuf {
    let path = links(path).last().unwrap_or_else(|| path.to_owned());
    let known = || Some(fs::canonicalize(folder(&path)).ok()?.join(path.file_name()?));
    known().unwrap_or(path)
}

/// Whether it is another name of what a process has opened, like `/dev/stdout`; where it leads to may have got another
/// name since, or none.
pub(super) fn is_descriptor(path: &Path) -> bool {
    let is_process = |link: PathBuf| fs::canonicalize(folder(&link)).is_ok_and(|folder| folder.starts_with("/proc"));
    links(path).any(is_process)
}

/// A path, and where the links lead to that it names, one after another.
fn links(path: &Path) -> impl Iterator<Item = PathBuf> {
    /// As many as systems follow.
    const MOST_LINKS: usize = 40;
    let next = |path: &PathBuf| Some(folder(path).join(fs::read_link(path).ok()?));
    iter::successors(Some(path.to_owned()), next).take(MOST_LINKS + 1)
}

/// What tells a file from all others, whatever it is called.
#[cfg(unix)]
#[derive(Debug, PartialEq, Eq)]
struct Identity {
    device: u64,
    inode: u64,
}

#[cfg(unix)]
impl Identity {
    fn of(_: &Path, data: &Metadata) -> Option<Self> {
        use std::os::unix::fs::{FileTypeExt, MetadataExt};
        (!data.file_type().is_char_device()).then(|| Self {
            device: data.dev(),
            inode: data.ino(),
        })
    }
}

/// Hard links are files of their own here: the standard library does not tell.
#[cfg(not(unix))]
#[derive(Debug, PartialEq, Eq)]
struct Identity(PathBuf);

#[cfg(not(unix))]
impl Identity {
    fn of(path: &Path, _: &Metadata) -> Option<Self> {
        fs::canonicalize(path).ok().map(Self)
    }
}
