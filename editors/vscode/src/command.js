// The command `referee`.
const { execFile } = require("node:child_process");
const vscode = require("vscode");

exports.RULES = "referee";
exports.TRANSCRIPT = "referee-transcript";

/** What the command is called. */
exports.command = () => vscode.workspace.getConfiguration("referee").get("command");

/** Runs the command. Exit codes are its answers, so only a command that does not run is a failure. */
exports.run = (args, cwd, token) =>
  new Promise((resolve, reject) => {
    const options = { cwd, maxBuffer: 256 * 1024 * 1024 };
    const child = execFile(exports.command(), args, options, (error, stdout, stderr) => {
      if (error && typeof error.code !== "number" && !token?.isCancellationRequested) {
        reject(new Error(`\`${exports.command()}\` cannot be run: ${error.message}`));
      } else {
        resolve({ stdout, stderr });
      }
    });
    token?.onCancellationRequested(() => child.kill());
  });
