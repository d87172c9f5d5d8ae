//! A switch on an RP2040, for instance a Raspberry Pi Pico: two links over UART0 and 1. `README.md` shows the pins.
#![no_std]
#![no_main]

use defmt_rtt as _;
use desvio_desk::{BAUD, End, Line, Seat, serve};
use embassy_executor::Spawner;
use embassy_futures::join::join3;
use embassy_rp::gpio::{Input, Level, Output, Pull};
use embassy_rp::uart::{Async, BufferedInterruptHandler, BufferedUartRx, Config, Error, UartTx};
use embassy_rp::{bind_interrupts, dma, peripherals as on};
use embedded_io_async::{ErrorType, Write};
use panic_probe as _;

/// Bytes that may have come before the program looks.
const RING: usize = 256;

/// To the neighbours: east and west. There is no third UART.
static LINES: [Line; 2] = [const { Line::new() }; 2];

bind_interrupts!(struct Irqs {
    UART0_IRQ => BufferedInterruptHandler<on::UART0>;
    UART1_IRQ => BufferedInterruptHandler<on::UART1>;
    DMA_IRQ_0 => dma::InterruptHandler<on::DMA_CH0>, dma::InterruptHandler<on::DMA_CH1>;
});

/// What sends, as a line of `embedded-io-async`.
struct Sender(UartTx<'static, Async>);

impl ErrorType for Sender {
    type Error = Error;
}

impl Write for Sender {
    async fn write(&mut self, bytes: &[u8]) -> Result<usize, Error> {
        self.0.write(bytes).await?;
        Ok(bytes.len())
    }

    async fn flush(&mut self) -> Result<(), Error> {
        self.0.blocking_flush()
    }
}

/// The halves of a UART: DMA sends; bytes that come are taken out of its FIFO by an interrupt, since a DMA transfer of this HAL does not end
/// before its buffer is full.
macro_rules! halves {
    ($uart:expr, $rx:expr, $tx:expr, $dma:expr, $ring:expr) => {{
        let uart = $uart;
        // SAFETY: each half has registers and pins of its own, and both configure the UART alike.
        #[expect(unsafe_code, reason = "the HAL has no UART with halves of both kinds")]
        let again = unsafe { uart.clone_unchecked() };
        let mut config = Config::default();
        config.baudrate = BAUD;
        (
            BufferedUartRx::new(uart, Irqs, $rx, $ring, config),
            Sender(UartTx::new(again, $tx, $dma, Irqs, config)),
        )
    }};
}

#[embassy_executor::main]
async fn main(_spawner: Spawner) {
    let p = embassy_rp::init(Default::default());
    let seat = Seat::strapped(Input::new(p.PIN_2, Pull::Up).is_low());
    let lamp = Output::new(p.PIN_25, Level::Low);
    let mut rings = [[0; RING]; 2];
    let [from_east, from_west] = &mut rings;
    let (from_one, to_one) = halves!(p.UART0, p.PIN_1, p.PIN_0, p.DMA_CH0, from_east);
    let (from_two, to_two) = halves!(p.UART1, p.PIN_5, p.PIN_4, p.DMA_CH1, from_west);
    let [east, west] = &LINES;
    let ends = [east.end(), west.end(), End::NONE, End::NONE];
    join3(serve(seat, ends, lamp), east.carry(from_one, to_one), west.carry(from_two, to_two)).await;
}
