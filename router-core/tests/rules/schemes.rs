//! Routings and triggers as `docs/scenarios.md` lists them: words, settings with their ranges and defaults, the networks that each is for, and the
//! VCs that it needs.

mod visit;

use desvio_core::map::MapKind::{
    self, Distance, Dragonfly, Forwarding, Graph, Intervals, Levels, Mesh, OneWayTorus, Routes, Steps, Torus,
    Tree, UpDown,
};
use desvio_core::route::HopKind::{GlobalMisroute, LocalMisroute};
use desvio_core::route::drb::DrbScheme;
use desvio_core::route::{HopKind, RoutingScheme};
use desvio_core::select::Selection;
use desvio_core::settings::Choice;
use visit::{Put, settings};

const KINDS: [MapKind; 12] = [
    Dragonfly,
    Mesh,
    Torus,
    OneWayTorus,
    Tree,
    Levels,
    Graph,
    UpDown,
    Forwarding,
    Distance,
    Routes,
    Intervals,
];

/// A row of the tables of routings.
struct Row {
    word: &'static str,
    /// The networks that it is for, each with the map by which it finds its way there.
    maps: &'static [(MapKind, MapKind)],
    /// Local and global VCs that it needs on the first of them.
    needs: (u8, u8),
    detours: &'static [HopKind],
    trigger: &'static str,
    draws: bool,
    /// Of how many shortest routes each hop takes the next VC.
    vc_per_hop_of: u32,
    settings: &'static str,
}

const BOTH: &[HopKind] = &[GlobalMisroute, LocalMisroute];
const ANY: &[(MapKind, MapKind)] = &[];

/// Any network, by a map of this kind.
fn by(kind: MapKind) -> Vec<(MapKind, MapKind)> {
    KINDS.map(|on| (on, kind)).into()
}

const fn row(
    word: &'static str,
    maps: &'static [(MapKind, MapKind)],
    needs: (u8, u8),
    settings: &'static str,
) -> Row {
    Row { word, maps, needs, detours: &[], trigger: "occupancy", draws: false, vc_per_hop_of: 0, settings }
}

const ON_DRAGONFLY: &[(MapKind, MapKind)] = &[(Dragonfly, Dragonfly)];
const ON_GRIDS: &[(MapKind, MapKind)] = &[(Mesh, Mesh), (Torus, Torus)];
/// Dimension order on grids, a table elsewhere.
const BY_STEPS: &[(MapKind, MapKind)] = &[
    (Mesh, Mesh),
    (Torus, Torus),
    (Dragonfly, Steps),
    (Tree, Steps),
    (Levels, Steps),
    (Graph, Steps),
    (UpDown, Steps),
    (Forwarding, Steps),
    (Distance, Steps),
    (Routes, Steps),
    (Intervals, Steps),
];
const ON_LEVELS: &[(MapKind, MapKind)] = &[(Tree, Levels), (Levels, Levels)];
const VALIANT: &str = "intermediate group|node = group; intermediate_groups other|third|any = other";

fn rows() -> Vec<Row> {
    vec![
        row("minimal", ON_DRAGONFLY, (2, 1), ""),
        Row { draws: true, ..row("valiant", ON_DRAGONFLY, (3, 2), VALIANT) },
        Row {
            detours: BOTH,
            ..row(
                "olm",
                ON_DRAGONFLY,
                (3, 2),
                "nonminimal restricted|free = restricted; local_misroutes 0…7 = 1; misroute_scope group|route = group; policy RRG|CRG|NRG|MM|RRG+L|CRG+L|NRG+L|MM+L = MM+L",
            )
        },
        row(
            "dimension-order",
            &[(Mesh, Mesh), (Torus, Torus), (OneWayTorus, OneWayTorus)],
            (0, 0),
            "ties parity|up|random = parity",
        ),
        row(
            "dateline-adaptive",
            &[(Torus, Torus), (OneWayTorus, OneWayTorus)],
            (2, 0),
            "datelines adaptive|strict = adaptive",
        ),
        row("duato", ON_GRIDS, (2, 0), ""),
        row("planar-adaptive", ON_GRIDS, (3, 0), ""),
        row("negative-hop", ON_GRIDS, (0, 0), ""),
        row(
            "turn-model",
            &[(Mesh, Mesh)],
            (0, 0),
            "turns west-first|north-last|negative-first = negative-first",
        ),
        row("odd-even", &[(Mesh, Mesh)], (0, 0), ""),
        Row { vc_per_hop_of: 1, ..row("table", ANY, (0, 0), "") },
        row("multipath", ANY, (0, 0), ""),
        Row { draws: true, vc_per_hop_of: 2, ..row("valiant-table", ANY, (0, 0), "") },
        row(
            "up-down",
            &[(Tree, Tree), (Levels, Levels)],
            (0, 0),
            "ascent adaptive|random|destination = adaptive",
        ),
        row("up*/down*", ANY, (0, 0), "root 0…262143 = 0"),
        Row { draws: true, ..row("valiant-leaves", ON_LEVELS, (2, 2), "") },
        Row { draws: true, ..row("up-down-derouting", ON_LEVELS, (2, 2), "derouting always|lazy = lazy") },
        row("forwarding", ANY, (0, 0), ""),
        row("layered", ANY, (0, 0), ""),
        row("source", ANY, (0, 0), "routes up*/down*|shortest|lowest-port = up*/down*"),
        row("interval", ANY, (0, 0), "root 0…262143 = 0"),
        Row {
            detours: &[GlobalMisroute],
            trigger: "ugal",
            draws: true,
            vc_per_hop_of: 2,
            ..row("ugal", ANY, (0, 0), "")
        },
        Row {
            draws: true,
            ..row(
                "drb",
                BY_STEPS,
                (3, 0),
                "supernode_radius 0…8 = 1; source_supernode (kind gravity-area|subtopology = gravity-area, size 0…255 = 1, dimensions 1…8 = 8) = off; destination_supernode (kind gravity-area|subtopology = gravity-area, size 0…255 = 1, dimensions 1…8 = 8) = off; max_paths 1…64 = 4; own_links flag = true; threshold_low 0…16 = 1.5; threshold_high 0…16 = 1.75; tolerance 0…16 = 0.25; ack_flits 1…1023 = 1; ack_priority flag = false",
            )
        },
        Row {
            draws: true,
            ..row(
                "drb-infiniband",
                ANY,
                (0, 0),
                "open_paths 1…4 = 4; open_after 1…255 = 1; contraction_timer 0…16777216 = 4000; lmc 0…3 = 3; detour_hops 0…16 = 4",
            )
        },
        Row {
            detours: BOTH,
            ..row("par", ON_DRAGONFLY, (5, 2), "local_misrouting none|intermediate|all = intermediate")
        },
        Row { detours: BOTH, ..row("rlm", ON_DRAGONFLY, (3, 2), "") },
        Row {
            detours: &[GlobalMisroute],
            trigger: "ugal",
            draws: true,
            ..row(
                "ugal-dragonfly",
                ON_DRAGONFLY,
                (3, 2),
                "intermediate group|node = group; intermediate_groups other|third|any = other; knowledge router|credits|group|group-each-cycle|oracle|reservation = router; piggyback_factor 0…16 = 2; piggyback_packets 0…255 = 5; reservation_threshold 1…1023 = 12; reservation_window 1…64 = 16",
            )
        },
        Row { detours: BOTH, ..row("ofar", ON_DRAGONFLY, (2, 2), "ring_exits 0…15 = 4") },
    ]
}

/// The map of a routing that is for any network.
fn table_of(word: &str) -> MapKind {
    match word {
        "table" | "multipath" | "valiant-table" => Graph,
        "up*/down*" => UpDown,
        "forwarding" | "layered" | "drb-infiniband" => Forwarding,
        "source" => Routes,
        "interval" => Intervals,
        _ => Distance,
    }
}

/// Proves: routings are what the tables of `docs/scenarios.md` say: networks, VCs, detours, triggers and settings.
#[test]
fn routings_are_what_their_tables_say() {
    let rows = rows();
    let words: Vec<_> = RoutingScheme::all().map(|scheme| scheme.word()).collect();
    assert_eq!(words, rows.iter().map(|row| row.word).collect::<Vec<_>>());
    for (mut scheme, row) in RoutingScheme::all().zip(&rows) {
        let word = row.word;
        assert_eq!(settings(&mut scheme), row.settings, "{word}");
        let maps = if row.maps.is_empty() { by(table_of(word)) } else { row.maps.to_vec() };
        let found: Vec<_> = KINDS.into_iter().filter_map(|on| Some((on, scheme.map(on)?))).collect();
        assert_eq!(found.len(), maps.len(), "{word}");
        assert!(maps.iter().all(|on| found.contains(on)), "{word}: {found:?}");
        let needs = scheme.needs(maps[0].0).vcs;
        assert_eq!((needs.node, needs.local, needs.global), (0, row.needs.0, row.needs.1), "{word}");
        assert_eq!(
            (scheme.detours(), scheme.trigger(), scheme.draws()),
            (row.detours, row.trigger, row.draws),
            "{word}"
        );
        assert_eq!(scheme.vc_per_hop_of(), row.vc_per_hop_of, "{word}");
        let counts = row.detours == BOTH;
        assert_eq!((scheme.counts_groups(), scheme.bubbles()), (counts, word == "ofar"), "{word}");
        // A whole packet has to have room: adaptive datelines, Duato's escapes and OFAR's bubbles.
        assert_eq!(scheme.whole_packets(), ["dateline-adaptive", "duato", "ofar"].contains(&word), "{word}");
        let two = ["turn-model", "odd-even"].contains(&word).then_some(2);
        assert_eq!(scheme.dimensions(), if word == "odd-even" { two } else { None }, "{word}");
        let expected = |hops: u32| match word {
            "negative-hop" => hops / 2 + 1,
            _ => hops * row.vc_per_hop_of,
        };
        assert_eq!([0, 1, 4, 7].map(|hops| scheme.vcs_for(hops)), [0, 1, 4, 7].map(expected), "{word}");
        let vcs = scheme.default_vcs();
        // Three at nodes of a Dragonfly; OFAR has one more between routers, for its ring.
        if maps[0].0 == Dragonfly && maps.len() == 1 {
            let expected = match word {
                "ofar" => (3, 4, 3),
                "par" => (3, 5, 2),
                _ => (3, 3, 2),
            };
            assert_eq!((vcs.node, vcs.local, vcs.global), expected, "{word}");
        }
        let expected = match word {
            "drb" => Some((4, 6, 4)),
            "drb-infiniband" => Some((4, 8, 8)),
            "up-down-derouting" => Some((2, 2, 2)),
            "multipath" | "forwarding" | "dimension-order" => Some((4, 4, 4)),
            _ => None,
        };
        assert!(
            expected.is_none_or(|expected| expected == (vcs.node, vcs.local, vcs.global)),
            "{word}: {vcs:?}"
        );
        assert!((vcs.local >= needs.local) && vcs.global >= needs.global && vcs.node > 0, "{word} {vcs:?}");
    }
}

fn with(word: &str, key: &'static str, choice: &'static str) -> RoutingScheme {
    let mut scheme = RoutingScheme::named(word).unwrap();
    let Ok(()) = scheme.visit(&mut Put(key, choice));
    scheme
}

/// Proves: what a routing needs follows its settings and its network.
#[test]
fn needs_follow_settings_and_networks() {
    let needs = |scheme: RoutingScheme, on| {
        let vcs = scheme.needs(on).vcs;
        (vcs.local, vcs.global)
    };
    let par = ["none", "intermediate", "all"]
        .map(|choice| needs(with("par", "local_misrouting", choice), Dragonfly));
    assert_eq!(par, [(4, 2), (5, 2), (6, 2)]);
    for word in ["valiant", "ugal-dragonfly"] {
        let found = ["group", "node"].map(|choice| needs(with(word, "intermediate", choice), Dragonfly));
        assert_eq!(found, [(3, 2), (4, 2)], "{word}");
        let defaults = with(word, "intermediate", "node").default_vcs();
        assert_eq!((defaults.node, defaults.local, defaults.global), (3, 4, 2));
    }
    for (word, on, local) in [
        ("dimension-order", Mesh, 0),
        ("dimension-order", Torus, 2),
        ("dimension-order", OneWayTorus, 2),
        ("duato", Mesh, 2),
        ("duato", Torus, 3),
        ("drb", Mesh, 3),
        ("drb", Torus, 6),
        ("drb", Graph, 0),
    ] {
        assert_eq!(needs(RoutingScheme::named(word).unwrap(), on), (local, 0), "{word} {on:?}");
    }
    // VCs for ACKs alone, one or on each side of a dateline, beside those of other packets; one of these at ports to nodes.
    let drb = RoutingScheme::from(DrbScheme { ack_priority: true, ..DrbScheme::default() });
    for (on, acks) in [(Mesh, 1), (Torus, 2)] {
        let (vcs, others) = (drb.needs(on).vcs, RoutingScheme::named("drb").unwrap().needs(on).vcs);
        assert_eq!((vcs.node, vcs.local, vcs.global), (acks + 1, acks + others.local, 0), "{on:?}");
    }
    assert_eq!(drb.default_vcs().local, 8);
    let strict =
        ["adaptive", "strict"].map(|choice| with("dateline-adaptive", "datelines", choice).whole_packets());
    assert_eq!(strict, [true, false]);
    let two = ["west-first", "north-last", "negative-first"]
        .map(|turns| with("turn-model", "turns", turns).dimensions());
    assert_eq!(two, [Some(2), Some(2), None]);
    let draws = ["adaptive", "random", "destination"].map(|ascent| with("up-down", "ascent", ascent).draws());
    assert_eq!(draws, [false, true, false]);
    let vcs =
        ["up*/down*", "shortest", "lowest-port"].map(|routes| with("source", "routes", routes).vcs_for(5));
    assert_eq!(vcs, [0, 5, 0]);
}

/// Proves: triggers are what their table says.
#[test]
fn triggers_are_what_their_table_says() {
    const OCCUPANCY: &str = "minimal_occupancy 0…1 = 0; relative_threshold 0…4 = 0.699; global_restriction (factor 0…16 = 1.5, packets 0…255 = 5) = on";
    const CONTENTION: &str = "contention_threshold 1…255 = 3";
    let hybrid = format!("{OCCUPANCY}; {CONTENTION}");
    let ectn = format!(
        "{CONTENTION}; combined_threshold 1…65535 = 10; ectn_period 1…65535 = 100; ectn_counters_per_flit 0…1023 = 20"
    );
    let rows = [
        ("never", ""),
        ("occupancy", OCCUPANCY),
        ("contention", CONTENTION),
        ("contention-average", "contention_factor 0…16 = 1.5"),
        ("hybrid", &hybrid),
        ("always", ""),
        ("ugal", "ugal_bias 0…65535 = 0; ugal_queue port|vc|packets = port"),
        ("ectn", &ectn),
    ];
    let found: Vec<_> =
        Selection::all().map(|mut selection| (selection.word(), settings(&mut selection))).collect();
    assert_eq!(found, rows.map(|(word, text)| (word, text.to_owned())));
    // What each has comparators for.
    for selection in Selection::all() {
        let word = selection.word();
        let thresholds = selection.thresholds();
        assert_eq!(thresholds.occupancy.is_some(), ["occupancy", "hybrid"].contains(&word));
        assert_eq!(thresholds.contention, ["contention", "hybrid", "ectn"].contains(&word).then_some(3));
        assert_eq!(
            thresholds.average.map(|factor| factor.to_bits()),
            (word == "contention-average").then_some(384)
        );
        assert_eq!(thresholds.combined, (word == "ectn").then_some(10));
        assert_eq!(thresholds.bias, (word == "ugal").then_some(0));
        assert_eq!(
            thresholds.counts(),
            ["contention", "contention-average", "hybrid", "ectn"].contains(&word),
            "{word}"
        );
        assert_eq!(
            (selection.listens(), selection.asks_any(), selection.is_never()),
            (word == "ectn", word == "always", word == "never")
        );
        assert_eq!(selection.at_defaults(), selection);
        assert!(thresholds.fit(selection.rtl().unwrap()), "{word}");
    }
}
