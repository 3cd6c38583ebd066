//! Ambiguity of patterns: whether two different values of a pattern's holes can be written alike.

mod words;

use std::collections::BTreeSet;

use super::{
    forms::Forms,
    reads::{self, Reads},
};
use crate::{
    diagnostic::{Code, Diagnostic},
    program::{Hole, Item, Program, Reading, Segment, Target, Via},
    source::Span,
    types::Type,
};
use words::{Part, Step, Word};

/// How many values of a product can be read by its written form.
const MOST_FORMS: u64 = 4096;

/// Reports ambiguous patterns, and holes that cannot read all values of their type.
pub(super) fn check(program: &Program) -> Vec<Diagnostic> {
    let forms = Forms::new(program);
    let mut patterns = Vec::new();
    for transcript in &program.transcripts {
        reads::patterns(&transcript.steps, &mut patterns);
    }
    let mut diagnostics = Vec::new();
    for pattern in &patterns {
        for pair in pattern.items.windows(2) {
            diagnostics.extend(ends_by_member(&forms, pair));
        }
    }
    for item in patterns.into_iter().flat_map(|pattern| &pattern.items) {
        let wrong: Vec<Diagnostic> = item
            .holes()
            .into_iter()
            .filter_map(|hole| unreadable(program, &forms, hole))
            .collect();
        if !wrong.is_empty() {
            diagnostics.extend(wrong);
        } else if let Item::Word(segments) = item {
            diagnostics.extend(two_readings(&forms, segments));
        }
    }
    diagnostics
}

/// Reports a list that ends at a text which may also be one of its members.
fn ends_by_member(forms: &Forms<'_>, pair: &[Item]) -> Option<Diagnostic> {
    let [Item::Many { hole, count: None }, Item::Word(segments)] = pair else {
        return None;
    };
    let [Segment::Literal(text)] = segments.as_slice() else {
        return None;
    };
    let member = Segment::Hole(Box::new(hole.clone()));
    let part = Part::of(forms, &member, None)?;
    let name = &hole.name;
    let message = if is_between(hole, text) {
        format!("`{text}` stands between two of `{name}` here, and also after the last")
    } else if !hole.ty.is_text() && is_in_list(&part, hole, text) {
        // If it may be any word, reading up to the text is intended.
        format!("`{text}` may be one of `{name}` here, or what comes after them")
    } else {
        return None;
    };
    Some(
        Diagnostic::error(Code::TwoReadings, hole.span, message)
            .help("put a word after them that none of them is written as"),
    )
}

/// Whether a member of a list, with the text that touches it, can be this word.
fn is_in_list(part: &Part<'_>, hole: &Hole, word: &str) -> bool {
    let (mut before, mut after) = (vec![""], vec![""]);
    if let Some(between) = &hole.between {
        before.extend([between.by.after(), between.last.after()]);
        after.extend([between.by.before(), between.last.before()]);
    }
    let without = |before: &&str| word.strip_prefix(*before);
    let mut rests = before.iter().filter_map(without);
    rests.any(|rest| {
        let without = |after: &&str| rest.strip_suffix(*after);
        let mut members = after.iter().filter_map(without);
        members.any(|member| {
            let mut characters = member.chars();
            let at = characters.try_fold(0, |at, it| part.next[at].get(&it).copied());
            at.is_some_and(|at| part.ends.contains(&at))
        })
    })
}

/// Whether a word can be between two members of a list.
fn is_between(hole: &Hole, word: &str) -> bool {
    let between = hole.between.iter();
    let mut separators = between.flat_map(|between| [&between.by, &between.last]);
    separators.any(|separator| separator.words().iter().any(|own| own == word))
}

/// Reports a hole that can never read some values of its type.
fn unreadable(program: &Program, forms: &Forms<'_>, hole: &Hole) -> Option<Diagnostic> {
    let ty = match hole.via {
        Via::Joined => hole.ty.element()?,
        Via::Form | Via::Attribute(..) => hole.ty.required(),
    };
    let named = program.types.display(ty);
    if let (Type::Product(_), Some(count)) = (ty, program.types.capacity(ty))
        && count > MOST_FORMS
    {
        let is_partial = program.conditions.iter();
        let is_partial = is_partial
            .map(|(id, ..)| Type::Product(*id))
            .any(|one| one == *ty);
        let what = if is_partial {
            "combinations, those that its `where` leaves out included"
        } else {
            "values"
        };
        let message = format!(
            "`{}` cannot be read: {named} has {count} {what}, and one hole reads a type of at most {MOST_FORMS}",
            hole.name
        );
        return Some(
            Diagnostic::error(Code::HoleForm, hole.span, message)
                .help("read its parts in holes of their own, as fields of the event, and put them together there"),
        );
    }
    let Target::Given(..) = hole.target else {
        return None;
    };
    let attribute = matches!(hole.via, Via::Attribute(..));
    let sized = matches!(ty, Type::Member(_) | Type::Product(_)) && forms.is_sized_by_given(ty);
    let why = if sized {
        "how many of them there are"
    } else if !attribute && is_written_by_given(program, ty) {
        "how they are written"
    } else {
        return None;
    };
    let message = format!(
        "`{}` cannot be read here: {named} is not known before the game starts, since something given says {why}",
        hole.name
    );
    Some(
        Diagnostic::error(Code::HoleForm, hole.span, message).help(
            "read a number or a word instead; or read it with an event after `start`, and keep it in a state",
        ),
    )
}

/// Whether the written form of the type, or of a part of it, depends on a given.
fn is_written_by_given(program: &Program, ty: &Type) -> bool {
    let whole = match ty {
        Type::Member(part) => program.types.whole(part.kind),
        other => other.clone(),
    };
    let Some(write) = program.writes.iter().find(|write| write.ty == whole) else {
        return match &whole {
            Type::Product(id) => {
                let fields = &program.types.product(*id).fields;
                fields
                    .iter()
                    .any(|field| is_written_by_given(program, field.ty.required()))
            }
            _ => false,
        };
    };
    let mut open: Vec<_> = Reads::of([&write.form]).list;
    let mut seen = BTreeSet::new();
    while let Some(read) = open.pop() {
        match read.what {
            Reading::Given(_) => return true,
            Reading::Fact(fact, _) if seen.insert(fact) => {
                let definition = &program.facts[fact.index()].definition;
                open.extend(Reads::of(reads::of_definition(definition, false)).list);
            }
            _ => {}
        }
    }
    false
}

/// Whether the lengths of its parts determine where each ends: all but the last have a fixed length.
fn has_places(forms: &Forms<'_>, segments: &[Segment]) -> bool {
    let [before @ .., last] = segments else {
        return true;
    };
    let is_of_one_length = |segment: &Segment| match segment {
        Segment::Literal(_) => true,
        Segment::Hole(hole) if hole.absent.is_some() || hole.via == Via::Joined => false,
        Segment::Hole(hole) => forms.hole_forms(hole).is_some_and(|forms| {
            let mut lengths = forms.iter().map(|(_, form)| form.len());
            let first = lengths.next();
            lengths.all(|length| Some(length) == first)
        }),
    };
    let repeats = matches!(last, Segment::Hole(hole) if hole.via == Via::Joined);
    !repeats && before.iter().all(is_of_one_length)
}

fn two_readings(forms: &Forms<'_>, segments: &[Segment]) -> Option<Diagnostic> {
    if has_places(forms, segments) {
        return None;
    }
    let holes = segments.iter().filter_map(|segment| match segment {
        Segment::Hole(hole) => Some(&**hole),
        Segment::Literal(_) => None,
    });
    let place = holes.map(|hole| hole.span).reduce(Span::to)?;
    let mut parts = Vec::new();
    for (index, segment) in segments.iter().enumerate() {
        let after = segments.get(index + 1);
        parts.push(Part::of(forms, segment, after)?);
        parts.extend(Part::more(forms, segment, after));
    }
    let word = Word { parts };
    let steps = word.ambiguous_text()?;
    let text: String = steps.iter().map(|(character, ..)| *character).collect();
    let one: Vec<(char, Step)> = steps.iter().map(|(it, step, _)| (*it, *step)).collect();
    let other: Vec<(char, Step)> = steps.iter().map(|(it, _, step)| (*it, *step)).collect();
    let (one, other) = (word.describe(&one)?, word.describe(&other)?);
    Some(
        Diagnostic::error(
            Code::TwoReadings,
            place,
            format!("`{text}` can be read here in two ways"),
        )
        .note(format!("one is {one}"))
        .note(format!("the other is {other}"))
        .help("put a sign between them that neither can contain, as in `{x}-{y}`, or a blank, or give their values forms of equal length"),
    )
}
