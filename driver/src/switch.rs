//! A switch: started, given tables and thresholds, read out.

use super::bus::Bus;
use super::thresholds::{is_built, stage};
use super::{DelayNs, SpiDevice, face};
use crate::checksum::Checksum;
use crate::error::{BusError, Error};
use crate::readings::{Happened, Health};
use crate::register::Register as _;
use crate::registers::{
    Address, Commit, Contention, Credits, Errors, Events, EventsSeen, Exits, FramesCorrupt, FramesRefused,
    FramesShort, InterruptEnable, MAGIC, MAJOR, Outcome, Seed, Shape, Status, TableChecksum, TableRow,
    TableRows, TableSize, Version, Wired,
};
use embedded_hal::digital::OutputPin;
use router_core::event::ProtocolError;
use router_core::route::Here;
use router_core::select::Selection;
use router_core::units::{PortId, PortSet, VcId};

/// How long the reset line is high, and how long the switch is left alone afterwards, in microseconds.
const RESET_US: u32 = 10;

/// Between two looks at a commit, in microseconds.
const POLL_US: u32 = 10;

/// Looks at a commit before it counts as lost. A table of 16,384 rows at 10 MHz takes 1.6 ms.
const POLLS: u32 = 1_000;

/// A switch behind an SPI, with its reset line and a source of delays.
#[derive(Debug)]
pub struct Switch<SPI, PIN, DELAY> {
    bus: Bus<SPI>,
    reset: PIN,
    delay: DELAY,
    built: Option<(Shape, TableSize)>,
}

#[face]
impl<SPI: SpiDevice, PIN: OutputPin, DELAY: DelayNs> Switch<SPI, PIN, DELAY> {
    /// Nothing is sent yet. The switch is in reset while `reset` is high.
    pub fn new(spi: SPI, reset: PIN, delay: DELAY) -> Self {
        Self { bus: Bus::new(spi), reset, delay, built: None }
    }

    /// The registers themselves.
    pub fn bus(&mut self) -> &mut Bus<SPI> {
        &mut self.bus
    }

    /// Gives back what the driver was made of.
    pub fn release(self) -> (SPI, PIN, DELAY) {
        (self.bus.release(), self.reset, self.delay)
    }

    /// Resets the whole switch, its registers too, and reads its identity and shape. The router stays in reset until
    /// [`start`](Self::start).
    ///
    /// # Errors
    /// When nothing answers, or nothing that this driver knows.
    pub async fn reset(&mut self) -> Result<Shape, Error<SPI::Error, PIN::Error>> {
        self.reset.set_high().map_err(Error::Pin)?;
        self.delay.delay_us(RESET_US).await;
        self.reset.set_low().map_err(Error::Pin)?;
        self.delay.delay_us(RESET_US).await;
        self.built = None;
        self.shape().await
    }

    /// What the switch was built as. Read once; a switch that is running already is not disturbed.
    ///
    /// # Errors
    /// When nothing answers, or nothing that this driver knows.
    pub async fn shape(&mut self) -> Result<Shape, Error<SPI::Error, PIN::Error>> {
        self.built().await.map(|(shape, _)| shape)
    }

    async fn built(&mut self) -> Result<(Shape, TableSize), Error<SPI::Error, PIN::Error>> {
        if let Some(built) = self.built {
            return Ok(built);
        }
        let version: Version = self.bus.read().await?;
        if version.magic() != MAGIC {
            return Err(Error::NoSwitch { found: version.bits() });
        }
        if version.major() != MAJOR {
            return Err(Error::OtherMap { major: version.major() });
        }
        let built = (self.bus.read().await?, self.bus.read().await?);
        self.built = Some(built);
        Ok(built)
    }

    /// Puts the router to work, from its reset: as this router of the network, with the random register at `seed`, selecting like
    /// this. A router that is working already is reset, and packets in it are lost. A router that routes by table must have
    /// [one](Self::program_table) before.
    ///
    /// # Errors
    /// When the switch cannot be like that, or no frame comes through.
    pub async fn start(
        &mut self,
        here: &Here,
        seed: u32,
        selection: &Selection,
    ) -> Result<(), Error<SPI::Error, PIN::Error>> {
        if seed == 0 {
            return Err(Error::ZeroSeed);
        }
        let (wired, exits) = (self.ports(here.wired).await?, self.ports(here.group_exits).await?);
        self.can(selection).await?;
        self.bus.write(Address::default().with_router(here.router)).await?;
        self.bus.write(Wired::default().with_ports(wired)).await?;
        self.bus.write(Exits::default().with_ports(exits)).await?;
        self.bus.write(Seed::default().with_word(seed)).await?;
        stage(&mut self.bus, selection).await?;
        self.commit(Commit::default().with_restart(true)).await
    }

    /// Changes the trigger and its thresholds while traffic flows: all at one edge of the clock.
    ///
    /// # Errors
    /// When the switch was built without this trigger, or no frame comes through.
    pub async fn configure(&mut self, selection: &Selection) -> Result<(), Error<SPI::Error, PIN::Error>> {
        self.can(selection).await?;
        stage(&mut self.bus, selection).await?;
        self.commit(Commit::default().with_thresholds(true)).await
    }

    /// Replaces the routing table while traffic flows: it is staged, read back, and put to use at one edge of the clock if the
    /// switch finds in its rows the checksum that is computed here. A packet that has been routed before keeps its candidates.
    ///
    /// # Errors
    /// When the table is not for this switch, or no frame comes through. The old table stays in use.
    pub async fn program_table(
        &mut self,
        rows: impl ExactSizeIterator<Item = PortSet> + Clone,
    ) -> Result<(), Error<SPI::Error, PIN::Error>> {
        let (shape, size) = self.built().await?;
        let expected = size.rows() as usize;
        if rows.len() != expected {
            return Err(Error::WrongRows { given: rows.len(), expected });
        }
        let mut checksum = Checksum::new();
        for (row, ports) in (0..).zip(rows.clone()) {
            let ports = self.ports(ports).await?;
            checksum = checksum.with(ports, shape.ports());
            self.bus.write_at(row, TableRow::default().with_ports(ports)).await?;
        }
        for (row, ports) in (0..).zip(rows) {
            let written = self.ports(ports).await?;
            let held = self.bus.read_at::<TableRow>(row).await?.ports();
            if held != written {
                let address = TableRow::ADDRESS.wrapping_add(row);
                return Err(BusError::NotHeld { address, written, held }.into());
            }
        }
        self.bus.write(TableRows::default().with_rows(size.rows())).await?;
        self.bus.write(TableChecksum::default().with_checksum(checksum.value().into())).await?;
        self.commit(Commit::default().with_table(true)).await
    }

    /// A row of the routing table in use.
    ///
    /// # Errors
    /// When the table has no such row, or no frame comes through.
    pub async fn table_row(&mut self, row: u16) -> Result<PortSet, Error<SPI::Error, PIN::Error>> {
        let row: TableRow = self.bus.in_use_at(row).await?;
        Ok(PortSet::from_bits(row.ports() as usize))
    }

    /// How many packets in the router have a port as their minimal output.
    ///
    /// # Errors
    /// When the router has no such port, or no frame comes through.
    pub async fn contention(&mut self, port: PortId) -> Result<u32, Error<SPI::Error, PIN::Error>> {
        Ok(self.bus.read_at::<Contention>(port.number().into()).await?.packets())
    }

    /// How many flits may be sent to a VC behind a port.
    ///
    /// # Errors
    /// When the router has no such port or VC, or no frame comes through.
    pub async fn credits(&mut self, port: PortId, vc: VcId) -> Result<u32, Error<SPI::Error, PIN::Error>> {
        let place = Credits::place(port.number().into(), vc.number().into()).unwrap_or(u16::MAX);
        Ok(self.bus.read_at::<Credits>(place).await?.flits())
    }

    /// How often a protocol error occurred since the router was started; 65,535 stands for more, too.
    ///
    /// # Errors
    /// When no frame comes through.
    pub async fn errors(&mut self, kind: ProtocolError) -> Result<u32, Error<SPI::Error, PIN::Error>> {
        Ok(self.bus.read_at::<Errors>(kind as u16).await?.count())
    }

    /// Reads the switch's error counters of its bus.
    ///
    /// # Errors
    /// When no frame comes through.
    pub async fn health(&mut self) -> Result<Health, Error<SPI::Error, PIN::Error>> {
        Ok(Health {
            corrupt: self.bus.read::<FramesCorrupt>().await?.count(),
            short: self.bus.read::<FramesShort>().await?.count(),
            refused: self.bus.read::<FramesRefused>().await?.count(),
        })
    }

    /// Chooses the kinds of events that raise the interrupt line `irq`. None after a reset of the switch.
    ///
    /// # Errors
    /// When no frame comes through.
    pub async fn listen(&mut self, kinds: InterruptEnable) -> Result<(), Error<SPI::Error, PIN::Error>> {
        Ok(self.bus.write(kinds).await?)
    }

    /// Counts the events since the last call, and lowers the interrupt line. An event that happens meanwhile is not lost: the line
    /// stays high, and the next call counts it.
    ///
    /// # Errors
    /// When no frame comes through. No event is lost then.
    pub async fn happened(&mut self) -> Result<Happened, Error<SPI::Error, PIN::Error>> {
        let (now, seen): (Events, EventsSeen) = (self.bus.read().await?, self.bus.read().await?);
        self.bus.write(EventsSeen::from_bits(now.bits())).await?;
        let since = |now: u32, seen: u32| (now as u8).wrapping_sub(seen as u8);
        Ok(Happened {
            commits: since(now.commits(), seen.commits()),
            errors: since(now.errors(), seen.errors()),
            frames: since(now.frames(), seen.frames()),
        })
    }

    /// A set of ports, if the switch has them all.
    async fn ports(&mut self, ports: PortSet) -> Result<u32, Error<SPI::Error, PIN::Error>> {
        let all = PortSet::first_n(self.shape().await?.ports() as usize);
        match u32::try_from(ports.bits()) {
            Ok(bits) if ports.minus(all).is_empty() => Ok(bits),
            _ => Err(Error::NoSuchPort { ports: ports.bits() }),
        }
    }

    async fn can(&mut self, selection: &Selection) -> Result<(), Error<SPI::Error, PIN::Error>> {
        let trigger = self.shape().await?.trigger();
        if is_built(trigger, selection) { Ok(()) } else { Err(Error::NotBuilt { trigger }) }
    }

    /// Commits, under a number that the last commit did not have: so it happens once, however often it is sent.
    async fn commit(&mut self, what: Commit) -> Result<(), Error<SPI::Error, PIN::Error>> {
        let before = self.idle().await?;
        let generation = before.generation().wrapping_add(1) & 0xffff;
        self.bus.write(what.with_generation(generation)).await?;
        let after = self.idle().await?;
        if after.generation() != generation {
            return Err(Error::Timeout);
        }
        match Outcome::from_number(after.outcome()) {
            Some(Outcome::Done) => Ok(()),
            Some(outcome) => Err(Error::NotCommitted(outcome)),
            None => Err(Error::NoSwitch { found: after.outcome() }),
        }
    }

    /// Waits until no commit is under way.
    async fn idle(&mut self) -> Result<Status, Error<SPI::Error, PIN::Error>> {
        for _ in 0..POLLS {
            let status: Status = self.bus.read().await?;
            if !status.busy() {
                return Ok(status);
            }
            self.delay.delay_us(POLL_US).await;
        }
        Err(Error::Timeout)
    }
}
