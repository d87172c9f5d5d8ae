//! All drawn slips in one copy of the model, each behind a switch: the copy is compiled once, and not once per slip.

use super::site::{Bytes, Kind, Site};

/// A file in which each of these slips can be chosen by its number.
pub(crate) fn with_all(text: &str, sites: &[(usize, &Site)]) -> String {
    written(text, Bytes { start: 0, end: text.len() }, sites)
}

/// A file with one slip, as somebody would have written it.
pub(crate) fn with_one(text: &str, site: &Site) -> String {
    format!("{}{}{}", &text[..site.slip.start], site.by, &text[site.slip.end..])
}

/// A part of the file; the slips are those in it.
fn written(text: &str, part: Bytes, sites: &[(usize, &Site)]) -> String {
    let mut sites = sites.to_vec();
    sites.sort_by_key(|(number, site)| (site.whole.start, usize::MAX - site.whole.end, *number));
    let (mut done, mut at, mut written) = (part.start, 0, String::new());
    while let Some((_, first)) = sites.get(at) {
        let whole = first.whole;
        let inside = sites[at..].iter().take_while(|(_, site)| whole.contains(site.whole)).count();
        written.push_str(&text[done..whole.start]);
        written.push_str(&chosen(text, whole, &sites[at..at + inside]));
        done = whole.end;
        at += inside;
    }
    written + &text[done..part.end]
}

/// What is chosen as a whole. In every place but the last there is one slip; what is further inside can be chosen in the last.
fn chosen(text: &str, whole: Bytes, sites: &[(usize, &Site)]) -> String {
    let (here, inside): (Vec<_>, Vec<_>) = sites.iter().partition(|(_, site)| site.whole == whole);
    let mut all = written(text, whole, &inside);
    for (number, site) in here {
        let is_chosen = format!("crate::mutant::is({number})");
        all = match site.kind {
            Kind::Value | Kind::Constant => {
                format!("(if {is_chosen} {{ {} }} else {{ {all} }})", site.mutant(text))
            }
            Kind::Dropped => format!("if !{is_chosen} {{ {all} }}"),
            Kind::Body => format!("{{ if {is_chosen} {} else {all} }}", site.mutant(text)),
        };
    }
    all
}

/// Which slip is chosen, by an environment variable; with another one, the numbers of those that a run reaches are written to a file.
pub(crate) const MODULE: &str = r#"
#[allow(missing_docs)]
pub mod mutant {
    use std::collections::HashSet;
    use std::io::Write;
    use std::sync::{LazyLock, Mutex};

    static CHOSEN: LazyLock<u32> =
        LazyLock::new(|| std::env::var("DESVIO_MUTANT").ok().and_then(|text| text.parse().ok()).unwrap_or(0));
    static REACHED: LazyLock<Option<Mutex<(HashSet<u32>, std::fs::File)>>> = LazyLock::new(|| {
        let name = std::env::var("DESVIO_REACHED").ok()?;
        let file = std::fs::OpenOptions::new().create(true).append(true).open(name).ok()?;
        Some(Mutex::new((HashSet::new(), file)))
    });

    const fn never(_: u32) -> bool {
        false
    }

    fn now(number: u32) -> bool {
        if let Some(reached) = &*REACHED {
            let mut reached = reached.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            if reached.0.insert(number) {
                let _ = writeln!(reached.1, "{number}");
            }
        }
        *CHOSEN == number
    }

    #[inline(always)]
    pub const fn is(number: u32) -> bool {
        core::intrinsics::const_eval_select((number,), never, now)
    }
}
"#;
