//! From a campaign to its points, in their order.

use std::collections::HashMap;
use std::path::Path;

use desvio_report::Kind;
use desvio_sim::blueprint::Blueprint;
use desvio_sim::document::Problem;
use desvio_sim::scenario::{Scenario, ScenarioError};
use desvio_sim::traffic::Traffic;
use rayon::prelude::*;

use crate::error::CampaignError;
use crate::expand::{self, Places};
use crate::file::{Axis, Campaign, Choice, LOAD, SEED};
use crate::identity::{Digest, Files, PointId};

/// The points of a campaign: each one scenario, one load, one seed.
#[derive(Debug)]
pub struct Plan {
    pub(crate) campaign: Campaign,
    pub(crate) combinations: Vec<Combination>,
    pub(crate) points: Vec<Point>,
    pub(crate) files: Files,
    /// What the points are made from.
    places: Vec<Places>,
    seeds: Vec<u64>,
}

/// A choice for each key that varies, but for load and seed.
#[derive(Debug)]
pub(crate) struct Combination {
    /// Complete; its loads are those of its first point.
    pub(crate) scenario: Scenario,
}

/// One load of one scenario with one seed.
#[derive(Debug, Clone, Copy)]
pub struct Point {
    /// Its name, on every machine.
    pub id: PointId,
    /// In flits per node per cycle.
    pub load: f64,
    /// Of every random choice.
    pub seed: u64,
    /// Which combination.
    pub(crate) combination: u32,
    /// Which of the places.
    place: u32,
}

impl Plan {
    /// Reads a campaign and every scenario in it.
    ///
    /// # Errors
    /// The first thing that is wrong in the campaign or in one of its scenarios.
    pub fn load(path: &Path) -> Result<Self, CampaignError> {
        Self::new(Campaign::load(path)?)
    }

    fn new(campaign: Campaign) -> Result<Self, CampaignError> {
        let places = expand::places(&campaign)?;
        let (first, of_place) = group(&campaign, &places);
        let read = |&place: &usize| Ok(Combination { scenario: read(&campaign, &places[place])? });
        let combinations = first.par_iter().map(read).collect::<Result<Vec<_>, CampaignError>>()?;
        let files = read_files(&combinations)?;
        let digests: Vec<Digest> =
            combinations.par_iter().map(|one| Digest::of(&one.scenario, &files)).collect();
        let seeds = match campaign.seeds.as_slice() {
            [] => combinations.first().map(|one| one.scenario.run.seed).into_iter().collect(),
            seeds => {
                seeds.iter().filter_map(|seed| seed.text.replace('_', "").parse().ok()).collect::<Vec<_>>()
            }
        };
        let point = |(place, &combination): (usize, &u32)| {
            let load = places[place].load(&campaign);
            let of = digests[combination as usize];
            let seeds = places[place].seeds(seeds.len()).map(|n| seeds[n]).collect::<Vec<_>>();
            seeds.into_iter().map(move |seed| Point {
                id: of.point(load, seed),
                load,
                seed,
                combination,
                place: place as u32,
            })
        };
        let points: Vec<Point> = of_place.iter().enumerate().flat_map(point).collect();
        let plan = Self { campaign, combinations, points, files, places, seeds };
        if plan.points.is_empty() { Err(plan.whole("no point is left")) } else { Ok(plan) }
    }

    /// Wires the network of each combination, and looks at the traffic of each of its loads.
    ///
    /// # Errors
    /// The first point that cannot be run.
    pub fn check(&self) -> Result<(), CampaignError> {
        let mut of: Vec<Vec<&Point>> = vec![Vec::new(); self.combinations.len()];
        // Seeds come next to each other, and one stands for all.
        for one in self.points.chunk_by(|a, b| self.is_replicate(a, b)) {
            of[one[0].combination as usize].push(&one[0]);
        }
        self.combinations.par_iter().zip(of).try_for_each(|(combination, points)| {
            let first = points.first().copied();
            let refuse = |point: Option<&Point>, message: String| {
                let point = point.map(|point| self.name(point)).unwrap_or_default();
                CampaignError::Unbuildable { campaign: self.campaign.path.clone(), point, message }
            };
            let blueprint = Blueprint::new(combination.scenario.clone())
                .map_err(|error| refuse(first, error.to_string()))?;
            let layout = blueprint.node_map();
            points.iter().try_for_each(|point| {
                let traffic = Traffic::new(&combination.scenario.traffic, &layout, point.load, point.seed);
                traffic.map(drop).map_err(|error| refuse(Some(point), format!("traffic: {error}")))
            })
        })
    }

    /// The points, the last axis before the seeds fastest, the seeds faster still.
    #[must_use]
    pub fn points(&self) -> &[Point] {
        &self.points
    }

    /// The campaign.
    #[must_use]
    pub fn campaign(&self) -> &Campaign {
        &self.campaign
    }

    /// Scenarios that differ in more than load and seed.
    #[must_use]
    pub fn scenarios(&self) -> usize {
        self.combinations.len()
    }

    /// How many seeds each point has.
    #[must_use]
    pub fn seeds(&self) -> usize {
        self.seeds.len()
    }

    /// The keys that vary, in their order, but for load and seed.
    #[must_use]
    pub fn keys(&self) -> Vec<String> {
        let keys = self.campaign.axes.iter().flat_map(|axis| &axis.keys);
        keys.filter(|key| *key != LOAD).cloned().collect()
    }

    /// The keys that vary, in their order, each with the kind of all its values.
    pub(crate) fn key_kinds(&self) -> Vec<(String, Kind)> {
        let of = |axis: &Axis| {
            let kind = |at: usize| Kind::of(axis.rows.iter().map(move |row| row[at].shown.as_str()));
            axis.keys.iter().enumerate().map(|(at, key)| (key.clone(), kind(at))).collect::<Vec<_>>()
        };
        self.campaign.axes.iter().flat_map(of).filter(|(key, _)| key != LOAD).collect()
    }

    /// The values of those keys at a point.
    #[must_use]
    pub fn values(&self, point: &Point) -> Vec<String> {
        let choices = self.places[point.place as usize].choices(&self.campaign);
        choices.filter(|(key, _)| *key != LOAD).map(|(_, choice)| choice.shown.clone()).collect()
    }

    /// A point as people call it, without load and seed: `OLM · ADV+1`.
    pub(crate) fn label(&self, point: &Point) -> String {
        let choices = self.places[point.place as usize].choices(&self.campaign);
        let choices = choices.filter(|(key, _)| *key != LOAD);
        desvio_report::label(choices.map(|(key, choice)| (key, choice.shown.as_str())))
    }

    /// A point as messages name it: the keys that vary, and their values.
    #[must_use]
    pub fn name(&self, point: &Point) -> String {
        let choices = self.places[point.place as usize].choices(&self.campaign);
        let keys = choices.map(|(key, choice)| format!("{key} = {}", choice.shown));
        let seed = (self.seeds.len() > 1).then(|| format!("{SEED} = {}", point.seed));
        keys.chain(seed).collect::<Vec<_>>().join(", ")
    }

    /// Whether two points differ in their seeds alone.
    pub(crate) fn is_replicate(&self, a: &Point, b: &Point) -> bool {
        a.place == b.place
    }

    /// The one point whose name begins with these digits.
    ///
    /// # Errors
    /// When there is none, or several.
    pub fn find(&self, digits: &str) -> Result<usize, CampaignError> {
        let is_it = |point: &Point| !digits.is_empty() && point.id.to_string().starts_with(digits);
        let mut found = self.points.iter().enumerate().filter(|(_, point)| is_it(point));
        match (found.next(), found.next()) {
            (Some((n, _)), None) => Ok(n),
            (None, _) => {
                Err(self.whole(&format!("no point has the name {digits}; `desvio campaign plan` lists them")))
            }
            (Some((_, one)), Some((_, other))) if one.id == other.id => self.find_first(one.id),
            (Some(_), Some(_)) => {
                Err(self.whole(&format!("several points have names that begin with {digits}")))
            }
        }
    }

    fn find_first(&self, id: PointId) -> Result<usize, CampaignError> {
        self.points.iter().position(|point| point.id == id).ok_or_else(|| self.whole("no such point"))
    }

    pub(crate) fn whole(&self, message: &str) -> CampaignError {
        CampaignError::Whole { campaign: self.campaign.path.clone(), message: message.to_owned() }
    }
}

/// The first place of each combination, and the combination of each place.
fn group(campaign: &Campaign, places: &[Places]) -> (Vec<usize>, Vec<u32>) {
    let mut known: HashMap<Vec<&str>, u32> = HashMap::new();
    let (mut first, mut of_place) = (Vec::new(), Vec::with_capacity(places.len()));
    for (n, place) in places.iter().enumerate() {
        let scenario = place.choices(campaign).filter(|(key, _)| *key != LOAD);
        let next = known.len() as u32;
        let combination =
            *known.entry(scenario.map(|(_, choice)| choice.text.as_str()).collect()).or_insert_with(|| {
                first.push(n);
                next
            });
        of_place.push(combination);
    }
    (first, of_place)
}

/// The scenario of a place: the base with each key that varies set.
fn read(campaign: &Campaign, place: &Places) -> Result<Scenario, CampaignError> {
    let choices: Vec<(&str, &Choice)> = place.choices(campaign).collect();
    let set = |(key, choice): &(&str, &Choice)| match *key {
        LOAD => format!("traffic.loads=[{}]", choice.text),
        key => format!("{key}={}", choice.text),
    };
    let sets: Vec<String> = choices.iter().map(set).collect();
    let folder = campaign.base.parent().unwrap_or(Path::new(""));
    let name = campaign.base.display().to_string();
    Scenario::parse(&campaign.base_text, &name, folder, &sets).map_err(|error| match error {
        // A value of the campaign is shown where it stands.
        ScenarioError::Refused(refusal) if refusal.is_set => {
            let given = refusal.origin.trim_end_matches('…');
            let blamed = choices.iter().zip(&sets).find(|(_, set)| format!("--set {set}").starts_with(given));
            let at = blamed
                .map_or(desvio_sim::document::Place { source: 0, start: 0, end: 0 }, |((_, choice), _)| {
                    choice.at
                });
            let problem = Problem { notes: refusal.notes.clone(), ..Problem::new(at, &refusal.message) };
            campaign.refuse(problem.note(format!("at the point {}", expand::name(&choices))))
        }
        error => CampaignError::Point {
            campaign: campaign.path.clone(),
            point: expand::name(&choices),
            error: Box::new(error),
        },
    })
}

/// The digests of all files that the scenarios name.
fn read_files(combinations: &[Combination]) -> Result<Files, CampaignError> {
    let mut files = Files::default();
    for file in combinations.iter().flat_map(|one| one.scenario.files()) {
        let failed = |source| CampaignError::Unreadable {
            path: file.to_owned(),
            what: "a file of the scenario",
            source,
        };
        files.add(file).map_err(failed)?;
    }
    Ok(files)
}
