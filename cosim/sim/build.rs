//! The sources of the engine as one number, where this package is built in its checkout: results of sources that were changed are not
//! taken for those of others. A package from a registry is known by its version.

use std::io;
use std::path::{Path, PathBuf};
use std::{env, fs};

/// What results depend on.
const ENGINE: [&str; 2] = ["../../router-core/src", "src"];

fn main() -> io::Result<()> {
    println!("cargo:rerun-if-changed=build.rs");
    let here = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let is_checkout = ENGINE.iter().all(|folder| here.join(folder).is_dir());
    let mut files = Vec::new();
    for folder in ENGINE.iter().filter(|_| is_checkout) {
        println!("cargo:rerun-if-changed={folder}");
        add(&here, Path::new(folder), &mut files)?;
    }
    files.sort();
    let sources = if is_checkout { format!(", sources {:016x}", digest(&files)) } else { String::new() };
    println!("cargo:rustc-env=DESVIO_SOURCES={sources}");
    Ok(())
}

/// The sources below a folder, by their path, with `/` on every system, and their text; without tests, which change no result.
fn add(here: &Path, folder: &Path, files: &mut Vec<(String, String)>) -> io::Result<()> {
    for entry in fs::read_dir(here.join(folder))? {
        let path = folder.join(entry?.file_name());
        if path.file_stem().is_some_and(|stem| stem == "tests") {
            continue;
        }
        if here.join(&path).is_dir() {
            add(here, &path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(here.join(&path))?.replace("\r\n", "\n");
            files.push((path.to_string_lossy().replace('\\', "/"), text));
        }
    }
    Ok(())
}

/// FNV-1a, 64 bits.
fn digest(files: &[(String, String)]) -> u64 {
    let bytes = files.iter().flat_map(|(path, text)| [path.as_str(), "\0", text, "\0"]).flat_map(str::bytes);
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
