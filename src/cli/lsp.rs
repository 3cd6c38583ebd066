//! `referee lsp`: the language server, over standard input and output.
//!
//! The server answers one message at a time. It checks games between messages, one at a time, so that no request waits
//! for more than one game.

mod answers;
mod convert;
mod framing;
mod lenses;
mod transcripts;

use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    panic::{AssertUnwindSafe, catch_unwind},
    path::{Path, PathBuf},
    time::Duration,
};

use anyhow::{Context as _, anyhow};
use lsp_server::{Connection, ErrorCode, Message, Notification, Request, Response};
use lsp_types::{
    CodeActionKind, CodeActionOptions, CodeActionProviderCapability, CodeLensOptions,
    CompletionOptions, Diagnostic, DidChangeTextDocumentParams, DidCloseTextDocumentParams,
    DidOpenTextDocumentParams, FoldingRangeProviderCapability, HoverProviderCapability,
    InitializeParams, OneOf, PositionEncodingKind, PublishDiagnosticsParams, RenameOptions,
    SemanticTokensFullOptions, SemanticTokensLegend, SemanticTokensOptions, ServerCapabilities,
    SignatureHelpOptions, TextDocumentSyncCapability, TextDocumentSyncKind,
    WorkDoneProgressOptions,
    notification::{Notification as _, PublishDiagnostics},
};
use referee::{
    diagnostic::Data,
    ide::{Label, Workspace},
    library::{ENDING, Library},
};

use super::{Exit, error::Result, test::label::label};
use convert::{Encoding, Texts, file, uri};
use lenses::{Job, Lenses};

/// Notifies the editor that everything is checked.
const STATUS: &str = "experimental/serverStatus";

/// The ending of a transcript with an expected report.
const TRANSCRIPT: &str = "in";

/// The ending of an expected report.
const REPORT: &str = "out";

/// The language identifier of other transcripts.
const LANGUAGE: &str = "referee-transcript";

/// How long to wait for a message after a change before checking anything, because requests come first; and before
/// looking for results about cases.
const PAUSE: Duration = Duration::from_millis(20);

/// Whether the name of a file is that of a rule file.
fn is_rules(file: &str) -> bool {
    let ending = Path::new(file).extension();
    ending.is_some_and(|ending| ending == ENDING)
}

/// The state of the server.
struct Server {
    workspace: Workspace,
    encoding: Encoding,
    /// The games that need to be checked again.
    waiting: VecDeque<String>,
    /// The diagnostics of each game that has been checked.
    found: BTreeMap<String, Vec<Data>>,
    /// The files with diagnostics in the editor.
    shown: BTreeMap<String, Vec<Diagnostic>>,
    /// The open files that are transcripts according to the editor.
    transcripts: BTreeSet<String>,
    /// The latest version of each open file.
    versions: BTreeMap<String, i32>,
    /// Whether the editor wants to be notified when everything is checked.
    tells_status: bool,
    /// The folders with cases of games that have none beside them.
    cases: Vec<PathBuf>,
    /// Code lenses above rows and examples, if the editor shows them.
    lenses: Option<Lenses>,
}

/// Serves one editor until it is done.
pub(super) fn lsp(library: &Library) -> Result {
    let (connection, threads) = framing::stdio().context("there can be no more threads")?;
    let ended = serve(&connection, library);
    drop(connection);
    threads
        .join()
        .context("messages of the editor cannot be read or written")?;
    Ok(ended?)
}

/// Serves until the editor sends `exit` or closes the connection. `exit` without `shutdown` is a failure.
fn serve(connection: &Connection, library: &Library) -> anyhow::Result<Exit> {
    let started = connection.initialize_start();
    let (id, params) = started.map_err(|_| anyhow!("the editor must send `initialize` first"))?;
    let folders = folders_of_cases(&params);
    let params: InitializeParams = serde_json::from_value(params)?;
    // An extension of the protocol by rust-analyzer, which the client has to request.
    let wanted = params.capabilities.experimental;
    let tells_status = wanted.is_some_and(|it| it["serverStatusNotification"] == true);
    let encodings = params
        .capabilities
        .general
        .and_then(|it| it.position_encodings);
    let workspace = params.capabilities.workspace;
    let asks_again = workspace.and_then(|it| it.code_lens?.refresh_support);
    let text_document = params.capabilities.text_document;
    let shows_lenses = text_document.is_some_and(|it| it.code_lens.is_some());
    let encoding = match encodings {
        Some(known) if known.contains(&PositionEncodingKind::UTF8) => Encoding::Utf8,
        _ => Encoding::Utf16,
    };
    let result = serde_json::json!({
        "capabilities": capabilities(encoding),
        "serverInfo": { "name": "referee", "version": env!("CARGO_PKG_VERSION") },
    });
    connection.initialize_finish(id, result)?;
    let mut server = Server {
        workspace: Workspace::new(library.clone()),
        encoding,
        waiting: VecDeque::new(),
        found: BTreeMap::new(),
        shown: BTreeMap::new(),
        transcripts: BTreeSet::new(),
        versions: BTreeMap::new(),
        tells_status,
        cases: folders.clone(),
        lenses: shows_lenses.then(|| Lenses::new(asks_again == Some(true), folders)),
    };
    // Whether something changed and nothing has been checked since.
    let mut changed = false;
    let mut is_shut_down = false;
    loop {
        for told in server.news() {
            connection.sender.send(told)?;
        }
        let pause = if changed || server.waiting.is_empty() {
            PAUSE
        } else {
            Duration::ZERO
        };
        let message = if server.is_done() {
            connection.receiver.recv().ok()
        } else {
            match connection.receiver.recv_timeout(pause) {
                Ok(message) => Some(message),
                Err(error) if error.is_disconnected() => None,
                Err(_) => {
                    changed = false;
                    for told in server.check() {
                        connection.sender.send(told.into())?;
                    }
                    continue;
                }
            }
        };
        match message {
            None => return Ok(Exit::Done),
            Some(Message::Request(Request { id, method, .. })) if method == "shutdown" => {
                is_shut_down = true;
                connection.sender.send(Response::new_ok(id, ()).into())?;
            }
            Some(Message::Request(Request { id, .. })) if is_shut_down => {
                let message = "the server is shut down".to_string();
                let refused = Response::new_err(id, ErrorCode::InvalidRequest as i32, message);
                connection.sender.send(refused.into())?;
            }
            Some(Message::Request(request)) => {
                connection.sender.send(server.answer(request).into())?;
            }
            Some(Message::Notification(note)) if note.method == "exit" => {
                return Ok(if is_shut_down { Exit::Done } else { Exit::No });
            }
            Some(Message::Notification(note)) => {
                changed = true;
                server.note(note);
            }
            Some(Message::Response(_)) => {}
        }
    }
}

/// The folders with cases of games that have none beside them: those that the editor configures as `cases`, or else
/// `tests`, in each workspace folder.
fn folders_of_cases(params: &serde_json::Value) -> Vec<PathBuf> {
    let roots = params["workspaceFolders"].as_array().into_iter().flatten();
    let roots = roots.map(|folder| &folder["uri"]);
    let roots: Vec<PathBuf> = roots
        .chain([&params["rootUri"]])
        .filter_map(|uri| uri.as_str()?.parse().ok())
        .map(|uri| PathBuf::from(file(&uri)))
        .collect();
    let set = params["initializationOptions"]["cases"].as_array();
    let set = set.map(|set| set.iter().filter_map(|it| it.as_str()).collect());
    let cases: Vec<&str> = set.unwrap_or_else(|| vec!["tests"]);
    let folders = roots
        .iter()
        .flat_map(|root| cases.iter().map(|folder| root.join(folder)));
    folders.collect()
}

/// The capabilities of the server.
fn capabilities(encoding: Encoding) -> ServerCapabilities {
    let words = |words: &[&str]| Some(words.iter().map(ToString::to_string).collect());
    ServerCapabilities {
        position_encoding: Some(encoding.kind()),
        text_document_sync: Some(TextDocumentSyncCapability::Kind(TextDocumentSyncKind::FULL)),
        hover_provider: Some(HoverProviderCapability::Simple(true)),
        definition_provider: Some(OneOf::Left(true)),
        references_provider: Some(OneOf::Left(true)),
        document_symbol_provider: Some(OneOf::Left(true)),
        workspace_symbol_provider: Some(OneOf::Left(true)),
        document_formatting_provider: Some(OneOf::Left(true)),
        document_range_formatting_provider: Some(OneOf::Left(true)),
        code_action_provider: Some(CodeActionProviderCapability::Options(CodeActionOptions {
            code_action_kinds: Some(vec![CodeActionKind::QUICKFIX]),
            ..CodeActionOptions::default()
        })),
        code_lens_provider: Some(CodeLensOptions {
            resolve_provider: Some(false),
        }),
        folding_range_provider: Some(FoldingRangeProviderCapability::Simple(true)),
        inlay_hint_provider: Some(OneOf::Left(true)),
        rename_provider: Some(OneOf::Right(RenameOptions {
            prepare_provider: Some(true),
            work_done_progress_options: WorkDoneProgressOptions::default(),
        })),
        completion_provider: Some(CompletionOptions {
            trigger_characters: words(&[".", ":"]),
            ..Default::default()
        }),
        signature_help_provider: Some(SignatureHelpOptions {
            trigger_characters: words(&["(", ","]),
            ..Default::default()
        }),
        semantic_tokens_provider: Some(
            SemanticTokensOptions {
                legend: SemanticTokensLegend {
                    token_types: convert::LEGEND.to_vec(),
                    token_modifiers: Vec::new(),
                },
                full: Some(SemanticTokensFullOptions::Bool(true)),
                ..Default::default()
            }
            .into(),
        ),
        ..Default::default()
    }
}

impl Server {
    /// Handles a notification.
    fn note(&mut self, note: Notification) {
        let Notification { method, params } = note;
        match method.as_str() {
            "textDocument/didOpen" => {
                if let Ok(it) = serde_json::from_value::<DidOpenTextDocumentParams>(params) {
                    let file = file(&it.text_document.uri);
                    if it.text_document.language_id == LANGUAGE {
                        self.transcripts.insert(file.clone());
                    }
                    self.open(&file, &it.text_document.text, it.text_document.version);
                    self.count(&file);
                }
            }
            "textDocument/didChange" => {
                if let Ok(it) = serde_json::from_value::<DidChangeTextDocumentParams>(params)
                    && let Some(change) = it.content_changes.last()
                {
                    let version = it.text_document.version;
                    self.open(&file(&it.text_document.uri), &change.text, version);
                }
            }
            "textDocument/didClose" => {
                if let Ok(it) = serde_json::from_value::<DidCloseTextDocumentParams>(params) {
                    let file = file(&it.text_document.uri);
                    self.workspace.close(&file);
                    self.transcripts.remove(&file);
                    self.versions.remove(&file);
                    self.wait_for(&file);
                }
            }
            "textDocument/didSave" | "workspace/didChangeWatchedFiles" => {
                let opened = self.workspace.opened();
                for file in &opened {
                    self.count(file);
                }
                // Problems of a closed file may have been fixed outside the editor.
                let wrong = self.found.iter().filter(|(_, found)| !found.is_empty());
                let files = wrong.map(|(file, _)| file.clone()).chain(opened);
                for file in files.collect::<BTreeSet<String>>() {
                    self.wait_for(&file);
                }
            }
            _ => {}
        }
    }

    /// Starts to count the cases of a rule file, or to run a test.
    fn count(&mut self, file: &str) {
        let label = self.label(file);
        let written = self.workspace.text(file).unwrap_or_default();
        let test = label.map(|label| (label, written.clone()));
        if let Some(lenses) = self.lenses.as_mut()
            && (is_rules(file) || test.is_some())
        {
            lenses.want(Job {
                file: file.to_string(),
                library: self.workspace.library().clone(),
                test,
            });
        }
    }

    /// Whether there is nothing left to do.
    fn is_done(&self) -> bool {
        self.waiting.is_empty() && !self.lenses.as_ref().is_some_and(Lenses::is_busy)
    }

    /// Notifications about new results of cases.
    fn news(&mut self) -> Vec<Message> {
        let Some(lenses) = self.lenses.as_mut().filter(|it| it.is_busy()) else {
            return Vec::new();
        };
        let mut told: Vec<Message> = lenses.news().into_iter().collect();
        if self.is_done() {
            told.extend(self.status().map(Message::from));
        }
        told
    }

    /// The notification that everything is checked, if the editor wants it.
    fn status(&self) -> Option<Notification> {
        let status = serde_json::json!({ "health": "ok", "quiescent": true });
        self.tells_status
            .then(|| Notification::new(STATUS.to_string(), status))
    }

    fn open(&mut self, file: &str, text: &str, version: i32) {
        self.workspace.open(file, text);
        self.workspace.label(file, self.label(file));
        self.versions.insert(file.to_string(), version);
        // Diagnostics of the old text do not apply to the new one.
        for found in self.found.values_mut() {
            found.retain(|data| data.labels.first().is_none_or(|label| label.file != file));
        }
        self.wait_for(file);
    }

    /// Schedules a check of a transcript; or of a rule file's game and its variants, the file itself first, followed by
    /// all open transcripts.
    fn wait_for(&mut self, file: &str) {
        if !is_rules(file) {
            self.waiting.retain(|waiting| waiting != file);
            self.waiting.push_front(file.to_string());
            return;
        }
        for transcript in self.workspace.opened() {
            if !is_rules(&transcript) && !self.waiting.contains(&transcript) {
                self.waiting.push_back(transcript);
            }
        }
        let workspace = AssertUnwindSafe(&self.workspace);
        let relatives = catch_unwind(|| workspace.relatives(file)).unwrap_or_default();
        for file in relatives
            .into_iter()
            .filter(|it| self.workspace.is_file(it))
            .rev()
        {
            self.waiting.retain(|waiting| *waiting != file);
            self.waiting.push_front(file);
        }
    }

    /// Checks the next game. Returns notifications for the editor.
    fn check(&mut self) -> Vec<Notification> {
        let Some(game) = self.waiting.pop_front() else {
            return Vec::new();
        };
        let found = if self.workspace.text(&game).is_some() {
            let name = game.as_str();
            let known = self.label(name);
            let workspace = &mut self.workspace;
            let check = AssertUnwindSafe(|| match known {
                Some(label) => workspace.check_transcript(name, &label),
                None if is_rules(name) => workspace.check(name),
                None => Vec::new(),
            });
            catch_unwind(check).unwrap_or_default()
        } else {
            Vec::new()
        };
        self.found.insert(game, found);
        let mut told = self.told();
        if self.is_done() {
            told.extend(self.status());
        }
        told
    }

    /// The game of a transcript, found as `referee test` does; `None` for a rule file, or if the game is unclear.
    fn label(&self, file: &str) -> Option<Label> {
        let path = Path::new(file);
        let is_test = path.extension().is_some_and(|it| it == TRANSCRIPT);
        if is_rules(file) || !is_test && !self.transcripts.contains(file) {
            return None;
        }
        self.label_of(path)
    }

    /// The same, for a file that is a transcript.
    fn label_of(&self, path: &Path) -> Option<Label> {
        let stem = path.file_stem()?.to_string_lossy();
        let label = label(path.parent()?, &stem, self.workspace.library()).ok()??;
        Some(Label {
            game: label.game,
            form: label.form,
            settings: label.settings,
        })
    }

    /// Notifications with the current diagnostics of each file, from all games.
    fn told(&mut self) -> Vec<Notification> {
        let opened: BTreeSet<String> = self.workspace.opened().into_iter().collect();
        let mut by_file: BTreeMap<&str, Vec<&Data>> = BTreeMap::new();
        for data in self.found.values().flatten() {
            let file = data.labels.first().map_or("", |label| label.file.as_str());
            let found = by_file.entry(file).or_default();
            if !found.contains(&data) {
                found.push(data);
            }
        }
        let mut texts = Texts::new(&self.workspace, self.encoding);
        let mut told = Vec::new();
        let mut shown = BTreeMap::new();
        let files = by_file.keys().map(ToString::to_string).chain(opened);
        let files: BTreeSet<String> = files.filter(|it| self.workspace.is_file(it)).collect();
        for file in files.iter().chain(self.shown.keys()) {
            let found = by_file.get(file.as_str()).map_or(&[][..], Vec::as_slice);
            let found: Vec<_> = found.iter().map(|data| texts.diagnostic(data)).collect();
            if shown.contains_key(file) || self.shown.get(file) == Some(&found) {
                shown.entry(file.clone()).or_insert(found);
                continue;
            }
            if let Some(uri) = uri(file) {
                let params = PublishDiagnosticsParams::new(
                    uri,
                    found.clone(),
                    self.versions.get(file).copied(),
                );
                told.push(Notification::new(
                    PublishDiagnostics::METHOD.to_string(),
                    params,
                ));
            }
            shown.insert(file.clone(), found);
        }
        shown.retain(|file, found| !found.is_empty() || files.contains(file));
        self.shown = shown;
        told
    }

    /// Answers a request.
    fn answer(&self, request: Request) -> Response {
        let Request { id, method, params } = request;
        let server = AssertUnwindSafe(self);
        match catch_unwind(move || server.result(&method, params)) {
            Ok(Ok(Some(result))) => Response::new_ok(id, result),
            Ok(Ok(None)) => {
                let message = "the server does not do this".to_string();
                Response::new_err(id, ErrorCode::MethodNotFound as i32, message)
            }
            Ok(Err(error)) => {
                let code = if error.is::<serde_json::Error>() {
                    ErrorCode::InvalidParams
                } else {
                    ErrorCode::RequestFailed
                };
                Response::new_err(id, code as i32, format!("{error:#}"))
            }
            Err(_) => {
                let message = "the server failed; it goes on with the next request".to_string();
                Response::new_err(id, ErrorCode::InternalError as i32, message)
            }
        }
    }
}
