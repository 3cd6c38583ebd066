// The panel that tells why a line did what it did.
import { el, get } from "./dom.js";
import { explanation } from "./why.js";

export class Reasons {
  /** The line that is explained, and whose view of the game it is explained in. */
  #line = null;
  #perspective = "referee";
  /** What had the keyboard before. */
  #before = null;

  /** `page.explains(line)` hears which line is explained, `page.open()` brings the panel to the front. */
  constructor(panel, page) {
    this.panel = panel;
    this.page = page;
    this.body = panel.querySelector(".body");
    get("close-why").addEventListener("click", () => this.close());
    panel.addEventListener("keydown", (event) => event.key === "Escape" && this.close());
  }

  /**
   * Explains a line of the transcript, or what was `said` on it, in one view of the game. With `stay`, a narrow screen keeps
   * showing the same pane.
   */
  async tell(line, { said = null, perspective = "referee", stay = false } = {}) {
    this.#line = line;
    this.#perspective = perspective;
    // Before the answer is awaited: meanwhile the keyboard may move into the panel.
    if (!this.panel.contains(document.activeElement)) this.#before = document.activeElement;
    const parts = line ? await this.#parts(said) : [el("p", {}, "This is said before anything of the transcript is read.")];
    if (!parts) return;
    if (!stay) this.page.open();
    this.panel.hidden = false;
    this.#show(parts);
    this.body.scrollTop = 0;
    this.body.querySelector(".meant")?.scrollIntoView({ block: "nearest" });
    this.page.explains(line);
  }

  /** Explains the same line again, after a change of the rules or the transcript, which has so many lines. */
  async again(lines) {
    if (this.panel.hidden || !this.#line) return;
    if (this.#line > lines) {
      this.close();
      return;
    }
    const parts = await this.#parts(null);
    if (parts) this.#show(parts);
  }

  /** Closes the panel; a keyboard that is there goes back to where it was. */
  close() {
    const wasThere = this.panel.contains(document.activeElement);
    this.panel.hidden = true;
    this.#line = null;
    if (wasThere) (this.#before?.isConnected ? this.#before : get("result")).focus();
  }

  #show(parts) {
    get("why-title").textContent = this.#line ? `Why: line ${this.#line} of the transcript` : "Why";
    this.body.replaceChildren(...parts);
  }

  /** The explanation; nothing if another was asked for since. */
  async #parts(said) {
    const line = this.#line;
    const told = await this.page.ask({ ask: "why", ...this.page.rules(), text: this.page.text(), line, perspective: this.#perspective }, { key: "why" });
    if (!told || this.#line !== line) return null;
    const head = said ? [el("p", { class: "said" }, said)] : [];
    if (told.told) return [...head, ...explanation(told.told, this.page.go, said)];
    if (told.failed) return [...head, el("pre", { class: "drawn", tabindex: "0" }, told.failed.drawn)];
    return [...head, el("p", { class: "drawn" }, told.stopped ?? "The rules are wrong.")];
  }
}
