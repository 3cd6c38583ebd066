// The report: its lines, what stopped it, the answers to questions, and whether it is as expected.
import { el } from "./dom.js";

/** How many lines of a report are shown, and as many more each time that somebody asks. */
const LINES = 500;

/** How many unmet questions are listed. */
const MOST = 100;

/** How many letters of a line are shown. */
const LONGEST = 2000;

export const cut = (text) => (text.length > LONGEST ? `${text.slice(0, LONGEST)} …` : text);

const linesOf = (text) => {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
};

/** A message without the name of the transcript, which is another in a file than here. */
const nameless = (line) => line.replace(/^( *--> ).+(:\d+:\d+)$/, "$1transcript$2");

/** All that a run says, as `referee test` compares it: the report and the message that stopped it. */
export function whole({ report, failed }) {
  if (!failed) return report;
  return `${report}${report === "" || report.endsWith("\n") ? "" : "\n"}${failed.drawn}\n`;
}

/** The first line in which two texts differ, as its number and what each has there; nothing where they are the same. */
function difference(one, other) {
  const [left, right] = [one, other].map((it) => linesOf(it).map(nameless));
  const most = Math.max(left.length, right.length);
  for (let at = 0; at < most; at += 1) {
    if (left[at] !== right[at]) return { line: at + 1, wanted: left[at], said: right[at] };
  }
  return null;
}

const quoted = (line) => (line === undefined ? "the end" : `“${cut(line)}”`);

export class Report {
  /** The lines that are shown, the run that they are of, and all its lines. */
  #list = null;
  #run = null;
  #lines = [];

  /** `page.why(line, { said })` explains a line, `page.goTo(line)` shows one of the transcript. */
  constructor(panel, verdict, page) {
    this.panel = panel;
    this.verdict = verdict;
    this.page = page;
    this.more = el("button", { type: "button", onclick: () => this.#add() });
  }

  /** What keeps the report from being there. */
  missing(...parts) {
    this.#run = null;
    this.panel.replaceChildren(...parts);
  }

  show(run) {
    this.#run = run;
    this.#lines = linesOf(run.report);
    this.#list = el("ol", { class: "lines", "aria-label": "Report, line by line", onkeydown: walk });
    this.#add();
    const nothing = this.#lines.length === 0 && !run.failed && el("p", { class: "empty" }, "Nothing is said yet.");
    this.panel.replaceChildren(...[this.#list, this.more, nothing, ...this.#failure(), this.#answers()].filter(Boolean));
  }

  #add(upTo = 0) {
    const { lines } = this.#run;
    const from = this.#list.children.length;
    const items = this.#lines.slice(from, Math.max(from + LINES, upTo)).map((text, next) => {
      const at = from + next;
      return el("li", {}, el("button", {
        type: "button", tabindex: at === 0 ? "0" : "-1", "data-line": lines[at], onclick: () => this.page.why(lines[at], { said: text }),
      }, cut(text) || " "));
    });
    this.#list.append(...items);
    const left = this.#lines.length - this.#list.children.length;
    this.more.hidden = left === 0;
    this.more.textContent = `Show ${Math.min(left, LINES)} of ${left} more lines`;
  }

  #failure() {
    const { failed } = this.#run;
    if (!failed) return [];
    const label = failed.data?.labels[0];
    const why = label?.file === "transcript" && el("p", { class: "empty" }, el("button", { type: "button", onclick: () => this.page.why(label.line) }, "Why?"));
    return [el("pre", { class: "drawn", tabindex: "0" }, cut(failed.drawn)), why];
  }

  /** What came of the questions that the transcript asks. */
  #answers() {
    const { questions, unmet } = this.#run;
    if (!questions && unmet.length === 0) return null;
    if (unmet.length === 0) {
      return el("p", { class: "empty" }, questions === 1 ? "One question, and the answer is yes." : `${questions} questions, and all answers are yes.`);
    }
    const items = unmet.slice(0, MOST).map((one) => {
      const line = one.labels[0]?.line;
      return el("li", {}, el("button", { type: "button", onclick: () => line && this.page.goTo(line) }, `line ${line}: ${one.message}`),
        ...one.notes.map((note) => el("pre", {}, note)));
    });
    return el("ul", { class: "unmet", "aria-label": "Questions whose answer is not yes" }, ...items);
  }

  /** Says whether the report is the one that is expected, if one is. */
  judge(expected) {
    const found = expected !== null && this.#run ? difference(expected, whole(this.#run)) : undefined;
    this.verdict.className = found === undefined ? "" : found ? "fails" : "passes";
    if (!found) {
      this.verdict.textContent = found === undefined ? "" : "The report is as expected.";
      return;
    }
    const show = found.line <= this.#lines.length && el("button", { type: "button", onclick: () => this.#show(found.line) }, "Show the line");
    const text = `line ${found.line} should be ${quoted(found.wanted)} and is ${quoted(found.said)}. `;
    this.verdict.replaceChildren(...[el("strong", {}, "Not as expected: "), text, show].filter(Boolean));
  }

  /** Shows a line of the report, and the keyboard goes there. */
  #show(line) {
    this.#add(line);
    focusLine(this.#list, this.#list.children[line - 1]);
  }

  /** Marks the lines with a class for which this holds, given the line of the transcript and the text. */
  mark(name, is) {
    for (const button of this.panel.querySelectorAll("[data-line]")) {
      button.classList.toggle(name, is(Number(button.dataset.line), button.textContent));
    }
  }

  /** Marks what a row caused: the lines that it said; where it said none, all of the transcript's line. */
  markCaused({ lines, said }) {
    const own = new Set(said.flatMap(([line, text]) => text.split("\n").map((it) => `${line} ${it}`)));
    const from = this.#run?.lines ?? [];
    const saying = new Set(from.filter((line, at) => own.has(`${line} ${this.#lines[at]}`)));
    this.mark("caused", (line, text) => (saying.has(line) ? own.has(`${line} ${text}`) : lines.includes(line)));
  }
}

function focusLine(list, item) {
  for (const button of list.querySelectorAll("[tabindex='0']")) button.tabIndex = -1;
  const button = item.querySelector("button");
  button.tabIndex = 0;
  button.focus();
}

/** Up and down, from one line to the next. */
function walk(event) {
  const item = event.target.closest("li");
  if (!item) return;
  const list = item.parentElement;
  const to = {
    ArrowDown: item.nextElementSibling, ArrowUp: item.previousElementSibling, Home: list.firstElementChild, End: list.lastElementChild,
  }[event.key];
  if (!to) return;
  event.preventDefault();
  focusLine(list, to);
}
