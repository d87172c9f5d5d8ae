//! The data of the page, as its program reads them.

use std::collections::HashMap;

use desvio_sim::scenario::Scenario;
use serde_json::{Value as Json, json};

use super::compare::Comparison;
use super::details::{Details, Network, To};
use super::maps::Maps;
use super::metric::Better;
use super::results::{Line, Results, Row};
use crate::csv::number;
use crate::names;

/// Everything but the comparison, which is handed on.
pub(super) fn data(results: &Results, details: &Details, compared: Option<Json>) -> Json {
    let mut lines = Lines::default();
    let curves: Vec<Json> =
        results.curves.iter().map(|curve| self::curve(results, curve, &mut lines)).collect();
    let maps = Maps::fitting(details);
    let row = |(n, row): (usize, &Row)| self::row(row, detail(n, details, &maps));
    let key = |key: &String| {
        let is_network = key.starts_with("topology.");
        json!({ "key": key, "name": names::key(key), "plain": names::is_plain(key), "network": is_network })
    };
    let metric = |metric: &super::metric::Metric| {
        let better = match metric.better {
            Better::Higher => 1,
            Better::Lower => -1,
            Better::Neither => 0,
        };
        json!({ "column": metric.column, "name": metric.name, "unit": metric.unit, "better": better,
                "steady": metric.is_steady_only })
    };
    json!({
        "name": results.name,
        "facts": facts(results),
        "keys": results.keys.iter().map(key).collect::<Vec<_>>(),
        "metrics": results.metrics.iter().map(metric).collect::<Vec<_>>(),
        "curves": curves,
        "rows": results.rows.iter().enumerate().map(row).collect::<Vec<_>>(),
        "networks": details.networks.iter().map(network).collect::<Vec<_>>(),
        "digits": maps.digits,
        "leftOut": maps.every > 1,
        "compared": compared,
        "texts": texts(&results.provenance),
        "lines": lines.texts,
    })
}

/// What the results are of, in a few words each.
fn facts(results: &Results) -> Vec<String> {
    let from = &results.provenance;
    let program = from["engine"].as_str().map(str::to_owned);
    let version = from["version"].as_str().map(|version| format!("desvio {version}"));
    let seeds: usize = results.rows.iter().map(|row| row.seeds).sum();
    let mut networks: Vec<String> =
        results.curves.iter().filter_map(|curve| curve.scenario.as_ref().map(names::network)).collect();
    networks.dedup();
    networks.truncate(4);
    let points = match from["points"].as_u64() {
        Some(planned) => {
            format!("{} of {} points", names::thousands(seeds as u64), names::thousands(planned))
        }
        None => format!("{} points", names::thousands(seeds as u64)),
    };
    let failed = from["failed"].as_array().map_or(0, Vec::len);
    let broken = from["violations"].as_array().map_or(0, Vec::len);
    let lost = [(failed, "failed"), (broken, "with a broken invariant")];
    let lost = lost.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}"));
    networks.into_iter().chain([points]).chain(lost).chain(program.or(version)).collect()
}

fn curve(results: &Results, Line { values, scenario }: &Line, lines: &mut Lines) -> Json {
    let shown: Vec<String> =
        results.keys.iter().zip(values).map(|(key, value)| names::value(key, value)).collect();
    let setting = |wanted: &str| {
        let settings = scenario.as_ref().map(Scenario::settings).unwrap_or_default();
        let found = settings.into_iter().find(|(key, _)| key == wanted);
        found.map(|(_, value)| names::value(wanted, &value))
    };
    let own = ["routing.algorithm", "traffic.pattern"].into_iter().filter_map(setting).collect::<Vec<_>>();
    json!({
        "values": shown,
        "name": own.join(", "),
        "network": scenario.as_ref().map(names::network),
        "scenario": scenario.as_ref().map(|scenario| lines.numbers(&scenario.to_toml())),
    })
}

/// Lines of scenarios, each once: those of a campaign differ in a few.
#[derive(Default)]
struct Lines {
    texts: Vec<String>,
    known: HashMap<String, usize>,
}

impl Lines {
    fn numbers(&mut self, text: &str) -> Vec<usize> {
        let mut number = |line: &str| {
            *self.known.entry(line.to_owned()).or_insert_with_key(|line| {
                self.texts.push(line.clone());
                self.texts.len() - 1
            })
        };
        text.lines().map(&mut number).collect()
    }
}

/// A number with as many digits as tables have; `null` where there is none.
fn shown(value: f64) -> Json {
    number(value).parse::<f64>().map_or(Json::Null, |number| {
        match number.abs() < 1e15 && number.fract() == 0.0 {
            true => Json::from(number as i64),
            false => Json::from(number),
        }
    })
}

fn row(row: &Row, detail: Json) -> Json {
    json!({
        "curve": row.curve,
        "load": row.load,
        "seeds": row.seeds,
        "state": row.state,
        "steady": row.is_steady,
        "values": row.values.iter().map(|&(mean, half)| [shown(mean), shown(half)]).collect::<Vec<_>>(),
        "detail": detail,
    })
}

/// Rows of the tables of links and nodes.
const SHOWN: usize = 10;

/// Most bars of a histogram.
const BINS: usize = 128;

/// What row `n` has beside its numbers; `null` where there is nothing.
fn detail(n: usize, details: &Details, maps: &Maps) -> Json {
    let detail = &details.rows[n];
    let network = detail.network.map(|n| &details.networks[n]);
    let busiest = |n: usize| network.map(|network| link(network, n, shown(detail.utilisation[n])));
    let busiest: Vec<Vec<Json>> = detail.busiest(SHOWN).into_iter().filter_map(busiest).collect();
    let worst = detail
        .worst(SHOWN)
        .into_iter()
        .map(|of| json!([of.node, of.router, of.port, shown(of.injected), of.waiting, of.name]));
    let mean = |sum: f64, packets: u64| shown(((sum / packets as f64) * 1e4).round() / 1e4);
    let series = detail.series.iter().map(|(&start, &(packets, latency, misrouted))| {
        json!([start, packets, mean(latency, packets), mean(misrouted, packets)])
    });
    let series: Vec<Json> = series.collect();
    if network.is_none() && series.is_empty() && detail.latencies.is_empty() {
        return Json::Null;
    }
    json!({
        "network": detail.network,
        "map": network.and_then(|network| maps.of(n, network, &detail.utilisation)),
        "busiest": busiest,
        "worst": worst.collect::<Vec<_>>(),
        "nodes": detail.nodes.len(),
        "latencies": detail.bins(BINS).concat(),
        "quantiles": detail.quantiles([0.5, 0.9, 0.99, 0.999, 1.0]),
        "series": series,
    })
}

/// Router, port, class, the router there or nothing, the node there or nothing, how busy it is, and both names or nothing.
fn link(network: &Network, n: usize, busy: Json) -> Vec<Json> {
    let link = &network.links[n];
    let (router, node) = match link.to {
        To::Router(router) => (Json::from(router), Json::Null),
        To::Node(node) => (Json::Null, Json::from(node)),
    };
    vec![
        link.router.into(),
        link.port.into(),
        link.class.clone().into(),
        router,
        node,
        busy,
        json!(link.names),
    ]
}

/// Links between routers alone: those to nodes are in the tables.
fn network(network: &Network) -> Json {
    let between = network.links.iter().filter_map(|link| match link.to {
        To::Router(to) => Some((link, to)),
        To::Node(_) => None,
    });
    let mut classes: Vec<&str> = Vec::new();
    let mut links = Vec::new();
    for (link, to) in between {
        let class = classes.iter().position(|class| *class == link.class).unwrap_or_else(|| {
            classes.push(&link.class);
            classes.len() - 1
        });
        links.extend([link.router, link.port, class as u32, to]);
    }
    let place = |number: f64| (number * 10.0).round() / 10.0;
    let layout = &network.layout;
    json!({
        "layout": layout.kind,
        "height": place(layout.height),
        "at": layout.at.iter().map(|&(x, y)| [place(x), place(y)]).collect::<Vec<_>>(),
        "groups": layout.groups.iter().map(|&(x, y, r)| [place(x), place(y), place(r)]).collect::<Vec<_>>(),
        "classes": classes,
        "links": links,
    })
}

fn texts(provenance: &Json) -> Vec<Json> {
    let text = |name: &str, key: &str| provenance[key].as_str().map(|text| json!([name, text]));
    let files = provenance["files"].as_object().filter(|files| !files.is_empty());
    let files = files.map(|files| {
        let line =
            |(name, digest): (&String, &Json)| format!("{name} {}", digest.as_str().unwrap_or_default());
        json!(["files, with their SHA-256", files.iter().map(line).collect::<Vec<_>>().join("\n")])
    });
    let wrong = |what: &str, key: &str| {
        let list = provenance[key].as_array().filter(|list| !list.is_empty())?;
        let line = |one: &Json| {
            let of = |key: &str| one[key].as_str().unwrap_or_default().to_owned();
            format!("{}: {}", of("name"), of("message"))
        };
        Some(json!([what, list.iter().map(line).collect::<Vec<_>>().join("\n")]))
    };
    let curves = provenance["curves"].as_array().map(|curves| {
        let line = |curve: &Json| {
            let settings = curve["settings"].as_object().into_iter().flatten();
            let settings: Vec<String> = settings
                .map(|(key, value)| format!("  {key} = {}", value.as_str().unwrap_or_default()))
                .collect();
            format!("{}\n{}", curve["name"].as_str().unwrap_or_default(), settings.join("\n"))
        };
        json!([
            "curves, with the settings that are not defaults",
            curves.iter().map(line).collect::<Vec<_>>().join("\n")
        ])
    });
    [
        curves,
        wrong("failed points", "failed"),
        wrong("broken invariants", "violations"),
        text("campaign", "campaign"),
        text("base scenario", "base"),
        files,
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// What two folders have in common, and what became different.
pub(super) fn comparison(before: &Results, now: &Results, found: &Comparison) -> Json {
    let pair = |(mean, half): (f64, f64)| [shown(mean), shown(half)];
    let change = |change: &super::compare::Change| {
        json!({ "row": change.row, "metric": change.metric, "before": pair(change.before),
                "now": pair(change.now), "worse": shown(change.worse) })
    };
    let state = |&(old, new): &(usize, usize)| {
        let (before, now) = (&before.rows[old], &now.rows[new]);
        json!({ "row": new, "before": before.state, "now": now.state })
    };
    // Of each metric now, the mean of each matched row before, for the dashed curves.
    let columns: Vec<Option<usize>> = now
        .metrics
        .iter()
        .map(|metric| before.metrics.iter().position(|known| known.column == metric.column))
        .collect();
    let mean = |old: usize, column: &Option<usize>| {
        column.and_then(|column| before.rows[old].values.get(column)).map_or(Json::Null, |pair| shown(pair.0))
    };
    let old = found
        .pairs
        .iter()
        .map(|&(old, new)| json!([new, columns.iter().map(|column| mean(old, column)).collect::<Vec<_>>()]));
    json!({
        "old": old.collect::<Vec<_>>(),
        "before": before.name,
        "programs": [program(before), program(now)],
        "matched": found.matched,
        "onlyBefore": found.only_before,
        "onlyNow": found.only_now,
        "samePoints": found.same_points,
        "equal": found.equal,
        "within": found.within,
        "beyond": found.beyond,
        "unjudged": found.unjudged,
        "states": found.states.iter().map(state).collect::<Vec<_>>(),
        "changes": found.changes.iter().map(change).collect::<Vec<_>>(),
    })
}

/// What computed the results.
fn program(of: &Results) -> &str {
    let engine = of.provenance["engine"].as_str().or(of.provenance["version"].as_str());
    engine.unwrap_or_default()
}
