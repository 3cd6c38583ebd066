//! Places, files and findings as editors have them.

use std::{
    collections::BTreeMap, fmt::Write as _, ops::Range, path::Path, rc::Rc, str::FromStr as _,
};

use line_index::{LineIndex, TextSize, WideEncoding, WideLineCol};
use lsp_types::{
    CompletionItemKind, DiagnosticRelatedInformation, DiagnosticSeverity, Location, NumberOrString,
    Position, PositionEncodingKind, SemanticTokenType, SymbolKind, Uri,
};
use referee::{
    diagnostic::{Data, EditData, LabelData, Position as Place, Severity},
    ide::{Sort, Workspace},
};

/// What columns count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Encoding {
    Utf8,
    Utf16,
}

impl Encoding {
    pub(super) fn kind(self) -> PositionEncodingKind {
        match self {
            Encoding::Utf8 => PositionEncodingKind::UTF8,
            Encoding::Utf16 => PositionEncodingKind::UTF16,
        }
    }
}

/// A text with where its lines begin.
pub(super) struct Text {
    pub(super) whole: String,
    lines: LineIndex,
    encoding: Encoding,
}

impl Text {
    /// A place in bytes as the editor has it.
    pub(super) fn position(&self, offset: usize) -> Position {
        let mut offset = offset.min(self.whole.len());
        while !self.whole.is_char_boundary(offset) {
            offset -= 1;
        }
        let size = TextSize::from(u32::try_from(offset).unwrap_or(u32::MAX));
        let place = self.lines.line_col(size);
        let column = match self.encoding {
            Encoding::Utf8 => place.col,
            Encoding::Utf16 => {
                let wide = self.lines.to_wide(WideEncoding::Utf16, place);
                wide.map_or(place.col, |wide| wide.col)
            }
        };
        Position::new(place.line, column)
    }

    pub(super) fn range(&self, range: &Range<usize>) -> lsp_types::Range {
        lsp_types::Range::new(self.position(range.start), self.position(range.end))
    }

    /// A place of the editor in bytes: the end of its line where that has no such column.
    pub(super) fn offset(&self, position: Position) -> usize {
        let Some(line) = self.lines.line(position.line) else {
            return self.whole.len();
        };
        let wide = WideLineCol {
            line: position.line,
            col: position.character,
        };
        let place = match self.encoding {
            Encoding::Utf8 => Some(line_index::LineCol {
                line: wide.line,
                col: wide.col,
            }),
            Encoding::Utf16 => self.lines.to_utf8(WideEncoding::Utf16, wide),
        };
        let (start, end) = (usize::from(line.start()), usize::from(line.end()));
        let whole = self.whole.get(start..end).unwrap_or("");
        let last = start + whole.trim_end_matches(['\n', '\r']).len();
        let offset = place
            .and_then(|place| self.lines.offset(place))
            .map_or(last, usize::from);
        let mut offset = offset.clamp(start, last);
        while !self.whole.is_char_boundary(offset) {
            offset -= 1;
        }
        offset
    }

    /// A place as people count, as the editor has it.
    fn counted(&self, place: Place) -> Position {
        let line = u32::try_from(place.line.max(1) - 1).unwrap_or(u32::MAX);
        let start = self
            .lines
            .line(line)
            .map_or(self.whole.len(), |line| usize::from(line.start()));
        let rest = self.whole.get(start..).unwrap_or("").chars();
        let before = rest.take(place.column.max(1) - 1).map(char::len_utf8);
        self.position(start + before.sum::<usize>())
    }
}

/// Texts of files, each looked up once.
pub(super) struct Texts<'w> {
    workspace: &'w Workspace,
    encoding: Encoding,
    known: BTreeMap<String, Rc<Text>>,
}

impl<'w> Texts<'w> {
    pub(super) fn new(workspace: &'w Workspace, encoding: Encoding) -> Texts<'w> {
        Texts {
            workspace,
            encoding,
            known: BTreeMap::new(),
        }
    }

    pub(super) fn text(&mut self, file: &str) -> Rc<Text> {
        if let Some(known) = self.known.get(file) {
            return known.clone();
        }
        let text = self.workspace.text(file).unwrap_or_default();
        let text = Rc::new(Text {
            lines: LineIndex::new(&text),
            whole: text,
            encoding: self.encoding,
        });
        self.known.insert(file.to_string(), text.clone());
        text
    }

    /// A place of a file; nothing where it is no file.
    pub(super) fn location(&mut self, file: &str, range: &Range<usize>) -> Option<Location> {
        Some(Location::new(uri(file)?, self.text(file).range(range)))
    }

    fn labelled(&mut self, file: &str, start: Place, end: Place) -> lsp_types::Range {
        let text = self.text(file);
        lsp_types::Range::new(text.counted(start), text.counted(end))
    }

    pub(super) fn edited(&mut self, edit: &EditData) -> lsp_types::Range {
        self.labelled(&edit.file, edit.start, edit.end)
    }

    fn label(&mut self, label: &LabelData) -> lsp_types::Range {
        self.labelled(&label.file, label.start, label.end)
    }

    /// What is wrong, as the editor shows it.
    pub(super) fn diagnostic(&mut self, data: &Data) -> lsp_types::Diagnostic {
        let first = data.labels.first();
        let mut message = data.message.clone();
        let here = first.map_or("", |label| label.text.as_str());
        let more = [&data.notes[..], &data.helps[..]].concat();
        for line in std::iter::once(here).chain(more.iter().map(String::as_str)) {
            if !line.is_empty() {
                message += "\n";
                message += line;
            }
        }
        let others = data.labels.iter().skip(1);
        let related = others.filter_map(|label| {
            Some(DiagnosticRelatedInformation {
                location: Location::new(uri(&label.file)?, self.label(label)),
                message: label.text.clone(),
            })
        });
        let related: Vec<_> = related.collect();
        lsp_types::Diagnostic {
            range: first.map(|label| self.label(label)).unwrap_or_default(),
            severity: Some(match data.severity {
                Severity::Error => DiagnosticSeverity::ERROR,
                Severity::Warning => DiagnosticSeverity::WARNING,
            }),
            code: Some(NumberOrString::String(data.code.clone())),
            source: Some("referee".to_string()),
            message,
            related_information: (!related.is_empty()).then_some(related),
            ..lsp_types::Diagnostic::default()
        }
    }
}

/// The path of a file that the editor names.
pub(super) fn file(uri: &Uri) -> String {
    let text = uri.as_str();
    let Some(path) = text.strip_prefix("file://") else {
        return text.to_string();
    };
    let mut bytes = Vec::new();
    let mut rest = path.as_bytes();
    while let [byte, after @ ..] = rest {
        rest = after;
        match (byte, hexadecimal(after)) {
            (b'%', Some(code)) => {
                bytes.push(code);
                rest = &after[2..];
            }
            _ => bytes.push(*byte),
        }
    }
    let path = String::from_utf8_lossy(&bytes).into_owned();
    // `/C:/folder` is `C:/folder` where paths are so.
    match path.strip_prefix('/') {
        Some(rest) if cfg!(windows) => rest.to_string(),
        _ => path,
    }
}

/// The byte that two digits stand for.
fn hexadecimal(digits: &[u8]) -> Option<u8> {
    let digits = std::str::from_utf8(digits.get(..2)?).ok()?;
    u8::from_str_radix(digits, 16).ok()
}

/// What the editor calls a file; nothing for a shipped text, which is no file.
pub(super) fn uri(file: &str) -> Option<Uri> {
    if !Path::new(file).is_absolute() {
        return None;
    }
    let mut text = String::from(if file.starts_with('/') {
        "file://"
    } else {
        "file:///"
    });
    for byte in file.replace('\\', "/").bytes() {
        if byte.is_ascii_alphanumeric() || b"/-_.~".contains(&byte) {
            text.push(char::from(byte));
        } else {
            // Writing to a string cannot fail.
            let _ = write!(text, "%{byte:02X}");
        }
    }
    Uri::from_str(&text).ok()
}

/// The sorts of words that are coloured, in the order of [`token`].
pub(super) const LEGEND: [SemanticTokenType; 8] = [
    SemanticTokenType::TYPE,
    SemanticTokenType::ENUM_MEMBER,
    SemanticTokenType::PROPERTY,
    SemanticTokenType::EVENT,
    SemanticTokenType::FUNCTION,
    SemanticTokenType::VARIABLE,
    SemanticTokenType::PARAMETER,
    SemanticTokenType::NAMESPACE,
];

/// How a name is coloured, as a place in [`LEGEND`].
pub(super) fn token(sort: Sort) -> u32 {
    match sort {
        Sort::Kind | Sort::Type => 0,
        Sort::Member => 1,
        Sort::Attribute | Sort::Field | Sort::Row | Sort::Cell | Sort::Play => 2,
        Sort::Event => 3,
        Sort::Fact | Sort::Policy | Sort::Builtin | Sort::Keyword => 4,
        Sort::Option | Sort::Given | Sort::State | Sort::Round => 5,
        Sort::Local | Sort::EventField => 6,
        Sort::Game | Sort::Transcript | Sort::Example => 7,
    }
}

/// The picture beside a declaration.
pub(super) fn symbol(sort: Sort) -> SymbolKind {
    match sort {
        Sort::Kind => SymbolKind::ENUM,
        Sort::Type => SymbolKind::STRUCT,
        Sort::Member => SymbolKind::ENUM_MEMBER,
        Sort::Attribute | Sort::Field | Sort::EventField => SymbolKind::FIELD,
        Sort::Event => SymbolKind::EVENT,
        Sort::Option | Sort::Given | Sort::Round => SymbolKind::CONSTANT,
        Sort::State | Sort::Local => SymbolKind::VARIABLE,
        Sort::Game | Sort::Transcript | Sort::Example => SymbolKind::MODULE,
        Sort::Row | Sort::Cell | Sort::Play => SymbolKind::KEY,
        Sort::Fact | Sort::Policy | Sort::Builtin | Sort::Keyword => SymbolKind::FUNCTION,
    }
}

/// The picture beside what could be written.
pub(super) fn completion(sort: Sort) -> CompletionItemKind {
    match sort {
        Sort::Kind => CompletionItemKind::ENUM,
        Sort::Type => CompletionItemKind::STRUCT,
        Sort::Member => CompletionItemKind::ENUM_MEMBER,
        Sort::Attribute | Sort::Field | Sort::EventField => CompletionItemKind::FIELD,
        Sort::Event => CompletionItemKind::EVENT,
        Sort::Option | Sort::Given | Sort::Round => CompletionItemKind::CONSTANT,
        Sort::State | Sort::Local => CompletionItemKind::VARIABLE,
        Sort::Keyword => CompletionItemKind::KEYWORD,
        Sort::Game | Sort::Transcript | Sort::Example => CompletionItemKind::MODULE,
        Sort::Row | Sort::Cell | Sort::Play => CompletionItemKind::PROPERTY,
        Sort::Fact | Sort::Policy | Sort::Builtin => CompletionItemKind::FUNCTION,
    }
}
