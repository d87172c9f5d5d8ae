//! What two boards said, against each other.

use crate::step::Failure;

/// The numbers of packets in lines of one kind, as `life.number`.
fn numbers<'a>(log: &'a str, kind: &str) -> Vec<&'a str> {
    let words = log.lines().filter_map(|line| line.split_once(kind)?.1.split_once("packet "));
    words.filter_map(|(_, rest)| rest.split(',').next()).collect()
}

/// Packets that came whole.
pub(super) fn came(log: &str) -> usize {
    numbers(log, "from board ").len()
}

/// Whether what each board got is what the other one sent, once and in order; says how many packets came each way.
pub(super) fn judge(logs: &[String; 2], least: usize) -> Result<[usize; 2], Failure> {
    let [one, other] = logs;
    let mut found = [0; 2];
    for (place, (from, to)) in found.iter_mut().zip([(one, other), (other, one)]) {
        let (sent, got) = (numbers(from, "to board "), numbers(to, "from board "));
        if !sent.starts_with(&got) {
            let at = got.iter().zip(&sent).take_while(|(got, sent)| got == sent).count();
            let what = format!("packet {:?} came where {:?} was sent", got.get(at), sent.get(at));
            return Err(Failure::new(what));
        }
        if got.len() < least {
            return Err(Failure::new(format!("{} packets came, not {least}:\n{to}", got.len())));
        }
        *place = got.len();
    }
    let is_bad = |line: &str| ["error", "warn"].iter().any(|level| line.starts_with(level));
    match logs.iter().flat_map(|log| log.lines()).find(|line| is_bad(line)) {
        Some(line) => Err(Failure::new(format!("a board complains: {line}"))),
        None => Ok(found),
    }
}

/// The lines that a person wants to see of a board: the first ones, changes of ports, the last summary.
pub(super) fn excerpt(log: &str) -> Vec<&str> {
    let is_of_packet = |line: &&str| line.contains(" packet ");
    let others = log.lines().filter(|line| !is_of_packet(line) && !line.contains("board ")).take(3);
    let first = log.lines().next();
    let pair = ["to board", "from board"]
        .into_iter()
        .filter_map(|kind| log.lines().find(|line| line.contains(kind)));
    let last = log.lines().rev().find(|line| line.contains("in order"));
    first.into_iter().chain(others).chain(pair).chain(last).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn logs(sent: &[u32], came: &[u32]) -> [String; 2] {
        let sent = sent.iter().map(|n| format!("info  to board 1: packet 1.{n}, 2 flits\n")).collect();
        let came = came.iter().map(|n| format!("info  from board 0: packet 1.{n}, whole\n")).collect();
        [sent, came]
    }

    #[test]
    fn packets_come_once_and_in_order() {
        let judged = |sent: &[u32], came: &[u32]| {
            judge(&logs(sent, came), 0).map(|found| found[0]).map_err(|failure| failure.to_string())
        };
        assert_eq!(judged(&[0, 1, 2], &[0, 1]), Ok(2));
        for wrong in [&[0, 2][..], &[0, 0], &[1, 0], &[0, 1, 2, 3]] {
            assert!(judged(&[0, 1, 2], wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn a_complaint_is_a_failure() {
        let [sent, mut came] = logs(&[0], &[0]);
        came += "warn  lost at west: packet 3, the neighbour has restarted\n";
        assert!(judge(&[sent, came], 0).is_err());
    }
}
