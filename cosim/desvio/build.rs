//! The page of `desvio watch`, where `DESVIO_PAGE` names it: released programs have it inside.

use std::path::PathBuf;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-env-changed=DESVIO_PAGE");
    let page = match env::var_os("DESVIO_PAGE").filter(|page| !page.is_empty()).map(PathBuf::from) {
        Some(page) => {
            println!("cargo:rerun-if-changed={}", page.display());
            fs::read(page)?
        }
        None => Vec::new(),
    };
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    fs::write(out.join("page.html"), page)
}
