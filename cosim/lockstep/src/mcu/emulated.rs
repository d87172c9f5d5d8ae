//! The microcontrollers that are emulated.

use std::path::Path;
use std::process::Command;
use tether::setup::Setup;

/// A microcontroller that QEMU emulates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Emulated {
    /// Cortex-M4F: room for routers of 16 ports with 4 VCs.
    CortexM4F,
    /// Cortex-M0 with 16 KiB of RAM: room for seven ports with 3 VCs, buffers of 32 flits, FIFOs of 4.
    CortexM0,
    /// RV32IMAC: room as in the first.
    Rv32Imac,
}

impl Emulated {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::CortexM4F, Self::CortexM0, Self::Rv32Imac];

    /// What Rust calls it.
    pub const fn target(self) -> &'static str {
        match self {
            Self::CortexM4F => "thumbv7em-none-eabihf",
            Self::CortexM0 => "thumbv6m-none-eabi",
            Self::Rv32Imac => "riscv32imac-unknown-none-elf",
        }
    }

    /// The binary for a router: with the whole core where the feature `small` leaves something out that the router needs, and there is memory
    /// for it.
    pub fn program(self, setup: &Setup) -> &'static str {
        if setup.is_beyond_small() && self != Self::CortexM0 { "lockstep-whole" } else { "lockstep" }
    }

    /// The emulator, with a binary, and without serial lines.
    pub fn command(self, binary: &Path) -> Command {
        self.with_lines(binary, &["none".to_owned()])
    }

    /// The emulator, with a binary, and with these serial lines, as the emulator's option `-serial` has them.
    pub fn with_lines(self, binary: &Path, lines: &[String]) -> Command {
        let (program, machine): (_, &[&str]) = match self {
            Self::CortexM4F => ("qemu-system-arm", &["-machine", "mps2-an386"]),
            Self::CortexM0 => ("qemu-system-arm", &["-machine", "microbit"]),
            Self::Rv32Imac => ("qemu-system-riscv32", &["-machine", "virt", "-bios", "none", "-m", "8M"]),
        };
        let mut command = Command::new(program);
        command.args(machine).args(["-nographic", "-monitor", "none"]);
        lines.iter().for_each(|line| _ = command.args(["-serial", line]));
        command.args(["-semihosting-config", "enable=on,target=native", "-kernel"]).arg(binary);
        command
    }
}
