//! What pictures show, and what they do not.

use super::*;

#[test]
fn a_picture_has_a_polyline_per_curve_and_its_labels() {
    let svg = plot::latency(&two_curves()).unwrap();
    for (colour, dash) in [("#0072B2", ""), ("#D55E00", " stroke-dasharray=\"8 4\"")] {
        let line = format!("fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"{dash}");
        // One in the legend, one in the frame.
        assert_eq!(svg.matches(&line).count(), 2, "{line}\n{svg}");
    }
    for text in [
        "Latency against offered load",
        "Offered load (flits per node per cycle)",
        "Mean latency (cycles)",
        ">Minimal<",
        ">OLM<",
        ">saturated: its latency is off the scale<",
        ">95 % interval<",
    ] {
        assert!(svg.contains(text), "{text}\n{svg}");
    }
}

#[test]
fn saturation_does_not_squash_what_lies_below() {
    let svg = plot::latency(&two_curves()).unwrap();
    assert!(svg.contains(">600</text>"), "5 × 135 cycles need the tick 600\n{svg}");
    assert!(!svg.contains(">800</text>") && !svg.contains(">20000</text>"), "{svg}");
}

#[test]
fn a_saturated_load_has_a_marker_and_no_line_whatever_was_measured() {
    let with = |latency_mean| {
        let mut curves = two_curves();
        curves[0].points[2].latency_mean = latency_mean;
        plot::latency(&curves).unwrap()
    };
    let svg = with(98_765.0);
    let hollow = "fill=\"#FFFFFF\" stroke=\"#0072B2\"";
    assert_eq!(svg.matches(hollow).count(), 1, "{svg}");
    assert_eq!(svg, with(1e7));
    // No slope is invented: the line ends at the last stationary load.
    let lines = svg.lines().filter(|line| line.contains("stroke=\"#0072B2\" stroke-width=\"2\""));
    let points = |line: &str| {
        line.split("points=\"").nth(1).map_or(0, |rest| rest.split('"').next().unwrap().split(' ').count())
    };
    assert_eq!(lines.map(points).max(), Some(2), "{svg}");
}

#[test]
fn a_picture_says_what_its_curves_share() {
    let text = "[topology]\nkind = \"dragonfly\"\np = 2\na = 4\nh = 2\n[traffic]\npattern = { adversarial = 1 }\nloads = [0.1]\n\
                [router]\nspeedup = 1\n";
    let curve = |sets: &[String]| {
        let scenario = desvio_sim::scenario::Scenario::parse(text, "net.toml", Path::new(""), sets).unwrap();
        let (settings, keys) = (scenario.differences(), scenario.settings());
        Curve { name: String::new(), settings, keys, scenario: scenario.to_toml(), points: vec![point(0.1)] }
    };
    let of = |curves: &[Curve], what: &str| {
        let svg = plot::accepted(curves).unwrap();
        assert!(svg.contains(&format!(">{what}<")), "{what}\n{svg}");
    };
    let rest = "ADV+1 · 8-flit packets · router.speedup = 1 · seed 1";
    of(&[curve(&[])], &format!("Dragonfly h=2, 72 nodes · OLM · occupancy · {rest}"));
    let minimal = curve(&["routing.algorithm=minimal".to_owned()]);
    of(std::slice::from_ref(&minimal), &format!("Dragonfly h=2, 72 nodes · minimal · {rest}"));
    of(&[curve(&[]), minimal], &format!("Dragonfly h=2, 72 nodes · {rest}"));
}

#[test]
fn hops_show_every_load_or_say_how_many() {
    let at = |loads: usize| {
        let points = (1..=loads).map(|n| point(n as f64 / 20.0)).collect();
        plot::hops(&[Curve { points, ..two_curves().remove(0) }]).unwrap().unwrap()
    };
    let five = at(5);
    assert!((1..=5).all(|n| five.contains(&format!(">offered load {}<", n as f64 / 20.0))), "{five}");
    assert!(at(12).contains(">Hops of packets at 8 of 12 loads<"));
}

#[test]
fn markup_in_a_name_stays_text() {
    let mut curves = two_curves();
    curves[0].name = "<a & \"b\">\u{0}".to_owned();
    let svg = plot::accepted(&curves).unwrap();
    assert!(svg.contains("&lt;a &amp; &quot;b&quot;&gt; <"), "{svg}");
    plot::png(&svg).unwrap();
}

#[test]
fn a_png_has_twice_the_size_and_letters_without_any_installed_font() {
    let svg = plot::accepted(&two_curves()).unwrap();
    let decode = |svg: &str| resvg::tiny_skia::Pixmap::decode_png(&plot::png(svg).unwrap()).unwrap();
    let picture = decode(&svg);
    assert_eq!((picture.width(), picture.height()), (1920, 1200));
    let title_is_dark = |picture: &resvg::tiny_skia::Pixmap| {
        picture.pixels()[..1920 * 80].iter().filter(|pixel| pixel.red() < 100).count()
    };
    assert!(title_is_dark(&picture) > 500);
    let untitled = svg.replace(">Accepted against offered load</text>", "></text>");
    assert_eq!(title_is_dark(&decode(&untitled)), 0);
}

#[test]
fn equal_results_give_equal_bytes() {
    let (first, second) = (plot::accepted(&two_curves()).unwrap(), plot::accepted(&two_curves()).unwrap());
    assert_eq!(first, second);
    assert_eq!(plot::png(&first).unwrap(), plot::png(&second).unwrap());
}

#[test]
fn panels_stand_side_by_side() {
    let columns = [("Uniform".to_owned(), two_curves()), ("ADV+1".to_owned(), two_curves())];
    let svg = plot::panels("Two patterns", &columns).unwrap();
    for text in ["Two patterns", "Uniform", "ADV+1", "Mean latency", "Accepted load"] {
        assert!(svg.contains(text), "{text}");
    }
    assert_eq!(svg.matches(">OLM<").count(), 1, "one legend");
}
