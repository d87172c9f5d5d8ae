//! The files of the RTL: those built into this program, or those of a folder.

use desvio_hdl::{FILES, INCLUDE};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::{fs, io};

/// Where the files of the RTL are.
#[derive(Debug, Clone)]
pub struct Sources {
    folder: PathBuf,
}

impl Sources {
    /// The RTL that this program was built with, unpacked into the system's folder for temporary files.
    ///
    /// # Errors
    /// When the files cannot be written.
    pub fn embedded() -> io::Result<Self> {
        let mut hasher = DefaultHasher::new();
        FILES.hash(&mut hasher);
        let folder = std::env::temp_dir().join(format!("desvio-hdl-{:016x}", hasher.finish()));
        if !folder.is_dir() {
            unpack(&folder)?;
        }
        Ok(Self { folder })
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

/// Writes all files under another name first, so that no other process sees half of them.
fn unpack(folder: &Path) -> io::Result<()> {
    let fresh = folder.with_extension(std::process::id().to_string());
    for file in FILES {
        let path = fresh.join(file.path);
        fs::create_dir_all(path.parent().unwrap_or(&fresh))?;
        fs::write(path, file.text)?;
    }
    match fs::rename(&fresh, folder) {
        Err(_) if folder.is_dir() => fs::remove_dir_all(&fresh),
        done => done,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_unpacked_is_what_is_built_in() {
        let sources = Sources::embedded().unwrap();
        for file in FILES {
            assert_eq!(fs::read_to_string(sources.path().join(file.path)).unwrap(), file.text);
        }
        let included = FILES.iter().filter(|file| file.is_included()).count();
        assert_eq!(sources.files(true).count(), FILES.len() - included);
        assert!(included > 0 && sources.include().is_dir());
        assert!(Sources::folder("no such folder").is_err());
    }
}
