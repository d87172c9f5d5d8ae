//! The UARTs of mps2-an386: CMSDK APB UARTs, each with one byte of room in each direction.

use core::convert::Infallible;
use core::sync::atomic::{AtomicBool, Ordering};
use embedded_io::{ErrorType, Read, ReadReady, Write, WriteReady};

/// How many there are.
pub const UARTS: usize = 5;

/// Where their registers are.
const BASES: [usize; UARTS] = [0x4000_4000, 0x4000_5000, 0x4000_6000, 0x4000_7000, 0x4000_9000];

const DATA: usize = 0x0;
const STATE: usize = 0x4;
const CONTROL: usize = 0x8;
const DIVIDER: usize = 0x10;

const STATE_SENDS: u32 = 1 << 0;
const STATE_RECEIVED: u32 = 1 << 1;
const CONTROL_BOTH: u32 = 0b11;

/// Clock edges of a bit: 25 MHz by 16 is the fastest that it can do.
const CLOCKS_PER_BIT: u32 = 16;

/// One of them.
#[derive(Debug)]
pub struct Uart {
    base: usize,
}

/// Whether they have an owner.
static ARE_TAKEN: AtomicBool = AtomicBool::new(false);

impl Uart {
    /// All of them, enabled; `None` when they have been taken before.
    pub fn take_all() -> Option<[Self; UARTS]> {
        // No interrupt handler and no second core calls this: a load and a store are one step.
        if ARE_TAKEN.load(Ordering::Relaxed) {
            return None;
        }
        ARE_TAKEN.store(true, Ordering::Relaxed);
        let uarts = BASES.map(|base| Self { base });
        for uart in &uarts {
            uart.write_register(DIVIDER, CLOCKS_PER_BIT);
            uart.write_register(CONTROL, CONTROL_BOTH);
        }
        Some(uarts)
    }

    fn read_register(&self, offset: usize) -> u32 {
        let register = self.base.wrapping_add(offset) as *const u32;
        // SAFETY: `base` is one of `BASES`, where mps2-an386 has a UART; `offset` is one of its registers.
        // This is its only owner, and no register refers to memory.
        #[expect(unsafe_code, reason = "a register of a device")]
        unsafe {
            register.read_volatile()
        }
    }

    fn write_register(&self, offset: usize, value: u32) {
        let register = self.base.wrapping_add(offset) as *mut u32;
        // SAFETY: as above.
        #[expect(unsafe_code, reason = "a register of a device")]
        unsafe {
            register.write_volatile(value);
        }
    }

    fn has_byte(&self) -> bool {
        self.read_register(STATE) & STATE_RECEIVED != 0
    }

    fn has_room(&self) -> bool {
        self.read_register(STATE) & STATE_SENDS == 0
    }
}

impl ErrorType for Uart {
    type Error = Infallible;
}

impl ReadReady for Uart {
    fn read_ready(&mut self) -> Result<bool, Infallible> {
        Ok(self.has_byte())
    }
}

impl Read for Uart {
    /// Waits for the first byte, and takes those that are there after it.
    fn read(&mut self, bytes: &mut [u8]) -> Result<usize, Infallible> {
        let mut came = 0usize;
        for place in bytes {
            while came == 0 && !self.has_byte() {}
            if !self.has_byte() {
                break;
            }
            *place = self.read_register(DATA) as u8;
            came = came.wrapping_add(1);
        }
        Ok(came)
    }
}

impl WriteReady for Uart {
    fn write_ready(&mut self) -> Result<bool, Infallible> {
        Ok(self.has_room())
    }
}

impl Write for Uart {
    /// Waits until it takes the first byte, and writes those that it takes at once after it.
    fn write(&mut self, bytes: &[u8]) -> Result<usize, Infallible> {
        let mut taken = 0usize;
        for &byte in bytes {
            while taken == 0 && !self.has_room() {}
            if !self.has_room() {
                break;
            }
            self.write_register(DATA, byte.into());
            taken = taken.wrapping_add(1);
        }
        Ok(taken)
    }

    fn flush(&mut self) -> Result<(), Infallible> {
        while !self.has_room() {}
        Ok(())
    }
}
