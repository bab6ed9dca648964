//! Draws the pictures of two papers on matchmaking from the chains of `markov`, into `markov/figures/`.
//!
//! ```text
//! cargo run --release -p benches --example figures
//! ```

use std::error::Error;
use std::fs;
use std::path::Path;

use benches::figures;

fn main() -> Result<(), Box<dyn Error>> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../markov/figures");
    fs::create_dir_all(&directory)?;
    for picture in figures::all()? {
        let text = picture.draw()?;
        fs::write(directory.join(picture.file), &text)?;
        println!("{}: {} bytes", picture.file, text.len());
    }
    Ok(())
}
