//! What came out, for people.

use super::Arguments;
use super::picture;
use super::run::Outcome;
use super::verdict::{Loss, Reason};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Columns of a line.
const WIDTH: usize = 116;

/// Violations that are shown; of more, only the number is.
const SHOWN: usize = 20;

/// The picture, the table, each packet that is lost, and each violation.
pub(super) fn show(arguments: &Arguments, outcome: &Outcome) -> String {
    let Outcome { mesh, verdict, boards, cables, counts, notes, .. } = outcome;
    let mut text = picture::draw(*mesh, boards, cables);
    text.push_str("  Between boards: frames, both ways. ↻ restarted, ✂ cut and mended.\n\n");
    for line in notes {
        let _ = writeln!(text, "  {line}");
    }
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
        text.push_str("\n  Lost, by source: number → destination\n");
        text.push_str(&lost(&verdict.losses));
    }
    if !verdict.violations.is_empty() {
        text.push_str("\n  Violations:\n");
    }
    for violation in verdict.violations.iter().take(SHOWN) {
        let _ = writeln!(text, "  {violation}");
    }
    text
}

fn packets(count: usize) -> String {
    if count == 1 { "1 packet".to_owned() } else { format!("{count} packets") }
}

/// Each packet that is lost, below the reason.
fn lost(losses: &[Loss]) -> String {
    let mut by_reason: BTreeMap<Reason, BTreeMap<(u8, u8), Vec<String>>> = BTreeMap::new();
    for &Loss { name, to, reason } in losses {
        let of = by_reason.entry(reason).or_default();
        of.entry((name.source, name.life)).or_default().push(format!("{}→{to}", name.number));
    }
    let mut text = String::new();
    for (reason, sources) in by_reason {
        let count: usize = sources.values().map(Vec::len).sum();
        let _ = writeln!(text, "  {}: {reason}", packets(count));
        for ((source, life), lost) in sources {
            let life = if life > 0 { format!(" after restart {life}") } else { String::new() };
            let mut line = format!("    board {source}{life}:");
            for packet in lost {
                if line.chars().count() + packet.len() > WIDTH {
                    let _ = writeln!(text, "{line}");
                    line = " ".repeat(6);
                }
                line = line + " " + &packet;
            }
            let _ = writeln!(text, "{line}");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use desvio_tile::Name;

    #[test]
    fn every_packet_is_named_below_its_reason() {
        let loss = |number, life, reason| Loss { name: Name { source: 3, life, number }, to: 8, reason };
        let inside = Reason::Inside { board: 4 };
        let losses = [loss(7, 0, inside), loss(8, 0, Reason::CutShort), loss(1, 2, inside)];
        let expected = "  1 packet: came without its end, from a board that restarted
    board 3: 8→8
  2 packets: in board 4 when it restarted, or on the way there
    board 3: 7→8
    board 3 after restart 2: 1→8
";
        assert_eq!(lost(&losses), expected);
    }
}
