//! A file that is written has its new content as a whole, or what it had before.
//!
//! The content goes into a file beside it, which then takes its place, so that a full disk or a signal leaves no part of a
//! report behind, and an earlier one is not lost. What has no place to be taken is written to as it is: devices, pipes,
//! descriptors like `/dev/stdout`, and files with several names, of which all others would keep what was there before. So
//! is a file in a folder where nothing may be made.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process;

use super::places::{folder, is_descriptor, target};

/// Whether a file may be written, as far as can be seen without doing so: what is there stays as it is, and what is not there
/// is not made. Pipes and devices are not asked, as opening one may wait for somebody, or do something.
pub(super) fn check(path: &Path) -> io::Result<()> {
    let made = match fs::metadata(path) {
        Ok(there) if there.is_file() => return OpenOptions::new().write(true).open(path).map(drop),
        Err(error) if error.kind() == ErrorKind::NotFound && names_a_file(path) => Beside::of(&target(path), None),
        _ => return Ok(()),
    };
    if let Err(error) = made
        && matches!(
            error.kind(),
            ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem
        )
    {
        return Err(error);
    }
    // What else there may be, writing says.
    Ok(())
}

/// Makes this the content of a file.
pub(super) fn write(path: &Path, content: &[u8]) -> io::Result<()> {
    let old = match fs::metadata(path) {
        Ok(old) => Some(old),
        Err(error) if error.kind() == ErrorKind::NotFound && names_a_file(path) => None,
        // Writing to it says what is wrong.
        Err(_) => return fs::write(path, content),
    };
    if old.as_ref().is_some_and(has_other_names) || is_descriptor(path) {
        return fs::write(path, content);
    }
    if old.is_some() {
        // Who may not write to it may still be allowed to put another in its place.
        OpenOptions::new().write(true).open(path)?;
    }
    let target = target(path);
    match Beside::of(&target, old.as_ref()) {
        Ok(mut beside) => {
            beside.fill(content)?;
            if beside.take_place_of(&target).is_ok() {
                return Ok(());
            }
        }
        Err(error) if matches!(error.kind(), ErrorKind::StorageFull | ErrorKind::QuotaExceeded) => return Err(error),
        Err(_) => {}
    }
    fs::write(path, content)
}

/// Whether a path ends with a name, and not with `/` or `/.`, of which it would be taken for a folder's.
fn names_a_file(path: &Path) -> bool {
    let bytes = path.as_os_str().as_encoded_bytes();
    path.file_name()
        .is_some_and(|name| bytes.ends_with(name.as_encoded_bytes()))
}

/// A file beside another one, which is removed unless it takes that one's place.
struct Beside {
    file: File,
    path: PathBuf,
    is_done: bool,
}

impl Beside {
    /// An empty one, with the owner and the permissions of what is there, if anything is.
    fn of(target: &Path, old: Option<&Metadata>) -> io::Result<Self> {
        /// Names that runs with the same number, which were ended, may have left behind.
        const MOST_NAMES: u32 = 100;
        let name = |count| format!(".matchmaking-{}-{count}.tmp", process::id());
        let mut count = 0;
        let beside = loop {
            let path = folder(target).join(name(count));
            match options(old).open(&path) {
                Ok(file) => {
                    break Self {
                        file,
                        path,
                        is_done: false,
                    };
                }
                Err(error) if error.kind() == ErrorKind::AlreadyExists && count < MOST_NAMES => count += 1,
                Err(error) => return Err(error),
            }
        };
        if let Some(old) = old {
            own_as(&beside.file, old)?;
            beside.file.set_permissions(old.permissions())?;
        }
        Ok(beside)
    }

    fn fill(&mut self, content: &[u8]) -> io::Result<()> {
        self.file.write_all(content)?;
        // Some disks say only then that they are full.
        self.file.sync_all()
    }

    fn take_place_of(&mut self, target: &Path) -> io::Result<()> {
        fs::rename(&self.path, target)?;
        self.is_done = true;
        Ok(())
    }
}

impl Drop for Beside {
    fn drop(&mut self) {
        if !self.is_done {
            // It is of no use to anybody; where it stays, it does no harm.
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// How a file is made; for nobody else's eyes before it has the permissions of the one whose place it takes.
fn options(old: Option<&Metadata>) -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    if old.is_some() {
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    }
    options
}

/// Whether it is no file that another could take the place of, or has several names.
#[cfg(unix)]
fn has_other_names(data: &Metadata) -> bool {
    !data.is_file() || std::os::unix::fs::MetadataExt::nlink(data) > 1
}

#[cfg(not(unix))]
fn has_other_names(data: &Metadata) -> bool {
    !data.is_file()
}

/// Gives a new file to the owner of an old one, if it is another.
#[cfg(unix)]
fn own_as(file: &File, old: &Metadata) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, fchown};
    let new = file.metadata()?;
    if (new.uid(), new.gid()) == (old.uid(), old.gid()) {
        return Ok(());
    }
    fchown(file, Some(old.uid()), Some(old.gid()))
}

#[cfg(not(unix))]
fn own_as(_: &File, _: &Metadata) -> io::Result<()> {
    Ok(())
}
