//! What Verilog may do that runs with the user's rights, and paths of files.

use super::{INPUT, Place, ending_in, verilator_is_here};

#[test]
fn paths_are_taken_as_they_are_or_refused() {
    if !verilator_is_here() {
        return;
    }
    let place = Place::new();
    for (name, reason) in
        [("a\"b.v", "a quotation mark"), ("$(id).v", "a dollar sign"), ("a\nb.v", "a control")]
    {
        Place::new()
            .replace(1, place.write(name, INPUT))
            .refused("Verilator cannot take a path that has ", reason);
    }
    let comma = place.write("a,b.v", &ending_in("initial $system(\"id\");"));
    Place::new().replace(1, comma).refused("a,b.v:", "`$system` runs a program");
    Place::new().replace(1, place.write("a b.v", INPUT)).with(&["--cycles", "6000"]).passes();
    let mut listed = Place::new();
    let two = format!("{},{}", listed.rtl[1].display(), listed.rtl[2].display());
    listed.rtl.splice(1.., [two.into()]);
    listed.with(&["--cycles", "6000"]).passes();
}

/// The slow half of the tests.
mod slow {
    use super::*;

    #[test]
    fn verilog_that_reaches_out_is_refused_where_it_does() {
        if !verilator_is_here() {
            return;
        }
        let place = Place::new();
        let marker = place.dir.path().join("reached");
        let touch = format!("(\"touch {}\");", marker.display());
        let lines = INPUT.lines().count();
        for (more, word, quote) in [
            (format!("initial $system{touch}"), "$system", "initial $system"),
            (
                format!("`define PASTE(a, b) a``b\ninitial `PASTE($sys,tem){touch}"),
                "$system",
                "initial $system",
            ),
            ("initial $c(\"std::system(0)\");".to_owned(), "$c", "initial $c"),
            ("import \"DPI-C\" function int system(input string s);".to_owned(), "\"DPI", "import"),
            (format!("initial #1$system{touch}"), "$system", "initial #1$system"),
            ("integer f; initial f = $fopen(\"f\");".to_owned(), "$fopen", "integer f;"),
            ("`systemc_header\n#include <x>\n`verilog".to_owned(), "`systemc_header", "`systemc"),
        ] {
            let line = lines
                + more.lines().position(|line| line.contains(quote) || line.contains("PASTE($")).unwrap();
            let file = place.write("input_side.v", &ending_in(&more));
            let start = format!("{}:{line}:", file.display());
            let place = Place::new().replace(1, file);
            place.refused(&start, &format!(": `{word}` "));
            place.refused(&format!(" {line} | {quote}"), " = --trust runs it all the same");
        }
        let included = place.write("reach.vh", &format!("\ninitial $system{touch}\n"));
        let file = place.write("input_side.v", &ending_in(&format!("`include \"{}\"", included.display())));
        Place::new()
            .replace(1, file)
            .refused(&format!("{}:2:9: `$system` runs a program", included.display()), "^^^^^^^");
        assert!(!marker.exists());
        // A comment and a text run nothing; what is trusted may.
        let harmless = "// $system(\"id\")\ninitial $display(\"$system\");";
        let harmless = Place::verilog(&ending_in(&format!("{harmless}\ninitial if (0) $system(\"id\");")));
        let ended = Place::new().replace(1, harmless).with(&["--trust", "--cycles", "6000"]).run();
        assert_eq!(ended.status, Some(0), "{ended:?}");
        // What the switch displays is no part of the report.
        assert!(ended.out.starts_with("conforms: ") && !ended.out.contains("$system"), "{ended:?}");
        assert!(!ended.err.is_empty() && ended.err.lines().all(|line| line == "$system"), "{ended:?}");
    }
}
