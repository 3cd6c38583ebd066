// The page: what it holds, and how its parts hear of each other.
import { NoAnswer, Referee } from "./ask.js";
import { Compare } from "./compare.js";
import { el, get } from "./dom.js";
import { Editor, editName, NAMES, onKey, onLine } from "./editor.js";
import { Options, settingsOf } from "./options.js";
import { Play } from "./play.js";
import { Reasons } from "./reasons.js";
import { cut, Report, whole } from "./report.js";
import { packed, unpacked, Unpackable } from "./share.js";

/** How long nobody may have typed before the rules are checked, in milliseconds. */
const PAUSE = 180;

/** How many problems are listed. */
const PROBLEMS = 100;

/** What the rules of whoever uses the page are called, and what they begin with. */
const OWN = "mine";
const OWN_GAME = `game mine "My game"

-- Whoever brings the total to 10 or more wins.

state total: number = 0

event add(amount: 1..5)
on add {
  fact over = new total >= 10
  new total = total + amount
  report
    | total: "{new total}"
    | won:   "that wins" when over
}

transcript by lines {
  start
  play until over { | add: "{amount}" }
}
`;

/** What the whole page shows, before anything in it starts: a saved page is this with other contents. */
const source = document.documentElement.outerHTML;

const referee = new Referee();
let library = [];
/** The texts of the shipped files. */
const shipped = new Map();
const state = { game: "", variants: [], files: {}, settings: [], form: null, text: "", expected: null };
/** The texts of all files that were opened, as they are now. */
const texts = new Map();
/** What else of `state` each game with its variants had when another was taken. */
const left = new Map();
/** The games in which something was changed that is in no link and no file. */
const unsaved = new Set();
/** The variant whose file is shown. */
let shownVariant = null;
let lastRun = null;

const gameFile = () => `${state.game}.rules`;
const variantFile = (name) => `${state.game}/${name}.rules`;
const filesOf = (game, variants) => [`${game}.rules`, ...variants.map((it) => `${game}/${it}.rules`)];
const gameName = () => [state.game, ...state.variants].join("+");
const rules = () => ({ files: state.files, game: gameName(), settings: state.settings, form: state.form });
const textOf = (file) => state.files[file] ?? shipped.get(file) ?? "";
const isChanged = (file, text) => shipped.get(file) !== text;

const starters = new Map(Object.entries(STARTERS));
/** The game that the page begins with. */
const [FIRST] = starters.keys();
const starterOf = (name) =>
  starters.get(name) ?? starters.get(name.split("+")[0]) ?? { text: "4\n2\n5\n", form: null, settings: [] };

/** Whether what is said is that something was stopped, which is over with the next report. */
let stoppedSaid = false;

function say(text, stopped = false) {
  get("status").textContent = text;
  stoppedSaid = stopped;
}

/** Asks; what keeps the answer from coming is said. */
async function ask(question, options) {
  try {
    return await referee.ask(question, options);
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
    say(error.message, true);
    return { stopped: error.message };
  }
}

const tools = {
  referee,
  context: () => ({ files: state.files }),
  format,
  define,
};
const gameEditor = new Editor(get("game-editor"), {
  ...tools, label: "Rules of the game", rules: true, changed: (text) => edited(gameEditor.file, text),
});
const variantEditor = new Editor(get("variant-editor"), {
  ...tools, label: "Rules of the variant", rules: true, changed: (text) => edited(variantEditor.file, text),
});
const transcript = new Editor(get("transcript-editor"), {
  label: "Transcript",
  changed(text) {
    state.text = text;
    unsaved.add(state.game);
    soon();
  },
  // A click may also be the start of an edit: on a narrow screen, the text stays in view.
  extensions: [onLine((line) => why(line, { stay: true })), onKey("Mod-Enter", () => why(transcript.line))],
});

const expected = new Editor(get("expected-editor"), { label: "Expected report", changed: expect });

const editorOf = (file) => [gameEditor, variantEditor].find((it) => it.file === file);

/** The text of the transcript, changed from outside. */
function setTranscript(text) {
  if (text !== state.text) transcript.replace(text);
}

const report = new Report(get("report-lines"), get("verdict"), { why, goTo: (line) => transcript.goTo(line) });
const reasons = new Reasons(get("why"), {
  ask,
  rules,
  text: () => state.text,
  go: goToRow,
  open: () => showPane("result"),
  explains(line) {
    report.mark("chosen", (it) => it === line);
    if (line) transcript.show(line);
  },
});
const options = new Options(get("options"), { set: setOption });
const play = new Play(get("play"), {
  ask,
  rules,
  text: () => state.text,
  setText: setTranscript,
  history: transcript,
  why,
  say,
  line: (line) => (line ? transcript.show(line) : transcript.markLines("shown", [])),
});
const compare = new Compare(get("compare"), {
  ask,
  rules,
  state,
  text: () => state.text,
  variants: variantsOf,
  shipped,
  textOf,
  starter: () => starterOf(gameName()),
  go: goToRow,
  line: (line) => transcript.show(line),
});

// --- what is shown -------------------------------------------------------------------------------------------------

/** The names of the variants of a game that are shipped. */
function variantsOf() {
  return library.find((it) => it.name === state.game)?.variants.map((it) => it.name) ?? [];
}

function showFiles() {
  get("game-file").textContent = gameFile();
  gameEditor.open(gameFile(), state.files[gameFile()]);
  showVariant(state.variants.at(-1) ?? null);
  const before = `${state.game}/`;
  const own = [...texts.keys()].filter((it) => it.startsWith(before)).map((it) => it.slice(before.length, -".rules".length));
  const free = [...new Set([...variantsOf(), ...own])].filter((name) => !state.variants.includes(name));
  const choices = [["", "add…"], ...free.map((name) => [name, name]), ["+", "one of your own"]];
  get("add").replaceChildren(...choices.map(([value, text]) => el("option", { value }, text)));
  showGames();
}

/** Shows what can be had back as it was shipped. */
function showRestore() {
  const shown = [gameEditor, variantEditor].map((it) => it.file).filter(Boolean);
  get("restore").hidden = !shown.some((file) => shipped.has(file) && isChanged(file, state.files[file]));
  get("restore-transcript").hidden = starterOf(gameName()).text === state.text;
}

function restore() {
  for (const editor of [gameEditor, variantEditor]) {
    const text = shipped.get(editor.file);
    if (text !== undefined && text !== editor.text) editor.replace(text);
  }
  say("The rules are as shipped again. Ctrl+Z in them brings your changes back.");
}

function showVariant(name) {
  shownVariant = name;
  get("variant-part").hidden = name === null;
  const tabs = state.variants.flatMap((it) => [
    el("button", { type: "button", "aria-pressed": String(it === name), onclick: () => showVariant(it) }, it),
    el("button", { type: "button", "aria-label": `Take ${it} away`, onclick: () => removeVariant(it) }, "✕"),
  ]);
  get("variants").replaceChildren(...tabs);
  if (name !== null) variantEditor.open(variantFile(name), state.files[variantFile(name)]);
  else variantEditor.close();
}

function showGames() {
  const select = get("game");
  const groups = library.map((game) => {
    const variants = game.variants.map((it) => `${game.name}+${it.name}`);
    return el("optgroup", { label: game.name }, ...[game.name, ...variants].map((it) => el("option", { value: it }, it)));
  });
  select.replaceChildren(...groups, el("option", { value: OWN }, "a game of your own"));
  const listed = new Set([...select.options].map((it) => it.value));
  for (const value of new Set([...left.keys(), gameName()])) if (!listed.has(value)) select.append(el("option", { value }, value));
  select.value = gameName();
}

/** Takes a game with its variants, as it was left, or with the transcript it begins with. */
function load(name) {
  leave();
  const [game, variants] = gameAndVariants(name);
  const files = filesOf(game, variants).map((file) => [file, texts.get(file) ?? shipped.get(file) ?? OWN_GAME]);
  take({ expected: null, ...starterOf(name), ...left.get(name), game, variants, files: Object.fromEntries(files) });
}

/** Takes what a link or a saved page holds. A file that it does not hold is as shipped. */
function takeLink({ files: held, ...value }) {
  leave();
  const files = {};
  for (const file of filesOf(value.game, value.variants)) {
    files[file] = Object.hasOwn(held, file) ? held[file] : shipped.get(file);
    if (files[file] === undefined) throw new Unpackable(`The link needs ${cut(file)}, which is not here.`);
  }
  const replaced = Object.entries(files).filter(([file, text]) => texts.has(file) && isChanged(file, texts.get(file)) && texts.get(file) !== text);
  const name = [value.game, ...value.variants].join("+");
  const isOther = name === gameName() && state.text !== value.text && state.text !== starterOf(name).text;
  if (unsaved.size && (replaced.length || isOther)) {
    const what = isOther ? "the transcript" : replaced.map(([file]) => file).join(", ");
    if (!confirm(`This link replaces what you changed in ${what}. Open it?`)) return;
  }
  take({ ...value, files });
}

/** Keeps how the game is left, for when it is taken again. */
function leave() {
  const { text, settings, form, expected } = state;
  if (state.game) left.set(gameName(), { text, settings, form, expected });
}

function take(next) {
  Object.assign(state, next);
  for (const [file, text] of Object.entries(state.files)) texts.set(file, text);
  transcript.open(`transcript of ${gameName()}`, state.text);
  expected.open(`report of ${gameName()}`, state.expected ?? "");
  get("expected").open = state.expected !== null;
  reasons.close();
  showFiles();
  play.reset();
  compare.reset();
  unseen = true;
  say("");
  refresh();
}

function addVariant(name) {
  if (name === "+") {
    let own = "house-rules";
    for (let at = 2; texts.has(variantFile(own)); at += 1) own = `house-rules-${at}`;
    name = own;
  }
  const file = variantFile(name);
  state.files[file] = texts.get(file) ?? shipped.get(file) ?? `variant ${name} of ${state.game} "House rules"\n\n`;
  texts.set(file, state.files[file]);
  state.variants.push(name);
  showFiles();
  refresh();
}

/** Takes a variant away, and the values of its options. Its text stays as it is, for when it is added again. */
function removeVariant(name) {
  state.variants = state.variants.filter((it) => it !== name);
  delete state.files[variantFile(name)];
  state.settings = settingsOf(gameName(), state.settings, textOf);
  showFiles();
  get("add").focus();
  refresh();
}

/** Gives an option a value; the usual one where that is empty. */
function setOption(name, value) {
  const others = state.settings.filter(([it]) => it !== name);
  state.settings = value === "" ? others : [...others, [name, value]];
  unsaved.add(state.game);
  refresh();
}

/** Sets the report that is expected; none where it is empty. */
function expect(text) {
  state.expected = text === "" ? null : text;
  unsaved.add(state.game);
  report.judge(state.expected);
}

function edited(file, text) {
  if (!(file in state.files)) return;
  state.files[file] = text;
  texts.set(file, text);
  unsaved.add(state.game);
  soon();
}

// --- the report and the problems -----------------------------------------------------------------------------------

let timer;
function soon() {
  clearTimeout(timer);
  timer = setTimeout(refresh, PAUSE);
}

async function refresh() {
  clearTimeout(timer);
  const ran = ask({ ask: "run", ...rules(), text: state.text }, { key: "run" });
  const checked = ask({ ask: "check", ...rules() }, { key: "check" });
  const run = await ran;
  if (run) showReport(run);
  if (!lastRun?.wrong) reasons.again(transcript.view.state.doc.lines);
  if (!get("play").hidden) play.refresh();
  if (!get("compare").hidden) compare.refresh();
  showRestore();
  const found = await checked;
  if (found) showProblems(found);
  markChanges();
  for (const editor of [gameEditor, variantEditor]) {
    const { file } = editor;
    if (!file) continue;
    const names = await ask({ ask: "names", files: state.files, file }, { key: `names ${file}`, most: NAMES });
    if (Array.isArray(names) && editor.file === file) editor.markNames(names);
  }
}

function showReport(run) {
  lastRun = run;
  window.playground = { started: performance.now(), ...window.playground, report: run.report ?? null, wrong: run.wrong ?? null, failed: run.failed?.drawn ?? null };
  options.show(run.options ?? null, state.settings);
  const stopped = run.stopped ?? run.error;
  if (stopped) {
    report.missing(el("p", { class: "drawn" }, stopped));
  } else if (run.wrong) {
    report.missing(el("p", { class: "empty" }, "The rules are not right yet: what is wrong stands below them."));
    transcript.diagnose([], null);
  } else {
    if (stoppedSaid) say("");
    report.show(run);
    const inTranscript = [run.failed?.data, ...run.unmet].filter((it) => it?.labels[0]?.file === "transcript");
    transcript.diagnose(inTranscript, (edit) => transcript.change(edit.from, edit.to, edit.text));
    showForms(run.forms);
  }
  report.judge(state.expected);
}

function showForms(forms) {
  get("form-label").hidden = forms.length < 2;
  const named = forms.map((it, at) => el("option", { value: it ?? "" }, it ?? (at === 0 ? "the usual" : "")));
  get("form").replaceChildren(...named);
  get("form").value = state.form ?? forms[0] ?? "";
}

/** The option that a problem is about; nothing where it is about a rule file. Settings are called `--set`, as at a command line. */
const optionOf = ({ labels, message }) =>
  labels[0]?.file === "--set" ? state.settings.map(([name]) => name).find((it) => message.includes(`\`${it}\``)) : undefined;

function showProblems(found) {
  const isKnown = Array.isArray(found);
  if (!isKnown) found = [];
  for (const editor of [gameEditor, variantEditor]) {
    if (editor.file) editor.diagnose(found.filter((it) => it.labels[0]?.file === editor.file), doEdit);
  }
  const items = found.slice(0, PROBLEMS).map((one) => {
    const [place] = one.labels;
    const option = optionOf(one);
    const where = option ? `option ${option}` : place ? `${place.file}:${place.line}` : "";
    const go = () => (option ? options.focus(option) : place && goToRow(place.file, place.line));
    return el("li", {},
      el("button", { type: "button", onclick: go }, el("span", { class: one.severity }, one.severity), ` ${where} ${cut(one.message)}`),
      option && el("button", { type: "button", class: "fix", onclick: () => setOption(option, "") }, "Use the usual value"),
      ...one.edits.map((edit) => el("button", { type: "button", class: "fix", onclick: () => doEdit(edit) }, editName(edit))),
      ...one.helps.map((help) => el("div", { class: "empty" }, cut(help))),
    );
  });
  if (found.length > PROBLEMS) items.push(el("li", {}, `and ${found.length - PROBLEMS} more`));
  const wasThere = get("problems").contains(document.activeElement);
  get("problems").replaceChildren(...(items.length ? [el("ul", {}, ...items)] : []));
  if (wasThere) (items.length ? get("problems") : gameEditor.view).focus();
  const examples = Object.values(state.files).flatMap((text) => text.match(/^[ \t]*example\b/gm) ?? []).length;
  const hold = !isKnown || found.some((it) => it.severity === "error") ? 0 : examples;
  get("examples").textContent = hold === 0 ? "" : hold === 1 ? "Its example holds." : `All ${hold} examples hold.`;
  // The editors are now higher or lower than before.
  for (const editor of [gameEditor, variantEditor]) editor.keepInView();
}

function doEdit(edit) {
  showFile(edit.file);
  editorOf(edit.file)?.change(edit.from, edit.to, edit.text);
}

/** Whether a game with its variants has just been taken: then the first change is shown. */
let unseen = false;

/** Marks in the game's file what the variants change. */
async function markChanges() {
  const lines = [];
  for (const name of state.variants) {
    const file = variantFile(name);
    const text = state.files[file] ?? "";
    const changes = text.matchAll(/^[ \t]*(set|remove|replace|except|add to)[ \t]+([\p{L}_][\p{L}\p{N}_.]*)/gmu);
    for (const found of changes) {
      const at = found.index + found[0].length - 1;
      const places = await ask({ ask: "define", files: state.files, file, at }, { key: `define ${file} ${at}` });
      if (!Array.isArray(places)) continue;
      for (const place of places.filter((it) => it.file === gameFile())) {
        lines.push({ line: place.line, title: `${name}: ${found[0].trim()}` });
      }
    }
  }
  gameEditor.markLines("changed", lines.sort((one, other) => one.line - other.line));
  if (lines.length && unseen) gameEditor.view.dispatch({ effects: gameEditor.scrollTo(lines[0].line) });
  unseen = false;
}

// --- why -----------------------------------------------------------------------------------------------------------

function why(line, how) {
  if (!lastRun?.wrong) reasons.tell(line, how);
}

function showFile(file) {
  const variant = state.variants.find((it) => variantFile(it) === file);
  if (variant && variant !== shownVariant) showVariant(variant);
}

/** Shows a row, and tells which lines of the transcript it caused. */
async function goToRow(file, line) {
  showFile(file);
  const editor = editorOf(file);
  if (!editor) {
    say(`${file}, line ${line}, is not open here.`);
    return;
  }
  showPane("rules");
  editor.goTo(line);
  const told = await ask({ ask: "caused", ...rules(), text: state.text, file, line }, { key: "caused" });
  if (!told?.lines) return;
  transcript.markLines("caused", told.lines.map((it) => ({ line: it })));
  report.markCaused(told);
  const several = told.lines.length === 1 ? "line" : "lines";
  const where = told.lines.filter((it) => it > 0);
  if (where.length === 0) say(`No line of the transcript made the row at ${file}:${line} fire.`);
  else {
    const shown = where.slice(0, 12).map((it) => el("button", { type: "button", onclick: () => why(it) }, String(it)));
    get("status").replaceChildren(`The row at ${file}:${line} fired on ${several} `, ...shown.flatMap((it) => [it, " "]),
      where.length > 12 ? `and ${where.length - 12} more.` : "of the transcript.");
  }
}

// --- what people do ------------------------------------------------------------------------------------------------

async function define(file, at) {
  const places = await ask({ ask: "define", files: state.files, file, at });
  if (places?.[0]) goToRow(places[0].file, places[0].line);
}

async function format(editor) {
  const told = await ask({ ask: "format", files: state.files, file: editor.file });
  if (told?.text !== undefined) {
    if (told.text !== editor.text) editor.replace(told.text);
    say("Formatted.");
  } else say(`It cannot be formatted yet: ${told?.wrong ?? "it is wrong"}.`);
}

/** All that is here, packed: of the rule files, those that are not as shipped. Nothing, and a word, if it is too much. */
async function everything() {
  const files = Object.entries(state.files).filter(([file, text]) => isChanged(file, text));
  try {
    return await packed({ ...state, files: Object.fromEntries(files) });
  } catch (error) {
    if (!(error instanceof Unpackable)) throw error;
    say(error.message);
    return null;
  }
}

async function share() {
  const all = await everything();
  if (all === null) return;
  const address = `${location.href.split("#")[0]}#${all}`;
  history.replaceState(null, "", address);
  unsaved.delete(state.game);
  try {
    await navigator.clipboard.writeText(address);
    say(`The link is copied. It has ${address.length} characters, and everything is in it.`);
  } catch {
    say(`The link stands in the address bar. It has ${address.length} characters, and everything is in it.`);
  }
}

async function save() {
  const all = await everything();
  if (all === null) return;
  const kept = source.replace(/(<script type="text\/plain" id="saved">)[^<]*/, `$1${all}`);
  const whole = kept.endsWith("</html>") ? kept : `${kept}</script></body></html>`;
  const address = URL.createObjectURL(new Blob([`<!doctype html>\n${whole}`], { type: "text/html" }));
  el("a", { href: address, download: `${gameName()}.html` }).click();
  unsaved.delete(state.game);
  say("The page is saved with everything in it. The file opens anywhere.");
}

function showPane(name) {
  document.body.dataset.pane = name;
  for (const button of document.querySelectorAll("nav.panes button")) {
    button.setAttribute("aria-pressed", String(button.dataset.pane === name));
  }
}

const tabs = ["report", "play", "compare"];
function showTab(name) {
  for (const tab of tabs) {
    get(tab).hidden = tab !== name;
    const button = get(`tab-${tab}`);
    button.setAttribute("aria-selected", String(tab === name));
    button.tabIndex = tab === name ? 0 : -1;
  }
  if (name === "play") play.refresh();
  if (name === "compare") compare.refresh();
}

function dark(choice) {
  document.documentElement.dataset.theme = choice ? "dark" : "light";
}

function listen() {
  get("game").addEventListener("change", (event) => load(event.target.value));
  get("add").addEventListener("change", (event) => event.target.value && addVariant(event.target.value));
  get("form").addEventListener("change", (event) => {
    state.form = event.target.value || null;
    unsaved.add(state.game);
    refresh();
  });
  get("restore").addEventListener("click", restore);
  get("restore-transcript").addEventListener("click", () => setTranscript(starterOf(gameName()).text));
  get("keep").addEventListener("click", () => lastRun?.report !== undefined && expected.replace(whole(lastRun)));
  get("forget").addEventListener("click", () => expected.replace(""));
  get("format").addEventListener("click", () => {
    format(gameEditor);
    if (variantEditor.file) format(variantEditor);
  });
  get("ask-why").addEventListener("click", () => why(transcript.line));
  get("share").addEventListener("click", share);
  get("save").addEventListener("click", save);
  get("theme").addEventListener("click", () => dark(document.documentElement.dataset.theme !== "dark"));
  for (const button of document.querySelectorAll("nav.panes button")) {
    button.addEventListener("click", () => showPane(button.dataset.pane));
  }
  for (const [at, name] of tabs.entries()) {
    const button = get(`tab-${name}`);
    button.addEventListener("click", () => showTab(name));
    button.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!step) return;
      const next = tabs[(at + step + tabs.length) % tabs.length];
      showTab(next);
      get(`tab-${next}`).focus();
    });
  }
  window.addEventListener("hashchange", () => follow(location.hash.slice(1)));
  window.addEventListener("beforeunload", (event) => unsaved.size && event.preventDefault());
}

/** Takes what a link holds or names: `#game=NAME` is how rule books name a game. Says what is wrong with it. */
async function follow(link) {
  try {
    const name = link.match(/^game=(.*)$/s)?.[1];
    if (name === undefined) takeLink(await unpacked(link));
    else if (name !== OWN && !filesOf(...gameAndVariants(name)).every((file) => shipped.has(file))) {
      throw new Unpackable(`There is no game called “${cut(name)}” here.`);
    } else load(name);
  } catch (error) {
    if (!(error instanceof Unpackable)) throw error;
    if (!state.game) load(FIRST);
    say(error.message);
  }
}

function gameAndVariants(name) {
  const [game, ...variants] = name.split("+");
  return [game, variants];
}

async function begin() {
  dark(matchMedia("(prefers-color-scheme: dark)").matches);
  listen();
  library = await referee.ask({ ask: "library" });
  for (const game of library) {
    for (const one of [game, ...game.variants]) shipped.set(one.file, one.text);
  }
  const link = location.hash.slice(1) || get("saved").textContent.trim();
  if (link) await follow(link);
  else load(FIRST);
}

begin();
