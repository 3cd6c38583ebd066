// Play: how the game stands after some of the transcript's lines, and what may come next.
import { el } from "./dom.js";

/** How many moves are shown at once, and how many things of a hand. */
const MOST = 250;
const HELD = 200;

/** How many letters of a state are shown. */
const LONG = 2000;

/** The words of a move. */
const wordsOf = (written) => written.split(/\s+/);

const letters = /[\p{L}\p{N}]/u;

/** Whether a move names a square, and where in its text: `e2` is in `e2e4`, `16,4` in `16 4`. */
function placeOf(square, written) {
  const name = square.replaceAll(",", " ");
  for (let at = written.indexOf(name); at >= 0; at = written.indexOf(name, at + 1)) {
    const before = written[at - 1] ?? " ";
    const after = written[at + name.length] ?? " ";
    const starts = !letters.test(before) || (/\d/.test(before) && /\D/.test(name[0]));
    const ends = !letters.test(after) || (/\D/.test(after) && /\d/.test(name.at(-1)));
    if (starts && ends) return at;
  }
  return -1;
}

/** What stands on a square: the owner as a colour, and the rules' own sign, or else the rest as letters. */
function piece(value, sign, owners) {
  const [owner, ...rest] = value.split(/[,: ]/);
  if (!owners.includes(owner)) owners.push(owner);
  const at = owners.indexOf(owner) % 4;
  const text = sign ? sign : rest.length ? rest.join("").slice(0, 2) : owner.length <= 2 ? owner : owner.slice(0, 1);
  return el("span", { class: `piece p${at}`, "data-text": text });
}

/** Whether the things of a collection can be shown as they are written: not those that are collections themselves. */
const isHand = ({ items }) => !Array.isArray(items) || items.every((it) => typeof it === "string" || typeof it === "number");

export class Play {
  /** How many lines of the transcript are played; all where it is nothing. */
  #upTo = null;
  /** Lines that were taken back. */
  #undone = [];
  #from = null;
  #covered = new Set();
  #told = null;
  #filter = "";

  constructor(panel, page) {
    this.panel = panel;
    this.page = page;
  }

  reset() {
    this.#upTo = null;
    this.#undone = [];
    this.#from = null;
    this.#filter = "";
    if (!this.panel.hidden) this.refresh();
  }

  #lines() {
    const lines = this.page.text().split("\n");
    if (lines.at(-1) === "") lines.pop();
    return lines;
  }

  #present() {
    const lines = this.#lines();
    return this.#upTo === null ? lines : lines.slice(0, this.#upTo);
  }

  async refresh() {
    const present = this.#present();
    const text = present.map((line) => `${line}\n`).join("");
    const told = await this.page.ask({ ask: "play", ...this.page.rules(), text }, { key: "play" });
    if (!told) return;
    this.#told = told;
    this.#draw();
  }

  /** Puts a line after those that are played; what came after them is gone, but can be had back. */
  #add(line) {
    const present = this.#present();
    this.#upTo = null;
    this.#undone = [];
    this.#from = null;
    this.#filter = "";
    this.page.setText([...present, line].map((it) => `${it}\n`).join(""));
    this.refresh();
  }

  #undo() {
    const present = this.#present();
    if (present.length === 0) return;
    this.#undone.push(present.pop());
    this.#upTo = null;
    this.#from = null;
    this.page.setText(present.map((it) => `${it}\n`).join(""));
    this.refresh();
  }

  #redo() {
    const line = this.#undone.pop();
    if (line === undefined) return;
    this.page.setText([...this.#present(), line].map((it) => `${it}\n`).join(""));
    this.refresh();
  }

  #step(to) {
    const all = this.#lines().length;
    const next = Math.max(0, Math.min(to, all));
    this.#upTo = next === all ? null : next;
    this.#from = null;
    this.refresh();
  }

  #draw() {
    const told = this.#told;
    const focused = this.panel.contains(document.activeElement) ? document.activeElement.dataset.key : null;
    if (told.wrong || told.stopped || (told.failed && !told.stage)) {
      const text = told.wrong ? "The rules are not right yet." : told.stopped ?? told.failed.drawn;
      this.panel.replaceChildren(el("pre", { class: "drawn" }, text));
      return;
    }
    const parts = [el("h2", { class: "unseen" }, "Play"), this.#bar(), this.#whose(), ...told.boards.map((it) => this.#board(it)), this.#hands(), this.#refusal(), ...this.#next(), this.#typed(), this.#states()];
    this.panel.replaceChildren(...parts.filter(Boolean));
    if (focused) this.panel.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus();
  }

  #bar() {
    const all = this.#lines().length;
    const now = this.#upTo ?? all;
    const button = (key, label, text, run, disabled) =>
      el("button", { type: "button", "data-key": key, "aria-label": letters.test(text) ? null : label, title: label, disabled, onclick: run }, text);
    return el("div", { class: "bar" },
      button("first", "To the beginning", "«", () => this.#step(0), now === 0),
      button("back", "One line back", "‹", () => this.#step(now - 1), now === 0),
      el("span", { role: "status" }, `after line ${now} of ${all}`),
      button("on", "One line on", "›", () => this.#step(now + 1), now === all),
      button("last", "To the end", "»", () => this.#step(all), now === all),
      button("undo", "Take the last line back", "Undo", () => this.#undo(), now === 0),
      button("redo", "Put it there again", "Redo", () => this.#redo(), this.#undone.length === 0),
      now > 0 && button("why", "Why the last line did what it did", "Why", () => this.page.why(now), false),
    );
  }

  #whose() {
    const { stage, whose, states, open } = this.#told;
    const turn = states.find(([name]) => name === whose);
    const seats = this.#seats();
    const text = {
      complete: "The transcript is complete: nothing more is expected.",
      between: "No game is under way: this comes before the next.",
      playing: seats.length && !seats.includes(turn?.[1]) ? `turn: ${seats.join(", ")}` : turn ? `${turn[0]}: ${turn[1]}` : "A game is under way.",
    }[stage];
    return el("p", { class: "sentence" }, open ? `${text} Waiting for more after “${open}”.` : text);
  }

  /** Whose choice the next event is. */
  #seats() {
    return [...new Set(this.#moves().map((it) => it.by.seat).filter(Boolean))];
  }

  #moves() {
    return this.#told.moves?.moves ?? [];
  }

  #board(board) {
    const owners = [];
    // The owners in the order of the whole board, so that a side keeps its colour while pieces come and go.
    const known = board.rows.flat().map((it) => it.value?.split(/[,: ]/)[0]).filter(Boolean);
    owners.push(...[...new Set(known)].sort().reverse());
    const moves = this.#moves().map((it) => it.written);
    const cells = new Map();
    for (const square of board.rows.flat()) {
      cells.set(square.name, moves.filter((it) => placeOf(square.name, it) >= 0));
    }
    const click = (name) => {
      const here = cells.get(name);
      const both = this.#from ? here.filter((it) => placeOf(this.#from, it) >= 0 && placeOf(this.#from, it) < placeOf(name, it)) : [];
      if (both.length === 1) return this.#add(both[0]);
      if (both.length > 1) {
        this.#filter = both.reduce((one, other) => (one.length < other.length ? one : other)).slice(0, placeOf(name, both[0]) + name.length);
        return this.#draw();
      }
      if (here.length === 1) return this.#add(here[0]);
      this.#from = this.#from === name || here.length === 0 ? null : name;
      this.#filter = this.#from ? name.replaceAll(",", " ") : "";
      return this.#draw();
    };
    const rows = board.rows.map((row, down) =>
      el("tr", {}, ...row.map(({ name, value, sign }, right) => {
        const here = cells.get(name);
        const to = this.#from && here.some((it) => placeOf(this.#from, it) >= 0 && this.#from !== name);
        const can = this.#from ? to : here.length > 0;
        const classes = [can && "can", this.#from === name && "from"].filter(Boolean).join(" ");
        const label = `${name}: ${value ?? "empty"}${can ? ", possible" : ""}`;
        return el("td", { class: (down + right) % 2 ? "odd" : "" },
          el("button", { type: "button", class: classes, "aria-label": label, title: label, "data-key": `${board.state} ${name}`,
            tabindex: down === 0 && right === 0 ? "0" : "-1", onclick: () => click(name) }, value === null ? "" : piece(value, sign, owners)));
      })),
    );
    const wide = board.rows[0]?.length > 10 ? "board wide" : "board";
    return el("div", { class: "boardbox" }, el("table", { class: wide, "aria-label": board.state, onkeydown: walkBoard }, el("tbody", {}, ...rows)));
  }

  /** Sets and piles, thing by thing; a hand for each where there is one for each. What a move names can be clicked. */
  #hands() {
    const hands = (this.#told.hands ?? []).filter(isHand);
    if (hands.length === 0) return null;
    const moves = this.#moves();
    const by = new Map();
    for (const { written } of moves) {
      for (const word of new Set(wordsOf(written))) by.set(word, [...(by.get(word) ?? []), written]);
    }
    const click = (item) => {
      const here = by.get(item);
      if (here.length === 1) return this.#add(here[0]);
      this.#filter = this.#filter === item ? "" : item;
      return this.#draw();
    };
    const seats = this.#seats();
    const one = ({ state, of, items }) => {
      const name = of === null ? state : `${state} of ${of}`;
      // Where the rules keep something from whoever looks, its things do not come here: only how many there are.
      const kept = !Array.isArray(items);
      const count = kept ? items ?? 0 : items.length;
      const covered = this.#covered.has(name);
      const cover = () => {
        if (covered) this.#covered.delete(name);
        else this.#covered.add(name);
        this.#draw();
      };
      const things = kept || covered ? [] : items.slice(0, HELD).map((it, at) => {
        const text = String(it);
        if (!by.has(text)) return el("li", {}, el("span", { class: "thing" }, text));
        const chosen = this.#filter === text;
        return el("li", {}, el("button", { type: "button", class: `thing can${chosen ? " from" : ""}`, "data-key": `${name} ${text} ${at}`,
          "aria-label": `${text}, possible`, onclick: () => click(text) }, text));
      });
      const more = !kept && !covered && items.length > HELD && el("li", {}, `and ${items.length - HELD} more`);
      const instead = kept || covered ? "covered" : count === 0 ? "nothing" : null;
      return el("section", { class: seats.includes(of) ? "hand due" : "hand", "aria-label": name },
        el("h3", {}, of === null ? state : el("span", {}, of, el("span", { class: "of" }, ` ${state}`)), el("span", { class: "of" }, ` ${count}`),
          !kept && count > 0 && el("button", { type: "button", "aria-label": `${covered ? "Show" : "Cover"} ${name}`, "data-key": `cover ${name}`, onclick: cover },
            covered ? "show" : "cover")),
        instead ? el("p", { class: "empty" }, instead) : el("ul", {}, ...things, more));
    };
    const shown = [...hands].sort((left, right) => (left.of === null) - (right.of === null));
    return el("div", { class: "hands" }, ...shown.slice(0, HELD).map(one));
  }

  #refusal() {
    const { failed } = this.#told;
    return failed && el("pre", { class: "drawn" }, failed.drawn);
  }

  #next() {
    const moves = this.#moves();
    const parts = [];
    if (moves.length > 0) {
      const words = this.#filter.trim();
      const chosen = words ? moves.filter((it) => it.written.includes(words)) : moves;
      const several = new Set(moves.map((it) => it.event)).size > 1;
      const filter = moves.length > 12 && el("label", {}, "Only those with ", el("input", {
        value: this.#filter, "data-key": "filter", oninput: (event) => {
          this.#filter = event.target.value;
          this.#draw();
        },
      }));
      parts.push(
        el("div", { class: "bar" }, el("strong", {}, `${moves.length} possible now`), filter),
        el("div", { class: "moves", role: "group", "aria-label": "Possible now" }, ...chosen.slice(0, MOST).map((it) =>
          el("button", { type: "button", title: several ? it.event : null, onclick: () => this.#add(it.written) }, it.written))),
      );
      if (chosen.length > MOST) parts.push(el("p", { class: "empty" }, `and ${chosen.length - MOST} more`));
    }
    if (this.#told.moves?.failed) parts.push(el("p", { class: "empty" }, "What is possible cannot be worked out here."));
    const expected = Array.isArray(this.#told.expected) ? this.#told.expected : [];
    // What is listed above need not be put together.
    const listed = new Set(moves.map((it) => it.event));
    const patterns = expected.filter((it) => !it.untimely && !listed.has(it.event));
    parts.push(...patterns.slice(0, 12).map((it) => this.#pattern(it)));
    const later = expected.filter((it) => it.untimely);
    if (later.length) {
      parts.push(el("details", {}, el("summary", {}, "Not now"),
        el("ul", {}, ...later.slice(0, 20).map((it) => el("li", {}, el("code", {}, it.written), ` ${it.untimely}`)))));
    }
    return parts;
  }

  /** What could be written, with its holes to fill. */
  #pattern(one) {
    if (one.holes.length === 0) {
      return el("div", { class: "moves" }, el("button", { type: "button", onclick: () => this.#add(one.written) }, one.written));
    }
    const inputs = one.holes.map((hole) => {
      const words = typeof hole.takes === "object" && hole.takes.one_of;
      const number = typeof hole.takes === "object" && hole.takes.number;
      const label = hole.several ? `${hole.name} (several)` : hole.name;
      let input;
      if (words && !hole.several) {
        const all = hole.absent !== null ? [...words, hole.absent] : words;
        const turn = this.#told.states.find(([name]) => name === this.#told.whose)?.[1];
        input = el("select", {}, ...all.map((it) => el("option", { value: it, selected: it === turn }, it)));
      } else {
        const hint = number && number.greatest < 10_000 ? `${number.least}–${number.greatest}` : words ? words.slice(0, 4).join(" ") : hole.type;
        input = el("input", { placeholder: hint, autocomplete: "off", spellcheck: "false" });
      }
      const add = words && hole.several && el("span", { class: "moves", role: "group", "aria-label": hole.name },
        ...words.slice(0, 120).map((it) => el("button", { type: "button", onclick: () => {
          input.value = `${input.value} ${it}`.trim();
        } }, it)));
      return { hole, input, label: el("label", {}, label, input), add };
    });
    const send = (event) => {
      event.preventDefault();
      let line = one.written;
      for (const { hole, input } of inputs) {
        const value = input.value.trim();
        line = line.replace(new RegExp(`<${hole.name}( or [^>]*| \\.\\.\\.)?( or [^>]*)?>`), () => value);
      }
      this.#add(line.trim());
    };
    return el("form", { class: "pattern", onsubmit: send, "aria-label": one.written },
      el("code", {}, one.event ?? one.written), ...inputs.map((it) => it.label), el("button", { type: "submit" }, "Play"), ...inputs.map((it) => it.add));
  }

  #typed() {
    if (this.#told.stage === "complete") return null;
    const input = el("input", { "data-key": "typed", autocomplete: "off", spellcheck: "false" });
    const send = (event) => {
      event.preventDefault();
      if (input.value.trim()) this.#add(input.value);
    };
    return el("form", { class: "pattern typed", onsubmit: send }, el("label", {}, "The next line, as it is written", input), el("button", { type: "submit" }, "Play"));
  }

  #states() {
    const boards = new Set([...this.#told.boards, ...(this.#told.hands ?? [])].map((it) => it.state));
    const rows = this.#told.states.filter(([name]) => !boards.has(name)).flatMap(([name, value]) => {
      const covered = this.#covered.has(name);
      const cover = () => {
        if (covered) this.#covered.delete(name);
        else this.#covered.add(name);
        this.#draw();
      };
      const label = covered ? `Show ${name}` : `Cover ${name}`;
      return [
        el("dt", {}, name),
        el("dd", {}, covered ? "covered" : (value.length > LONG ? `${value.slice(0, LONG)} …` : value) || "nothing"),
        el("dd", {}, el("button", { type: "button", "aria-label": label, "data-key": `cover ${name}`, onclick: cover }, covered ? "show" : "cover")),
      ];
    });
    return rows.length ? el("dl", { class: "states" }, ...rows) : null;
  }
}

/** Arrow keys, from square to square. */
function walkBoard(event) {
  const step = { ArrowDown: [1, 0], ArrowUp: [-1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
  const cell = event.target.closest("td");
  if (!step || !cell) return;
  const row = cell.parentElement;
  const rows = [...row.parentElement.children];
  const next = rows[rows.indexOf(row) + step[0]]?.children[[...row.children].indexOf(cell) + step[1]]?.querySelector("button");
  if (!next) return;
  event.preventDefault();
  event.target.tabIndex = -1;
  next.tabIndex = 0;
  next.focus();
}
