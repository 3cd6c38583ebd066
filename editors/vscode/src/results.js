// What `referee test --format json` says, by tests.
const path = require("node:path");

/** What a test goes by: the path of its transcript, or that of a rule file and the name of an example in it. */
exports.id = (file, example) => (example ? `${file} ${example}` : file);

/** The examples of a rule file, each with its line from 0. */
exports.examples = (text) => {
  const lines = text.split("\n").map((line, number) => ({ number, name: /^example\s+(\w+)/.exec(line)?.[1] }));
  return lines.filter(({ name }) => name);
};

/** How tests ended that were run in a folder: `{ outcome, why }` by what they go by. */
exports.outcomes = (json, folder) => {
  const found = new Map();
  for (const { name, outcome, why } of JSON.parse(json).tests) {
    const [, file, example] = /^(.*\.rules)(?: (\w+))?$/.exec(name) ?? [null, name, null];
    found.set(exports.id(path.resolve(folder, file), example), { outcome, why: why ?? "" });
  }
  return found;
};
