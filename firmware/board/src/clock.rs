//! Instructions, counted: under QEMU with `-icount shift=8` virtual time advances by 256 ns with each.

use core::hint::black_box;

/// Virtual time that passes with each instruction.
const NANOSECONDS: u32 = 1 << 8;

/// The counter of the core.
#[derive(Debug)]
pub struct Clock {
    counter: arch::Counter,
    /// What counting nothing costs.
    overhead: u32,
}

impl Clock {
    /// Starts counting. `None` where the counter does not count instructions: not under QEMU, another shift, another
    /// clock.
    pub fn new() -> Option<Self> {
        let mut clock = Self { counter: arch::Counter::new()?, overhead: 0 };
        clock.overhead = clock.raw(&mut || {});
        let (one, two) = (clock.count(&mut hundred), clock.count(&mut two_hundred));
        (two.wrapping_sub(one) == 100).then_some(clock)
    }

    /// Instructions that `work` takes, the call included. Up to half a million.
    pub fn count(&self, work: &mut dyn FnMut()) -> u32 {
        self.raw(work).wrapping_sub(self.overhead)
    }

    #[inline(never)]
    fn raw(&self, work: &mut dyn FnMut()) -> u32 {
        let begin = self.counter.now();
        black_box(&mut *work)();
        self.counter.since(begin)
    }
}

#[cfg(target_arch = "arm")]
mod arch {
    use cortex_m::peripheral::SYST;
    use cortex_m::peripheral::syst::SystClkSource;

    /// Picoseconds of one tick: 16 MHz on the micro:bit, 25 MHz on mps2-an386.
    const TICK: u64 = if cfg!(board = "microbit") { 62_500 } else { 40_000 };
    /// Picoseconds of one instruction.
    const INSTRUCTION: u64 = super::NANOSECONDS as u64 * 1000;
    /// The counter has 24 bits, and counts down.
    const MASK: u32 = 0x00ff_ffff;

    #[derive(Debug)]
    pub(super) struct Counter;

    impl Counter {
        pub(super) fn new() -> Option<Self> {
            let mut systick = cortex_m::Peripherals::take()?.SYST;
            systick.set_clock_source(SystClkSource::Core);
            systick.set_reload(MASK);
            systick.clear_current();
            systick.enable_counter();
            Some(Self)
        }

        #[inline(always)]
        pub(super) fn now(&self) -> u32 {
            SYST::get_current()
        }

        #[inline(always)]
        pub(super) fn since(&self, begin: u32) -> u32 {
            let ticks = u64::from(begin.wrapping_sub(SYST::get_current()) & MASK);
            let rounded = ticks.saturating_mul(TICK).saturating_add(INSTRUCTION / 2);
            rounded.checked_div(INSTRUCTION).unwrap_or_default() as u32
        }
    }

    pub(super) use cortex_m::asm::nop;
}

#[cfg(target_arch = "riscv32")]
mod arch {
    use riscv::register::minstret;

    #[derive(Debug)]
    pub(super) struct Counter;

    impl Counter {
        pub(super) fn new() -> Option<Self> {
            Some(Self)
        }

        #[inline(always)]
        pub(super) fn now(&self) -> u32 {
            minstret::read() as u32
        }

        #[inline(always)]
        pub(super) fn since(&self, begin: u32) -> u32 {
            // QEMU 7.2 shows virtual nanoseconds in this register, not instructions.
            (minstret::read() as u32).wrapping_sub(begin) / super::NANOSECONDS
        }
    }

    pub(super) use riscv::asm::nop;
}

/// A host counts nothing.
#[cfg(not(any(target_arch = "arm", target_arch = "riscv32")))]
mod arch {
    #[derive(Debug)]
    pub(super) struct Counter;

    impl Counter {
        pub(super) fn new() -> Option<Self> {
            None
        }
        pub(super) fn now(&self) -> u32 {
            0
        }
        pub(super) fn since(&self, begin: u32) -> u32 {
            begin
        }
    }

    pub(super) fn nop() {}
}

macro_rules! ten {
    ($($body:tt)*) => {
        $($body)* $($body)* $($body)* $($body)* $($body)* $($body)* $($body)* $($body)* $($body)* $($body)*
    };
}

/// A hundred instructions that do nothing, and what it takes to get there and back.
fn hundred() {
    ten! { ten! { arch::nop(); } }
}

/// A hundred more.
fn two_hundred() {
    ten! { ten! { arch::nop(); arch::nop(); } }
}
