//! Findings that do not end the run: broken rules that the map or the command line allows.

use super::rule::{Rule, Violation};

/// A rule that is allowed to break, and broke.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// How often.
    pub count: u64,
    /// The cycle of the first time.
    pub cycle: u64,
    /// What happened the first time.
    pub first: Violation,
}

/// The rules that are allowed to break, and what was found of them.
#[derive(Clone, Debug, Default)]
pub(super) struct Findings {
    allowed: Vec<Rule>,
    found: Vec<Finding>,
}

impl Findings {
    /// None yet.
    pub(super) fn new(allowed: Vec<Rule>) -> Self {
        Self { allowed, found: Vec::new() }
    }

    /// Whether a rule is allowed to break.
    pub(super) fn allows(&self, rule: Rule) -> bool {
        self.allowed.contains(&rule)
    }

    /// Counts a broken rule that is allowed to break; returns any other.
    pub(super) fn raise(&mut self, cycle: u64, violation: Violation) -> Result<(), Violation> {
        if !self.allows(violation.rule) {
            return Err(violation);
        }
        match self.found.iter_mut().find(|finding| finding.first.rule == violation.rule) {
            Some(finding) => finding.count += 1,
            None => self.found.push(Finding { count: 1, cycle, first: violation }),
        }
        Ok(())
    }

    /// What was found, in the order of the first times.
    pub(super) fn all(&self) -> &[Finding] {
        &self.found
    }
}

/// A list of findings, as reports end with it.
pub(super) fn list(findings: &[Finding], f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
    for Finding { count, cycle, first: Violation { rule, place, message, packet, .. } } in findings {
        let times = if *count == 1 { "once".to_owned() } else { format!("{count} times") };
        writeln!(f, "    {rule} {times}, first in cycle {cycle}, {place}")?;
        writeln!(f, "      {message}")?;
        if !packet.is_empty() {
            writeln!(f, "      {}", packet.replace('\n', "\n      "))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn broken(rule: Rule, message: &str) -> Violation {
        let (place, packet) = ("output port 1 VC 0".to_owned(), String::new());
        Violation { rule, place, message: message.to_owned(), since: None, packet }
    }

    #[test]
    fn what_is_allowed_is_counted_and_its_first_time_is_kept() {
        let mut findings = Findings::new(vec![Rule::Waiting, Rule::LinkPace]);
        for (cycle, rule, message) in
            [(7, Rule::LinkPace, "a"), (9, Rule::Waiting, "b"), (11, Rule::LinkPace, "c")]
        {
            assert_eq!(findings.raise(cycle, broken(rule, message)), Ok(()));
        }
        let lost = broken(Rule::FlitLost, "d");
        assert_eq!(findings.raise(12, lost.clone()), Err(lost));
        let found: Vec<_> =
            findings.all().iter().map(|one| (one.count, one.cycle, one.first.message.as_str())).collect();
        assert_eq!(found, [(2, 7, "a"), (1, 9, "b")]);
    }
}
