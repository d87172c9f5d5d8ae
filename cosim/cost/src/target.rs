//! What a router is synthesised for.

use super::error::CostError;
use super::library::Library;
use desvio_sim::bounded;
use std::path::PathBuf;
use std::str::FromStr;

/// What a router is synthesised for.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Target {
    /// Gates of two inputs, multiplexers and flip-flops: cells, an estimate of transistors, logic depth.
    Cells,
    /// Lattice iCE40 HX: LUTs of four inputs; the frequency of each unit that fits, from place and route.
    Ice40,
    /// Lattice ECP5: LUTs of four inputs.
    Ecp5,
    /// A library of standard cells, in the Liberty format: area and delay.
    Liberty(PathBuf),
}

impl FromStr for Target {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            // One netlist gives both.
            "cells" | "cmos" => Ok(Self::Cells),
            "ice40" => Ok(Self::Ice40),
            "ecp5" => Ok(Self::Ecp5),
            _ => match text.strip_prefix("liberty=") {
                Some(path) if !path.is_empty() => Ok(Self::Liberty(path.into())),
                _ => Err("expected cells, cmos, ice40, ecp5 or liberty=FILE"),
            },
        }
    }
}

impl Target {
    /// The word in file names.
    #[must_use]
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Cells => "cells",
            Self::Ice40 => "ice40",
            Self::Ecp5 => "ecp5",
            Self::Liberty(_) => "liberty",
        }
    }

    /// Whether its library, where it has one, is one: a synthesis finds out after minutes.
    ///
    /// # Errors
    /// What is wrong with the library.
    pub fn check(&self) -> Result<(), CostError> {
        self.library().map(drop)
    }

    /// The text of its library, where it has one.
    pub(super) fn library_text(&self) -> Result<Option<String>, CostError> {
        let Self::Liberty(path) = self else { return Ok(None) };
        bounded::read_text(path, LARGEST).map(Some).map_err(|error| CostError::Library {
            path: path.clone(),
            reason: format!("cannot read the library of cells: {error}"),
        })
    }

    /// Its library, where it has one, and the text that this is.
    pub(super) fn library(&self) -> Result<Option<(String, Library)>, CostError> {
        let (Self::Liberty(path), Some(text)) = (self, self.library_text()?) else { return Ok(None) };
        match Library::read(&text) {
            Ok(library) => Ok(Some((text, library))),
            Err(reason) => Err(CostError::Library { path: path.clone(), reason }),
        }
    }
}

/// Libraries of whole processes have a hundred megabytes. Read, one takes up to eighteen times its length, if it is nothing but cells.
const LARGEST: u64 = 128 << 20;
