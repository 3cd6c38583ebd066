// Rule files and transcripts, by the language server `referee lsp`; tasks and tests, by the command.
const fs = require("node:fs");
const path = require("node:path");
const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");
const { RULES, TRANSCRIPT, command } = require("./command");
const tasks = require("./tasks");
const tests = require("./tests");
const why = require("./why");

/** Whether rule files lie in a folder. */
function hasRules(folder) {
  try {
    return fs.readdirSync(folder).some((name) => name.endsWith(".rules"));
  } catch {
    return false;
  }
}

/** A file that ends in `.in` beside rule files, or in a folder beside them, is a transcript. */
function recognise(document) {
  const { fileName, languageId, uri } = document;
  if (uri.scheme !== "file" || !fileName.endsWith(".in") || languageId === TRANSCRIPT) {
    return;
  }
  const folder = path.dirname(fileName);
  if (hasRules(folder) || hasRules(path.dirname(folder))) {
    vscode.languages.setTextDocumentLanguage(document, TRANSCRIPT);
  }
}

function start(files) {
  const server = { command: command(), args: ["lsp"] };
  const client = new LanguageClient("referee", "Referee", server, {
    documentSelector: [
      ...[RULES, TRANSCRIPT].map((language) => ({ scheme: "file", language })),
      // From a line of a report, its definition is the row that wrote it.
      { scheme: "file", pattern: "**/*.out" },
    ],
    synchronize: { fileEvents: files },
    initializationOptions: { cases: vscode.workspace.getConfiguration("referee").get("cases") },
  });
  client.start().catch(() => {
    const message = `\`${server.command} lsp\` cannot be run. Install \`referee\`, or say where it is in the setting \`referee.command\`.`;
    vscode.window.showErrorMessage(message);
  });
  return client;
}

let client;

exports.activate = (context) => {
  const files = vscode.workspace.createFileSystemWatcher("**/*.{rules,in,out}");
  client = start(files);
  let restarted = Promise.resolve();
  // With the settings as they are then, and also if the server could not be started; one restart after the other.
  const restart = () => {
    restarted = restarted.then(async () => {
      await client.stop().catch(() => {});
      client = start(files);
    });
    return restarted;
  };
  context.subscriptions.push(
    files,
    vscode.workspace.onDidOpenTextDocument(recognise),
    vscode.commands.registerCommand("referee.restart", restart),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration("referee")) {
        return restart();
      }
    }),
    vscode.tasks.registerTaskProvider("referee", tasks.provider),
    ...tests.register(),
    ...why.register((document, position) => {
      const asked = { textDocument: { uri: document.uri.toString() }, position };
      return client.sendRequest("referee/why", asked);
    }),
  );
  vscode.workspace.textDocuments.forEach(recognise);
};

exports.deactivate = () => client?.stop().catch(() => {});
