//! Shows a game to its author, or to the author of a variant.

use std::collections::BTreeMap;

use super::{Game, Invalid, load::plain};
use crate::{
    diagnostic::capped,
    library::RuleText,
    lower::{Purpose, lower},
    merge::Edit,
    source::{Sources, Span},
    syntax::{
        self,
        ast::{self, Expr, ExprKind, Header, Item, Name, Prefix, Text, TextPart},
        print,
    },
    types::{Constant, Type},
};

/// The name of the source of a path, in diagnostics.
const PATH: &str = "the path";

/// A variant of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variant {
    /// Its name.
    pub name: String,
    /// Its title.
    pub title: String,
    /// Its author's comment, by lines: after the first line of the file.
    pub meaning: Vec<String>,
    /// Whether it is part of this game.
    pub applied: bool,
}

/// A step in the history of a definition, a row or an option.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    /// The path of what was written or changed, which contains the requested path or is contained in it.
    pub path: String,
    /// What happened to it: `written`, `set`, `added`, `replaced`, `removed` or `excepted`.
    pub edit: &'static str,
    /// The name of the file.
    pub file: String,
    /// The line in it, from 1.
    pub line: usize,
    /// The source at that place.
    pub text: String,
}

/// The history of a definition, a row or an option.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Why {
    /// The steps, in order.
    pub origins: Vec<Origin>,
    /// Its current source; `None` if it was removed.
    pub now: Option<String>,
}

impl Game {
    /// The MIR of the functions whose names contain `function` (all, if that is empty), as it runs after the first few
    /// thousand events. `None` if the game is too large to be lowered.
    ///
    /// The format may change with any version.
    #[must_use]
    pub fn mir(&self, function: &str) -> Option<String> {
        let program = lower(&self.compiled, Purpose::Run)?;
        Some(match function {
            "" => program.module.to_string(),
            name => program.module.text(name),
        })
    }

    /// The type of each fact, as a rule file would write it, by path.
    pub(crate) fn fact_types(&self) -> BTreeMap<String, String> {
        let facts = self.program.facts.iter().map(|fact| {
            let owner = fact
                .owner
                .map(|owner| &self.program.events[owner.index()].name);
            let path = owner.map_or(fact.name.clone(), |owner| format!("{owner}.{}", fact.name));
            (path, self.program.types.display(&fact.definition.ty))
        });
        facts.collect()
    }

    /// The names of the variants that were applied, in order.
    #[must_use]
    pub fn applied(&self) -> Vec<&str> {
        let headers = self.merged.variants.iter();
        let names = headers.filter_map(|header| match header {
            Header::Variant { name, .. } => Some(name.text.as_str()),
            Header::Game { .. } => None,
        });
        names.collect()
    }

    /// All variants that exist, and those that were applied, by name.
    #[must_use]
    pub fn variants(&self) -> Vec<Variant> {
        let mut variants: Vec<Variant> = Vec::new();
        for header in &self.merged.variants {
            variants.extend(variant(header, &self.sources, true));
        }
        for name in self.library.variants(self.name()) {
            if variants.iter().any(|variant| variant.name == name) {
                continue;
            }
            let mut sources = Sources::default();
            let Ok(found) = self.library.find_variant(self.name(), &name) else {
                continue;
            };
            let id = sources.add(found.name, found.text);
            match syntax::parse(&sources, id) {
                Ok(file) => variants.extend(variant(&file.header, &sources, false)),
                Err(_) => variants.push(Variant {
                    title: "cannot be read as a rule file".to_string(),
                    name,
                    meaning: Vec::new(),
                    applied: false,
                }),
            }
        }
        variants.sort_by(|one, other| one.name.cmp(&other.name));
        variants
    }

    /// The game with its variants and options, as a single rule file.
    #[must_use]
    pub fn flat(&self) -> String {
        let mut file = self.merged.file.clone();
        if let Header::Game { name, title, .. } = &mut file.header {
            for header in &self.merged.variants {
                let Header::Variant {
                    name: variant,
                    title: also,
                    ..
                } = header
                else {
                    continue;
                };
                name.text.push('-');
                name.text.push_str(&variant.text);
                if let (Some(title), Some(also)) = (title.as_mut(), also) {
                    title.parts.push(literal(" + ".to_string(), also.span));
                    title.parts.extend(also.parts.iter().cloned());
                }
            }
        }
        for item in &mut file.items {
            let Item::Option(item) = item else { continue };
            let mut options = self.program.options.iter();
            let option = options.find(|option| option.name == item.name.text);
            if let Some(option) = option.filter(|option| option.value != option.default) {
                item.value = self.constant(&option.value, &option.ty, item.value.span);
            }
        }
        print::file(&file)
    }

    /// A constant as the rules would write it.
    fn constant(&self, constant: &Constant, ty: &Type, span: Span) -> Expr {
        let number = |number: i64| match ty.required().places() {
            Some(places) if places > 0 => ExprKind::Decimal(number, places),
            _ => ExprKind::Number(number),
        };
        let kind = match (constant, ty.required()) {
            (Constant::None, _) => ExprKind::None,
            (Constant::Text(text), _) => ExprKind::Text(Text {
                parts: vec![literal(text.clone(), span)],
                span,
            }),
            (Constant::Scalar(value), Type::YesNo) => ExprKind::YesNo(*value != 0),
            (Constant::Scalar(place), Type::Member(part)) => {
                let members = &self.program.types.kind(part.kind).members;
                let name = usize::try_from(*place).ok();
                let name = name.and_then(|place| members.get(place));
                let text = name.cloned().unwrap_or_default();
                ExprKind::Name(Name { text, span })
            }
            (Constant::Scalar(value), _) if *value < 0 => ExprKind::Unary {
                operator: Prefix::Negate,
                operand: Box::new(Expr {
                    kind: number(value.saturating_neg()),
                    span,
                }),
            },
            (Constant::Scalar(value), _) => number(*value),
        };
        Expr { kind, span }
    }

    /// The history of the option, definition or row at `path`: `put.refused.late`, `size`, `width of Small`.
    ///
    /// # Errors
    /// If there is nothing at `path`.
    pub fn why(&self, path: &str) -> Result<Why, Invalid> {
        let mut sources = self.sources.clone();
        let path = path.trim();
        let cell = path.split_once(" of ");
        let cell = cell.and_then(|(name, member)| self.merged.cell(name.trim(), member.trim()));
        let path = cell.as_deref().unwrap_or(path);
        let id = sources.add(PATH, path);
        let mut start = 0;
        let mut parts = Vec::new();
        for part in path.split('.') {
            parts.push(Name {
                text: part.to_string(),
                span: Span::new(id, start..start + part.len()),
            });
            start += part.len() + 1;
        }
        let span = Span::new(id, 0..path.len());
        match self.merged.why(&ast::Path { parts, span }) {
            Ok(why) => Ok(Why {
                origins: why
                    .origins
                    .into_iter()
                    .map(|origin| Origin {
                        path: origin.path,
                        edit: origin.edit.map_or("written", told),
                        file: file(&self.sources, origin.span),
                        line: self.sources.position(origin.span).line,
                        text: self.sources.text(origin.span).to_string(),
                    })
                    .collect(),
                now: why.now,
            }),
            Err(diagnostic) => Err(Invalid {
                sources,
                diagnostics: vec![*diagnostic],
            }),
        }
    }
}

/// The name of a source.
fn file(sources: &Sources, span: Span) -> String {
    let source = sources.get(span.source);
    source.map_or(String::new(), |source| source.name.clone())
}

fn literal(text: String, span: Span) -> TextPart {
    TextPart::Literal { text, span }
}

fn told(edit: Edit) -> &'static str {
    match edit {
        Edit::Set => "set",
        Edit::Added => "added",
        Edit::Replaced | Edit::Retyped => "replaced",
        Edit::Removed => "removed",
        Edit::Excepted => "excepted",
        Edit::Dropped => "dropped: nothing needs it now",
    }
}

/// The variant that a header declares.
fn variant(header: &Header, sources: &Sources, applied: bool) -> Option<Variant> {
    let Header::Variant {
        name,
        of,
        with,
        without,
        title,
        ..
    } = header
    else {
        return None;
    };
    let last = without.last().or(with.last()).unwrap_or(of).span;
    let end = title.as_ref().map_or(last, |title| title.span);
    Some(Variant {
        name: name.text.clone(),
        title: title.as_ref().map_or(name.text.clone(), plain),
        meaning: comment_below(sources, end),
        applied,
    })
}

/// The lines of the comment after the line where `span` ends.
fn comment_below(sources: &Sources, span: Span) -> Vec<String> {
    let source = sources.get(span.source);
    let text = source.and_then(|source| source.text.get(span.end as usize..));
    let lines = text.unwrap_or("").lines().skip(1).map(str::trim);
    let lines = lines.skip_while(|line| line.is_empty());
    lines
        .map_while(|line| line.strip_prefix("--"))
        .map(|line| line.trim().to_string())
        .collect()
}

impl RuleText {
    /// Formats the rule file, with its comments. Only its syntax is looked at; the names and files that it mentions
    /// need not exist.
    ///
    /// Line breaks between rows, clauses and the operands of a long expression are kept, and more are added to lines of
    /// more than 120 columns. All other space between words is normalised. Texts and comments are never broken.
    ///
    /// # Errors
    /// All that is wrong with its syntax.
    pub fn formatted(&self) -> Result<String, Invalid> {
        let mut sources = Sources::default();
        let id = sources.add(&self.name, &self.text);
        syntax::formatted(&sources, id).map_err(|diagnostics| Invalid {
            sources,
            diagnostics: capped(diagnostics),
        })
    }

    /// Formats the rule file from its tree alone, without comments and with no regard to its layout, like `referee show
    /// --flat`. Only its syntax is looked at.
    ///
    /// # Errors
    /// All that is wrong with its syntax.
    pub fn canonical(&self) -> Result<String, Invalid> {
        let mut sources = Sources::default();
        let id = sources.add(&self.name, &self.text);
        match syntax::parse(&sources, id) {
            Ok(file) => Ok(print::file(&file)),
            Err(diagnostics) => Err(Invalid {
                sources,
                diagnostics: capped(diagnostics),
            }),
        }
    }
}
