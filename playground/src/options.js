// The options of the game, each with a field for its value.
import { el } from "./dom.js";

const NAME = "[\\p{L}_][\\p{L}\\p{N}_-]*";
const OPTION = new RegExp(`^[ \\t]*option[ \\t]+(${NAME})`, "gmu");
const WITH = new RegExp(`^[ \\t]*variant[ \\t]+${NAME}[ \\t]+of[ \\t]+${NAME}[ \\t]+with[ \\t]+(${NAME}(?:,[ \\t]*${NAME})*)`, "mu");

/**
 * The settings of which a game with its variants has the options, for when the game itself cannot be asked.
 * `textOf(file)` gives the text of a rule file.
 */
export function settingsOf(name, settings, textOf) {
  const [game, ...variants] = name.split("+");
  const texts = [textOf(`${game}.rules`)];
  const open = new Set(variants);
  // A variant brings those that it is made with.
  for (const variant of open) {
    const text = textOf(`${game}/${variant}.rules`);
    texts.push(text);
    for (const other of text.match(WITH)?.[1].split(/,[ \t]*/) ?? []) open.add(other);
  }
  const declared = new Set(texts.flatMap((text) => [...text.matchAll(OPTION)].map((it) => it[1])));
  return settings.filter(([option]) => declared.has(option));
}

export class Options {
  #inputs = new Map();
  #known = [];

  /** `page.set(name, value)` gives an option a value, or its usual one where that is nothing. */
  constructor(details, page) {
    this.details = details;
    this.page = page;
  }

  /** The options of the game; those that have a value, where the game cannot be had. */
  show(options, settings) {
    if (options) this.#known = options;
    const known = new Map(this.#known.map((it) => [it.name, it]));
    const shown = options ?? settings.map(([name, value]) => ({ ...known.get(name), name, value }));
    this.details.hidden = shown.length === 0;
    const names = shown.map((it) => it.name);
    if (names.join() !== [...this.#inputs.keys()].join()) this.#make(shown);
    for (const { name, value } of shown) {
      const input = this.#inputs.get(name);
      if (input !== document.activeElement) input.value = value;
    }
  }

  /** The keyboard goes to the field of an option. */
  focus(name) {
    this.details.open = true;
    this.#inputs.get(name)?.focus();
  }

  #make(shown) {
    const inputs = shown.map(({ name, type, meaning, default: usual }) => [name, el("input", {
      "aria-description": [type, meaning].filter(Boolean).join(": ") || null,
      onchange: ({ target }) => {
        const value = target.value.trim();
        this.page.set(name, value === usual ? "" : value);
      },
    })]);
    this.#inputs = new Map(inputs);
    const labels = shown.map(({ name, meaning }, at) => el("label", { title: meaning }, name, inputs[at][1]));
    this.details.querySelector(".options").replaceChildren(...labels);
  }
}
