//! One defect for each named check of `hdl/check/`: it is that check that must say so.

use super::schema::Modules;
use super::site::Site;

/// A defect, and the name with which the failing check begins.
pub(crate) struct Planted {
    pub(crate) breaks: &'static str,
    module: &'static str,
    from: &'static str,
    to: &'static str,
}

const fn planted(
    breaks: &'static str,
    module: &'static str,
    from: &'static str,
    to: &'static str,
) -> Planted {
    Planted { breaks, module, from, to }
}

pub(crate) const PLANTED: [Planted; 32] = [
    planted("RESET-CLEARS", "router", "rst ? '0 : flit_in_vc", "flit_in_vc"),
    planted(
        "CREDIT-NO-DEBT",
        "fits",
        "credited[c*PORTS + p] && 32'(credits[(p*VCS + c)*CREDIT_W +: CREDIT_W]) >= 32'(length)",
        "1'b1",
    ),
    planted("ROOM-EXACT", "room", "room && !is_last", "room"),
    planted(
        "CREDIT-NO-DEBT",
        "admit",
        "request & accepts & credited[out_vc*PORTS +: PORTS]",
        "request & accepts",
    ),
    planted("VC-OWNED", "feasible", "free & {VCS{accepts}}", "{VCS{accepts}}"),
    planted("VC-OWNED", "admit", "request & accepts & free[c*PORTS +: PORTS]", "request & accepts"),
    // Behind a port whose VCs share no places: a credit too many is one above DEPTH there.
    planted("CREDIT-BOUND", "credit", "give && !take && !is_full", "give && !take"),
    planted("CREDIT-SHARED", "credit", "own + spare[k*FREE_W +: FREE_W]", "own"),
    planted("SHARED-BOUND", "shared_places", "used == USED_W'(PLACES) && leaves == '0", "1'b0"),
    planted("ARBITER-GRANT", "arbiter_pick", "request & ~blocked", "~blocked"),
    planted("ARBITER-ONE", "arbiter_pick", "request[n] && (request & ahead) == '0", "request[n]"),
    planted(
        "ALLOCATE-MATCH",
        "separable_input_first",
        "g_pass[k-1].outputs & ~g_pass[k-1].nominated",
        "g_pass[k-1].outputs",
    ),
    planted(
        "ALLOCATE-MATCH",
        "wavefront",
        "rows[i*PORTS + c] & inputs[i] & columns[c]",
        "rows[i*PORTS + c] & inputs[i]",
    ),
    planted("CONTENTION-EXACT", "contention", "$countones(fallen)", "0"),
    planted("CONTENTION-EXACT", "contention", "TOTAL_W'($countones(has_fallen))", "'0"),
    planted("BUFFER-BOUND", "vc", "ring_free == RING_W'(PLACES - 1) ? '0 : ring_free + 1'b1", "ring_free"),
    planted(
        "BUFFER-BOUND",
        "vc",
        "free == PLACE_W'(LAST) ? '0 : free + 1'b1",
        "free == PLACE_W'(LAST - 1) ? '0 : free + 1'b1",
    ),
    planted("OUTPUT-FIFO", "output_port", "first == PLACE_W'(FLITS - 1) ? '0 : first + 1'b1", "first"),
    planted("OUTPUT-FIFO", "output_port", "opens_next || !fills", "1'b1"),
    planted("VC-OWNED", "router", "!IS_HERE || owned[o*VCS + c]", "!IS_HERE"),
    planted(
        "FLIT-WHOLE",
        "output_port",
        "{push_head, push_tail, push_label, push_data}",
        "{push_head, push_tail && !push_head, push_label, push_data}",
    ),
    planted("BUFFER-BOUND", "vc", "!read && (flits == FLITS_W'(DEPTH) || needs_shared && exhausted)", "1'b0"),
    planted("ESCAPE-REQUESTED", "select", "candidate & (open | {PORTS{WAITS}})", "candidate"),
    planted(
        "ESCAPE-REQUESTED",
        "select",
        "open != '0 ? open : minimal_ports | global_ports | local_ports",
        "open",
    ),
    planted("LFSR-ALIVE", "lfsr", "right ^ (right << 5)", "right & (right << 5)"),
    planted(
        "MEAN-EXACT",
        "occupancy",
        "(SUM_W + 16)'(restriction_factor) & {(SUM_W + 16){wired[p] && went[p*VCS + v]}}",
        "'0",
    ),
    planted("SHARE-EXACT", "shares", "went[p*VCS + c] ? down : same", "same"),
    planted("QUEUE-EXACT", "queues", "rst ? '0 : followed - WIDTH'(n)", "rst ? '0 : followed"),
    planted("LIFTS-EXACT", "lifts", "own_less & {WIDTH{went[g]}}", "'0"),
    planted("MEAN-OF-NONE", "occupancy", "MEAN_W'(0)", "'1"),
    planted("ONE-HOT", "nth_member", "members[k] && below == n", "members[k]"),
    planted(
        "ONE-HOT",
        "input_port",
        "flit_valid && known ? VCS'(1) << arriving_vc : '0",
        "flit_valid ? '1 : '0",
    ),
];

impl Planted {
    /// The defect as a mutant.
    pub(crate) fn site(&self, modules: &Modules) -> Site {
        site(modules, "planted", self.module, self.from, self.to)
    }
}

/// A mutant that is written out: an expression of which the module has one, and what it is instead.
pub(crate) fn site(modules: &Modules, slip: &'static str, module: &str, from: &str, to: &str) -> Site {
    let text = &modules[module];
    assert_eq!(text.matches(from).count(), 1, "{module} no longer says {from}");
    let start = text.find(from).unwrap_or_default();
    Site {
        module: module.to_owned(),
        line: text[..start].matches('\n').count() + 1,
        slip,
        bytes: (start, start + from.len()),
        mutant: to.to_owned(),
        is_short: false,
        before: from.to_owned(),
        after: to.to_owned(),
    }
}
