//! Ratings from CSV, and bands of them.

use std::io::Read;

use csv::ByteRecord;
use markov::{Rational, Scalar};
use matchmaking::ReadError;

use super::report::Band;
use crate::quoted::quoted;
use crate::records::{Records, line_of};

/// What is wrong with a file of ratings; lines count from 1.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum RatingsError {
    /// It cannot be read as CSV.
    Read(ReadError),
    /// There is nothing in it.
    Empty,
    /// There is no column of that name.
    MissingColumn { line: u64, found: String },
    /// There is a header and nothing else.
    NoPlayers { line: u64 },
    /// There are several columns of that name.
    TwoColumns { line: u64 },
    /// A line has more fields than the header: which of them is the rating cannot be known.
    Long { line: u64, found: usize, wanted: usize },
    /// A line ends before the rating.
    Short { line: u64 },
    /// A rating that is no finite number.
    BadRating { line: u64, found: String },
}

impl std::fmt::Display for RatingsError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Read(source) => write!(f, "{source}"),
            Self::MissingColumn { line, found } => {
                write!(
                    f,
                    "line {line}: column `rating` is missing; the header has {}",
                    quoted(found)
                )
            }
            Self::Empty => write!(
                f,
                "line 1: the file is empty; write a header line with a column `rating`"
            ),
            Self::TwoColumns { line } => write!(f, "line {line}: column `rating` appears twice; keep one of them"),
            Self::Long { line, found, wanted } => write!(
                f,
                "line {line}: {found} fields where the header has {wanted}; a comma too many, or a field with a comma that \
                 needs quotes"
            ),
            Self::NoPlayers { line } => write!(
                f,
                "line {line}: there is a header and no player; write one player a line below it"
            ),
            Self::Short { line } => write!(f, "line {line}, column rating: the line ends before it"),
            Self::BadRating { line, found } => write!(
                f,
                "line {line}, column rating: {found} is not a finite number; write one like 1500 or 1487.5",
                found = quoted(found)
            ),
        }
    }
}

/// Reads the column `rating`, in rising order; other columns may hold anything.
pub(super) fn read(input: impl Read) -> Result<Vec<f64>, RatingsError> {
    let (mut records, mut record) = (Records::new(input), ByteRecord::new());
    let mut next = |record: &mut ByteRecord| records.next(record).map_err(RatingsError::Read);
    if !next(&mut record)? {
        return Err(RatingsError::Empty);
    }
    let header = line_of(&record);
    let names: Vec<String> = record.iter().map(text).collect();
    let mut columns = (0..names.len()).filter(|&column| names[column] == "rating");
    let Some(column) = columns.next() else {
        return Err(without_ratings(&record, &names));
    };
    if columns.next().is_some() {
        return Err(RatingsError::TwoColumns { line: header });
    }
    let mut ratings = Vec::new();
    while next(&mut record)? {
        let line = line_of(&record);
        let (found, wanted) = (record.len(), names.len());
        if found > wanted {
            return Err(RatingsError::Long { line, found, wanted });
        }
        let field = record.get(column).ok_or(RatingsError::Short { line })?;
        let found = text(field);
        match found.parse() {
            Ok(rating) if f64::is_finite(rating) => ratings.push(rating),
            _ => return Err(RatingsError::BadRating { line, found }),
        }
    }
    if ratings.is_empty() {
        return Err(RatingsError::NoPlayers { line: header });
    }
    ratings.sort_by(f64::total_cmp);
    Ok(ratings)
}

/// What a header lacks that names no ratings. Other columns may hold any bytes; but where a file is in another encoding, or has its
/// names separated by something else, that is what is wrong.
fn without_ratings(header: &ByteRecord, names: &[String]) -> RatingsError {
    let line = line_of(header);
    if let Some(position) = header.iter().position(|field| str::from_utf8(field).is_err()) {
        let column = (position + 1).to_string();
        return RatingsError::Read(ReadError::NotUtf8 { line, column });
    }
    if let [one] = names
        && let Some(separator) = one.chars().find(|letter| [';', '\t'].contains(letter))
    {
        return RatingsError::Read(ReadError::OtherSeparator { line, separator });
    }
    RatingsError::MissingColumn {
        line,
        found: names.join(","),
    }
}

fn text(field: &[u8]) -> String {
    let text = String::from_utf8_lossy(field);
    text.trim_start_matches('\u{feff}').trim().to_owned()
}

/// How ratings are cut into bands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Layout {
    /// So many, of as equal numbers of players as ties allow.
    Count(usize),
    /// Of this many rating points each, from a multiple of it on.
    Width(f64),
}

/// The bands of rising ratings, none of them empty, each split at a quantile: players of equal ratings stay together.
pub(super) fn bands(ratings: &[f64], layout: Layout, quantile: &Rational) -> Vec<Band> {
    let mut ends = match layout {
        Layout::Count(count) => shares(ratings, count),
        Layout::Width(width) => multiples(ratings, width),
    };
    ends.push(ratings.len());
    let mut start = 0;
    let cut = |end| {
        let part = &ratings[start..end];
        start = end;
        band(part, quantile)
    };
    ends.into_iter().map(cut).collect()
}

/// Where so many equal shares end, all but the last. Within a run of equal ratings it is the end of the run that is
/// nearer, of two as near the lower one; unless a band would be empty, then the other.
fn shares(ratings: &[f64], count: usize) -> Vec<usize> {
    let mut ends = Vec::new();
    for wanted in (1..count).map(|share| share * ratings.len() / count) {
        let last = ends.last().copied().unwrap_or(0);
        if wanted <= last {
            continue;
        }
        let rating = ratings[wanted];
        let lower = ratings.partition_point(|&other| other < rating);
        // Just below a rating that begins there, nothing has to move.
        let upper = if lower == wanted {
            wanted
        } else {
            ratings.partition_point(|&other| other <= rating)
        };
        let sides = [lower, upper]
            .into_iter()
            .filter(|&side| last < side && side < ratings.len());
        ends.extend(sides.min_by_key(|side| side.abs_diff(wanted)));
    }
    ends
}

/// Where the players of one multiple of the width end, all but the last.
fn multiples(ratings: &[f64], width: f64) -> Vec<usize> {
    let numbers: Vec<f64> = ratings.iter().map(|&rating| multiple(rating, width)).collect();
    (1..ratings.len())
        .filter(|&at| numbers[at] != numbers[at - 1])
        .collect()
}

/// Which multiple of the width a rating's band begins at. A rating that is a multiple begins its band, although in floats
/// 0.3 / 0.1 is a little less than 3.
fn multiple(rating: f64, width: f64) -> f64 {
    /// Three roundings, of the two numbers and of the quotient, and room for as many more.
    const TOLERANCE: f64 = 4.0 * f64::EPSILON;
    let quotient = rating / width;
    let nearest = quotient.round();
    if (quotient - nearest).abs() <= TOLERANCE * nearest.abs() {
        nearest
    } else {
        quotient.floor()
    }
}

fn band(ratings: &[f64], quantile: &Rational) -> Band {
    let players = ratings.len();
    let below = up_to(quantile, players).clamp(1, players);
    let split = ratings[below - 1];
    let above = players - ratings.partition_point(|&rating| rating <= split);
    // A split at the best rating leaves nobody above it: ties there are as high as anybody gets.
    let high = match above {
        0 => players - ratings.partition_point(|&rating| rating < split),
        above => above,
    };
    Band {
        from: ratings[0],
        to: ratings[players - 1],
        players,
        split,
        high,
    }
}

/// A share from 0 to 1 of the players, rounded up: 0.07 of 100 are 7, which floats make a little more.
fn up_to(share: &Rational, players: usize) -> usize {
    let count = share
        .fraction()
        .map(|(numerator, denominator)| (numerator * players + denominator - 1_u32) / denominator);
    count.and_then(|count| usize::try_from(count).ok()).unwrap_or(players)
}

#[cfg(test)]
mod tests {
    use markov::{Rational, Scalar};

    use super::{Layout, RatingsError, bands, read};

    #[test]
    fn ratings_are_found_among_other_columns() {
        let csv = "\u{feff}id, rating ,note\nAnn,1500,x\nBen, 1487.5 \nCho,-3,\"a,b\"\n";
        assert_eq!(read(csv.as_bytes()), Ok(vec![-3.0, 1487.5, 1500.0]));
    }

    #[test]
    fn mistakes_have_a_line() {
        let error = |csv: &str| read(csv.as_bytes()).map_err(|error| error.to_string());
        let missing = RatingsError::MissingColumn {
            line: 1,
            found: "id,elo".into(),
        };
        assert_eq!(read("id,elo\nAnn,1500\n".as_bytes()), Err(missing));
        for empty in ["", "\n\n"] {
            assert_eq!(read(empty.as_bytes()), Err(RatingsError::Empty));
        }
        assert_eq!(
            read("rating,rating\n1,2\n".as_bytes()),
            Err(RatingsError::TwoColumns { line: 1 })
        );
        let long = |line| RatingsError::Long {
            line,
            found: 3,
            wanted: 2,
        };
        assert_eq!(read("id,rating\nAnn,1\na,1,1500\n".as_bytes()), Err(long(3)));
        assert_eq!(read("rating\n".as_bytes()), Err(RatingsError::NoPlayers { line: 1 }));
        assert_eq!(
            read("id,rating\nAnn,1\nBen\n".as_bytes()),
            Err(RatingsError::Short { line: 3 })
        );
        for bad in ["NaN", "inf", "", "12a"] {
            let found = error(&format!("id,rating\nAnn,1\nBen,{bad}\n"));
            assert!(found.is_err_and(|text| text.contains("line 3, column rating")), "{bad}");
        }
    }

    fn half() -> Rational {
        Rational::ratio(1, 2)
    }

    #[test]
    fn bands_have_equal_shares_unless_ties_forbid_it() {
        let ratings: Vec<f64> = (0..10).map(f64::from).collect();
        let sizes = |layout| -> Vec<usize> {
            bands(&ratings, layout, &half())
                .iter()
                .map(|band| band.players)
                .collect()
        };
        assert_eq!(sizes(Layout::Count(3)), [3, 3, 4]);
        assert_eq!(sizes(Layout::Count(1)), [10]);
        assert_eq!(sizes(Layout::Count(100)), [1; 10]);
        assert_eq!(sizes(Layout::Width(4.0)), [4, 4, 2]);
        let tied = [1.0, 1.0, 1.0, 2.0];
        let found = bands(&tied, Layout::Count(2), &half());
        assert_eq!((found.len(), found[0].players, found[0].high), (2, 3, 3));
        assert_eq!(bands(&[-5.0, 5.0], Layout::Width(10.0), &half()).len(), 2);
    }

    #[test]
    fn a_split_counts_those_above_it() {
        let ratings: Vec<f64> = (0..10).map(f64::from).collect();
        let high = |p, q| bands(&ratings, Layout::Count(1), &Rational::ratio(p, q))[0].high;
        assert_eq!((high(0, 1), high(1, 2), high(3, 4), high(1, 1)), (9, 5, 2, 1));
    }

    /// Four hundred newcomers of one rating among others: they went with all who were below them, and nobody was high.
    #[test]
    fn ties_are_cut_at_the_nearer_end() {
        let mut ratings: Vec<f64> = (0..300).map(|player| 1_000.0 + f64::from(player)).collect();
        ratings.extend([1_500.0; 400]);
        ratings.extend((0..300).map(|player| 1_600.0 + f64::from(player)));
        let found = bands(&ratings, Layout::Count(3), &half());
        let sizes: Vec<(usize, usize)> = found.iter().map(|band| (band.players, band.high)).collect();
        assert_eq!(sizes, [(300, 150), (400, 400), (300, 150)]);
        // Ties at the split, which is the best rating.
        let tied = bands(&[1.0, 2.0, 3.0, 3.0, 3.0], Layout::Count(1), &half());
        assert_eq!((tied[0].split, tied[0].high), (3.0, 3));
        // No band is empty, also where everything is one run.
        let sizes = |ratings: &[f64], count| -> Vec<usize> {
            let found = bands(ratings, Layout::Count(count), &half());
            found.iter().map(|band| band.players).collect()
        };
        assert_eq!(sizes(&[1.0; 9], 4), [9]);
        assert_eq!(sizes(&[1.0, 1.0, 1.0, 1.0, 1.0, 2.0], 4), [5, 1]);
        assert_eq!(sizes(&[1.0, 2.0, 2.0, 2.0, 2.0, 2.0], 4), [1, 5]);
        assert_eq!(sizes(&[1.0], 3), [1]);
    }

    /// 0.3 / 0.1 is 2.9999999999999996 in floats.
    #[test]
    fn a_multiple_of_the_width_begins_its_band() {
        for (width, whole) in [(0.1, 10.0), (0.7, 10.0), (25.0, 1.0), (1e-3, 1e3)] {
            let ratings: Vec<f64> = (-50..50)
                .map(|step| f64::from(step) * (width * whole) / whole)
                .collect();
            let decimal: Vec<f64> = (0..50).map(|step| f64::from(step) / 10.0).collect();
            assert_eq!(bands(&ratings, Layout::Width(width), &half()).len(), 100, "{width}");
            assert_eq!(bands(&decimal, Layout::Width(0.1), &half()).len(), 50);
        }
        let near = bands(&[0.2, 0.299_999, 0.3], Layout::Width(0.1), &half());
        assert_eq!((near.len(), near[1].from), (2, 0.3));
    }

    /// 0.07 · 100 is 7.000000000000001 in floats.
    #[test]
    fn a_split_is_exact() {
        let ratings: Vec<f64> = (0..100).map(f64::from).collect();
        let bands = bands(&ratings, Layout::Count(1), &Rational::ratio(7, 100));
        assert_eq!((bands[0].split, bands[0].high), (6.0, 93));
    }
}
