//! Requests and their answers, the way of a packet, the states of a link; and packets that mean nothing.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::arithmetic_side_effects)]

use desvio_sma::mad::{
    BYTES, DIRECTED, GET, LID_ROUTED, PERMISSIVE, SET, Status, TRAP, TRAP_REPRESS, attribute,
};
use desvio_sma::port::PortState;
use desvio_sma::{Agent, Handled, Identity, Kind, LinkOrder, Onward, Packet, Via};
use proptest::prelude::*;

type Switch = Agent<[u8; 256], 5>;
type Adapter = Agent<[u8; 0], 2>;

fn identity(kind: Kind, guid: u64, ports: u8) -> Identity {
    let port_guid = if kind == Kind::Switch { guid } else { guid + 1 };
    Identity { kind, guid, port_guid, ports, description: Identity::describe("a name") }
}

/// A switch with four links, of which the first three are up.
fn switch() -> Switch {
    let mut agent = Switch::new(identity(Kind::Switch, 0x10, 4), [0; 256]);
    (1..=3).for_each(|port| agent.handle_link(port, true));
    agent
}

fn adapter() -> Adapter {
    let mut agent = Adapter::new(identity(Kind::Adapter, 0x20, 1), []);
    agent.handle_link(1, true);
    agent
}

/// A request of a program at the node itself: the status, and the attribute.
fn ask<T: AsRef<[u8]> + AsMut<[u8]>, const P: usize>(
    agent: &mut Agent<T, P>,
    attribute: u16,
    modifier: u32,
    change: Option<[u8; 64]>,
) -> (u16, [u8; 64], Handled) {
    let method = if change.is_some() { SET } else { GET };
    let mut packet = Packet::directed(&[], method, attribute, modifier);
    packet.set_data(change.unwrap_or([0; 64]));
    let handled = agent.handle(&mut packet, Via::Itself);
    assert_eq!(handled.onward, Onward::Up);
    (packet.status(), packet.data(), handled)
}

/// Reads PortInfo, changes some bytes, writes it.
fn change_port<T: AsRef<[u8]> + AsMut<[u8]>, const P: usize>(
    agent: &mut Agent<T, P>,
    port: u32,
    bytes: &[(usize, u8)],
) -> (u16, Handled) {
    let (_, mut info, _) = ask(agent, attribute::PORT_INFO, port, None);
    // No change of the state.
    (info[32], info[33]) = (0, 0);
    bytes.iter().for_each(|&(at, byte)| info[at] = byte);
    let (status, _, handled) = ask(agent, attribute::PORT_INFO, port, Some(info));
    (status, handled)
}

fn is_changed(agent: &mut Switch) -> bool {
    ask(agent, attribute::SWITCH_INFO, 0, None).1[11] & 4 != 0
}

#[test]
fn a_node_says_what_it_is() {
    let (status, info, _) = ask(&mut switch(), attribute::NODE_INFO, 0, None);
    assert_eq!(
        (status, &info[..4], &info[12..20], info[36]),
        (0, &[1, 1, 2, 4][..], &0x10u64.to_be_bytes()[..], 0)
    );
    let (_, info, _) = ask(&mut adapter(), attribute::NODE_INFO, 0, None);
    assert_eq!((&info[..4], &info[20..28], info[36]), (&[1, 1, 1, 1][..], &0x21u64.to_be_bytes()[..], 1));
    assert!(ask(&mut adapter(), attribute::NODE_DESCRIPTION, 0, None).1.starts_with(b"a name\0"));
    assert_eq!(ask(&mut adapter(), attribute::GUID_INFO, 0, None).1[..8], 0x21u64.to_be_bytes());
    let (_, info, _) = ask(&mut switch(), attribute::SWITCH_INFO, 0, None);
    assert_eq!(info[..2], 256u16.to_be_bytes(), "entries of the forwarding table");
    assert_eq!((&info[4..6], &info[18..20]), (&[0, 128][..], &[0, 0][..]), "rows for groups, no highest one");
}

/// Bad version 4, method 8, attribute 12, value 28: the codes of the specification.
#[test]
fn what_cannot_be_answered_is_refused_by_its_status() {
    let status = |packet: &mut Packet| {
        switch().handle(packet, Via::Itself);
        packet.status()
    };
    let of = |method, attribute, modifier| Packet::directed(&[], method, attribute, modifier);
    for (at, version) in [(0, 2), (2, 7)] {
        let mut packet = of(GET, attribute::NODE_INFO, 0);
        packet.mad[at] = version;
        assert_eq!(status(&mut packet), 4);
    }
    for method in [0x00, 0x03, 0x12, 0x15] {
        assert_eq!(status(&mut of(method, attribute::NODE_INFO, 0)), 8, "method {method:#x}");
    }
    for unknown in [0x02, 0x1a, 0x1c, 0x30, 0xff90] {
        assert_eq!(status(&mut of(GET, unknown, 0)), 12, "attribute {unknown:#x}");
    }
    for constant in [attribute::NODE_INFO, attribute::NODE_DESCRIPTION, attribute::GUID_INFO] {
        assert_eq!(status(&mut of(SET, constant, 0)), 12, "attribute {constant:#x}");
    }
    let values = [
        (attribute::PORT_INFO, 5),
        (attribute::PORT_INFO, 0x100),
        (attribute::LINEAR_FORWARDING_TABLE, 4),
        (attribute::LINEAR_FORWARDING_TABLE, u32::MAX),
        (attribute::SL_TO_VL_TABLE, 0x0501),
        (attribute::SL_TO_VL_TABLE, 0x0105),
        (attribute::VL_ARBITRATION_TABLE, 0x2_0001),
        (attribute::VL_ARBITRATION_TABLE, 0x1_0005),
        (attribute::P_KEY_TABLE, 1),
        (attribute::P_KEY_TABLE, 0x5_0000),
        (attribute::GUID_INFO, 1),
        (attribute::MULTICAST_FORWARDING_TABLE, 4),
        (attribute::MULTICAST_FORWARDING_TABLE, 0x1000_0000),
        (attribute::MULTICAST_FORWARDING_TABLE, 0x0001_0000),
    ];
    for (attribute, modifier) in values {
        assert_eq!(status(&mut of(GET, attribute, modifier)), 28, "{attribute:#x} {modifier:#x}");
    }
    let mut packet = of(GET, attribute::SWITCH_INFO, 0);
    adapter().handle(&mut packet, Via::Itself);
    assert_eq!(packet.status(), 12, "an adapter is no switch");
}

/// Room for four links, of which two are there.
#[test]
fn what_there_is_room_for_is_not_there() {
    let mut small = Switch::new(identity(Kind::Switch, 0x10, 2), [0; 256]);
    let tables = [
        (attribute::PORT_INFO, 2),
        (attribute::SL_TO_VL_TABLE, 0x0102),
        (attribute::SL_TO_VL_TABLE, 0x0201),
        (attribute::VL_ARBITRATION_TABLE, 0x1_0002),
        (attribute::P_KEY_TABLE, 0x2_0000),
    ];
    for (attribute, modifier) in tables {
        assert_eq!(ask(&mut small, attribute, modifier, None).0, 0, "{attribute:#x} {modifier:#x}");
        let beyond = match attribute {
            attribute::P_KEY_TABLE => 0x3_0000,
            attribute::SL_TO_VL_TABLE if modifier == 0x0201 => 0x0301,
            _ => modifier + 1,
        };
        assert_eq!(ask(&mut small, attribute, beyond, None).0, 28, "{attribute:#x} {beyond:#x}");
    }
    small.handle_link(3, true);
    assert_eq!(
        (small.state(3), ask(&mut small, attribute::SWITCH_INFO, 0, None).1[11] & 4),
        (PortState::Down, 0)
    );
}

#[test]
fn tables_keep_what_is_written_into_them() {
    let mut agent = switch();
    let tables = [
        (attribute::LINEAR_FORWARDING_TABLE, 3, 64),
        (attribute::SL_TO_VL_TABLE, 0x0203, 8),
        (attribute::VL_ARBITRATION_TABLE, 0x3_0004, 16),
        (attribute::P_KEY_TABLE, 0x2_0000, 16),
    ];
    for (at, &(attribute, modifier, length)) in tables.iter().enumerate() {
        let content: [u8; 64] = std::array::from_fn(|n| (n + at) as u8);
        ask(&mut agent, attribute, modifier, Some(content));
        assert_eq!(ask(&mut agent, attribute, modifier, None).1[..length], content[..length]);
        // The neighbour is another one.
        assert_ne!(ask(&mut agent, attribute, modifier - 1, None).1[..length], content[..length]);
    }
    // 192 is the first of block 3, which says port 0: the switch itself. 195 says port 3, 197 one that there is not.
    assert_eq!([192, 195, 197, 255, 256].map(|lid| agent.output(lid)), [None, Some(3), None, None, None]);
}

/// Down, Initialize, Armed, Active; nothing is skipped, and an order to go down trains the link anew.
#[test]
fn a_link_comes_up_step_by_step() {
    let mut agent = switch();
    let mut set = |port, state| {
        let (status, handled) = change_port(&mut agent, port, &[(32, state)]);
        (status, handled.link, agent.state(port as u8))
    };
    assert_eq!(set(1, 4), (28, None, PortState::Initialize));
    assert_eq!(set(1, 3), (0, None, PortState::Armed));
    assert_eq!(set(1, 4), (0, None, PortState::Active));
    assert_eq!(set(1, 4), (0, None, PortState::Active));
    assert_eq!(set(1, 3), (28, None, PortState::Active));
    assert_eq!(set(1, 1), (0, Some((1, LinkOrder::Retrain)), PortState::Active));
    assert_eq!(set(4, 3), (28, None, PortState::Down));
    for state in [2, 5, 15] {
        assert_eq!(set(1, state).0, 28);
    }
    agent.handle_retraining(1, true);
    assert_eq!(agent.state(1), PortState::Initialize);
}

#[test]
fn a_change_of_a_link_is_shown_until_a_manager_clears_it() {
    let mut agent = switch();
    let clear = |agent: &mut Switch| {
        let (_, mut info, _) = ask(agent, attribute::SWITCH_INFO, 0, None);
        info[11] |= 4;
        ask(agent, attribute::SWITCH_INFO, 0, Some(info));
    };
    clear(&mut agent);
    assert!(!is_changed(&mut agent));
    agent.handle_link(1, true);
    assert!(!is_changed(&mut agent), "it was up before");
    for is_up in [false, true] {
        agent.handle_link(1, is_up);
        assert!(is_changed(&mut agent));
        clear(&mut agent);
    }
    agent.handle_retraining(2, true);
    assert!(!is_changed(&mut agent), "a Set at this end is no news");
    agent.handle_retraining(2, false);
    assert!(is_changed(&mut agent));
}

/// A mask of 16 ports for each of 32 LIDs, by block and position. Those of other blocks stay, and ports that are not there have no bit.
#[test]
fn groups_have_ports_by_block_and_position() {
    use desvio_sma::FIRST_GROUP;
    let mut agent = Agent::<[u8; 0], 40>::new(identity(Kind::Switch, 0x10, 35), []);
    let table = attribute::MULTICAST_FORWARDING_TABLE;
    // Port 0 is the switch itself, ports 16 and 17 are bits 0 and 1 of position 1, port 35 is bit 3 of position 2.
    for (block, position, entry, mask) in [(0, 0, 1, 0x0003u16), (0, 1, 1, 0x0003), (3, 2, 31, 0xffff)] {
        let mut wanted = [0; 64];
        wanted[2 * entry..2 * entry + 2].copy_from_slice(&mask.to_be_bytes());
        let modifier = position << 28 | block;
        let (status, data, _) = ask(&mut agent, table, modifier, Some(wanted));
        let kept = if position == 2 { 0x000f } else { mask };
        assert_eq!((status, u16::from_be_bytes([data[2 * entry], data[2 * entry + 1]])), (0, kept));
        assert_eq!(ask(&mut agent, table, modifier, None).1, data);
    }
    let leaves =
        |lid: u16, via: Via| (0..=40).filter(|&port| agent.replicates(lid, via, port)).collect::<Vec<_>>();
    assert_eq!(leaves(FIRST_GROUP + 1, Via::Itself), [0, 1, 16, 17]);
    assert_eq!(leaves(FIRST_GROUP + 1, Via::Port(16)), [0, 1, 17], "not by where it came");
    assert_eq!(leaves(FIRST_GROUP + 127, Via::Port(1)), [32, 33, 34, 35]);
    for none in [0, 1, FIRST_GROUP - 1, FIRST_GROUP, FIRST_GROUP + 128, u16::MAX] {
        assert_eq!(leaves(none, Via::Itself), [], "{none:#x}");
    }
    agent.restart(identity(Kind::Switch, 0x10, 35));
    assert!(!agent.replicates(FIRST_GROUP + 1, Via::Itself, 1));
    let mut end = adapter();
    assert_eq!(ask(&mut end, table, 0, None).0, 12, "an adapter has no such table");
}

#[test]
fn a_disabled_link_stays_down() {
    let mut agent = switch();
    let (status, handled) = change_port(&mut agent, 2, &[(33, 0x30)]);
    assert_eq!((status, handled.link), (0, Some((2, LinkOrder::Disable))));
    agent.handle_link(2, false);
    agent.handle_link(2, true);
    assert_eq!(agent.state(2), PortState::Down);
    let (_, handled) = change_port(&mut agent, 2, &[(33, 0x20)]);
    assert_eq!(handled.link, Some((2, LinkOrder::Enable)));
    agent.handle_link(2, true);
    assert_eq!(agent.state(2), PortState::Initialize);
}

#[test]
fn a_set_changes_all_or_nothing() {
    // LID 0x1200 with LMC 3, manager's LID 7.
    let lids = [(16, 0x12), (17, 0), (34, 3), (19, 7)];
    let mut agent = adapter();
    assert_eq!(change_port(&mut agent, 0, &lids).0, 0);
    assert_eq!(agent.lids(), (0x1200, 8));
    // More lanes than there are, a longer MTU, a LID of multicast, one that is not a multiple of 8, a width.
    for wrong in [(43, 0x50), (36, 0x50), (16, 0xc0), (17, 1), (29, 4)] {
        assert_eq!(change_port(&mut agent, 1, &[(19, 9), wrong]).0, 28, "{wrong:?}");
    }
    let info = ask(&mut agent, attribute::PORT_INFO, 1, None).1;
    assert_eq!((&info[16..20], info[43] >> 4), (&[0x12, 0, 0, 7][..], 4));
    assert_eq!(change_port(&mut switch(), 0, &lids).0, 28, "a switch has one LID");
}

#[test]
fn a_key_protects() {
    let mut agent = adapter();
    let protect = |bits: u8| [(7, 9), (34, bits << 6)];
    assert_eq!(change_port(&mut agent, 1, &protect(1)).0, 0);
    let mut request = |method, key: u8| {
        let mut packet = Packet::directed(&[], method, attribute::PORT_INFO, 1);
        packet.mad[31] = key;
        packet.mad[64 + 7] = 9;
        packet.mad[64 + 34] = 2 << 6;
        (agent.handle(&mut packet, Via::Itself).onward, packet.data()[7])
    };
    assert_eq!(request(GET, 0), (Onward::Up, 0), "the key is hidden");
    assert_eq!(request(GET, 9), (Onward::Up, 9));
    assert_eq!(request(SET, 8).0, Onward::Discarded);
    assert_eq!(request(SET, 9).0, Onward::Up);
    assert_eq!(request(GET, 8).0, Onward::Discarded, "now nothing is shown without the key");
}

/// Through a switch to an adapter behind its port 3 and back: the pointer, the way back, the answer.
#[test]
fn a_directed_route_leads_there_and_back() {
    let (mut near, mut middle, mut far) = (adapter(), switch(), adapter());
    let mut packet = Packet::directed(&[1, 3], GET, attribute::NODE_INFO, 0);
    assert_eq!(near.handle(&mut packet, Via::Itself).onward, Onward::Port(1));
    assert_eq!(middle.handle(&mut packet, Via::Port(2)).onward, Onward::Port(3));
    assert_eq!(far.handle(&mut packet, Via::Port(1)).onward, Onward::Port(1));
    assert!(packet.is_response());
    assert_eq!((packet.status(), packet.data()[36]), (0, 1));
    assert_eq!(packet.mad[193..195], [2, 1], "where it came in");
    assert_eq!(middle.handle(&mut packet, Via::Port(3)).onward, Onward::Port(2));
    assert_eq!(near.handle(&mut packet, Via::Port(1)).onward, Onward::Up);
    assert_eq!(packet.mad[6], 0, "the pointer is where it was");
    // An adapter passes nothing on, no port 4 is connected here, and port 9 is not there.
    let mut packet = Packet::directed(&[1, 3, 1], GET, attribute::NODE_INFO, 0);
    near.handle(&mut packet, Via::Itself);
    middle.handle(&mut packet, Via::Port(2));
    assert_eq!(far.handle(&mut packet, Via::Port(1)).onward, Onward::Discarded);
    // A path has room for 63 hops.
    for (hops, onward) in [(63, Onward::Port(3)), (64, Onward::Discarded), (255, Onward::Discarded)] {
        let mut packet = Packet::directed(&[1, 3], GET, attribute::NODE_INFO, 0);
        (packet.mad[6], packet.mad[7]) = (1, hops);
        assert_eq!(middle.handle(&mut packet, Via::Port(2)).onward, onward, "{hops} hops");
    }
    let mut packet = Packet::directed(&[9], GET, attribute::NODE_INFO, 0);
    assert_eq!(middle.handle(&mut packet, Via::Itself).onward, Onward::Discarded);
}

#[test]
fn a_lid_leads_by_the_table() {
    let mut agent = switch();
    let mut table = [255; 64];
    (table[5], table[6]) = (3, 0);
    ask(&mut agent, attribute::LINEAR_FORWARDING_TABLE, 0, Some(table));
    change_port(&mut agent, 0, &[(17, 6)]);
    let to = |dlid| {
        let mut packet = Packet { slid: 5, dlid, ..Packet::directed(&[], GET, attribute::NODE_INFO, 0) };
        packet.mad[1] = LID_ROUTED;
        packet
    };
    assert_eq!(agent.handle(&mut to(5), Via::Port(1)).onward, Onward::Port(3));
    assert_eq!(
        agent.handle(&mut to(5), Via::Port(3)).onward,
        Onward::Discarded,
        "not back to where it came from"
    );
    assert_eq!(agent.handle(&mut to(7), Via::Port(1)).onward, Onward::Discarded);
    let mut packet = to(6);
    assert_eq!(agent.handle(&mut packet, Via::Port(1)).onward, Onward::Port(3), "the answer");
    assert_eq!((packet.dlid, packet.slid, packet.mad[1], packet.is_response()), (5, 6, LID_ROUTED, true));
}

fn via(from: u8) -> Via {
    if from == 0 { Via::Itself } else { Via::Port(from) }
}

/// What is almost right gets deeper than noise.
fn packets() -> impl Strategy<Value = Packet> {
    let noise = (any::<u16>(), any::<u16>(), prop::collection::vec(any::<u8>(), BYTES));
    let shaped = prop::bool::weighted(0.8);
    let class = prop::sample::select(vec![LID_ROUTED, DIRECTED, 3, 4]);
    let head = (prop::sample::select(vec![GET, SET, 7, 0x81]), 0x0fu16..0x22, 0u32..0x400, 0u8..66, 0u8..66);
    (noise, shaped, class, head, any::<bool>(), any::<bool>()).prop_map(
        |((slid, dlid, bytes), shaped, class, (method, attribute, modifier, hop, hops), returns, by_lid)| {
            let mut packet = Packet { slid, dlid, mad: bytes.try_into().unwrap() };
            if shaped {
                let mad = &mut packet.mad;
                (mad[0], mad[1], mad[2], mad[3], mad[6], mad[7]) = (1, class, 1, method, hop, hops);
                mad[4] = if returns { 0x80 } else { 0 };
                mad[16..18].copy_from_slice(&attribute.to_be_bytes());
                mad[20..24].copy_from_slice(&modifier.to_be_bytes());
                mad[24..32].fill(0);
                (packet.dlid, packet.slid) =
                    if by_lid { (dlid % 8, slid % 8) } else { (PERMISSIVE, PERMISSIVE) };
            }
            packet
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Whatever comes: no panic, no port that there is not, no LID that is none.
    #[test]
    fn packets_that_mean_nothing_do_no_harm(packets in prop::collection::vec((packets(), 0u8..8), 1..40)) {
        let (mut switch, mut adapter) = (switch(), adapter());
        for (packet, from) in packets {
            for (handled, ports) in [
                (switch.handle(&mut packet.clone(), via(from)), 4),
                (adapter.handle(&mut packet.clone(), via(from)), 1),
            ] {
                if let Onward::Port(port) = handled.onward {
                    prop_assert!((1..=ports).contains(&port), "{handled:?}");
                }
                if let Some((port, _)) = handled.link {
                    prop_assert!((1..=ports).contains(&port), "{handled:?}");
                }
            }
            prop_assert!(switch.lids().0 < 0xc000 && adapter.lids().0 < 0xc000);
            prop_assert!(switch.lids().1 == 1 && adapter.lids().1 <= 128);
        }
    }
}

/// Section 13.4.9: only managers know traps, and the answer to one goes to whom it was sent by.
#[test]
fn traps_are_for_managers() {
    for (method, attribute) in [(TRAP, attribute::NOTICE), (TRAP_REPRESS, attribute::NOTICE), (TRAP, 0x77)] {
        let mut packet = Packet::directed(&[], method, attribute, 0);
        assert_eq!(switch().handle(&mut packet, Via::Itself).onward, Onward::Up);
        assert_eq!((packet.method(), packet.status()), (method, 0), "the agent leaves it as it is");
    }
    let mut trap = Packet::by_lid((5, 6), TRAP, attribute::NOTICE);
    trap.set_transaction(7);
    assert!(!trap.is_response());
    trap.answer(Status::Good);
    assert!(trap.is_response());
    assert_eq!((trap.method(), trap.class(), trap.transaction()), (TRAP_REPRESS, LID_ROUTED, 7));
    assert_eq!((trap.slid, trap.dlid), (6, 5));
}
