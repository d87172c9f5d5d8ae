//! What campaigns read: their files, their stores, and the folders that `desvio report` shows.

use super::{Outcome, Target, holds};
use crate::scratch;
use desvio_campaign::{Columns, Observer, Plan, Point, Record, Shard, Store, collect, missing, table};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock};

pub(super) const CAMPAIGN: Target = Target {
    name: "campaign",
    reads: "campaign files",
    run: plan,
    seeds: || vec![SMALL.as_bytes().to_vec(), LARGER.as_bytes().to_vec()],
    is_rare: |bytes| holds(bytes, "65535") || holds(bytes, "4294967295"),
};

pub(super) const STORE: Target = Target {
    name: "store",
    reads: "finished points of a campaign",
    run: store,
    seeds: || vec![finished().lines.clone()],
    is_rare: |bytes| holds(bytes, "65535") || holds(bytes, "4294967295"),
};

pub(super) const RESULTS: Target = Target {
    name: "results",
    reads: "folders of results, for desvio report",
    run: report,
    seeds: || finished().files.iter().map(|(name, text)| [name.as_bytes(), b"\n", text].concat()).collect(),
    is_rare: |bytes| holds(bytes, "65535") || holds(bytes, "4294967295"),
};

/// Four routers, 70 cycles, everything kept.
const BASE: &str = "[topology]\nkind = \"mesh\"\ndims = [2, 2]\n[traffic]\npacket_flits = 2\nloads = [0.1]\n\
                    [run]\nwarmup_cycles = 20\nmeasure_cycles = 50\ndetails = true\n";

/// Four points.
const SMALL: &str = "base = \"base.toml\"\nseeds = [1]\n[axes]\n\"traffic.pattern\" = [\"uniform\", \"bit-complement\"]\nload = [0.1, 0.3]\n";

/// Every part that a campaign file can have.
const LARGER: &str = "base = \"base.toml\"\nseeds = { from = 1, to = 3 }\n[axes]\n\"traffic.packet_flits\" = [2, 4]\n\
                      load = { from = 0.1, to = 0.3, step = 0.1 }\n[[zip]]\n\"routing.algorithm\" = [\"dimension-order\", \"odd-even\"]\n\
                      \"router.vcs\" = [2, 3]\n[[skip]]\n\"routing.algorithm\" = \"odd-even\"\nload = [0.2]\n";

struct Silent;

impl Observer for Silent {
    fn finished(&self, _: &Plan, _: &Point, _: &Record) {}
    fn finished_elsewhere(&self, _: usize) {}
    fn warn(&self, _: &str) {}
}

/// A campaign that has been run.
struct Finished {
    plan: Plan,
    /// Its only segment.
    lines: Vec<u8>,
    /// What was collected, by name.
    files: Vec<(String, Vec<u8>)>,
}

fn finished() -> &'static Finished {
    static FINISHED: OnceLock<Finished> = OnceLock::new();
    FINISHED.get_or_init(|| made(&scratch::folder().join("made")).unwrap_or_else(|error| panic!("{error}")))
}

fn made(folder: &Path) -> Result<Finished, Box<dyn std::error::Error>> {
    fs::create_dir_all(folder)?;
    fs::write(folder.join("base.toml"), BASE)?;
    fs::write(folder.join("small.toml"), SMALL)?;
    let plan = Plan::load(&folder.join("small.toml"))?;
    let out = folder.join("out");
    let store = Store::open(&out)?;
    let points = missing(&plan, &store, "1/1".parse::<Shard>()?);
    let segment = Mutex::new(store.segment());
    desvio_campaign::run(&plan, store, &points, &segment, &Silent, None);
    let path = segment.into_inner().map_err(|_| "a thread panicked")?.path().to_owned();
    let store = Store::open(&out)?;
    let written = collect(&plan, &store, &out, &table(&plan, &store, Columns::Varying)?, false)?;
    let read = |path: &PathBuf| {
        let name = path.file_name()?.to_str()?.to_owned();
        Some((name, fs::read(path).ok()?))
    };
    let is_text = |name: &str| [".csv", ".json", ".toml"].iter().any(|end| name.ends_with(end));
    let files = written.iter().filter_map(read).filter(|(name, _)| is_text(name)).collect();
    Ok(Finished { plan, lines: fs::read(path)?, files })
}

fn plan(bytes: &[u8]) -> Outcome {
    scratch::file("base.toml", BASE.as_bytes());
    let file = scratch::file("campaign.toml", bytes);
    match Plan::load(&file).and_then(|plan| plan.check().map(|()| plan)) {
        Ok(plan) => Outcome::taken((plan.points().len().min(100), plan.keys().len())),
        Err(error) => Outcome::refused(&error.to_string()),
    }
}

fn store(bytes: &[u8]) -> Outcome {
    let Finished { plan, .. } = finished();
    let out = scratch::folder().join("store");
    fs::create_dir_all(out.join("points")).unwrap_or_else(|error| panic!("{}: {error}", out.display()));
    // Files of other names are somebody else's, and left alone.
    scratch::file("store/points/host-1-0123456789abcdef.jsonl", bytes);
    match Store::open(&out).and_then(|store| {
        let table = table(plan, &store, Columns::Varying)?;
        Ok((table.rows, store.damage().len().min(5), table.parquet().is_ok()))
    }) {
        Ok(seen) => Outcome::taken(seen),
        Err(error) => Outcome::refused(&error.to_string()),
    }
}

/// The first line is the name of the file that has the other lines.
fn report(bytes: &[u8]) -> Outcome {
    let Finished { files, .. } = finished();
    let end = bytes.iter().position(|byte| *byte == b'\n').unwrap_or(bytes.len());
    let (name, rest) = (&bytes[..end], bytes.get(end + 1..).unwrap_or_default());
    let folder = scratch::folder().join("results");
    fs::create_dir_all(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    for (file, text) in files {
        let text = if file.as_bytes() == name { rest } else { text };
        scratch::file(&format!("results/{file}"), text);
    }
    match desvio_report::page(&folder, None) {
        Ok(page) => Outcome::taken(page.len() / 1024),
        Err(error) => Outcome::refused(&error.to_string()),
    }
}
