//! Error recovery: finds all mistakes of a text at once, by parsing it item by item, and in a section clause by clause.

use std::ops::Range;

use pest::error::{Error, ErrorVariant, InputLocation};

use super::failure::Failure;
use super::grammar::{self, Rule};
use super::lexer::{Lexed, TokenKind, tokens, tokens_of_part};
use super::lower::Lowering;
use super::mistakes;
use super::outline::{Fault, Kind, Stretch, outline};
use crate::diagnostic::Diagnostic;
use crate::source::SourceId;

/// After how many mistakes the search stops.
pub(super) const ENOUGH: usize = 100;

/// The mistakes of a text that does not parse, in order.
pub(super) fn diagnose(source: SourceId, text: &str, error: &Error<Rule>) -> Vec<Diagnostic> {
    let tokens = tokens(text);
    let lexed = Lexed {
        source,
        text,
        tokens: &tokens,
    };
    if tokens.is_empty() {
        return vec![mistakes::missing_header(lexed.span(0))];
    }
    let mut diagnostics = Vec::new();
    let stretches = outline(lexed);
    let is_header = |stretch: &Stretch| matches!(stretch.kind, Kind::Header);
    let header = stretches.iter().position(is_header);
    let mut failed_before = false;
    // If a section is closed too early, one message about the clauses after it is enough.
    let mut said_outside = false;
    for (place, stretch) in stretches.iter().enumerate() {
        let is_brace =
            matches!(stretch.fault, Some(Fault::Surplus(at)) if at == stretch.tokens.start);
        if failed_before && is_brace {
            // It closes what the stretch before should have opened.
            continue;
        }
        let is_outside = matches!(stretch.kind, Kind::Clause);
        if said_outside && is_outside {
            continue;
        }
        said_outside = is_outside || said_outside && !matches!(stretch.kind, Kind::Section { .. });
        let found = header_fault(lexed, place, stretch, header)
            .unwrap_or_else(|| read_stretch(lexed, stretch));
        failed_before = !found.is_empty();
        diagnostics.extend(found);
        if diagnostics.len() >= ENOUGH {
            break;
        }
    }
    if diagnostics.is_empty() {
        // Each part parses, but the whole does not.
        let all = 0..tokens.len();
        diagnostics.push(explain(lexed, Rule::rule_file, &all, 0, error));
    }
    diagnostics.sort_by_key(|diagnostic| diagnostic.span);
    diagnostics
}

/// The mistakes in the bytes `range` of a text, which do not parse as an expression.
pub(super) fn diagnose_expression(
    source: SourceId,
    text: &str,
    range: &Range<usize>,
    error: &Error<Rule>,
) -> Diagnostic {
    let tokens = tokens_of_part(text, range);
    let lexed = Lexed {
        source,
        text,
        tokens: &tokens,
    };
    let all = 0..tokens.len();
    explain(lexed, Rule::expr_alone, &all, range.start, error)
}

/// The mistake of a stretch in relation to the header, which is the stretch at index `header`.
fn header_fault(
    lexed: Lexed,
    place: usize,
    stretch: &Stretch,
    header: Option<usize>,
) -> Option<Vec<Diagnostic>> {
    let start = stretch.tokens.start;
    let is_known = lexed.opens_item(start) || matches!(stretch.kind, Kind::Clause);
    match header {
        Some(header) if place < header && !is_known => {
            Some(read(lexed, Rule::header_alone, &stretch.tokens))
        }
        Some(header) if place == header && lexed.opens_item(0) && header > 0 => {
            Some(vec![mistakes::late_header(lexed.span(start))])
        }
        Some(header) if place > header && matches!(stretch.kind, Kind::Header) => {
            Some(vec![mistakes::second_header(lexed.span(start))])
        }
        None if place == 0 => {
            let header = mistakes::missing_header(lexed.span(0));
            let mut diagnostics = vec![header.did_you_mean(lexed.word(0), ["game", "variant"])];
            if is_known {
                diagnostics.extend(read_stretch(lexed, stretch));
            }
            Some(diagnostics)
        }
        _ => None,
    }
}

/// Parses a stretch by itself.
fn read_stretch(lexed: Lexed, stretch: &Stretch) -> Vec<Diagnostic> {
    let tokens = &stretch.tokens;
    let mut diagnostics = match (&stretch.kind, stretch.fault) {
        (Kind::Header, _) => read(lexed, Rule::header_alone, tokens),
        (Kind::Clause, _) => vec![mistakes::clause_outside_section(lexed, tokens.start)],
        (Kind::Section { head, clauses }, fault) => {
            read_section(lexed, tokens, head, clauses, fault)
        }
        (Kind::Item, Some(Fault::Unclosed(_))) => Vec::new(),
        (Kind::Item, Some(Fault::Surplus(at))) if at == tokens.start => Vec::new(),
        (Kind::Item, Some(Fault::Surplus(at))) => {
            read(lexed, Rule::items_alone, &(tokens.start..at))
        }
        (Kind::Item, _) => read(lexed, Rule::items_alone, tokens),
    };
    let is_open = |at: usize| lexed.kind(at) == Some(TokenKind::OpenText);
    match stretch.fault {
        Some(Fault::Unclosed(brace)) if !tokens.clone().any(is_open) => {
            diagnostics.push(mistakes::unclosed_brace(lexed, tokens.start, brace));
        }
        Some(Fault::Surplus(at)) if diagnostics.is_empty() => {
            diagnostics.push(mistakes::surplus_brace(lexed.span(at)));
        }
        Some(Fault::Missing(at)) => {
            diagnostics.push(mistakes::missing_brace(lexed, tokens.start, at));
        }
        _ => {}
    }
    diagnostics
}

/// Parses a section and, if it has a mistake, its head and each of its clauses by itself.
fn read_section(
    lexed: Lexed,
    tokens: &Range<usize>,
    head: &Range<usize>,
    clauses: &[Range<usize>],
    fault: Option<Fault>,
) -> Vec<Diagnostic> {
    let mut whole = Vec::new();
    if fault.is_none() {
        whole = read(lexed, Rule::items_alone, tokens);
        if whole.is_empty() {
            return whole;
        }
    }
    let mut diagnostics = Vec::new();
    if !matches!(fault, Some(Fault::Missing(_))) {
        diagnostics.extend(read(lexed, Rule::section_head_alone, head));
    }
    for clause in clauses {
        diagnostics.extend(read(lexed, Rule::clauses_alone, clause));
    }
    if diagnostics.is_empty() {
        whole
    } else {
        diagnostics
    }
}

/// Parses some tokens as `rule` and returns their mistakes.
fn read(lexed: Lexed, rule: Rule, tokens: &Range<usize>) -> Vec<Diagnostic> {
    let start = lexed.start(tokens.start);
    let text = lexed.text.get(start..lexed.start(tokens.end)).unwrap_or("");
    match grammar::parse(rule, text) {
        Ok(nodes) => {
            let lowering = Lowering::new(lexed.source, start, text.len());
            nodes.for_each(|node| lowering.check_alone(node));
            lowering.finish()
        }
        Err(error) => vec![explain(lexed, rule, tokens, start, &error)],
    }
}

/// Explains why some tokens do not parse.
fn explain(
    lexed: Lexed,
    entry: Rule,
    tokens: &Range<usize>,
    start: usize,
    error: &Error<Rule>,
) -> Diagnostic {
    let (InputLocation::Pos(at) | InputLocation::Span((at, _))) = error.location;
    let at = start + at;
    let ErrorVariant::ParsingError { positives, .. } = &error.variant else {
        // The stack is too small even for moderate nesting.
        return mistakes::too_deep(lexed.span(lexed.index_at(at)));
    };
    let hole = lexed.tokens_of_hole(at);
    let failure = match &hole {
        Some(tokens) => {
            let lexed = Lexed { tokens, ..lexed };
            Failure::new(lexed, 0..tokens.len(), at, Rule::hole, positives)
        }
        None => Failure::new(lexed, tokens.clone(), at, entry, positives),
    };
    mistakes::recognise(&failure).unwrap_or_else(|| failure.plain())
}
