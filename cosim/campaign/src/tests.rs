//! Campaigns of tiny networks: a point takes less than a millisecond.

mod errors;
mod expansion;
mod lines;
mod points;
mod results;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use tempfile::TempDir;

use crate::*;

/// Four routers, 70 cycles.
const BASE: &str = "[topology]\nkind = \"mesh\"\ndims = [2, 2]\n[traffic]\npacket_flits = 2\nloads = [0.1, 0.3]\n\
                    [run]\nwarmup_cycles = 20\nmeasure_cycles = 50\n";

/// Two patterns, three loads, two seeds: twelve points.
const TWELVE: &str = "base = \"base.toml\"\nseeds = [1, 7]\n[axes]\n\"traffic.pattern\" = [\"uniform\", \"bit-complement\"]\n\
                      load = [0.1, 0.2, 0.5]\n";

/// A folder with a base and a campaign.
struct Place {
    dir: TempDir,
}

impl Place {
    fn new(campaign: &str) -> Self {
        let place = Self { dir: tempfile::tempdir().unwrap() };
        place.write("base.toml", BASE);
        place.write("sweep.toml", campaign);
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).unwrap();
    }

    fn plan(&self) -> Plan {
        Plan::load(&self.path("sweep.toml")).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Why the campaign is refused, without the folder.
    fn refused(&self) -> String {
        let error = Plan::load(&self.path("sweep.toml")).and_then(|plan| plan.check());
        let shown = error.expect_err("it should be refused").to_string();
        shown.replace(&format!("{}/", self.dir.path().display()), "")
    }

    fn store(&self, out: &str) -> Store {
        Store::open(&self.path(out)).unwrap()
    }

    /// Runs what is missing of a shard.
    fn run(&self, out: &str, shard: &str) -> Tally {
        let (plan, store) = (self.plan(), self.store(out));
        let points = missing(&plan, &store, shard.parse().unwrap());
        let segment = Mutex::new(store.segment());
        crate::run(&plan, store, &points, &segment, &Silent, None)
    }

    fn csv(&self, out: &str) -> String {
        String::from_utf8(self.table(out, Columns::Varying).csv).unwrap()
    }

    fn table(&self, out: &str, columns: Columns) -> Table {
        table(&self.plan(), &self.store(out), columns).unwrap()
    }

    /// The only segment of a store.
    fn segment(&self, out: &str) -> PathBuf {
        let mut files = fs::read_dir(self.path(out).join("points")).unwrap();
        let file = files.next().unwrap().unwrap().path();
        assert!(files.next().is_none(), "several segments");
        file
    }
}

struct Silent;

impl Observer for Silent {
    fn finished(&self, _: &Plan, _: &Point, _: &Record) {}
    fn finished_elsewhere(&self, _: usize) {}
    fn warn(&self, _: &str) {}
}

fn copy_into(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for file in fs::read_dir(from).unwrap().map(Result::unwrap) {
        fs::copy(file.path(), to.join(file.file_name())).unwrap();
    }
}
