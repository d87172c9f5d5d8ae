//! Milliseconds since boot, by the timer of the core.

use core::cell::Cell;
use cortex_m::Peripherals;
use cortex_m::peripheral::SYST;
use cortex_m::peripheral::syst::SystClkSource;

/// Ticks of the timer in a millisecond: mps2-an386 has 25 MHz.
const TICKS: u32 = 25_000;
/// The timer has 24 bits, and counts down: it turns over in two thirds of a second.
const MASK: u32 = 0x00ff_ffff;

/// The time. Whoever asks less than once in two turns of the timer is told too little.
#[derive(Debug)]
pub struct Uptime {
    last: Cell<u32>,
    /// Ticks of a millisecond that is not over.
    rest: Cell<u32>,
    milliseconds: Cell<u32>,
}

impl Uptime {
    /// Starts the timer; `None` when it has been taken before.
    pub fn start() -> Option<Self> {
        let mut timer = Peripherals::take()?.SYST;
        timer.set_clock_source(SystClkSource::Core);
        timer.set_reload(MASK);
        timer.clear_current();
        timer.enable_counter();
        let last = Cell::new(SYST::get_current());
        Some(Self { last, rest: Cell::new(0), milliseconds: Cell::new(0) })
    }

    /// Milliseconds; they may wrap.
    pub fn now(&self) -> u32 {
        let current = SYST::get_current();
        let passed = self.last.replace(current).wrapping_sub(current) & MASK;
        let ticks = self.rest.get().wrapping_add(passed);
        self.milliseconds.set(self.milliseconds.get().wrapping_add(ticks / TICKS));
        self.rest.set(ticks % TICKS);
        self.milliseconds.get()
    }
}
