//! A library in the process, as its handles and models share it.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use crate::{
    Coverage, Direction, PortInfo, Trace,
    error::{PinsError, PortError},
    ffi::Functions,
    shim::PinTable,
};

/// What all handles to one library share.
pub(crate) struct Loaded {
    /// Tells the handles of one library from those of another.
    pub(crate) id: u32,
    pub(crate) top: String,
    pub(crate) path: PathBuf,
    pub(crate) functions: Arc<Functions>,
    pub(crate) pins: PinTable,
    pub(crate) widths: Arc<[u32]>,
    pub(crate) trace: Trace,
    pub(crate) coverage: Coverage,
    pub(crate) checkpoints: bool,
}

impl Loaded {
    /// Finds the port for a handle; the error has what is there instead.
    pub(crate) fn port(&self, name: &str, direction: Direction, bits: u32) -> Result<usize, PortError> {
        let ports = &self.pins.ports;
        let expected = || PortInfo { name: name.to_owned(), direction, bits };
        let Some(index) = ports.iter().position(|port| port.name == name) else {
            return Err(PortError::Missing { expected: expected(), found: ports.clone() });
        };
        let found = &ports[index];
        if found.bits == bits && found.direction.serves(direction) {
            Ok(index)
        } else {
            Err(PortError::Mismatch { expected: expected(), found: found.clone() })
        }
    }

    /// Which of the expected ports differ.
    pub(crate) fn check_ports(&self, expected: &[(Direction, &str, u32)]) -> Result<(), PinsError> {
        let mismatches: Vec<_> = expected
            .iter()
            .filter_map(|&(direction, name, bits)| self.port(name, direction, bits).err())
            .collect();
        if mismatches.is_empty() { Ok(()) } else { Err(PinsError { top: self.top.clone(), mismatches }) }
    }

    /// What a checkpoint starts with: the name of the cache entry holds the hash of all the library was made from.
    pub(crate) fn fingerprint(&self) -> Vec<u8> {
        let entry = self.path.parent().and_then(Path::file_name).unwrap_or_default();
        [b"verilated checkpoint ", entry.as_encoded_bytes(), b"\n"].concat()
    }
}
