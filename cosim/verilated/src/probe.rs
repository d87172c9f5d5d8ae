//! Public signals inside the design, found in what Verilator generates about its symbols.

use std::{collections::HashMap, fs, path::Path};

use crate::{error::ProbeError, names};

/// A signal inside the design that is marked `/*verilator public_flat_rd*/`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ProbeInfo {
    /// Its hierarchical name, top module first: `router.probe.counts`.
    pub name: String,
    /// Its width.
    pub bits: u32,
}

/// A public signal together with the C++ expression that names it inside the symbol table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ProbeMember {
    pub(crate) info: ProbeInfo,
    pub(crate) expression: String,
}

/// Reads the sources Verilator generated into `folder`. Unpacked arrays and reals are passed over.
pub(crate) fn parse(folder: &Path, prefix: &str) -> std::io::Result<Vec<ProbeMember>> {
    let mut symbols = String::new();
    let mut headers = HashMap::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if name.starts_with(&format!("{prefix}__Syms")) && name.ends_with(".cpp") {
            symbols.push_str(&fs::read_to_string(&path)?);
        } else if let Some(class) = name.strip_suffix(".h") {
            headers.insert(class.to_owned(), fs::read_to_string(&path)?);
        }
    }
    let table = headers.get(&format!("{prefix}__Syms")).map_or("", String::as_str);
    let mut probes: Vec<ProbeMember> = signals(&symbols)
        .into_iter()
        .filter_map(|signal| {
            let (object, member) = signal.expression.split_once('.')?;
            let header = headers.get(class_of(table, object)?)?;
            let bits = width_of(header, member)?;
            Some(ProbeMember { info: ProbeInfo { name: signal.name, bits }, expression: signal.expression })
        })
        .collect();
    probes.sort_by(|a, b| a.info.name.cmp(&b.info.name));
    probes.dedup_by(|a, b| a.info.name == b.info.name);
    Ok(probes)
}

struct Signal {
    name: String,
    expression: String,
}

/// Collects scopes and the signals inserted into them:
///
/// ```text
/// __Vscope_t__u.configure(this, name(), "t.u", …);                  5.006
/// __Vscopep_t__u = new VerilatedScope{this, "t.u", …};              5.048
/// __Vscope_t__u.varInsert(__Vfinal,"cnt", &(TOP.t__DOT__u__DOT__cnt), …);
/// ```
///
/// A large symbol table is several files: before the first statement of each stand the names of headers, which are no scopes.
fn signals(symbols: &str) -> Vec<Signal> {
    let lines: Vec<_> = symbols.lines().filter(|line| !line.starts_with('#')).collect();
    let statements: Vec<String> = lines
        .join("\n")
        .split(';')
        .map(|text| text.split_whitespace().collect::<Vec<_>>().join(" "))
        .collect();
    let mut scopes = HashMap::new();
    for statement in &statements {
        let is_scope = statement.contains(".configure(") || statement.contains("new VerilatedScope{");
        if let (true, Some(variable), Some(name)) = (is_scope, scope_variable(statement), quoted(statement)) {
            scopes.insert(variable, name);
        }
    }
    statements.iter().filter_map(|statement| signal(statement, &scopes)).collect()
}

fn signal(statement: &str, scopes: &HashMap<&str, &str>) -> Option<Signal> {
    let (_, arguments) = statement.split_once("varInsert(")?;
    let scope = scopes.get(scope_variable(statement)?)?;
    let name = quoted(arguments)?;
    let (expression, _) = arguments.split_once("&(")?.1.split_once(')')?;
    Some(Signal { name: names::decode(&format!("{scope}.{name}")), expression: expression.to_owned() })
}

/// `__Vscope_…` or `__Vscopep_…`, without what follows it.
fn scope_variable(statement: &str) -> Option<&str> {
    let start = &statement[statement.find("__Vscope")?..];
    let end = start.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(start.len());
    Some(&start[..end])
}

fn quoted(statement: &str) -> Option<&str> {
    statement.split('"').nth(1)
}

/// `TOP` is an object of class `V…___024root`: the symbol table says so in one line for each object.
fn class_of<'a>(table: &'a str, object: &str) -> Option<&'a str> {
    table.lines().find_map(|line| {
        let mut words = line.trim().strip_suffix(';')?.split_whitespace();
        let class = words.next()?;
        (words.next() == Some(object)).then_some(class)
    })
}

/// Reads `CData/*3:0*/ name;`, `VlWide<3>/*94:0*/ name;` and `VL_OUT8(name,3,0);`.
fn width_of(header: &str, member: &str) -> Option<u32> {
    header.lines().map(str::trim).find_map(|line| {
        let (high, low) = if line.starts_with("VL_") {
            let (_, arguments) = line.split_once('(')?;
            let mut arguments = arguments.split([',', ')']);
            (arguments.next() == Some(member)).then_some(())?;
            (arguments.next()?, arguments.next()?)
        } else {
            let (kind, name) = line.strip_suffix(';')?.rsplit_once(' ')?;
            if name != member || kind.starts_with("VlUnpacked") {
                return None;
            }
            kind.split_once("/*")?.1.strip_suffix("*/")?.split_once(':')?
        };
        let (high, low): (i64, i64) = (high.trim().parse().ok()?, low.trim().parse().ok()?);
        u32::try_from(high.abs_diff(low) + 1).ok()
    })
}

/// Finds a probe, or the names most like it.
pub(crate) fn find(probes: &[ProbeInfo], name: &str) -> Result<usize, ProbeError> {
    probes.iter().position(|probe| probe.name == name).ok_or_else(|| {
        let mut near: Vec<_> =
            probes.iter().map(|probe| (strsim::jaro_winkler(name, &probe.name), &probe.name)).collect();
        near.sort_by(|a, b| b.0.total_cmp(&a.0));
        ProbeError {
            name: name.to_owned(),
            near: near.into_iter().take(5).map(|(_, name)| name.clone()).collect(),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::{signals, width_of};

    #[test]
    fn both_spellings_of_the_symbol_table_are_read() {
        let old = r#"__Vscope_t__u.configure(this, name(), "t.u", "u", 0, VerilatedScope::SCOPE_OTHER);
            __Vscope_t__u.varInsert(__Vfinal,"cnt", &(TOP.t__DOT__u__DOT__cnt), false, VLVT_UINT8);"#;
        let new = r#"__Vscopep_t__u = new VerilatedScope{this, "t.u", "u", "<null>", 0, x};
            __Vscopep_t__u->varInsert("cnt", &(TOP.t__DOT__u__DOT__cnt), false, VLVT_UINT8);"#;
        for text in [old, new] {
            let found = signals(text);
            assert_eq!(found.len(), 1);
            assert_eq!(
                (found[0].name.as_str(), found[0].expression.as_str()),
                ("t.u.cnt", "TOP.t__DOT__u__DOT__cnt")
            );
        }
    }

    #[test]
    fn the_first_scope_of_another_file_is_found() {
        let second = r#"
#include "Vt__Syms.h"
#include "Vt.h"

void Vt__Syms::Vt__Syms_1() {
    __Vscope_t__u.configure(this, name(), "t.u", "u", 0, VerilatedScope::SCOPE_OTHER);
    __Vscope_t__u.varInsert(__Vfinal,"cnt", &(TOP.t__DOT__u__DOT__cnt), false, VLVT_UINT8);
}"#;
        assert_eq!(signals(second).first().map(|signal| signal.name.as_str()), Some("t.u.cnt"));
    }

    #[test]
    fn widths_come_from_the_declaration() {
        let header =
            "CData/*3:0*/ a;\n  VlWide<3>/*94:0*/ b;\n VL_OUT8(c,7,2);\n VlUnpacked<CData/*3:0*/, 4> d;";
        assert_eq!(width_of(header, "a"), Some(4));
        assert_eq!(width_of(header, "b"), Some(95));
        assert_eq!(width_of(header, "c"), Some(6));
        assert_eq!(width_of(header, "d"), None);
    }
}
