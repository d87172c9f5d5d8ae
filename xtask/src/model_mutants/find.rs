//! Finds all slips in a file of the model.

use super::site::{Bytes, Kind, Site};
use super::{swap, words};
use proc_macro2::Span;
use std::collections::{BTreeMap, BTreeSet};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{BinOp, Block, Expr, ExprLit, Item, Lit, Member, Pat, ReturnType, Stmt, Type, UnOp};

/// What can be mistaken for each other: fields of one struct with one type, variants of one enum.
#[derive(Debug, Default)]
pub(crate) struct Neighbours {
    fields: BTreeMap<String, BTreeSet<String>>,
    variants: BTreeMap<(String, String), String>,
}

impl Neighbours {
    /// Takes in what a file defines.
    pub(crate) fn read(&mut self, file: &syn::File) {
        self.visit_file(file);
    }
}

impl<'ast> Visit<'ast> for Neighbours {
    fn visit_item_struct(&mut self, item: &'ast syn::ItemStruct) {
        let named = item.fields.iter().filter_map(|field| {
            let ty = &field.ty;
            Some((field.ident.as_ref()?.to_string(), text_of(ty)))
        });
        let named: Vec<_> = named.collect();
        for pair in named.windows(2).filter(|pair| pair[0].1 == pair[1].1) {
            self.fields.entry(pair[0].0.clone()).or_default().insert(pair[1].0.clone());
            self.fields.entry(pair[1].0.clone()).or_default().insert(pair[0].0.clone());
        }
    }

    fn visit_item_enum(&mut self, item: &'ast syn::ItemEnum) {
        let unit = |variant: &&syn::Variant| variant.fields.is_empty();
        let variants: Vec<_> = item.variants.iter().filter(unit).map(|v| v.ident.to_string()).collect();
        for (at, variant) in variants.iter().enumerate() {
            let next = &variants[(at + 1) % variants.len()];
            if next != variant {
                self.variants.insert((item.ident.to_string(), variant.clone()), next.clone());
            }
        }
    }
}

/// A type as text, to compare it.
fn text_of(ty: &Type) -> String {
    quote::ToTokens::to_token_stream(ty).to_string()
}

/// All slips in a file.
pub(crate) fn sites(name: &str, text: &str, file: &syn::File, neighbours: &Neighbours) -> Vec<Site> {
    let mut finder = Finder { name, text, neighbours, whole: None, constant: None, sites: Vec::new() };
    finder.visit_file(file);
    let mut sites = finder.sites;
    sites.sort();
    sites.dedup();
    sites
}

struct Finder<'a> {
    name: &'a str,
    text: &'a str,
    neighbours: &'a Neighbours,
    /// What is chosen as a whole where an expression is a place: the expression around it that is a value.
    whole: Option<Bytes>,
    /// The constant that is being read.
    constant: Option<Bytes>,
    sites: Vec<Site>,
}

/// The bytes of something.
pub(crate) fn bytes(of: &impl Spanned) -> Bytes {
    bytes_of(of.span())
}

fn bytes_of(span: Span) -> Bytes {
    let range = span.byte_range();
    Bytes { start: range.start, end: range.end }
}

impl Finder<'_> {
    fn add(&mut self, whole: Bytes, slip: Bytes, by: impl Into<String>) {
        let (whole, kind) = self.constant.map_or((whole, Kind::Value), |all| (all, Kind::Constant));
        let by = by.into();
        if by != slip.of(self.text) {
            self.sites.push(Site { file: self.name.to_owned(), whole, slip, by, kind });
        }
    }

    /// A truth the other way round.
    fn negate(&mut self, expression: &Expr) {
        let covered = match expression {
            Expr::Binary(binary) => words::others(&binary.op).len() + words::truths(&binary.op) > 0,
            Expr::Unary(unary) => matches!(unary.op, UnOp::Not(_)),
            Expr::Lit(_) | Expr::Let(_) | Expr::Block(_) => true,
            Expr::Paren(paren) => return self.negate(&paren.expr),
            _ => false,
        };
        if !covered {
            let all = bytes(expression);
            self.add(all, all, format!("!({})", all.of(self.text)));
        }
    }

    /// Reads an expression; what is chosen for a place in it is this.
    fn within(&mut self, whole: Bytes, expression: &Expr) {
        self.whole = Some(whole);
        self.visit_expr(expression);
        self.whole = None;
    }

    fn each<'e>(&mut self, expressions: impl IntoIterator<Item = &'e Expr>) {
        for expression in expressions {
            self.whole = None;
            self.visit_expr(expression);
        }
    }

    fn swaps<'e>(&mut self, whole: Bytes, arguments: impl IntoIterator<Item = &'e Expr>) {
        let arguments: Vec<_> = arguments.into_iter().collect();
        for (slip, by) in swap::neighbours(self.text, &arguments) {
            self.add(whole, slip, by);
        }
    }

    fn drop_statement(&mut self, statement: &Stmt) {
        let whole = bytes(statement);
        if self.constant.is_none() {
            let (file, by) = (self.name.to_owned(), String::new());
            self.sites.push(Site { file, whole, slip: whole, by, kind: Kind::Dropped });
        }
    }

    fn literal(&mut self, literal: &ExprLit) {
        let slip = bytes(literal);
        match &literal.lit {
            Lit::Int(number) => {
                let Ok(value) = number.base10_parse::<u128>() else { return };
                let suffix = number.suffix();
                self.add(slip, slip, format!("{}{suffix}", value.saturating_add(1)));
                if value > 0 {
                    self.add(slip, slip, format!("{}{suffix}", value - 1));
                }
            }
            Lit::Bool(truth) => self.add(slip, slip, (!truth.value).to_string()),
            _ => {}
        }
    }

    fn binary(&mut self, binary: &syn::ExprBinary, whole: Bytes) {
        let has_let = matches!(binary.op, BinOp::And(_) | BinOp::Or(_))
            && (contains_let(&binary.left) || contains_let(&binary.right));
        if !has_let {
            for by in words::others(&binary.op) {
                self.add(whole, bytes(&binary.op), *by);
            }
        }
        if matches!(binary.op, BinOp::And(_) | BinOp::Or(_)) {
            self.negate(&binary.left);
            self.negate(&binary.right);
        }
        if words::assigns(&binary.op) {
            self.within(whole, &binary.left);
        } else {
            self.each([&*binary.left]);
        }
        self.each([&*binary.right]);
    }

    fn method(&mut self, call: &syn::ExprMethodCall, whole: Bytes) {
        let name = call.method.to_string();
        for by in words::other_methods(&name) {
            self.add(whole, bytes(&call.method), by);
        }
        if words::can_be_left_out(&name) {
            self.add(whole, bytes(call), bytes(&call.receiver).of(self.text));
        }
        if words::takes_a_truth(&name) {
            for argument in &call.args {
                if let Expr::Closure(closure) = argument {
                    self.negate(&closure.body);
                }
            }
        }
        if matches!(name.as_str(), "then" | "then_some") {
            self.negate(&call.receiver);
        }
        self.swaps(whole, &call.args);
        self.within(whole, &call.receiver);
        self.each(&call.args);
    }

    fn structure(&mut self, structure: &syn::ExprStruct, whole: Bytes) {
        let fields: Vec<_> = structure.fields.iter().collect();
        for pair in fields.windows(2) {
            let slip = Bytes { start: bytes(pair[0]).start, end: bytes(pair[1]).end };
            let value = |at: usize| bytes(&pair[at].expr).of(self.text);
            let name = |at: usize| bytes(&pair[at].member).of(self.text);
            let by = format!("{}: {}, {}: {}", name(0), value(1), name(1), value(0));
            self.add(whole, slip, by);
        }
        self.each(
            structure.fields.iter().filter(|field| field.colon_token.is_some()).map(|field| &field.expr),
        );
        self.each(structure.rest.as_deref());
    }

    fn path(&mut self, path: &syn::ExprPath, whole: Bytes) {
        let segments = &path.path.segments;
        if segments.len() < 2 {
            return;
        }
        let (of, one) = (&segments[segments.len() - 2], &segments[segments.len() - 1]);
        let (of, name) = (of.ident.to_string(), one.ident.to_string());
        if let Some(other) = self.neighbours.variants.get(&(of.clone(), name.clone())) {
            self.add(whole, bytes(&one.ident), other.clone());
        }
        for by in words::other_constants(&of, &name) {
            self.add(whole, bytes(&one.ident), *by);
        }
    }

    fn field(&mut self, field: &syn::ExprField, whole: Bytes) {
        if let Member::Named(name) = &field.member {
            let others = self.neighbours.fields.get(&name.to_string()).cloned().unwrap_or_default();
            for other in others {
                self.add(whole, bytes(name), other);
            }
        }
        self.within(whole, &field.base);
    }

    fn call(&mut self, call: &syn::ExprCall, whole: Bytes) {
        if bytes(&call.func).of(self.text) == "Some" {
            self.add(whole, bytes(call), "None");
        }
        self.swaps(whole, &call.args);
        self.each([&*call.func]);
        self.each(&call.args);
    }

    fn range(&mut self, range: &syn::ExprRange) {
        if let Some(end) = range.end.as_deref().filter(|end| !matches!(end, Expr::Lit(_))) {
            let all = bytes(end);
            let sign = if matches!(range.limits, syn::RangeLimits::HalfOpen(_)) { '+' } else { '-' };
            self.add(all, all, format!("({}) {sign} 1", all.of(self.text)));
        }
    }
}

fn contains_let(expression: &Expr) -> bool {
    match expression {
        Expr::Let(_) => true,
        Expr::Binary(binary) => contains_let(&binary.left) || contains_let(&binary.right),
        _ => false,
    }
}

impl<'ast> Visit<'ast> for Finder<'_> {
    fn visit_item(&mut self, item: &'ast Item) {
        if !words::is_out(item) {
            visit::visit_item(self, item);
        }
    }

    fn visit_item_const(&mut self, item: &'ast syn::ItemConst) {
        self.constant = Some(bytes(&item.expr));
        self.visit_expr(&item.expr);
        self.constant = None;
    }

    fn visit_impl_item_const(&mut self, item: &'ast syn::ImplItemConst) {
        self.constant = Some(bytes(&item.expr));
        self.visit_expr(&item.expr);
        self.constant = None;
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        if !words::is_left_out(&item.attrs) {
            self.truth(&item.sig.output, &item.block);
            visit::visit_impl_item_fn(self, item);
        }
    }

    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.truth(&item.sig.output, &item.block);
        visit::visit_item_fn(self, item);
    }

    fn visit_item_macro(&mut self, item: &'ast syn::ItemMacro) {
        if item.mac.path.is_ident("macro_rules") {
            self.sites.extend(super::body::sites(self.name, self.text, item.mac.tokens.clone()));
        }
    }

    fn visit_pat(&mut self, _: &'ast Pat) {}
    fn visit_type(&mut self, _: &'ast Type) {}
    fn visit_generic_argument(&mut self, _: &'ast syn::GenericArgument) {}
    fn visit_attribute(&mut self, _: &'ast syn::Attribute) {}
    fn visit_variant(&mut self, _: &'ast syn::Variant) {}

    fn visit_arm(&mut self, arm: &'ast syn::Arm) {
        self.whole = None;
        if let Some((_, guard)) = &arm.guard {
            self.negate(guard);
            self.visit_expr(guard);
        }
        self.each([&*arm.body]);
    }

    fn visit_stmt(&mut self, statement: &'ast Stmt) {
        self.whole = None;
        match statement {
            Stmt::Expr(expression, _) if words::can_be_dropped(expression) => self.drop_statement(statement),
            Stmt::Local(local) if words::is_left_out(&local.attrs) => return,
            _ => {}
        }
        visit::visit_stmt(self, statement);
    }

    fn visit_expr(&mut self, expression: &'ast Expr) {
        let own = bytes(expression);
        let whole = self.whole.take().unwrap_or(own);
        match expression {
            Expr::Const(_) | Expr::Macro(_) | Expr::Repeat(_) => {}
            Expr::Lit(literal) => self.literal(literal),
            Expr::Binary(binary) => self.binary(binary, whole),
            Expr::Unary(unary) => {
                if matches!(unary.op, UnOp::Not(_)) {
                    self.add(own, own, bytes(&unary.expr).of(self.text));
                }
                self.within(whole, &unary.expr);
            }
            Expr::MethodCall(call) => self.method(call, whole),
            Expr::Call(call) => self.call(call, whole),
            Expr::Struct(structure) => self.structure(structure, whole),
            Expr::Path(path) => self.path(path, whole),
            Expr::Field(field) => self.field(field, whole),
            Expr::Tuple(tuple) => {
                self.swaps(whole, &tuple.elems);
                self.each(&tuple.elems);
            }
            Expr::Array(array) => {
                self.swaps(whole, &array.elems);
                self.each(&array.elems);
            }
            Expr::Assign(assignment) => {
                self.within(whole, &assignment.left);
                self.each([&*assignment.right]);
            }
            Expr::Reference(reference) => self.within(whole, &reference.expr),
            Expr::Paren(paren) => self.within(whole, &paren.expr),
            Expr::Try(tried) => self.within(whole, &tried.expr),
            Expr::Index(index) => {
                self.within(whole, &index.expr);
                self.each([&*index.index]);
            }
            Expr::If(branch) => {
                self.negate(&branch.cond);
                visit::visit_expr(self, expression);
            }
            Expr::While(branch) => {
                self.negate(&branch.cond);
                visit::visit_expr(self, expression);
            }
            Expr::Range(range) => {
                self.range(range);
                visit::visit_expr(self, expression);
            }
            _ => visit::visit_expr(self, expression),
        }
    }
}

impl Finder<'_> {
    /// What a function of type `bool` says, the other way round.
    fn truth(&mut self, output: &ReturnType, block: &Block) {
        let ReturnType::Type(_, ty) = output else { return };
        if text_of(ty) == "bool"
            && let Some(Stmt::Expr(last, None)) = block.stmts.last()
            && !matches!(last, Expr::If(_) | Expr::Match(_))
        {
            self.negate(last);
        }
    }
}
