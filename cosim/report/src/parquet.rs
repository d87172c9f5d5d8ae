//! A table of points as Parquet: the cells of the CSV file, each column with a type.
//!
//! One row group, a plain data page for each column, nothing compressed. The format is Apache Parquet's, version 1; its metadata are in
//! Thrift's compact protocol. The library of the format takes a minute to compile and brings licences that are not used here.

mod thrift;

use super::kind::Kind;
use ::csv::StringRecord;
use thrift::{Struct, varint};

/// At both ends of the file.
const MAGIC: &[u8] = b"PAR1";

/// Numbers of Parquet's enumerations.
const INT64: i32 = 2;
const DOUBLE: i32 = 5;
const BYTE_ARRAY: i32 = 6;
const OPTIONAL: i32 = 1;
const PLAIN: i32 = 0;
const RLE: i32 = 3;
const UNCOMPRESSED: i32 = 0;
const DATA_PAGE: i32 = 0;
/// Converted types: what the bytes of a column mean.
const UTF8: i32 = 0;
const UINT_64: i32 = 14;

/// A table of points as Parquet, from the parts of a [`super::PointTable`]: the same cells, each column with its type; an empty cell
/// is null. Equal tables give equal bytes.
///
/// # Errors
/// When a cell is not of its column's type, in a sentence.
pub fn parquet(csv: &[u8], kinds: &[Kind]) -> Result<Vec<u8>, String> {
    let mut reader = ::csv::Reader::from_reader(csv);
    let header = reader.headers().cloned().map_err(|error| error.to_string())?;
    let rows = reader.into_records().collect::<Result<Vec<_>, _>>().map_err(|error| error.to_string())?;
    let mut file = MAGIC.to_vec();
    let mut chunks = Vec::new();
    for (at, (name, kind)) in header.iter().zip(kinds).enumerate() {
        chunks.push(Chunk::write(&mut file, &rows, at, name, *kind)?);
    }
    let footer = footer(&chunks, rows.len(), file.len() - MAGIC.len());
    file.extend_from_slice(&footer);
    file.extend_from_slice(&(footer.len() as u32).to_le_bytes());
    file.extend_from_slice(MAGIC);
    Ok(file)
}

/// A column in the file.
struct Chunk<'t> {
    name: &'t str,
    kind: Kind,
    offset: usize,
    bytes: usize,
    cells: usize,
}

impl<'t> Chunk<'t> {
    /// Adds the page of a column.
    fn write(
        file: &mut Vec<u8>,
        rows: &[StringRecord],
        at: usize,
        name: &'t str,
        kind: Kind,
    ) -> Result<Self, String> {
        let cells: Vec<&str> = rows.iter().map(|row| row.get(at).unwrap_or_default()).collect();
        let mut page = levels(&cells);
        for cell in cells.iter().filter(|cell| !cell.is_empty()) {
            value(&mut page, cell, kind)
                .ok_or_else(|| format!("{name}: {cell:?} is not of its column's type"))?;
        }
        let data = Struct::new()
            .whole(1, cells.len() as i64, false)
            .whole(2, i64::from(PLAIN), false)
            .whole(3, i64::from(RLE), false)
            .whole(4, i64::from(RLE), false);
        let header = Struct::new()
            .whole(1, i64::from(DATA_PAGE), false)
            .whole(2, page.len() as i64, false)
            .whole(3, page.len() as i64, false)
            .inner(5, data)
            .end();
        let offset = file.len();
        file.extend_from_slice(&header);
        file.extend_from_slice(&page);
        Ok(Self { name, kind, offset, bytes: file.len() - offset, cells: cells.len() })
    }

    /// As the schema has it.
    fn element(&self) -> Struct {
        let element = Struct::new()
            .whole(1, i64::from(physical(self.kind)), false)
            .whole(3, i64::from(OPTIONAL), false)
            .text(4, self.name);
        match self.kind {
            Kind::Text => element.whole(6, i64::from(UTF8), false),
            Kind::Unsigned => element.whole(6, i64::from(UINT_64), false),
            Kind::Integer | Kind::Number => element,
        }
    }

    /// Where it is.
    fn metadata(&self) -> Struct {
        let metadata = Struct::new()
            .whole(1, i64::from(physical(self.kind)), false)
            .wholes(2, &[PLAIN, RLE])
            .texts(3, &[self.name])
            .whole(4, i64::from(UNCOMPRESSED), false)
            .whole(5, self.cells as i64, true)
            .whole(6, self.bytes as i64, true)
            .whole(7, self.bytes as i64, true)
            .whole(9, self.offset as i64, true);
        Struct::new().whole(2, self.offset as i64, true).inner(3, metadata)
    }
}

const fn physical(kind: Kind) -> i32 {
    match kind {
        Kind::Text => BYTE_ARRAY,
        Kind::Unsigned | Kind::Integer => INT64,
        Kind::Number => DOUBLE,
    }
}

/// Of each cell a bit, whether it is there, in groups of eight: one run of bits behind its length in bytes.
fn levels(cells: &[&str]) -> Vec<u8> {
    let groups = cells.chunks(8);
    let mut run = Vec::new();
    varint(&mut run, (groups.len() as u64) << 1 | 1);
    run.extend(
        groups.map(|group| (0..).zip(group).map(|(n, cell)| u8::from(!cell.is_empty()) << n).sum::<u8>()),
    );
    let mut levels = (run.len() as u32).to_le_bytes().to_vec();
    levels.extend(run);
    levels
}

/// Adds a value; `None` where it is not of that kind.
fn value(page: &mut Vec<u8>, cell: &str, kind: Kind) -> Option<()> {
    match kind {
        Kind::Text => {
            page.extend_from_slice(&u32::try_from(cell.len()).ok()?.to_le_bytes());
            page.extend_from_slice(cell.as_bytes());
        }
        Kind::Unsigned => page.extend_from_slice(&cell.parse::<u64>().ok()?.to_le_bytes()),
        Kind::Integer => page.extend_from_slice(&cell.parse::<i64>().ok()?.to_le_bytes()),
        Kind::Number => page.extend_from_slice(&cell.parse::<f64>().ok()?.to_le_bytes()),
    }
    Some(())
}

/// What is where.
fn footer(chunks: &[Chunk<'_>], rows: usize, bytes: usize) -> Vec<u8> {
    let root = Struct::new().text(4, "points").whole(5, chunks.len() as i64, false);
    let schema = [root].into_iter().chain(chunks.iter().map(Chunk::element)).collect();
    let group = Struct::new()
        .inners(1, chunks.iter().map(Chunk::metadata).collect())
        .whole(2, bytes as i64, true)
        .whole(3, rows as i64, true);
    Struct::new()
        .whole(1, 1, false)
        .inners(2, schema)
        .whole(3, rows as i64, true)
        .inners(4, vec![group])
        .text(6, "desvio")
        .end()
}
