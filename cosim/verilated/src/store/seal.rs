//! What is in a finished folder: a list of digests, as `sha256sum --check` reads it.

use std::{
    collections::BTreeSet,
    fmt::Write as _,
    fs::{self, File},
    io,
    path::{Path, PathBuf},
};

use sha2::{Digest as _, Sha256};

use super::owner;

/// The file with the list.
const NAME: &str = "SHA256SUMS";

/// Writes the list, takes from others the right to write, and waits until all that the list names is on the disk: a power cut then
/// leaves the whole or nothing.
pub(super) fn put(folder: &Path) -> io::Result<()> {
    let files = files(folder)?;
    fs::write(folder.join(NAME), sums(folder, &files)?)?;
    for file in sealed(&files) {
        owner::close(&folder.join(file))?;
        File::open(folder.join(file))?.sync_all()?;
    }
    Ok(())
}

/// Whether a folder holds the bytes of its list, no more, less or different ones, and no other user can have written any of them. Files
/// that were put there while others could write into the store have their own list.
pub(super) fn holds(folder: &Path) -> bool {
    let Ok(files) = files(folder) else { return false };
    sealed(&files).into_iter().all(|file| owner::is_own(&folder.join(file)))
        && fs::read_to_string(folder.join(NAME))
            .is_ok_and(|kept| sums(folder, &files).is_ok_and(|now| now == kept))
}

/// The files, their folders, the list, the folder of it all.
fn sealed(files: &[PathBuf]) -> BTreeSet<&Path> {
    let folders = files.iter().filter_map(|file| file.parent());
    files.iter().map(PathBuf::as_path).chain(folders).chain([Path::new(NAME), Path::new("")]).collect()
}

/// All files below a folder apart from the list, in a fixed order.
fn files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let (mut found, mut open) = (Vec::new(), vec![PathBuf::new()]);
    while let Some(inner) = open.pop() {
        for entry in fs::read_dir(folder.join(&inner))? {
            let entry = entry?;
            let path = inner.join(entry.file_name());
            if entry.file_type()?.is_dir() {
                open.push(path);
            } else if path != Path::new(NAME) {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

fn sums(folder: &Path, files: &[PathBuf]) -> io::Result<String> {
    let mut list = String::new();
    for file in files {
        let mut digest = Sha256::new();
        io::copy(&mut File::open(folder.join(file))?, &mut digest)?;
        // Writing to a `String` cannot fail.
        let _ = writeln!(list, "{:x}  {}", digest.finalize(), file.display());
    }
    Ok(list)
}
