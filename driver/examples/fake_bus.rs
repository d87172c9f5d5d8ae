//! The driver against a switch in memory: a test of firmware that has no switch at hand.
//!
//! ```sh
//! cargo run -p desvio-driver --example fake_bus
//! ```

use desvio_driver::Switch;
use desvio_driver::fake::Fake;
use desvio_driver::registers::InterruptEnable;
use router_core::route::Here;
use router_core::select::Selection;
use router_core::units::PortSet;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Five ports, two VCs, a routing table of four rows.
    let fake = Fake::<4>::new(5, 2);
    let mut switch = Switch::new(fake.spi(), fake.reset_pin(), fake.delay());
    let shape = switch.reset()?;
    println!("a switch of {} ports with up to {} VCs", shape.ports(), shape.vcs());

    // The bus breaks two answers: the driver sends these frames again.
    fake.damage(2);
    switch.listen(InterruptEnable::default().with_commits(true))?;
    switch.program_table([PortSet::first_n(2); 4].into_iter())?;
    switch.start(&Here::default(), 1, &Selection::NEVER)?;
    println!("it runs, {} frames were sent again", switch.bus().repeated());

    // The interrupt line is high until the events have been read.
    assert!(fake.irq());
    println!("{:?}", switch.happened()?);
    assert!(!fake.irq());
    Ok(())
}
