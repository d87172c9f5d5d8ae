//! What reads foreign bytes, one file each.

mod campaign;
mod cluster;
mod command;
mod cost_files;
mod coverage;
mod driver;
mod graph;
mod kept;
mod liberty;
mod link;
mod mads;
mod map;
mod network;
mod router;
mod scenario;
mod seeds;
mod stimulus;
mod tether;

use super::outcome::Outcome;

/// Something that takes bytes from elsewhere.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// Its name.
    pub name: &'static str,
    /// What it reads.
    pub reads: &'static str,
    /// Takes any bytes; a panic is a defect.
    pub run: fn(&[u8]) -> Outcome,
    /// What inputs are made of.
    pub seeds: fn() -> Vec<Vec<u8>>,
    /// Inputs that are rare and within reach: on these a planted defect shows.
    pub is_rare: fn(&[u8]) -> bool,
}

impl Target {
    /// All of them.
    pub const ALL: [Self; 28] = [
        scenario::TARGET,
        graph::TARGET,
        graph::DOT,
        graph::GRAPHML,
        graph::GML,
        graph::NET,
        graph::SLURM,
        graph::ANYNET,
        cluster::CLUSTER,
        cluster::FORWARDING,
        cluster::LEVELS,
        cluster::LANES,
        stimulus::TARGET,
        map::TARGET,
        liberty::TARGET,
        cost_files::STUDY,
        cost_files::MEASUREMENTS,
        kept::TARGET,
        campaign::CAMPAIGN,
        campaign::STORE,
        campaign::RESULTS,
        coverage::TARGET,
        mads::TARGET,
        tether::TARGET,
        link::TARGET,
        driver::TARGET,
        router::TARGET,
        command::TARGET,
    ];

    /// By its name.
    #[must_use]
    pub fn of(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|target| target.name == name)
    }
}

/// Whether bytes hold a text.
fn holds(bytes: &[u8], text: &str) -> bool {
    bytes.windows(text.len()).any(|window| window == text.as_bytes())
}

/// Bytes as text, whatever they are.
fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
