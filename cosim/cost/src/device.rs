//! Devices that a whole router is placed and routed on.

use super::error::CostError;
use super::tool::{Tool, Toolbox};
use std::str::FromStr;

/// A programmable device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Device {
    /// Lattice iCE40 HX8K: 7,680 LUTs of four inputs, 32 block RAMs of 4 kbit.
    Ice40Hx8k,
    /// Lattice ECP5, 24,288 LUTs of four inputs, 56 block RAMs of 18 kbit.
    Ecp5K25,
    /// Lattice ECP5, 43,848 LUTs, 108 block RAMs.
    Ecp5K45,
    /// Lattice ECP5, 83,640 LUTs, 208 block RAMs.
    Ecp5K85,
}

impl Device {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Ice40Hx8k, Self::Ecp5K25, Self::Ecp5K45, Self::Ecp5K85];

    /// Its word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Ice40Hx8k => "ice40-hx8k",
            Self::Ecp5K25 => "ecp5-25k",
            Self::Ecp5K45 => "ecp5-45k",
            Self::Ecp5K85 => "ecp5-85k",
        }
    }

    /// The program that places and routes for it.
    pub(super) const fn tool(self) -> Tool {
        match self {
            Self::Ice40Hx8k => Tool::NEXTPNR_ICE40,
            _ => Tool::NEXTPNR_ECP5,
        }
    }

    /// Looks for the programs that synthesise, place and route for it.
    ///
    /// # Errors
    /// As [`Toolbox::open`].
    pub fn toolbox(self) -> Result<Toolbox, CostError> {
        Toolbox::of([Tool::YOSYS, self.tool()].into_iter(), None)
    }

    /// The synthesis of the module `harness`.
    pub(super) const fn synthesis(self) -> &'static str {
        match self {
            Self::Ice40Hx8k => "synth_ice40 -top harness -json harness.json",
            _ => "synth_ecp5 -top harness -json harness.json",
        }
    }

    /// Which device, to the program.
    pub(super) const fn arguments(self) -> &'static [&'static str] {
        match self {
            Self::Ice40Hx8k => &["--hx8k", "--package", "ct256", "--pcf-allow-unconstrained"],
            Self::Ecp5K25 => &["--25k", "--package", "CABGA381", "--lpf-allow-unconstrained"],
            Self::Ecp5K45 => &["--45k", "--package", "CABGA381", "--lpf-allow-unconstrained"],
            Self::Ecp5K85 => &["--85k", "--package", "CABGA381", "--lpf-allow-unconstrained"],
        }
    }

    /// The cells that are lookup tables, flip-flops and block RAMs after synthesis; a LUT memory takes LUTs of its own.
    pub(super) fn kind(cell: &str) -> Option<Resource> {
        Some(match cell {
            "LUT4" | "SB_LUT4" => Resource::Lut,
            "DP16KD" | "PDPW16KD" => Resource::BlockRam,
            "TRELLIS_DPR16X4" => Resource::LutRam,
            _ if cell.starts_with("SB_RAM40_4K") => Resource::BlockRam,
            _ if cell == "TRELLIS_FF" || cell.starts_with("SB_DFF") => Resource::FlipFlop,
            _ => return None,
        })
    }
}

/// What a device has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Resource {
    Lut,
    FlipFlop,
    BlockRam,
    LutRam,
}

impl FromStr for Device {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Self::ALL.into_iter().find(|device| device.word() == text).ok_or_else(|| {
            let words = Self::ALL.map(Self::word).join(", ");
            format!("expected one of {words}")
        })
    }
}
