// The package as it is installed: packed, put into an empty folder, and used there.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const packed = join(here, "..");
const root = join(here, "../../..");
const folder = mkdtempSync(join(tmpdir(), "referee-"));
after(() => rmSync(folder, { recursive: true }));

const npm = (...words) => execFileSync("npm", words, { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
const [file] = JSON.parse(npm("pack", packed, "--json"));
writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "ours", version: "1.0.0", private: true, type: "module" }));
npm("install", "--offline", "--no-audit", "--no-fund", join(folder, file.filename));
const installed = join(folder, "node_modules/referee");
const referee = await import(pathToFileURL(join(installed, "node.js")).href);
const { BoundError, RulesError, TranscriptError, UsageError } = referee;

const rules = (name) => readFileSync(join(root, "rules", name), "utf8");
const transcripts = (folder) => {
  const all = readdirSync(join(root, "tests/transcripts", folder)).filter((it) => it.endsWith(".txt"));
  return all.map((it) => readFileSync(join(root, "tests/transcripts", folder, it), "utf8"));
};
const sample = readFileSync(join(root, "tests/transcripts/snooker/sample.txt"), "utf8");

/** What a call throws. */
function thrown(call) {
  try {
    call();
  } catch (error) {
    return error;
  }
  assert.fail("nothing was thrown");
}

test("the package has what is meant to be in it", () => {
  const names = file.files.map((it) => it.path).sort();
  assert.deepEqual(names, [
    "LICENSE-APACHE", "LICENSE-MIT", "README.md", "core.js", "example/server.js", "index.d.ts", "node.js", "package.json",
    "referee.wasm", "web.js",
  ]);
  assert.ok(file.size < 1_500_000, `${file.size} bytes`);
});

test("it is found by its name, and has all that its types say", () => {
  const code = 'import * as referee from "referee"; console.log(Object.keys(referee).sort().join(" "))';
  const names = execFileSync(process.execPath, ["--input-type=module", "-e", code], { cwd: folder, encoding: "utf8" });
  const typed = readFileSync(join(installed, "index.d.ts"), "utf8").matchAll(/^export (?:class|function) (\w+)/gm);
  assert.deepEqual(names.trim().split(" "), [...typed].map((it) => it[1]).sort());
});

test("games come along", () => {
  const games = referee.games();
  assert.ok(games.some((it) => it.name === "chess" && it.variants.length > 0));
  const game = referee.load("snooker+foul-five", { options: { red_balls: 6 } });
  assert.equal(game.name, "snooker");
  assert.deepEqual(game.variants, ["foul-five"]);
  assert.equal(game.options.find((it) => it.name === "red_balls").value, "6");
});

test("a report is the command's", () => {
  const command = process.env.REFEREE ?? join(root, "target/debug/referee");
  const game = referee.load("snooker");
  const wanted = existsSync(command)
    ? execFileSync(command, ["run", "snooker", join(root, "tests/transcripts/snooker/sample.txt")], { encoding: "utf8" })
    : game.run(sample);
  assert.equal(game.run(sample), wanted);
  assert.equal(game.report(sample).map((it) => `${it.text}\n`).join(""), wanted);
  assert.deepEqual(game.report(sample)[2], { text: "Foul!", line: 4 });
});

test("what is wrong is thrown, with its place and what to do", () => {
  const game = referee.load("snooker");
  const error = thrown(() => game.run("1\n\nAnn Ben\nRed Whit\n"));
  assert.ok(error instanceof TranscriptError);
  assert.equal(error.message, "unexpected `Whit`");
  assert.deepEqual([error.code, error.line, error.column], ["unexpected", 4, 5]);
  assert.equal(error.report, "Frame 1\nAnn's turn, in-hand\n");
  assert.match(error.text, /^error\[unexpected\]/);
  assert.match(thrown(() => referee.load("snoker")).text, /did you mean `snooker`/);
  assert.ok(thrown(() => referee.load("snoker")) instanceof UsageError);
  assert.ok(thrown(() => referee.load("snooker", { options: { red_balls: "many" } })) instanceof UsageError);
  assert.ok(thrown(() => referee.load("mine", { files: { "mine.rules": "game mine {" } })) instanceof RulesError);
});

test("rules are checked and laid out", () => {
  const text = rules("nim.rules");
  assert.deepEqual(referee.check({ "nim.rules": text }), []);
  const [wrong] = referee.check({ "nim.rules": text.replace("state turn: Player", "state turn: Playr") });
  assert.equal(wrong.code, "unknown-type");
  assert.equal(wrong.edits[0].text, "Player");
  assert.equal(referee.format(text), text);
  assert.equal(referee.format("game   mine"), "game mine\n");
  assert.ok(thrown(() => referee.format("game {")) instanceof RulesError);
});

test("house rules are a text", () => {
  const house = 'variant house of snooker "House rules"\n\nset least_penalty = 5\n';
  const files = { "snooker/house.rules": house };
  assert.deepEqual(referee.check(files, "snooker+house"), []);
  const [plain, ours] = [referee.load("snooker"), referee.load("snooker+house", { files })];
  const told = referee.diff(plain, ours, sample);
  assert.deepEqual([told.line, told.at, told.one.says, told.other.says], [4, 4, "0 : 4", "0 : 5"]);
  assert.equal(told.cause, "penalty.least");
  assert.equal(told.one.row.cites, "WPBSA rules of 2014, section 3, 10");
  assert.equal(referee.diff(plain, plain, sample), null);
});

test("every line has its reason", () => {
  const told = referee.load("snooker").why(sample, 4);
  assert.match(told.text, /foul: the white was potted/);
  assert.ok(told.events[0].sentences.length > 0);
  assert.match(referee.load("snooker").why(sample, 4, { not: "foul" }).text, /not foul if/);
});

test("chance shuffles the deck", () => {
  const session = referee.load("mau-mau").session();
  assert.equal(session.drawn(), null);
  session.feed("1");
  const line = session.drawn("2", { seed: 5 });
  assert.equal(new Set(line.split(" ")).size, 33);
  session.feed(line);
  assert.equal(session.drawn("2"), null);
});

test("a session takes moves, refuses others, and goes back", () => {
  const session = referee.load("nim").session();
  assert.deepEqual([session.feed("1"), session.feed("Ann Ben"), session.feed("2")], ["", "", "Ann against Ben: 2\n"]);
  assert.equal(session.stage, "playing");
  assert.equal(session.state().turn, "Ann");
  assert.deepEqual(session.moves().moves.map((it) => it.written), ["Ann 1 from 1", "Ann 2 from 1"]);
  assert.deepEqual(session.deciders(), [{ seat: "Ann" }]);
  const before = session.transcript;
  const refused = thrown(() => session.feed("Ann 3 from 1"));
  assert.equal(refused.message, "heap 1 has only 2");
  assert.equal(session.transcript, before);
  assert.match(session.whyNext("Ann 3 from 1").text, /heap 1 has only 2/);
  assert.equal(session.feed("Ann 1 from 1"), "Ann leaves 1\n");
  assert.equal(session.undo(), "Ann 1 from 1\n");
  assert.equal(session.steps, 3);
  session.close();
  assert.ok(thrown(() => session.stage) instanceof UsageError);
});

test("hands are told card by card, and boards square by square", () => {
  const [dealt] = transcripts("mau-mau.moves");
  const session = referee.load("mau-mau").session({ form: "moves", transcript: dealt.split("\n", 2).join("\n") });
  const hands = session.hands().filter((it) => it.state === "hand");
  assert.deepEqual(hands.map((it) => [it.of, it.items.length]), [["1", 7], ["2", 7]]);
  const board = referee.load("connect-four").session({ transcript: "1\nAnn Ben\n4\n" }).boards()[0];
  assert.deepEqual(board.rows[5][3].value, "Ann");
});

test("sessions of a game do not disturb each other", () => {
  const game = referee.load("nim");
  const open = Array.from({ length: 50 }, (_, at) => game.session({ transcript: `1\nAnn Ben\n${at + 1}\n` }));
  open.forEach((session, at) => assert.deepEqual(session.state().left["1"] ?? session.state().left[1], at + 1));
  open[3].close();
  assert.equal(open[4].moves().moves.length, 5);
});

const ENDLESS = `game mine "Endless"
type N = 1..1000
event go
on go {
  fact over = no
  fact found = some a in N where some b in N where some c in N where a * b * c is 0 - 1
  report | found: "found" when found
}
transcript by lines { start play until over { | go: "go" } }
`;

test("what takes too much is stopped, and what comes after it is not disturbed", () => {
  const files = { "mine.rules": ENDLESS };
  const game = referee.load("mine", { files, limits: { fuel: 1 << 16 } });
  const session = game.session();
  const error = thrown(() => session.feed("go"));
  assert.ok(error instanceof BoundError, `${error}`);
  assert.equal(session.transcript, "");
  const deep = `fact over = ${"(".repeat(20_000)}yes${")".repeat(20_000)}`;
  assert.ok(referee.check({ "mine.rules": ENDLESS.replace("fact over = no", deep) }).length > 0);
  assert.equal(referee.load("nim").session().stage, "between");
});

test("the types are those of what comes", () => {
  const typescript = join(root, "playground/node_modules/typescript/bin/tsc");
  execFileSync(process.execPath, [typescript, "--project", here], { encoding: "utf8", stdio: "pipe" });
});
