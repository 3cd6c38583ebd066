// Tasks: `referee check FILE` for each rule file, `referee test` for each folder of the workspace.
const vscode = require("vscode");
const { command } = require("./command");

/** Beyond so many rule files, a list of tasks helps nobody. */
const MOST = 200;

function task(definition, scope) {
  const run = new vscode.ShellExecution(command(), definition.arguments);
  const name = definition.arguments.join(" ");
  const made = new vscode.Task(definition, scope, name, "referee", run, "$referee");
  made.group = definition.arguments[0] === "test" ? vscode.TaskGroup.Test : vscode.TaskGroup.Build;
  return made;
}

exports.provider = {
  async provideTasks() {
    const folders = vscode.workspace.workspaceFolders ?? [];
    const tests = folders.map((folder) => task({ type: "referee", arguments: ["test"] }, folder));
    const files = await vscode.workspace.findFiles("**/*.rules", "**/node_modules/**", MOST);
    const checks = files.map((file) => {
      const folder = vscode.workspace.getWorkspaceFolder(file);
      const relative = `./${vscode.workspace.asRelativePath(file, false)}`;
      return folder && task({ type: "referee", arguments: ["check", relative] }, folder);
    });
    return [...tests, ...checks.filter(Boolean)];
  },
  resolveTask(made) {
    const { definition, scope } = made;
    return Array.isArray(definition.arguments) ? task(definition, scope ?? vscode.TaskScope.Workspace) : undefined;
  },
};
