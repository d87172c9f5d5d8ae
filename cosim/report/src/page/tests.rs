//! What the page says of folders of results.

use std::fs;
use std::path::{Path, PathBuf};

use desvio_sim::scenario::Scenario;
use desvio_sim::topology::Topology;
use serde_json::Value as Json;
use tempfile::TempDir;

use super::*;

fn topology(text: &str) -> Topology {
    let text = format!("[topology]\n{text}\n[traffic]\nloads = [0.1]\n");
    Scenario::parse(&text, "net.toml", Path::new(""), &[]).unwrap_or_else(|error| panic!("{error}")).topology
}
