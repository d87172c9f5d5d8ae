//! Does the suite find a defect of the control plane? Some are planted, and campaigns have to find each.

use super::campaign::{Campaign, Tally};
use super::worlds::World;
use desvio_tests::{mutation, rtl};
use rayon::prelude::*;
use std::path::{Path, PathBuf};

/// Defects of the control plane: the module, what it says, what it says then, and the check that says so where it is asked.
const PLANTED: [(&str, &str, &str, Option<&str>); 7] = [
    ("spi_port", "looks && sum == '0", "looks", Some("FRAME-CHECKED")),
    ("control", "wants_table && declared_checksum != scan_sum", "1'b0", Some("TABLE-ATOMIC")),
    ("routing_table", "write && bank", "write", Some("TABLE-ATOMIC")),
    ("router", "rst || config_load", "1'b1", Some("THRESHOLDS-ATOMIC")),
    (
        "control",
        "writes && request_address == dsv_registers_pkg::AT_COMMIT && !is_repeated",
        "writes && request_address == dsv_registers_pkg::AT_COMMIT",
        None,
    ),
    ("spi_port", "!selected && count != '0 && !looked", "1'b0", None),
    ("control", "corrupt && frames_corrupt != '1", "request", None),
];

/// A copy of the RTL with all of them, one of which is chosen while the switch is in reset.
fn planted(folder: &Path) -> PathBuf {
    let copy = folder.join("hdl");
    rtl::copy(&copy);
    mutation::declare(&copy).unwrap();
    for (number, (noun, from, to, _)) in (1..).zip(PLANTED) {
        rtl::plant(&copy, noun, from, &format!("({})", mutation::choice(number, to, from)));
    }
    let switch = rtl::source(&copy, "switch");
    std::fs::write(&switch, mutation::with_pin(&std::fs::read_to_string(&switch).unwrap())).unwrap();
    copy
}

/// The slow half of the tests.
mod slow {
    use super::*;

    #[test]
    fn defects_of_the_control_plane_are_found() {
        let folder = tempfile::tempdir().unwrap();
        let copy = planted(folder.path());
        // By its check; without one, by what it does.
        let worlds = [true, false].map(|assertions| World::planted(&copy, assertions, folder.path()));
        let [Some(checked), Some(unchecked)] = worlds else { return };
        let mut tally = Tally::default();
        for seed in 0..5 {
            let sound = Campaign::new(&checked, 0, seed).run(&mut tally);
            assert_eq!(sound, Ok(()), "seed {seed}: no defect was chosen");
        }
        (1..=PLANTED.len()).into_par_iter().for_each(|number| {
            let (noun, _, to, check) = PLANTED[number - 1];
            let world = if check.is_some() { &checked } else { &unchecked };
            let mut tally = Tally::default();
            let found = |seed| {
                Campaign::new(world, number as u16, seed).run(&mut tally).err().map(|fault| (seed, fault))
            };
            let Some((seed, fault)) = (0..60).find_map(found) else {
                panic!("{noun}: {to} is not found: {tally:?}")
            };
            println!("{noun}: {to} is found by campaign {seed}");
            println!("{noun}: {to}\n    {fault}");
            assert!(fault.contains(check.unwrap_or_default()), "{noun}: {to}: not found by {check:?}");
        });
    }
}
