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
});

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
  await form.locator("select").selectOption("Red");
  await form.locator(".moves button", { hasText: "Red" }).click();
  await form.locator("button[type=submit]").click();
  await page.locator("dl.states dd", { hasText: "Ann 1 Ben 0" }).waitFor();
  await page.locator("form.pattern", { hasText: "The next line" }).locator("input").fill("Red Green");
  await page.keyboard.press("Enter");
  await page.locator("dl.states dd", { hasText: "Ann 1 Ben 4" }).waitFor();
});

inPage("hands are shown card by card, played by clicks, and covered", async (page) => {
  await choose(page, "mau-mau");
  await page.selectOption("#form", "moves");
  const folder = join(root, "tests/transcripts/mau-mau.moves");
  const dealt = readFileSync(join(folder, "draw-a-jack-is-played-at-once.txt"), "utf8");
  await write(page, "transcript-editor", `${dealt.split("\n", 2).join("\n")}\n`);
  await page.click("#tab-play");
  const hand = page.locator("section.hand[aria-label='hand of 1']");
  await hand.waitFor();
  assert.equal(await hand.locator(".thing").count(), 7);
  assert.ok(await hand.evaluate((it) => it.classList.contains("due")));
  // A card that can be played in several ways asks which.
  await hand.locator("button.thing", { hasText: "CJ" }).click();
  assert.deepEqual(await page.locator("[aria-label='Possible now'] button").allTextContents(), ["CJ Diamonds", "CJ Hearts", "CJ Spades", "CJ Clubs"]);
  await hand.locator("button.thing", { hasText: "DQ" }).click();
  await page.locator("section.hand[aria-label='hand of 2'].due").waitFor();
  assert.equal(await hand.locator(".thing").count(), 6);
  await page.locator("button[aria-label='Cover hand of 1']").click();
  assert.equal(await hand.locator(".thing").count(), 0);
  assert.match(await hand.textContent(), /covered/);
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
    const pane = async (name) => {
      const button = page.locator(`nav.panes button[data-pane=${name}]`);
      if (await button.isVisible()) await button.click();
    };
    await look("rules");
    await pane("transcript");
    await look("transcript");
    await pane("result");
    await page.locator("#report ol.lines button").nth(2).click();
    await page.locator("#why .row").first().waitFor();
    await look("why");
    await page.click("#tab-compare");
    await look("compare");
    await choose(page, "chess");
    await pane("transcript");
    await write(page, "transcript-editor", "1\n");
    await pane("result");
    await page.click("#tab-play");
    await page.locator("table.board .can").first().waitFor();
    await look("play");
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
