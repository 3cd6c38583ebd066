//! What the server answers.

use std::{collections::HashMap, rc::Rc};

use anyhow::{Context as _, Result, anyhow};
use lsp_types::{
    CodeAction, CodeActionKind, CodeActionOrCommand, CodeActionParams, CodeLens, CompletionItem,
    CompletionParams, DocumentRangeFormattingParams, DocumentSymbol, Documentation, FoldingRange,
    FoldingRangeParams, Hover, HoverContents, InlayHint, InlayHintKind, InlayHintLabel,
    InlayHintParams, Location, MarkupContent, MarkupKind, ParameterInformation, ParameterLabel,
    Position, ReferenceParams, RenameParams, SemanticToken, SemanticTokens, SemanticTokensParams,
    SignatureHelp, SignatureInformation, SymbolInformation, TextDocumentIdentifier,
    TextDocumentPositionParams, TextEdit, WorkspaceEdit, WorkspaceSymbolParams,
};
use referee::ide::{Place, Sort, Symbol};
use serde::de::DeserializeOwned;
use serde_json::Value;
use similar::{DiffTag, TextDiff};

use super::{
    Server,
    convert::{self, Text, Texts, file, uri},
    is_rules,
};

/// The sort of mistake of something that nothing depends on.
const UNUSED: &str = "unused";

/// The parameters that only name a text.
#[derive(serde::Deserialize)]
#[serde(rename_all = "camelCase")]
struct InText {
    text_document: TextDocumentIdentifier,
}

impl Server {
    /// The answer to a request; nothing if the server does not know what is asked.
    pub(super) fn result(&self, method: &str, params: Value) -> Result<Option<Value>> {
        let uri = params["textDocument"]["uri"].as_str();
        let is_transcript = uri.is_some_and(|uri| !is_rules(uri)) && !self.is_in_question(&params);
        let answer = match method {
            "referee/why" => serde_json::to_value(self.explanation(&read(params)?)),
            "textDocument/hover" if is_transcript => serde_json::to_value(self.why(&read(params)?)),
            "textDocument/completion" if is_transcript => {
                serde_json::to_value(self.next(&read(params)?))
            }
            "textDocument/definition" if is_transcript => {
                serde_json::to_value(self.rows(&read(params)?))
            }
            _ if is_transcript
                && !matches!(method, "textDocument/codeAction" | "textDocument/codeLens") =>
            {
                return Ok(Some(Value::Null));
            }
            "textDocument/hover" => serde_json::to_value(self.hover(&read(params)?)),
            "textDocument/definition" => serde_json::to_value(self.definition(&read(params)?)),
            "textDocument/references" => serde_json::to_value(self.references(&read(params)?)),
            "textDocument/prepareRename" => {
                serde_json::to_value(self.prepare_rename(&read(params)?))
            }
            "textDocument/rename" => serde_json::to_value(self.rename(&read(params)?)?),
            "textDocument/formatting" => serde_json::to_value(self.formatting(&read(params)?)),
            "textDocument/rangeFormatting" => {
                serde_json::to_value(self.formatting_of(&read(params)?))
            }
            "textDocument/codeAction" => serde_json::to_value(self.actions(&read(params)?)),
            "textDocument/completion" => serde_json::to_value(self.completion(&read(params)?)),
            "textDocument/signatureHelp" => serde_json::to_value(self.signature(&read(params)?)),
            "textDocument/documentSymbol" => serde_json::to_value(self.symbols(&read(params)?)),
            "textDocument/codeLens" => serde_json::to_value(self.lenses(&read(params)?)),
            "textDocument/foldingRange" => serde_json::to_value(self.folds(&read(params)?)),
            "textDocument/inlayHint" => serde_json::to_value(self.hints(&read(params)?)),
            "textDocument/semanticTokens/full" => serde_json::to_value(self.tokens(&read(params)?)),
            "workspace/symbol" => serde_json::to_value(self.all_symbols(&read(params)?)),
            _ => return Ok(None),
        };
        Ok(Some(answer?))
    }

    pub(super) fn texts(&self) -> Texts<'_> {
        Texts::new(&self.workspace, self.encoding)
    }

    /// The file, its text and the byte that a request is about.
    pub(super) fn at(&self, params: &TextDocumentPositionParams) -> (String, Rc<Text>, usize) {
        let file = file(&params.text_document.uri);
        let text = self.texts().text(&file);
        let offset = text.offset(params.position);
        (file, text, offset)
    }

    fn hover(&self, params: &TextDocumentPositionParams) -> Option<Hover> {
        let (file, text, offset) = self.at(params);
        let hover = self.workspace.hover(&file, offset)?;
        Some(Hover {
            contents: HoverContents::Markup(markdown(hover.text)),
            range: Some(text.range(&hover.range)),
        })
    }

    /// How many cases reach the rows of a rule file.
    fn lenses(&self, params: &InText) -> Vec<CodeLens> {
        let file = file(&params.text_document.uri);
        let text = self.workspace.text(&file).unwrap_or_default();
        let lenses = self.lenses.as_ref();
        lenses.map_or(Vec::new(), |lenses| lenses.of(&file, &text))
    }

    /// Places that are in files.
    pub(super) fn locations(&self, places: &[Place]) -> Vec<Location> {
        let mut texts = self.texts();
        let places = places.iter();
        let locations = places.filter_map(|place| texts.location(&place.file, &place.range));
        locations.collect()
    }

    fn definition(&self, params: &TextDocumentPositionParams) -> Vec<Location> {
        let (file, _, offset) = self.at(params);
        self.locations(&self.workspace.definitions(&file, offset))
    }

    fn references(&self, params: &ReferenceParams) -> Vec<Location> {
        let (file, _, offset) = self.at(&params.text_document_position);
        let mut places = self.workspace.references(&file, offset);
        if !params.context.include_declaration {
            let declared = self.workspace.definitions(&file, offset);
            places.retain(|place| !declared.contains(place));
        }
        self.locations(&places)
    }

    fn prepare_rename(&self, params: &TextDocumentPositionParams) -> Option<lsp_types::Range> {
        let (file, text, offset) = self.at(params);
        let places = self.workspace.references(&file, offset);
        let own = |place: &&Place| {
            place.file == file && place.range.start <= offset && offset <= place.range.end
        };
        places
            .iter()
            .find(own)
            .map(|place| text.range(&place.range))
    }

    fn rename(&self, params: &RenameParams) -> Result<WorkspaceEdit> {
        let (file, _, offset) = self.at(&params.text_document_position);
        let name = &params.new_name;
        let places = self
            .workspace
            .rename(&file, offset, name, &self.tests(&file, offset))
            .map_err(|it| anyhow!(it))?;
        let edits = self.locations(&places).into_iter();
        let edits = edits.map(|it| (it.uri, TextEdit::new(it.range, name.clone())));
        Ok(changes(edits))
    }

    /// The whole text in the one layout; nothing where it is in it, or does not read as a rule file.
    fn formatting(&self, params: &InText) -> Option<Vec<TextEdit>> {
        let file = file(&params.text_document.uri);
        let text = self.texts().text(&file);
        let formatted = self.workspace.formatted(&file).ok()?;
        if formatted == text.whole {
            return Some(Vec::new());
        }
        let whole = text.range(&(0..text.whole.len()));
        Some(vec![TextEdit::new(whole, formatted)])
    }

    /// What is laid out otherwise in the lines of a range.
    fn formatting_of(&self, params: &DocumentRangeFormattingParams) -> Option<Vec<TextEdit>> {
        let file = file(&params.text_document.uri);
        let text = self.texts().text(&file);
        let formatted = self.workspace.formatted(&file).ok()?;
        let formatted_lines: Vec<&str> = formatted.split_inclusive('\n').collect();
        let diff = TextDiff::from_lines(text.whole.as_str(), formatted.as_str());
        let (first, end) = (params.range.start.line as usize, params.range.end);
        // A range that ends where a line begins does not hold it.
        let within = end.character > 0 || end.line == params.range.start.line;
        let last = (end.line as usize).saturating_sub(usize::from(!within));
        let changed = diff.ops().iter().filter(|op| {
            let old = op.old_range();
            op.tag() != DiffTag::Equal && old.start <= last && first < old.end.max(old.start + 1)
        });
        let edits = changed.map(|op| {
            let line = |line: usize| Position::new(u32::try_from(line).unwrap_or(u32::MAX), 0);
            let old = op.old_range();
            let range = lsp_types::Range::new(line(old.start), line(old.end));
            TextEdit::new(range, formatted_lines[op.new_range()].concat())
        });
        Some(edits.collect())
    }

    /// The changes of text that what is wrong there could be mended by.
    fn actions(&self, params: &CodeActionParams) -> Vec<CodeActionOrCommand> {
        // `quickfix` and what it is part of; empty, that is everything.
        let is_asked =
            |kind: &CodeActionKind| kind.as_str().is_empty() || *kind == CodeActionKind::QUICKFIX;
        let only = params.context.only.as_ref();
        if only.is_some_and(|only| !only.iter().any(is_asked)) {
            return Vec::new();
        }
        let file = file(&params.text_document.uri);
        let mut texts = self.texts();
        let mut actions: Vec<CodeActionOrCommand> = Vec::new();
        for data in self.found.values().flatten() {
            if data.labels.first().is_none_or(|label| label.file != file) {
                continue;
            }
            let shown = texts.diagnostic(data);
            if shown.range.end < params.range.start || params.range.end < shown.range.start {
                continue;
            }
            let mut add = |title, uri, edit, certain| {
                let action = CodeActionOrCommand::CodeAction(CodeAction {
                    title,
                    kind: Some(CodeActionKind::QUICKFIX),
                    diagnostics: Some(vec![shown.clone()]),
                    edit: Some(changes([(uri, edit)])),
                    is_preferred: Some(certain),
                    ..CodeAction::default()
                });
                if !actions.contains(&action) {
                    actions.push(action);
                }
            };
            for (index, edit) in data.edits.iter().enumerate() {
                let Some(uri) = uri(&edit.file) else { continue };
                let range = texts.edited(edit);
                let title = match data.helps.get(index) {
                    Some(help) if data.helps.len() == data.edits.len() => help.clone(),
                    _ if edit.text.is_empty() => "take it away".to_string(),
                    _ => format!("write `{}`", edit.text),
                };
                add(
                    title,
                    uri,
                    TextEdit::new(range, edit.text.clone()),
                    edit.certain,
                );
            }
            let text = self.texts().text(&file);
            if data.code == UNUSED
                && let Some(uri) = uri(&file)
                && let offset = text.offset(shown.range.start)
                && let Some((name, range)) = self.workspace.removable(&file, offset)
            {
                let edit = TextEdit::new(text.range(&range), String::new());
                add(format!("take `{name}` away"), uri, edit, false);
            }
        }
        actions
    }

    fn completion(&self, params: &CompletionParams) -> Vec<CompletionItem> {
        let (file, _, offset) = self.at(&params.text_document_position);
        let found = self.workspace.completions(&file, offset).into_iter();
        let items = found.map(|one| CompletionItem {
            sort_text: Some(format!("{}{}", one.rank, one.name)),
            kind: Some(convert::completion(one.sort)),
            detail: (!one.detail.is_empty()).then_some(one.detail),
            documentation: (!one.meaning.is_empty())
                .then(|| Documentation::MarkupContent(markdown(one.meaning))),
            label: one.name,
            ..CompletionItem::default()
        });
        items.collect()
    }

    fn signature(&self, params: &TextDocumentPositionParams) -> Option<SignatureHelp> {
        let (file, _, offset) = self.at(params);
        let call = self.workspace.call(&file, offset)?;
        let parameters = call.parameters.iter().map(|range| ParameterInformation {
            label: ParameterLabel::Simple(call.form.get(range.clone()).unwrap_or("").to_string()),
            documentation: None,
        });
        let present = u32::try_from(call.present).ok();
        Some(SignatureHelp {
            signatures: vec![SignatureInformation {
                parameters: Some(parameters.collect()),
                documentation: (!call.meaning.is_empty())
                    .then(|| Documentation::MarkupContent(markdown(call.meaning.clone()))),
                active_parameter: present,
                label: call.form,
            }],
            active_signature: Some(0),
            active_parameter: present,
        })
    }

    /// What a file declares: rows and members below what they belong to.
    fn symbols(&self, params: &InText) -> Vec<DocumentSymbol> {
        let file = file(&params.text_document.uri);
        let text = self.texts().text(&file);
        let mut symbols: Vec<DocumentSymbol> = Vec::new();
        let mut outer = 0..0;
        for symbol in self.workspace.symbols(&file) {
            let shown = document_symbol(&symbol, &text);
            let within = outer.start <= symbol.place.start && symbol.place.end <= outer.end;
            match symbols.last_mut() {
                Some(last) if within => last.children.get_or_insert_default().push(shown),
                _ => {
                    outer = symbol.range.clone();
                    symbols.push(shown);
                }
            }
        }
        symbols
    }

    /// What the games of all open files declare and is called so.
    #[expect(
        deprecated,
        reason = "the type has a field that nobody is to use, and no other way to be made"
    )]
    fn all_symbols(&self, params: &WorkspaceSymbolParams) -> Vec<SymbolInformation> {
        let query = params.query.to_lowercase();
        let mut texts = self.texts();
        let opened = self.workspace.opened().into_iter();
        let mut files: Vec<String> = opened
            .flat_map(|it| self.workspace.relatives(&it))
            .collect();
        files.sort();
        files.dedup();
        let mut symbols = Vec::new();
        for file in files {
            for symbol in self.workspace.symbols(&file) {
                let is_meant = symbol.name.to_lowercase().contains(&query);
                let Some(location) = texts.location(&file, &symbol.place) else {
                    break;
                };
                if is_meant && symbol.sort != Sort::Row {
                    symbols.push(SymbolInformation {
                        kind: convert::symbol(symbol.sort),
                        name: symbol.name,
                        tags: None,
                        deprecated: None,
                        location,
                        container_name: None,
                    });
                }
            }
        }
        symbols
    }

    fn folds(&self, params: &FoldingRangeParams) -> Vec<FoldingRange> {
        let file = file(&params.text_document.uri);
        let text = self.texts().text(&file);
        let folds = self.workspace.folds(&file).into_iter().filter_map(|fold| {
            let (start, end) = (text.position(fold.start), text.position(fold.end));
            // A block of comments ends where the next line begins.
            let end_line = end.line - u32::from(end.character == 0 && end.line > 0);
            (end_line > start.line).then(|| FoldingRange {
                start_line: start.line,
                end_line,
                ..FoldingRange::default()
            })
        });
        folds.collect()
    }

    fn hints(&self, params: &InlayHintParams) -> Vec<InlayHint> {
        let file = file(&params.text_document.uri);
        let text = self.texts().text(&file);
        let hints = self
            .workspace
            .hints(&file)
            .into_iter()
            .map(|(offset, label)| InlayHint {
                position: text.position(offset),
                kind: label.starts_with(':').then_some(InlayHintKind::TYPE),
                label: InlayHintLabel::String(label),
                text_edits: None,
                tooltip: None,
                padding_left: None,
                padding_right: None,
                data: None,
            });
        let range = params.range;
        hints
            .filter(|it| range.start <= it.position && it.position <= range.end)
            .collect()
    }

    fn tokens(&self, params: &SemanticTokensParams) -> SemanticTokens {
        let file = file(&params.text_document.uri);
        let text = self.texts().text(&file);
        let mut last = Position::default();
        let names = self
            .workspace
            .names(&file)
            .into_iter()
            .map(|(range, sort)| {
                let range = text.range(&range);
                let start = range.start;
                let column = if start.line == last.line {
                    last.character
                } else {
                    0
                };
                let token = SemanticToken {
                    delta_line: start.line - last.line,
                    delta_start: start.character - column,
                    length: range.end.character - start.character,
                    token_type: convert::token(sort),
                    token_modifiers_bitset: 0,
                };
                last = start;
                token
            });
        SemanticTokens {
            result_id: None,
            data: names.collect(),
        }
    }
}

fn read<T: DeserializeOwned>(params: Value) -> Result<T> {
    serde_json::from_value(params).context("the parameters are malformed")
}

pub(super) fn markdown(value: String) -> MarkupContent {
    MarkupContent {
        kind: MarkupKind::Markdown,
        value,
    }
}

/// Changes of texts, by their files.
#[expect(
    clippy::mutable_key_type,
    reason = "the protocol's type is so; nothing changes these keys"
)]
fn changes(edits: impl IntoIterator<Item = (lsp_types::Uri, TextEdit)>) -> WorkspaceEdit {
    let mut changes: HashMap<_, Vec<TextEdit>> = HashMap::new();
    for (uri, edit) in edits {
        changes.entry(uri).or_default().push(edit);
    }
    WorkspaceEdit::new(changes)
}

#[expect(
    deprecated,
    reason = "the type has a field that nobody is to use, and no other way to be made"
)]
fn document_symbol(symbol: &Symbol, text: &Text) -> DocumentSymbol {
    DocumentSymbol {
        name: symbol.name.clone(),
        detail: (!symbol.ty.is_empty()).then(|| symbol.ty.clone()),
        kind: convert::symbol(symbol.sort),
        tags: None,
        deprecated: None,
        range: text.range(&symbol.range),
        selection_range: text.range(&symbol.place),
        children: None,
    }
}
