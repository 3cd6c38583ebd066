// The extension without an editor: what it reads from the command, and that it starts with all that it promises.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { Module, createRequire } from "node:module";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const require = createRequire(import.meta.url);
const here = path.dirname(fileURLToPath(import.meta.url));
const noughts = path.resolve(here, "../../../examples/noughts");
const referee = process.env.REFEREE ?? path.resolve(here, "../../../target/debug/referee");
const run = (...args) => execFileSync(referee, args, { cwd: noughts, encoding: "utf8" });
const skip = existsSync(referee) ? false : "`referee` is not built";

test("tests go by their files and examples", { skip }, () => {
  const { outcomes, id } = require("../src/results.js");
  const found = outcomes(run("test", "--format", "json"), noughts);
  assert.deepEqual(found.get(id(path.join(noughts, "noughts/x-wins.in"))), { outcome: "passed", why: "" });
  const json = JSON.stringify({ tests: [{ name: "a/b.rules late", outcome: "broken", why: "no" }] });
  assert.deepEqual([...outcomes(json, "/x")], [["/x/a/b.rules late", { outcome: "broken", why: "no" }]]);
});

test("examples are found in a rule file", () => {
  const { examples } = require("../src/results.js");
  assert.deepEqual(examples('game a\n\nexample late "Late" { expect late }\n'), [{ number: 2, name: "late" }]);
});

test("an explanation becomes a tree", { skip }, () => {
  const { tree } = require("../src/explanation.js");
  const roots = tree(JSON.parse(run("why", "noughts.rules", "noughts/x-wins.in:5", "--format", "json")));
  assert.equal(roots.length, 1);
  assert.equal(roots[0].label, "2,3");
  const won = roots[0].children.find((node) => node.label === "says “X wins”");
  assert.ok(won.place.line > 1 && won.place.file.endsWith("noughts.rules"));
  const turn = roots[0].children.find((node) => node.label === "turn: X → O");
  assert.match(JSON.stringify(turn.children), /turn is X/);
});

/** A module of which everything can be called, made and asked for; `registered` are the names that were registered. */
function editor(registered) {
  const anything = new Proxy(function () {}, {
    get: (target, name) => {
      if (name === Symbol.toPrimitive) return () => "";
      if (name === Symbol.iterator) return [][Symbol.iterator];
      if (name === "then") return undefined;
      if (name === "prototype") return target.prototype;
      if (/^(register|create)/.test(String(name))) return (first) => (registered.push(first), anything);
      return name === "forEach" ? () => {} : anything;
    },
    apply: () => anything,
    construct: () => anything,
  });
  return anything;
}

test("it starts, and does what its manifest lists", () => {
  const registered = [];
  const load = Module._load;
  const isEditor = (name) => name === "vscode" || name === "vscode-languageclient/node";
  Module._load = (name, ...rest) => (isEditor(name) ? editor(registered) : load(name, ...rest));
  try {
    const subscriptions = [];
    require("../src/extension.js").activate({ subscriptions });
    assert.ok(subscriptions.length > 5);
  } finally {
    Module._load = load;
  }
  const { contributes } = JSON.parse(readFileSync(path.resolve(here, "../package.json"), "utf8"));
  const wanted = [...contributes.commands.map(({ command }) => command), contributes.taskDefinitions[0].type];
  wanted.push(...Object.values(contributes.views).flat().map(({ id }) => id));
  assert.deepEqual(wanted.filter((name) => !registered.includes(name)), []);
});
