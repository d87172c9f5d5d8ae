//! Values that are wrong on purpose, and what the readers of scenarios expected instead.

use super::place::Place;
use std::path::Path;

use desvio_sim::document::{Expected, Refusal};
use desvio_sim::scenario::{Scenario, ScenarioError};
use serde_json::{Map, Value as Json, json};

/// A scenario into which wrong values are put.
pub(super) struct Probe<'t> {
    text: &'t str,
}

/// What came of a value.
enum Answer {
    /// No reader minded it, or none looked at it.
    Quiet,
    /// It is not what was expected; `None`: its type is, its value is not.
    Refused(Option<Expected>),
    /// Something inside of it is wrong.
    Within,
    /// A key is missing, of it or of a table around it.
    Lacks(String),
}

/// A schema, and a value that fits it.
type Shape = (Json, String);

/// No key takes a date.
const DATE: &str = "1979-05-27";
/// No list of words has this one.
const WORD: &str = "\"?\"";
/// Below every range.
const LOW: &str = "-99999999999999999999";
/// A key that no table has.
const UNKNOWN: &str = "_";
/// Numbers of which one fits a key that describes its numbers in a sentence.
const NUMBERS: [&str; 7] = ["1", "2", "3", "4", "6", "8", "0.5"];
/// Elements of a list at most that must be so many.
const LONGEST: usize = 4;

impl<'t> Probe<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self { text }
    }

    /// The tables of the file.
    pub(super) fn tables(&self) -> Vec<String> {
        self.keys_by(&Place::of(UNKNOWN), "0").unwrap_or_default()
    }

    /// The schema of a table, as this network reads it.
    pub(super) fn section(&self, table: &str) -> Json {
        let keys = self.keys_by(&Place::of(&format!("{table}.{UNKNOWN}")), "0").unwrap_or_default();
        let shape = |key: &String| Some((key.clone(), self.shape(&Place::of(&format!("{table}.{key}")))?.0));
        let properties: Map<_, _> = keys.iter().filter_map(shape).collect();
        let required = self.required(&Place::of(table).inside("{ ", " }"), None, &[]);
        json!({
            "type": "object",
            "properties": properties,
            "required": required,
            "additionalProperties": false,
        })
    }

    /// The names of the classes of links.
    pub(super) fn classes(&self) -> Vec<&'static str> {
        let read = Scenario::parse(self.text, "", Path::new(""), &[]);
        read.map_or_else(|_| Vec::new(), |scenario| scenario.topology.classes().to_vec())
    }

    /// The words that a key takes.
    pub(super) fn words(&self, key: &str, before: &str, after: &str) -> Vec<String> {
        match self.try_at(&Place::of(key).inside(before, after), WORD) {
            Answer::Refused(Some(Expected::Words(words))) => words,
            _ => Vec::new(),
        }
    }

    /// The forms of the table of one kind of network, each with the shortest one that can be read.
    pub(super) fn kind(&self, kind: &str) -> Vec<Shape> {
        let place = Place::of("topology").inside(&format!("{{ kind = \"{kind}\", "), " }");
        let all = self.keys_by(&place.inside(&format!("{UNKNOWN} = "), ""), "0").unwrap_or_default();
        // A key of another kind is refused with those of this one.
        let own = all.iter().find_map(|key| self.keys_by(&place.inside(&format!("{key} = "), ""), "0"));
        let keys: Vec<_> = own.unwrap_or(all).into_iter().filter(|key| key != "kind").collect();
        let mut forms = vec![self.keys(&place, &keys, None)];
        // A key that no reader takes beside those that the table must have: there is a form without them.
        let has = |forms: &[Shape], key: &String| {
            forms.iter().any(|(table, _)| table["properties"].get(key).is_some())
        };
        while let Some(other) = keys.iter().find(|key| !has(&forms, key)) {
            let form = self.keys(&place, &keys, Some(other));
            if !has(std::slice::from_ref(&form), other) {
                break;
            }
            forms.push(form);
        }
        let whole = |(mut table, example): Shape| {
            table["properties"]["kind"] = json!({ "const": kind });
            if let Json::Array(required) = &mut table["required"] {
                required.push("kind".into());
            }
            let example = if example.is_empty() { String::new() } else { format!(", {example}") };
            (table, format!("{{ kind = \"{kind}\"{example} }}"))
        };
        forms.into_iter().map(whole).collect()
    }

    /// The schema of a value; `None` where no reader looks at it.
    fn shape(&self, at: &Place) -> Option<Shape> {
        let simple = match self.try_at(at, DATE) {
            Answer::Refused(Some(Expected::Other(described))) => return Some(self.compound(at, &described)),
            // A key that is refused whatever its value is belongs to another form of the table.
            Answer::Refused(None) if self.is_refused(at) => return None,
            Answer::Refused(expected) => expected,
            _ => return None,
        };
        match simple {
            Some(Expected::Text) => Some(self.text(at).unwrap_or_else(|| (json!({}), WORD.to_owned()))),
            Some(Expected::Whole(..) | Expected::Number(..)) => Some(self.compound(at, "")),
            Some(expected) => leaf(expected),
            None => Some(self.compound(at, "")),
        }
    }

    /// What may be of several types.
    fn compound(&self, at: &Place, described: &str) -> Shape {
        if let Some((_, pointer)) = at.outer.as_ref().filter(|(outer, _)| outer == described) {
            return (json!({ "$ref": pointer }), self.text(at).map_or_else(String::new, |(_, text)| text));
        }
        let mut inner = at.clone();
        if let ([key], None, false) = (at.path.as_slice(), &at.outer, described.is_empty()) {
            let table = at.key.split('.').next().unwrap_or_default();
            inner.outer = Some((described.to_owned(), format!("#/properties/{table}/properties/{key}")));
        }
        let ways = [self.text(at), self.number(at), self.flag(at), self.list(&inner), self.table(&inner)];
        let mut ways: Vec<Shape> = ways.into_iter().flatten().collect();
        let example = ways.first().map_or_else(|| WORD.to_owned(), |(_, example)| example.clone());
        let mut schema = match ways.len() {
            0 => json!({}),
            1 => ways.remove(0).0,
            _ => json!({ "anyOf": ways.into_iter().map(|(shape, _)| shape).collect::<Vec<_>>() }),
        };
        if !described.is_empty() {
            schema["description"] = described.into();
        }
        (schema, example)
    }

    /// Whether values of all types are refused, and for no other reason than the key.
    fn is_refused(&self, at: &Place) -> bool {
        let values = [WORD, "[]", "[1]", "[1, 1]", "{ }", "true", "false"];
        let refused = |value: &&str| matches!(self.try_at(at, value), Answer::Refused(None));
        values.iter().chain(&NUMBERS).all(refused)
    }

    fn text(&self, at: &Place) -> Option<Shape> {
        match self.try_at(at, WORD) {
            Answer::Refused(Some(Expected::Words(words))) => leaf(Expected::Words(words)),
            Answer::Refused(Some(_)) => None,
            _ => Some((json!({ "type": "string" }), "\"x\"".to_owned())),
        }
    }

    fn number(&self, at: &Place) -> Option<Shape> {
        if let Answer::Refused(Some(expected @ (Expected::Whole(..) | Expected::Number(..)))) =
            self.try_at(at, LOW)
        {
            return leaf(expected);
        }
        let fits = |number: &&str| !matches!(self.try_at(at, number), Answer::Refused(Some(_)));
        let example = NUMBERS.into_iter().find(fits)?;
        let kind = if fits(&"0.5") { "number" } else { "integer" };
        Some((json!({ "type": kind }), example.to_owned()))
    }

    fn flag(&self, at: &Place) -> Option<Shape> {
        let fits = |flag: &&str| !matches!(self.try_at(at, flag), Answer::Refused(Some(_)));
        let flags: Vec<_> = ["false", "true"].into_iter().filter(fits).collect();
        let example = (*flags.first()?).to_owned();
        let flags: Vec<_> = flags.into_iter().map(|flag| flag == "true").collect();
        Some((json!({ "enum": flags }), example))
    }

    fn list(&self, at: &Place) -> Option<Shape> {
        let all = |count: usize| format!("[{}]", vec![DATE; count].join(", "));
        let is_list = |count: &usize| matches!(self.try_at(at, &all(*count)), Answer::Within);
        let count = (1..=LONGEST).find(is_list)?;
        let (mut items, mut examples) = (Vec::new(), Vec::<String>::new());
        for n in 0..count {
            let earlier: String = examples.iter().map(|example| format!("{example}, ")).collect();
            let later = vec![DATE; count - n - 1].iter().map(|date| format!(", {date}")).collect::<String>();
            let (shape, example) = self.shape(&at.inside(&format!("[{earlier}"), &format!("{later}]")))?;
            items.push(shape);
            examples.push(example);
        }
        let whole = |examples: &[String]| format!("[{}]", examples.join(", "));
        // The right elements, and too few of them.
        while examples.len() < LONGEST
            && matches!(self.try_at(at, &whole(&examples)), Answer::Refused(Some(Expected::Other(_))))
        {
            examples.extend_from_within(examples.len() - 1..);
        }
        let example = whole(&examples);
        let least = if matches!(self.try_at(at, "[]"), Answer::Refused(_)) { examples.len() } else { 0 };
        let mut schema = json!({ "type": "array", "minItems": least });
        let is_as_long_as_another =
            || matches!(self.try_at(&at.beside_longer_lists(), &all(count + 1)), Answer::Within);
        if count > 1 && !is_list(&(count + 1)) && !is_as_long_as_another() {
            (schema["items"], schema["maxItems"]) = (items.into(), count.into());
        } else {
            schema["items"] = items.remove(0);
        }
        Some((schema, example))
    }

    fn table(&self, at: &Place) -> Option<Shape> {
        let keys = self.keys_by(&at.inside(&format!("{{ {UNKNOWN} = "), " }"), "0")?;
        let (schema, example) = self.keys(&at.inside("{ ", " }"), &keys, None);
        Some((schema, format!("{{ {example} }}")))
    }

    /// The values of the keys of a table, and those of the keys that it must have; of a form that has `first`, if there are several.
    fn keys(&self, table: &Place, keys: &[String], first: Option<&String>) -> Shape {
        let mut required = self.required(table, first, &[]);
        let mut found: Vec<(&String, Shape)> = Vec::new();
        // A reader stops at the first value that is wrong or lacks: those behind it are seen once it has a right one.
        loop {
            let known = (required.len(), found.len());
            for key in keys.iter().filter(|key| required.contains(key)) {
                self.key(table, key, &required, &mut found);
            }
            required = self.required(table, first, &found);
            if known == (required.len(), found.len()) {
                break;
            }
        }
        for key in keys {
            self.key(table, key, &required, &mut found);
        }
        let known: Vec<_> = found.iter().map(|(key, (_, example))| format!("{key} = {example}")).collect();
        for key in keys {
            // Some are read beside another one alone, which may need a third.
            for other in &known {
                let mut beside = format!("{other}, ");
                let with = table.inside(&format!("{beside}{key} = "), "");
                if let Answer::Lacks(third) = self.try_at(&with, DATE)
                    && let Some((_, (_, example))) = found.iter().find(|(known, _)| **known == third)
                {
                    beside.push_str(&format!("{third} = {example}, "));
                }
                self.key(&table.inside(&beside, ""), key, &required, &mut found);
            }
        }
        let needed = found.iter().filter(|(key, _)| required.contains(key));
        let example: Vec<_> = needed.map(|(key, (_, example))| format!("{key} = {example}")).collect();
        let shape =
            |key: &String| found.iter().find(|(known, _)| *known == key).map(|(_, (shape, _))| shape.clone());
        let properties: Map<_, _> = keys.iter().filter_map(|key| Some((key.clone(), shape(key)?))).collect();
        let schema = json!({
            "type": "object",
            "properties": properties,
            "required": required,
            "additionalProperties": false,
        });
        (schema, example.join(", "))
    }

    /// Adds the shape of a key, beside those that the table must have.
    fn key<'k>(
        &self,
        table: &Place,
        key: &'k String,
        required: &[String],
        found: &mut Vec<(&'k String, Shape)>,
    ) {
        if found.iter().any(|(known, _)| *known == key) {
            return;
        }
        let others = required.iter().filter(|other| *other != key);
        let beside = others.map(|other| {
            let known = found.iter().find(|(known, _)| *known == other);
            format!("{other} = {}, ", known.map_or(DATE, |(_, (_, example))| example.as_str()))
        });
        let before = format!("{}{key} = ", beside.collect::<String>());
        let mut place = table.inside(&before, "");
        place.path.push(key.clone());
        if let Some(shape) = self.shape(&place) {
            found.push((key, shape));
        }
    }

    /// The keys that a table must have, where these are known.
    fn required(&self, table: &Place, first: Option<&String>, found: &[(&String, Shape)]) -> Vec<String> {
        let mut required: Vec<String> = first.cloned().into_iter().collect();
        while let Answer::Lacks(key) = {
            let known = |key| found.iter().find(|(known, _)| *known == key).map(|(_, (_, example))| example);
            let value = |key| known(key).map_or(DATE, String::as_str);
            let all: Vec<_> = required.iter().map(|key| format!("{key} = {}", value(key))).collect();
            self.try_at(table, &all.join(", "))
        } {
            if required.contains(&key) {
                break;
            }
            required.push(key);
        }
        required
    }

    /// The keys that a value is refused with, as it has another one.
    fn keys_by(&self, at: &Place, value: &str) -> Option<Vec<String>> {
        match self.refusal(at, value)?.expected.map(|expected| *expected) {
            Some(Expected::Keys(keys)) => Some(keys),
            _ => None,
        }
    }

    fn try_at(&self, at: &Place, value: &str) -> Answer {
        let Some(refusal) = self.refusal(at, value) else { return Answer::Quiet };
        let expected = refusal.expected.map(|expected| *expected);
        if let Some(Expected::Key(key)) = expected {
            return Answer::Lacks(key);
        }
        let count = |text: &str| text.chars().count();
        let start = count(&at.key) + 1 + count(&at.before) + 1;
        let end = start + count(value);
        match refusal.column {
            column if column == start => Answer::Refused(expected),
            column if column > start && column < end => Answer::Within,
            _ => Answer::Quiet,
        }
    }

    fn refusal(&self, at: &Place, value: &str) -> Option<Refusal> {
        let set = format!("{}={}{value}{}", at.key, at.before, at.after);
        match Scenario::parse(self.text, "", Path::new(""), &[set]) {
            Err(ScenarioError::Refused(refusal)) if refusal.is_set => Some(*refusal),
            _ => None,
        }
    }
}

/// The schema of one simple type.
fn leaf(expected: Expected) -> Option<Shape> {
    let number = |text: &str| -> Json { serde_json::from_str(text).unwrap_or_default() };
    Some(match expected {
        Expected::Flag => (json!({ "type": "boolean" }), "false".to_owned()),
        Expected::Words(words) => (json!({ "enum": words }), format!("\"{}\"", words.first()?)),
        Expected::Whole(least, most) => {
            (json!({ "type": "integer", "minimum": number(&least), "maximum": number(&most) }), least)
        }
        Expected::Number(least, most) => {
            (json!({ "type": "number", "minimum": number(&least), "maximum": number(&most) }), least)
        }
        _ => return None,
    })
}
