//! A switch on an nRF52840, for instance an nRF52840-DK: two links over UARTE0 and 1. `README.md` shows the pins.
#![no_std]
#![no_main]

use defmt_rtt as _;
use desvio_desk::{End, Line, Seat, serve};
use embassy_executor::Spawner;
use embassy_futures::join::join3;
use embassy_nrf::buffered_uarte::{self, BufferedUarte};
use embassy_nrf::gpio::{Input, Level, Output, OutputDrive, Pull};
use embassy_nrf::uarte::{Baudrate, Config};
use embassy_nrf::{bind_interrupts, config, peripherals as on};
use panic_probe as _;

/// Bytes that DMA may have received before the program looks, and may have to send; an even number.
const RING: usize = 256;

/// To the neighbours: east and west. There is no third UART.
static LINES: [Line; 2] = [const { Line::new() }; 2];

bind_interrupts!(struct Irqs {
    UARTE0 => buffered_uarte::InterruptHandler<on::UARTE0>;
    UARTE1 => buffered_uarte::InterruptHandler<on::UARTE1>;
});

async fn carry(line: &Line, uart: BufferedUarte<'_>) {
    let (from, to) = uart.split();
    line.carry(from, to).await;
}

#[embassy_executor::main]
async fn main(_spawner: Spawner) {
    let mut clocks = config::Config::default();
    // The crystal of 32 MHz: the internal oscillator may be off by more than a UART forgives.
    clocks.hfclk_source = config::HfclkSource::ExternalXtal;
    let p = embassy_nrf::init(clocks);
    let seat = Seat::strapped(Input::new(p.P0_31, Pull::Up).is_low());
    let lamp = Output::new(p.P0_13, Level::High, OutputDrive::Standard);
    let mut config = Config::default();
    config.baudrate = Baudrate::Baud1m;
    let (mut received, mut sent) = ([[0; RING]; 2], [[0; RING]; 2]);
    let ([from_east, from_west], [to_east, to_west]) = (received.each_mut(), sent.each_mut());
    let one = BufferedUarte::new(
        p.UARTE0,
        p.TIMER1,
        p.PPI_CH0,
        p.PPI_CH1,
        p.PPI_GROUP0,
        p.P1_01,
        p.P1_02,
        Irqs,
        config.clone(),
        from_east,
        to_east,
    );
    let two = BufferedUarte::new(
        p.UARTE1,
        p.TIMER2,
        p.PPI_CH2,
        p.PPI_CH3,
        p.PPI_GROUP1,
        p.P1_03,
        p.P1_04,
        Irqs,
        config,
        from_west,
        to_west,
    );
    let [east, west] = &LINES;
    let ends = [east.end(), west.end(), End::NONE, End::NONE];
    join3(serve(seat, ends, lamp), carry(east, one), carry(west, two)).await;
}
