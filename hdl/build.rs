//! Writes the list of the RTL's files for Rust, from `files.f`.

use std::env;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

const LIST: &str = "files.f";
/// What Verilator's lint is waived; no other tool reads it.
const WAIVERS: &str = "lint.vlt";
/// What a line begins with that names a folder of included files.
const INCLUDED: &str = "+incdir+";

fn main() {
    println!("cargo::rerun-if-changed={LIST}");
    let folder = env::var("CARGO_MANIFEST_DIR").expect("cargo sets it");
    let list = fs::read_to_string(LIST).expect("the list of sources");
    let sources = list.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("//"));
    let mut text = String::from("&[\n");
    for path in std::iter::once(WAIVERS.to_owned()).chain(sources.flat_map(files)) {
        println!("cargo::rerun-if-changed={path}");
        let file = Path::new(&folder).join(&path);
        let _ = writeln!(text, "    File {{ path: {path:?}, text: include_str!({file:?}) }},");
    }
    text.push_str("]\n");
    let out = env::var("OUT_DIR").expect("cargo sets it");
    fs::write(Path::new(&out).join("files.rs"), text).expect("the output folder takes a file");
}

/// The files of one line of the list: a source, or all of a folder of included files.
fn files(line: &str) -> Vec<String> {
    let Some(folder) = line.strip_prefix(INCLUDED) else { return vec![line.to_owned()] };
    println!("cargo::rerun-if-changed={folder}");
    let entries = fs::read_dir(folder).expect("the folder of included files");
    let names =
        entries.map(|entry| entry.expect("an entry").file_name().into_string().expect("a name in ASCII"));
    let mut found: Vec<_> = names.map(|name| format!("{folder}/{name}")).collect();
    found.sort();
    found
}
