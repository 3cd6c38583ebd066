// Explanations: what happened on a line, and the rows behind it.
import { el } from "./dom.js";

const shown = (value) => {
  if (value === "") return "nothing";
  const words = value.split(" ");
  return words.length > 18 ? `${words.slice(0, 16).join(" ")} … (${words.length} in all)` : value;
};

/** How many parts of a list are shown. */
const MOST = 100;

/** A list, of which each part is a text, an element, or several of these. */
function list(parts) {
  if (parts.length === 0) return null;
  const items = parts.slice(0, MOST).map((part) => el("li", {}, ...[part].flat()));
  const more = parts.length > MOST && el("li", {}, `and ${parts.length - MOST} more`);
  return el("ul", {}, ...items, more);
}

/** The button of a row, and what decided it. `go(file, line)` shows the row. */
function because(cause, go) {
  const name = [cause.row, `${cause.file}:${cause.at}`].filter(Boolean).join(" · ");
  const told = new Set(cause.facts.map((fact) => fact.name));
  const values = cause.values.filter((it) => !told.has(it.name)).map((it) => `${it.name} = ${shown(it.value)}`);
  const written = [cause.written].flat().filter(Boolean).join(", ");
  return [
    " ",
    el("button", { type: "button", class: "row", title: "Show this row", onclick: () => go(cause.file, cause.at) }, name),
    written && " ",
    written && el("code", {}, written),
    values.length > 0 && ` (${values.join(", ")})`,
  ];
}

function caused(head, causes, go) {
  const [first, ...others] = causes;
  if (!first) return [head];
  const more = others.map((it) => ["and", ...because(it, go)]);
  const facts = causes.flatMap((it) => it.facts).map((it) => fact(it, go));
  return [head, ...because(first, go), list([...more, ...facts])].filter(Boolean);
}

function fact(told, go) {
  const head = told.value === null ? told.name : `${told.name} = ${shown(told.value)}`;
  return caused(head, told.causes, go);
}

const FAILED = {
  condition: (it) => `needs ${it.written}`,
  value: (it) => (it.written ? `is ${it.written}` : "gives what it was before"),
  empty: (it) => `there is nothing in ${it.written}`,
  earlier: (it) => `${it.failed.row} comes first`,
  field: (it) => `no ${it.failed.field}: ${it.written} is none`,
  guard: (it) => `${it.failed.event} can come only ${it.written}`,
};

function unfired(told, go) {
  const reason = FAILED[told.failed.kind]?.(told) ?? told.written;
  return [...because({ ...told, written: [] }, go), " ", reason, list(told.facts.map((it) => fact(it, go)))].filter(Boolean);
}

function change(effect) {
  if (!effect.collection) {
    if (effect.old === null || effect.new === null) return `${effect.name} changes`;
    return `${effect.name}: ${shown(effect.old)} → ${shown(effect.new)}`;
  }
  const parts = [];
  if (effect.gains.length) parts.push(`gains ${effect.gains.join(" ")}`);
  if (effect.loses.length) parts.push(`loses ${effect.loses.join(" ")}`);
  if (effect.new === "") parts.push("nothing is left");
  return `${effect.name}: ${parts.join(", ") || "is in another order"}`;
}

function effect(told, go) {
  switch (told.kind) {
    case "said":
      return caused(`said “${told.text}”`, [told.cause], go);
    case "impossible":
      return caused(`impossible: ${told.text}`, [told.cause], go);
    case "refused":
      return fact({ ...told.fact, name: `refused by ${told.fact.name}` }, go);
    case "restarted":
      return fact({ ...told.fact, name: "the game begins again", value: null }, go);
    case "over":
      return fact({ ...told.fact, name: "the game is over", value: null }, go);
    default:
      return caused(change(told), told.causes, go);
  }
}

function head(event) {
  const fields = event.fields.map((it) => `${it.name} ${shown(it.value)}`).join(", ");
  const name = fields ? `${event.event} (${fields})` : event.event;
  if (event.words !== null) return event.words;
  if (event.by.kind === "policy") return `${event.by.name} chooses ${name}`;
  if (event.by.kind === "lot") return `the lot falls on ${name}`;
  if (event.by.kind === "follows") return `then ${name}`;
  return event.event === "start" ? "the game starts" : name;
}

/** Whether an event said a line of the report, or a part of it. */
const says = (event, said) => event.effects.some((it) => it.kind === "said" && it.text !== "" && said.includes(it.text));

function event(told, go, meant) {
  const chosen = told.by.decision;
  const effects = told.effects.map((it) => effect(it, go));
  const beside = told.beside.map((it) => `possible if ${it.field} were ${it.value ?? "another"}: ${it.words}`);
  if (told.may_come.length) beside.push(`possible instead: ${told.may_come.join(", ")}`);
  return [
    el("h3", { class: meant && "meant" }, head(told)),
    chosen && el("p", {}, "chosen by", ...because(chosen.chosen, go)),
    ...told.sentences.map((it) => el("p", { class: "sentence" }, it)),
    list(effects) ?? el("p", {}, "Nothing is said, and nothing changes."),
    told.asked && list(told.asked.unfired.map((it) => unfired(it, go))),
    list(beside),
  ].filter(Boolean);
}

/** The events of an explanation that said a line; all where none did. */
export function only(told, said) {
  const events = told.events.filter((it) => said !== null && says(it, said));
  return events.length ? { ...told, events: events.slice(-1) } : { ...told, events: told.events.slice(-2) };
}

/** An explanation as elements. Of several events that one is marked which said the line `said`. */
export function explanation(told, go, said = null) {
  const parts = [];
  if (told.read.length) {
    const nothing = told.events.length === 0 && !told.stopped ? "; nothing is decided on it" : "";
    parts.push(el("p", {}, `Line ${told.line} is read as ${told.read.join(", ")}${nothing}.`));
  }
  const meant = said === null || told.events.length < 3 ? null : told.events.findLast((it) => says(it, said));
  parts.push(...told.events.flatMap((it) => event(it, go, it === meant)));
  if (told.stopped) {
    const { words, message, notes, helps, meant } = told.stopped;
    parts.push(el("h3", { class: "error" }, words.trim()), el("p", {}, message));
    parts.push(list([...notes, ...helps]), meant.length ? el("p", {}, `It could be ${meant.join(" or ")}.`) : null);
  }
  return parts.filter(Boolean);
}
