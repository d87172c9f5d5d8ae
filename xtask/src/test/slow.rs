//! The slow half: mutants, proofs, searches, all boards, most routers in lockstep, long figures, engines of campaigns.

use super::draw::Draw;
use super::{ALL, COMMANDS, SLOW, install, tables, with_environment};
use crate::engines;
use crate::firmware::{self, Scope};
use crate::instructions::instructions;
use crate::lint::lint;
use crate::own_crate;
use crate::step::{Failure, beside, tests};
use crate::tools;
use crate::web::web;

/// Runs the slow half, with so much of the longest tests; its tables are printed, and written to `results/signoff.md`.
pub(crate) fn slow(draw: Draw) -> Result<(), Failure> {
    eprintln!("\n── the slow half, with {draw}");
    // A test runs a command of this program, which may be compiled anew until then.
    let xtask = std::env::current_exe().unwrap_or_else(|_| "xtask".into()).display().to_string();
    if !tools::can_install() {
        install()?;
    }
    // Tests of boards need what is built for them, and compiling takes both cores.
    beside(
        || install().and_then(|()| engines::install()),
        || {
            firmware::boards(false, Scope::Everything)
                .and_then(|()| web())
                .and_then(|_| tests(&["--no-run"], &[]))
        },
    )?;
    let kept = tables::fresh_folder()?;
    let (name, value) = draw.variable();
    let is_long = if draw == Draw::All { "1" } else { "" };
    let ended = with_environment(|environment| {
        let own = [
            (name, value.as_str()),
            ("DESVIO_LONG", is_long),
            ("DESVIO_RECORD", kept.as_str()),
            ("DESVIO_XTASK", xtask.as_str()),
        ];
        let environment = [environment, &own].concat();
        let run = |binary, which: &[&str]| {
            tests(&[&["--no-fail-fast", "--test", binary, "--", "--nocapture"], which].concat(), &environment)
        };
        // The table of cases is about the routers of the fast half, too.
        beside(|| elsewhere(draw), || run(ALL, &[SLOW, "lockstep::"]).and(run(COMMANDS, &[SLOW])))
    });
    let written = tables::write();
    ended.and(written)
}

/// What cargo does not run as a test, and needs one core at a time.
fn elsewhere(draw: Draw) -> Result<(), Failure> {
    let own_crate =
        || if draw.takes(1, "the example outside the workspace") { own_crate::run() } else { Ok(()) };
    let engines = || {
        if draw.takes(0, "engines of campaigns") { engines::engines(&engines::Arguments::CI) } else { Ok(()) }
    };
    instructions(false).and(lint()).and(own_crate()).and(engines())
}
