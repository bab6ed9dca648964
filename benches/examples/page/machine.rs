//! What the page says about where its figures come from.

use std::error::Error;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::thread;

/// Processor and number of threads, as far as the system tells.
pub(crate) fn describe() -> Result<String, Box<dyn Error>> {
    let field = |file: &str, key: &str| {
        let text = fs::read_to_string(file).ok()?;
        let line = text.lines().find(|line| line.starts_with(key))?;
        Some(line.split_once(':')?.1.trim().to_owned())
    };
    let unknown = || "unknown processor".to_owned();
    let processor = field("/proc/cpuinfo", "model name").unwrap_or_else(unknown);
    let family = |key| field("/proc/cpuinfo", key).unwrap_or_else(|| "?".to_owned());
    let threads = thread::available_parallelism()?;
    Ok(format!(
        "{processor} (family {}, model {}), {threads} threads, {} {}",
        family("cpu family"),
        family("model\t"),
        std::env::consts::OS,
        std::env::consts::ARCH,
    ))
}

/// Today.
pub(crate) fn date() -> Result<String, Box<dyn Error>> {
    line_of("date", &["-u", "+%Y-%m-%d"])
}

/// The compiler of the path, which is the one that cargo uses.
pub(crate) fn compiler() -> Result<String, Box<dyn Error>> {
    let line = line_of("rustc", &["--version"])?;
    let mut words = line.split(' ');
    Ok(words.nth(1).unwrap_or(&line).to_owned())
}

fn line_of(program: &str, arguments: &[&str]) -> Result<String, Box<dyn Error>> {
    let output = Command::new(program)
        .args(arguments)
        .output()
        .map_err(|error| format!("{program} does not run: {error}"))?;
    Ok(String::from_utf8(output.stdout)?.trim().to_owned())
}

/// The version of a package in this workspace's lock file.
pub(crate) fn locked_version(package: &str) -> Result<String, Box<dyn Error>> {
    let lock = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../Cargo.lock"))?;
    let name = format!("name = \"{package}\"");
    let mut lines = lock.lines().skip_while(|line| *line != name);
    let version = lines
        .nth(1)
        .and_then(|line| line.strip_prefix("version = \"")?.strip_suffix('"'));
    Ok(version
        .ok_or_else(|| format!("{package} is not in Cargo.lock"))?
        .to_owned())
}
