// Formats rule files, and shows what is wrong with them when they are opened or saved. All of it is the command's work.
const { execFile } = require("node:child_process");
const path = require("node:path");
const vscode = require("vscode");

const LANGUAGE = "referee";

/** Runs the command. Exit codes are its answers, so only a command that does not run is a failure. */
function referee(args, document, input) {
  const command = vscode.workspace.getConfiguration(LANGUAGE).get("command");
  const options = { timeout: 10_000, maxBuffer: 64 * 1024 * 1024 };
  if (document.uri.scheme === "file") {
    options.cwd = path.dirname(document.uri.fsPath);
  }
  return new Promise((resolve, reject) => {
    const child = execFile(command, args, options, (error, stdout, stderr) => {
      if (error && typeof error.code !== "number") {
        reject(new Error(`\`${command}\` cannot be run: ${error.message}`));
      } else {
        resolve({ code: error ? error.code : 0, stdout, stderr });
      }
    });
    child.stdin.on("error", () => {});
    child.stdin.end(input);
  });
}

async function edits(document) {
  const text = document.getText();
  const { code, stdout } = await referee(["fmt", "-"], document, text);
  if (code !== 0 || stdout === text) {
    return [];
  }
  const whole = new vscode.Range(document.positionAt(0), document.positionAt(text.length));
  return [vscode.TextEdit.replace(whole, stdout)];
}

/** Columns count characters, and the editor counts the halves of those beyond the basic plane. */
function position(document, { line, column }) {
  if (line > document.lineCount) {
    return document.positionAt(document.getText().length);
  }
  const characters = [...document.lineAt(line - 1).text].slice(0, column - 1);
  return new vscode.Position(line - 1, characters.join("").length);
}

function diagnostic(document, finding) {
  const label = finding.labels.find((label) => path.resolve(path.dirname(document.fileName), label.file) === document.fileName);
  const range = label
    ? new vscode.Range(position(document, label), position(document, label.end))
    : new vscode.Range(0, 0, 0, 0);
  const lines = [finding.message, label?.text, ...finding.notes, ...finding.helps];
  const isError = finding.severity === "error";
  const shown = new vscode.Diagnostic(
    range,
    lines.filter(Boolean).join("\n"),
    isError ? vscode.DiagnosticSeverity.Error : vscode.DiagnosticSeverity.Warning,
  );
  shown.source = "referee";
  shown.code = finding.code;
  return shown;
}

async function check(document, collection) {
  if (document.languageId !== LANGUAGE || document.uri.scheme !== "file") {
    return;
  }
  try {
    const { stdout } = await referee(["check", "--format", "json", document.fileName], document, "");
    const findings = stdout.split("\n").filter(Boolean).map((line) => JSON.parse(line));
    collection.set(document.uri, findings.map((finding) => diagnostic(document, finding)));
  } catch (error) {
    vscode.window.showErrorMessage(error.message);
  }
}

exports.activate = (context) => {
  const collection = vscode.languages.createDiagnosticCollection(LANGUAGE);
  context.subscriptions.push(
    collection,
    vscode.languages.registerDocumentFormattingEditProvider(LANGUAGE, { provideDocumentFormattingEdits: edits }),
    vscode.workspace.onDidOpenTextDocument((document) => check(document, collection)),
    vscode.workspace.onDidSaveTextDocument((document) => check(document, collection)),
    vscode.workspace.onDidCloseTextDocument((document) => collection.delete(document.uri)),
  );
  vscode.workspace.textDocuments.forEach((document) => check(document, collection));
};
