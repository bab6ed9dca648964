//! A file that is written has its new content as a whole, or what it had before.

#![cfg(unix)]

use std::fs::{self, File, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::process::{Command, Stdio};

use crate::support::{POOL, Run, command, run};

const OLD: &str = "what was there before";

/// A folder with a pool, and with an `out` that is there already.
struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        let folder = Self(tempfile::TempDir::new().expect("a temporary directory"));
        fs::write(folder.path("pool.csv"), POOL).expect("a file");
        fs::write(folder.path("out"), OLD).expect("a file");
        folder
    }

    fn path(&self, name: &str) -> String {
        let path = self.0.path().join(name);
        path.to_str().expect("a path in UTF-8").to_owned()
    }

    /// `pair` with this as its output.
    fn pair(&self, out: &str) -> Run {
        run(&["pair", &self.path("pool.csv"), "--json", "-o", out])
    }

    /// `pair` in a shell that has run these commands before.
    fn pair_after(&self, commands: &str, out: &str) -> Run {
        let mut shell = Command::new("sh");
        shell.args(["-c", &format!("{commands}; exec \"$@\""), "sh"]);
        shell.arg(env!("CARGO_BIN_EXE_matchmaking"));
        shell.args(["pair", &self.path("pool.csv"), "--json", "-o", out]);
        shell.output().expect("a shell").into()
    }

    fn is_report(&self, name: &str) -> bool {
        let content = fs::read_to_string(self.path(name)).expect("a file");
        content.starts_with("{\"schema\":\"matchmaking/pair/1\"") && content.ends_with("}\n")
    }

    /// The names of all files, in order.
    fn names(&self) -> Vec<String> {
        let files = fs::read_dir(self.0.path()).expect("a directory");
        let name = |file: std::io::Result<fs::DirEntry>| file.expect("a file").file_name().into_string();
        let mut names: Vec<String> = files.map(|file| name(file).expect("a name in UTF-8")).collect();
        names.sort();
        names
    }
}

/// The file was emptied before it was known whether what took its place could be written.
#[test]
fn what_cannot_be_written_leaves_what_was_there() {
    let folder = Folder::new();
    // As a full disk does: nothing more is taken.
    let full = "trap '' XFSZ; ulimit -f 0";
    for (name, left) in [("out", &["out", "pool.csv"][..]), ("new", &["out", "pool.csv"])] {
        folder
            .pair_after(full, &folder.path(name))
            .refused(&[&folder.path(name), "cannot be written"]);
        assert_eq!(folder.names(), left);
    }
    assert_eq!(fs::read_to_string(folder.path("out")).ok().as_deref(), Some(OLD));
}

#[test]
fn who_is_ended_while_writing_leaves_what_was_there() {
    let folder = Folder::new();
    for name in ["out", "new"] {
        let ended = folder.pair_after("ulimit -f 0", &folder.path(name));
        assert_eq!(ended.code, None, "a signal ends it: {ended:?}");
    }
    assert_eq!(fs::read_to_string(folder.path("out")).ok().as_deref(), Some(OLD));
    assert!(fs::metadata(folder.path("new")).is_err());
}

#[test]
fn files_keep_permissions_and_names() {
    let folder = Folder::new();
    let [out, soft, chain, hard] = ["out", "soft", "chain", "hard"].map(|name| folder.path(name));
    symlink("out", &soft).expect("a link");
    symlink(&soft, &chain).expect("a link");
    fs::set_permissions(&out, Permissions::from_mode(0o604)).expect("permissions");
    for name in [&out, &soft, &chain] {
        fs::write(&out, OLD).expect("a file");
        assert_eq!(folder.pair(name).code, Some(0));
        assert!(folder.is_report("out"));
        assert_eq!(fs::metadata(&out).expect("a file").mode() & 0o7777, 0o604);
    }
    assert!(fs::symlink_metadata(&chain).expect("a link").is_symlink());
    fs::hard_link(&out, &hard).expect("a link");
    fs::write(&out, OLD).expect("a file");
    assert_eq!(folder.pair(&hard).code, Some(0));
    assert!(folder.is_report("out") && folder.is_report("hard"));
    assert_eq!(folder.names(), ["chain", "hard", "out", "pool.csv", "soft"]);
}

/// A link that leads nowhere yet makes the file that it leads to.
#[test]
fn new_files_are_as_all_new_files_are() {
    let folder = Folder::new();
    symlink("new", folder.path("soft")).expect("a link");
    let made = folder.pair_after("umask 027", &folder.path("soft"));
    assert_eq!(made.code, Some(0), "{made:?}");
    assert!(folder.is_report("new"));
    let mode = fs::symlink_metadata(folder.path("new")).expect("a file").mode();
    assert_eq!(mode & 0o7777, 0o640);
    assert_eq!(folder.names(), ["new", "out", "pool.csv", "soft"]);
}

/// Who may not make files beside it writes over it; who may not write to it does not put another in its place.
#[test]
fn what_may_be_written_is_what_counts() {
    let folder = Folder::new();
    let closed = folder.path("closed");
    fs::create_dir(&closed).expect("a directory");
    let out = folder.path("closed/out");
    fs::write(&out, OLD).expect("a file");
    fs::set_permissions(&closed, Permissions::from_mode(0o500)).expect("permissions");
    let written = folder.pair(&out);
    fs::set_permissions(&closed, Permissions::from_mode(0o700)).expect("permissions");
    assert_eq!(written.code, Some(0), "{written:?}");
    assert!(folder.is_report("closed/out"));

    fs::write(&out, OLD).expect("a file");
    fs::set_permissions(&out, Permissions::from_mode(0o400)).expect("permissions");
    // The administrator may write to all of them.
    if File::options().write(true).open(&out).is_err() {
        folder.pair(&out).refused(&[&out, "cannot be written"]);
        assert_eq!(fs::read_to_string(&out).ok().as_deref(), Some(OLD));
    }
}

/// It took a whole run to say so: here it ends before the input is looked for.
#[test]
fn what_may_not_be_written_is_refused_at_once() {
    let folder = Folder::new();
    let closed = folder.path("closed");
    fs::create_dir(&closed).expect("a directory");
    let [out, new, soft] = ["out", "closed/new", "soft"].map(|name| folder.path(name));
    symlink("closed/new", &soft).expect("a link");
    fs::set_permissions(&out, Permissions::from_mode(0o444)).expect("permissions");
    fs::set_permissions(&closed, Permissions::from_mode(0o555)).expect("permissions");
    // The administrator may write to all of them.
    if File::options().write(true).open(&out).is_err() {
        for name in [&out, &new, &soft] {
            let run = run(&["pair", &folder.path("none.csv"), "-o", name]);
            run.refused(&[&format!("error: {name}: cannot be written: Permission denied")]);
        }
        let picture = ["simulate", "eomm", "--sizes", "10", "--rounds", "5", "--plot", &new];
        run(&picture).refused(&[&new, "cannot be written"]);
    }
    fs::set_permissions(&closed, Permissions::from_mode(0o755)).expect("permissions");
    assert_eq!(fs::read_to_string(&out).ok().as_deref(), Some(OLD));
    assert_eq!(fs::read_dir(&closed).expect("a directory").count(), 0);
    // What is refused for another reason leaves no trace either.
    run(&["pair", &folder.path("none.csv"), "-o", &folder.path("fresh")]).refused(&["none.csv"]);
    run(&["pair", &folder.path("none.csv"), "-o", &folder.path("closed/../fresh")]).refused(&["none.csv"]);
    assert_eq!(folder.names(), ["closed", "out", "pool.csv", "soft"]);
}

/// They moved the cursor, and cut messages in two.
#[test]
fn names_of_files_are_written_with_escapes() {
    let folder = Folder::new();
    let name = folder.path("a'\n\u{1b}[31m.csv");
    let shown = folder.path("a'\\n\\u{1b}[31m.csv");
    run(&["pair", &name]).refused(&[&format!("matchmaking: error: {shown}: No such file")]);
    run(&["pair", "x", "-o", &format!("{name}/x")]).refused(&[&shown, "cannot be written"]);
    fs::write(&name, POOL).expect("a file");
    let report = run(&["pair", &name]).stdout;
    assert!(
        report
            .lines()
            .next()
            .is_some_and(|line| line.contains("\\n\\u{1b}[31m.csv: 6 players")),
        "{report}"
    );
}

#[test]
fn what_is_no_file_is_written_to() {
    let folder = Folder::new();
    let out = || File::create(folder.path("out")).expect("a file");
    // Stdout by its other name: a pipe, and a file that is still the same one afterwards.
    let piped = folder.pair("/dev/stdout");
    assert_eq!(piped.json()["status"], "optimal", "{piped:?}");
    let before = fs::metadata(folder.path("out")).expect("a file").ino();
    let mut program = command(&["pair", &folder.path("pool.csv"), "--json", "-o", "/dev/stdout"]);
    assert!(program.stdout(out()).status().expect("the program starts").success());
    assert!(folder.is_report("out"));
    assert_eq!(fs::metadata(folder.path("out")).expect("a file").ino(), before);
    // The file behind it has no name any more.
    let file = out();
    fs::remove_file(folder.path("out")).expect("a file");
    let mut program = command(&["pair", &folder.path("pool.csv"), "--json", "-o", "/dev/stdout"]);
    let stdout = Stdio::from(file.try_clone().expect("a file"));
    assert!(program.stdout(stdout).status().expect("the program starts").success());
    assert!(file.metadata().expect("a file").len() > 0);
    assert_eq!(folder.names(), ["pool.csv"]);
    if fs::metadata("/dev/full").is_ok() {
        folder.pair("/dev/full").refused(&["/dev/full: cannot be written"]);
    }
}

/// No file is made in the place of a link, or by a name that is no file's.
#[test]
fn what_names_no_file_is_refused() {
    let folder = Folder::new();
    let [one, two] = ["one", "two"].map(|name| folder.path(name));
    symlink(&one, &two).expect("a link");
    symlink(&two, &one).expect("a link");
    for out in [&one, &folder.path("new/"), &folder.path("new/."), &folder.path("out/")] {
        folder.pair(out).refused(&[out, "cannot be written"]);
    }
    assert_eq!(folder.names(), ["one", "out", "pool.csv", "two"]);
    assert!(fs::symlink_metadata(&one).expect("a link").is_symlink());
}

/// A pipe with a name takes what a pipe without one takes.
#[test]
fn pipes_with_names_are_written_to() {
    let folder = Folder::new();
    let pipe = folder.path("pipe");
    let made = Command::new("mkfifo").arg(&pipe).status().expect("mkfifo");
    assert!(made.success());
    let reader = std::thread::spawn({
        let pipe = pipe.clone();
        move || fs::read_to_string(pipe).expect("a pipe")
    });
    assert_eq!(folder.pair(&pipe).code, Some(0));
    assert!(reader.join().expect("a reader").starts_with("{\"schema\""));
    assert_eq!(folder.names(), ["out", "pipe", "pool.csv"]);
}

/// What took minutes to find was lost where its picture could not be written.
#[test]
fn a_picture_that_cannot_be_written_leaves_the_report() {
    let folder = Folder::new();
    let log = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/data/matches.csv");
    // No file has a name so long, which is not seen before it is written.
    let picture = folder.path(&"x".repeat(300));
    let pool = folder.path("pool.csv");
    for arguments in [
        &["group", &pool, "--size", "2"][..],
        &["fit", log],
        &["simulate", "eomm", "--sizes", "10", "--rounds", "5"],
        &[
            "simulate",
            "online",
            "--arrivals=100",
            "--replications=2",
            "--patterns=3",
        ],
    ] {
        let run = run(&[arguments, &["--json", "--plot", &picture]].concat());
        assert_eq!(run.code, Some(2), "{run:?}");
        assert!(run.stderr.contains(&format!("{picture}: cannot be written")), "{run:?}");
        assert!(run.json()["schema"].is_string(), "{run:?}");
    }
}
