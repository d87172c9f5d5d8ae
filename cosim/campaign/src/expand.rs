//! From axes to places: every combination of a value of each axis, but for those that are left out.

use crate::error::CampaignError;
use crate::file::{Axis, Campaign, Choice, LOAD, SEED, Skip};
use desvio_sim::document::Problem;
use std::ops::Range;

/// Points of a campaign at most: their names are held in memory.
const MOST: usize = 10_000_000;

/// A row of each axis, and the seeds that are not left out there.
#[derive(Debug, Clone)]
pub(crate) struct Places {
    rows: Vec<u32>,
    /// The seeds that are run, by their number; `None`: all.
    seeds: Option<Vec<u32>>,
}

impl Places {
    /// The choice of each key, in the order of the axes.
    pub(crate) fn choices<'c>(&self, campaign: &'c Campaign) -> impl Iterator<Item = (&'c str, &'c Choice)> {
        let rows = campaign.axes.iter().zip(self.rows.clone());
        rows.flat_map(|(axis, row)| {
            axis.keys.iter().map(String::as_str).zip(axis.rows.get(row as usize).into_iter().flatten())
        })
    }

    pub(crate) fn load(&self, campaign: &Campaign) -> f64 {
        let load = self.choices(campaign).find(|(key, _)| *key == LOAD);
        load.and_then(|(_, choice)| choice.real()).unwrap_or(f64::NAN)
    }

    /// The numbers of its seeds, where there are `count`.
    pub(crate) fn seeds(&self, count: usize) -> Box<dyn Iterator<Item = usize> + '_> {
        match &self.seeds {
            None => Box::new(Range { start: 0, end: count }),
            Some(seeds) => Box::new(seeds.iter().map(|&seed| seed as usize)),
        }
    }
}

/// The keys that vary and their values.
pub(crate) fn name(choices: &[(&str, &Choice)]) -> String {
    let shown = choices.iter().map(|(key, choice)| format!("{key} = {}", choice.shown));
    shown.collect::<Vec<_>>().join(", ")
}

/// All places, the last axis fastest.
pub(crate) fn places(campaign: &Campaign) -> Result<Vec<Places>, CampaignError> {
    let mut count = campaign.axes.iter().map(|axis| axis.rows.len()).chain([campaign.seeds.len().max(1)]);
    let count = count.try_fold(1_usize, usize::checked_mul).filter(|count| *count <= MOST);
    if count.is_none() {
        let message = format!("the campaign has more than {MOST} points");
        return Err(CampaignError::Whole { campaign: campaign.path.clone(), message });
    }
    let mut used = vec![false; campaign.skips.len()];
    let mut places = Vec::new();
    let mut rows = vec![0_u32; campaign.axes.len()];
    loop {
        let place = Places { rows: rows.clone(), seeds: None };
        places.extend(without_skipped(place, campaign, &mut used));
        if !advance(&mut rows, &campaign.axes) {
            break;
        }
    }
    match campaign.skips.iter().zip(used).find(|(_, used)| !used) {
        Some((skip, _)) => Err(campaign.refuse(Problem::new(skip.at, "this [[skip]] leaves out nothing"))),
        None => Ok(places),
    }
}

/// The next rows; whether there are more.
fn advance(rows: &mut [u32], axes: &[Axis]) -> bool {
    for (row, axis) in rows.iter_mut().zip(axes).rev() {
        *row += 1;
        if (*row as usize) < axis.rows.len() {
            return true;
        }
        *row = 0;
    }
    false
}

/// The place with the seeds that are run; nothing where there are none.
fn without_skipped(place: Places, campaign: &Campaign, used: &mut [bool]) -> Option<Places> {
    let choices: Vec<(&str, &Choice)> = place.choices(campaign).collect();
    let holds = |skip: &Skip, seed: Option<&Choice>| {
        skip.conditions.iter().all(|condition| {
            let own = choices.iter().find(|(key, _)| *key == condition.key).map(|(_, choice)| *choice);
            own.or(seed.filter(|_| condition.key == SEED)).is_some_and(|choice| condition.holds(&choice.same))
        })
    };
    let mut run = Vec::new();
    let seeds: Vec<Option<&Choice>> = match campaign.seeds.as_slice() {
        [] => vec![None],
        seeds => seeds.iter().map(Some).collect(),
    };
    for (n, seed) in (0..).zip(&seeds) {
        let mut skipped = false;
        for (skip, used) in campaign.skips.iter().zip(used.iter_mut()) {
            if holds(skip, *seed) {
                (skipped, *used) = (true, true);
            }
        }
        run.extend((!skipped).then_some(n));
    }
    match run.len() {
        0 => None,
        all if all == seeds.len() => Some(place),
        _ => Some(Places { seeds: Some(run), ..place }),
    }
}
