//! `bind`, for a reader that has none: each check becomes an instance in the text of the module that it is bound to.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

/// One `bind MODULE CHECK ...;` statement.
struct Bind {
    module: String,
    check: String,
    /// All of it from the check's name on, with the semicolon.
    instance: String,
}

/// The statements of a file of binds.
fn binds(text: &str) -> Vec<Bind> {
    let code: String = text
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"))
        .flat_map(|line| [line, "\n"])
        .collect();
    let statements = code.split_inclusive(';').filter_map(|statement| statement.trim().strip_prefix("bind "));
    let bind = |statement: &str| {
        let (module, instance) = statement.trim_start().split_once(char::is_whitespace)?;
        let check = instance.split_whitespace().next()?;
        Some(Bind { module: module.to_owned(), check: check.to_owned(), instance: instance.to_owned() })
    };
    statements.map(|statement| bind(statement).expect("a module, a check and its pins")).collect()
}

/// Writes the sources into `into`, with their checks in them, but for those of the modules named in `without`; gives what is to be
/// read: they, and the checks.
///
/// # Panics
/// When a file cannot be read or written.
pub(crate) fn attach(hdl: &Path, sources: &[PathBuf], without: &[&str], into: &Path) -> Vec<PathBuf> {
    let text =
        |path: &Path| fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let all = binds(&text(&hdl.join("check/dsv_check_bind.sv")));
    let mut read = Vec::new();
    let mut checks = Vec::new();
    for source in sources {
        let name = source.file_name().expect("a file has a name");
        let module = source.file_stem().expect("a file has a name").to_string_lossy();
        let mut whole = text(source);
        let is_without = without.iter().any(|noun| *module == format!("dsv_{noun}"));
        for bind in all.iter().filter(|bind| bind.module == *module && !is_without) {
            let end = whole.rfind("endmodule").expect("a module ends");
            let mut instance = String::new();
            let _ = writeln!(instance, "  {}", bind.instance);
            whole.insert_str(end, &instance);
            checks.push(hdl.join(format!("check/{}.sv", bind.check)));
        }
        let copy = into.join(name);
        fs::write(&copy, whole).unwrap_or_else(|error| panic!("{}: {error}", copy.display()));
        read.push(copy);
    }
    checks.sort();
    checks.dedup();
    read.extend(checks);
    read
}

#[test]
fn each_check_gets_into_its_module() {
    let hdl = desvio_tests::rtl::hdl();
    let text = fs::read_to_string(hdl.join("check/dsv_check_bind.sv")).expect("a file");
    let all = binds(&text);
    assert_eq!(all.len(), text.lines().filter(|line| line.starts_with("bind ")).count());
    let folder = tempfile::tempdir().expect("a folder");
    let router = desvio_tests::rtl::source(&hdl, "router");
    let read = attach(&hdl, std::slice::from_ref(&router), &[], folder.path());
    let written = fs::read_to_string(&read[0]).expect("a copy");
    let of_router: Vec<_> = all.iter().filter(|bind| bind.module == "dsv_router").collect();
    assert!(of_router.len() == 4 && read.len() == 5, "the router and its four checks");
    for bind in of_router {
        assert!(written.contains(&bind.instance) && written.trim_end().ends_with("endmodule"));
    }
    assert_eq!(attach(&hdl, &[router], &["router"], folder.path()).len(), 1);
}
