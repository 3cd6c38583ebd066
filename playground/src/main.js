// The page: what it holds, and how its parts hear of each other.
import { NoAnswer, Referee } from "./ask.js";
import { Compare } from "./compare.js";
import { el, get } from "./dom.js";
import { Editor, editName, NAMES, onKey, onLine } from "./editor.js";
import { Play } from "./play.js";
import { packed, unpacked } from "./share.js";
import { explanation } from "./why.js";

/** How long nobody may have typed before the rules are checked, in milliseconds. */
const PAUSE = 180;

/** How many lines of a report are shown, and as many more each time that somebody asks. */
const LINES = 500;

/** How many problems are listed, and how many letters of one are shown. */
const PROBLEMS = 100;
const LONGEST = 2000;

const cut = (text) => (text.length > LONGEST ? `${text.slice(0, LONGEST)} …` : text);

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
let shipped = {};
const state = { game: "", variants: [], files: {}, settings: [], form: null, text: "" };
/** The variant whose file is shown. */
let shownVariant = null;
let lastRun = null;

const gameFile = () => `${state.game}.rules`;
const variantFile = (name) => `${state.game}/${name}.rules`;
const gameName = () => [state.game, ...state.variants].join("+");
const rules = () => ({ files: state.files, game: gameName(), settings: state.settings, form: state.form });

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
    soon();
  },
  // A click may also be the start of an edit: on a narrow screen, the text stays in view.
  extensions: [onLine((line) => why(line, null, fillWhy)), onKey("Mod-Enter", () => why(transcript.line))],
});

const editorOf = (file) => [gameEditor, variantEditor].find((it) => it.file === file);

/** The text of the transcript, changed from outside. */
function setTranscript(text) {
  if (text === state.text) return;
  transcript.replace(text);
}

const play = new Play(get("play"), { ask, rules, text: () => state.text, setText: setTranscript, why });
const compare = new Compare(get("compare"), {
  ask,
  rules,
  state,
  text: () => state.text,
  variants: () => library.find((it) => it.name === state.game)?.variants.map((it) => it.name) ?? [],
  shipped: () => shipped,
  go: goToRow,
  line: (line) => transcript.show(line),
});

// --- what is shown -------------------------------------------------------------------------------------------------

function showFiles() {
  get("game-file").textContent = gameFile();
  gameEditor.open(gameFile(), state.files[gameFile()]);
  showVariant(state.variants.at(-1) ?? null);
  const known = library.find((it) => it.name === state.game)?.variants.map((it) => it.name) ?? [];
  const free = known.filter((name) => !state.variants.includes(name));
  const options = [["", "add…"], ...free.map((name) => [name, name]), ["+", "one of your own"]];
  get("add").replaceChildren(...options.map(([value, text]) => el("option", { value }, text)));
  showGames();
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
  else variantEditor.file = null;
}

function showGames() {
  const select = get("game");
  const groups = library.map((game) => {
    const variants = game.variants.map((it) => `${game.name}+${it.name}`);
    return el("optgroup", { label: game.name }, ...[game.name, ...variants].map((it) => el("option", { value: it }, it)));
  });
  select.replaceChildren(...groups, el("option", { value: "mine" }, "a game of your own"));
  const value = gameName();
  if (![...select.options].some((it) => it.value === value)) select.append(el("option", { value }, value));
  select.value = value;
}

/** Takes a game with its variants, and the transcript it begins with. */
function load(name) {
  const [game, ...variants] = name.split("+");
  const starter = STARTERS[name] ?? STARTERS[game] ?? { text: "4\n2\n5\n", form: null, settings: [] };
  const files = {};
  for (const file of [`${game}.rules`, ...variants.map((it) => `${game}/${it}.rules`)]) {
    files[file] = shipped[file] ?? OWN_GAME;
  }
  take({ game, variants, files, settings: starter.settings, form: starter.form, text: starter.text });
}

function take(next) {
  Object.assign(state, structuredClone(next));
  transcript.open("transcript", state.text);
  closeWhy();
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
    for (let at = 2; state.variants.includes(own); at += 1) own = `house-rules-${at}`;
    name = own;
  }
  const file = variantFile(name);
  state.files[file] = shipped[file] ?? `variant ${name} of ${state.game} "House rules"\n\n`;
  state.variants.push(name);
  showFiles();
  refresh();
}

function removeVariant(name) {
  state.variants = state.variants.filter((it) => it !== name);
  delete state.files[variantFile(name)];
  showFiles();
  refresh();
}

function edited(file, text) {
  if (!(file in state.files)) return;
  state.files[file] = text;
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
  whyAgain();
  if (!get("play").hidden) play.refresh();
  if (!get("compare").hidden) compare.refresh();
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
  const panel = get("report");
  const stopped = run.stopped ?? run.error;
  if (stopped) {
    panel.replaceChildren(el("pre", { class: "drawn" }, stopped));
    return;
  }
  if (run.wrong) {
    const text = "The rules are not right yet: what is wrong stands below them.";
    panel.replaceChildren(el("p", { class: "empty" }, text));
    transcript.diagnose([], null);
    return;
  }
  if (stoppedSaid) say("");
  const lines = run.report.split("\n");
  if (lines.at(-1) === "") lines.pop();
  const list = el("ol", { class: "lines", "aria-label": "Report, line by line", onkeydown: walk });
  const more = el("button", { type: "button", onclick: () => add() });
  const nothing = lines.length === 0 && !run.failed && el("p", { class: "empty" }, "Nothing is said yet.");
  const add = () => {
    const from = list.children.length;
    const items = lines.slice(from, from + LINES).map((text, next) => {
      const at = from + next;
      return el("li", {}, el("button", {
        type: "button", tabindex: at === 0 ? "0" : "-1", "data-line": run.lines[at], onclick: () => why(run.lines[at], text),
      }, cut(text) || " "));
    });
    list.append(...items);
    const left = lines.length - list.children.length;
    more.hidden = left === 0;
    more.textContent = `Show ${Math.min(left, LINES)} of ${left} more lines`;
  };
  add();
  panel.replaceChildren(...[list, more, nothing].filter(Boolean));
  const data = run.failed?.data;
  if (run.failed) {
    const line = data?.labels[0]?.file === "transcript" ? data.labels[0].line : null;
    panel.append(el("pre", { class: "drawn", tabindex: "0" }, cut(run.failed.drawn)));
    if (line) panel.append(el("p", { class: "empty" }, el("button", { type: "button", onclick: () => why(line) }, "Why?")));
  }
  if (run.questions || run.unmet.length) panel.append(answers(run));
  const inTranscript = [data, ...run.unmet].filter((it) => it?.labels[0]?.file === "transcript");
  transcript.diagnose(inTranscript, (edit) => transcript.change(edit.from, edit.to, edit.text));
  showOptions(run);
}

/** What came of the questions that the transcript asks. */
function answers({ questions, unmet }) {
  if (unmet.length === 0) {
    return el("p", { class: "empty" }, questions === 1 ? "One question, and the answer is yes." : `${questions} questions, and all answers are yes.`);
  }
  const items = unmet.slice(0, PROBLEMS).map((one) => {
    const line = one.labels[0]?.line;
    return el("li", {}, el("button", { type: "button", onclick: () => line && transcript.goTo(line) }, `line ${line}: ${one.message}`),
      ...one.notes.map((note) => el("pre", {}, note)));
  });
  return el("ul", { class: "unmet", "aria-label": "Questions whose answer is not yes" }, ...items);
}

/** Up and down, from one line to the next. */
function walk(event) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const item = event.target.closest("li");
  if (!item) return;
  const list = [...item.parentElement.children];
  let to = null;
  if (step) to = list[list.indexOf(item) + step];
  if (event.key === "Home") [to] = list;
  if (event.key === "End") to = list.at(-1);
  if (!to) return;
  event.preventDefault();
  event.target.tabIndex = -1;
  const button = to.querySelector("button");
  button.tabIndex = 0;
  button.focus();
}

function showOptions(run) {
  const forms = run.forms.length > 1;
  get("form-label").hidden = !forms;
  const named = run.forms.map((it, at) => el("option", { value: it ?? "" }, it ?? (at === 0 ? "the usual" : "")));
  get("form").replaceChildren(...named);
  get("form").value = state.form ?? run.forms[0] ?? "";
  get("options").hidden = run.options.length === 0;
  if (get("options").contains(document.activeElement) && document.activeElement.tagName === "INPUT") return;
  const inputs = run.options.map((option) =>
    el("label", { title: option.meaning }, option.name, el("input", {
      value: option.value,
      "aria-description": `${option.type}${option.meaning ? `: ${option.meaning}` : ""}`,
      onchange: (event) => {
        const others = state.settings.filter(([name]) => name !== option.name);
        const value = event.target.value.trim();
        state.settings = value === "" || value === option.default ? others : [...others, [option.name, value]];
        event.target.blur();
        refresh();
      },
    })),
  );
  get("options").querySelector(".options").replaceChildren(...inputs);
}

function showProblems(found) {
  if (!Array.isArray(found)) found = [];
  for (const editor of [gameEditor, variantEditor]) {
    if (editor.file) editor.diagnose(found.filter((it) => it.labels[0]?.file === editor.file), doEdit);
  }
  const items = found.slice(0, PROBLEMS).map((one) => {
    const [place] = one.labels;
    const where = place ? `${place.file}:${place.line}` : "";
    return el("li", {},
      el("button", { type: "button", onclick: () => place && goToRow(place.file, place.line) },
        el("span", { class: one.severity }, one.severity), ` ${where} ${cut(one.message)}`),
      ...one.edits.map((edit) => el("button", { type: "button", class: "fix", onclick: () => doEdit(edit) }, editName(edit))),
      ...one.helps.map((help) => el("div", { class: "empty" }, cut(help))),
    );
  });
  if (found.length > PROBLEMS) items.push(el("li", {}, `and ${found.length - PROBLEMS} more`));
  get("problems").replaceChildren(...(items.length ? [el("ul", {}, ...items)] : []));
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

/** The line that is explained. */
let explained = null;

async function why(line, said = null, tell = openWhy) {
  if (lastRun?.wrong) return;
  explained = line;
  if (!line) {
    tell("Why", [el("p", {}, "This is said before anything of the transcript is read.")]);
    return;
  }
  await explain(line, said, tell);
  transcript.show(line);
}

/** Explains the same line again, after a change of the rules or the transcript. */
async function whyAgain() {
  if (get("why").hidden || !explained || lastRun?.wrong) return;
  if (explained > transcript.view.state.doc.lines) closeWhy();
  else await explain(explained, null, refillWhy);
}

async function explain(line, said, tell) {
  const told = await ask({ ask: "why", ...rules(), text: state.text, line }, { key: "why" });
  if (!told || explained !== line) return;
  for (const button of get("report").querySelectorAll("[data-line]")) {
    button.classList.toggle("chosen", Number(button.dataset.line) === line);
  }
  const parts = said ? [el("p", { class: "said" }, said)] : [];
  if (told.told) parts.push(...explanation(told.told, goToRow, said));
  else parts.push(el("pre", { class: "drawn" }, told.failed?.drawn ?? told.stopped ?? "The rules are wrong."));
  tell(`Why: line ${line} of the transcript`, parts);
}

function refillWhy(title, parts) {
  get("why-title").textContent = title;
  get("why").querySelector(".body").replaceChildren(...parts);
}

function fillWhy(title, parts) {
  get("why").hidden = false;
  refillWhy(title, parts);
  const body = get("why").querySelector(".body");
  body.scrollTop = 0;
  body.querySelector(".meant")?.scrollIntoView({ block: "nearest" });
}

function openWhy(title, parts) {
  showPane("result");
  fillWhy(title, parts);
}

function closeWhy() {
  get("why").hidden = true;
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
  const caused = new Set(told.lines);
  transcript.markLines("caused", told.lines.map((it) => ({ line: it })));
  for (const button of get("report").querySelectorAll("[data-line]")) {
    button.classList.toggle("caused", caused.has(Number(button.dataset.line)));
  }
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

async function share() {
  const address = `${location.href.split("#")[0]}#${await packed(state)}`;
  history.replaceState(null, "", address);
  try {
    await navigator.clipboard.writeText(address);
    say(`The link is copied. It has ${address.length} characters, and everything is in it.`);
  } catch {
    say(`The link stands in the address bar. It has ${address.length} characters, and everything is in it.`);
  }
}

async function save() {
  const kept = source.replace(/(<script type="text\/plain" id="saved">)[^<]*/, `$1${await packed(state)}`);
  const whole = kept.endsWith("</html>") ? kept : `${kept}</script></body></html>`;
  const address = URL.createObjectURL(new Blob([`<!doctype html>\n${whole}`], { type: "text/html" }));
  el("a", { href: address, download: `${gameName()}.html` }).click();
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
    refresh();
  });
  get("format").addEventListener("click", () => {
    format(gameEditor);
    if (variantEditor.file) format(variantEditor);
  });
  get("ask-why").addEventListener("click", () => why(transcript.line));
  get("close-why").addEventListener("click", closeWhy);
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
  get("why").addEventListener("keydown", (event) => event.key === "Escape" && closeWhy());
  window.addEventListener("hashchange", async () => {
    if (named()) return load(named());
    const shared = await unpacked(location.hash.slice(1));
    if (shared) take(shared);
  });
}

/** The game that a link names, as those of the rule books do: `#game=weiqi+superko`. */
const named = () => location.hash.match(/^#game=([\w+-]+)$/)?.[1];

async function begin() {
  dark(matchMedia("(prefers-color-scheme: dark)").matches);
  listen();
  library = await referee.ask({ ask: "library" });
  for (const game of library) {
    for (const one of [game, ...game.variants]) shipped[one.file] = one.text;
  }
  if (named()) return load(named());
  const kept = location.hash.slice(1) || get("saved").textContent.trim();
  const shared = kept ? await unpacked(kept) : null;
  if (shared) take(shared);
  else load("snooker");
  if (kept && !shared) say("What the link holds is damaged: perhaps a part of it is missing.");
}

begin();
