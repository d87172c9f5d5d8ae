//! Values of a scenario file as JSON, each with the type that it has there.

use desvio_sim::document::{Data, Value};
use serde::Serialize;
use serde::ser::Serializer;

/// The text of a TOML value: a word becomes a string, a number a number, a list an array, a table an object.
pub(super) struct Typed<'a>(pub(super) &'a str);

impl Serialize for Typed<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match Value::argument(self.0, 0, 0) {
            Ok(value) => Of(&value).serialize(serializer),
            Err(_) => serializer.serialize_str(self.0),
        }
    }
}

/// A value that was read.
struct Of<'a>(&'a Value);

impl Serialize for Of<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.0.data {
            Data::Text(text) => serializer.serialize_str(text),
            Data::Integer(Some(number)) => integer(*number, serializer),
            Data::Float(number) => serializer.serialize_f64(*number),
            Data::Boolean(truth) => serializer.serialize_bool(*truth),
            Data::List(values) => serializer.collect_seq(values.iter().map(Of)),
            Data::Table(entries) => {
                serializer.collect_map(entries.iter().map(|entry| (&entry.key, Of(&entry.value))))
            }
            Data::Integer(None) | Data::Date => serializer.serialize_none(),
        }
    }
}

/// No key of a scenario takes more than 64 bits.
fn integer<S: Serializer>(number: i128, serializer: S) -> Result<S::Ok, S::Error> {
    match (i64::try_from(number), u64::try_from(number)) {
        (Ok(number), _) => serializer.serialize_i64(number),
        (_, Ok(number)) => serializer.serialize_u64(number),
        _ => serializer.serialize_none(),
    }
}

/// An object whose keys stay in the order given.
pub(super) fn in_order<S: Serializer>(
    settings: &[(String, String)],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_map(settings.iter().map(|(key, value)| (key, Typed(value))))
}
