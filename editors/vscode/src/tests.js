// The test explorer: transcripts, and the examples of rule files, run by `referee test`.
const path = require("node:path");
const vscode = require("vscode");
const { run } = require("./command");
const { examples, id, outcomes } = require("./results");

const HIDDEN = "**/{node_modules,.*}/**";

/** Lists the tests of a rule file or a transcript. What came of a test stays with it. */
async function list(controller, uri) {
  const file = uri.fsPath;
  const relative = vscode.workspace.asRelativePath(uri);
  if (file.endsWith(".in")) {
    const item = controller.createTestItem(id(file), relative, uri);
    item.range = new vscode.Range(0, 0, 0, 0);
    controller.items.add(item);
    return;
  }
  const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
  const items = examples(text).map(({ name, number }) => {
    const item = controller.createTestItem(id(file, name), name, uri);
    item.range = new vscode.Range(number, 0, number, 0);
    return item;
  });
  if (items.length === 0) {
    controller.items.delete(id(file));
    return;
  }
  const parent = controller.items.get(id(file)) ?? controller.createTestItem(id(file), relative, uri);
  parent.children.replace(items);
  controller.items.add(parent);
}

async function listAll(controller) {
  const files = await vscode.workspace.findFiles("**/*.{rules,in}", HIDDEN);
  await Promise.all(files.map((uri) => list(controller, uri)));
}

/** The tests below some items that can be run. */
function leaves(items) {
  return items.flatMap((item) => (item.children.size > 0 ? leaves([...item.children].map(([, child]) => child)) : [item]));
}

/** Runs one test. Of a broken file, no example can be told by its name, so then all of it is run. */
async function runOne(item, folder, token) {
  const file = item.uri.fsPath;
  const args = ["test", "--format", "json", file];
  const found = file.endsWith(".rules") ? await run([...args, "--filter", item.id], folder, token) : { stdout: "" };
  return found.stdout ? found : run(args, folder, token);
}

/** How a test ended: an example of a file that is broken, as that. */
function ended(found, item) {
  return found.get(item.id) ?? found.get(id(item.uri.fsPath));
}

function tell(result, item, found) {
  if (!found) {
    result.skipped(item); // it is a transcript of no game that is here
  } else if (found.outcome === "passed" || found.outcome === "written") {
    result.passed(item);
  } else {
    const message = new vscode.TestMessage(found.why);
    message.location = new vscode.Location(item.uri, item.range ?? new vscode.Range(0, 0, 0, 0));
    if (found.outcome === "failed") {
      result.failed(item, message);
    } else {
      result.errored(item, message);
    }
  }
}

async function runTests(controller, request, token) {
  const result = controller.createTestRun(request);
  const all = [...controller.items].map(([, item]) => item);
  const items = leaves(request.include ? [...request.include] : all).filter((item) => !request.exclude?.includes(item));
  items.forEach((item) => result.started(item));
  try {
    if (request.include) {
      for (const item of items) {
        const folder = path.dirname(item.uri.fsPath);
        const { stdout, stderr } = await runOne(item, folder, token);
        if (token.isCancellationRequested) break;
        tell(result, item, stdout ? ended(outcomes(stdout, folder), item) : { outcome: "broken", why: stderr });
      }
    } else {
      for (const { uri } of vscode.workspace.workspaceFolders ?? []) {
        const { stdout, stderr } = await run(["test", "--format", "json"], uri.fsPath, token);
        if (token.isCancellationRequested) break;
        const found = stdout ? outcomes(stdout, uri.fsPath) : new Map();
        const own = items.filter((item) => vscode.workspace.getWorkspaceFolder(item.uri)?.uri.fsPath === uri.fsPath);
        own.forEach((item) => tell(result, item, ended(found, item)));
        result.appendOutput(stderr.replaceAll("\n", "\r\n"));
      }
    }
  } catch (error) {
    items.forEach((item) => result.errored(item, new vscode.TestMessage(error.message)));
  }
  result.end();
}

exports.register = () => {
  const controller = vscode.tests.createTestController("referee", "Referee");
  const profile = (request, token) => runTests(controller, request, token);
  controller.createRunProfile("Run", vscode.TestRunProfileKind.Run, profile, true);
  controller.resolveHandler = (item) => (item ? undefined : listAll(controller));
  controller.refreshHandler = () => listAll(controller);
  const files = vscode.workspace.createFileSystemWatcher("**/*.{rules,in}");
  const again = (uri) => list(controller, uri).catch(() => controller.items.delete(id(uri.fsPath)));
  return [
    controller,
    files,
    files.onDidCreate(again),
    files.onDidChange(again),
    files.onDidDelete((uri) => controller.items.delete(id(uri.fsPath))),
    // What stands above an example or a transcript runs it.
    vscode.commands.registerCommand("referee.test", async (file, example) => {
      await list(controller, vscode.Uri.file(file));
      const test = controller.items.get(id(file));
      const item = example ? test?.children.get(id(file, example)) : test;
      if (item) {
        const { token } = new vscode.CancellationTokenSource();
        await runTests(controller, new vscode.TestRunRequest([item]), token);
      }
    }),
  ];
};
