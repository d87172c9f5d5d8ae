//! `cargo xtask boards`: builds the crate of each board that can be bought, weighs it, and lets those talk that are emulated.

mod emulate;
mod template;
mod verdict;

use crate::firmware;
use crate::step::{Failure, root};
use crate::tools;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Instant;

/// A crate below `firmware/boards`.
#[derive(Clone, Copy, Debug)]
struct Board {
    name: &'static str,
    target: &'static str,
    /// Kilobytes of 1,024 bytes that it may take in flash and, without stack, in RAM.
    budget: (u64, u64),
}

const STM32: Board = Board { name: "stm32f405", target: "thumbv7em-none-eabihf", budget: (96, 48) };
const RP2040: Board = Board { name: "rp2040", target: "thumbv6m-none-eabi", budget: (96, 48) };

/// All of them.
const BOARDS: [Board; 4] = [
    STM32,
    Board { name: "nrf52840", target: "thumbv7em-none-eabihf", budget: (96, 48) },
    RP2040,
    Board { name: "esp32c3", target: "riscv32imc-unknown-none-elf", budget: (160, 64) },
];

/// Builds, weighs, emulates.
pub(crate) fn boards() -> Result<(), Failure> {
    let begin = Instant::now();
    targets()?;
    let mut table = String::from("board      flash KiB  of   RAM KiB  of   target\n");
    for board in &BOARDS {
        let elf = board.build(&[])?;
        let bytes =
            std::fs::read(&elf).map_err(|error| Failure::new(format!("{}: {error}", elf.display())))?;
        let (flash, ram) = firmware::sizes(&bytes).ok_or_else(|| Failure::new("no ELF file"))?;
        let (flash, ram) = (flash.div_ceil(1024), ram.div_ceil(1024));
        let Board { name, target, budget } = board;
        table += &format!("{name:<10} {flash:>9} {:>4} {ram:>8} {:>4}   {target}\n", budget.0, budget.1);
        if flash > budget.0 || ram > budget.1 {
            return Err(Failure::new(format!("{name} is over its budget:\n{table}")));
        }
    }
    print!("{table}");
    eprintln!("boards: built in {} s", begin.elapsed().as_secs());
    tools::provide(&[tools::EMULATORS[0]])?;
    template::run()?;
    firmware::decoder()?;
    emulate::rp2040(&RP2040.elf())?;
    emulate::stm32f405(&STM32.build(&["--no-default-features", "--features", "emulated"])?)?;
    eprintln!("boards: {} s", begin.elapsed().as_secs());
    Ok(())
}

impl Board {
    /// Builds it as a user does, and says where it is.
    fn build(&self, more: &[&str]) -> Result<PathBuf, Failure> {
        let Self { name, .. } = self;
        eprintln!("── {name} {}", more.join(" "));
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut command = Command::new(cargo);
        command.args(["build", "--quiet", "--locked", "--release"]).args(more).stdin(Stdio::null());
        command.current_dir(root().join("firmware/boards").join(name));
        // Those of the workspace would replace the boards' own.
        command
            .env_remove("RUSTFLAGS")
            .env_remove("CARGO_TARGET_DIR")
            .env("CARGO_PROFILE_RELEASE_DEBUG", "false");
        let status = command.status().map_err(|error| Failure::new(format!("cargo: {error}")))?;
        if status.success() { Ok(self.elf()) } else { Err(Failure::new(format!("{name} does not build"))) }
    }

    fn elf(&self) -> PathBuf {
        root().join("target/boards").join(self.target).join("release").join(self.name)
    }
}

/// Provides the core library of each target, where rustup has the compiler in use.
fn targets() -> Result<(), Failure> {
    let names = BOARDS.map(|board| board.target);
    if firmware::has_targets(&names) {
        return Ok(());
    }
    let add = format!("rustup target add {}", names.join(" "));
    if !tools::is_installing_forbidden() {
        eprintln!("── {add}");
        let _ = Command::new("rustup").args(["target", "add"]).args(names).status();
    }
    if firmware::has_targets(&names) { Ok(()) } else { Err(Failure::new(format!("please run `{add}`"))) }
}
