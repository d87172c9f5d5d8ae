//! Schemas of one key as several networks read it.

use serde_json::{Map, Value as Json};

/// What either of two schemas takes.
pub(super) fn merge(one: Json, other: Json) -> Json {
    match (one, other) {
        (one, other) if one == other => one,
        (Json::Object(one), Json::Object(other)) if alike(&one, &other) => Json::Object(union(one, other)),
        (one, other) => either(one, other),
    }
}

/// Whether both are tables, lists of words, or alternatives.
fn alike(one: &Map<String, Json>, other: &Map<String, Json>) -> bool {
    ["properties", "enum", "anyOf"].iter().any(|key| one.contains_key(*key) && other.contains_key(*key))
}

fn union(mut one: Map<String, Json>, other: Map<String, Json>) -> Map<String, Json> {
    for (key, value) in other {
        let merged = match (key.as_str(), one.remove(&key)) {
            ("properties", Some(Json::Object(mut known))) => {
                for (name, shape) in value.as_object().cloned().unwrap_or_default() {
                    let shape = match known.remove(&name) {
                        Some(known) => merge(known, shape),
                        None => shape,
                    };
                    known.insert(name, shape);
                }
                Json::Object(known)
            }
            ("enum" | "anyOf", Some(known)) => all_of(known, value),
            ("required", Some(Json::Array(known))) => known
                .into_iter()
                .filter(|name| value.as_array().is_some_and(|all| all.contains(name)))
                .collect(),
            (_, Some(known)) => known,
            (_, None) => value,
        };
        one.insert(key, merged);
    }
    one
}

fn either(one: Json, other: Json) -> Json {
    let list = |one: Json| match one.get("anyOf") {
        Some(list) => list.clone(),
        None => Json::Array(vec![one]),
    };
    Json::Object(Map::from_iter([("anyOf".to_owned(), all_of(list(one), list(other)))]))
}

/// The elements of two lists, each once; tables among them are one.
fn all_of(one: Json, other: Json) -> Json {
    let (Json::Array(mut all), Json::Array(more)) = (one, other) else { return Json::Array(Vec::new()) };
    for new in more {
        let is_table = |shape: &Json| shape.get("properties").is_some();
        match all.iter().position(|known| is_table(known) && is_table(&new)) {
            Some(known) => all[known] = merge(all[known].take(), new),
            None if !all.contains(&new) => all.push(new),
            None => {}
        }
    }
    Json::Array(all)
}
