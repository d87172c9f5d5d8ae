//! `desvio schema`: what editors complete and check in scenarios and campaigns.
//!
//! The readers of scenarios describe themselves: `probe` gives them values of every type and collects what they expected.
//! A key that a reader learns is in the schema without a line here.

mod merge;
mod place;
mod probe;

use super::failure::Failure;
use super::output;
use clap::{Args, ValueEnum};
use merge::merge;
use probe::Probe;
use serde_json::{Map, Value as Json, json};

/// Prints the JSON Schema of scenario or campaign files
///
/// Editors complete keys and words by it, and mark what is wrong. A rule about several keys, such as how many VCs a
/// routing needs, is in no schema: `desvio run FILE --show` checks all.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The kind of file
    #[arg(value_enum, default_value_t = Kind::Scenario)]
    kind: Kind,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Kind {
    Scenario,
    Campaign,
}

const EXAMPLES: &str = r"Examples:
  desvio schema > scenario.schema.json
  desvio schema campaign > campaign.schema.json

The first line of a scenario then names it to taplo:
  #:schema ./scenario.schema.json";

pub(crate) fn schema(arguments: &Arguments) -> Result<(), Failure> {
    let schema = match arguments.kind {
        Kind::Scenario => scenario(),
        Kind::Campaign => campaign(&scenario()),
    };
    output::print_json(&format!("{schema:#}"))
}

/// What every scenario must have beside its topology.
const LOADS: &str = "traffic.loads = [0.1]\n";

const DRAFT: &str = "http://json-schema.org/draft-07/schema#";

/// Networks whose links have all names of classes, and a routing by files: each reads keys that others do not.
const CONTEXTS: &[&str] = &[
    "topology = { kind = \"fat-tree\", radix = 4, levels = 4 }\ntraffic.loads = [0.1]\n",
    "topology = { kind = \"complete\", routers = 3 }\ntraffic.loads = [0.1]\n\
     routing = { algorithm = \"forwarding\", tables = \"tables.csv\" }\n",
];

/// The schema of a scenario.
pub(crate) fn scenario() -> Json {
    let mut tables = Map::new();
    let (mut kinds, mut fits, mut seen) = (Vec::new(), Vec::new(), Vec::new());
    for kind in Probe::new(LOADS).words("topology", "{ kind = ", " }") {
        let forms = Probe::new(LOADS).kind(&kind);
        let example = forms.first().map_or("", |(_, example)| example);
        let text = format!("topology = {example}\n{LOADS}");
        let probe = Probe::new(&text);
        let routings = probe.words("routing", "{ algorithm = ", " }");
        fits.push((kind, routings.clone()));
        kinds.extend(forms.into_iter().map(|(shape, _)| shape));
        // Kinds with equal classes of links and equal routings have equal tables.
        let own = (probe.classes(), routings);
        if !seen.contains(&own) {
            seen.push(own);
            add_tables(&mut tables, &probe);
        }
    }
    CONTEXTS.iter().for_each(|text| add_tables(&mut tables, &Probe::new(text)));
    tables.insert("topology".to_owned(), topology(&kinds));
    json!({
        "$schema": DRAFT,
        "title": "Desvio scenario",
        "type": "object",
        "required": ["topology", "traffic"],
        "additionalProperties": false,
        "properties": tables,
        "allOf": fitting(&fits),
    })
}

/// The keys of scenarios, such as `traffic.loads`, in order.
pub(crate) fn keys() -> Vec<String> {
    let scenario = scenario();
    let tables = scenario["properties"].as_object().into_iter().flatten();
    let all = tables.flat_map(|(name, table)| {
        let kinds = table["oneOf"].as_array().into_iter().flatten();
        let keys = kinds.chain([table]).filter_map(|of| of["properties"].as_object());
        keys.flat_map(|of| of.keys()).map(move |key| format!("{name}.{key}"))
    });
    all.collect::<std::collections::BTreeSet<_>>().into_iter().collect()
}

/// Every table but the topology's, as one network reads it.
fn add_tables(tables: &mut Map<String, Json>, probe: &Probe) {
    for table in probe.tables().into_iter().filter(|table| table != "topology") {
        let shape = probe.section(&table);
        let merged = match tables.remove(&table) {
            Some(known) => merge(known, shape),
            None => shape,
        };
        tables.insert(table, merged);
    }
}

/// One of the kinds, each with keys of its own.
fn topology(kinds: &[Json]) -> Json {
    let mut words: Vec<_> = kinds.iter().map(|kind| &kind["properties"]["kind"]["const"]).collect();
    // Forms of one kind stand together.
    words.dedup();
    json!({
        "type": "object",
        "required": ["kind"],
        "properties": { "kind": { "enum": words } },
        "oneOf": kinds,
    })
}

/// The routings of each kind of network; kinds with equal ones are named together.
fn fitting(fits: &[(String, Vec<String>)]) -> Vec<Json> {
    let mut groups: Vec<(Vec<&str>, &[String])> = Vec::new();
    for (kind, routings) in fits {
        match groups.iter_mut().find(|(_, known)| known == routings) {
            Some((kinds, _)) => kinds.push(kind),
            None => groups.push((vec![kind], routings)),
        }
    }
    let rule = |(kinds, routings): (Vec<&str>, &[String])| {
        json!({
            "if": { "properties": { "topology": { "properties": { "kind": { "enum": kinds } } } } },
            "then": { "properties": { "routing": { "properties": { "algorithm": { "enum": routings } } } } },
        })
    };
    groups.into_iter().map(rule).collect()
}

/// The schema of a campaign: a list of values where the scenario has one.
fn campaign(scenario: &Json) -> Json {
    let range = json!({
        "type": "object",
        "required": ["from", "to"],
        "additionalProperties": false,
        "properties": { "from": { "type": "number" }, "to": { "type": "number" }, "step": { "type": "number" } },
    });
    let values = |of: Json| json!({ "anyOf": [{ "type": "array", "minItems": 1, "items": of }, range] });
    let load = json!({ "type": "number", "exclusiveMinimum": 0, "maximum": 2 });
    let mut axes = Map::from_iter([("load".to_owned(), values(load))]);
    for (table, shape) in scenario["properties"].as_object().into_iter().flatten() {
        let keys = shape["properties"].as_object().into_iter().flatten().map(|(key, _)| key);
        let is_axis = |key: &&String| !["traffic.loads", "run.seed"].contains(&&*format!("{table}.{key}"));
        let value = |key: &String| json!({ "$ref": format!("#/properties/{table}/properties/{key}") });
        let below: Map<_, _> = keys.filter(is_axis).map(|key| (key.clone(), values(value(key)))).collect();
        axes.extend(below.iter().map(|(key, values)| (format!("{table}.{key}"), values.clone())));
        // The keys of one kind of network are checked when the campaign is read.
        let others = table == "topology";
        let below = json!({ "type": "object", "properties": below, "additionalProperties": others });
        let whole =
            json!({ "type": "array", "minItems": 1, "items": { "$ref": format!("#/properties/{table}") } });
        let is_axis = ["topology", "routing"].contains(&table.as_str());
        axes.insert(table.clone(), if is_axis { json!({ "anyOf": [below, whole] }) } else { below });
    }
    let axes = json!({
        "type": "object",
        "properties": axes,
        "patternProperties": { "^topology\\.": {}, "^[a-z]+\\.[a-z_-]+\\.": {} },
        "additionalProperties": false,
    });
    let schema = json!({
        "$schema": DRAFT,
        "title": "Desvio campaign",
        "type": "object",
        "required": ["base"],
        "additionalProperties": false,
        "properties": {
            "base": { "type": "string", "minLength": 1 },
            "seeds": values(json!({ "type": "integer", "minimum": 0 })),
            "axes": axes,
            "zip": { "type": "array", "items": axes },
            "skip": { "type": "array", "items": { "type": "object" } },
        },
        "definitions": { "scenario": scenario },
    });
    let pointed = schema.to_string().replace("\"#/properties/", "\"#/definitions/scenario/properties/");
    serde_json::from_str(&pointed).unwrap_or(schema)
}
