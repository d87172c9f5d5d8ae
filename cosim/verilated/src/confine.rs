//! Verilog that is to stay inside of the simulation: it runs no programs and no foreign code, and writes no files.
//!
//! What is looked at is what Verilator's preprocessor gives, so that no macro and no included file hides anything. What it would
//! not show is refused: modules that Verilator finds by itself, `` `line ``, which gives lines the name of another file, and
//! `` `pragma ``, inside of which it reads comments otherwise than the parser.

mod scan;

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use crate::{
    Design,
    cache::at,
    child,
    design::absolute,
    error::{BuildError, Reach},
    toolchain::{Toolchain, messages, text},
};
use scan::Found;

/// Refuses a design that reaches out; `read` are the files Verilator has read for it.
pub(crate) fn check(design: &Design, toolchain: &Toolchain, read: &[PathBuf]) -> Result<(), BuildError> {
    for path in read {
        let source = String::from_utf8_lossy(&fs::read(path).map_err(at(path))?).into_owned();
        if let Some(found) = scan::hiding(&source) {
            return Err(refused(path, found));
        }
    }
    let text = preprocess(design, toolchain)?;
    let scan::Scan { files, found } = scan::scan(&text);
    if let Some((file, found)) = found {
        return Err(refused(Path::new(&file), found));
    }
    let seen: BTreeSet<PathBuf> =
        files.iter().map(|file| absolute(Path::new(file))).collect::<Result<_, _>>()?;
    match read.iter().find(|path| !seen.contains(*path)) {
        None => Ok(()),
        Some(path) => Err(BuildError::FoundByItself { path: path.clone() }),
    }
}

/// The sources as Verilator's parser gets them.
fn preprocess(design: &Design, toolchain: &Toolchain) -> Result<String, BuildError> {
    let mut command = Command::new(&toolchain.verilator);
    command.args(design.options()).arg("-E").args(&design.sources);
    let output = child::output(&mut command).map_err(|error| BuildError::VerilatorMissing {
        command: toolchain.verilator.clone(),
        reason: error.to_string(),
    })?;
    if output.status.success() {
        Ok(text(&output.stdout))
    } else {
        Err(BuildError::Verilator { top: design.top.clone(), messages: messages(&output) })
    }
}

/// The refusal, with the line as its file has it; where a macro made it, as the preprocessor gives it.
fn refused(path: &Path, Found { line, text, word, why }: Found) -> BuildError {
    let source = fs::read(path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default();
    let written = source.lines().nth(line - 1).filter(|written| written.contains(&word));
    let quote = written.unwrap_or(&text);
    let before = quote.find(&word).and_then(|at| quote.get(..at)).unwrap_or_default();
    BuildError::Reaches(Box::new(Reach {
        path: path.to_owned(),
        line,
        column: before.chars().count() + 1,
        quote: quote.chars().map(|c| if c.is_control() { ' ' } else { c }).collect(),
        word,
        why,
    }))
}
