//! All mistakes of a text at once: it is read item by item, and in a section clause by clause, so that a
//! mistake in one does not hide those in others.

use std::ops::Range;

use pest::Parser as _;
use pest::error::{Error, ErrorVariant, InputLocation};

use super::failure::Failure;
use super::grammar::{Grammar, Rule};
use super::lower::Lowering;
use super::outline::{Fault, Kind, Stretch, outline};
use super::page::Page;
use super::scan::{Sort, Token, hole_around, scan};
use super::slips;
use crate::diagnostic::Diagnostic;
use crate::source::SourceId;

/// After how many mistakes no more are looked for.
const ENOUGH: usize = 100;

/// Says what is wrong with a text that does not parse, in the order of the text.
pub(super) fn diagnose(source: SourceId, text: &str, error: &Error<Rule>) -> Vec<Diagnostic> {
    let tokens = scan(text);
    let page = Page {
        source,
        text,
        tokens: &tokens,
    };
    if tokens.is_empty() {
        return vec![slips::missing_header(page.span(0))];
    }
    let mut diagnostics = Vec::new();
    let stretches = outline(page);
    let header = stretches
        .iter()
        .position(|stretch| matches!(stretch.kind, Kind::Header));
    let mut failed_before = false;
    for (place, stretch) in stretches.iter().enumerate() {
        if failed_before && is_surplus_brace(stretch) {
            // It closes what the stretch before it should have opened.
            continue;
        }
        let found = header_fault(page, place, stretch, header)
            .unwrap_or_else(|| read_stretch(page, stretch));
        failed_before = !found.is_empty();
        diagnostics.extend(found);
        if diagnostics.len() >= ENOUGH {
            break;
        }
    }
    if diagnostics.is_empty() {
        // The parts can be read and the whole cannot.
        let all = 0..tokens.len();
        diagnostics.push(explain(page, Rule::rule_file, &all, 0, error));
    }
    diagnostics.sort_by_key(|diagnostic| diagnostic.span);
    diagnostics
}

/// Says what is wrong with the bytes `range` of a text, which are no expression.
pub(super) fn diagnose_expression(
    source: SourceId,
    text: &str,
    range: &Range<usize>,
    error: &Error<Rule>,
) -> Diagnostic {
    let tokens = scan_part(text, range).unwrap_or_default();
    let page = Page {
        source,
        text,
        tokens: &tokens,
    };
    explain(
        page,
        Rule::expr_alone,
        &(0..tokens.len()),
        range.start,
        error,
    )
}

/// The words of a part of a text.
fn scan_part(text: &str, range: &Range<usize>) -> Option<Vec<Token>> {
    let mut tokens = scan(text.get(range.clone())?);
    for token in &mut tokens {
        token.start += range.start;
        token.end += range.start;
        token.first = false;
    }
    Some(tokens)
}

/// Whether a stretch is nothing but a brace that closes nothing.
fn is_surplus_brace(stretch: &Stretch) -> bool {
    matches!(stretch.fault, Some(Fault::Surplus(at)) if at == stretch.tokens.start)
}

/// What is wrong with a stretch as far as the header is concerned, which is the stretch at `header`.
fn header_fault(
    page: Page,
    place: usize,
    stretch: &Stretch,
    header: Option<usize>,
) -> Option<Vec<Diagnostic>> {
    let start = stretch.tokens.start;
    let is_known = page.opens_item(start) || matches!(stretch.kind, Kind::Clause);
    match header {
        Some(header) if place < header && !is_known => {
            Some(read(page, Rule::header_alone, &stretch.tokens))
        }
        Some(header) if place == header && page.opens_item(0) && header > 0 => {
            Some(vec![slips::late_header(page.span(start))])
        }
        Some(header) if place > header && matches!(stretch.kind, Kind::Header) => {
            Some(vec![slips::second_header(page.span(start))])
        }
        None if place == 0 => {
            let header = slips::missing_header(page.span(0));
            let mut diagnostics = vec![header.did_you_mean(page.word(0), ["game", "variant"])];
            if is_known {
                diagnostics.extend(read_stretch(page, stretch));
            }
            Some(diagnostics)
        }
        _ => None,
    }
}

/// Reads a stretch by itself.
fn read_stretch(page: Page, stretch: &Stretch) -> Vec<Diagnostic> {
    let tokens = &stretch.tokens;
    let mut diagnostics = match (&stretch.kind, stretch.fault) {
        (Kind::Header, _) => read(page, Rule::header_alone, tokens),
        (Kind::Clause, _) => vec![slips::clause_outside_section(page, tokens.start)],
        (Kind::Section { head, clauses }, fault) => {
            read_section(page, tokens, head, clauses, fault)
        }
        (Kind::Item, Some(Fault::Unclosed(_))) => Vec::new(),
        (Kind::Item, Some(Fault::Surplus(at))) if at == tokens.start => Vec::new(),
        (Kind::Item, Some(Fault::Surplus(at))) => {
            read(page, Rule::items_alone, &(tokens.start..at))
        }
        (Kind::Item, _) => read(page, Rule::items_alone, tokens),
    };
    let has_open_text = tokens
        .clone()
        .any(|at| page.sort(at) == Some(Sort::OpenText));
    match stretch.fault {
        Some(Fault::Unclosed(brace)) if !has_open_text => {
            diagnostics.push(slips::unclosed_brace(page, tokens.start, brace));
        }
        Some(Fault::Surplus(at)) if diagnostics.is_empty() => {
            diagnostics.push(slips::surplus_brace(page.span(at)));
        }
        Some(Fault::Missing(at)) => diagnostics.push(slips::missing_brace(page, tokens.start, at)),
        _ => {}
    }
    diagnostics
}

/// Reads a section, and if it has a mistake, its head and each of its clauses by itself.
fn read_section(
    page: Page,
    tokens: &Range<usize>,
    head: &Range<usize>,
    clauses: &[Range<usize>],
    fault: Option<Fault>,
) -> Vec<Diagnostic> {
    let mut whole = Vec::new();
    if fault.is_none() {
        whole = read(page, Rule::items_alone, tokens);
        if whole.is_empty() {
            return whole;
        }
    }
    let mut diagnostics = Vec::new();
    if !matches!(fault, Some(Fault::Missing(_))) {
        diagnostics.extend(read(page, Rule::section_head_alone, head));
    }
    for clause in clauses {
        diagnostics.extend(read(page, Rule::clauses_alone, clause));
    }
    if diagnostics.is_empty() {
        whole
    } else {
        diagnostics
    }
}

/// Reads some tokens as `rule` and says what is wrong with them.
fn read(page: Page, rule: Rule, tokens: &Range<usize>) -> Vec<Diagnostic> {
    let start = page.start(tokens.start);
    let end = page.start(tokens.end);
    let text = page.text.get(start..end).unwrap_or("");
    let pairs = match Grammar::parse(rule, text) {
        Ok(pairs) => pairs,
        Err(error) => return vec![explain(page, rule, tokens, start, &error)],
    };
    let lowering = Lowering::new(page.source, start, text.len());
    for node in pairs {
        lowering.check_alone(node);
    }
    lowering.finish()
}

/// Says why some tokens cannot be read.
fn explain(
    page: Page,
    entry: Rule,
    tokens: &Range<usize>,
    start: usize,
    error: &Error<Rule>,
) -> Diagnostic {
    let (InputLocation::Pos(at) | InputLocation::Span((at, _))) = error.location;
    let at = start + at;
    match &error.variant {
        ErrorVariant::ParsingError { positives, .. } => {
            if let Some(tokens) = tokens_of_hole(page, at) {
                let page = Page {
                    tokens: &tokens,
                    ..page
                };
                let failure = Failure::new(page, 0..tokens.len(), at, Rule::hole, positives);
                return slips::recognise(&failure).unwrap_or_else(|| failure.plain());
            }
            let failure = Failure::new(page, tokens.clone(), at, entry, positives);
            slips::recognise(&failure).unwrap_or_else(|| failure.plain())
        }
        ErrorVariant::CustomError { .. } => {
            let index = page.tokens.partition_point(|token| token.end <= at);
            slips::too_deep(page.span(index))
        }
    }
}

/// The words in the hole that byte `at` lies in, if it lies in the hole of a text.
fn tokens_of_hole(page: Page, at: usize) -> Option<Vec<Token>> {
    let index = page.tokens.partition_point(|token| token.end <= at);
    let text = page
        .tokens
        .get(index)
        .filter(|token| token.sort == Sort::Text && token.start < at)?;
    let hole = hole_around(page.word(index), at - text.start)?;
    scan_part(page.text, &(text.start + hole.start..text.start + hole.end))
}
