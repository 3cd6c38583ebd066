// Play: how the game stands after some of the transcript's lines, and what may come next.
//
// Stepping only looks. A move comes after the line that is looked at, and what came after that goes away. Undo and redo are
// those of the transcript, so they bring back whatever changed it: a move, what went away for it, or what somebody typed.
import { boardOf, boardTable, framed, movesBySquare, placeOf, written } from "./board.js";
import { el } from "./dom.js";
import { pattern } from "./pattern.js";

/** How many moves are shown at once, and how many things of a hand. */
const MOST = 250;
const HELD = 200;

/** How many letters of a state are shown. */
const LONG = 2000;

/** The words of a move. */
const wordsOf = (move) => move.split(/\s+/);

const joined = (lines) => lines.map((it) => `${it}\n`).join("");

const several = (from, to) => (from === to ? `Line ${from} went` : `Lines ${from} to ${to} went`);

/** How many lines two lists have in common at their beginning. */
function common(one, other) {
  const most = Math.min(one.length, other.length);
  for (let at = 0; at < most; at += 1) if (one[at] !== other[at]) return at;
  return most;
}

/** Whether the things of a collection can be shown as they are written: not those that are collections themselves. */
const isHand = ({ items }) => !Array.isArray(items) || items.every((it) => typeof it === "string" || typeof it === "number");

export class Play {
  /** How many lines of the transcript are looked at; all where it is nothing. */
  #upTo = null;
  /** Whose view of the game is shown, as the question has it. */
  #perspective = "turn";
  /** The square that was clicked first. */
  #from = null;
  /** What is drawn: the answer, the lines before it, and all that it is about. */
  #told = null;
  #text = "";
  #about = null;
  /** What was asked about last. */
  #asked = null;
  #filter = "";
  /** What is typed of the next line. */
  #line = "";
  /** The list of moves, which is drawn anew for each letter of the filter. */
  #list = el("div", { class: "moves", role: "group", "aria-label": "Possible now" });

  constructor(panel, page) {
    this.panel = panel;
    this.page = page;
  }

  reset() {
    this.#perspective = "turn";
    this.#line = "";
    this.#about = null;
    this.#goTo(null);
    if (!this.panel.hidden) this.refresh();
  }

  // --- stepping and moving -------------------------------------------------------------------------------------------

  #lines() {
    const lines = this.page.text().split("\n");
    if (lines.at(-1) === "") lines.pop();
    return lines;
  }

  /** After how many lines the game is looked at. */
  #now(lines = this.#lines()) {
    return Math.min(this.#upTo ?? lines.length, lines.length);
  }

  #goTo(line) {
    this.#upTo = line;
    this.#from = null;
    this.#filter = "";
  }

  #step(to) {
    const all = this.#lines().length;
    const line = Math.max(0, Math.min(to, all));
    this.#goTo(line === all ? null : line);
    this.page.line(line);
    this.refresh();
  }

  /** Puts a line after those that are looked at. */
  #add(line) {
    const lines = this.#lines();
    const now = this.#now(lines);
    this.#goTo(null);
    this.#line = "";
    this.page.setText(joined([...lines.slice(0, now), line]));
    if (now < lines.length) this.page.say(`${several(now + 1, lines.length)} away. Undo brings them back.`);
    this.refresh();
  }

  /** Undoes the last change of the transcript, and looks at where it was. */
  #undo() {
    const before = this.#lines();
    this.page.history.undo();
    const now = this.#lines();
    const same = common(before, now);
    this.#goTo(same === now.length ? null : same);
    // One line is seen in the transcript; a paste that goes may surprise.
    const isLarge = Math.max(before.length, now.length) - same > 1;
    this.page.say(isLarge ? "The last change of the transcript is undone. Redo does it again." : "");
    this.refresh();
  }

  #redo() {
    const before = this.#lines();
    this.page.history.redo();
    const now = this.#lines();
    const last = now.length - common(before.toReversed(), now.toReversed());
    this.#goTo(last === now.length ? null : last);
    this.refresh();
  }

  /** Plays one of the moves that are drawn; not if others are about to be, as after a click that was meant once. */
  #play(move) {
    if (this.#present() === this.#text) this.#add(move);
  }

  /** The lines that are looked at, as a text. */
  #present() {
    const lines = this.#lines();
    return joined(lines.slice(0, this.#now(lines)));
  }

  async refresh() {
    const text = this.#present();
    const question = { ask: "play", ...this.page.rules(), text, perspective: this.#perspective };
    const about = JSON.stringify([question, this.page.text(), this.page.history.changes]);
    this.#asked = about;
    // What is drawn already stays, with what somebody types in it.
    if (about === this.#about) return;
    const told = await this.page.ask(question, { key: "play" });
    if (!told || this.#asked !== about) return;
    this.#told = told;
    this.#text = text;
    this.#about = told.stopped ? null : about;
    this.#draw();
  }

  // --- drawing -------------------------------------------------------------------------------------------------------

  #draw() {
    const told = this.#told;
    const focused = this.panel.contains(document.activeElement) ? document.activeElement.dataset.key ?? "" : null;
    if (told.wrong || told.stopped || (told.failed && !told.stage)) {
      const text = told.wrong ? "The rules are not right yet." : told.stopped;
      this.panel.replaceChildren(text ? el("p", { class: "drawn" }, text) : this.#refusal());
      return;
    }
    const parts = [
      el("h2", { class: "unseen" }, "Play"), this.#bar(), this.#viewer(), this.#whose(), ...this.#boards().flatMap((it) => this.#board(it)),
      this.#hands(), this.#refusal(), ...this.#next(), this.#typed(), this.#states(),
    ];
    this.panel.replaceChildren(...parts.filter(Boolean));
    if (focused !== null) this.#focus(focused);
  }

  /** Puts the keyboard where it was; where that is gone, to the first move, or to whose turn it is. */
  #focus(key) {
    const find = (it) => it && this.panel.querySelector(`[data-key="${CSS.escape(it)}"]:not(:disabled)`);
    const move = key.startsWith("move ") && "move 0";
    const element = find(move || key) ?? find("whose");
    element.focus();
    element.setSelectionRange?.(-1, -1);
  }

  #bar() {
    const all = this.#lines().length;
    const now = this.#now();
    const [undo, redo] = this.page.history.changes;
    const button = (key, title, text, run, disabled = false) =>
      el("button", { type: "button", "data-key": key, "aria-label": /\p{L}/u.test(text) ? null : title, title, disabled, onclick: run }, text);
    return el("div", { class: "bar" },
      button("first", "To the beginning", "«", () => this.#step(0), now === 0),
      button("back", "One line back", "‹", () => this.#step(this.#now() - 1), now === 0),
      el("span", { role: "status" }, `after line ${now} of ${all}`),
      button("on", "One line on", "›", () => this.#step(this.#now() + 1), now === all),
      button("last", "To the end", "»", () => this.#step(Infinity), now === all),
      button("undo", "Undo the last change of the transcript", "Undo", () => this.#undo(), !undo),
      button("redo", "Redo what was undone", "Redo", () => this.#redo(), !redo),
      now > 0 && button("why", "Why the last line did what it did", "Why", () => this.page.why(now, { perspective: this.#told.viewer ?? "referee" })),
    );
  }

  /** The choice of whose view is shown, in a game that hides something. */
  #viewer() {
    const { secrets, seats = [] } = this.#told;
    if (!secrets) return null;
    const choices = [
      ["turn", "the player whose turn it is"], ["everyone", "everyone"], ...seats.map((it, seat) => [{ seat }, it]), ["referee", "the referee, who sees all"],
    ];
    const chosen = JSON.stringify(this.#perspective);
    const select = el("select", { "data-key": "viewer", onchange: ({ target }) => {
      this.#perspective = JSON.parse(target.value);
      this.#goTo(this.#upTo);
      this.refresh();
    } }, ...choices.map(([perspective, name]) => {
      const value = JSON.stringify(perspective);
      return el("option", { value, selected: value === chosen }, name);
    }));
    return el("div", { class: "bar" }, el("label", {}, "As seen by ", select));
  }

  #whose() {
    const { stage, whose, open } = this.#told;
    const turn = this.#turn();
    const seats = this.#deciders();
    const text = {
      complete: "The transcript is complete: nothing more is expected.",
      between: "No game is under way: this comes before the next.",
      playing: seats.length && !seats.includes(turn) ? `turn: ${seats.join(", ")}` : turn ? `${whose}: ${turn}` : "A game is under way.",
    }[stage];
    return el("p", { class: "sentence", tabindex: "-1", "data-key": "whose" }, open ? `${text} Waiting for more after “${open}”.` : text);
  }

  /** Those whose choice the next event is. */
  #deciders() {
    return [...new Set(this.#moves().map((it) => it.by.seat).filter(Boolean))];
  }

  #moves() {
    return this.#told.moves?.moves ?? [];
  }

  /** Those that break no rule: only they can be clicked on a board. */
  #legal() {
    return this.#moves().filter((it) => it.verdict !== "illegal");
  }

  #expected() {
    return Array.isArray(this.#told.expected) ? this.#told.expected : [];
  }

  /** Chooses among some moves: plays the only one, or filters by a text that they have in common. */
  #choose(moves, filter) {
    if (moves.length === 1) return this.#play(moves[0]);
    this.#filter = filter;
    return this.#draw();
  }

  /** The states that are shown as boards: those on grids, and maps in rows and columns. */
  #boards() {
    const { boards, states } = this.#told;
    const drawn = new Set(boards.map((it) => it.state));
    const maps = states.filter(([name]) => !drawn.has(name)).map(([name, text]) => boardOf(name, text));
    return [...boards, ...maps.filter(Boolean)];
  }

  /** Whose turn it is, by the state that says it. */
  #turn() {
    const { states, whose } = this.#told;
    return states.find(([name]) => name === whose)?.[1];
  }

  #board(board) {
    const by = movesBySquare(board, this.#legal().map((it) => it.written), this.#expected(), this.#turn());
    const click = (name) => {
      const here = by.get(name);
      const both = this.#from ? here.filter((it) => placeOf(this.#from, it) >= 0 && placeOf(this.#from, it) < placeOf(name, it)) : [];
      if (both.length > 0) {
        const shortest = both.reduce((one, other) => (one.length < other.length ? one : other));
        return this.#choose(both, shortest.slice(0, placeOf(name, both[0]) + written(name).length));
      }
      if (here.length === 1 && (this.#from ?? name) === name) return this.#play(here[0]);
      this.#from = this.#from === name || here.length === 0 ? null : name;
      this.#filter = this.#from ? written(name) : "";
      return this.#draw();
    };
    return framed(boardTable(board, { by, from: this.#from, owners: [...(this.#told.seats ?? [])], click }));
  }

  /** Sets and piles, thing by thing; a hand for each where there is one for each. What a move names can be clicked. */
  #hands() {
    const hands = (this.#told.hands ?? []).filter(isHand);
    if (hands.length === 0) return null;
    const by = new Map();
    for (const { written } of this.#moves()) {
      for (const word of new Set(wordsOf(written))) by.set(word, [...(by.get(word) ?? []), written]);
    }
    const click = (item) => this.#choose(by.get(item), this.#filter === item ? "" : item);
    const due = this.#deciders();
    const one = ({ state, of, items }) => {
      const name = of === null ? state : `${state} of ${of}`;
      // Of what this view hides, only the number of things comes here.
      const isHidden = !Array.isArray(items);
      const count = isHidden ? items : items.length;
      const things = isHidden ? [] : items.slice(0, HELD).map((it, at) => {
        const text = String(it);
        if (!by.has(text)) return el("li", {}, el("span", { class: "thing" }, text));
        return el("li", {}, el("button", { type: "button", class: `thing can${this.#filter === text ? " from" : ""}`, "data-key": `${name} ${text} ${at}`,
          "aria-label": `${text}, possible`, onclick: () => click(text) }, text));
      });
      const more = !isHidden && items.length > HELD && el("li", {}, `and ${items.length - HELD} more`);
      const instead = count === 0 ? "nothing" : isHidden ? "hidden" : null;
      return el("section", { class: due.includes(of) ? "hand due" : "hand", "aria-label": name },
        el("h3", {}, of === null ? state : el("span", {}, of, el("span", { class: "of" }, ` ${state}`)), el("span", { class: "of" }, ` ${count}`)),
        instead ? el("p", { class: "empty" }, instead) : el("ul", {}, ...things, more));
    };
    const shown = [...hands].sort((left, right) => (left.of === null) - (right.of === null));
    return el("div", { class: "hands" }, ...shown.slice(0, HELD).map(one));
  }

  #refusal() {
    const { failed } = this.#told;
    return failed && el("pre", { class: "drawn", tabindex: "0" }, failed.drawn);
  }

  #next() {
    const { stage, viewer, moves: told } = this.#told;
    const moves = this.#moves();
    const parts = [];
    if (moves.length > 0) {
      const filter = moves.length > 12 && el("label", {}, "Only those with ", el("input", {
        value: this.#filter, "data-key": "filter", oninput: ({ target }) => {
          this.#filter = target.value;
          this.#listMoves();
        },
      }));
      this.#listMoves();
      parts.push(el("div", { class: "bar" }, el("strong", {}, this.#count()), filter), this.#list);
    } else if (viewer && stage === "playing" && !told?.failed) {
      parts.push(el("p", { class: "empty" }, "What is possible now is not for everyone to see."));
    }
    if (told?.failed) parts.push(el("p", { class: "empty" }, "What is possible cannot be worked out here."));
    // What is listed above need not be put together.
    const listed = new Set(moves.map((it) => it.event));
    const patterns = this.#expected().filter((it) => !it.untimely && !listed.has(it.event));
    parts.push(...patterns.slice(0, 12).map((it) => pattern(it, this.#turn(), (line) => this.#add(line))));
    const later = this.#expected().filter((it) => it.untimely);
    if (later.length) {
      parts.push(el("details", {}, el("summary", {}, "Not now"),
        el("ul", {}, ...later.slice(0, 20).map((it) => el("li", {}, el("code", {}, it.written), ` ${it.untimely}`)))));
    }
    return parts;
  }

  /** How many moves are possible, and how many of all would break a rule. */
  #count() {
    const [all, legal] = [this.#moves().length, this.#legal().length];
    return all === legal ? `${all} possible now` : `${legal} possible now, ${all - legal} against the rules`;
  }

  #listMoves() {
    const legal = this.#legal();
    const moves = [...legal, ...this.#moves().filter((it) => it.verdict === "illegal")];
    const words = this.#filter.trim();
    const chosen = words ? moves.filter((it) => it.written.includes(words)) : moves;
    const isMixed = new Set(moves.map((it) => it.event)).size > 1;
    const buttons = chosen.slice(0, MOST).map((it, at) => {
      const rule = it.verdict === "illegal" && el("span", { class: "of" }, ` illegal: ${it.says ?? it.fact}`);
      return el("button", { type: "button", title: isMixed ? it.event : null, "data-key": `move ${at}`, onclick: () => this.#play(it.written) }, it.written, rule);
    });
    const more = chosen.length > MOST && el("span", { class: "empty" }, `and ${chosen.length - MOST} more`);
    this.#list.replaceChildren(...buttons, ...(more ? [more] : []));
  }

  #typed() {
    if (this.#told.stage === "complete") return null;
    const input = el("input", { "data-key": "typed", value: this.#line, autocomplete: "off", spellcheck: "false", oninput: () => {
      this.#line = input.value;
    } });
    const send = (event) => {
      event.preventDefault();
      if (this.#line.trim()) this.#add(this.#line);
    };
    return el("form", { class: "pattern typed", onsubmit: send }, el("label", {}, "The next line, as it is written", input), el("button", { type: "submit" }, "Play"));
  }

  #states() {
    const drawn = new Set([...this.#boards(), ...(this.#told.hands ?? [])].map((it) => it.state));
    const rows = this.#told.states.filter(([name]) => !drawn.has(name)).flatMap(([name, value]) =>
      [el("dt", {}, name), el("dd", {}, (value.length > LONG ? `${value.slice(0, LONG)} …` : value) || "nothing")]);
    return rows.length ? el("dl", { class: "states" }, ...rows) : null;
  }
}
