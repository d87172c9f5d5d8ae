//! `desvio-events ELF`: the events of a board, as they come from standard input, in words. The strings are not on the board: the ELF
//! file that it runs has them.
//!
//! `defmt-print` does that, too, and takes twice as long to compile: it also reads serial ports and sockets.

use defmt_decoder::{DecodeError, StreamDecoder, Table};
use std::error::Error;
use std::ffi::OsStr;
use std::io::{Read as _, Write, stdin, stdout};
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    let elf = env::args_os().nth(1).ok_or("usage: desvio-events ELF < EVENTS")?;
    let table = table(&elf)?;
    let mut decoder = table.new_stream_decoder();
    let mut buffer = [0; 4096];
    loop {
        let bytes = stdin().read(&mut buffer)?;
        let Some(received @ [_, ..]) = buffer.get(..bytes) else { return Ok(()) };
        decoder.received(received);
        print(decoder.as_mut(), table.encoding().can_recover())?;
    }
}

/// The strings of an ELF file.
fn table(elf: &OsStr) -> Result<Table, Box<dyn Error>> {
    let shown = elf.display();
    let bytes = fs::read(elf).map_err(|error| format!("{shown}: {error}"))?;
    let table = Table::parse(&bytes).map_err(|error| format!("{shown}: {error}"))?;
    table.ok_or_else(|| format!("{shown} has no events in it: it was built without `defmt`").into())
}

/// Writes each event that is complete.
fn print(decoder: &mut dyn StreamDecoder, can_recover: bool) -> Result<(), Box<dyn Error>> {
    let mut out = stdout().lock();
    loop {
        match decoder.decode() {
            Ok(frame) => {
                let level = frame.level().map_or("", |level| level.as_str());
                writeln!(out, "{level:<5} {}", frame.display_message())?;
            }
            Err(DecodeError::UnexpectedEof) => return Ok(()),
            Err(DecodeError::Malformed) if can_recover => writeln!(out, "(an event that cannot be read)")?,
            Err(DecodeError::Malformed) => return Err("an event that cannot be read".into()),
        }
    }
}
