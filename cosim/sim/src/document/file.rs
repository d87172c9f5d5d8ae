//! Files that a document names.

use std::path::{Path, PathBuf};

use super::{Field, Problem};

/// The file that a field names, looked for from `folder`.
///
/// The path is made absolute, so that a scenario that is written elsewhere still finds the file.
pub(crate) fn read(field: &Field<'_>, folder: &Path, expected: &str) -> Result<PathBuf, Problem> {
    let name = field.text(expected)?;
    if name.is_empty() || name.contains('\0') {
        return Err(field.wrong(expected));
    }
    let file = folder.join(name);
    Ok(std::path::absolute(&file).unwrap_or(file))
}
