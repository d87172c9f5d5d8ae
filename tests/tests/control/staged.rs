//! A table that is staged: used as a whole, once, or never.

use super::campaign::{Campaign, Tally};
use super::worlds::{Driven, World, driver};
use desvio_driver::Error;
use desvio_driver::registers::{Commit, Outcome, Status, TableChecksum, TableRow, TableRows};
use desvio_tests::rtl::{hdl, is_long};
use rayon::prelude::*;
use router_core::select::Selection;
use router_core::units::PortSet;

/// The slow half of the tests.
mod slow {
    use super::*;

    #[test]
    fn what_was_staged_by_halves_is_never_used() {
        let Some(world) = World::ring(&hdl()) else { return };
        let board = world.board(6, ());
        let mut switch = driver(&board);
        switch.reset().unwrap();
        let rows = world.rows();
        switch.program_table(rows.iter().copied()).unwrap();
        switch.start(&world.blueprint.here(0), world.seed, &Selection::NEVER).unwrap();
        let in_use = |switch: &mut Driven<_, ()>| -> Vec<PortSet> {
            (0..rows.len() as u16).map(|row| switch.table_row(row).unwrap()).collect()
        };
        // One row is staged, then a commit with what was declared for the whole table.
        let bus = switch.bus();
        bus.write_at(1, TableRow::default().with_ports(0b111)).unwrap();
        let declared = (bus.read::<TableRows>().unwrap(), bus.read::<TableChecksum>().unwrap());
        let commit = Commit::default().with_table(true).with_thresholds(true);
        bus.write(commit.with_generation(77)).unwrap();
        let status: Status = bus.read().unwrap();
        assert_eq!((status.generation(), status.outcome()), (77, Outcome::WrongChecksum as u32));
        bus.write(TableRows::default().with_rows(declared.0.rows() - 1)).unwrap();
        bus.write(commit.with_generation(78)).unwrap();
        let status: Status = bus.read().unwrap();
        assert_eq!((status.generation(), status.outcome()), (78, Outcome::WrongRows as u32));
        assert_eq!(in_use(&mut switch), rows);

        // A whole table is used once, however often its commit is sent.
        let other: Vec<_> = rows.iter().map(|row| PortSet::from_bits(row.bits() ^ 0b110)).collect();
        switch.program_table(other.iter().copied()).unwrap();
        let status: Status = switch.bus().read().unwrap();
        for _ in 0..3 {
            switch
                .bus()
                .write(Commit::default().with_table(true).with_generation(status.generation()))
                .unwrap();
        }
        assert_eq!(switch.bus().read::<Status>().unwrap(), status);
        assert_eq!(in_use(&mut switch), other);

        // Tables that are for another switch.
        let short = switch.program_table(rows[1..].iter().copied());
        assert_eq!(short, Err(Error::WrongRows { given: 3, expected: 4 }));
        let wide = switch.program_table(rows.iter().map(|_| PortSet::first_n(4)));
        assert_eq!(wide, Err(Error::NoSuchPort { ports: 0b1111 }));
        assert_eq!(in_use(&mut switch), other);
    }

    #[test]
    fn a_flaky_bus_never_leaves_half_a_table() {
        let Some(world) = World::ring(&hdl()) else { return };
        // The defects of `defects.rs` are found by the fifth campaign at the latest.
        let seeds = if is_long() { 2_000 } else { 50 };
        let ended = (0..seeds).into_par_iter().map(|seed| {
            let mut tally = Tally::default();
            Campaign::new(&world, 0, seed)
                .run(&mut tally)
                .unwrap_or_else(|fault| panic!("seed {seed}: {fault}"));
            tally
        });
        let tally = ended.reduce(Tally::default, Tally::with);
        println!("{tally:?}");
        tally.conclude();
    }
}
