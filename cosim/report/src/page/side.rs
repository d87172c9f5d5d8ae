//! Tables beside that of the points: several rows for each point, next to each other.

use std::io;
use std::path::Path;

use super::PageError;
use super::results::Results;
use crate::Detail;

/// The fields of one row, in the order of the table's columns behind the load.
pub(super) type Fields = Vec<String>;

/// Reads a table, and hands over the rows of one point after the other, with the number of its row on the page. Without the file there is
/// nothing to hand over.
pub(super) fn each_point(
    dir: &Path,
    of: Detail,
    results: &Results,
    mut take: impl FnMut(usize, &[Fields]) -> Result<(), String>,
) -> Result<(), PageError> {
    let path = dir.join(of.file());
    let wrong = |message: String| PageError::wrong(&path, message);
    let file = match desvio_sim::bounded::open(&path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(source) => return Err(PageError::Unreadable { path, source }),
    };
    let mut reader = csv::Reader::from_reader(io::BufReader::new(file));
    let header = reader.headers().map_err(|error| wrong(error.to_string()))?.clone();
    let has_names = header.iter().next_back().is_some_and(|last| of.name_columns().contains(&last));
    let columns = of.all_columns(has_names);
    let leading = header.len().saturating_sub(columns.len());
    if leading > 1 || header.iter().skip(leading).ne(columns.iter().map(String::as_str)) {
        return Err(wrong("its columns are not those of this version".to_owned()));
    }
    let (mut point, mut rows) = (None, Vec::new());
    for record in reader.records() {
        let record = record.map_err(|error| wrong(error.to_string()))?;
        let name = if leading == 1 { &record[0] } else { "" };
        let key = (name.to_owned(), record[leading].to_owned());
        if point.as_ref() != Some(&key) {
            if let Some(row) = point.as_ref().map(|key| row(results, key)) {
                row.and_then(|row| take(row, &rows)).map_err(wrong)?;
            }
            (point, rows) = (Some(key), Vec::new());
        }
        rows.push(record.iter().skip(leading + 1).map(str::to_owned).collect());
    }
    match point {
        Some(key) => row(results, &key).and_then(|row| take(row, &rows)).map_err(wrong),
        None => Ok(()),
    }
}

fn row(results: &Results, key: &(String, String)) -> Result<usize, String> {
    let unknown = || format!("the table of points has no {} at load {}", key.0, key.1);
    results.row_of.get(key).copied().ok_or_else(unknown)
}

/// A field as a number.
pub(super) fn number<N: std::str::FromStr>(fields: &[String], n: usize) -> Result<N, String> {
    let text = fields.get(n).map(String::as_str).unwrap_or_default();
    text.parse().map_err(|_| format!("{text:?} is no number"))
}
