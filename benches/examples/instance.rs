//! Writes one instance to a file: `cargo run --release -p benches --example instance -- grid 100000 1 grid.txt`.
//! A file name that ends in `.dimacs` gets the DIMACS format, any other the plain one.

use std::error::Error;
use std::path::Path;

use benches::families::{self, Family};
use benches::files::{self, Format};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let names: Vec<&str> = Family::ALL.iter().map(|family| family.name()).collect();
    let usage = format!("usage: instance FAMILY N SEED FILE; families: {}", names.join(", "));
    let [family, n, seed, path] = arguments.as_slice() else {
        return Err(usage.into());
    };
    let family = Family::by_name(family).ok_or_else(|| format!("no family {family:?}; {usage}"))?;
    let path = Path::new(path);
    let format = if path.extension().is_some_and(|end| end == "dimacs") {
        Format::Dimacs
    } else {
        Format::Plain
    };
    let seed = seed.parse().map_err(|_| format!("{seed:?} is not a seed"))?;
    let instance = family.instance(families::size(n)?, seed);
    files::write_file(&instance, format, path).map_err(|error| format!("{}: {error}", path.display()))?;
    let again = files::read_file(path)?;
    assert_eq!(again, instance, "what was written is what is read");
    println!(
        "{}: {} vertices, {} edges",
        family.name(),
        instance.vertices,
        instance.edges.len()
    );
    Ok(())
}
