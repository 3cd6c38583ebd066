// A form for an event that can be written, with fields for its parts.
import { el } from "./dom.js";

/** How many words a field offers as buttons. */
const MOST = 120;

/** The field of one hole; where a word of `likely` is among those it takes, that one is chosen. */
function field(hole, likely) {
  const { one_of: words, number } = typeof hole.takes === "object" ? hole.takes : {};
  const label = hole.several ? `${hole.name} (several)` : hole.name;
  if (words && !hole.several) {
    const all = hole.absent === null ? words : [...words, hole.absent];
    const input = el("select", {}, ...all.map((it) => el("option", { value: it, selected: it === likely }, it)));
    return { hole, input, label: el("label", {}, label, input) };
  }
  const hint = number && number.greatest < 10_000 ? `${number.least}–${number.greatest}` : words ? words.slice(0, 4).join(" ") : hole.type;
  const input = el("input", { placeholder: hint, autocomplete: "off", spellcheck: "false" });
  const add = (it) => {
    input.value = `${input.value} ${it}`.trim();
  };
  const offered = words && el("span", { class: "moves", role: "group", "aria-label": hole.name },
    ...words.slice(0, MOST).map((it) => el("button", { type: "button", onclick: () => add(it) }, it)));
  return { hole, input, label: el("label", {}, label, input), offered };
}

/** A button for what has no parts, else a form; `play(line)` hears of the line. */
export function pattern(one, likely, play) {
  const button = (attributes, text) => el("button", { "data-key": `play ${one.written}`, ...attributes }, text);
  if (one.holes.length === 0) return el("div", { class: "moves" }, button({ type: "button", onclick: () => play(one.written) }, one.written));
  const fields = one.holes.map((hole) => field(hole, likely));
  const send = (event) => {
    event.preventDefault();
    let line = one.written;
    for (const { hole, input } of fields) {
      line = line.replace(new RegExp(`<${hole.name}( or [^>]*| \\.\\.\\.)?( or [^>]*)?>`), () => input.value.trim());
    }
    play(line.trim());
  };
  return el("form", { class: "pattern", onsubmit: send, "aria-label": one.written },
    el("code", {}, one.event ?? one.written), ...fields.map((it) => it.label), button({ type: "submit" }, "Play"), ...fields.map((it) => it.offered));
}
