//! All mutants in one copy of the RTL: each configuration is compiled once, and not once per mutant.

use super::site::Site;
use desvio_tests::mutation::{choice, declare, with_pin};
use desvio_tests::rtl::{copy, source};
use std::collections::BTreeMap;
use std::path::Path;
use std::{fs, io};

/// The modules of `hdl`, without `.sv`, and their texts.
pub(crate) type Modules = BTreeMap<String, String>;

/// A module in which each of these mutants can be chosen; mutant 0 is none.
pub(crate) fn with_all(text: &str, mutants: &[(u16, &Site)]) -> String {
    let mut places: BTreeMap<usize, Vec<&(u16, &Site)>> = BTreeMap::new();
    for mutant in mutants {
        places.entry(mutant.1.bytes.0).or_default().push(mutant);
    }
    let (mut written, mut done) = (String::new(), 0);
    for (start, here) in places {
        let (_, site) = here[0];
        let original = &text[start..site.bytes.1];
        written.push_str(&text[done..start]);
        let all = here
            .iter()
            .fold(format!("({original})"), |others, (number, site)| choice(*number, &site.mutant, &others));
        let name = if site.is_short { original } else { "" };
        written.push_str(&format!("{name}({all})"));
        done = site.bytes.1;
    }
    written + &text[done..]
}

/// A module with this one mutant, as someone would have written it.
pub(crate) fn with_one(text: &str, site: &Site) -> String {
    let (start, end) = site.bytes;
    let name = if site.is_short { &text[start..end] } else { "" };
    format!("{}{name}({}){}", &text[..start], site.mutant, &text[end..])
}

/// Copies the RTL to `folder`, with all mutants in it. The router takes the number of the chosen one while it is reset.
pub(crate) fn write(folder: &Path, modules: &Modules, mutants: &[Site]) -> io::Result<()> {
    copy(folder);
    declare(folder)?;
    for (module, text) in modules {
        let here: Vec<_> = (1..).zip(mutants).filter(|(_, site)| site.module == *module).collect();
        let mut text = with_all(text, &here);
        if module == "router" {
            text = with_pin(&text);
        }
        fs::write(source(folder, module), text)?;
    }
    Ok(())
}
