//! The files of the RTL: those built into this program, or those of a folder.

use desvio_hdl::{FILES, INCLUDE};
use std::path::{Path, PathBuf};
use std::{fs, io};
use verilated::store::{Digest, Store, StoreError};

/// Where the files of the RTL are.
#[derive(Debug, Clone)]
pub struct Sources {
    folder: PathBuf,
}

impl Sources {
    /// The RTL that this program was built with, in the user's cache folder: each time as it was built in, or it is unpacked anew.
    ///
    /// # Errors
    /// When there is no such folder, or the files cannot be written.
    pub fn embedded() -> io::Result<Self> {
        Self::unpacked(None).map_err(io::Error::other)
    }

    fn unpacked(cache: Option<&Path>) -> Result<Self, StoreError> {
        let mut digest = Digest::new();
        for file in FILES {
            digest.add(file.path).add(file.text);
        }
        let store = Store::open(cache, "DESVIO_HDL_CACHE", "desvio/hdl")?;
        let kept = store.once(&digest.finish(), unpack)?;
        Ok(Self { folder: kept.folder })
    }

    /// The RTL in a folder, with the same file names as the built-in one.
    ///
    /// # Errors
    /// When one of the files is not there.
    pub fn folder(folder: impl Into<PathBuf>) -> io::Result<Self> {
        let folder = folder.into();
        match FILES.iter().find(|file| !folder.join(file.path).is_file()) {
            Some(file) => {
                let missing =
                    if folder.is_dir() { format!("no {}", file.path) } else { "no such folder".to_owned() };
                Err(io::Error::new(io::ErrorKind::NotFound, format!("{}: {missing}", folder.display())))
            }
            None => Ok(Self { folder }),
        }
    }

    /// The files of the design, packages first; with `probes`, those that show its registers, too.
    pub fn files(&self, probes: bool) -> impl Iterator<Item = PathBuf> + '_ {
        let files = FILES.iter().filter(move |file| !file.is_included() && (probes || !file.is_probe()));
        files.map(|file| self.folder.join(file.path))
    }

    /// The folder of what they include.
    pub fn include(&self) -> PathBuf {
        self.folder.join(INCLUDE)
    }

    /// The folder they are in.
    pub fn path(&self) -> &Path {
        &self.folder
    }
}

fn unpack(folder: &Path) -> Result<(), StoreError> {
    for file in FILES {
        let path = folder.join(file.path);
        let parent = path.parent().unwrap_or(folder);
        let written = fs::create_dir_all(parent).and_then(|()| fs::write(&path, file.text));
        written.map_err(|source| StoreError::Io { path: path.clone(), source })?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_unpacked_is_what_is_built_in_also_after_it_was_changed() {
        let cache = tempfile::tempdir().unwrap();
        let unpacked = || Sources::unpacked(Some(cache.path())).unwrap();
        let router = unpacked().files(false).last().unwrap();
        fs::write(&router, "module changed; initial $system(\"id\"); endmodule").unwrap();
        let sources = unpacked();
        for file in FILES {
            assert_eq!(fs::read_to_string(sources.path().join(file.path)).unwrap(), file.text);
        }
        let included = FILES.iter().filter(|file| file.is_included()).count();
        assert_eq!(sources.files(true).count(), FILES.len() - included);
        assert!(included > 0 && sources.include().is_dir());
        assert!(Sources::folder("no such folder").is_err());
    }
}
