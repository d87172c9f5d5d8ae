//! What a check found, as the XML that test reporters read (JUnit's): each rule is a test case.

use desvio_lockstep::conform::{Checks, ConformError, Finding, Report, Rule, Unseen, Violation};
use std::time::Duration;
use xmlwriter::{Options, XmlWriter};

/// A check as test reporters know it: the switch is the suite.
pub(super) struct Suite {
    /// The module.
    pub(super) top: String,
    /// What the check was given, by name.
    pub(super) properties: Vec<(&'static str, String)>,
    pub(super) took: Duration,
}

/// The file's text. A rule that was never looked at was skipped.
pub(super) fn text(suite: &Suite, result: &Result<Report, ConformError>) -> String {
    let mut xml = begin();
    match result {
        Ok(report) => rules(&mut xml, suite, &report.checks, &report.findings, &report.unseen, None),
        Err(ConformError::Mismatch(found)) => {
            let broken = (&found.violation, found.to_string());
            rules(&mut xml, suite, &found.checks, &found.findings, &[], Some(broken));
        }
        Err(error) => return not_run(suite, &error.to_string()),
    }
    xml.end_document()
}

/// The file's text where nothing could be checked: one test case with an error.
pub(super) fn not_run(suite: &Suite, why: &str) -> String {
    let mut xml = begin();
    head(&mut xml, suite, [1, 0, 1, 0]);
    case(&mut xml, &suite.top, "conform");
    xml.start_element("error");
    xml.write_attribute("message", &escaped(why.lines().next().unwrap_or_default()));
    xml.write_text(&escaped(why));
    xml.end_document()
}

fn begin() -> XmlWriter {
    let mut xml = XmlWriter::new(Options::default());
    xml.write_declaration();
    xml.start_element("testsuites");
    xml
}

/// One test case for each rule.
fn rules(
    xml: &mut XmlWriter,
    suite: &Suite,
    checks: &Checks,
    findings: &[Finding],
    unseen: &[Unseen],
    broken: Option<(&Violation, String)>,
) {
    let is_broken = |rule: Rule| broken.as_ref().filter(|(violation, _)| violation.rule == rule);
    let skipped = Rule::ALL.into_iter().filter(|&rule| checks.of(rule) == 0 && is_broken(rule).is_none());
    head(xml, suite, [Rule::ALL.len(), usize::from(broken.is_some()), 0, skipped.count()]);
    for rule in Rule::ALL {
        case(xml, &suite.top, rule.name());
        if let Some((violation, story)) = is_broken(rule) {
            xml.start_element("failure");
            xml.write_attribute("type", rule.name());
            xml.write_attribute("message", &escaped(&format!("{}: {}", violation.place, violation.message)));
            xml.write_text(&escaped(story));
            xml.end_element();
        } else if checks.of(rule) == 0 {
            xml.start_element("skipped");
            let why = unseen.iter().find(|(name, _)| name == rule.name());
            let why = why.map_or("never looked at".to_owned(), |(_, why)| format!("never looked at: {why}"));
            xml.write_attribute("message", &escaped(&why));
            xml.end_element();
        } else {
            let allowed = findings.iter().find(|finding| finding.first.rule == rule);
            let allowed = allowed.map_or(String::new(), |finding| {
                let Violation { place, message, .. } = &finding.first;
                format!(
                    ". Broken {} times, and allowed: first in cycle {}, {place}: {message}",
                    finding.count, finding.cycle
                )
            });
            xml.start_element("system-out");
            let text = format!("{}: looked at {} times{allowed}", rule.sentence(), checks.of(rule));
            xml.write_text(&escaped(&text));
            xml.end_element();
        }
        xml.end_element();
    }
    xml.end_element();
}

/// The head of a suite: tests, failures, errors, skipped ones.
fn head(xml: &mut XmlWriter, suite: &Suite, counts: [usize; 4]) {
    xml.start_element("testsuite");
    xml.write_attribute("name", &escaped(&suite.top));
    for (key, count) in ["tests", "failures", "errors", "skipped"].into_iter().zip(counts) {
        xml.write_attribute(key, &count.to_string());
    }
    xml.write_attribute("time", &format!("{:.3}", suite.took.as_secs_f64()));
    xml.start_element("properties");
    for (name, value) in &suite.properties {
        xml.start_element("property");
        xml.write_attribute("name", name);
        xml.write_attribute("value", &escaped(value));
        xml.end_element();
    }
    xml.end_element();
}

/// The head of a test case.
fn case(xml: &mut XmlWriter, top: &str, name: &str) {
    xml.start_element("testcase");
    xml.write_attribute("classname", &escaped(top));
    xml.write_attribute("name", name);
}

/// Text as XML has it: the writer escapes quotes alone, and control characters are not allowed at all.
fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    text.replace(|c: char| c.is_control() && !matches!(c, '\n' | '\t'), "\u{fffd}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_could_not_be_run_is_an_error_and_any_text_is_xml() {
        let result = Err(ConformError::Input("a < b && \"c\"\u{7}\nmore".to_owned()));
        let properties = vec![("seed", "7".to_owned()), ("scenario", "a\"<b>.toml".to_owned())];
        let suite = Suite { top: "to<p".to_owned(), properties, took: Duration::from_millis(1500) };
        let xml = text(&suite, &result);
        let document = roxmltree::Document::parse(&xml).unwrap();
        let suite = document.descendants().find(|node| node.has_tag_name("testsuite")).unwrap();
        let read = |key| suite.attribute(key).unwrap();
        assert_eq!((read("name"), read("errors"), read("tests"), read("time")), ("to<p", "1", "1", "1.500"));
        let properties = document.descendants().filter(|node| node.has_tag_name("property"));
        let values: Vec<_> =
            properties.map(|node| (node.attribute("name"), node.attribute("value"))).collect();
        assert_eq!(values, [(Some("seed"), Some("7")), (Some("scenario"), Some("a\"<b>.toml"))]);
        let error = document.descendants().find(|node| node.has_tag_name("error")).unwrap();
        assert_eq!(error.attribute("message"), Some("a < b && \"c\"\u{fffd}"));
        assert!(error.text().unwrap().contains("more"));
    }
}
