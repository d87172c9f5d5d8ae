//! Milliseconds since boot, by an interrupt of the core's timer.

use core::sync::atomic::{AtomicU32, Ordering};
use cortex_m::Peripherals;
use cortex_m::peripheral::SYST;
use cortex_m::peripheral::syst::SystClkSource;
use cortex_m_rt::exception;

/// Clock edges of a millisecond: mps2-an386 has 25 MHz.
const CLOCKS: u32 = 25_000;
/// Milliseconds from one interrupt to the next.
const STEP: u32 = 10;

static MILLISECONDS: AtomicU32 = AtomicU32::new(0);

/// The time, in steps of ten milliseconds.
#[derive(Clone, Copy, Debug)]
pub struct Uptime(());

impl Uptime {
    /// Starts the timer; `None` when it has been taken before.
    pub fn start() -> Option<Self> {
        let mut timer = Peripherals::take()?.SYST;
        timer.set_clock_source(SystClkSource::Core);
        timer.set_reload(CLOCKS * STEP - 1);
        timer.clear_current();
        timer.enable_interrupt();
        timer.enable_counter();
        Some(Self(()))
    }

    /// Microseconds; they wrap.
    pub fn microseconds(self) -> u32 {
        loop {
            let before = MILLISECONDS.load(Ordering::Relaxed);
            let edges = (CLOCKS * STEP).wrapping_sub(SYST::get_current());
            // If the timer began anew meanwhile, the two are not of one time.
            if MILLISECONDS.load(Ordering::Relaxed) == before {
                return before.wrapping_mul(1000).wrapping_add(edges / (CLOCKS / 1000));
            }
        }
    }

    /// Milliseconds; they wrap.
    pub fn now(self) -> u32 {
        MILLISECONDS.load(Ordering::Relaxed)
    }
}

#[exception]
fn SysTick() {
    // The only writer.
    MILLISECONDS.store(MILLISECONDS.load(Ordering::Relaxed).wrapping_add(STEP), Ordering::Relaxed);
}
