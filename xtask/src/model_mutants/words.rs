//! What is taken for what: operators, methods, constants.

use syn::{Attribute, BinOp, Expr, Item};

/// Operators that stand in the place of this one.
pub(crate) fn others(operator: &BinOp) -> &'static [&'static str] {
    match operator {
        BinOp::Lt(_) => &["<=", ">="],
        BinOp::Le(_) => &["<", ">"],
        BinOp::Gt(_) => &[">=", "<="],
        BinOp::Ge(_) => &[">", "<"],
        BinOp::Eq(_) => &["!="],
        BinOp::Ne(_) => &["=="],
        BinOp::Add(_) => &["-"],
        BinOp::Sub(_) => &["+"],
        BinOp::Mul(_) => &["+"],
        BinOp::Div(_) => &["*"],
        BinOp::Rem(_) => &["/"],
        BinOp::Shl(_) => &[">>"],
        BinOp::Shr(_) => &["<<"],
        BinOp::BitAnd(_) | BinOp::BitXor(_) => &["|"],
        BinOp::BitOr(_) => &["&"],
        BinOp::And(_) => &["||"],
        BinOp::Or(_) => &["&&"],
        BinOp::AddAssign(_) => &["-="],
        BinOp::SubAssign(_) => &["+="],
        BinOp::BitOrAssign(_) | BinOp::BitXorAssign(_) => &["&="],
        BinOp::BitAndAssign(_) => &["|="],
        BinOp::ShlAssign(_) => &[">>="],
        BinOp::ShrAssign(_) => &["<<="],
        _ => &[],
    }
}

/// 1 where both sides of an operator are truths, which are turned round one by one.
pub(crate) fn truths(operator: &BinOp) -> usize {
    usize::from(matches!(operator, BinOp::And(_) | BinOp::Or(_)))
}

/// Whether an operator writes to its left side.
pub(crate) fn assigns(operator: &BinOp) -> bool {
    matches!(
        operator,
        BinOp::AddAssign(_)
            | BinOp::SubAssign(_)
            | BinOp::MulAssign(_)
            | BinOp::DivAssign(_)
            | BinOp::RemAssign(_)
            | BinOp::BitXorAssign(_)
            | BinOp::BitAndAssign(_)
            | BinOp::BitOrAssign(_)
            | BinOp::ShlAssign(_)
            | BinOp::ShrAssign(_)
    )
}

const METHODS: [(&str, &str); 20] = [
    ("min", "max"),
    ("min_by_key", "max_by_key"),
    ("any", "all"),
    ("first", "last"),
    ("is_some", "is_none"),
    ("is_ok", "is_err"),
    ("is_some_and", "is_none_or"),
    ("wrapping_add", "wrapping_sub"),
    ("saturating_add", "saturating_sub"),
    ("checked_add", "checked_sub"),
    ("wrapping_shl", "wrapping_shr"),
    ("wrapping_mul", "wrapping_add"),
    ("saturating_mul", "saturating_add"),
    ("checked_div", "checked_mul"),
    ("checked_rem", "checked_div"),
    ("leading_zeros", "trailing_zeros"),
    ("rotate_left", "rotate_right"),
    ("union", "and"),
    ("insert", "remove"),
    ("div_ceil", "div_euclid"),
];

/// Methods that stand in the place of this one.
pub(crate) fn other_methods(name: &str) -> Vec<String> {
    let pairs = METHODS.iter().flat_map(|&(one, other)| [(one, other), (other, one)]);
    let mut others: Vec<_> = pairs.filter(|pair| pair.0 == name).map(|pair| pair.1.to_owned()).collect();
    let one_way = match name {
        "minus" => "and",
        "and" => "minus",
        "pow" => "wrapping_mul",
        "saturating_sub" => "wrapping_sub",
        "wrapping_rem" => "wrapping_div",
        "wrapping_div" => "wrapping_mul",
        "take_while" => "skip_while",
        _ => return others,
    };
    others.push(one_way.to_owned());
    others
}

/// Methods whose receiver stands in their place.
pub(crate) fn can_be_left_out(name: &str) -> bool {
    const NAMES: [&str; 24] = [
        "min",
        "max",
        "filter",
        "rev",
        "skip",
        "take",
        "without",
        "minus",
        "and",
        "union",
        "or",
        "xor",
        "forced",
        "saturating_sub",
        "saturating_add",
        "wrapping_add",
        "wrapping_sub",
        "wrapping_shl",
        "wrapping_shr",
        "take_while",
        "skip_while",
        "or_else",
        "chain",
        "relabel",
    ];
    NAMES.contains(&name) || name.starts_with("with")
}

/// Methods whose closure says yes or no.
pub(crate) fn takes_a_truth(name: &str) -> bool {
    const NAMES: [&str; 12] = [
        "filter",
        "any",
        "all",
        "find",
        "position",
        "take_while",
        "skip_while",
        "is_some_and",
        "is_none_or",
        "retain",
        "is_ok_and",
        "take_if",
    ];
    NAMES.contains(&name)
}

/// Constants that stand in the place of this one.
pub(crate) fn other_constants(of: &str, name: &str) -> &'static [&'static str] {
    match (of, name) {
        ("PortClass", "NODE") => &["LOCAL"],
        ("PortClass", "LOCAL") => &["GLOBAL"],
        ("PortClass", "GLOBAL") => &["LOCAL"],
        ("PortSet" | "VcSet", "EMPTY") => &["ALL"],
        ("MAX", "MIN") => &["MIN"],
        _ => &[],
    }
}

/// Whether a statement of this expression can be left out.
pub(crate) fn can_be_dropped(expression: &Expr) -> bool {
    match expression {
        Expr::Binary(binary) => assigns(&binary.op),
        Expr::MethodCall(_)
        | Expr::Call(_)
        | Expr::Assign(_)
        | Expr::Return(_)
        | Expr::Break(_)
        | Expr::Continue(_)
        | Expr::Try(_)
        | Expr::ForLoop(_)
        | Expr::While(_) => true,
        Expr::If(branch) => branch.else_branch.is_none(),
        _ => false,
    }
}

/// Code that is not in every build of the library: tests, and other features.
pub(crate) fn is_left_out(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let text = match &attribute.meta {
            syn::Meta::List(list) if attribute.path().is_ident("cfg") => list.tokens.to_string(),
            _ => return attribute.path().is_ident("test"),
        };
        text.starts_with("test") || text.starts_with("feature") || text.starts_with("all (test")
    })
}

/// Whether an item is not judged: it is left out, or it writes things for people.
pub(crate) fn is_out(item: &Item) -> bool {
    let attributes = match item {
        Item::Const(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => {
            let of = item.trait_.as_ref().and_then(|(_, path, _)| path.segments.last());
            if of.is_some_and(|of| {
                matches!(of.ident.to_string().as_str(), "Debug" | "Display" | "Format" | "Error")
            }) {
                return true;
            }
            &item.attrs
        }
        Item::Mod(item) => &item.attrs,
        Item::Use(_) | Item::Struct(_) | Item::Enum(_) | Item::Type(_) => return true,
        _ => return false,
    };
    is_left_out(attributes)
}
