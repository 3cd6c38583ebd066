// The panel that says why a line of a transcript did what it did: a tree, in which each row leads to its rule.
const path = require("node:path");
const vscode = require("vscode");
const { TRANSCRIPT } = require("./command");
const { tree } = require("./explanation");

/** How long the cursor rests on a line before it is explained, in milliseconds. */
const REST = 200;

/** A row of the tree; shipped rule files are no files that could be opened. */
function shown({ label, detail, place, children }, depth) {
  const { None, Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
  const item = new vscode.TreeItem(label, children.length === 0 ? None : depth > 0 ? Collapsed : Expanded);
  item.description = detail;
  item.tooltip = detail ? `${label}\n${detail}` : label;
  if (place && path.isAbsolute(place.file)) {
    const at = new vscode.Position(Math.max(place.line - 1, 0), 0);
    const options = { selection: new vscode.Range(at, at), viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
    item.command = { title: "Show the rule", command: "vscode.open", arguments: [vscode.Uri.file(place.file), options] };
  }
  return item;
}

exports.register = (ask) => {
  const changed = new vscode.EventEmitter();
  let roots = [];
  const view = vscode.window.createTreeView("referee.why", {
    treeDataProvider: {
      onDidChangeTreeData: changed.event,
      getChildren: (element) => (element?.node.children ?? roots).map((node) => ({ node, depth: (element?.depth ?? -1) + 1 })),
      getTreeItem: ({ node, depth }) => shown(node, depth),
    },
  });

  async function explain(editor) {
    const { document, selection } = editor;
    const found = await ask(document, selection.active);
    if (found && document.languageId === TRANSCRIPT) {
      roots = tree(found);
      view.description = `${path.basename(document.fileName)}:${found.line}`;
      view.message = undefined;
    } else {
      roots = [];
      view.description = undefined;
      view.message = "Nothing is read on this line, or its game is not known.";
    }
    changed.fire();
  }

  let rest;
  return [
    view,
    vscode.commands.registerTextEditorCommand("referee.why", async (editor) => {
      await vscode.commands.executeCommand("referee.why.focus");
      await explain(editor);
    }),
    vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => {
      clearTimeout(rest);
      if (view.visible && textEditor.document.languageId === TRANSCRIPT) {
        rest = setTimeout(() => explain(textEditor).catch(() => {}), REST);
      }
    }),
    { dispose: () => clearTimeout(rest) },
  ];
};
