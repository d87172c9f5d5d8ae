//! Triggers and thresholds, as registers have them.

use super::bus::Bus;
use super::{SpiDevice, face};
use crate::error::BusError;
use crate::registers::{
    ContentionFactor, ContentionThreshold, MinimalOccupancy, RelativeThreshold, Restriction,
    RestrictionFactor, RestrictionPackets, Trigger,
};
use router_core::layout::TRIGGER_ALWAYS;
use router_core::select::occupancy::OccupancyTrigger;
use router_core::select::{Selection, Thresholds};

/// Whether a switch that was built with `trigger` can select like this at run time.
pub(super) fn is_built(trigger: u32, selection: &Selection) -> bool {
    // Such a switch asks for any output with room, and has no setting to turn that off.
    let asks_any = trigger == TRIGGER_ALWAYS;
    selection.rtl().is_some() && asks_any == selection.asks_any() && selection.thresholds().fit(trigger)
}

/// Stages all thresholds and the trigger. A threshold that nothing reads stays as it is.
#[face]
pub(super) async fn stage<SPI: SpiDevice>(
    bus: &mut Bus<SPI>,
    selection: &Selection,
) -> Result<(), BusError<SPI::Error>> {
    let thresholds = selection.thresholds();
    let Thresholds { occupancy, contention, average, .. } = thresholds;
    let trigger = Trigger::default().with_occupancy(occupancy.is_some());
    bus.write(trigger.with_contention(thresholds.counts())).await?;
    if let Some(threshold) = contention {
        bus.write(ContentionThreshold::default().with_packets(threshold.into())).await?;
    }
    if let Some(factor) = average {
        bus.write(ContentionFactor::default().with_factor(factor.to_bits().into())).await?;
    }
    match occupancy {
        Some(trigger) => stage_occupancy(bus, &trigger).await,
        None => Ok(()),
    }
}

#[face]
async fn stage_occupancy<SPI: SpiDevice>(
    bus: &mut Bus<SPI>,
    trigger: &OccupancyTrigger,
) -> Result<(), BusError<SPI::Error>> {
    bus.write(MinimalOccupancy::default().with_share(trigger.minimal_occupancy.to_bits().into())).await?;
    bus.write(RelativeThreshold::default().with_share(trigger.relative_threshold.to_bits().into())).await?;
    let restriction = trigger.global_restriction;
    bus.write(Restriction::default().with_enable(restriction.is_some())).await?;
    let Some(restriction) = restriction else { return Ok(()) };
    bus.write(RestrictionFactor::default().with_factor(restriction.factor.to_bits().into())).await?;
    bus.write(RestrictionPackets::default().with_packets(restriction.packets.into())).await
}
