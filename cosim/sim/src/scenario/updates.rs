//! `routing.updates`: forwarding tables that come while the network runs.

use super::model::TableUpdate;
use crate::document::{Data, MOST_CYCLES, Problem, Section, file};
use std::path::Path;

/// None, or a table each, in any order.
pub(super) fn read(section: &Section<'_>, folder: &Path) -> Result<Vec<TableUpdate>, Problem> {
    let Some(field) = section.get("updates") else { return Ok(Vec::new()) };
    if matches!(&field.value.data, Data::List(list) if list.is_empty()) {
        return Ok(Vec::new());
    }
    let mut updates = Vec::new();
    for field in field.list("a list of tables { at = …, tables = \"FILE\" }")? {
        let table = field.section(&["at", "tables", "service_levels", "sl_to_vl"])?;
        let named =
            |key| table.get(key).map(|field| file::read(&field, folder, "the name of a file")).transpose();
        let at = table.need("at", "at and tables")?.whole(1..=MOST_CYCLES)?;
        let tables = file::read(&table.need("tables", "at and tables")?, folder, "the name of a file")?;
        let (service_levels, sl_to_vl) = (named("service_levels")?, named("sl_to_vl")?);
        updates.push(TableUpdate { at, tables, service_levels, sl_to_vl });
    }
    updates.sort_by_key(|update| update.at);
    Ok(updates)
}
