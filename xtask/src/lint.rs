//! `cargo xtask lint`: the RTL as Verilator's strictest lint and Yosys' own front end read it.

use crate::step::{Failure, each, root, run};
use crate::tools;
use router_core::layout::{self, Configuration};

/// A module and its parameters.
type Top = (&'static str, String, Vec<(&'static str, u32)>);

/// Each configuration by itself, and variations that instantiate what it does not.
fn variations() -> Vec<(String, Vec<(&'static str, u32)>)> {
    let own = |configuration: &Configuration| configuration.parameters().to_vec();
    let mut found: Vec<_> = [layout::TINY, layout::PAPER, layout::WIDE]
        .iter()
        .map(|configuration| (configuration.name.to_owned(), own(configuration)))
        .collect();
    let table = [
        ("ROUTING", layout::ROUTING_TABLE),
        ("NODES", 1),
        ("LOCALS", 3),
        ("GLOBALS", 0),
        ("GROUPS", 1),
        ("TABLE_ROUTERS", 10),
        ("TRIGGER", layout::TRIGGER_NEVER),
    ];
    let mut duato = plane(layout::ROUTING_DUATO, 0);
    duato.extend([("TRIGGER", layout::TRIGGER_NEVER), ("PIPELINE", 6)]);
    duato.push(("PORT_RULE", layout::PORT_RULE_LOWEST_DIMENSION));
    let mut discards = table.to_vec();
    discards.extend([
        ("DISCARDS", 1),
        ("LOCAL_VCS", 2),
        ("MARKING", 1),
        ("PIPELINE", 5),
        ("MANAGEMENT_VCS", 2),
        ("LIFETIME", 5),
        ("PACKET_LIFETIME", 4),
    ]);
    let others: [(&str, &[(&str, u32)]); 8] = [
        ("table", &table),
        ("discards", &discards),
        (
            "minimal, packet lifetime",
            &[
                ("ROUTING", layout::ROUTING_MINIMAL),
                ("TRIGGER", layout::TRIGGER_NEVER),
                ("PACKET_LIFETIME", 100),
                ("SPEEDUP", 3),
                ("FLOW", layout::FLOW_WORMHOLE),
                ("NODE_FLITS", 1),
            ],
        ),
        ("duato", &duato),
        (
            "wavefront, always",
            &[
                ("ALLOCATOR", layout::ALLOCATOR_WAVEFRONT),
                ("VC_ORDER", layout::VC_ORDER_DESCENDING),
                ("TRIGGER", layout::TRIGGER_ALWAYS),
                ("COUNT_AT", layout::COUNT_AT_ARRIVAL),
                ("VC_RULE", layout::VC_RULE_FIRST),
            ],
        ),
        ("always, one output", &[("TRIGGER", layout::TRIGGER_ALWAYS), ("PIPELINE", 6)]),
        (
            "lanes",
            &[
                ("ALLOCATOR", layout::ALLOCATOR_SEPARABLE_OUTPUT_FIRST),
                ("ALLOCATION_UNIT", layout::ALLOCATION_UNIT_PACKET),
                ("TRIGGER", layout::TRIGGER_NEVER),
                ("MARKING", 1),
                ("VL_ARBITRATION", 1),
                ("MANAGEMENT_VCS", 4),
                ("FLIT_BYTES", 24),
            ],
        ),
        (
            "output-first, average, lifetime",
            &[
                ("LIFETIME", 1),
                ("MARKING", 1),
                ("ALLOCATOR", layout::ALLOCATOR_SEPARABLE_OUTPUT_FIRST),
                ("ARBITER", layout::ARBITER_ROUND_ROBIN),
                ("TRIGGER", layout::TRIGGER_CONTENTION_AVERAGE),
                ("FLOW", layout::FLOW_WORMHOLE),
                ("SPEEDUP", 1),
            ],
        ),
    ];
    for (name, changes) in others {
        let mut parameters = own(&layout::TINY);
        for (key, value) in &mut parameters {
            *value = changes.iter().find(|(other, _)| other == key).map_or(*value, |(_, value)| *value);
        }
        found.push((format!("tiny, {name}"), parameters));
    }
    found
}

/// A routing on a grid of two dimensions.
fn plane(routing: u32, wraps: u32) -> Vec<(&'static str, u32)> {
    vec![
        ("ROUTING", routing),
        ("LOCALS", 4),
        ("GLOBALS", 0),
        ("GROUPS", 1),
        ("GRID_STARTS", 0b101),
        ("GRID_LAST", 0b1110),
        ("GRID_WRAPS", wraps),
    ]
}

/// Triggers of which a control plane has no registers, and what a group tells.
fn triggers() -> [Top; 6] {
    let of = |name: &str, changes: &[(&str, u32)]| {
        let with = |&(key, value): &(&'static str, u32)| {
            let change = changes.iter().find(|(other, _)| *other == key);
            (key, change.map_or(value, |&(_, value)| value))
        };
        ("dsv_router", format!("tiny, {name}"), layout::TINY.parameters().iter().map(with).collect())
    };
    let queue = |queue| [("TRIGGER", layout::TRIGGER_UGAL), ("PIPELINE", 6), ("UGAL_QUEUE", queue)];
    let at_injection = |knowledge| {
        let routing = ("ROUTING", layout::ROUTING_UGAL_DRAGONFLY);
        [("TRIGGER", layout::TRIGGER_UGAL), routing, ("KNOWLEDGE", knowledge)]
    };
    [
        of("ectn", &[("TRIGGER", layout::TRIGGER_ECTN)]),
        of("queues of VCs", &queue(layout::UGAL_QUEUE_VC)),
        of("queues of packets", &queue(layout::UGAL_QUEUE_PACKETS)),
        of("ugal", &at_injection(layout::KNOWLEDGE_ROUTER)),
        of("piggybacking", &at_injection(layout::KNOWLEDGE_GROUP)),
        of("piggybacking, each cycle", &at_injection(layout::KNOWLEDGE_GROUP_EACH_CYCLE)),
    ]
}

/// Other routings: nothing but the routing is another than in a router with Duato's, or with OLM.
fn routings() -> Vec<Top> {
    let on_planes = [
        ("torus, dimension order", layout::ROUTING_DIMENSION_ORDER, 1),
        ("one-way torus, dimension order", layout::ROUTING_DIMENSION_ORDER, 2),
        ("mesh, turn model", layout::ROUTING_TURN_MODEL, 0),
        ("mesh, odd-even", layout::ROUTING_ODD_EVEN, 0),
        ("mesh, source", layout::ROUTING_SOURCE, 0),
    ]
    .map(|(name, routing, wraps)| (name, plane(routing, wraps)));
    let on_dragonflies = [
        ("par", layout::ROUTING_PAR, ("VCS", 6)),
        ("rlm", layout::ROUTING_RLM, ("VCS", 3)),
        ("valiant", layout::ROUTING_VALIANT, ("INTERMEDIATE", layout::INTERMEDIATE_GROUP)),
        ("valiant by router", layout::ROUTING_VALIANT, ("INTERMEDIATE", layout::INTERMEDIATE_ROUTER)),
    ]
    .map(|(name, routing, own)| (name, vec![("ROUTING", routing), own]));
    let all = on_planes.into_iter().chain(on_dragonflies);
    all.map(|(name, parameters)| ("dsv_route", name.to_owned(), parameters)).collect()
}

/// Tables with other rows than one for each router.
fn tables() -> [Top; 4] {
    let kept = ("HOP_VCS", layout::HOP_VCS_KEPT);
    let by_interval = ("TABLE_BY", layout::TABLE_BY_INTERVAL);
    let (by_leg, by_node) = (("TABLE_BY", layout::TABLE_BY_LEG), ("TABLE_BY", layout::TABLE_BY_NODE));
    [
        ("by leg", vec![("TABLE_ROUTERS", 9), by_leg]),
        ("by node", vec![("TABLE_ROUTERS", 8), by_node, ("TABLE_NODES", 2)]),
        ("with VCs", vec![("TABLE_ROUTERS", 8), kept]),
        ("by interval", vec![("TABLE_ROUTERS", 4), by_interval, ("TABLE_LABELS", 6)]),
    ]
    .map(|(name, parameters)| ("dsv_table_lookup", name.to_owned(), parameters))
}

/// The files of the design, packages first; with `bound`, those that are attached to it, too.
fn sources(bound: bool) -> String {
    let attached = |path: &&str| path.starts_with("check/") || path.starts_with("probe/");
    let files = desvio_hdl::FILES.iter().map(|file| file.path).filter(|path| path.ends_with(".sv"));
    let files = files.filter(|path| bound || !attached(path));
    files.map(|path| root().join("hdl").join(path).display().to_string()).collect::<Vec<_>>().join(" ")
}

/// What a tool reads at once.
enum Job<'t> {
    Verilator(&'t Top),
    /// It keeps the sources that it has read.
    Yosys(&'t [Top]),
}

/// Configurations that only Verilator reads.
const LARGE: [&str; 2] = ["paper", "wide"];

/// Reads every configuration with both tools, some at a time: the switch, which holds a router of the same parameters, routers
/// with other triggers, routings and tables.
pub(crate) fn lint() -> Result<(), Failure> {
    tools::provide(&tools::SIMULATION)?;
    tools::provide(&tools::PROOFS)?;
    let all = variations();
    let switches = all.into_iter().map(|(name, parameters)| ("dsv_switch", name, parameters));
    let tops: Vec<Top> = switches.chain(triggers()).chain(routings()).chain(tables()).collect();
    // What Yosys reads in one way in a small router it reads so in a large one, for which it takes three times as long.
    let small: Vec<Top> =
        tops.iter().filter(|(_, name, _)| !LARGE.contains(&name.as_str())).cloned().collect();
    let halves = small.chunks(small.len().div_ceil(2)).map(Job::Yosys);
    let jobs: Vec<_> = tops.iter().map(Job::Verilator).chain(halves).collect();
    each(&jobs, |job| match job {
        Job::Verilator(top) => by_verilator(top),
        Job::Yosys(tops) => by_yosys(tops),
    })
}

fn include() -> String {
    format!("-I{}", root().join("hdl").join(desvio_hdl::INCLUDE).display())
}

fn by_verilator((top, name, parameters): &Top) -> Result<(), Failure> {
    eprintln!("── lint of {top}, {name}");
    let waivers = root().join("hdl/lint.vlt").display().to_string();
    let mut arguments = vec!["--lint-only".to_owned(), "-Wall".to_owned(), include(), waivers];
    arguments.extend(sources(true).split(' ').map(str::to_owned));
    arguments.extend(["--top-module".to_owned(), (*top).to_owned()]);
    arguments.extend(parameters.iter().map(|(key, value)| format!("-G{key}={value}")));
    run("verilator", &arguments)
}

fn by_yosys(tops: &[Top]) -> Result<(), Failure> {
    let mut script = format!("read_verilog -sv {} {}; design -save read", include(), sources(false));
    for (top, name, parameters) in tops {
        eprintln!("── Yosys reads {top}, {name}");
        let set: String = parameters.iter().map(|(key, value)| format!(" -set {key} {value}")).collect();
        script.push_str(&format!(
            "; design -load read; chparam{set} {top}; hierarchy -check -top {top}; proc; check -assert"
        ));
    }
    run("yosys", &["-q".to_owned(), "-p".to_owned(), script])
}
