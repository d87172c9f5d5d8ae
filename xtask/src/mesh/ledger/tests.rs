//! What a ledger finds in records.

use super::*;

const MESH: Mesh = Mesh { columns: 3, rows: 3 };

fn name(number: u32) -> Name {
    Name { source: 0, life: 0, number }
}

/// Two packets from board 0 to board 2, both delivered.
fn two() -> Vec<(u8, Record)> {
    let mut records = Vec::new();
    for number in [0, 1] {
        let name = name(number);
        records.extend([
            (0, Record::Offered { name, to: 2, flits: 3 }),
            (0, Record::Left { name, port: 1 }),
            (1, Record::Left { name, port: 1 }),
            (2, Record::Delivered { name }),
        ]);
    }
    records
}

fn ledger(records: &[(u8, Record)]) -> Ledger {
    let mut ledger = Ledger::new(MESH);
    records.iter().for_each(|(board, record)| ledger.record(*board, 0, record));
    ledger
}

fn violations(records: &[(u8, Record)]) -> Vec<String> {
    ledger(records).verdict(2).violations
}

#[test]
fn whole_packets_in_order_are_well() {
    let verdict = ledger(&two()).verdict(2);
    assert_eq!(verdict.violations, [""; 0]);
    assert_eq!((verdict.offered, verdict.delivered, verdict.hops, verdict.flits), (2, 2, 4, 6));
}

#[test]
fn a_packet_that_comes_twice_is_noticed() {
    let mut records = two();
    records.push((2, Record::Delivered { name: name(1) }));
    assert_eq!(violations(&records), ["packet 1 of board 0: it came 2 times"]);
}

#[test]
fn wrong_bytes_are_noticed() {
    let mut records = two();
    records[7] = (2, Record::Broken { name: Some(name(1)), defect: Defect::Wrong });
    assert_eq!(violations(&records), ["packet 1 of board 0: it came to board 2 with wrong bytes"]);
    records[7] = (2, Record::Broken { name: None, defect: Defect::Wrong });
    assert_eq!(violations(&records).len(), 2);
}

#[test]
fn another_order_is_noticed() {
    let mut records = two();
    records.swap(3, 7);
    assert_eq!(violations(&records), ["packet 0 of board 0 came to board 2 after packet 1 of board 0"]);
}

#[test]
fn a_silent_loss_is_noticed() {
    let mut records = two();
    records.pop();
    let found = violations(&records);
    assert_eq!(found, ["packet 1 of board 0: it never came to board 2, and no restart explains that"]);
}

#[test]
fn a_detour_and_a_missing_hop_are_noticed() {
    let mut records = two();
    records[5] = (0, Record::Left { name: name(1), port: 3 });
    assert_eq!(violations(&records).len(), 1);
    records.remove(5);
    assert_eq!(violations(&records), ["packet 1 of board 0: it took 1 hops instead of 2"]);
}

#[test]
fn another_board_is_noticed() {
    let mut records = two();
    records[7] = (1, Record::Delivered { name: name(1) });
    assert!(violations(&records)[0].contains("is for board 2"));
}

#[test]
fn a_report_without_a_restart_is_noticed() {
    let mut records = two();
    records.push((0, Record::Lost { name: Some(name(1)), port: 1 }));
    assert_eq!(violations(&records).len(), 1);
}

/// Board 1 restarts with packet 1 in it.
#[test]
fn a_restart_explains_what_was_in_the_board_and_nothing_else() {
    let mut records = two();
    records.truncate(6);
    records.push((0, Record::Restarted { port: 1 }));
    let mut restarted = ledger(&records);
    restarted.end(1, 0);
    let verdict = restarted.verdict(2);
    assert_eq!(verdict.violations, [""; 0]);
    let reason = Reason::Inside { board: 1 };
    assert_eq!(verdict.losses, [Loss { name: name(1), to: 2, reason }]);
    // What left after the restart is not lost by it.
    records.swap(5, 6);
    let mut restarted = ledger(&records);
    restarted.end(1, 0);
    assert_eq!(restarted.verdict(2).violations.len(), 1);
    // Nor what left the board that restarted, in the life after.
    let mut passed = ledger(&two()[..6]);
    passed.record(1, 1, &Record::Left { name: name(1), port: 1 });
    passed.end(1, 0);
    assert_eq!(passed.verdict(2).violations.len(), 1);
}

/// A restart loses no more than the board has room for.
#[test]
fn a_restart_explains_no_more_than_there_is_room_for() {
    let passed = |packets: u32| {
        let mut records = Vec::new();
        for number in 0..packets {
            let name = name(number);
            records.extend([
                (0, Record::Offered { name, to: 2, flits: 1 }),
                (0, Record::Left { name, port: 1 }),
            ]);
        }
        records.push((0, Record::Restarted { port: 1 }));
        let mut restarted = ledger(&records);
        restarted.end(1, 0);
        restarted.verdict(packets as usize).violations.len()
    };
    assert_eq!((passed(ROOM as u32), passed(ROOM as u32 + 1)), (0, 1));
}

#[test]
fn what_is_reported_is_lost_by_name() {
    let mut records = two();
    records.truncate(5);
    records.extend([
        (0, Record::Severed { name: Some(name(1)), port: 1 }),
        (2, Record::Broken { name: Some(name(1)), defect: Defect::CutShort }),
    ]);
    let mut restarted = ledger(&records);
    assert!(!restarted.is_settled());
    restarted.end(1, 0);
    assert!(restarted.is_settled());
    let verdict = restarted.verdict(2);
    assert_eq!(verdict.violations, [""; 0]);
    assert_eq!(verdict.losses[0].reason, Reason::Reported { by: 0, neighbour: 1 });
}
