// Compare: what two rule sets say of the transcript, and the first line that differs.
import { el } from "./dom.js";
import { settingsOf } from "./options.js";
import { explanation, only } from "./why.js";

const SHIPPED = " as shipped";
const USUAL = " with the usual options";

const isSame = (one, other) => {
  const all = (settings) => JSON.stringify([...settings].sort());
  return all(one) === all(other);
};

export class Compare {
  #other = null;

  constructor(panel, page) {
    this.panel = panel;
    this.page = page;
    this.select = el("select", { onchange: () => {
      this.#other = this.select.value;
      this.refresh();
    } });
    this.told = el("div", { "aria-live": "polite" });
    panel.append(el("h2", { class: "unseen" }, "Compare"), el("div", { class: "bar" }, el("label", {}, "Compare with ", this.select)), this.told);
  }

  reset() {
    this.#other = null;
    if (!this.panel.hidden) this.refresh();
  }

  /** The rule sets to compare with, each as its name and how it differs from the question about the present one. */
  #choices() {
    const { state, shipped } = this.page;
    const { files, settings } = this.page.rules();
    const present = [state.game, ...state.variants].join("+");
    const choices = new Map();
    const isShipped = Object.keys(files).every((file) => shipped.has(file));
    const starter = this.page.starter().settings;
    const isChanged = Object.entries(files).some(([file, text]) => shipped.get(file) !== text);
    if (isShipped && (isChanged || !isSame(settings, starter))) choices.set(present + SHIPPED, { game: present, files: {}, settings: starter });
    if (!isShipped && settings.length) choices.set(present + USUAL, { game: present, settings: [] });
    for (const game of [state.game, ...this.page.variants().map((it) => `${state.game}+${it}`)]) {
      if (game !== present) choices.set(game, { game, settings: settingsOf(game, settings, this.page.textOf) });
    }
    return choices;
  }

  async refresh() {
    const choices = this.#choices();
    this.select.replaceChildren(...[...choices.keys()].map((it) => el("option", { value: it }, it)));
    if (!choices.has(this.#other)) [this.#other = null] = choices.keys();
    if (this.#other === null) {
      this.told.replaceChildren(el("p", { class: "empty" }, "There is nothing to compare with: change a rule or an option, or choose a variant."));
      return;
    }
    this.select.value = this.#other;
    const other = { ...this.page.rules(), ...choices.get(this.#other) };
    const told = await this.page.ask({ ask: "compare", ...this.page.rules(), other, text: this.page.text() }, { key: "compare", limit: 12_000 });
    if (told) this.#draw(told);
  }

  #draw(told) {
    if (told.wrong || told.stopped) {
      const text = told.stopped ?? told.wrong.map((it) => it.message).join("\n");
      this.told.replaceChildren(el("p", { class: "drawn" }, text));
      return;
    }
    if (told.same !== undefined) {
      this.told.replaceChildren(el("p", {}, `Both say the same of this transcript, in ${told.same} lines.`));
      return;
    }
    const { state } = this.page;
    const row = ({ row }) => (row
      ? el("p", {}, "Row ", el("button", { type: "button", class: "row", title: "Show this row", onclick: () => this.page.go(row.file, row.line) },
        `${row.name} · ${row.file}:${row.line}`), row.cites && ` (${row.cites})`)
      : told.cause && el("p", { class: "empty" }, "No row of it fires here."));
    const side = (name, one, value) => el("div", {},
      el("h3", {}, name),
      el("p", { class: "said" }, one.said ?? "(nothing more)"),
      told.option && el("p", {}, `option ${told.option.name} = ${value}`),
      row(one),
      ...(one.why ? explanation(only(one.why, one.said), this.page.go) : []));
    const cause = told.option ? `option ${told.option.name}` : told.cause;
    const line = told.line ? `, at line ${told.line} of the transcript` : "";
    this.told.replaceChildren(
      el("p", { class: "sentence" }, `Line ${told.first} of the report differs${line}.`),
      el("p", { class: "cause" }, cause ? `What makes the difference: ${cause}` : "No row makes the difference."),
      el("div", { class: "sides" }, side([state.game, ...state.variants].join("+"), told.one, told.option?.one), side(this.#other, told.other, told.option?.other)));
    if (told.line) this.page.line(told.line);
  }
}
