//! What came out, for people.

use super::Arguments;
use super::ledger::Shown;
use super::picture;
use super::run::Outcome;
use std::fmt::Write as _;

/// Violations that are shown; of more, only the number is.
const SHOWN: usize = 20;

/// The picture, the table, each packet that is lost, and each violation.
pub(super) fn show(arguments: &Arguments, outcome: &Outcome) -> String {
    let Outcome { mesh, verdict, boards, cables, counts, told, .. } = outcome;
    let mut text = picture::draw(*mesh, boards, cables);
    text.push_str("  Between boards: frames, both ways. ↻ restarted, ✂ cut and mended.\n\n");
    for line in told {
        let _ = writeln!(text, "  {line}");
    }
    let packets = |count: usize| format!("{count} packets");
    let rows = [
        ("sent", format!("{}, asked for {}", packets(verdict.offered), arguments.packets)),
        (
            "delivered",
            format!("{}, {} flits, each byte as it was sent", packets(verdict.delivered), verdict.flits),
        ),
        ("hops between boards", format!("{}, as many as the router's model takes", verdict.hops)),
        ("lost by name", packets(verdict.losses.len())),
        ("reported lost, and delivered", packets(verdict.spared)),
        (
            "frames",
            format!("{}, {} damaged, {} bytes into a cut", outcome.frames, outcome.damaged, outcome.dropped),
        ),
        (
            "links",
            format!(
                "{} flits, {} sent again, {} broken frames, {} timeouts, {} times down, {} restarts seen, {} flits reported lost",
                counts.sent,
                counts.resent,
                counts.broken,
                counts.timeouts,
                counts.flaps,
                counts.restarts,
                counts.lost
            ),
        ),
        ("violations", verdict.violations.len().to_string()),
    ];
    text.push('\n');
    for (what, how) in rows {
        let _ = writeln!(text, "  {what:<29} {how}");
    }
    if !verdict.losses.is_empty() {
        text.push_str("\n  Lost:\n");
    }
    for loss in &verdict.losses {
        let _ = writeln!(text, "  {} to board {}: {}", Shown(loss.name), loss.to, loss.reason);
    }
    if !verdict.violations.is_empty() {
        text.push_str("\n  Violations:\n");
    }
    for violation in verdict.violations.iter().take(SHOWN) {
        let _ = writeln!(text, "  {violation}");
    }
    text
}
