// Questions to the WebAssembly as functions and objects. index.d.ts says what they take and give.

/** Something that went wrong: its headline, and all of it as the command would have shown it. */
class RefereeError extends Error {
  constructor({ diagnostics = [], text = "", report = "" }, fallback = "") {
    const [first] = diagnostics;
    super(first?.message ?? fallback ?? text);
    const [label] = first?.labels ?? [];
    this.name = this.constructor.name;
    this.code = first?.code ?? null;
    this.file = label?.file ?? null;
    this.line = label?.line ?? null;
    this.column = label?.column ?? null;
    this.diagnostics = diagnostics;
    this.text = text || this.message;
    this.report = report;
  }
}
class UsageError extends RefereeError {}
class RulesError extends RefereeError {}
class TranscriptError extends RefereeError {}
class BoundError extends RefereeError {}

const CLASSES = { usage: UsageError, rules: RulesError, transcript: TranscriptError, bound: BoundError };

const usage = (message) => new UsageError({ diagnostics: [{ code: "usage", message, labels: [] }], text: `error: ${message}` });

/** The values of options as rule files write them. */
const written = (value) => (value === true ? "yes" : value === false ? "no" : String(value));

/** The WebAssembly with a memory of its own. */
class Machine {
  #exports;
  #broken = false;

  constructor(module) {
    this.#exports = new WebAssembly.Instance(module, {}).exports;
  }

  get broken() {
    return this.#broken;
  }

  ask(question) {
    const told = this.#answer(JSON.stringify(question));
    if (told && typeof told.error === "object") throw new CLASSES[told.error.kind](told.error);
    if (told && typeof told.error === "string") throw usage(told.error);
    return told;
  }

  #answer(question) {
    const wasm = this.#exports;
    try {
      const bytes = new TextEncoder().encode(question);
      const start = wasm.room(bytes.length) >>> 0;
      new Uint8Array(wasm.memory.buffer, start, bytes.length).set(bytes);
      const length = wasm.answer() >>> 0;
      const told = new Uint8Array(wasm.memory.buffer, wasm.address() >>> 0, length);
      return JSON.parse(new TextDecoder().decode(told));
    } catch (error) {
      // After a trap nothing in its memory can be relied on.
      this.#broken = true;
      const message = `this could not be worked out (${error.message}): rules lie too deep in each other, or take too much memory`;
      throw new BoundError({ diagnostics: [{ code: "trap", message, labels: [] }], text: `error: ${message}` });
    }
  }
}

/** Everything that the package offers, over a compiled module. */
export function api(module) {
  let desk = null;
  /** What belongs to no game is asked of one machine. */
  const asked = (question) => {
    if (!desk || desk.broken) desk = new Machine(module);
    return desk.ask(question);
  };

  const forgotten = new FinalizationRegistry(([machine, session]) => leave(machine, session));
  function leave(machine, session) {
    if (!machine.broken) machine.ask({ ask: "at", session, does: { act: "leave" } });
  }

  /** What a game is loaded with, and what it is asked; nobody else sees that. */
  let inside;

  class Game {
    static {
      inside = (game) => ({ rules: game.#rules, ask: game.#ask.bind(game) });
    }

    #machine = new Machine(module);
    #rules;
    #told;

    /** For `load`. */
    constructor(rules) {
      this.#rules = rules;
      this.#told = this.#machine.ask({ ask: "load", ...rules });
    }

    get name() { return this.#told.name; }
    get title() { return this.#told.title; }
    get variants() { return this.#told.variants; }
    get forms() { return this.#told.forms; }
    get options() { return this.#told.options; }
    get events() { return this.#told.events; }
    get policies() { return this.#told.policies; }
    get warnings() { return this.#told.warnings; }

    #ask(ask, more = {}, form = this.#rules.form) {
      if (this.#machine.broken) this.#machine = new Machine(module);
      return this.#machine.ask({ ask, ...this.#rules, form, ...more });
    }

    run(transcript, { form } = {}) {
      return this.#ask("report", { text: transcript }, form).report;
    }

    report(transcript, { form } = {}) {
      const { report, lines } = this.#ask("report", { text: transcript }, form);
      const said = report.split("\n").slice(0, -1);
      return said.map((text, at) => ({ text, line: lines[at] }));
    }

    why(transcript, line, { form, ...about } = {}) {
      return explanation(this.#ask("explain", { text: transcript, about: { ...about, line } }, form));
    }

    moves(transcript = "", { form, line, events = [], illegal = false } = {}) {
      return this.#ask("moves", { text: transcript, line, events, illegal }, form);
    }

    session({ form, transcript = "" } = {}) {
      const { session } = this.#ask("sit", {}, form);
      const open = new Session(this.#machine, session);
      if (transcript) open.feed(transcript);
      return open;
    }
  }

  const explanation = ({ told, drawn }) => ({ ...told, text: drawn });

  class Session {
    #machine;
    #number;

    /** For `Game.session`. */
    constructor(machine, number) {
      this.#machine = machine;
      this.#number = number;
      forgotten.register(this, [machine, number], this);
    }

    #does(act, more = {}) {
      if (this.#machine.broken) throw usage("the session is closed");
      return this.#machine.ask({ ask: "at", session: this.#number, does: { act, ...more } });
    }

    feed(lines) { return this.#does("feed", { lines }).said; }
    end() { return this.#does("end").said; }
    undo() { return this.#does("undo").lines; }

    get stage() { return this.#does("look").stage; }
    get games() { return this.#does("look").games; }
    get steps() { return this.#does("look").steps; }
    get report() { return this.#does("look").report; }
    get transcript() { return this.#does("look").transcript; }
    get open() { return this.#does("look").open; }
    get outcome() { return this.#does("look").outcome; }

    state() { return this.#does("states").state; }
    written() { return Object.fromEntries(this.#does("states").written); }
    hands() { return this.#does("states").hands; }
    boards() { return this.#does("states").boards; }

    moves({ events = [], illegal = false } = {}) { return this.#does("moves", { events, illegal }); }
    expected() { return this.#does("expected"); }
    deciders() { return this.#does("deciders"); }
    choose(policy = null, { seed = 0 } = {}) { return this.#does("choose", { policy, seed }).line; }
    drawn(line = "", { seed = 0 } = {}) { return this.#does("drawn", { line, seed }).line; }

    why(line, about = {}) { return explanation(this.#does("why", { ...about, line })); }
    whyNext(next, about = {}) { return explanation(this.#does("why", { ...about, next })); }

    close() {
      forgotten.unregister(this);
      leave(this.#machine, this.#number);
    }

    [Symbol.dispose ?? Symbol.for("dispose")]() { this.close(); }
  }

  const rules = (game, { files = {}, options = {}, form = null, limits = {} } = {}) => ({
    game,
    files,
    form,
    limits,
    settings: Object.entries(options).map(([name, value]) => [name, written(value)]),
  });

  /** The game that files are about, where nobody says it: the only one that is no variant's. */
  function meant(files) {
    const games = Object.keys(files).filter((it) => !it.includes("/"));
    if (games.length !== 1) throw usage("say which game these files are to be checked as");
    return games[0].replace(/\.rules$/, "");
  }

  return {
    games() {
      const told = asked({ ask: "library" });
      return told.map(({ name, file, text, variants }) => ({ name, file, text, variants }));
    },

    load(name, options = {}) {
      return new Game(rules(name, options));
    },

    check(files, game = meant(files), options = {}) {
      return asked({ ask: "verdict", ...rules(game, { ...options, files }) });
    },

    format(text, file = "game.rules") {
      const told = asked({ ask: "format", files: { [file]: text }, file });
      if (told.text === undefined) {
        const message = told.wrong ?? "the text is not a rule file";
        throw new RulesError({ diagnostics: [{ code: "syntax", message, labels: [{ file, line: told.line ?? null, column: null }] }] });
      }
      return told.text;
    },

    diff(one, other, transcript, { form } = {}) {
      const { rules } = inside(other);
      const told = inside(one).ask("compare", { other: { ...rules, form: form ?? rules.form }, text: transcript }, form);
      if (told.same !== undefined) return null;
      const side = ({ said, row }) => ({ says: said, row });
      return { line: told.first, at: told.line, cause: told.cause, one: side(told.one), other: side(told.other) };
    },

    Game, Session, RefereeError, UsageError, RulesError, TranscriptError, BoundError,
  };
}
