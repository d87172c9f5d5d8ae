//! The files of the RTL: those built into this program, or those of a folder.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::{fs, io};

/// Names and texts of the files in `hdl/`.
macro_rules! files {
    ($($name:literal),* $(,)?) => {
        /// The RTL as this program was built with it.
        const EMBEDDED: &[(&str, &str)] = &[$(($name, include_str!(concat!("../../../hdl/", $name)))),*];
    };
}

files! {
    "lint.vlt",
    "desvio_pkg.sv",
    "registers_pkg.sv",
    "admit.sv",
    "allocator.sv",
    "arbiter.sv",
    "arbiter_pick.sv",
    "arbiter_state.sv",
    "checksum.sv",
    "contention.sv",
    "control.sv",
    "credit.sv",
    "dragonfly.sv",
    "draw.sv",
    "errors.sv",
    "feasible.sv",
    "header.sv",
    "input_port.sv",
    "ladder.sv",
    "lfsr.sv",
    "occupancy.sv",
    "onward.sv",
    "output_arbiter.sv",
    "output_port.sv",
    "route.sv",
    "route_minimal.sv",
    "route_olm.sv",
    "route_table.sv",
    "routed_head.sv",
    "router.sv",
    "routing_table.sv",
    "select.sv",
    "separable_input_first.sv",
    "separable_output_first.sv",
    "set_at.sv",
    "spi_port.sv",
    "switch.sv",
    "trigger_occupancy.sv",
    "vc.sv",
    "wavefront.sv",
    "check/allocator_check.sv",
    "check/arbiter_pick_check.sv",
    "check/credit_check.sv",
    "check/draw_check.sv",
    "check/input_port_check.sv",
    "check/lfsr_check.sv",
    "check/output_port_check.sv",
    "check/router_check.sv",
    "check/routing_table_check.sv",
    "check/select_check.sv",
    "check/spi_port_check.sv",
    "check/switch_check.sv",
    "check/vc_check.sv",
    "check/bind.sv",
    "probe/allocator_probe.sv",
    "probe/lfsr_probe.sv",
    "probe/output_port_probe.sv",
    "probe/packed_candidates.sv",
    "probe/router_probe.sv",
    "probe/vc_probe.sv",
    "probe/bind.sv",
}

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
        EMBEDDED.hash(&mut hasher);
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
        match EMBEDDED.iter().find(|(name, _)| !folder.join(name).is_file()) {
            Some((name, _)) => {
                let missing =
                    if folder.is_dir() { format!("no {name}") } else { "no such folder".to_owned() };
                Err(io::Error::new(io::ErrorKind::NotFound, format!("{}: {missing}", folder.display())))
            }
            None => Ok(Self { folder }),
        }
    }

    /// The files of the design, packages first; with `probes`, those that show its registers, too.
    pub fn files(&self, probes: bool) -> impl Iterator<Item = PathBuf> + '_ {
        let names = EMBEDDED.iter().map(|(name, _)| *name);
        names.filter(move |name| probes || !name.starts_with("probe/")).map(|name| self.folder.join(name))
    }

    /// The folder they are in.
    pub fn path(&self) -> &Path {
        &self.folder
    }
}

/// Writes all files under another name first, so that nobody ever sees half of them.
fn unpack(folder: &Path) -> io::Result<()> {
    let fresh = folder.with_extension(std::process::id().to_string());
    for (name, text) in EMBEDDED {
        let path = fresh.join(name);
        fs::create_dir_all(path.parent().unwrap_or(&fresh))?;
        fs::write(path, text)?;
    }
    match fs::rename(&fresh, folder) {
        Err(_) if folder.is_dir() => fs::remove_dir_all(&fresh),
        done => done,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_file_of_the_rtl_is_built_in() {
        let hdl = Path::new(env!("CARGO_MANIFEST_DIR")).join("../hdl");
        let listed = |folder: &str| -> Vec<String> {
            let files = fs::read_dir(hdl.join(folder)).unwrap().map(|entry| entry.unwrap().path());
            let sources = files.filter(|file| file.extension().is_some_and(|e| e == "sv" || e == "vlt"));
            sources.map(|file| format!("{folder}{}", file.file_name().unwrap().to_string_lossy())).collect()
        };
        let found: BTreeSet<_> = ["", "check/", "probe/"].into_iter().flat_map(listed).collect();
        let built_in: BTreeSet<_> = EMBEDDED.iter().map(|(name, _)| (*name).to_owned()).collect();
        assert_eq!(found, built_in);
    }

    #[test]
    fn what_is_unpacked_is_what_is_built_in() {
        let sources = Sources::embedded().unwrap();
        for (name, text) in EMBEDDED {
            assert_eq!(&fs::read_to_string(sources.path().join(name)).unwrap(), text);
        }
        assert_eq!(sources.files(true).count(), EMBEDDED.len());
        assert!(Sources::folder("no such folder").is_err());
    }
}
