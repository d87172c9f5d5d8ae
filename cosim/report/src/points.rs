//! A table of many points, row by row: what does not fit into a [`super::Curve`].

use super::csv::Extra;
use desvio_sim::summary::Summary;

/// CSV with a row for each point: columns of the caller's, then those of `summary.csv`.
#[derive(Debug)]
pub struct PointTable {
    writer: ::csv::Writer<Vec<u8>>,
    extra: Extra,
}

impl PointTable {
    /// A table with these columns before [`super::COLUMNS`], and `extra` after them.
    #[must_use]
    pub fn new(leading: &[String], extra: Extra) -> Self {
        let header: Vec<String> = leading.iter().cloned().chain(extra.columns()).collect();
        let mut table = Self { writer: ::csv::Writer::from_writer(Vec::new()), extra };
        table.record(&header);
        table
    }

    /// Adds a row.
    pub fn push(&mut self, leading: &[String], point: &Summary) {
        let fields: Vec<String> = leading.iter().cloned().chain(self.extra.row(point)).collect();
        self.record(&fields);
    }

    /// The bytes of the file.
    #[must_use]
    pub fn into_bytes(self) -> Vec<u8> {
        self.writer.into_inner().unwrap_or_default()
    }

    /// Writing to memory cannot fail, nor do rows have fewer fields than the header.
    fn record(&mut self, fields: &[String]) {
        let _ = self.writer.write_record(fields);
    }
}
