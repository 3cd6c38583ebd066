// What people do with the page, in a real browser. `--short` leaves out what takes long.
//
// It needs the page (`npm run build`), Chromium, and the command for reports to compare with: `REFEREE`, or the one in
// `target/debug`.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, readdirSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { deflateRawSync } from "node:zlib";
import { after, test } from "node:test";
import { paste, watched } from "./awake.mjs";
import { browser, executable, here, open } from "./page.mjs";

const short = process.argv.includes("--short");
const root = join(here, "../..");
const command = process.env.REFEREE ?? join(root, "target/debug/referee");
const starters = JSON.parse(readFileSync(join(here, "../starters.json"), "utf8"));
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

if (!executable) {
  console.log("There is no Chromium here: set CHROMIUM to where it is.");
  process.exit(1);
}
after(() => browser.close());

const report = (page) => page.evaluate(() => window.playground.report);
const lines = (page) => page.locator("#report ol.lines button").allTextContents();
const docOf = (id) => `#${id} .cm-content`;

/** Waits until the report is another than `old`; gives it. */
async function changed(page, old) {
  await page.waitForFunction((old) => window.playground.report !== old, old);
  return report(page);
}

/** Takes a game, and waits for its report. */
async function choose(page, game) {
  await page.evaluate(() => (window.playground.report = undefined));
  await page.selectOption("#game", game);
  return changed(page, undefined);
}

/** Writes a text in place of what is in an editor. */
async function write(page, id, text) {
  await page.locator(docOf(id)).click();
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText(text);
}

/** Brings a part of the page to the front, where only one of them is shown. */
async function pane(page, name) {
  const button = page.locator(`nav.panes button[data-pane=${name}]`);
  if (await button.isVisible()) await button.click();
}

/** A test with a page of its own, in which nothing may go wrong that nobody sees. */
function inPage(name, body, options = {}) {
  test(name, async () => {
    const { page, requests, errors, close } = await open(options);
    try {
      await body(page);
    } catch (error) {
      mkdirSync(join(here, "shots"), { recursive: true });
      await page.screenshot({ path: join(here, "shots", `${name.replace(/\W+/g, "-")}.png`) });
      throw error;
    } finally {
      await close();
    }
    assert.deepEqual(requests, [], "the page asks nothing of a network");
    assert.deepEqual(errors, []);
  });
}

inPage("every shipped game says what the command says", async (page) => {
  const games = await page.locator("#game option").evaluateAll((all) => all.map((it) => it.value));
  const shipped = readdirSync(join(root, "rules"), { recursive: true }).filter((it) => it.endsWith(".rules"));
  assert.equal(games.length - 1, shipped.length, "all are in the list, and one of your own");
  for (const game of games.filter((it) => it !== "mine")) {
    const path = starters[game];
    assert.ok(path, `${game} has a transcript to begin with`);
    const [folder] = path.split("/");
    const [name, ...settings] = folder.split(",");
    const [, form] = name.split(".");
    const set = settings.flatMap((it) => ["--set", it]);
    const which = form ? ["--transcript", form] : [];
    const file = join(root, "tests/transcripts", `${path}.txt`);
    const ran = spawnSync(command, ["run", game, ...set, ...which, file], { encoding: "utf8" });
    assert.equal(await choose(page, game), ran.stdout, game);
    assert.equal(await page.evaluate(() => window.playground.failed === null), ran.status === 0, game);
    const told = await lines(page);
    const wanted = ran.stdout.split("\n").slice(0, -1);
    assert.deepEqual(told.map((it) => it.trimEnd()), wanted.map((it) => it.trimEnd()), game);
  }
});

inPage("a rule is changed, and the report and its reasons with it", async (page) => {
  const old = await report(page);
  assert.match(old, /^0 : 4$/m);
  await page.locator(docOf("game-editor")).getByText("least_penalty").first().click();
  await page.keyboard.press("End");
  const text = await page.locator(docOf("game-editor")).locator(".cm-line").nth(3).textContent();
  for (let at = text.length; at > text.indexOf("= 4") + 3; at -= 1) await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("Backspace");
  await page.keyboard.type("5");
  assert.match(await changed(page, old), /^0 : 5$/m);
  await page.locator("#report ol.lines button", { hasText: "0 : 5" }).first().click();
  await page.locator("#why .row").first().waitFor();
  assert.match(await page.locator("#why .body").textContent(), /foul: the white was potted/);
  assert.match(await page.locator("#why .body").textContent(), /score of Maxbreak: 0 → 5/);
});

inPage("from a line to its row, and from the row to its lines", async (page) => {
  await page.locator("#transcript .cm-line", { hasText: "Red White" }).click();
  await page.locator("#why .row", { hasText: "in_off" }).first().click();
  assert.match(await page.locator("#game-editor .cm-shown").textContent(), /in_off/);
  await page.locator("#status button").first().waitFor();
  assert.equal(await page.locator("#report .caused").first().textContent(), "Foul!");
  await page.locator("#status button").first().click();
  assert.match(await page.locator("#why-title").textContent(), /line 4/);
  // A row that says something marks that, and nothing else; the line that is explained is marked, too.
  const rules = readFileSync(join(root, "rules/snooker.rules"), "utf8").split("\n");
  const line = rules.findIndex((it) => it.includes('"Foul!" when foul')) + 1;
  await page.locator("#why .row", { hasText: `snooker.rules:${line}` }).first().click();
  await page.locator("#status", { hasText: `snooker.rules:${line} fired` }).waitFor();
  assert.deepEqual([...new Set(await page.locator("#report .caused").allTextContents())], ["Foul!"]);
  assert.equal(await page.locator("#report .caused.chosen").count(), 1);
  const [marked, plain] = await page.locator("#report .chosen").evaluateAll((all) => all.map((it) => getComputedStyle(it).backgroundColor));
  assert.notEqual(marked, plain, "the mark is seen on the line that is explained");
  // Whoever closes the explanation goes on where the explanation was asked for.
  await page.locator("#report ol.lines button").nth(2).click();
  await page.locator("#why .row").first().focus();
  await page.keyboard.press("Escape");
  assert.equal(await page.evaluate(() => document.activeElement.textContent), "Foul!");
});

inPage("a drawing keeps its lines", async (page) => {
  await choose(page, "nim");
  await pane(page, "transcript");
  await write(page, "transcript-editor", "1\nAnn Ben\n5\nAnn 9 from 1\n");
  await pane(page, "result");
  const drawing = page.locator("#report .drawn");
  await drawing.waitFor();
  const [lines, shown] = await drawing.evaluate((it) => {
    const { lineHeight, paddingTop } = getComputedStyle(it);
    return [it.textContent.split("\n").length, (it.clientHeight - 2 * parseFloat(paddingTop)) / parseFloat(lineHeight)];
  });
  assert.ok(Math.abs(lines - shown) < 1, `${lines} lines take the room of ${shown}`);
}, { viewport: { width: 390, height: 780 } });

inPage("mistakes are shown where they are, and mended with a click", async (page) => {
  const text = readFileSync(join(root, "rules/snooker.rules"), "utf8");
  await write(page, "game-editor", text.replace("fact left(b: Ball): number = by b", "fact left(b: Bal): number = by b"));
  await page.locator("#problems .fix", { hasText: "Write Ball" }).first().waitFor();
  assert.match(await page.locator("#problems").textContent(), /snooker\.rules:28/);
  assert.match(await page.locator("#report").textContent(), /not right yet/);
  await page.locator("#problems .fix").first().click();
  await page.waitForFunction(() => window.playground.report?.startsWith("Frame 1"));
  await page.waitForFunction(() => document.querySelector("#problems").textContent === "");
});

inPage("names are completed and explained, and rules laid out", async (page) => {
  const old = await report(page);
  await page.locator(docOf("game-editor")).locator("span", { hasText: "in_hand" }).first().hover();
  await page.locator(".tip").waitFor();
  assert.match(await page.locator(".tip").textContent(), /state in_hand/);
  const text = readFileSync(join(root, "rules/snooker.rules"), "utf8");
  await write(page, "game-editor", `${text}\n\n\nfact   twice:   number = 2*red`);
  await page.keyboard.type("_");
  const option = page.locator(".cm-tooltip-autocomplete li", { hasText: "red_balls" });
  await option.waitFor();
  // A list that has just come up takes no keys yet, so that nobody chooses by accident.
  await page.waitForTimeout(250);
  await page.keyboard.press("Enter");
  await page.click("#format");
  await page.waitForFunction(() => document.querySelector("#status").textContent === "Formatted.");
  await page.locator(docOf("game-editor")).press("Control+End");
  assert.match(await page.locator(docOf("game-editor")).textContent(), /fact twice: number = 2 \* red_balls/);
  await page.waitForFunction((old) => window.playground.report === old, old);
});

inPage("a variant stands beside its game, with its changes marked", async (page) => {
  await choose(page, "snooker+foul-five");
  assert.ok(await page.locator("#variant-part").isVisible());
  await page.locator("#game-editor .cm-changed").first().waitFor();
  assert.match(await page.locator("#game-editor .cm-changed").first().getAttribute("title"), /foul-five/);
  await page.selectOption("#add", "+");
  await page.locator("#variants button", { hasText: "house-rules" }).waitFor();
  await page.waitForFunction(() => window.playground.report !== null);
});

inPage("what was changed is still there when one comes back, and can be undone and restored", async (page) => {
  await choose(page, "nim");
  const shipped = await report(page);
  const game = page.locator(docOf("game-editor"));
  const type = async (id, text) => {
    await page.locator(docOf(id)).press("Control+End");
    await page.keyboard.insertText(text);
  };
  await type("game-editor", "\n-- ours\n");
  await type("transcript-editor", "\n");
  await choose(page, "chess");
  await choose(page, "nim");
  await game.press("Control+End");
  assert.match(await game.textContent(), /-- ours/);
  await page.locator("#restore-transcript").click();
  // A variant comes and goes; what was typed before can still be undone.
  await page.selectOption("#add", "+");
  await page.locator("#variants button", { hasText: "house-rules" }).first().waitFor();
  await type("variant-editor", "-- theirs\n");
  await page.click("button[aria-label='Take house-rules away']");
  await page.waitForFunction(() => document.querySelector("#variant-part").hidden);
  assert.equal(await page.evaluate(() => document.activeElement.id), "add");
  await page.selectOption("#add", "house-rules");
  const variant = page.locator(docOf("variant-editor"));
  assert.match(await variant.textContent(), /-- theirs/);
  await variant.press("Control+z");
  assert.doesNotMatch(await variant.textContent(), /-- theirs/);
  await page.click("button[aria-label='Take house-rules away']");
  await game.press("Control+z");
  await page.locator("#restore").waitFor({ state: "hidden" });
  assert.doesNotMatch(await game.textContent(), /-- ours/);
  await game.press("Control+y");
  await page.locator("#restore").click();
  assert.doesNotMatch(await game.textContent(), /-- ours/);
  await page.waitForFunction((wanted) => window.playground.report === wanted, shipped);
  await game.press("Control+z");
  assert.match(await game.textContent(), /-- ours/);
  // A link to the same game leaves it as it is.
  await write(page, "transcript-editor", "1\nAnn Ben\n2\n");
  await page.evaluate(() => (location.hash = "#game=nim"));
  await page.waitForTimeout(300);
  assert.match(await page.locator(docOf("transcript-editor")).textContent(), /Ann Ben/);
  // Whoever leaves the page with changes that are in no link is asked.
  const asked = page.waitForEvent("dialog");
  page.reload().catch(() => {});
  const dialog = await asked;
  assert.equal(dialog.type(), "beforeunload");
  await dialog.accept();
  await page.waitForFunction(() => window.playground?.report);
});

/** Something packed as a link holds it. */
const asLink = (value) => `#1${deflateRawSync(typeof value === "string" ? value : JSON.stringify(value)).toString("base64url")}`;

test("bad links say so, when the page opens and while it is open", async () => {
  const fine = { game: "nim", variants: [], files: {}, settings: [], form: null, text: "1\n" };
  const deep = `{"game":"nim","variants":[],"files":{"nim.rules":${"[".repeat(100_000)}${"]".repeat(100_000)}},"settings":[],"form":null,"text":""}`;
  const bad = [
    ["#game=checkers", /no game called “checkers”/],
    ["#game=constructor", /no game called/],
    ["#game=__proto__", /no game called/],
    ["#2abc", /damaged/],
    [asLink("no"), /damaged/],
    [asLink("null"), /damaged/],
    [asLink(deep), /damaged/],
    [asLink({ ...fine, game: "gone" }), /needs gone\.rules/],
    [asLink(`{"game":"nim","text":"${" ".repeat(100_000_000)}"}`), /more than 8 MB/],
    ...[{ game: 5 }, { text: null }, { files: null }, { files: [] }, { files: { "nim.rules": 5 } }, { variants: "abc" }, { variants: {} }, { variants: [[]] },
      { settings: null }, { settings: [["most"]] }, { settings: [["most", 5]] }, { form: 5 }, { expected: [] }].map((it) => [asLink({ ...fine, ...it }), /damaged/]),
  ];
  const { page, errors, close } = await open();
  const status = page.locator("#status");
  for (const [hash, message] of bad) {
    await page.evaluate(() => (document.querySelector("#status").textContent = ""));
    await page.evaluate((hash) => (location.hash = hash), hash);
    await page.locator("#status:not(:empty)").waitFor();
    assert.match(await status.textContent(), message, hash.slice(0, 80));
  }
  assert.match(await choose(page, "nim"), /wins/);
  await close();
  for (const [hash, message] of [bad[0], bad[6], bad[8], bad[11]]) {
    const { page, errors, close } = await open({ hash });
    assert.match(await page.locator("#status").textContent(), message);
    await page.locator("#report ol.lines button").first().waitFor();
    assert.deepEqual(errors, []);
    await close();
  }
  assert.deepEqual(errors, []);
});

inPage("a link that would replace what was changed asks first", async (page) => {
  await choose(page, "nim");
  await write(page, "transcript-editor", "1\nAnn Ben\n2\n");
  await page.waitForFunction(() => window.playground.report !== null);
  const link = asLink({ game: "nim", variants: [], files: {}, settings: [], form: null, text: "1\nEve Dan\n3\n" });
  const follow = async (answer) => {
    const asked = page.waitForEvent("dialog");
    const hash = page.evaluate((hash) => (location.hash = hash), link);
    const dialog = await asked;
    assert.match(dialog.message(), /replaces what you changed in the transcript/);
    await (answer ? dialog.accept() : dialog.dismiss());
    await hash;
  };
  await follow(false);
  assert.match(await page.locator(docOf("transcript-editor")).textContent(), /Ann Ben/);
  await page.evaluate(() => history.replaceState(null, "", "#"));
  await follow(true);
  await page.locator(docOf("transcript-editor")).getByText("Eve Dan").waitFor();
});

inPage("options are typed without losing the keyboard, compared, and mended", async (page) => {
  await choose(page, "nim");
  const old = await report(page);
  await page.click("#options summary");
  const field = (name) => page.locator("#options label", { hasText: name }).locator("input");
  await field("last_loses").fill("yes");
  await page.keyboard.press("Enter");
  await changed(page, old);
  assert.equal(await page.evaluate(() => document.activeElement.closest("label")?.textContent), "last_loses");
  await page.click("#tab-compare");
  await page.locator("#compare .cause", { hasText: "option last_loses" }).waitFor();
  assert.equal(await page.locator("#compare select").inputValue(), "nim as shipped");
  // A value that an option cannot have can be put right, in a link as well.
  const link = asLink({ game: "nim", variants: [], files: {}, settings: [["last_loses", "yes"], ["most", "1000"]], form: null, text: "1\n" });
  const other = await open({ hash: link });
  const problem = other.page.locator("#problems li", { hasText: "most" });
  await problem.waitFor();
  assert.match(await problem.textContent(), /error option most option `most` cannot be/);
  assert.ok(await other.page.locator("#options").isVisible());
  await problem.locator(".fix", { hasText: "Use the usual value" }).click();
  await other.page.waitForFunction(() => window.playground.report !== null);
  assert.deepEqual(other.errors, []);
  await other.close();
  // The options of a variant go with it.
  await choose(page, "weiqi+komi");
  await page.locator("#options label", { hasText: "usual_komi" }).locator("input").fill("9");
  await page.keyboard.press("Enter");
  await page.click("button[aria-label='Take komi away']");
  await page.waitForFunction(() => document.querySelector("#game").value === "weiqi" && window.playground.report !== null);
  assert.equal(await page.locator("#problems").textContent(), "");
});

inPage("an expected report passes or fails, with the first line that differs", async (page) => {
  await choose(page, "nim");
  await page.click("#expected summary");
  await page.click("#keep");
  const verdict = page.locator("#verdict");
  await verdict.getByText("The report is as expected.").waitFor();
  await page.locator(docOf("transcript-editor")).press("Control+End");
  await page.keyboard.insertText("Zoe 1 from 1\n");
  await page.locator("#verdict.fails").waitFor();
  await write(page, "expected-editor", "nobody said this\n");
  await verdict.getByText("line 1 should be “nobody said this” and is").waitFor();
  await verdict.getByText("Show the line").click();
  assert.equal(await page.evaluate(() => document.activeElement === document.querySelector("#report ol.lines button")), true);
  // It is a part of the link, and there for as long as the game is.
  await page.click("#share");
  await page.waitForFunction(() => /has \d+ characters/.test(document.querySelector("#status").textContent));
  const other = await open({ hash: await page.evaluate(() => location.hash) });
  await other.page.locator("#verdict.fails").waitFor();
  await other.close();
  await page.click("#forget");
  await page.locator("#verdict:empty").waitFor({ state: "attached" });
  // Examples are run, too.
  assert.match(await page.locator("#examples").textContent(), /Its example holds/);
});

inPage("a link holds everything", async (page) => {
  const own = "house rules are ours";
  let longest = 0;
  for (const game of short ? ["chess+capablanca", "snooker+club"] : Object.keys(starters)) {
    await choose(page, game);
    await page.click("#share");
    await page.waitForFunction(() => /has \d+ characters/.test(document.querySelector("#status").textContent));
    longest = Math.max(longest, await page.evaluate(() => location.href.split("#")[1].length));
  }
  assert.ok(longest <= 8192, `${longest} characters`);
  await choose(page, "nim");
  await page.locator(docOf("game-editor")).press("Control+End");
  await page.keyboard.insertText(`\n-- ${own}\n`);
  await page.waitForTimeout(400);
  const before = await page.evaluate(() => location.hash);
  await page.click("#share");
  await page.waitForFunction((old) => location.hash !== old, before);
  const hash = await page.evaluate(() => location.hash);
  const wanted = await report(page);
  const other = await open({ hash });
  assert.equal(await report(other.page), wanted);
  await other.page.locator(docOf("game-editor")).press("Control+End");
  assert.match(await other.page.locator(docOf("game-editor")).textContent(), new RegExp(own));
  await other.close();
  const damaged = await open({ hash: hash.slice(0, 60) });
  assert.match(await damaged.page.locator("#status").textContent(), /damaged/);
  await damaged.close();
});

inPage("a saved file opens with everything in it", async (page) => {
  await choose(page, "nim");
  const wanted = await report(page);
  const [download] = await Promise.all([page.waitForEvent("download"), page.click("#save")]);
  const path = join(here, "shots/saved.html");
  await download.saveAs(path);
  await page.goto(pathToFileURL(path).href);
  await page.waitForFunction(() => window.playground?.report);
  assert.equal(await report(page), wanted);
}, { acceptDownloads: true });

inPage("a game is played by clicks, and taken back", async (page) => {
  await choose(page, "weiqi");
  await write(page, "transcript-editor", "10 10\n4 4\n");
  await page.click("#tab-play");
  await page.locator("table.board button[aria-label^='16,4: empty, possible']").click();
  await page.locator("table.board button[aria-label^='16,4: black']").waitFor();
  assert.equal(await page.locator("#transcript-editor .cm-line").nth(2).textContent(), "16 4");
  assert.match(await page.locator("#play .sentence").textContent(), /turn: white/);
  assert.equal(await page.locator("table.board button[aria-label='10,10: black']").count(), 1, "a point that is taken is not possible");
  assert.equal(await page.locator("#play .bar strong").last().textContent(), "359 possible now, 3 against the rules");
  await page.locator("[data-key=undo]").click();
  await page.locator("table.board button[aria-label^='16,4: empty']").waitFor();
  await page.locator("[data-key=redo]").click();
  await page.locator("table.board button[aria-label^='16,4: black']").waitFor();
  await page.locator("[data-key=back]").click();
  await page.locator("table.board button[aria-label^='16,4: empty']").waitFor();
});

inPage("chess is played from square to square, and cards and balls by their names", async (page) => {
  await choose(page, "chess");
  await write(page, "transcript-editor", "1\n");
  await page.click("#tab-play");
  const square = (name) => page.locator(`table.board button[aria-label^='${name}:']`);
  await square("e2").click();
  await square("e4").click();
  await page.locator("table.board button[aria-label^='e4: white,pawn']").waitFor();
  await choose(page, "snooker");
  await write(page, "transcript-editor", "1\nAnn Ben\n");
  const form = page.locator("form.pattern", { hasText: "stroke" });
  await form.waitFor();
  // What is typed stays while the page looks again.
  await form.locator("input").fill("Red");
  await page.locator(docOf("game-editor")).press("Control+End");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Backspace");
  await page.waitForTimeout(600);
  assert.equal(await form.locator("input").inputValue(), "Red");
  await form.locator("input").fill("");
  await form.locator("select").selectOption("Red");
  await form.locator(".moves button", { hasText: "Red" }).click();
  await form.locator("button[type=submit]").click();
  await page.locator("dl.states dd", { hasText: "Ann 1 Ben 0" }).waitFor();
  await page.locator("form.pattern", { hasText: "The next line" }).locator("input").fill("Red Green");
  await page.keyboard.press("Enter");
  await page.locator("dl.states dd", { hasText: "Ann 1 Ben 4" }).waitFor();
});

/** A game with hands, dealt. */
async function deal(page) {
  await choose(page, "mau-mau");
  await pane(page, "transcript");
  await page.selectOption("#form", "moves");
  const folder = join(root, "tests/transcripts/mau-mau.moves");
  const dealt = readFileSync(join(folder, "draw-a-jack-is-played-at-once.txt"), "utf8");
  await write(page, "transcript-editor", `${dealt.split("\n", 2).join("\n")}\n`);
  await pane(page, "result");
  await page.click("#tab-play");
  await handOf(page, 1).waitFor();
}
const handOf = (page, name) => page.locator(`section.hand[aria-label='hand of ${name}']`);
const possible = (page) => page.locator("[aria-label='Possible now'] button").allTextContents();

inPage("hands are shown card by card, and played by clicks", async (page) => {
  await deal(page);
  const hand = handOf(page, 1);
  assert.equal(await hand.locator(".thing").count(), 7);
  assert.ok(await hand.evaluate((it) => it.classList.contains("due")));
  // A card that can be played in several ways asks which.
  await hand.locator("button.thing", { hasText: "CJ" }).click();
  assert.deepEqual(await possible(page), ["CJ Diamonds", "CJ Hearts", "CJ Spades", "CJ Clubs"]);
  await hand.locator("button.thing", { hasText: "DQ" }).click();
  await page.locator("section.hand[aria-label='hand of 2'].due").waitFor();
  assert.match(await hand.textContent(), /1 hand 6\s*hidden/);
});

inPage("whoever looks sees no hidden hand, and no move that would tell of it", async (page) => {
  await deal(page);
  const shown = page.locator("[data-key=viewer]");
  assert.match(await handOf(page, 2).textContent(), /2 hand 7\s*hidden/);
  assert.match(await page.locator("section.hand[aria-label='draw']").textContent(), /draw 17\s*hidden/);
  await shown.selectOption({ label: "everyone" });
  await handOf(page, 1).getByText("hidden").waitFor();
  assert.deepEqual(await possible(page), []);
  const cards = /\b[DHSC][A-Z]\b/g;
  const texts = await page.locator("#play .hands, #play .moves, #play dl").allInnerTexts();
  assert.deepEqual(texts.join("\n").match(cards), ["DA"], "only the card that lies open");
  await shown.selectOption({ label: "2" });
  await handOf(page, 2).locator(".thing").first().waitFor();
  assert.match(await handOf(page, 1).textContent(), /hidden/);
  assert.deepEqual(await possible(page), []);
  // The reasons are those that this seat may know, too.
  await page.locator("[data-key=why]").click();
  await page.locator("#why-title", { hasText: "line 2" }).waitFor();
  assert.doesNotMatch(await page.locator("#why .body").textContent(), /DQ/);
  await shown.selectOption({ label: "the referee, who sees all" });
  await page.waitForFunction(() => document.querySelectorAll("#play .thing").length === 31);
  await choose(page, "nim");
  assert.equal(await shown.count(), 0, "where nothing is hidden, nobody asks who looks");
});

const transcriptLines = async (page) => (await page.locator("#transcript-editor .cm-line").allTextContents()).filter(Boolean);
const bar = (page) => page.locator("#play .bar [role=status]");
const press = (page, ...keys) => keys.reduce((before, key) => before.then(() => page.click(`[data-key=${key}]`)), Promise.resolve());
const stands = async (page, text) => {
  await bar(page).getByText(text, { exact: true }).waitFor();
};

inPage("stepping looks, moves replace what came after, and nothing is lost", async (page) => {
  const five = ["1 1", "2 2", "3 3", "4 4", "5 5"];
  await choose(page, "weiqi");
  await write(page, "transcript-editor", `${five.join("\n")}\n`);
  await page.click("#tab-play");
  await stands(page, "after line 5 of 5");
  // Two clicks are two steps, however quick; but a move is made once.
  await page.locator("[data-key=back]").evaluate((it) => (it.click(), it.click()));
  await stands(page, "after line 3 of 5");
  assert.equal(await page.locator("#transcript-editor .cm-shown").textContent(), "3 3");
  assert.deepEqual(await transcriptLines(page), five);
  // A move here takes the place of what came after; undo brings it back, and redo the move.
  await page.locator("table.board button[aria-label^='9,9:']").evaluate((it) => (it.click(), it.click()));
  await stands(page, "after line 4 of 4");
  assert.deepEqual(await transcriptLines(page), [...five.slice(0, 3), "9 9"]);
  assert.match(await page.locator("#status").textContent(), /Lines 4 to 5 went away. Undo/);
  await press(page, "undo");
  await stands(page, "after line 3 of 5");
  assert.deepEqual(await transcriptLines(page), five);
  await press(page, "redo");
  await stands(page, "after line 4 of 4");
  const typed = page.locator("[data-key=typed]");
  await typed.fill("half a li");
  await press(page, "back");
  await stands(page, "after line 3 of 4");
  assert.equal(await typed.inputValue(), "half a li");
  await press(page, "undo");
  await stands(page, "after line 3 of 5");
  await press(page, "on", "redo");
  await stands(page, "after line 4 of 4");
  // What is typed ends what can be redone, and a step is never past the end.
  await press(page, "undo", "on");
  await stands(page, "after line 4 of 5");
  await write(page, "transcript-editor", "7 7\n8 8\n");
  await stands(page, "after line 2 of 2");
  assert.ok(await page.locator("[data-key=redo]").isDisabled());
  assert.ok(await page.locator("[data-key=on]").isDisabled());
  await press(page, "undo");
  await page.waitForFunction(() => document.querySelectorAll("#transcript-editor .cm-line").length === 6);
  assert.deepEqual(await transcriptLines(page), five);
});

inPage("moves are filtered as they are typed, and the keyboard stays where it plays", async (page) => {
  await choose(page, "weiqi");
  await write(page, "transcript-editor", "1 1\n");
  await page.click("#tab-play");
  const filter = page.locator("[data-key=filter]");
  await filter.click();
  await page.keyboard.type("12 3", { delay: 30 });
  assert.equal(await filter.inputValue(), "12 3");
  assert.deepEqual(await possible(page), ["12 3"]);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await stands(page, "after line 2 of 2");
  assert.equal(await page.evaluate(() => document.activeElement.dataset.key), "move 0");
  await page.locator("[data-key=undo]").focus();
  for (let at = 0; at < 2; at += 1) await page.keyboard.press("Enter");
  await page.locator("[data-key=undo]:disabled").waitFor();
  assert.equal(await page.evaluate(() => document.activeElement.dataset.key), "whose");
});

inPage("a board has its squares' names at its edges, fits, and keeps the colours of its sides", async (page) => {
  await choose(page, "weiqi");
  await write(page, "transcript-editor", "1 1\n");
  await page.click("#tab-play");
  await stands(page, "after line 1 of 1");
  assert.deepEqual((await page.locator("table.board th[scope=col]").allTextContents()).slice(0, 3), ["1", "2", "3"]);
  assert.equal(await page.locator("table.board th[scope=row]").first().textContent(), "1");
  const fits = () => page.locator(".boardbox").evaluate((it) => it.scrollWidth <= it.clientWidth);
  assert.ok(await fits());
  await page.setViewportSize({ width: 390, height: 780 });
  await pane(page, "result");
  assert.ok(await fits(), "on a phone, too");
  await page.setViewportSize({ width: 1280, height: 720 });
  const isBlack = () => page.waitForFunction(() =>
    getComputedStyle(document.querySelector("button[aria-label^='1,1:'] .piece")).backgroundColor === "rgb(0, 0, 0)");
  await isBlack();
  await page.locator("table.board button[aria-label^='2,2:']").click();
  await stands(page, "after line 2 of 2");
  await isBlack();
  await choose(page, "chess");
  await write(page, "transcript-editor", "1\n");
  await page.locator("table.board button[aria-label^='e4:']").waitFor();
  assert.deepEqual(await page.locator("table.board th[scope=col]").allTextContents(), [..."abcdefgh"]);
  assert.equal(await page.locator("table.board th[scope=row]").first().textContent(), "8");
  // Where things fall into a column, a click anywhere in it plays.
  await choose(page, "connect-four");
  await write(page, "transcript-editor", "1\nAnn Ben\n");
  const first = page.locator("table.board button[aria-label^='6,4: empty, possible']");
  await first.click();
  const classOf = (square) => page.locator(`[aria-label^='${square}: '] .piece`).getAttribute("class");
  await page.locator("table.board [aria-label^='1,4: Ann']").waitFor();
  const ann = await classOf("1,4");
  await page.locator("table.board button[aria-label^='6,4:']").click();
  await page.locator("table.board [aria-label^='2,4: Ben']").waitFor();
  assert.equal(await classOf("1,4"), ann);
  assert.notEqual(await classOf("2,4"), ann);
  // Numbers in rows and columns are a board, too; of rows that belong to players, one plays in one's own.
  await choose(page, "kalah");
  await write(page, "transcript-editor", "1\nAnn Ben\n");
  await page.locator("table.board button[aria-label='Ben,3: 4']").waitFor();
  await page.locator("table.board button[aria-label='Ann,3: 4, possible']").click();
  await page.locator("table.board button[aria-label='Ann,3: 0']").waitFor();
});

inPage("questions in a transcript are answered", async (page) => {
  const text = (score) => `1\nAnn Ben\nRed Red\n#? score of A is ${score}\n`;
  await write(page, "transcript-editor", text(1));
  await page.locator("#report .empty", { hasText: "the answer is yes" }).waitFor();
  await write(page, "transcript-editor", text(2));
  await page.locator("#report .unmet", { hasText: "line 4" }).waitFor();
});

inPage("two rule sets are compared", async (page) => {
  await choose(page, "snooker+foul-five");
  await page.click("#tab-compare");
  await page.locator("#compare .sides").waitFor();
  assert.match(await page.locator("#compare .sentence").first().textContent(), /of the report differs, at line/);
  const path = join(root, "tests/transcripts", `${starters["snooker+foul-five"]}.txt`);
  const told = spawnSync(command, ["diff", "snooker+foul-five", "snooker", path], { encoding: "utf8" }).stdout;
  const cause = (await page.locator("#compare .cause").textContent()).replace("What makes the difference: ", "");
  assert.match(told, new RegExp(`differs: 1 by ${cause.replaceAll(".", "\\.")}`));
  await page.locator("#compare .row").first().click();
  await page.locator("#rules .cm-shown").waitFor();
});

const HEAVY = `game mine "Heavy"
type N = 1..1000
event go
on go {
  fact over = some a in N where some b in N where some c in N where some d in N where a * b * c * d is 0 - 1
}
transcript by lines { start play until over { | go: "go" } }
`;

inPage("rules without an end are stopped, and the page stays awake", async (page) => {
  await page.selectOption("#game", "mine");
  await page.waitForFunction(() => window.playground.report === "4\n6\n11\nthat wins\n");
  await page.evaluate(() => {
    window.longest = 0;
    let last = performance.now();
    setInterval(() => {
      window.longest = Math.max(window.longest, performance.now() - last);
      last = performance.now();
    }, 10);
  });
  await write(page, "game-editor", HEAVY);
  await write(page, "transcript-editor", "go\n");
  await page.waitForFunction(() => /work|stopped/.test(document.querySelector("#report .drawn")?.textContent), null, { timeout: 30_000 });
  const longest = await page.evaluate(() => window.longest);
  assert.ok(longest < 500, `the page waited ${longest} ms`);
  await choose(page, "nim");
  assert.match(await report(page), /wins/);
});

inPage("the keyboard is enough", async (page) => {
  await page.locator("#tab-report").focus();
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement.textContent), "Frame 1");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  assert.equal(await page.evaluate(() => document.activeElement.textContent), "Foul!");
  await page.keyboard.press("Enter");
  await page.locator("#why .row").first().waitFor();
  await page.locator("#tab-report").focus();
  await page.keyboard.press("ArrowRight");
  assert.ok(await page.locator("#play").isVisible());
  await page.locator(docOf("transcript-editor")).focus();
  await page.keyboard.press("Control+Enter");
  await page.locator("#why-title", { hasText: "line" }).waitFor();
});

for (const [name, options] of [
  ["wide and light", { viewport: { width: 1400, height: 860 }, colorScheme: "light" }],
  ["narrow and dark", { viewport: { width: 390, height: 780 }, colorScheme: "dark" }],
]) {
  inPage(`nothing stands in a screen reader's way, ${name}`, async (page) => {
    // A policy of the page forbids what it does not hold itself: axe is put in past it.
    const look = async (where) => {
      await page.evaluate(axe);
      const told = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
      const found = told.violations.map((it) => `${where}: ${it.id}: ${it.nodes.slice(0, 3).map((node) => node.html).join(" | ")}`);
      assert.deepEqual(found, []);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(wide <= 0, `${where} is ${wide} pixels too wide`);
    };
    await look("rules");
    await pane(page, "transcript");
    await look("transcript");
    await pane(page, "result");
    await page.locator("#report ol.lines button").nth(2).click();
    await page.locator("#why .row").first().waitFor();
    await look("why");
    await page.click("#tab-compare");
    await look("compare");
    await choose(page, "chess");
    await pane(page, "transcript");
    await write(page, "transcript-editor", "1\n");
    await pane(page, "result");
    await page.click("#tab-play");
    await page.locator("table.board .can").first().waitFor();
    await look("play");
    await deal(page);
    await look("hands");
    await page.click("#tab-report");
    await page.click("#expected summary");
    await page.click("#keep");
    await look("expected report");
    await pane(page, "rules");
    await choose(page, "snooker+foul-five");
    await page.locator("#game-editor .cm-changed").first().waitFor();
    await page.click("#options summary");
    await look("changed rows and options");
  }, options);
}

inPage("on a narrow screen, a line that is clicked is explained and stays where it can be edited", async (page) => {
  await page.locator("nav.panes button[data-pane=transcript]").click();
  await page.locator(`${docOf("transcript-editor")} .cm-line`).nth(3).click();
  await page.locator("#why-title", { hasText: "line 4" }).waitFor({ state: "attached" });
  assert.ok(await page.locator(docOf("transcript-editor")).isVisible());
  const old = await report(page);
  await page.keyboard.press("End");
  await page.keyboard.insertText(" 99");
  await changed(page, old);
  await page.locator("nav.panes button[data-pane=result]").click();
  await page.locator("#why-title", { hasText: "line 4" }).waitFor();
}, { viewport: { width: 390, height: 780 } });

/** Damaged rule files: the same on every machine. */
function* damaged(count) {
  const files = readdirSync(join(root, "rules"), { recursive: true }).filter((it) => it.endsWith(".rules")).sort();
  let seed = 1;
  const next = (below) => {
    seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
    return Math.floor((seed / 2 ** 32) * below);
  };
  const odd = ["{", "}", "(((", "\u{1F600}", "\0", "9".repeat(40), "\"", "|", "=>", "\u202e", "some x in some y in ", "-"];
  for (let at = 0; at < count; at += 1) {
    let text = readFileSync(join(root, "rules", files[next(files.length)]), "utf8");
    for (let change = next(6); change >= 0; change -= 1) {
      const from = next(text.length);
      const kind = next(3);
      const put = kind === 0 ? odd[next(odd.length)] : kind === 1 ? "" : text.slice(next(text.length)).slice(0, next(300));
      text = text.slice(0, from) + put + text.slice(from + next(kind === 1 ? 200 : 4));
    }
    yield text;
  }
}

/** Texts that are too long, too wide or too deep, or have letters that nobody has a font for. */
const MONSTERS = [
  "a ".repeat(100_000),
  "a".repeat(200_000),
  "fact x = 1\n".repeat(20_000),
  "(".repeat(100_000),
  '"'.repeat(100_000),
  `game mine\n${Array.from({ length: 3000 }, (_, at) => `fact f${at} = g${at}\n`).join("")}`,
  `a${"\u0301".repeat(50_000)}`,
  Array.from({ length: 50_000 }, (_, at) => String.fromCharCode((at * 7919) % 65_000)).join(""),
];

/** How long the page may do nothing else, in milliseconds. */
const AWAKE = 100;

inPage("hostile texts leave the page awake", async (page) => {
  await page.selectOption("#game", "mine");
  await page.waitForFunction(() => window.playground.report === "4\n6\n11\nthat wins\n");
  const texts = [...damaged(short ? 12 : 500), ...MONSTERS];
  const told = await watched(page, async () => {
    for (const [at, text] of texts.entries()) {
      const where = at % 5 === 4 ? "transcript-editor" : "game-editor";
      await paste(page, docOf(where), text);
      await page.waitForTimeout(short ? 150 : 260);
    }
    for (const text of MONSTERS) {
      await paste(page, docOf("transcript-editor"), text);
      await page.waitForTimeout(short ? 150 : 600);
    }
  });
  console.log(`the longest of ${told.tasks} tasks: ${told.busy} ms of work, ${told.clock} ms by the clock`);
  assert.ok(told.busy <= AWAKE, `the page did something for ${told.busy} ms`);
  const wanted = execFileSync(command, ["run", "nim", join(root, "tests/transcripts", `${starters.nim}.txt`)], { encoding: "utf8" });
  assert.equal(await choose(page, "nim"), wanted);
});

test("the package runs in a browser", async () => {
  const types = { js: "text/javascript", wasm: "application/wasm", html: "text/html" };
  const files = createServer((request, response) => {
    const name = request.url.slice(1) || "index.html";
    const type = types[name.split(".").pop()];
    if (!type) return response.writeHead(404).end();
    const text = name === "index.html" ? "<!doctype html><title>empty</title>" : readFileSync(join(here, "../npm", name));
    return response.writeHead(200, { "content-type": type }).end(text);
  });
  await new Promise((resolve) => files.listen(0, "127.0.0.1", resolve));
  const page = await browser.newPage();
  try {
    await page.goto(`http://127.0.0.1:${files.address().port}/`);
    const said = await page.evaluate(async () => {
      const { load } = await import("/web.js");
      const session = load("nim").session({ transcript: "1\nAnn Ben\n2\n" });
      return [session.feed("Ann 1 from 1"), session.deciders()];
    });
    assert.deepEqual(said, ["Ann leaves 1\n", [{ seat: "Ben" }]]);
  } finally {
    await page.close();
    files.close();
  }
});

assert.ok(existsSync(command), `the command is missing: ${command}`);
