//! All figures of the page, kept in a text file between runs.
//!
//! Lines that begin with `#` say where the figures come from, the others are records, fields separated by tabs.

use std::collections::HashSet;
use std::error::Error;
use std::fs;
use std::io;
use std::path::Path;
use std::time::Duration;

use benches::comparison::{Cell, PYTHON_PEERS, Stop};
use benches::families::Family;

use crate::machine;
use crate::record::{HEAD, Record};
use crate::roster::{OURS, OURS_THREADS};

/// Everything that is known.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Results {
    /// Where it was measured.
    pub(crate) machine: String,
    pub(crate) compiler: String,
    pub(crate) versions: Vec<(String, String)>,
    /// Every command that contributed, with its date.
    pub(crate) commands: Vec<(String, String)>,
    pub(crate) records: Vec<Record>,
}

impl Results {
    /// What an earlier run wrote; nothing if there was none.
    pub(crate) fn read(path: &Path) -> Result<Self, Box<dyn Error>> {
        match fs::read_to_string(path) {
            Ok(text) => Self::parse(&text).map_err(|line| format!("{}: {line:?}", path.display()).into()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Self::default()),
            Err(error) => Err(error.into()),
        }
    }

    /// Notes a run that is about to add records.
    pub(crate) fn begin(
        &mut self,
        machine: &str,
        versions: &[(String, String)],
        command: &str,
    ) -> Result<(), Box<dyn Error>> {
        if !self.records.is_empty() && self.machine != machine {
            let known = &self.machine;
            return Err(format!("the figures so far are of {known}, this is {machine}: --fresh starts anew").into());
        }
        machine.clone_into(&mut self.machine);
        self.compiler = machine::compiler()?;
        for (name, version) in versions {
            self.versions.retain(|(known, _)| known != name);
            self.versions.push((name.clone(), version.clone()));
        }
        self.versions.sort();
        self.commands.retain(|(_, known)| known != command);
        self.commands.push((machine::date()?, command.to_owned()));
        Ok(())
    }

    /// Adds records in the place of older ones of the same solver and instance.
    pub(crate) fn replace(&mut self, records: Vec<Record>) {
        let key = |record: &Record| (record.family, record.size, record.solver.clone());
        for record in records {
            self.records.retain(|known| key(known) != key(&record));
            self.records.push(record);
        }
        let family = |record: &Record| Family::ALL.iter().position(|&family| family == record.family);
        self.records.sort_by_key(|record| (family(record), record.size));
    }

    /// Solvers that ran into this limit, or a longer one, or out of memory, on a smaller instance of the family: they
    /// are not asked for larger ones.
    pub(crate) fn given_up(&self, family: Family, size: usize, limit: Duration) -> HashSet<String> {
        let smaller = self
            .records
            .iter()
            .filter(|record| record.family == family && record.size < size);
        let stopped = smaller.filter(|record| match record.cell {
            Cell::Stopped(Stop::OverLimit(known)) => known >= limit,
            Cell::Stopped(Stop::OverMemory(_) | Stop::TooLarge) => true,
            _ => false,
        });
        stopped.map(|record| record.solver.clone()).collect()
    }

    /// Every solver with a record: this project's, linked ones, LEMON and others, Python packages.
    pub(crate) fn solvers(&self) -> Vec<&str> {
        let linked = ["integer-blossom", "mwmatching", "rustworkx-core", "lemon"];
        let is_python = |name: &str| {
            PYTHON_PEERS
                .iter()
                .any(|package| name.starts_with(package) && name.ends_with(')'))
        };
        let rank = |name: &str| match name {
            OURS => 0,
            OURS_THREADS => 1,
            _ if is_python(name) => 100,
            _ => 2 + linked.iter().position(|known| *known == name).unwrap_or(linked.len()),
        };
        let mut names: Vec<&str> = self.records.iter().map(|record| record.solver.as_str()).collect();
        names.sort_by_key(|name| (rank(name), *name));
        names.dedup();
        names
    }

    pub(crate) fn write(&self, path: &Path) -> io::Result<()> {
        if let Some(directory) = path.parent() {
            fs::create_dir_all(directory)?;
        }
        fs::write(path, self.text())
    }

    fn text(&self) -> String {
        let mut text = format!("#machine\t{}\n#compiler\t{}\n", self.machine, self.compiler);
        for (name, version) in &self.versions {
            text += &format!("#version\t{name}\t{version}\n");
        }
        for (date, command) in &self.commands {
            text += &format!("#command\t{date}\t{command}\n");
        }
        text += HEAD;
        text += "\n";
        for record in &self.records {
            text += &record.line();
        }
        text
    }

    /// The results in a text, or the line that is not understood.
    fn parse(text: &str) -> Result<Self, String> {
        let mut results = Self::default();
        for line in text.lines().filter(|line| !line.is_empty() && *line != HEAD) {
            let fields: Vec<&str> = line.split('\t').collect();
            match fields.as_slice() {
                ["#machine", machine] => results.machine = (*machine).to_owned(),
                ["#compiler", compiler] => results.compiler = (*compiler).to_owned(),
                ["#version", name, version] => results.versions.push(((*name).to_owned(), (*version).to_owned())),
                ["#command", date, command] => results.commands.push(((*date).to_owned(), (*command).to_owned())),
                fields => results.records.push(Record::parse(fields).ok_or(line)?),
            }
        }
        Ok(results)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::tests::{done, record};

    #[test]
    fn what_is_written_is_what_is_read() {
        let mut results = Results {
            machine: "a machine".to_owned(),
            compiler: "1.0".to_owned(),
            versions: vec![("peer".to_owned(), "2".to_owned())],
            commands: vec![("2026-01-31".to_owned(), "page --external \"a b=c\"".to_owned())],
            records: Vec::new(),
        };
        let limit = Stop::OverLimit(Duration::from_secs(60));
        let memory = Stop::OverMemory(8);
        let stops = [limit, memory, Stop::TooLarge, Stop::Failed, Stop::Wrong].map(Cell::Stopped);
        let mut records: Vec<Record> = stops.into_iter().map(|cell| record("peer", cell)).collect();
        records.push(record("outside solver 3", done(0.5)));
        for (at, record) in records.iter_mut().enumerate() {
            record.size += at;
        }
        results.replace(records);
        assert_eq!(Results::parse(&results.text()), Ok(results.clone()));
        assert_eq!(Results::parse("no record").unwrap_err(), "no record");
    }

    #[test]
    fn a_record_takes_the_place_of_an_older_one() {
        let mut results = Results::default();
        results.replace(vec![record(OURS, done(3.0)), record("other", done(4.0))]);
        results.replace(vec![record(OURS, done(1.0))]);
        assert_eq!(results.records.len(), 2);
        assert_eq!(results.solvers(), [OURS, "other"]);
        let ours = results.records.iter().find(|record| record.solver == OURS);
        assert_eq!(ours, Some(&record(OURS, done(1.0))));
    }

    #[test]
    fn who_ran_into_a_limit_is_asked_again_for_a_longer_one_only() {
        let mut results = Results::default();
        let limit = Duration::from_secs(3);
        results.replace(vec![
            record("slow", Cell::Stopped(Stop::OverLimit(limit))),
            record(OURS, done(1.0)),
        ]);
        let given_up = |size, limit| results.given_up(Family::Pendants, size, limit).len();
        assert_eq!(
            (given_up(200, limit), given_up(200, 2 * limit), given_up(100, limit)),
            (1, 0, 0)
        );
        assert!(results.given_up(Family::Eomm, 200, limit).is_empty());
    }

    #[test]
    fn figures_of_two_machines_are_not_mixed() {
        let mut results = Results::default();
        results.begin("one", &[], "command").unwrap();
        results.replace(vec![record(OURS, done(3.0))]);
        assert!(results.begin("one", &[], "command").is_ok());
        assert!(results.begin("other", &[], "command").is_err());
        assert_eq!(results.commands.len(), 1);
    }
}
