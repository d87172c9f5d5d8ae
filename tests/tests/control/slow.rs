//! The slow half.

use super::*;

#[test]
fn every_register_is_as_described() {
    let Some(world) = World::ring(&hdl()) else { return };
    let board = world.board(1, ());
    let mut switch = driver(&board);
    let shape = switch.reset().unwrap();
    assert_eq!(switch.bus().read::<Version>().unwrap().minor(), desvio_driver::registers::MINOR);
    assert_eq!((shape.ports(), shape.vcs()), (world.shape.ports as u32, world.shape.vcs as u32));
    assert_eq!(shape.routing(), layout::ROUTING_TABLE);
    assert_eq!(shape.trigger(), layout::TRIGGER_NEVER);

    let bus = switch.bus();
    let no_such = |address| BusError::Refused { address, answer: Answer::NoSuchRegister };
    let mut known = BTreeSet::new();
    for entry in REGISTERS {
        // Of what no switch of this size has, a few, each bit of the address among them.
        let is_tried = |place: &u16| *place < 256 || place.is_power_of_two() || place.is_multiple_of(97);
        for address in (0..entry.count).filter(is_tried).map(|place| entry.address + place) {
            let value = match bus.get(address) {
                Ok(value) => value,
                // Of an array, a switch has as many as it has ports, VCs, rows.
                Err(refused) if refused == no_such(address) && entry.count > 1 => continue,
                Err(error) => panic!("{}: {error}", entry.name),
            };
            known.insert(address);
            assert_eq!(value & !entry.mask, 0, "{}", entry.name);
            if entry.access == Access::Read {
                let refused = BusError::Refused { address, answer: Answer::ReadOnly };
                assert_eq!(bus.put(address, value), Err(refused), "{}", entry.name);
                continue;
            }
            if entry.count == 1 {
                assert_eq!(value, entry.reset, "{} after reset", entry.name);
            }
            if entry.name == "commit" {
                continue;
            }
            // It holds the bits that it has, all of them in one field, and each by itself.
            let has = match bus.put(address, u32::MAX) {
                Err(BusError::NotHeld { held, .. }) => held,
                Ok(()) => u32::MAX,
                Err(error) => panic!("{}: {error}", entry.name),
            };
            assert!(has != 0 && has & !entry.mask == 0, "{} holds {has:#x}", entry.name);
            assert!(has == entry.mask || has.count_ones() >= 3, "{} holds {has:#x}", entry.name);
            for bit in (0..32).map(|bit| 1 << bit).filter(|bit| has & bit != 0) {
                // What it holds then comes back with the answer.
                bus.put(address, bit).unwrap();
            }
            assert_eq!(bus.get(address).unwrap(), 1 << (31 - has.leading_zeros()), "{}", entry.name);
            if let Some(in_use) = entry.in_use {
                let in_use = in_use + (address - entry.address);
                assert!(bus.get(in_use).is_ok(), "{} in use", entry.name);
                assert!(matches!(bus.put(in_use, 0), Err(BusError::Refused { .. })), "{} in use", entry.name);
                known.insert(in_use);
            }
        }
    }
    // 25 registers that stand once and 11 copies in use; 3 counters, 3 ports of 2 VCs, 9 errors, 4 rows twice.
    let arrays = 3 + 3 * 2 + layout::PROTOCOL_ERROR_COUNT as usize + 2 * 4;
    assert_eq!(known.len(), 25 + 11 + arrays, "{known:x?}");
    for address in (0..=u16::MAX).step_by(397).filter(|address| !known.contains(address)) {
        assert_eq!(bus.get(address), Err(no_such(address)));
    }
}

#[test]
fn a_table_changes_under_traffic() {
    let Some(world) = World::ring(&hdl()) else { return };
    let board = world.board(2, world.traffic(16_000, 12, 1));
    let mut switch = driver(&board);
    switch.reset().unwrap();

    // Without a table the router does not start.
    let here = world.blueprint.here(0);
    let refused = switch.start(&here, world.seed, &Selection::NEVER);
    assert_eq!(refused, Err(Error::NotCommitted(Outcome::NoTable)));

    let shortest = world.rows();
    switch.program_table(shortest.iter().copied()).unwrap();
    switch.start(&here, world.seed, &Selection::NEVER).unwrap();
    assert_eq!(switch.bus().in_use::<Wired>().unwrap().ports() as usize, here.wired.bits());
    assert_eq!(switch.bus().in_use::<Exits>().unwrap().ports() as usize, here.group_exits.bits());
    board.neighbours(|traffic| traffic.flows = true);

    // Each of these tables sends everything that is for another router out by one port, in turn.
    let links = here.wired.minus(PortSet::first_n(1));
    let only = |port: PortId| -> Vec<PortSet> {
        shortest.iter().map(|row| if row.is_empty() { *row } else { PortSet::only(port) }).collect()
    };
    for port in links.iter().chain(links.iter()) {
        let table = only(port);
        switch.program_table(table.iter().copied()).unwrap();
        for (row, ports) in (0..).zip(&table) {
            assert_eq!(switch.table_row(row).unwrap(), *ports);
        }
        // What was routed before has left by now.
        let before = board.neighbours(|traffic| {
            traffic.taken.clear();
            traffic.account()
        });
        board.run(2_000).unwrap();
        let (taken, account) = board.neighbours(|traffic| (traffic.taken.clone(), traffic.account()));
        assert!(account.sent > before.sent + 100, "no traffic flows: {before:?}, {account:?}");
        let links_taken: BTreeSet<_> = taken.values().flatten().filter(|&&port| port > 0).collect();
        assert_eq!(links_taken, BTreeSet::from([&port.index()]), "table {table:?}");
    }
    assert!(!board.neighbours(|traffic| traffic.is_over()), "traffic ended before the changes did");
    board.settle();
    let status: Status = switch.bus().read().unwrap();
    assert_eq!((status.running(), status.has_table(), status.busy()), (true, true, false));
    assert_eq!(status.generation(), 1 + 1 + 1 + 4);
    for kind in ERRORS {
        assert_eq!(switch.errors(kind).unwrap(), 0, "{kind:?}");
    }
}

#[test]
fn programmed_over_spi_it_is_the_model() {
    for world in [World::ring(&hdl()), World::dragonfly(&hdl())] {
        let Some(world) = world else { return };
        let mut model = ModelTwin::<8>::new(&world.blueprint, &world.shape, 0).unwrap();
        model.reset(&Settings::default()).unwrap();
        let traffic = world.traffic(5_000, 4, 2);
        let expected = Frame::idle(world.shape.ports);
        let board = world.board(4, Beside { traffic, model, expected, compared: 0, differs: None });
        let mut switch = driver(&board);
        let shape = switch.reset().unwrap();
        if shape.routing() == layout::ROUTING_TABLE {
            switch.program_table(world.rows().iter().copied()).unwrap();
        }
        let plan = world.blueprint.plan::<8>(0).unwrap();
        switch.start(&world.blueprint.here(0), world.seed, &plan.selection).unwrap();
        // At speedup 1 every cycle is the first of a link cycle; without packets, chance stands still.
        board.neighbours(|beside| beside.traffic.flows = true);
        board.run(25_000).unwrap();
        board.neighbours(|beside| {
            assert_eq!(beside.differs, None);
            let account = beside.traffic.account();
            assert!(account.received > 10_000, "{account:?}");
            println!("{} cycles and {} flits like the model", beside.compared, account.received);
        });
    }
}

#[test]
fn counters_are_those_of_the_router() {
    let Some(world) = World::dragonfly(&hdl()) else { return };
    let board = world.board(5, Stuck { at: 0 });
    let mut switch = driver(&board);
    switch.reset().unwrap();
    switch.start(&world.blueprint.here(0), world.seed, &Selection::NEVER).unwrap();
    // Packets for node 0 come in and no credit comes back; wrong flits and credits come, too.
    let ports = world.shape.ports;
    board.neighbours(|stuck| stuck.at = 1);
    board.run(200).unwrap();

    let words = |name: &str, bits: usize| {
        board.model(|model| {
            let probe = model.probed(&format!("dsv_switch.router.{name}_probe.value"), bits as u32).unwrap();
            let mut words = vec![0; bits.div_ceil(32)];
            model.get_words(probe, &mut words);
            words
        })
    };
    let part = |words: &[u32], bits: usize, at: usize| -> u32 {
        (0..bits)
            .map(|bit| (bit, bits * at + bit))
            .fold(0, |value, (bit, at)| value | (words[at / 32] >> (at % 32) & 1) << bit)
    };
    let width = switch.shape().unwrap().counter_bits() as usize;
    let counts = words("contention_count", ports * width);
    let mut contended = 0;
    for port in 0..ports {
        let count = switch.contention(PortId::new(port as u8)).unwrap();
        assert_eq!(count, part(&counts, width, port), "port {port}");
        contended += count;
    }
    // Places of 8 flits need 4 bits.
    let places = words("credits", ports * world.shape.vcs * 4);
    let mut spent = 0;
    for port in 0..ports {
        for vc in 0..world.shape.vcs {
            let credits = switch.credits(PortId::new(port as u8), VcId::new(vc as u8)).unwrap();
            assert_eq!(credits, part(&places, 4, port * world.shape.vcs + vc), "port {port}, VC {vc}");
            spent += 8 - credits;
        }
    }
    let errors = words("error_count", layout::PROTOCOL_ERROR_COUNT as usize * 16);
    for kind in ERRORS {
        assert_eq!(switch.errors(kind).unwrap(), part(&errors, 16, kind as usize), "{kind:?}");
    }
    println!("{contended} packets counted, {spent} credits spent, errors {errors:x?}");
    assert!(contended > 0 && spent > 0, "nothing was counted");
    assert!(switch.errors(ProtocolError::BodyWithoutHead).unwrap() > 0);
    let beyond = switch.contention(PortId::new(ports as u8));
    let no_such_register =
        |e: &Error<_, _>| matches!(e, Error::Bus(BusError::Refused { answer: Answer::NoSuchRegister, .. }));
    assert!(beyond.as_ref().is_err_and(no_such_register), "{beyond:?}");

    // A restart clears them.
    board.neighbours(|stuck| stuck.at = 0);
    switch.start(&world.blueprint.here(0), world.seed, &Selection::NEVER).unwrap();
    assert_eq!(switch.errors(ProtocolError::BodyWithoutHead).unwrap(), 0);
    assert_eq!(switch.credits(PortId::new(0), VcId::new(0)).unwrap(), 8);
}
