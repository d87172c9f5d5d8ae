//! Which of the longest tests a run takes.
//!
//! They do not fit into every run. `DESVIO_DRAW` is the number of a tenth, 0 to 9, which `cargo xtask test --slow` draws by the commit's hash, or
//! `all`. What is left out is said. Without the variable all thirds run and no tenth does.

/// Parts of tests that a tenth of all commits runs each.
const TENTHS: u32 = 10;

/// Parts of tests that three or four tenths of all commits run each.
const THIRDS: u32 = 3;

/// Whether a test of the longest ones is drawn in this run: one of ten parts, by its name. Says so if it is not.
#[must_use]
pub fn long(what: &str) -> bool {
    let tenth = hash(what) % TENTHS;
    let drawn = drawn().unwrap_or_default();
    let is_drawn = drawn == "all" || drawn == tenth.to_string();
    if !is_drawn {
        eprintln!("NOT DRAWN: {what} (DESVIO_DRAW={tenth} runs it)");
    }
    is_drawn
}

/// Whether a long test is drawn in this run: one of three parts, by its name. Says so if it is not.
#[must_use]
pub fn third(what: &str) -> bool {
    let third = hash(what) % THIRDS;
    let is_drawn = takes(drawn().as_deref(), third);
    if !is_drawn {
        eprintln!("NOT DRAWN: {what} ({} runs it)", draws_of(third));
    }
    is_drawn
}

/// Of long cases of one kind every third one, from that on which is drawn in this run; says how many these are, if not all.
pub fn third_of<T>(what: &str, cases: impl IntoIterator<Item = T>) -> Vec<T> {
    let drawn = drawn();
    let (mut taken, mut count) = (Vec::new(), 0);
    for (case, third) in cases.into_iter().zip((0..THIRDS).cycle()) {
        count += 1;
        if takes(drawn.as_deref(), third) {
            taken.push(case);
        }
    }
    if taken.len() < count {
        let all = (0..THIRDS).map(draws_of).collect::<Vec<_>>().join("; ");
        eprintln!("DRAWN: {} of {count} {what} (a third: {all})", taken.len());
    }
    taken
}

/// Which tenth is drawn.
fn drawn() -> Option<String> {
    std::env::var("DESVIO_DRAW").ok()
}

/// Whether a run with this draw takes a third.
fn takes(drawn: Option<&str>, third: u32) -> bool {
    drawn.is_none_or(|drawn| drawn == "all" || drawn.parse().is_ok_and(|tenth: u32| tenth % THIRDS == third))
}

/// The draws that take a third.
fn draws_of(third: u32) -> String {
    let tenths = (third..TENTHS).step_by(THIRDS as usize).map(|tenth| tenth.to_string());
    format!("DESVIO_DRAW={}", tenths.collect::<Vec<_>>().join("|"))
}

/// FNV-1a.
fn hash(what: &str) -> u32 {
    what.bytes().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Proves: each part is taken by some draw, one third by each of them, and all by `all` and by runs without a draw.
    #[test]
    fn each_third_is_drawn() {
        for tenth in (0..TENTHS).map(|tenth| tenth.to_string()) {
            let taken: Vec<_> = (0..THIRDS).filter(|&third| takes(Some(&tenth), third)).collect();
            assert_eq!(taken.len(), 1, "{tenth}");
            assert!(draws_of(taken[0]).contains(&tenth));
        }
        for third in 0..THIRDS {
            let by = (0..TENTHS).filter(|tenth| takes(Some(&tenth.to_string()), third)).count();
            assert!((3..=4).contains(&by), "{third}");
            assert!(takes(None, third) && takes(Some("all"), third) && !takes(Some(""), third));
        }
    }
}
