//! One flaky bus, by its seed: a table and thresholds are replaced over it while traffic flows.

use super::flaky::{Flaky, FlakyError};
use super::traffic::Traffic;
use super::worlds::{Driven, World, driver};
use desvio_driver::registers::{Commit, MinimalOccupancy, Outcome, Status, TableRow, Trigger};
use desvio_driver::{BusError, Error, Health, Switch};
use desvio_lockstep::control::{Board, BoardError, Spi};
use desvio_tests::mutation;
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use router_core::select::Selection;
use router_core::units::PortSet;

/// How campaigns ended.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    programmed: u32,
    /// Not programmed, with this error, and the old table is in use.
    corrupt: u32,
    broken: u32,
    /// The commit itself was lost on the way, and the new table is in use all the same.
    unknown: u32,
    damaged: u64,
    repeated: u64,
    flits: u64,
    counted: Health,
}

type Fault = Error<FlakyError<BoardError>, BoardError>;

/// A switch at work, and a second table for it.
pub(crate) struct Campaign<'w> {
    world: &'w World,
    board: Board<Traffic>,
    chance: Xoshiro256PlusPlus,
    tables: [Vec<PortSet>; 2],
    seed: u64,
}

impl<'w> Campaign<'w> {
    /// Of a switch with this defect, where the world has any; 0 is none.
    pub(crate) fn new(world: &'w World, defect: u16, seed: u64) -> Self {
        let mut chance = Xoshiro256PlusPlus::seed_from_u64(seed);
        let rows = world.rows();
        let mut some = |row: &PortSet| {
            let ports = 1 + chance.next_u64() as usize % 3;
            if row.is_empty() { *row } else { PortSet::from_bits(ports << 1) }
        };
        let mut table = || -> Vec<_> { rows.iter().map(&mut some).collect() };
        let tables = [table(), table()];
        let board = world.board(seed, world.traffic(1_500, 20, seed));
        if defect != 0 {
            board.model(|model| mutation::choose(model, defect));
        }
        Self { world, board, chance, tables, seed }
    }

    /// What is wrong with the switch, if anything is.
    pub(crate) fn run(mut self, tally: &mut Tally) -> Result<(), String> {
        let said = |error: &dyn std::fmt::Display| error.to_string();
        let mut clean = driver(&self.board);
        clean.reset().map_err(|error| said(&error))?;
        clean.program_table(self.tables[0].iter().copied()).map_err(|error| said(&error))?;
        let here = self.world.blueprint.here(0);
        clean.start(&here, self.world.seed, &Selection::NEVER).map_err(|error| said(&error))?;
        self.expect(&mut clean, &[0])?;
        let before = clean.health().map_err(|error| said(&error))?;
        if before != Health::default() {
            return Err(format!("a bus without faults has some: {before:?}"));
        }
        self.board.neighbours(|traffic| traffic.flows = true);

        let per_mille = [5, 50, 300, 700, 950][self.chance.next_u64() as usize % 5];
        // Many a bus begins to fail at the very end, in the commit.
        let quiet = [0, 10 + self.chance.next_u64() as usize % 6][self.chance.next_u64() as usize % 2];
        let spi = Flaky::new(self.board.spi(4), self.seed, per_mille, quiet);
        let mut flaky = Switch::new(spi, self.board.reset_pin(), self.board.delay());
        flaky.bus().set_attempts(1 + (self.chance.next_u64() % 12) as u8);
        let result = flaky.program_table(self.tables[1].iter().copied());
        self.judge(&result, &mut clean, tally)?;
        tally.repeated += u64::from(flaky.bus().repeated());
        // Thresholds after the table: the switch has neither trigger.
        let _ = flaky.configure(&Selection::NEVER);
        let spi = flaky.bus().spi();
        tally.damaged += spi.damaged;
        let expected = Health { corrupt: spi.corrupt, short: spi.short, refused: 0 };
        let trigger: Trigger = clean.bus().in_use().map_err(|error| said(&error))?;
        if trigger != Trigger::default() {
            return Err(format!("a trigger was turned on: {trigger:?}"));
        }
        self.health(&mut clean, expected, tally)?;
        self.stage_half(&mut clean)?;
        self.settle(tally)
    }

    /// Software that stages a threshold and never commits it; that stages one row and commits with what was declared before; that
    /// sends a commit twice.
    fn stage_half(&self, clean: &mut Driven<Spi<Traffic>>) -> Result<(), String> {
        let in_use = self.expect(clean, &[0, 1])?;
        let mut half = || -> Result<Status, BusError<BoardError>> {
            let bus = clean.bus();
            let row: TableRow = bus.read_at(1)?;
            bus.write_at(1, row.with_ports(row.ports() ^ 0b110))?;
            bus.write(MinimalOccupancy::default().with_share(0x1234))?;
            let status: Status = bus.read()?;
            let commit = Commit::default().with_table(true);
            bus.write(commit.with_generation(status.generation() + 1))?;
            bus.read()
        };
        let status = half().map_err(|error| error.to_string())?;
        if status.outcome() == Outcome::Done as u32 {
            return Err("a table of which only one row was staged is in use".to_owned());
        }
        let share = clean.bus().in_use::<MinimalOccupancy>().map_err(|error| error.to_string())?.share();
        if share != 0 {
            return Err(format!("a threshold of {share:#x} is in use, and was never committed"));
        }
        self.expect(clean, &[in_use])?;
        let other = self.tables[1 - in_use].iter();
        clean.program_table(other.copied()).map_err(|error| error.to_string())?;
        let mut again = || -> Result<(), BusError<BoardError>> {
            let status: Status = clean.bus().read()?;
            clean.bus().write(Commit::default().with_table(true).with_generation(status.generation()))
        };
        again().map_err(|error| error.to_string())?;
        self.expect(clean, &[1 - in_use]).map(drop)
    }

    /// The table in use has to be one of these, whole.
    fn expect(&self, clean: &mut Driven<Spi<Traffic>>, which: &[usize]) -> Result<usize, String> {
        let rows = (0..).take(self.tables[0].len()).map(|row| clean.table_row(row));
        let found: Vec<_> = rows.collect::<Result<_, _>>().map_err(|error| error.to_string())?;
        let is = |&&at: &&usize| self.tables[at] == found;
        let known = which.iter().find(is).copied();
        known.ok_or_else(|| format!("in use is {found:?}, and not one of {which:?} of {:?}", self.tables))
    }

    fn judge(
        &self,
        result: &Result<(), Fault>,
        clean: &mut Driven<Spi<Traffic>>,
        tally: &mut Tally,
    ) -> Result<(), String> {
        match result {
            Ok(()) => {
                tally.programmed += 1;
                self.expect(clean, &[1]).map(drop)
            }
            // The reason counts, and which table it left.
            Err(Error::Bus(BusError::Corrupt { .. } | BusError::Spi(FlakyError::Broken))) => {
                match result {
                    Err(Error::Bus(BusError::Corrupt { .. })) => tally.corrupt += 1,
                    _ => tally.broken += 1,
                }
                let in_use = self.expect(clean, &[0, 1])?;
                let status: Status = clean.bus().read().map_err(|error| error.to_string())?;
                // Table, start, and the commit that was lost on its way back.
                let generation = 2 + in_use as u32;
                if status.generation() != generation && self.tables[0] != self.tables[1] {
                    return Err(format!("table {in_use} is in use after {} commits", status.generation()));
                }
                tally.unknown += in_use as u32;
                Ok(())
            }
            Err(error) => Err(format!("not what a flaky bus does: {error}")),
        }
    }

    /// The switch has counted what was damaged on the way to it, and nothing else.
    fn health(
        &self,
        clean: &mut Driven<Spi<Traffic>>,
        expected: Health,
        tally: &mut Tally,
    ) -> Result<(), String> {
        let health = clean.health().map_err(|error| error.to_string())?;
        if health != expected {
            return Err(format!("the switch counts {health:?}, and {expected:?} came to it"));
        }
        tally.counted.corrupt += health.corrupt;
        tally.counted.short += health.short;
        Ok(())
    }

    /// Every flit that went in comes out.
    fn settle(&self, tally: &mut Tally) -> Result<(), String> {
        for _ in 0..500 {
            if self.board.neighbours(|traffic| traffic.is_over()) {
                break;
            }
            self.board.run(100).map_err(|error| error.to_string())?;
        }
        self.board.neighbours(|traffic| {
            let account = traffic.account();
            tally.flits += account.received;
            match &traffic.fault {
                Some(fault) => Err(fault.clone()),
                None if !traffic.is_over() => Err(format!("flits are lost: {account:?}")),
                None => Ok(()),
            }
        })
    }
}

impl Tally {
    /// Both together.
    pub(crate) fn with(self, other: Self) -> Self {
        Self {
            programmed: self.programmed + other.programmed,
            corrupt: self.corrupt + other.corrupt,
            broken: self.broken + other.broken,
            unknown: self.unknown + other.unknown,
            damaged: self.damaged + other.damaged,
            repeated: self.repeated + other.repeated,
            flits: self.flits + other.flits,
            counted: Health {
                corrupt: self.counted.corrupt + other.counted.corrupt,
                short: self.counted.short + other.counted.short,
                refused: self.counted.refused + other.counted.refused,
            },
        }
    }

    /// Every way to end has been seen.
    pub(crate) fn conclude(&self) {
        assert!(self.programmed > 0 && self.repeated > 100, "{self:?}");
        assert!(self.corrupt > 0 && self.broken > 0 && self.unknown > 0, "{self:?}");
        assert!(self.counted.corrupt > 0 && self.counted.short > 0, "{self:?}");
    }
}
