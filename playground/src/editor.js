// The editors: CodeMirror, with answers of the library.
import { autocompletion, closeBrackets, completionKeymap } from "@codemirror/autocomplete";
import {
  defaultKeymap, history, historyKeymap, isolateHistory, redo, redoDepth, toggleLineComment, undo, undoDepth,
} from "@codemirror/commands";
import { bracketMatching, HighlightStyle, indentUnit, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import { linter, lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { EditorState, StateEffect, StateField } from "@codemirror/state";
import {
  Decoration, drawSelection, EditorView, highlightActiveLine, highlightSpecialChars, hoverTooltip, keymap, lineNumbers,
  WidgetType,
} from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { el, markdown } from "./dom.js";

const WORDS = new Set(
  `game variant option use kind ring type grid write given state just round event on fact policy transcript limit example set
   remove replace add except illegal refuse impossible new begin per report follows number text word yes no bag pile and or not is
   in within else mod with without then but at the some every has best by where for highest lowest first any all sum
   union of when unless says cites old previous after before none empty it start play until repeat times inline maybe expect
   legal over restart lines words chance weight referee wraps each seen hidden`.split(/\s+/),
);

/** How many letters of a line are shown: what draws a longer one, or marks in it, takes the whole page's time. */
const WIDEST = 1500;

const language = StreamLanguage.define({
  name: "referee",
  startState: () => ({ quote: null }),
  token(stream, state) {
    if (stream.sol()) state.quote = null;
    if (state.quote) {
      while (!stream.eol()) {
        const next = stream.next();
        if (next === "\\") stream.next();
        else if (next === state.quote) {
          state.quote = null;
          break;
        }
      }
      return "string";
    }
    if (stream.pos > WIDEST) {
      stream.skipToEnd(); // it is not shown
      return null;
    }
    if (stream.eatSpace()) return null;
    // Each pattern begins where the stream is: without `^`, it would be looked for in all of the rest.
    if (stream.match(/^--(?=\s|$)/)) {
      stream.skipToEnd();
      return "comment";
    }
    const quote = stream.peek();
    if (quote === '"' || quote === "'") {
      state.quote = stream.next();
      return "string";
    }
    if (stream.match(/^\d+(?:\.\d+)?/)) return "number";
    if (stream.match(/^rounded (?:down|up|even)(?: to)?\b/)) return "keyword";
    const word = stream.match(/^[\p{L}_][\p{L}\p{N}_]*/u);
    if (word) return WORDS.has(word[0]) ? "keyword" : null;
    stream.next();
    return null;
  },
  languageData: { commentTokens: { line: "--" } },
});

const colours = HighlightStyle.define([
  { tag: tags.keyword, color: "var(--keyword)" },
  { tag: tags.string, color: "var(--string)" },
  { tag: tags.number, color: "var(--number)" },
  { tag: tags.comment, color: "var(--comment)", fontStyle: "italic" },
]);

const look = EditorView.theme({
  "&": { backgroundColor: "var(--paper)", color: "var(--ink)" },
  "&.cm-focused": { outline: "2px solid var(--accent)", outlineOffset: "-2px" },
  ".cm-gutters": { backgroundColor: "var(--paper)", color: "var(--faint)", border: "none" },
  ".cm-activeLine": { backgroundColor: "transparent" },
  "&.cm-focused .cm-activeLine": { backgroundColor: "color-mix(in srgb, var(--soft) 55%, transparent)" },
  ".cm-content": { caretColor: "var(--ink)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "color-mix(in srgb, var(--accent) 30%, transparent) !important",
  },
  ".cm-tooltip, .cm-panels": { backgroundColor: "var(--paper)", color: "var(--ink)", border: "1px solid var(--line)" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { backgroundColor: "var(--accent)", color: "var(--accent-ink)" },
  ".cm-diagnosticAction": { backgroundColor: "var(--accent)", color: "var(--accent-ink)" },
  ".cm-diagnostic": { whiteSpace: "pre-wrap" },
});

/** Marks that are put from outside: the classes of whole lines, and of names. */
const setMarks = StateEffect.define();

function markField(name) {
  return StateField.define({
    create: () => Decoration.none,
    update(marks, change) {
      let now = marks.map(change.changes);
      for (const effect of change.effects) {
        if (effect.is(setMarks) && effect.value.name === name) now = effect.value.marks;
      }
      return now;
    },
    provide: (field) => EditorView.decorations.from(field),
  });
}
const fields = ["names", "changed", "shown", "caused"].map(markField);

/** Letters for which the browser looks for another font, or puts a sign, and how many of them a line may show. */
const ODD = /[^\x20-\x7e\u00a1-\u024f\u2010-\u2027]/g;
const MOST_ODD = 200;

/** How many diagnostics an editor shows, and how many lines and names it marks. */
const SHOWN = 300;
const MARKED = 5000;
export const NAMES = 20_000;

class Rest extends WidgetType {
  constructor(count) {
    super();
    this.count = count;
  }

  eq(other) {
    return other.count === this.count;
  }

  toDOM() {
    return el("span", { class: "rest" }, ` … ${this.count} more characters in this line`);
  }
}

/** From where on a line is not shown; nothing where all of it is. */
function cutAt(text) {
  if (text.length <= MOST_ODD) return null;
  let odd = 0;
  for (const found of text.slice(0, WIDEST).matchAll(ODD)) {
    odd += 1;
    if (odd > MOST_ODD) return found.index;
  }
  return text.length > WIDEST ? WIDEST : null;
}

function cuts(doc) {
  const marks = [];
  let from = 0;
  for (const text of doc.iterLines()) {
    const at = cutAt(text);
    if (at !== null) marks.push(Decoration.replace({ widget: new Rest(text.length - at) }).range(from + at, from + text.length));
    from += text.length + 1;
  }
  return Decoration.set(marks);
}

/** Lines that are too long to be shown are cut; the text stays as it is. */
const cutLines = StateField.define({
  create: ({ doc }) => cuts(doc),
  update(marks, change) {
    if (!change.docChanged) return marks;
    if (marks.size > 0 || change.newDoc.length - change.startState.doc.length > MOST_ODD) return cuts(change.newDoc);
    let long = false;
    change.changes.iterChangedRanges((_from, _to, from, to) => {
      long ||= change.newDoc.lineAt(to).to - change.newDoc.lineAt(from).from > MOST_ODD;
    });
    return long ? cuts(change.newDoc) : marks;
  },
  provide: (field) => [EditorView.decorations.from(field), EditorView.atomicRanges.of((view) => view.state.field(field))],
});

function common(label, readOnly) {
  return [
    lineNumbers(), history(), highlightSpecialChars(), drawSelection(), highlightActiveLine(), bracketMatching(),
    highlightSelectionMatches(), look, fields, cutLines, indentUnit.of("  "), EditorState.tabSize.of(2),
    EditorState.readOnly.of(readOnly), EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0" }),
    keymap.of([...defaultKeymap, ...historyKeymap, ...searchKeymap, ...completionKeymap, ...lintKeymap]),
  ];
}

/** An editor, of which `options.changed(text)` hears. */
export class Editor {
  #quiet = false;
  /** What was shown of other files, with the changes that can be undone. */
  #others = new Map();
  /** The file that it shows. */
  file = null;

  constructor(parent, options) {
    this.options = options;
    const extensions = [
      common(options.label, false),
      EditorView.updateListener.of((update) => {
        if (update.docChanged && !this.#quiet) options.changed(this.text);
      }),
      options.rules ? this.#ruleTools() : [EditorView.lineWrapping],
      options.extensions ?? [],
    ];
    this.make = (doc) => EditorState.create({ doc, extensions });
    this.view = new EditorView({ parent, state: this.make("") });
  }

  #ruleTools() {
    const { referee, context, format } = this.options;
    const ask = (question, options) => referee.ask({ ...question, ...context(), file: this.file }, options);
    const hover = hoverTooltip(async (_, at) => {
      const told = await ask({ ask: "hover", at }, { key: "hover" }).catch(() => null);
      if (!told?.text) return null;
      return { pos: told.from, end: told.to, above: true, create: () => ({ dom: markdown(told.text) }) };
    });
    const complete = async (state) => {
      const word = state.matchBefore(/[\p{L}_][\p{L}\p{N}_]*/u);
      if (!word && !state.explicit && !state.matchBefore(/[.:]\s?/)) return null;
      const found = await ask({ ask: "complete", at: state.pos }, { key: `complete` }).catch(() => null);
      if (!found?.length) return null;
      const options = found.map((one) => ({
        label: one.name,
        type: one.sort,
        detail: one.detail.length > 44 ? `${one.detail.slice(0, 43)}…` : one.detail,
        info: one.meaning || undefined,
        boost: 20 - 5 * one.rank,
      }));
      return { from: word ? word.from : state.pos, options, validFor: /^[\p{L}_][\p{L}\p{N}_]*$/u };
    };
    const go = (view) => {
      this.options.define(this.file, view.state.selection.main.head);
      return true;
    };
    return [
      language, syntaxHighlighting(colours), closeBrackets(), lintGutter(), linter(null), hover,
      autocompletion({ override: [complete], icons: false }),
      keymap.of([
        { key: "Shift-Alt-f", run: () => (format(this), true) },
        { key: "F12", run: go },
        { key: "Mod-/", run: toggleLineComment },
      ]),
    ];
  }

  get text() {
    return this.view.state.doc.toString();
  }

  /** Shows another file. What was changed in it before can still be undone, unless its text is another now. */
  open(file, text) {
    if (file === this.file && text === this.text) return;
    this.close();
    const known = this.#others.get(file);
    this.file = file;
    this.#quiet = true;
    this.view.setState(known?.doc.toString() === text ? known : this.make(text));
    this.#quiet = false;
  }

  /** Shows no file any more. */
  close() {
    if (this.file !== null) this.#others.set(this.file, this.view.state);
    this.file = null;
  }

  /** Changes the text as a person would, so that it can be undone by itself. Only what differs is replaced. */
  replace(text) {
    const old = this.text;
    let from = 0;
    while (from < old.length && old[from] === text[from]) from += 1;
    let same = 0;
    const most = Math.min(old.length, text.length) - from;
    while (same < most && old.at(-1 - same) === text.at(-1 - same)) same += 1;
    this.view.dispatch({
      changes: { from, to: old.length - same, insert: text.slice(from, text.length - same) },
      annotations: isolateHistory.of("full"),
    });
  }

  undo() {
    undo(this.view);
  }

  redo() {
    redo(this.view);
  }

  /** Whether there is something to undo, and something to redo. */
  get changes() {
    return [undoDepth(this.view.state) > 0, redoDepth(this.view.state) > 0];
  }

  change(from, to, text) {
    this.view.dispatch({ changes: { from, to, insert: text } });
  }

  /** Diagnostics of the library, and how an edit is done. */
  diagnose(found, edit) {
    const length = this.view.state.doc.length;
    const clamp = (at) => Math.max(0, Math.min(at ?? 0, length));
    const told = found.slice(0, SHOWN).map((one) => {
      const [label] = one.labels;
      const more = [label?.text, ...one.notes, ...one.helps].filter(Boolean);
      return {
        from: clamp(label?.from),
        to: clamp(Math.max(label?.to ?? 0, label?.from ?? 0)),
        severity: one.severity,
        message: [one.message, ...more].join("\n"),
        actions: one.edits.map((it) => ({ name: editName(it), apply: () => edit(it) })),
      };
    });
    this.view.dispatch(setDiagnostics(this.view.state, told));
  }

  #mark(name, marks) {
    this.view.dispatch({ effects: setMarks.of({ name, marks }) });
  }

  /** Marks whole lines: each its number and perhaps a title. */
  markLines(name, lines) {
    const { doc } = this.view.state;
    const known = lines.filter((it) => it.line >= 1 && it.line <= doc.lines).slice(0, MARKED);
    const marks = known.map((it) => {
      const attributes = it.title ? { title: it.title } : {};
      return Decoration.line({ class: `cm-${name}`, attributes }).range(doc.line(it.line).from);
    });
    this.#mark(name, Decoration.set(marks, true));
  }

  markNames(names) {
    const { length } = this.view.state.doc;
    const known = names.filter(([from, to]) => from < to && to <= length);
    const marks = known.map(([from, to, sort]) => Decoration.mark({ class: `n-${sort}` }).range(from, to));
    this.#mark("names", Decoration.set(marks, true));
  }

  /** A line, or the last: an answer may be about a text that has been replaced since. */
  #lineAt(line) {
    const { doc } = this.view.state;
    return doc.line(Math.max(1, Math.min(line, doc.lines)));
  }

  /** Marks a line and brings it into view. */
  show(line) {
    const { from } = this.#lineAt(line);
    this.markLines("shown", [{ line }]);
    this.view.dispatch({ effects: EditorView.scrollIntoView(from, { y: "nearest", yMargin: 40 }) });
  }

  /** The same, and the keyboard goes there. */
  goTo(line) {
    this.view.dispatch({ selection: { anchor: this.#lineAt(line).from } });
    this.markLines("shown", [{ line }]);
    this.view.focus();
    this.view.dispatch({ effects: EditorView.scrollIntoView(this.view.state.selection.main, { y: "center" }) });
  }

  /** Keeps the place where somebody types in view. */
  keepInView() {
    const { view } = this;
    if (view.hasFocus) view.dispatch({ effects: EditorView.scrollIntoView(view.state.selection.main, { yMargin: 20 }) });
  }

  scrollTo(line) {
    return EditorView.scrollIntoView(this.#lineAt(line).from, { y: "start", yMargin: 60 });
  }

  get line() {
    const { doc, selection } = this.view.state;
    return doc.lineAt(selection.main.head).number;
  }
}

/** What a quick fix is called. */
export function editName(edit) {
  const text = edit.text.trim();
  if (!text) return "Take it out";
  return `Write ${text.length > 40 ? `${text.slice(0, 39)}…` : text}`;
}

/** Listens to clicks on lines. */
export const onLine = (tell) =>
  EditorView.domEventHandlers({
    click(event, view) {
      const at = view.posAtCoords({ x: event.clientX, y: event.clientY });
      if (at !== null) tell(view.state.doc.lineAt(at).number);
      return false;
    },
  });

export const onKey = (key, run) => keymap.of([{ key, run: () => (run(), true) }]);

