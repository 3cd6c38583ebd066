// Compare: what two rule sets say of the transcript, and the first line that differs.
import { el } from "./dom.js";
import { explanation, only } from "./why.js";

const SHIPPED = " as shipped";

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

  #choices() {
    const { state } = this.page;
    const names = [state.game, ...this.page.variants().map((it) => `${state.game}+${it}`)];
    const present = [state.game, ...state.variants].join("+");
    const shipped = this.page.shipped();
    const edited = Object.entries(state.files).some(([file, text]) => shipped[file] !== undefined && shipped[file] !== text);
    const others = names.filter((it) => it !== present);
    return edited && shipped[`${state.game}.rules`] ? [present + SHIPPED, ...others] : others;
  }

  async refresh() {
    const { state } = this.page;
    const choices = this.#choices();
    this.select.replaceChildren(...choices.map((it) => el("option", { value: it }, it)));
    if (!choices.includes(this.#other)) [this.#other = null] = choices;
    if (this.#other === null) {
      this.told.replaceChildren(el("p", { class: "empty" }, "There is nothing to compare with: change a rule, or choose a variant."));
      return;
    }
    this.select.value = this.#other;
    const asShipped = this.#other.endsWith(SHIPPED);
    const game = asShipped ? this.#other.slice(0, -SHIPPED.length) : this.#other;
    const others = Object.entries(state.files).filter(([file]) => !asShipped || this.page.shipped()[file] === undefined);
    const { settings, form } = this.page.rules();
    const other = { files: Object.fromEntries(others), game, settings, form };
    const told = await this.page.ask({ ask: "compare", ...this.page.rules(), other, text: this.page.text() }, { key: "compare", limit: 12_000 });
    if (told) this.#draw(told);
  }

  #draw(told) {
    if (told.wrong || told.stopped) {
      const text = told.stopped ?? told.wrong.map((it) => it.message).join("\n");
      this.told.replaceChildren(el("pre", { class: "drawn" }, text));
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
