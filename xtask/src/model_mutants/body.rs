//! Slips in functions that a macro of the model writes. Their bodies are no Rust before the macro is expanded, so that they are read as tokens.

use super::site::{Bytes, Kind, Site};
use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

/// All slips in the functions of a macro's rules.
pub(crate) fn sites(name: &str, text: &str, rules: TokenStream) -> Vec<Site> {
    let mut found = Vec::new();
    functions(rules, &mut found);
    found.iter().flat_map(|body| in_body(name, text, body)).collect()
}

/// Finds the bodies of functions: the first braces behind the word `fn`.
fn functions(tokens: TokenStream, found: &mut Vec<Group>) {
    let mut is_function = false;
    for token in tokens {
        match token {
            TokenTree::Ident(word) if word == "fn" => is_function = true,
            TokenTree::Group(group) if is_function && group.delimiter() == Delimiter::Brace => {
                is_function = false;
                found.push(group);
            }
            TokenTree::Group(group) if !is_function => functions(group.stream(), found),
            TokenTree::Punct(mark) if mark.as_char() == ';' => is_function = false,
            _ => {}
        }
    }
}

fn in_body(name: &str, text: &str, body: &Group) -> Vec<Site> {
    let range = body.span().byte_range();
    let whole = Bytes { start: range.start, end: range.end };
    let mut slips = Vec::new();
    in_tokens(body.stream(), &mut slips);
    let site = |(slip, by)| Site { file: name.to_owned(), whole, slip, by, kind: Kind::Body };
    slips.into_iter().map(site).filter(|site| site.by != site.slip.of(text)).collect()
}

fn in_tokens(tokens: TokenStream, slips: &mut Vec<(Bytes, String)>) {
    let tokens: Vec<_> = tokens.into_iter().collect();
    for (at, token) in tokens.iter().enumerate() {
        let range = token.span().byte_range();
        let slip = Bytes { start: range.start, end: range.end };
        match token {
            TokenTree::Group(group) => in_tokens(group.stream(), slips),
            TokenTree::Literal(literal) => {
                // The number of a field stands behind a full stop.
                let is_field =
                    at > 0 && matches!(&tokens[at - 1], TokenTree::Punct(mark) if mark.as_char() == '.');
                if let (false, Ok(number)) = (is_field, literal.to_string().parse::<u128>()) {
                    slips.push((slip, (number + 1).to_string()));
                    if number > 0 {
                        slips.push((slip, (number - 1).to_string()));
                    }
                }
            }
            TokenTree::Punct(mark) => {
                let alone = mark.spacing() == proc_macro2::Spacing::Alone
                    && (at == 0
                        || !matches!(&tokens[at - 1], TokenTree::Punct(before) if before.spacing() == proc_macro2::Spacing::Joint));
                let by = match mark.as_char() {
                    '|' if alone => "&",
                    '+' if alone => "-",
                    '-' if alone => "+",
                    '!' if alone => "",
                    _ => continue,
                };
                slips.push((slip, by.to_owned()));
            }
            TokenTree::Ident(word) => {
                for other in super::words::other_methods(&word.to_string()) {
                    slips.push((slip, other));
                }
            }
        }
    }
    pairs(&tokens, slips);
}

/// Operators of two signs, and `&` between two values.
fn pairs(tokens: &[TokenTree], slips: &mut Vec<(Bytes, String)>) {
    let sign = |at: usize| match tokens.get(at) {
        Some(TokenTree::Punct(mark)) => Some(mark.as_char()),
        _ => None,
    };
    for at in 0..tokens.len() {
        let start = tokens[at].span().byte_range().start;
        let Some(one) = sign(at) else { continue };
        if at > 0 && sign(at - 1).is_some() {
            continue;
        }
        let (length, by): (usize, &[&str]) = match (one, sign(at + 1)) {
            ('=', Some('=')) => (2, &["!="]),
            ('!', Some('=')) => (2, &["=="]),
            ('>', Some('=')) => (2, &[">", "<"]),
            ('<', Some('=')) => (2, &["<", ">"]),
            ('|', Some('=')) => (2, &["&="]),
            ('&', Some('=')) => (2, &["|="]),
            ('&', Some('&')) => (2, &["||"]),
            ('|', Some('|')) => (2, &["&&"]),
            ('&', _) if at > 0 => (1, &["|"]),
            _ => continue,
        };
        let end = tokens[at + length - 1].span().byte_range().end;
        slips.extend(by.iter().map(|by| (Bytes { start, end }, (*by).to_owned())));
    }
}
