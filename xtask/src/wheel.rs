//! `cargo xtask wheel`: the command as a wheel of Python, and tried in an environment that holds nothing else.

use crate::step::{Failure, root, run};
use crate::web::{self, provide_target, target};
use std::fs;

/// Builds `target/wheels/desvio-….whl` by maturin, installs it into a fresh environment, and runs its tests there.
pub(crate) fn wheel() -> Result<(), Failure> {
    let machine = format!("{}-unknown-linux-musl", std::env::consts::ARCH);
    let page = web::web()?;
    provide_target(&machine)?;
    let (tools, empty) = (target().join("wheels/tools"), target().join("wheels/empty"));
    let out = target().join("wheels");
    let shown = |path: &std::path::Path| path.display().to_string();
    let words = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect::<Vec<_>>();
    for folder in [&tools, &empty] {
        run("python3", &words(&["-m", "venv", "--clear", &shown(folder)]))?;
    }
    let in_tools = |name: &str| shown(&tools.join("bin").join(name));
    run(&in_tools("pip"), &words(&["install", "--quiet", "maturin>=1.7,<2"]))?;
    for wheel in wheels(&out)? {
        fs::remove_file(&wheel).map_err(|error| Failure::new(format!("{}: {error}", wheel.display())))?;
    }
    let manifest = shown(&root().join("python"));
    // A static program runs on every Linux; maturin finds out which tags say so.
    let build = format!(
        "cd '{manifest}' && DESVIO_PAGE='{}' exec '{}' build --profile dist --target {machine} --out '{}'",
        page.display(),
        in_tools("maturin"),
        out.display()
    );
    run("sh", &words(&["-c", &build]))?;
    let built = wheels(&out)?;
    let [wheel] = built.as_slice() else { return Err(Failure::new("maturin has not built one wheel")) };
    let python = shown(&empty.join("bin/python"));
    run(&python, &words(&["-m", "pip", "install", "--quiet", &shown(wheel)]))?;
    run(&python, &words(&[&shown(&root().join("python/tests/test_desvio.py"))]))?;
    eprintln!("{}", wheel.display());
    Ok(())
}

fn wheels(folder: &std::path::Path) -> Result<Vec<std::path::PathBuf>, Failure> {
    let entries =
        fs::read_dir(folder).map_err(|error| Failure::new(format!("{}: {error}", folder.display())))?;
    let paths = entries.flatten().map(|entry| entry.path());
    Ok(paths.filter(|path| path.extension().is_some_and(|of| of == "whl")).collect())
}
