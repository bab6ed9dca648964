//! A run of the program: the first line holds a subcommand and options, what follows is the file that it reads.
#![no_main]

use std::cell::RefCell;
use std::collections::HashMap;
use std::fs;

use fuzz::{Parsed, Ran, check_message, parse, run};
use libfuzzer_sys::fuzz_target;
use tempfile::TempDir;

/// Options that name other files, write them, or say how long a run may take.
const WITHHELD: [&str; 13] = [
    "-o",
    "--out",
    "--plot",
    "--report",
    "--model",
    "--instance",
    "--work",
    "--time",
    "--columns",
    "--help",
    "-h",
    "--version",
    "-V",
];

/// Subcommands that read a file, and the option that names it, if it is not the first word; whether they take a limit of work.
const READERS: [(&str, &str, bool); 6] = [
    ("pair", "", true),
    ("group", "", true),
    ("lobby", "", true),
    ("online", "", true),
    ("fit", "", false),
    ("advise", "--ratings=", false),
];

/// As much work as a run may do.
const WORK: &str = "--work-limit=20000";

/// The folder of the run, and command lines that were read before.
struct Runs {
    folder: TempDir,
    parsed: HashMap<String, Option<Parsed>>,
}

impl Runs {
    fn path(&self, name: &str) -> String {
        self.folder.path().join(name).display().to_string()
    }

    /// The command line of these words, if it is one that a run may have.
    fn parse(&self, words: &str) -> Option<Parsed> {
        let (mut words, mut line) = (words.split_ascii_whitespace(), vec!["matchmaking".to_owned()]);
        let subcommand = words.next()?;
        let &(_, option, is_limited) = READERS.iter().find(|(name, ..)| *name == subcommand)?;
        line.extend([subcommand.to_owned(), format!("{option}{}", self.path("in"))]);
        for word in words {
            let is_file = !subcommand.eq("online") && word.starts_with("--players") || word.contains('/');
            if is_file || WITHHELD.iter().any(|option| word.starts_with(option)) {
                return None;
            }
            line.push(word.to_owned());
        }
        let report = if subcommand == "fit" { "--report" } else { "-o" };
        line.extend([format!("{report}={}", self.path("out")), "--quiet".to_owned()]);
        if is_limited && !(subcommand == "online" && !line.iter().any(|word| word.contains("optimum"))) {
            line.push(WORK.to_owned());
        }
        parse(line.iter().map(String::as_str)).ok()
    }
}

thread_local! {
    static RUNS: RefCell<Runs> = RefCell::new(Runs {
        folder: TempDir::new().expect("a folder"),
        parsed: HashMap::new(),
    });
}

fn check(runs: &mut Runs, words: &str, file: &[u8]) {
    if !runs.parsed.contains_key(words) {
        let parsed = runs.parse(words);
        if runs.parsed.len() > 1_000 {
            runs.parsed.clear();
        }
        runs.parsed.insert(words.to_owned(), parsed);
    }
    let Some(Some(parsed)) = runs.parsed.get(words) else {
        return;
    };
    let (input, output) = (runs.path("in"), runs.path("out"));
    fs::write(&input, file).expect("a file");
    match run(parsed) {
        Ran::Through(code) => {
            assert!([0, 1, 3, 4].contains(&code));
            let report = fs::read_to_string(&output).expect("a report of text");
            assert!(!report.trim().is_empty());
            if words.contains("--json") {
                let json: serde_json::Value =
                    serde_json::from_str(&report).unwrap_or_else(|error| panic!("{error}: {report}"));
                assert!(json.is_object());
            }
        }
        Ran::Failed(code, message) => {
            assert_eq!(code, 2, "{message}");
            check_message(&message.strip_prefix(&format!("{input}: ")).unwrap_or(&message), file);
        }
    }
}

fuzz_target!(|text: &[u8]| {
    let end = text.iter().position(|&byte| byte == b'\n').unwrap_or(text.len());
    if let Ok(words) = std::str::from_utf8(&text[..end]) {
        RUNS.with_borrow_mut(|runs| check(runs, words, text.get(end + 1..).unwrap_or_default()));
    }
});
