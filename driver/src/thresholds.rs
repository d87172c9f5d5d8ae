//! Triggers and thresholds, as registers have them.

use crate::bus::Bus;
use crate::error::BusError;
use crate::registers::{
    ContentionFactor, ContentionThreshold, MinimalOccupancy, RelativeThreshold, Restriction,
    RestrictionFactor, RestrictionPackets, Trigger,
};
use embedded_hal::spi::SpiDevice;
use router_core::layout;
use router_core::select::Selection;
use router_core::select::occupancy::OccupancyTrigger;

/// Whether a switch that was built with `trigger` can select like this at run time.
pub(crate) fn is_built(trigger: u32, selection: &Selection) -> bool {
    use layout::{
        TRIGGER_ALWAYS, TRIGGER_CONTENTION, TRIGGER_CONTENTION_AVERAGE, TRIGGER_HYBRID, TRIGGER_OCCUPANCY,
    };
    match selection {
        // Its outputs are all asked for at once, which nothing turns off.
        Selection::Never => trigger != TRIGGER_ALWAYS,
        Selection::Occupancy(_) => matches!(trigger, TRIGGER_OCCUPANCY | TRIGGER_HYBRID),
        Selection::Contention(_) => matches!(trigger, TRIGGER_CONTENTION | TRIGGER_HYBRID),
        Selection::ContentionAverage(_) => trigger == TRIGGER_CONTENTION_AVERAGE,
        Selection::Hybrid(..) => trigger == TRIGGER_HYBRID,
        Selection::Always => trigger == TRIGGER_ALWAYS,
    }
}

/// Stages all thresholds and the trigger. A threshold that nothing reads stays as it is.
pub(crate) fn stage<SPI: SpiDevice>(
    bus: &mut Bus<SPI>,
    selection: &Selection,
) -> Result<(), BusError<SPI::Error>> {
    let (occupancy, contention, factor) = match *selection {
        Selection::Never | Selection::Always => (None, None, None),
        Selection::Occupancy(trigger) => (Some(trigger), None, None),
        Selection::Contention(trigger) => (None, Some(trigger.threshold), None),
        Selection::ContentionAverage(trigger) => (None, None, Some(trigger.factor)),
        Selection::Hybrid(occupancy, contention) => (Some(occupancy), Some(contention.threshold), None),
    };
    let by_count = contention.is_some() || factor.is_some();
    bus.write(Trigger::default().with_occupancy(occupancy.is_some()).with_contention(by_count))?;
    if let Some(threshold) = contention {
        bus.write(ContentionThreshold::default().with_packets(threshold.into()))?;
    }
    if let Some(factor) = factor {
        bus.write(ContentionFactor::default().with_factor(factor.to_bits().into()))?;
    }
    occupancy.map_or(Ok(()), |trigger| stage_occupancy(bus, &trigger))
}

fn stage_occupancy<SPI: SpiDevice>(
    bus: &mut Bus<SPI>,
    trigger: &OccupancyTrigger,
) -> Result<(), BusError<SPI::Error>> {
    bus.write(MinimalOccupancy::default().with_share(trigger.minimal_occupancy.to_bits().into()))?;
    bus.write(RelativeThreshold::default().with_share(trigger.relative_threshold.to_bits().into()))?;
    let restriction = trigger.global_restriction;
    bus.write(Restriction::default().with_enable(restriction.is_some()))?;
    let Some(restriction) = restriction else { return Ok(()) };
    bus.write(RestrictionFactor::default().with_factor(restriction.factor.to_bits().into()))?;
    bus.write(RestrictionPackets::default().with_packets(restriction.packets.into()))
}
