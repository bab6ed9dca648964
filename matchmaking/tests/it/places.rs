//! What a run writes takes the place of nothing that it reads, and of nothing else that it writes.

#![cfg(unix)]

use std::fs::{self, File};
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Stdio;

use crate::support::{POOL, Run, command, run};

const SAME: &str = "writes to the same file";
const READ: &str = "is read; give another file";

/// A folder with a pool.
struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        let folder = Self(tempfile::TempDir::new().expect("a temporary directory"));
        fs::write(folder.path("pool.csv"), POOL).expect("a file");
        folder
    }

    fn path(&self, name: &str) -> String {
        let path = self.0.path().join(name);
        path.to_str().expect("a path in UTF-8").to_owned()
    }

    /// The pool is as it was.
    fn is_whole(&self) -> bool {
        fs::read_to_string(self.path("pool.csv")).is_ok_and(|content| content == POOL)
    }
}

/// Reports replaced the pools and logs that they were about, models the logs that they were fitted to.
#[test]
fn inputs_are_not_written_over() {
    let folder = Folder::new();
    let [pool, hard, soft, chain] = ["pool.csv", "hard", "soft", "chain"].map(|name| folder.path(name));
    fs::hard_link(&pool, &hard).expect("a link");
    symlink(Path::new("pool.csv"), &soft).expect("a link");
    symlink(&soft, &chain).expect("a link");
    for out in [&pool, &hard, &soft, &chain, &folder.path("./pool.csv")] {
        for input in [&pool, &hard, &chain] {
            run(&["pair", input, "-o", out]).refused(&["-o: would write over", input, READ]);
        }
        run(&["group", &pool, "--size", "2", "--plot", out]).refused(&["--plot", &pool, READ]);
        run(&["lobby", &pool, "-o", out]).refused(&["-o", &pool, READ]);
        run(&["online", &pool, "--policy", "greedy", "-o", out]).refused(&["-o", &pool, READ]);
        for option in ["-o", "--players", "--plot", "--report"] {
            run(&["fit", &pool, option, out]).refused(&[option, &pool, READ]);
        }
        let market = ["advise", "--team-size", "2", "--alpha", "1", "--ratings", &pool];
        run(&[&market[..], &["-o", out]].concat()).refused(&["-o", &pool, READ]);
        run(&["pair", "x", "--model", &pool, "-o", out]).refused(&["-o", &pool, READ]);
        run(&["simulate", "eomm", "--model", &pool, "--plot", out]).refused(&["--plot", &pool, READ]);
    }
    assert!(folder.is_whole());
}

#[test]
fn a_file_on_stdin_is_not_written_over_either() {
    let folder = Folder::new();
    let pool = folder.path("pool.csv");
    let redirected = |out: &[&str], stdout: Stdio| -> Run {
        let mut program = command(&[&["pair", "-"], out].concat());
        program.stdin(File::open(&pool).expect("a file")).stdout(stdout);
        program.output().expect("the program starts").into()
    };
    redirected(&["-o", &pool], Stdio::piped()).refused(&["-o", "the file on stdin", READ]);
    let appended = File::options().append(true).open(&pool).expect("a file");
    redirected(&[], appended.into()).refused(&["-o", "the file on stdin", READ]);
    assert!(folder.is_whole());
    let elsewhere = redirected(&["-o", &folder.path("out")], Stdio::piped());
    assert_eq!(elsewhere.code, Some(0), "{elsewhere:?}");
}

/// Of two links to a file that is not there yet, and of two hard links, the second took the place of the first.
#[test]
fn other_names_of_what_is_written_are_seen() {
    let folder = Folder::new();
    let [new, one, two, old, hard] = ["new", "one", "two", "old", "hard"].map(|name| folder.path(name));
    symlink("new", &one).expect("a link");
    symlink(&one, &two).expect("a link");
    fs::write(&old, "").expect("a file");
    fs::hard_link(&old, &hard).expect("a link");
    for (first, second) in [(&one, &two), (&two, &new), (&new, &one), (&old, &hard)] {
        run(&["fit", "x", "-o", first, "--players", second]).refused(&["--players", "-o", SAME]);
    }
    let report = File::create(folder.path("report")).expect("a file");
    let mut program = command(&["fit", "x", "-o", &folder.path("report")]);
    let written: Run = program.stdout(report).output().expect("the program starts").into();
    written.refused(&["-o", "--report", SAME]);
    assert!(fs::metadata(new).is_err());
}

/// It was seen when everything was solved.
#[test]
fn what_would_be_in_a_file_is_refused_before_anything_is_read() {
    let folder = Folder::new();
    let out = folder.path("pool.csv/out");
    for arguments in [["-o", &out], ["--plot", &out]] {
        run(&[&["group", "x"], &arguments[..]].concat()).refused(&[&out, "cannot be written"]);
    }
    assert!(folder.is_whole());
}

/// Nothing is lost there, whoever writes.
#[test]
fn devices_take_everything() {
    let folder = Folder::new();
    let pool = folder.path("pool.csv");
    let run = run(&["group", &pool, "--size", "2", "-o", "/dev/null", "--plot", "/dev/null"]);
    assert_eq!(run.code, Some(0), "{run:?}");
}
