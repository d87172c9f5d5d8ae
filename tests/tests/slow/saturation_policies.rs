//! Which misroute is offered: saturation of every policy and rule set of OLM.

use desvio_sim::summary::Summary;
use desvio_tests::measure::{dragonfly, measure, patterns};
use desvio_tests::snapshot;
use rayon::prelude::*;

const POLICIES: [&str; 8] = ["CRG", "RRG", "NRG", "MM", "CRG+L", "RRG+L", "NRG+L", "MM+L"];
const RULES: [&str; 2] = ["restricted", "free"];
/// Of the patterns: UN, ADV+1, ADV+h.
const COLUMNS: usize = 3;

struct Cell {
    policy: &'static str,
    rules: &'static str,
    column: usize,
    summary: Summary,
}

fn run_all(h: u32, rules: &[&'static str], columns: &[usize]) -> Vec<Cell> {
    let cells: Vec<_> = rules
        .iter()
        .flat_map(|&rules| POLICIES.map(|policy| (rules, policy)))
        .flat_map(|(rules, policy)| columns.iter().map(move |&column| (rules, policy, column)))
        .collect();
    let run = |&(rules, policy, column): &(&'static str, &'static str, usize)| {
        let policy_set = format!("routing.policy=\"{policy}\"");
        let rules_set = format!("routing.nonminimal=\"{rules}\"");
        let pattern = &patterns(h)[column].1;
        let window = ["run.warmup_cycles=2000", "run.measure_cycles=3000"];
        let sets = [&window[..], &[&policy_set, &rules_set, pattern]].concat();
        Cell { policy, rules, column, summary: measure(&dragonfly(h, &sets), 1.0) }
    };
    cells.par_iter().map(run).collect()
}

/// `1/h + 1/(2h²)`, the bound of ADV+h without local misrouting in intermediate groups (and
/// counted over the wiring in `saturation.rs`), and `1/2 + 1/(4h²)`, that of any routing; plus a finite window's 0.3 %.
fn bounds(h: u32) -> (f64, f64) {
    let h = f64::from(h);
    (1.003 * (1.0 / h + 1.0 / (2.0 * h * h)), 1.003 * (0.5 + 1.0 / (4.0 * h * h)))
}

fn find<'a>(cells: &'a [Cell], policy: &str, rules: &str, column: usize) -> &'a Summary {
    let found = cells.iter().find(|c| c.policy == policy && c.rules == rules && c.column == column);
    &found.unwrap_or_else(|| panic!("{policy} {rules} {column} has not been run")).summary
}

#[test]
fn h2() {
    let cells = run_all(2, &RULES, &[0, 1, 2]);
    let mut rows = Vec::new();
    for rules in RULES {
        for policy in POLICIES {
            let mut row = vec![policy.to_owned(), rules.to_owned()];
            for column in 0..COLUMNS {
                let summary = find(&cells, policy, rules, column);
                row.push(format!("{:.4}", summary.accepted));
                row.push(format!("{:.4}", summary.accepted_min_node));
                if column > 0 {
                    assert!(
                        summary.accepted <= bounds(2).1,
                        "{policy} {rules} {column}: {}",
                        summary.accepted
                    );
                }
            }
            rows.push(row);
        }
    }
    let title = "accepted at offered load 1 and by the worst node, Dragonfly h=2, OLM";
    let text = snapshot::table(
        title,
        &["policy", "rules", "UN", "worst", "ADV+1", "worst", "ADV+h", "worst"],
        &rows,
    );
    eprintln!("{text}");
    // INA-OCMC 2013: CRG starves nodes, and MM is best.
    for rules in RULES {
        let worst = |policy| find(&cells, policy, rules, 1).accepted_min_node;
        assert!(worst("CRG") < worst("MM") && worst("CRG") < worst("RRG"), "{rules}: CRG starves nodes");
        for (policy, column) in
            POLICIES.into_iter().flat_map(|policy| [(policy, 0), (policy, 1), (policy, 2)])
        {
            let (other, best) = (find(&cells, policy, rules, column), find(&cells, "MM+L", rules, column));
            assert!(best.accepted > 0.99 * other.accepted, "{policy} {rules} {column} beats MM+L");
        }
    }
    // At injection the restricted rules offer nothing but own global links, whatever the policy.
    for column in 0..COLUMNS {
        let of = |policy| format!("{:?}", find(&cells, policy, "restricted", column));
        assert_eq!(of("RRG"), of("MM"));
    }
    snapshot::check("saturation_policies.txt", &text);
}

#[test]
fn adversarial_h_without_local_misrouting() {
    let cells = run_all(3, &["free"], &[2]);
    let (without, with) = bounds(3);
    for policy in ["CRG", "RRG", "NRG", "MM"] {
        let plain = find(&cells, policy, "free", 2).accepted;
        let local = find(&cells, &format!("{policy}+L"), "free", 2).accepted;
        eprintln!("h=3 ADV+h {policy}: {plain:.4}, with +L {local:.4}");
        assert!(plain <= without, "{policy}: {plain} > {without}");
        assert!(plain > 0.6 * without, "{policy}: only {plain} of {without}");
        assert!(local > plain && local <= with, "{policy}+L: {local} is not in {plain}…{with}");
    }
    // Local misrouting is what gets beyond the bound.
    assert!(find(&cells, "MM+L", "free", 2).accepted > without);
}
