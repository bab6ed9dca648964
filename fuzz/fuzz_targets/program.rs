//! A run of the program: the first line holds a subcommand and options, what follows is the file that it reads.
#![no_main]

use std::cell::RefCell;
use std::collections::HashMap;
use std::fs;

use fuzz::{Parsed, Ran, check_message, check_report, parse, run};
use libfuzzer_sys::fuzz_target;
use tempfile::TempDir;

/// Options that name other files, write them, or say how long a run may take.
const WITHHELD: [&str; 15] = [
    "-o",
    "--out",
    "--plot",
    "--report",
    "--model",
    "--instance",
    "--work",
    "--time",
    "--columns",
    "--states",
    "--floor",
    "--help",
    "-h",
    "--version",
    "-V",
];

/// Subcommands, how the file is named, if it is not the first word, and as much work as a run may do, if that can be limited.
const READERS: [(&str, &str, Option<u32>); 8] = [
    ("pair", "", Some(20_000)),
    ("group", "", Some(20_000)),
    ("lobby", "", Some(20_000)),
    ("online", "", Some(20_000)),
    ("fit", "", None),
    ("advise", "--ratings=", None),
    // A model is the file where the word for it is there.
    ("simulate eomm", FILE, Some(200_000)),
    ("simulate online", FILE, Some(200_000)),
];

/// The word that is replaced by what names the file.
const FILE: &str = "--model=FILE";

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
        let mut line = vec!["matchmaking".to_owned()];
        let named = |name: &str| {
            words
                .strip_prefix(name)
                .filter(|rest| !rest.starts_with(|c: char| !c.is_whitespace()))
        };
        let &(subcommand, option, limit) = READERS.iter().find(|(name, ..)| named(name).is_some())?;
        line.extend(subcommand.split(' ').map(str::to_owned));
        if option != FILE {
            line.push(format!("{option}{}", self.path("in")));
        }
        for word in named(subcommand)?.split_ascii_whitespace() {
            if option == FILE && word == FILE {
                line.push(format!("--model={}", self.path("in")));
                continue;
            }
            let is_file = !subcommand.eq("online") && word.starts_with("--players") || word.contains('/');
            if is_file || WITHHELD.iter().any(|option| word.starts_with(option)) {
                return None;
            }
            line.push(word.to_owned());
        }
        let report = if subcommand == "fit" { "--report" } else { "-o" };
        line.extend([format!("{report}={}", self.path("out")), "--quiet".to_owned()]);
        let has_limit = !(subcommand == "online" && !line.iter().any(|word| word.contains("optimum")));
        line.extend(limit.filter(|_| has_limit).map(|work| format!("--work-limit={work}")));
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
                check_report(&json);
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
