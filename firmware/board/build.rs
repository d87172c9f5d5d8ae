//! Chooses the memory map of the target's board, and the linker scripts of its runtime.

use std::path::PathBuf;
use std::{env, fs};

/// Memory map of each target: one board that QEMU emulates. `BOARD_MEMORY` names another one.
fn memory(target: &str) -> Option<&'static str> {
    match target {
        "thumbv6m-none-eabi" => Some("memory/microbit.x"),
        "thumbv7em-none-eabihf" => Some("memory/mps2.x"),
        "riscv32imac-unknown-none-elf" => Some("memory/virt.x"),
        _ => None,
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo::rerun-if-changed=memory");
    println!("cargo::rerun-if-env-changed=BOARD_MEMORY");
    println!("cargo::rustc-check-cfg=cfg(board, values(\"microbit\"))");
    let target = env::var("TARGET")?;
    // For the host there is nothing to link: only lints and editors get here.
    let Some(memory) = memory(&target) else { return Ok(()) };
    let chosen = env::var("BOARD_MEMORY").unwrap_or_else(|_| memory.to_owned());
    println!("cargo::rerun-if-changed={chosen}");
    if memory.ends_with("microbit.x") {
        println!("cargo::rustc-cfg=board=\"microbit\"");
    }
    let out = PathBuf::from(env::var("OUT_DIR")?);
    fs::copy(&chosen, out.join("memory.x")).map_err(|error| format!("{chosen}: {error}"))?;
    println!("cargo::rustc-link-search={}", out.display());
    let mut scripts = vec!["-Tlink.x"];
    if target.starts_with("riscv") {
        scripts.insert(0, "-Tmemory.x");
    }
    if env::var_os("CARGO_FEATURE_DEFMT").is_some() {
        scripts.push("-Tdefmt.x");
    }
    if memory.ends_with("microbit.x") {
        // The widest router that is measured needs more than a micro:bit has: an emulated one can have 256 KiB.
        println!("cargo::rustc-link-arg-bin=cost=--defsym=_stack_start=0x20040000");
    }
    for script in ["--nmagic"].iter().chain(&scripts) {
        println!("cargo::rustc-link-arg-bins={script}");
    }
    Ok(())
}
