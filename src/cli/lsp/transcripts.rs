//! What the server answers about transcripts.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

use lsp_types::{
    CompletionItem, CompletionList, CompletionParams, Hover, HoverContents, Location,
    TextDocumentPositionParams, TextEdit,
};
use referee::ide::Label;
use serde::Deserialize as _;
use serde_json::Value;

use super::{super::folders, REPORT, Server, TRANSCRIPT, answers::markdown, convert};

impl Server {
    /// Whether a request is about a place where a transcript asks something, which reads as the rules do.
    pub(super) fn is_in_question(&self, params: &Value) -> bool {
        let place = TextDocumentPositionParams::deserialize(params);
        place.is_ok_and(|place| {
            let (file, _, offset) = self.at(&place);
            self.workspace.is_in_question(&file, offset)
        })
    }

    /// Why a line of a transcript did what it did.
    pub(super) fn why(&self, params: &TextDocumentPositionParams) -> Option<Hover> {
        let (file, text, offset) = self.at(params);
        let why = self.workspace.why(&file, &self.label(&file)?, offset)?;
        Some(Hover {
            contents: HoverContents::Markup(markdown(why.text)),
            range: Some(text.range(&why.range)),
        })
    }

    /// The rows that decided what a line of a transcript did, or what a line of its report says.
    pub(super) fn rows(&self, params: &TextDocumentPositionParams) -> Option<Vec<Location>> {
        let (file, text, offset) = self.at(params);
        let path = Path::new(&file);
        let places = if path.extension().is_some_and(|it| it == REPORT) {
            let transcript = path.with_extension(TRANSCRIPT).display().to_string();
            let line = text.whole.get(..offset)?.matches('\n').count();
            let label = self.label(&transcript)?;
            self.workspace.rows_of_report(&transcript, &label, line)
        } else {
            self.workspace.rows(&file, &self.label(&file)?, offset)
        };
        Some(self.locations(&places))
    }

    /// The same as data, as `referee why --format json` writes it: our own extension of the protocol.
    pub(super) fn explanation(&self, params: &TextDocumentPositionParams) -> Option<Value> {
        let (file, _, offset) = self.at(params);
        let explanation = self
            .workspace
            .explanation(&file, &self.label(&file)?, offset)?;
        serde_json::to_value(explanation).ok()
    }

    /// What a line of a transcript may become.
    pub(super) fn next(&self, params: &CompletionParams) -> Option<CompletionList> {
        let (file, text, offset) = self.at(&params.text_document_position);
        let label = self.label(&file)?;
        let (start, found) = self.workspace.next(&file, &label, offset);
        let range = text.range(&(start..offset));
        let items = found.into_iter().map(|one| CompletionItem {
            kind: Some(convert::completion(one.sort)),
            text_edit: Some(TextEdit::new(range, one.name.clone()).into()),
            label: one.name,
            ..CompletionItem::default()
        });
        Some(CompletionList {
            // The next word may stand for other things than those that begin so.
            is_incomplete: true,
            items: items.collect(),
        })
    }

    /// The transcripts that may speak of the name at `offset`: those beside the rule files of its game or below them,
    /// and in the folders of cases.
    pub(super) fn tests(&self, file: &str, offset: usize) -> Vec<(String, Label)> {
        let workspace = &self.workspace;
        let asked = workspace.text(file).unwrap_or_default();
        let is_letter = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
        let (before, after) = asked.split_at_checked(offset).unwrap_or_default();
        let start = before.trim_end_matches(is_letter).len();
        let end = offset + after.find(|it| !is_letter(it)).unwrap_or(after.len());
        let name = asked.get(start..end).unwrap_or("");
        let relatives = match self.label(file) {
            Some(label) => workspace.relatives(label.game.split('+').next().unwrap_or("")),
            None => workspace.relatives(file),
        };
        let beside = relatives.iter().filter(|it| workspace.is_file(it));
        let beside = beside
            .filter_map(|it| Path::new(it).parent())
            .map(|it| (it, Some(1)));
        let cases = self.cases.iter().map(|folder| (folder.as_path(), None));
        let mut found = BTreeMap::new();
        for (folder, depth) in beside.chain(cases).collect::<BTreeSet<_>>() {
            let files = folders::files(folder, &folders::TRANSCRIPTS, depth);
            for path in files.into_iter().flat_map(|found| found.files) {
                let path = path.display().to_string();
                // Most files do not have the name, and to find out whose they are takes longer.
                let label = match workspace.text(&path) {
                    Some(text) if !found.contains_key(&path) && text.contains(name) => {
                        self.label_of(Path::new(&path))
                    }
                    _ => None,
                };
                // Where the label has no file, a game is meant that is called as the one written here.
                let label = label.and_then(|label| {
                    let end = label.game.find('+').unwrap_or(label.game.len());
                    let (game, variants) = label.game.split_at(end);
                    let is_it = |file: &&String| {
                        *file == game || Path::new(file).file_stem() == Some(game.as_ref())
                    };
                    let game = format!("{}{variants}", relatives.iter().find(is_it)?);
                    Some(Label { game, ..label })
                });
                found.extend(label.map(|label| (path, label)));
            }
        }
        found.into_iter().collect()
    }
}
