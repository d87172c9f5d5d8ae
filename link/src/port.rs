//! One end of a link: bytes in, `step` once, bytes out; flits and credits for its owner at any time.

mod training;
mod transmit;

use crate::assembler::{Assembled, Assembler};
use crate::counters::{Counters, count};
use crate::flit::{Arrival, DataFlit};
use crate::frame::{Control, Frame, pair};
use crate::hello::Refusal;
use crate::loopback::{Busy, Loopback, Tester};
use crate::receiver::Receiver;
use crate::sender::{Refused, Sender};
use crate::setup::{Setup, SetupError};
use router_core::units::VcId;

/// A reading of the clock. It may wrap; what a tick is, is the owner's choice: a millisecond, a link cycle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Tick(pub u32);

impl Tick {
    const fn since(self, before: Self) -> u32 {
        self.0.wrapping_sub(before.0)
    }
}

/// The state of a port.
///
/// ```text
///            1              2
///     Down ─────► Training ─────► Up
///      ▲  ◄─────┐   │  ▲ ◄──────── │
///      │   4    └───┤  │     3      │
///      │            │  └── Failed ◄─┤ 5 (from any state)
///      └────────────┴───────────────┘ 4
/// ```
///
/// 1: a HELLO that fits. 2: a HELLO that names this end, while no flit of a session before is left at either
/// end. 3: the neighbour receives nothing from this end any more, or has restarted. 4: silence. 5: a HELLO
/// that does not fit; the next fitting one leads to Training.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum PortState {
    /// The neighbour is silent.
    Down,
    /// The neighbour speaks; it has yet to say that it hears this end, or one end has yet to get rid of flits
    /// of a session before.
    Training,
    /// Both ends hear each other and carry flits.
    Up,
    /// The ends do not fit each other.
    Failed(Refusal),
}

/// One end of a link with `V` VCs, `N` bytes of payload in each flit, a window of `W` flits, and frames of at
/// most `M` bytes
/// ([`frame_bytes`](crate::frame_bytes)).
///
/// There are four kinds of methods. [`handle`](Self::handle) takes bytes of the line, [`step`](Self::step)
/// takes the time, [`poll_transmit`](Self::poll_transmit) writes bytes for the line. [`send`](Self::send),
/// [`free`](Self::free) and the other `poll_` methods are for the owner of the flits.
#[derive(Debug)]
pub struct Port<const V: usize, const N: usize, const W: usize, const M: usize> {
    assembler: Assembler<M>,
    core: Core<V, N, W>,
}

/// A port without what puts its frames together.
#[derive(Debug)]
struct Core<const V: usize, const N: usize, const W: usize> {
    setup: Setup<V>,
    state: PortState,
    /// Sessions of the neighbour, or 0: the one that is heard at present, with its epoch, and the one that
    /// both ends agreed on.
    heard: u32,
    heard_epoch: u16,
    peer: u32,
    /// Sessions of neighbours that were agreed on.
    epoch: u16,
    /// The neighbour said last that it hears this end.
    remote_alive: bool,
    sender: Sender<V, N, W>,
    receiver: Receiver<V, N, W>,
    tester: Tester,
    counters: Counters,
    now: Tick,
    /// When something was heard, sent, said as HELLO, acknowledged.
    heard_at: Tick,
    sent_at: Tick,
    hello_at: Tick,
    acknowledged_at: Tick,
    /// The time for an acknowledgement, doubled with each time that runs out.
    resend: u32,
    hello_due: bool,
    ack_due: bool,
    went_down: bool,
}

impl<const V: usize, const N: usize, const W: usize, const M: usize> Port<V, N, W, M> {
    /// A port that is down.
    ///
    /// # Errors
    /// When a size is too small.
    pub fn new(setup: &Setup<V>) -> Result<Self, SetupError> {
        setup.check(W, M, N)?;
        Ok(Self { assembler: Assembler::new(), core: Core::new(setup) })
    }

    /// Takes bytes from the line, any bytes.
    pub fn handle(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            match self.assembler.push(byte) {
                Assembled::Nothing => {}
                Assembled::Frame(frame) => self.core.handle(frame),
                Assembled::Broken => self.core.broken(),
            }
        }
    }

    /// Says what time it is. The longer the owner waits, the later frames are sent again and silence is
    /// noticed; nothing is lost by that.
    pub fn step(&mut self, now: Tick) {
        self.core.step(now);
    }

    /// Writes the next frame for the line, and says how many bytes it has; 0 when there is none. To be called
    /// until it says 0, as long as
    /// the line takes bytes. `out` has at least `M` bytes.
    pub fn poll_transmit(&mut self, out: &mut [u8]) -> usize {
        if out.len() < M { 0 } else { self.core.poll_transmit(out) }
    }

    /// Takes a flit for the neighbour, also while the port is not up.
    ///
    /// # Errors
    /// Hands the flit back, and says why.
    pub fn send(&mut self, flit: DataFlit<N>) -> Result<(), Refused<N>> {
        self.core.sender.push(flit, &self.core.setup.buffers)
    }

    /// The next flit from the neighbour. Its place in the buffer is in use until [`free`](Self::free).
    pub fn poll_arrival(&mut self) -> Option<Arrival<N>> {
        self.core.receiver.poll(&self.core.setup.buffers)
    }

    /// A place of this VC's buffer is free.
    pub fn free(&mut self, vc: VcId) {
        let freed = self.core.receiver.free(vc, &mut self.core.counters.protocol_errors);
        self.core.ack_due |= freed;
    }

    /// A VC of the neighbour with a place that has become free, one at a time. After a restart of the
    /// neighbour all places are.
    pub fn poll_credit(&mut self) -> Option<VcId> {
        self.core.sender.owed().poll().map(|vc| VcId::new(vc as u8))
    }

    /// A flit that is lost, since the neighbour has restarted. Nothing is sent until all of them have been
    /// fetched.
    pub fn poll_lost(&mut self) -> Option<DataFlit<N>> {
        let lost = self.core.sender.poll_lost();
        if lost.is_some() {
            count(&mut self.core.counters.lost);
        }
        lost
    }

    /// The state.
    pub const fn state(&self) -> PortState {
        self.core.state
    }

    /// Whether the neighbour said last that it hears this end.
    pub const fn remote_alive(&self) -> bool {
        self.core.remote_alive
    }

    /// Whether the port went down since this was asked last.
    pub fn take_link_down(&mut self) -> bool {
        core::mem::take(&mut self.core.went_down)
    }

    /// What happened so far.
    pub const fn counters(&self) -> &Counters {
        &self.core.counters
    }

    /// What the port is made for.
    pub const fn setup(&self) -> &Setup<V> {
        &self.core.setup
    }

    /// Flits that the neighbour has not acknowledged.
    pub fn unacknowledged(&self) -> usize {
        self.core.sender.len()
    }

    /// Places of a VC at the neighbour that are in use, flits under way included.
    pub fn occupancy(&self, vc: VcId) -> u16 {
        self.core.sender.outstanding(vc.index())
    }

    /// Begins a loopback test: a plug or a neighbour that is not up sends the frames back.
    ///
    /// # Errors
    /// When the port is up.
    pub fn start_loopback(&mut self, frames: u16) -> Result<(), Busy> {
        if self.core.state == PortState::Up {
            return Err(Busy);
        }
        self.core.tester.own = Some(Loopback::of(frames));
        self.core.hello_due = false;
        Ok(())
    }

    /// How the last loopback test stands, if there was one.
    pub const fn loopback(&self) -> Option<Loopback> {
        self.core.tester.own
    }
}

impl<const V: usize, const N: usize, const W: usize> Core<V, N, W> {
    fn new(setup: &Setup<V>) -> Self {
        Self {
            setup: *setup,
            state: PortState::Down,
            heard: 0,
            heard_epoch: 0,
            peer: 0,
            epoch: 0,
            remote_alive: false,
            sender: Sender::new(),
            receiver: Receiver::new(),
            tester: Tester::default(),
            counters: Counters::default(),
            now: Tick(0),
            heard_at: Tick(0),
            sent_at: Tick(0),
            hello_at: Tick(0),
            acknowledged_at: Tick(0),
            resend: setup.timing.resend,
            hello_due: true,
            ack_due: false,
            went_down: false,
        }
    }

    fn handle(&mut self, frame: &[u8]) {
        match Frame::read(frame) {
            None => count(&mut self.counters.protocol_errors),
            Some(Frame::Foreign(version)) => self.refuse(0, Refusal::Version(version)),
            Some(Frame::Hello(hello)) => self.handle_hello(&hello),
            Some(Frame::Ack(control)) => {
                self.handle_control(&control);
            }
            Some(Frame::Data(control, number, flit)) => {
                if self.handle_control(&control) {
                    self.receiver.take(number, flit, &self.setup.buffers, &mut self.counters);
                    self.ack_due = true;
                }
            }
            Some(Frame::Test(test)) => {
                self.tester.take(&test, self.setup.session.get(), &mut self.counters.stale);
            }
        }
    }

    /// A frame that cannot be read may have been a flit.
    fn broken(&mut self) {
        count(&mut self.counters.crc_errors);
        if self.state == PortState::Up {
            self.receiver.miss();
        }
    }

    /// Acknowledgement and credits. Says whether they are of this session and the port is up: only then a
    /// flit counts.
    fn handle_control(&mut self, control: &Control<V>) -> bool {
        if self.peer == 0 || control.pair != pair(self.peer, self.setup.session.get()) {
            count(&mut self.counters.stale);
            return false;
        }
        // A neighbour that sends such a frame is up: it hears this end.
        (self.heard, self.heard_at, self.remote_alive) = (self.peer, self.now, true);
        if matches!(self.state, PortState::Failed(_)) || !self.is_ready() {
            return false;
        }
        self.enter(PortState::Up);
        if self.sender.acknowledge(control.ack) {
            (self.acknowledged_at, self.resend) = (self.now, self.setup.timing.resend);
        }
        self.sender.owed().take(&control.freed);
        if control.nak {
            self.sender.miss(control.ack);
        }
        true
    }

    fn step(&mut self, now: Tick) {
        self.now = now;
        if self.heard != 0 && now.since(self.heard_at) >= self.setup.timing.patience {
            (self.heard, self.remote_alive) = (0, false);
            self.enter(PortState::Down);
        }
        if self.state == PortState::Up {
            self.ack_due |= now.since(self.sent_at) >= self.setup.timing.heartbeat;
            if self.sender.waits() && now.since(self.acknowledged_at) >= self.resend {
                count(&mut self.counters.timeouts);
                self.sender.go_back();
                // Under twice the time a slow neighbour answers before the next go-back.
                let longest = self.setup.timing.resend.saturating_mul(16);
                self.resend = self.resend.saturating_mul(2).min(longest);
                self.acknowledged_at = now;
            }
        } else if !self.tester.is_running() {
            self.hello_due |= now.since(self.hello_at) >= self.setup.timing.hello;
        }
    }
}
