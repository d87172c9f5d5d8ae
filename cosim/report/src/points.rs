//! A table of many points, row by row: what does not fit into a [`super::Curve`].

use super::csv::{Detail, Extra, has_names, kind, text_cell};
use super::kind::Kind;
use desvio_sim::summary::Summary;

/// A column of the caller's: its name, and what is in it.
pub type Leading = (String, Kind);

/// CSV with a row for each point: columns of the caller's, then those of `summary.csv`.
#[derive(Debug)]
pub struct PointTable {
    writer: ::csv::Writer<Vec<u8>>,
    kinds: Vec<Kind>,
    extra: Extra,
}

impl PointTable {
    /// A table with these columns before [`super::COLUMNS`], and `extra` after them.
    #[must_use]
    pub fn new(leading: &[Leading], extra: Extra) -> Self {
        let own = extra.columns();
        let kinds = leading.iter().map(|(_, kind)| *kind).chain(own.iter().map(|name| kind(name))).collect();
        let header: Vec<String> = leading.iter().map(|(name, _)| name.clone()).chain(own).collect();
        let mut table = Self { writer: ::csv::Writer::from_writer(Vec::new()), kinds, extra };
        table.record(&header);
        table
    }

    /// Adds a row.
    pub fn push(&mut self, leading: &[String], point: &Summary) {
        let fields: Vec<String> =
            leading.iter().map(|name| text_cell(name)).chain(self.extra.row(point)).collect();
        self.record(&fields);
    }

    /// The bytes of the file, and what is in each of its columns.
    #[must_use]
    pub fn into_parts(self) -> (Vec<u8>, Vec<Kind>) {
        (self.writer.into_inner().unwrap_or_default(), self.kinds)
    }

    /// Writing to memory cannot fail, nor do rows have fewer fields than the header.
    fn record(&mut self, fields: &[String]) {
        let _ = self.writer.write_record(fields);
    }
}

/// CSV with several rows for each point: columns of the caller's, then those of one of the tables beside `summary.csv`.
#[derive(Debug)]
pub struct DetailTable {
    writer: ::csv::Writer<Vec<u8>>,
    of: Detail,
    leading: Vec<String>,
    /// Whether there are columns of names: where the network of the first point has some.
    has_names: Option<bool>,
}

impl DetailTable {
    /// A table with these columns before those of the file that `of` names.
    #[must_use]
    pub fn new(of: Detail, leading: &[String]) -> Self {
        Self {
            writer: ::csv::Writer::from_writer(Vec::new()),
            of,
            leading: leading.to_vec(),
            has_names: None,
        }
    }

    /// Adds the rows of a point, if it has any.
    pub fn push(&mut self, leading: &[String], point: &Summary) {
        let named = self.has_names.unwrap_or_else(|| has_names(point));
        let rows = self.of.rows(point, named);
        // Writing to memory cannot fail, nor do rows have fewer fields than the header.
        if self.has_names.is_none() && !rows.is_empty() {
            self.has_names = Some(named);
            let _ = self.writer.write_record(self.leading.iter().chain(&self.of.all_columns(named)));
        }
        for row in rows {
            let _ = self.writer.write_record(leading.iter().chain(&row));
        }
    }

    /// The bytes of the file; `None` where no point had a row.
    #[must_use]
    pub fn into_bytes(self) -> Option<Vec<u8>> {
        self.has_names.map(|_| self.writer.into_inner().unwrap_or_default())
    }
}
