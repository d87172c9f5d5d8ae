//! Clocks and pins.

use crate::LINES;
use desvio_desk::{BAUD, Line, Seat, serve, systick};
use embassy_futures::join::join5;
use embassy_stm32::gpio::{Input, Level, Output, Pull, Speed};
use embassy_stm32::mode::Async;
use embassy_stm32::rcc::{
    AHBPrescaler, APBPrescaler, Hse, HseMode, Pll, PllMul, PllPDiv, PllPreDiv, PllSource, Sysclk,
};
use embassy_stm32::time::Hertz;
use embassy_stm32::usart::{self, Uart};
use embassy_stm32::{bind_interrupts, dma, peripherals as on};

/// Hertz of the crystal: 8 MHz on an STM32-H405, 12 MHz on a Feather, 25 MHz on a Netduino Plus 2.
const CRYSTAL: u32 = 8_000_000;
/// Hertz of the core.
const CORE: u32 = 168_000_000;
/// Bytes that a DMA channel may have received before the program looks, two milliseconds' worth.
const RING: usize = 256;

bind_interrupts!(struct Irqs {
    USART1 => usart::InterruptHandler<on::USART1>;
    USART2 => usart::InterruptHandler<on::USART2>;
    USART3 => usart::InterruptHandler<on::USART3>;
    USART6 => usart::InterruptHandler<on::USART6>;
    DMA1_STREAM1 => dma::InterruptHandler<on::DMA1_CH1>;
    DMA1_STREAM3 => dma::InterruptHandler<on::DMA1_CH3>;
    DMA1_STREAM5 => dma::InterruptHandler<on::DMA1_CH5>;
    DMA1_STREAM6 => dma::InterruptHandler<on::DMA1_CH6>;
    DMA2_STREAM1 => dma::InterruptHandler<on::DMA2_CH1>;
    DMA2_STREAM2 => dma::InterruptHandler<on::DMA2_CH2>;
    DMA2_STREAM6 => dma::InterruptHandler<on::DMA2_CH6>;
    DMA2_STREAM7 => dma::InterruptHandler<on::DMA2_CH7>;
});

fn clocks() -> embassy_stm32::Config {
    let mut config = embassy_stm32::Config::default();
    config.rcc.hse = Some(Hse { freq: Hertz(CRYSTAL), mode: HseMode::Oscillator });
    config.rcc.pll_src = PllSource::HSE;
    // 1 MHz × 336 / 2.
    let megahertz = PllPreDiv::from_bits((CRYSTAL / 1_000_000) as u8);
    let (mul, divp) = (PllMul::MUL336, Some(PllPDiv::DIV2));
    config.rcc.pll = Some(Pll { prediv: megahertz, mul, divp, divq: None, divr: None });
    config.rcc.sys = Sysclk::PLL1_P;
    config.rcc.ahb_pre = AHBPrescaler::DIV1;
    config.rcc.apb1_pre = APBPrescaler::DIV4;
    config.rcc.apb2_pre = APBPrescaler::DIV2;
    config
}

async fn carry(line: &Line, uart: Uart<'_, Async>) {
    let mut ring = [0; RING];
    let (to, from) = uart.split();
    line.carry(from.into_ring_buffered(&mut ring), to).await;
}

/// Runs the board, for ever.
pub(crate) async fn run() {
    let p = embassy_stm32::init(clocks());
    systick::start(CORE);
    let seat = Seat::strapped(Input::new(p.PB0, Pull::Up).is_low());
    let lamp = Output::new(p.PC12, Level::High, Speed::Low);
    let mut config = usart::Config::default();
    config.baudrate = BAUD;
    let (Ok(one), Ok(two), Ok(three), Ok(six)) = (
        Uart::new(p.USART1, p.PA10, p.PA9, p.DMA2_CH7, p.DMA2_CH2, Irqs, config),
        Uart::new(p.USART2, p.PA3, p.PA2, p.DMA1_CH6, p.DMA1_CH5, Irqs, config),
        Uart::new(p.USART3, p.PB11, p.PB10, p.DMA1_CH3, p.DMA1_CH1, Irqs, config),
        Uart::new(p.USART6, p.PC7, p.PC6, p.DMA2_CH6, p.DMA2_CH1, Irqs, config),
    ) else {
        defmt::error!("no USART makes {} baud of its clock", BAUD);
        return;
    };
    let [east, west, north, south] = &LINES;
    let ends = LINES.each_ref().map(Line::end);
    let carried = embassy_futures::join::join(carry(north, three), carry(south, six));
    join5(serve(seat, ends, lamp), carry(east, one), carry(west, two), carried, core::future::ready(()))
        .await;
}
