//! Time by SysTick, the timer that every Cortex-M has: a millisecond to an interrupt.

use core::cell::{Cell, RefCell};
use core::task::Waker;
use cortex_m::Peripherals;
use cortex_m::peripheral::syst::SystClkSource;
use cortex_m_rt::exception;
use critical_section::Mutex;
use embassy_time_driver::Driver;
use embassy_time_queue_utils::Queue;

/// Milliseconds, and who waits for them.
struct Milliseconds {
    now: Mutex<Cell<u64>>,
    queue: Mutex<RefCell<Queue>>,
}

embassy_time_driver::time_driver_impl!(static TIME: Milliseconds = Milliseconds {
    now: Mutex::new(Cell::new(0)),
    queue: Mutex::new(RefCell::new(Queue::new())),
});

impl Driver for Milliseconds {
    fn now(&self) -> u64 {
        critical_section::with(|section| self.now.borrow(section).get())
    }

    fn schedule_wake(&self, at: u64, waker: &Waker) {
        critical_section::with(|section| {
            if let Ok(mut queue) = self.queue.borrow(section).try_borrow_mut() {
                // The interrupt looks at all of them: there is no alarm to set.
                queue.schedule_wake(at, waker);
            }
        });
    }
}

/// Starts the timer on a core of so many hertz. A second call does nothing.
pub fn start(hertz: u32) {
    let Some(Peripherals { mut SYST, .. }) = Peripherals::take() else { return };
    SYST.set_clock_source(SystClkSource::Core);
    SYST.set_reload((hertz / 1_000).saturating_sub(1));
    SYST.clear_current();
    SYST.enable_interrupt();
    SYST.enable_counter();
}

#[exception]
fn SysTick() {
    critical_section::with(|section| {
        let now = TIME.now.borrow(section).get().saturating_add(1);
        TIME.now.borrow(section).set(now);
        if let Ok(mut queue) = TIME.queue.borrow(section).try_borrow_mut() {
            queue.next_expiration(now);
        }
    });
}
