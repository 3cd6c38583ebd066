//! What `referee lsp` answers an editor: each case in `tests/editors` holds files and what somebody does with them, and
//! its snapshot what the editor is told.
//!
//! A file begins with `=== PATH`; after `=== DO`, each line is something that is done. `^` in a text shows where the
//! cursor is.

use std::{
    collections::BTreeMap,
    fmt::Write as _,
    fs,
    io::{BufRead as _, BufReader, Read as _, Write as _},
    ops::Range,
    path::{Path, PathBuf},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
};

use referee::{ide::Workspace, library::Library};
use serde_json::{Value, json};

/// An editor with a server.
struct Editor {
    server: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    folder: PathBuf,
    texts: BTreeMap<String, String>,
    requests: u64,
    /// What the server told besides answers, and is not yet shown.
    notes: Vec<Value>,
}

impl Editor {
    /// Starts the server; only where the editor shows lenses, it waits for what they say too.
    fn start(folder: &Path, shows_lenses: bool) -> Editor {
        let mut server = Command::new(env!("CARGO_BIN_EXE_referee"))
            .arg("lsp")
            .current_dir(folder)
            .env_remove("REFEREE_RULES")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the command starts");
        let input = server.stdin.take().expect("its input is a pipe");
        let output = server.stdout.take().expect("its output is a pipe");
        let mut editor = Editor {
            server,
            input,
            output: BufReader::new(output),
            folder: folder.to_path_buf(),
            texts: BTreeMap::new(),
            requests: 0,
            notes: Vec::new(),
        };
        let mut capabilities = json!({ "experimental": { "serverStatusNotification": true } });
        if shows_lenses {
            capabilities["textDocument"] = json!({ "codeLens": {} });
        }
        let root = editor.uri("");
        editor.ask(
            "initialize",
            &json!({ "capabilities": capabilities, "rootUri": root }),
        );
        editor.tell("initialized", &json!({}));
        editor
    }

    fn send(&mut self, mut message: Value) {
        message["jsonrpc"] = json!("2.0");
        let text = message.to_string();
        write!(self.input, "Content-Length: {}\r\n\r\n{text}", text.len()).expect("it is read");
        self.input.flush().expect("it is read");
    }

    fn receive(&mut self) -> Value {
        let mut length = 0;
        loop {
            let mut line = String::new();
            self.output.read_line(&mut line).expect("it writes text");
            assert!(line.ends_with("\r\n"), "nothing but messages: {line:?}");
            if line == "\r\n" {
                break;
            }
            if let Some(value) = line.strip_prefix("Content-Length: ") {
                length = value.trim().parse().expect("a length is a number");
            }
        }
        let mut body = vec![0; length];
        self.output
            .read_exact(&mut body)
            .expect("it writes all of it");
        serde_json::from_slice(&body).expect("a message is JSON")
    }

    fn tell(&mut self, method: &str, params: &Value) {
        self.send(json!({ "method": method, "params": params }));
    }

    fn ask(&mut self, method: &str, params: &Value) -> Value {
        self.requests += 1;
        let id = self.requests;
        self.send(json!({ "id": id, "method": method, "params": params }));
        loop {
            let mut message = self.receive();
            if message["id"] != json!(id) {
                self.notes.push(message);
            } else if message["error"].is_null() {
                return message["result"].take();
            } else {
                return message["error"].take();
            }
        }
    }

    /// Waits until everything is checked, and gives what is shown of each file.
    fn checked(&mut self) -> Vec<Value> {
        loop {
            let message = self.receive();
            if message["method"] == "experimental/serverStatus" {
                let notes = std::mem::take(&mut self.notes);
                return notes
                    .into_iter()
                    .map(|mut note| note["params"].take())
                    .collect();
            }
            self.notes.push(message);
        }
    }

    fn uri(&self, file: &str) -> String {
        format!("file://{}", self.folder.join(file).display())
    }

    /// Does what a line of a case says; gives what the editor is told.
    fn act(&mut self, line: &str) -> Value {
        let (command, rest) = line.split_once(' ').expect("a command is about a file");
        let (file, rest) = rest.split_once(' ').unwrap_or((rest, ""));
        let uri = self.uri(file);
        let document = json!({ "uri": uri });
        let place = |mark: &str| position(&self.texts[file], mark);
        match command {
            "open" => {
                let text = fs::read_to_string(self.folder.join(file)).expect("a case has it");
                self.texts.insert(file.to_string(), text.clone());
                let language = if rest.is_empty() { "referee" } else { rest };
                let document =
                    json!({ "uri": uri, "languageId": language, "version": 1, "text": text });
                self.tell("textDocument/didOpen", &json!({ "textDocument": document }));
                return Value::Array(self.checked());
            }
            // A text takes the place of another: `type FILE OLD => NEW`.
            "type" => {
                let rest = rest.replace("\\n", "\n");
                let (old, new) = rest.split_once(" =>").expect("a new text comes last");
                let new = new.strip_prefix(' ').unwrap_or(new);
                assert!(self.texts[file].contains(old), "{old}");
                let text = self.texts[file].replacen(old, new, 1);
                self.texts.insert(file.to_string(), text.clone());
                let changes = json!([{ "text": text }]);
                self.tell(
                    "textDocument/didChange",
                    &json!({ "textDocument": { "uri": uri, "version": 2 }, "contentChanges": changes }),
                );
                return Value::Array(self.checked());
            }
            "save" => {
                self.tell("textDocument/didSave", &json!({ "textDocument": document }));
                return Value::Array(self.checked());
            }
            "why" => {
                let params = json!({ "textDocument": document, "position": place(rest) });
                return self.ask("referee/why", &params);
            }
            "rename" => {
                let (mark, name) = rest.rsplit_once(' ').expect("a new name comes last");
                let position = place(mark);
                let params =
                    json!({ "textDocument": document, "position": position, "newName": name });
                return self.ask("textDocument/rename", &params);
            }
            "references" => {
                let context = json!({ "includeDeclaration": true });
                let params = json!({ "textDocument": document, "position": place(rest), "context": context });
                return self.ask("textDocument/references", &params);
            }
            "rangeFormatting" => {
                let at = place(rest);
                let range = json!({ "start": at, "end": at });
                let options = json!({ "tabSize": 2, "insertSpaces": true });
                let params =
                    json!({ "textDocument": document, "range": range, "options": options });
                return self.ask("textDocument/rangeFormatting", &params);
            }
            // Before the cursor may stand which kind of actions is asked for: `codeAction FILE only:KIND OLD^`.
            "codeAction" => {
                let asked = rest
                    .strip_prefix("only:")
                    .and_then(|rest| rest.split_once(' '));
                let (only, mark) = asked.map_or((None, rest), |(kind, mark)| (Some([kind]), mark));
                let at = place(mark);
                let range = json!({ "start": at, "end": at });
                let context = json!({ "diagnostics": [], "only": only });
                let params =
                    json!({ "textDocument": document, "range": range, "context": context });
                return self.ask("textDocument/codeAction", &params);
            }
            "inlayHint" => {
                let end = json!({ "line": 9999, "character": 0 });
                let range = json!({ "start": { "line": 0, "character": 0 }, "end": end });
                let params = json!({ "textDocument": document, "range": range });
                return self.ask("textDocument/inlayHint", &params);
            }
            _ => {}
        }
        let mut params = json!({ "textDocument": document });
        if !rest.is_empty() {
            params["position"] = place(rest);
        }
        if command == "formatting" {
            params["options"] = json!({ "tabSize": 2, "insertSpaces": true });
        }
        self.ask(&format!("textDocument/{command}"), &params)
    }

    fn stop(mut self) {
        self.ask("shutdown", &Value::Null);
        self.tell("exit", &Value::Null);
        drop(self.input);
        let status = self.server.wait().expect("the server ends");
        assert!(status.success(), "{status}");
        let mut rest = String::new();
        let _ = self.output.read_to_string(&mut rest);
        assert_eq!(rest, "");
    }
}

/// Where the cursor is, if it stands where `^` does in `mark`. Case texts have no letters beyond UTF-16's first plane.
fn position(text: &str, mark: &str) -> Value {
    let mark = mark.replace("\\n", "\n");
    let (before, after) = mark.split_once('^').expect("the cursor is somewhere");
    let start = text.find(&format!("{before}{after}"));
    let offset = start.expect("the text is there") + before.len();
    let before = text.get(..offset).expect("the cursor is between letters");
    let line = before.matches('\n').count();
    let column = before.rsplit('\n').next().unwrap_or("").chars().count();
    json!({ "line": line, "character": column })
}

/// A message as people read it, in lines: ranges as they count lines and columns, files as the case calls them.
fn shown(value: &Value) -> Vec<String> {
    let nested = |lead: &str, mut lines: Vec<String>| {
        if lines.len() == 1 && !lines[0].starts_with("- ") && !lines[0].starts_with('|') {
            lines[0].insert_str(0, lead);
            return lines;
        }
        if lead.starts_with('-') {
            let leads = std::iter::once(lead).chain(std::iter::repeat("  "));
            return leads
                .zip(lines)
                .map(|(lead, line)| lead.to_string() + &line)
                .collect();
        }
        let lines = lines.into_iter().map(|line| format!("  {line}"));
        let lead = std::iter::once(lead.trim_end().to_string());
        lead.chain(lines).collect()
    };
    match value {
        Value::Array(parts) if !parts.is_empty() => {
            let parts = parts.iter().flat_map(|part| nested("- ", shown(part)));
            parts.collect()
        }
        Value::Object(_) if place(value).is_some() => vec![place(value).unwrap_or_default()],
        // What may be written next is short.
        Value::Object(fields) if fields.contains_key("label") && fields.contains_key("kind") => {
            let more = [&value["detail"], &value["documentation"]["value"]];
            let more = more.into_iter().filter_map(Value::as_str);
            let label = value["label"].as_str().unwrap_or_default();
            let parts: Vec<&str> = std::iter::once(label).chain(more).collect();
            vec![parts.join("  ")]
        }
        Value::Object(fields) => {
            let fields = fields.iter();
            let fields =
                fields.flat_map(|(name, field)| nested(&format!("{name}: "), shown(field)));
            fields.collect()
        }
        Value::String(text) if text.contains('\n') => text
            .lines()
            .map(|line| format!("| {line}").trim_end().to_string())
            .collect(),
        Value::String(text) => vec![text.clone()],
        other => vec![other.to_string()],
    }
}

/// A place or a range, counted from 1.
fn place(value: &Value) -> Option<String> {
    if let (Some(line), Some(column)) = (value["line"].as_u64(), value["character"].as_u64()) {
        return Some(format!("{}:{}", line + 1, column + 1));
    }
    let (start, end) = (place(value.get("start")?)?, place(value.get("end")?)?);
    Some(format!("{start}-{end}"))
}

fn check(path: &Path) {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
        .join("editors")
        .join(&*stem);
    let _ = fs::remove_dir_all(&folder);
    let case = fs::read_to_string(path).expect("a case is text");
    let (files, actions) = case.split_once("=== DO\n").expect("something is done");
    for file in files.split("=== ").skip(1) {
        let (name, text) = file.split_once('\n').expect("a file has a name");
        let place = folder.join(name);
        fs::create_dir_all(place.parent().expect("it is in a folder")).expect("it can be made");
        fs::write(place, text).expect("it can be written");
    }
    let mut editor = Editor::start(&folder, actions.contains("codeLens"));
    let root = editor.uri("");
    let mut said = String::new();
    for line in actions.lines().filter(|line| !line.is_empty()) {
        let answer = editor.act(line);
        let _ = writeln!(said, "> {line}");
        for line in shown(&answer) {
            let _ = writeln!(said, "  {}", line.replace(&root, ""));
        }
        said.push('\n');
    }
    editor.stop();
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(path.parent().expect("a case is in a folder"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.remove_snapshot_suffix();
    settings.remove_input_file();
    let said = said.replace(&folder.display().to_string(), "FOLDER");
    settings.bind(|| insta::assert_snapshot!(&*stem, said));
}

#[test]
fn cases() {
    insta::glob!("editors/*.txt", check);
}

/// The server rejects malformed messages and requests after `shutdown`, and keeps running.
/// What is pasted into an editor is short enough to be read before.
#[test]
fn configurations_are_short() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for name in [
        "emacs/referee.el",
        "helix/languages.toml",
        "neovim/referee.lua",
        "vim/referee.vim",
    ] {
        let text = fs::read_to_string(root.join("editors").join(name)).expect("it can be read");
        assert!(text.lines().count() <= 20, "{name} has more than 20 lines");
    }
}

#[test]
fn rejects_malformed_messages() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let mut editor = Editor::start(&folder, false);
    let mut refused = |text: &str| {
        write!(editor.input, "Content-Length: {}\r\n\r\n{text}", text.len()).expect("it is read");
        editor.input.flush().expect("it is read");
        editor.receive()
    };
    assert_eq!(refused("{nonsense")["method"], "window/logMessage");
    assert_eq!(refused("{}")["method"], "window/logMessage");
    let told = refused(r#"{"id": 77, "method": 5}"#);
    assert_eq!(
        (&told["id"], &told["error"]["code"]),
        (&json!(77), &json!(-32600))
    );
    editor.ask("shutdown", &Value::Null);
    let late = editor.ask("textDocument/hover", &Value::Null);
    assert_eq!(late["code"], json!(-32600));
    editor.tell("exit", &Value::Null);
    assert!(editor.server.wait().expect("the server ends").success());

    let mut editor = Editor::start(&folder, false);
    editor.tell("exit", &Value::Null);
    let ended = editor.server.wait().expect("the server ends");
    assert_eq!(ended.code(), Some(1), "it was not shut down");
}

/// The words of a rule file that are neither in comments nor in the plain part of texts: their bytes.
fn words(text: &str) -> Vec<Range<usize>> {
    let mut words = Vec::new();
    // How many braces are open in each text that is open.
    let mut holes: Vec<usize> = Vec::new();
    // Whether a text in a hole is open, such as `' and '`.
    let mut within = false;
    let mut start = None;
    for (at, letter) in text.char_indices() {
        let is_plain = holes.last() == Some(&0) || within;
        if !is_plain && start.is_none() && text.get(at..).is_some_and(|it| it.starts_with("-- ")) {
            start = Some((at, true));
        }
        match start {
            Some((_, true)) if letter != '\n' => continue,
            Some((from, false)) if !letter.is_ascii_alphanumeric() && letter != '_' => {
                words.push(from..at);
                start = None;
            }
            Some((_, true)) => start = None,
            None if !is_plain && letter.is_ascii_alphabetic() => start = Some((at, false)),
            _ => {}
        }
        match (letter, holes.last_mut()) {
            ('\'', Some(1..)) => within = !within,
            ('"', Some(0)) => drop(holes.pop()),
            ('"', _) => holes.push(0),
            ('{', Some(open)) => *open += 1,
            ('}', Some(open)) => *open = open.saturating_sub(1),
            _ => {}
        }
    }
    words
}

/// What stands before, at and after some bytes of a text.
fn parts<'t>(text: &'t str, range: &Range<usize>) -> (&'t str, &'t str, &'t str) {
    let (before, rest) = text.split_at(range.start);
    let (present, after) = rest.split_at(range.len());
    (before, present, after)
}

/// Each word of a shipped rule file is proposed at its place if it is not written yet, unless it is a new name.
#[test]
fn proposes_what_stands_there() {
    let mut missing = String::new();
    let mut places = 0;
    insta::glob!("../rules", "**/*.rules", |path| {
        let text = fs::read_to_string(path).expect("rule files are text");
        let mut workspace = Workspace::new(Library::default());
        let file = path.display().to_string();
        workspace.open(&file, &text);
        let is_new = |word: &Range<usize>| {
            let declared = workspace.definitions(&file, word.start);
            // What nothing declares is a label, a part of a type, or what a pattern reads.
            let (before, _, after) = parts(&text, word);
            let is_free =
                before.trim_end().ends_with(['|', '{', ',']) && after.starts_with([':', '}']);
            declared.iter().any(|it| it.range == *word) || declared.is_empty() && is_free
        };
        // A part of a name with a `-` in it.
        let is_part = |word: &Range<usize>| {
            let (before, ..) = parts(&text, word);
            before.ends_with(|it: char| it == '-' || it.is_alphanumeric())
        };
        let words = words(&text).into_iter();
        let words: Vec<_> = words.filter(|it| !is_new(it) && !is_part(it)).collect();
        for word in words.iter().step_by(7) {
            let (before, present, after) = parts(&text, word);
            workspace.open(&file, &format!("{before}{after}"));
            let found = workspace.completions(&file, word.start);
            places += 1;
            if !found.iter().any(|it| it.name.starts_with(present)) {
                let line = before.rsplit('\n').next().unwrap_or("");
                let number = before.matches('\n').count() + 1;
                let _ = writeln!(missing, "{file}:{number}: {line}[{present}]");
            }
        }
    });
    assert_eq!(missing, "");
    assert!(places > 1000, "{places}");
}
