//! The driver over `embedded-hal-async`: the frames of the blocking one, at whatever place its future is dropped.

use desvio_driver::fake::{Fake, Spi};
use desvio_driver::registers::InterruptEnable;
use desvio_driver::{Happened, Switch, asynchronous};
use embedded_hal::spi::{ErrorType, Operation};
use router_core::route::Here;
use router_core::select::Selection;
use router_core::select::contention::ContentionTrigger;
use router_core::units::{PortId, PortSet};
use std::cell::RefCell;
use std::convert::Infallible;
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::task::{Context, Poll, Waker};

const ROWS: usize = 4;
const OLD: [PortSet; ROWS] = [PortSet::from_bits(0b00001); ROWS];
const NEW: [PortSet; ROWS] = [PortSet::from_bits(0b00110); ROWS];

/// A serial port that notes each frame before it is answered, and makes an asynchronous caller wait once for each.
struct Noted<'a> {
    spi: Spi<'a, ROWS>,
    frames: &'a RefCell<Vec<Vec<u8>>>,
}

impl ErrorType for Noted<'_> {
    type Error = Infallible;
}

impl embedded_hal::spi::SpiDevice for Noted<'_> {
    fn transaction(&mut self, operations: &mut [Operation<'_, u8>]) -> Result<(), Infallible> {
        for operation in operations.iter() {
            if let Operation::TransferInPlace(bytes) = operation {
                self.frames.borrow_mut().push(bytes.to_vec());
            }
        }
        embedded_hal::spi::SpiDevice::transaction(&mut self.spi, operations)
    }
}

impl embedded_hal_async::spi::SpiDevice for Noted<'_> {
    async fn transaction(&mut self, operations: &mut [Operation<'_, u8>]) -> Result<(), Infallible> {
        once_pending().await;
        embedded_hal::spi::SpiDevice::transaction(self, operations)
    }
}

async fn once_pending() {
    let mut is_first = true;
    poll_fn(|_| {
        let now = if is_first { Poll::Pending } else { Poll::Ready(()) };
        is_first = false;
        now
    })
    .await;
}

/// What a future comes to within so many polls.
fn within<T>(polls: usize, future: impl Future<Output = T>) -> Option<T> {
    let mut future = pin!(future);
    let mut context = Context::from_waker(Waker::noop());
    (0..polls).find_map(|_| match future.as_mut().poll(&mut context) {
        Poll::Ready(value) => Some(value),
        Poll::Pending => None,
    })
}

fn finish<T>(future: impl Future<Output = T>) -> T {
    within(10_000, future).expect("an end")
}

/// All that a switch can be asked for, by either driver; `$($wait)*` is what its calls end with.
macro_rules! session {
    ($fake:ident, $switch:ident $(, $wait:tt)*) => {{
        $switch.reset()$(.$wait)*.unwrap();
        $fake.damage(3);
        $switch.program_table(OLD.into_iter())$(.$wait)*.unwrap();
        $switch.listen(InterruptEnable::default().with_commits(true))$(.$wait)*.unwrap();
        $switch.start(&Here::default(), 7, &Selection::NEVER)$(.$wait)*.unwrap();
        let contention = Selection::Contention(ContentionTrigger { threshold: 3 });
        $switch.configure(&contention)$(.$wait)*.unwrap();
        let refused = $switch.start(&Here::default(), 0, &Selection::NEVER)$(.$wait)*;
        let short = $switch.program_table(NEW[..2].iter().copied())$(.$wait)*;
        let row = $switch.table_row(1)$(.$wait)*.unwrap();
        let count = $switch.contention(PortId::new(2))$(.$wait)*.unwrap();
        let none = $switch.contention(PortId::new(40))$(.$wait)*;
        let health = $switch.health()$(.$wait)*.unwrap();
        let happened = $switch.happened()$(.$wait)*.unwrap();
        format!("{:?}", (refused, short, row, count, none, health, happened, $switch.bus().repeated()))
    }};
}

#[test]
fn both_drivers_send_the_same_frames() {
    let fakes = [(); 2].map(|()| Fake::<ROWS>::new(5, 2));
    let frames = [(); 2].map(|()| RefCell::new(Vec::new()));
    let [blocking, waiting] = [0, 1].map(|n| Noted { spi: fakes[n].spi(), frames: &frames[n] });
    let fake = &fakes[0];
    let mut switch = Switch::new(blocking, fake.reset_pin(), fake.delay());
    let expected = session!(fake, switch);
    let fake = &fakes[1];
    let mut switch = asynchronous::Switch::new(waiting, fake.reset_pin(), fake.delay());
    let found = finish(async { session!(fake, switch, await) });
    assert_eq!(found, expected);
    assert!(expected.contains("ZeroSeed") && expected.contains("WrongRows"), "{expected}");
    assert_eq!(frames[0], frames[1]);
    assert!(frames[0].borrow().len() > 40, "{}", frames[0].borrow().len());
}

#[test]
fn a_future_that_is_dropped_leaves_the_old_table_or_the_new_one() {
    let mut seen = [0, 0];
    for polls in 0.. {
        let (fake, frames) = (Fake::<ROWS>::new(5, 2), RefCell::new(Vec::new()));
        let noted = Noted { spi: fake.spi(), frames: &frames };
        let mut switch = asynchronous::Switch::new(noted, fake.reset_pin(), fake.delay());
        finish(switch.reset()).unwrap();
        finish(switch.program_table(OLD.into_iter())).unwrap();
        finish(switch.start(&Here::default(), 1, &Selection::NEVER)).unwrap();
        let ended = within(polls, switch.program_table(NEW.into_iter())).is_some();
        let rows = (0..ROWS as u16).map(|row| finish(switch.table_row(row)).unwrap()).collect::<Vec<_>>();
        assert!(rows == OLD || rows == NEW, "{rows:?} after {polls} polls");
        seen[usize::from(rows == NEW)] += 1;
        finish(switch.program_table(NEW.into_iter())).unwrap();
        assert_eq!(finish(switch.table_row(3)), Ok(NEW[3]));
        if ended {
            break;
        }
    }
    // The commit is read back after it has happened.
    assert!(seen[0] > 5 && seen[1] > 1, "{seen:?}");
}

#[test]
fn whoever_waits_for_an_event_gets_it() {
    let fake = Fake::<ROWS>::new(5, 2);
    let mut switch = asynchronous::Switch::new(fake.spi(), fake.reset_pin(), fake.delay());
    finish(switch.reset()).unwrap();
    finish(switch.listen(InterruptEnable::default().with_frames(true))).unwrap();
    let mut irq = fake.irq_pin();
    assert_eq!(within(100, switch.wait(&mut irq)), None);
    // No frame has such a checksum.
    embedded_hal::spi::SpiDevice::transfer_in_place(&mut fake.spi(), &mut [0x5a; 17]).unwrap();
    let happened = finish(switch.wait(&mut irq)).unwrap();
    assert_eq!(happened, Happened { frames: 1, ..Happened::default() });
    assert_eq!(within(100, switch.wait(&mut irq)), None);
}
