//! The state machine of a port, its loopback test, and its adapters.

use crate::support::{End, FRAME, World, head, numbered, setup};
use core::cell::RefCell;
use core::convert::Infallible;
use desvio_link::{Ended, Port, PortState, Refusal, Setup, SetupError, Tick, Wire, frame_bytes};
use router_core::header::Flit;
use router_core::links::FlowControl;
use router_core::units::VcId;
use std::collections::VecDeque;
use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

/// Carries frames between two ports of any shape for some ticks.
fn join<const V: usize, const N: usize, const W: usize, const Q: usize, const K: usize, const M: usize>(
    one: &mut Port<V, N, 8, W>,
    other: &mut Port<Q, K, 8, M>,
) {
    let mut frame = [0; 256];
    for now in 0..40 {
        one.step(Tick(now));
        other.step(Tick(now));
        let length = one.poll_transmit(&mut frame);
        other.handle(&frame[..length]);
        let length = other.poll_transmit(&mut frame);
        one.handle(&frame[..length]);
    }
}

fn states(one: &Setup<2>, other: &Setup<2>) -> (PortState, PortState) {
    let (mut one, mut other) = (End::new(one).unwrap(), End::new(other).unwrap());
    join(&mut one, &mut other);
    (one.state(), other.state())
}

#[test]
fn ends_that_differ_refuse_each_other_and_name_the_difference() {
    use PortState::{Failed, Up};
    let (one, other) = (setup(1), setup(2));
    assert_eq!(states(&one, &other), (Up, Up));
    let wormhole = Setup { flow: FlowControl::Wormhole, ..other };
    let flow = |flow| Failed(Refusal::FlowControl(flow as u8));
    assert_eq!(states(&one, &wormhole), (flow(FlowControl::Wormhole), flow(FlowControl::Vct)));
    let smaller = Setup { buffers: [4, 3], ..other };
    let buffer = |flits| Failed(Refusal::Buffer { vc: 1, flits });
    assert_eq!(states(&one, &smaller), (buffer(3), buffer(4)));
    assert_eq!(states(&one, &one), (Failed(Refusal::Looped), Failed(Refusal::Looped)));

    let mut port = End::new(&one).unwrap();
    let three = Setup { buffers: [2; 3], flow: one.flow, session: other.session, timing: one.timing };
    let mut wider = Port::<3, 4, 8, { frame_bytes(3, 4) }>::new(&three).unwrap();
    join(&mut port, &mut wider);
    assert_eq!((port.state(), wider.state()), (Failed(Refusal::Vcs(3)), Failed(Refusal::Vcs(2))));
    let mut longer = Port::<2, 16, 8, { frame_bytes(2, 16) }>::new(&other).unwrap();
    join(&mut port, &mut longer);
    assert_eq!((port.state(), longer.state()), (Failed(Refusal::Payload(16)), Failed(Refusal::Payload(4))));
    // A neighbour that fits heals a port that had failed.
    let mut fits = End::new(&other).unwrap();
    join(&mut port, &mut fits);
    assert_eq!((port.state(), fits.state()), (Up, Up));
}

#[test]
fn sizes_that_are_too_small_are_refused() {
    assert_eq!(Port::<2, 4, 7, FRAME>::new(&setup(1)).unwrap_err(), SetupError::Window);
    assert_eq!(Port::<2, 4, 8, { FRAME - 1 }>::new(&setup(1)).unwrap_err(), SetupError::Frame);
}

#[test]
fn a_cut_is_seen_at_both_ends_and_latched() {
    let mut world = World::new(1);
    world.run(100);
    assert!(world.is_up() && world.ends.iter().all(|end| end.port.remote_alive()));
    // One direction alone: the end that hears nothing is down, and the other one trains.
    world.lines[0].cut();
    world.run(200);
    let [one, other] = &mut world.ends;
    assert_eq!((one.port.state(), other.port.state()), (PortState::Training, PortState::Down));
    assert!(!one.port.remote_alive());
    assert!(one.port.take_link_down() && !one.port.take_link_down());
    world.mend();
    world.run(100);
    assert!(world.is_up());
    let flaps = world.ends.each_ref().map(|end| end.port.counters().flaps);
    assert_eq!(flaps, [1, 1]);
    world.settle();
    let resent: u32 = world.ends.iter().map(|end| end.port.counters().resent).sum();
    assert!(resent > 0, "the cut cost no frame");
}

#[test]
fn a_plug_and_a_neighbour_send_a_test_back() {
    let mut port = End::new(&setup(1)).unwrap();
    port.start_loopback(20).unwrap();
    let mut frame = [0; FRAME];
    for now in 0..30 {
        port.step(Tick(now));
        let length = port.poll_transmit(&mut frame);
        // The plug breaks one frame.
        frame[3] ^= u8::from(now == 9);
        port.handle(&frame[..length]);
    }
    let report = port.loopback().unwrap();
    assert_eq!((report.sent, report.returned), (20, 19));

    let (mut one, mut other) = (End::new(&setup(1)).unwrap(), End::new(&setup(2)).unwrap());
    one.start_loopback(10).unwrap();
    join(&mut one, &mut other);
    assert_eq!(one.loopback().unwrap().returned, 10);
    assert_eq!(one.state(), PortState::Up, "after the test the port comes up");
    assert!(one.start_loopback(1).is_err());
}

/// One end of a serial line in memory, which takes few bytes at a time.
struct Serial<'l> {
    from: &'l RefCell<VecDeque<u8>>,
    to: &'l RefCell<VecDeque<u8>>,
}

impl embedded_io::ErrorType for Serial<'_> {
    type Error = Infallible;
}

impl embedded_io::Read for Serial<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> Result<usize, Infallible> {
        let mut from = self.from.borrow_mut();
        let length = bytes.len().min(from.len()).min(3);
        bytes.iter_mut().zip(from.drain(..length)).for_each(|(place, byte)| *place = byte);
        Ok(length)
    }
}

impl embedded_io::ReadReady for Serial<'_> {
    fn read_ready(&mut self) -> Result<bool, Infallible> {
        Ok(!self.from.borrow().is_empty())
    }
}

impl embedded_io::Write for Serial<'_> {
    fn write(&mut self, bytes: &[u8]) -> Result<usize, Infallible> {
        let length = bytes.len().min(5);
        self.to.borrow_mut().extend(&bytes[..length]);
        Ok(length)
    }
    fn flush(&mut self) -> Result<(), Infallible> {
        Ok(())
    }
}

impl embedded_io::WriteReady for Serial<'_> {
    fn write_ready(&mut self) -> Result<bool, Infallible> {
        Ok(self.to.borrow().len() < 20)
    }
}

impl embedded_io_async::Read for Serial<'_> {
    async fn read(&mut self, bytes: &mut [u8]) -> Result<usize, Infallible> {
        std::future::poll_fn(|_| if self.from.borrow().is_empty() { Poll::Pending } else { Poll::Ready(()) })
            .await;
        embedded_io::Read::read(self, bytes)
    }
}

impl embedded_io_async::Write for Serial<'_> {
    async fn write(&mut self, bytes: &[u8]) -> Result<usize, Infallible> {
        embedded_io::Write::write(self, bytes)
    }
    async fn flush(&mut self) -> Result<(), Infallible> {
        Ok(())
    }
}

const TAGS: std::ops::Range<u32> = 0..30;

/// Sends what the port takes, and checks and frees what comes.
fn exchange(port: &mut End, sent: &mut u32, came: &mut u32) {
    while port.poll_credit().is_some() {}
    let vc = (*sent % 2) as u8;
    if *sent < TAGS.end && port.send(numbered(vc, head(1, *sent), *sent)).is_ok() {
        *sent += 1;
    }
    while let Some(arrival) = port.poll_arrival() {
        let Flit::Head(packet) = arrival.flit().flit else { panic!("no head was sent as a body") };
        assert_eq!(packet.tag, *came);
        *came += 1;
        port.free(VcId::new((packet.tag % 2) as u8));
    }
}

#[test]
fn an_adapter_for_a_main_loop_carries_flits() {
    let (there, back) = (RefCell::default(), RefCell::default());
    let lines = [Serial { from: &back, to: &there }, Serial { from: &there, to: &back }];
    let mut session = 0;
    let mut wires = lines.map(|line| {
        session += 1;
        Wire::new(End::new(&setup(session)).unwrap(), line)
    });
    let (mut sent, mut came) = ([0; 2], [0; 2]);
    for now in 0..4_000 {
        for (me, wire) in wires.iter_mut().enumerate() {
            wire.step(Tick(now)).unwrap();
            exchange(wire.port_mut(), &mut sent[me], &mut came[me]);
        }
    }
    assert_eq!((sent, came), ([TAGS.end; 2], [TAGS.end; 2]));
    assert!(wires.iter().all(|wire| wire.port().state() == PortState::Up));
}

#[test]
fn adapters_for_tasks_carry_flits() {
    let (there, back) = (RefCell::default(), RefCell::default());
    let now = RefCell::new(0u32);
    let ports = [1, 2].map(|session| RefCell::new(End::new(&setup(session)).unwrap()));
    let mut halves = [(&back, &there), (&back, &there), (&there, &back), (&there, &back)]
        .map(|(from, to)| Serial { from, to });
    let [in_one, out_one, in_other, out_other] = &mut halves;
    let seen = RefCell::new(0u32);
    // A tick passes between two polls of the transmitter.
    let tick = async || {
        let mut waited = false;
        std::future::poll_fn(|_| {
            if std::mem::replace(&mut waited, true) { Poll::Ready(()) } else { Poll::Pending }
        })
        .await;
        *seen.borrow_mut() += 1;
        Tick(*now.borrow())
    };
    let mut tasks = (
        pin!(desvio_link::receive(&ports[0], in_one)),
        pin!(desvio_link::transmit(&ports[0], out_one, tick)),
        pin!(desvio_link::receive(&ports[1], in_other)),
        pin!(desvio_link::transmit(&ports[1], out_other, tick)),
    );
    let mut context = Context::from_waker(Waker::noop());
    let pending = |poll: Poll<Ended<Infallible>>| assert!(poll.is_pending());
    let (mut sent, mut came) = ([0; 2], [0; 2]);
    for _ in 0..2_000 {
        *now.borrow_mut() += 1;
        pending(tasks.0.as_mut().poll(&mut context));
        pending(tasks.1.as_mut().poll(&mut context));
        pending(tasks.2.as_mut().poll(&mut context));
        pending(tasks.3.as_mut().poll(&mut context));
        for (me, port) in ports.iter().enumerate() {
            exchange(&mut port.borrow_mut(), &mut sent[me], &mut came[me]);
        }
    }
    assert_eq!((sent, came), ([TAGS.end; 2], [TAGS.end; 2]));
}
