//! `cargo xtask web`: the page in which the simulator runs in a browser, as one file.

use crate::step::{Failure, cargo, root};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const TARGET: &str = "wasm32-unknown-unknown";
/// A page that is downloaded on a phone: more is a mistake.
const LARGEST: usize = 3_000_000;

/// Builds the page; where it is.
pub(crate) fn web() -> Result<PathBuf, Failure> {
    provide_target(TARGET)?;
    cargo(
        &["build", "--package", "desvio-web", "--lib", "--locked", "--profile", "web", "--target", TARGET],
        &[],
    )?;
    let from = root().join("cosim/web/page");
    let module = read(&target().join(TARGET).join("web/desvio_web.wasm"))?;
    let text = |name: &str| read(&from.join(name)).map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    let page = text("index.html")?
        .replacen("/*STYLE*/", &text("style.css")?, 1)
        .replacen("/*WASM*/", &base64(&module), 1)
        .replacen("/*SCRIPT*/", &text("page.js")?, 1);
    let folder = target().join("web");
    let file = folder.join("index.html");
    fs::create_dir_all(&folder)
        .and_then(|()| fs::write(&file, &page))
        .map_err(|error| Failure::new(format!("{}: {error}", file.display())))?;
    eprintln!("{}: {} bytes, of which the module is {}", file.display(), page.len(), module.len());
    if page.len() > LARGEST {
        return Err(Failure::new(format!("the page has more than {LARGEST} bytes")));
    }
    Ok(file)
}

/// Where what is compiled goes.
pub(crate) fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

/// Installs the standard library of another machine, where rustup has it and it is missing.
pub(crate) fn provide_target(target: &str) -> Result<(), Failure> {
    let rustup = |arguments: &[&str]| Command::new("rustup").args(arguments).current_dir(root()).output();
    let has = |target: &str| {
        let list = rustup(&["target", "list", "--installed"]).map(|output| output.stdout);
        list.is_ok_and(|list| String::from_utf8_lossy(&list).lines().any(|line| line == target))
    };
    if has(target) {
        return Ok(());
    }
    eprintln!("\n── rustup target add {target}");
    match rustup(&["target", "add", target]) {
        Ok(output) if output.status.success() => Ok(()),
        _ => Err(Failure::new(format!(
            "no standard library for {target}: `rustup target add {target}` failed"
        ))),
    }
}

fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    fs::read(path).map_err(|error| Failure::new(format!("{}: {error}", path.display())))
}

/// The bytes in the alphabet of RFC 4648.
fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let letter = |bits: u32| char::from(LETTERS[(bits & 63) as usize]);
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for three in bytes.chunks(3) {
        let bits = three.iter().fold(0, |bits, byte| bits << 8 | u32::from(*byte)) << (8 * (3 - three.len()));
        let four = [18, 12, 6, 0].map(|shift| letter(bits >> shift));
        text.extend(four.iter().take(three.len() + 1));
        text.extend(std::iter::repeat_n('=', 3 - three.len()));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::base64;

    /// The vectors of RFC 4648, section 10.
    #[test]
    fn base64_is_that_of_the_standard() {
        let vectors = [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
            ("foobar", "Zm9vYmFy"),
        ];
        for (text, expected) in vectors {
            assert_eq!(base64(text.as_bytes()), expected);
        }
    }
}
