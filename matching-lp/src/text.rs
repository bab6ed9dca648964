//! Programs as texts that solvers read: the LP format of CPLEX, and free MPS.

use core::fmt::{Display, Write};

/// Characters of a line of the LP format, but for a right-hand side behind them: some readers take 255, CPLEX 560.
const LONGEST_LINE: usize = 220;

/// Characters of a number that is written without an exponent: those of a float of seventeen digits and some zeros.
const LONGEST_NUMBER: usize = 24;

/// The values that a column may have.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Range {
    /// Zero or one.
    Binary,
    /// Whole numbers from the first to the second.
    Whole(f64, f64),
    /// All numbers from the first to the second.
    #[cfg_attr(not(feature = "good_lp"), allow(dead_code))] // No program of teams has any.
    Real(f64, f64),
}

/// A variable, and what a unit of it costs.
pub(crate) struct Column<C> {
    pub(crate) name: String,
    pub(crate) cost: C,
    pub(crate) range: Range,
}

/// How a row compares with its right-hand side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Relation {
    Equal,
    AtMost,
}

/// A row: the numbers of columns in it, with their entries.
pub(crate) struct Row<E> {
    pub(crate) name: String,
    pub(crate) relation: Relation,
    pub(crate) right: E,
    pub(crate) entries: Vec<(usize, E)>,
}

/// A program whose cost is to be minimised. Names are not empty, have no spaces, and no two columns or rows share one.
pub(crate) struct Text<C, E> {
    /// What it is about, in one line.
    pub(crate) title: &'static str,
    pub(crate) columns: Vec<Column<C>>,
    pub(crate) rows: Vec<Row<E>>,
}

impl<C, E> Text<C, E>
where
    C: Display,
    E: Display,
{
    pub(crate) fn to_lp(&self) -> String {
        let mut text = format!("\\ {}\nMinimize\n cost:", self.title);
        // A program without columns still has an objective.
        if self.columns.is_empty() {
            text.push_str(" 0 none");
        }
        for column in &self.columns {
            write_term(&mut text, &column.cost, &column.name);
        }
        text.push_str("\nSubject To\n");
        for row in &self.rows {
            let _ = write!(text, " {}:", row.name);
            if row.entries.is_empty() {
                let _ = write!(
                    text,
                    " 0 {}",
                    self.columns.first().map_or("none", |column| &column.name)
                );
            }
            for (column, entry) in &row.entries {
                write_term(&mut text, entry, &self.columns[*column].name);
            }
            let relation = match row.relation {
                Relation::Equal => "=",
                Relation::AtMost => "<=",
            };
            let _ = writeln!(text, " {relation} {}", number(&row.right));
        }
        text.push_str("Bounds\n");
        for column in &self.columns {
            if let Range::Whole(least, most) | Range::Real(least, most) = column.range {
                let _ = writeln!(text, " {} <= {} <= {}", bound(least), column.name, bound(most));
            }
        }
        self.write_section(&mut text, "Binary", |range| range == Range::Binary);
        self.write_section(&mut text, "General", |range| matches!(range, Range::Whole(..)));
        text.push_str("End\n");
        text
    }

    /// The names of all columns of a kind.
    fn write_section(&self, text: &mut String, title: &str, is_in: impl Fn(Range) -> bool) {
        let mut names = self.columns.iter().filter(|column| is_in(column.range)).peekable();
        if names.peek().is_some() {
            let _ = writeln!(text, "{title}");
        }
        for column in names {
            let _ = writeln!(text, " {}", column.name);
        }
    }

    pub(crate) fn to_mps(&self) -> String {
        // CBC takes fields to be where fixed columns have them unless it is told.
        let mut text = String::from("NAME grouping FREE\nROWS\n N cost\n");
        let mut entries: Vec<Vec<(usize, &E)>> = vec![Vec::new(); self.columns.len()];
        for (number, row) in self.rows.iter().enumerate() {
            let relation = match row.relation {
                Relation::Equal => 'E',
                Relation::AtMost => 'L',
            };
            let _ = writeln!(text, " {relation} {}", row.name);
            for (column, entry) in &row.entries {
                entries[*column].push((number, entry));
            }
        }
        text.push_str("COLUMNS\n");
        // Whole numbers first, since they stand between markers.
        for are_whole in [true, false] {
            if are_whole {
                text.push_str(" MARKER 'MARKER' 'INTORG'\n");
            }
            for (column, entries) in self.columns.iter().zip(&entries) {
                if are_whole != matches!(column.range, Range::Real(..)) {
                    let _ = writeln!(text, " {} cost {}", column.name, number(&column.cost));
                    for (row, entry) in entries {
                        let _ = writeln!(text, " {} {} {}", column.name, self.rows[*row].name, number(*entry));
                    }
                }
            }
            if are_whole {
                text.push_str(" MARKER 'MARKER' 'INTEND'\n");
            }
        }
        // Rows without any column are taken for no program at all.
        if self.columns.is_empty() {
            text.push_str(" none cost 0\n");
        }
        text.push_str("RHS\n");
        for row in &self.rows {
            let _ = writeln!(text, " RHS {} {}", row.name, number(&row.right));
        }
        text.push_str("BOUNDS\n");
        for column in &self.columns {
            match column.range {
                Range::Binary => {
                    let _ = writeln!(text, " BV BND {}", column.name);
                }
                Range::Whole(least, most) | Range::Real(least, most) => {
                    write_mps_bounds(&mut text, &column.name, least, most);
                }
            }
        }
        text.push_str("ENDATA\n");
        text
    }
}

fn write_mps_bounds(text: &mut String, name: &str, least: f64, most: f64) {
    let _ = if least.is_finite() {
        writeln!(text, " LO BND {name} {}", number(&least))
    } else {
        writeln!(text, " MI BND {name}")
    };
    let _ = if most.is_finite() {
        writeln!(text, " UP BND {name} {}", number(&most))
    } else {
        writeln!(text, " PL BND {name}")
    };
}

fn bound(value: f64) -> String {
    match value {
        f64::INFINITY => "+inf".to_owned(),
        f64::NEG_INFINITY => "-inf".to_owned(),
        _ => number(&value),
    }
}

/// A number without loss, and not as long as floats are that are very large or small.
fn number<T: Display>(value: &T) -> String {
    let plain = value.to_string();
    // Totals of integers have 40 bits, so that what is longer is a float, and read as the same one.
    match plain.parse::<f64>() {
        Ok(float) if plain.len() > LONGEST_NUMBER => format!("{float:e}"),
        _ => plain,
    }
}

fn write_term<T: Display>(text: &mut String, factor: &T, name: &str) {
    let factor = number(factor);
    // A zero may have a sign, too.
    let sign = if factor.starts_with('-') { "" } else { "+ " };
    let term = format!(" {sign}{factor} {name}");
    let line = text.len() - text.rfind('\n').map_or(0, |end| end + 1);
    if line + term.len() > LONGEST_LINE {
        text.push_str("\n ");
    }
    text.push_str(&term);
}
