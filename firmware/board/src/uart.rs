//! The UARTs of mps2-an386: CMSDK APB UARTs, each with one byte of room in each direction. An interrupt takes each byte that comes.

use crate::ring::Ring;
use core::convert::Infallible;
use core::sync::atomic::{AtomicBool, Ordering};
use cortex_m::interrupt::InterruptNumber;
use cortex_m::peripheral::NVIC;
use cortex_m_rt::exception;
use embedded_io::{ErrorType, Read, ReadReady, Write, WriteReady};

/// How many there are.
pub const UARTS: usize = 5;

/// The registers of each, the interrupt of its bytes that come, and those bytes.
static LINES: [Line; UARTS] = [
    Line::new(0x4000_4000, 0),
    Line::new(0x4000_5000, 2),
    Line::new(0x4000_6000, 4),
    Line::new(0x4000_7000, 18),
    Line::new(0x4000_9000, 20),
];

const DATA: usize = 0x0;
const STATE: usize = 0x4;
const CONTROL: usize = 0x8;
const CLEAR: usize = 0xc;
const DIVIDER: usize = 0x10;

const STATE_SENDS: u32 = 1 << 0;
const STATE_RECEIVED: u32 = 1 << 1;
/// Both directions, and the interrupt of bytes that come.
const CONTROL_USED: u32 = 0b1011;
const CLEAR_RECEIVED: u32 = 1 << 1;

/// Clock edges of a bit: 115,200 baud of 25 MHz. The emulator takes no notice.
const CLOCKS_PER_BIT: u32 = 217;

/// The byte that ends a frame of a link: before it there is nothing to do.
const END: u8 = 0;

/// Whether they have an owner.
static ARE_TAKEN: AtomicBool = AtomicBool::new(false);
/// Whether a frame ended since the last look.
static HAS_FRAME: AtomicBool = AtomicBool::new(false);

/// One of them.
#[derive(Debug)]
pub struct Uart {
    line: &'static Line,
}

/// What a UART has in common with its interrupt.
#[derive(Debug)]
struct Line {
    registers: Registers,
    interrupt: Interrupt,
    ring: Ring,
}

impl Line {
    const fn new(base: usize, interrupt: u16) -> Self {
        Self { registers: Registers { base }, interrupt: Interrupt(interrupt), ring: Ring::new() }
    }
}

impl Uart {
    /// All of them, enabled; `None` when they have been taken before.
    pub fn take_all() -> Option<[Self; UARTS]> {
        // No interrupt handler calls this, and there is one core: a load and a store are one step.
        if ARE_TAKEN.load(Ordering::Relaxed) {
            return None;
        }
        ARE_TAKEN.store(true, Ordering::Relaxed);
        for line in &LINES {
            line.registers.write(DIVIDER, CLOCKS_PER_BIT);
            line.registers.write(CONTROL, CONTROL_USED);
            // SAFETY: the handler shares atomics with the program, and nothing else.
            #[expect(unsafe_code, reason = "an interrupt")]
            unsafe {
                NVIC::unmask(line.interrupt);
            }
        }
        Some(LINES.each_ref().map(|line| Self { line }))
    }

    fn has_room(&self) -> bool {
        self.line.registers.read(STATE) & STATE_SENDS == 0
    }
}

/// Waits for an interrupt, unless a frame has ended since it was asked last.
pub fn sleep() {
    sleep_unless(|| HAS_FRAME.load(Ordering::Relaxed));
}

fn sleep_unless(is_awake: impl Fn() -> bool) {
    // With interrupts held back none comes between the look and the sleep; a pending one ends the sleep all the same.
    cortex_m::interrupt::free(|_| {
        if !is_awake() {
            cortex_m::asm::wfi();
        }
    });
}

/// Whether a frame ended since this was asked last.
pub fn take_frame() -> bool {
    let has_frame = HAS_FRAME.load(Ordering::Relaxed);
    if has_frame {
        HAS_FRAME.store(false, Ordering::Relaxed);
    }
    has_frame
}

/// All interrupts but those of the core.
#[exception]
#[allow(unsafe_code, reason = "the runtime asks for it")]
unsafe fn DefaultHandler(number: i16) {
    let its = LINES.iter().filter(|line| i32::from(line.interrupt.0) == i32::from(number));
    for Line { registers, ring, .. } in its {
        registers.write(CLEAR, CLEAR_RECEIVED);
        // A byte that comes from here on is another interrupt.
        while registers.read(STATE) & STATE_RECEIVED != 0 {
            let byte = registers.read(DATA) as u8;
            ring.push(byte);
            if byte == END {
                HAS_FRAME.store(true, Ordering::Relaxed);
            }
        }
    }
}

/// The number of an interrupt.
#[derive(Clone, Copy, Debug)]
struct Interrupt(u16);

// SAFETY: the numbers are those of `LINES`, which mps2-an386 has.
#[expect(unsafe_code, reason = "an interrupt")]
unsafe impl InterruptNumber for Interrupt {
    fn number(self) -> u16 {
        self.0
    }
}

/// The registers of a UART.
#[derive(Clone, Copy, Debug)]
struct Registers {
    base: usize,
}

impl Registers {
    fn read(self, offset: usize) -> u32 {
        let register = self.base.wrapping_add(offset) as *const u32;
        // SAFETY: `base` is that of a UART of mps2-an386, and `offset` that of one of its registers, which does not
        // refer to memory.
        #[expect(unsafe_code, reason = "a register of a device")]
        unsafe {
            register.read_volatile()
        }
    }

    fn write(self, offset: usize, value: u32) {
        let register = self.base.wrapping_add(offset) as *mut u32;
        // SAFETY: as above.
        #[expect(unsafe_code, reason = "a register of a device")]
        unsafe {
            register.write_volatile(value);
        }
    }
}

impl ErrorType for Uart {
    type Error = Infallible;
}

impl ReadReady for Uart {
    fn read_ready(&mut self) -> Result<bool, Infallible> {
        Ok(self.line.ring.len() > 0)
    }
}

impl Read for Uart {
    /// Waits for the first byte, and takes those that are there after it.
    fn read(&mut self, bytes: &mut [u8]) -> Result<usize, Infallible> {
        let mut came = 0usize;
        for place in bytes {
            while came == 0 && self.line.ring.len() == 0 {
                sleep_unless(|| self.line.ring.len() > 0);
            }
            let Some(byte) = self.line.ring.pop() else { break };
            *place = byte;
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
            self.line.registers.write(DATA, byte.into());
            taken = taken.wrapping_add(1);
        }
        Ok(taken)
    }

    fn flush(&mut self) -> Result<(), Infallible> {
        while !self.has_room() {}
        Ok(())
    }
}
