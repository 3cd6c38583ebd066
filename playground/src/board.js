// A state on a grid as a board: its squares, their names at the edges, and which of them can be clicked.
import { el } from "./dom.js";

const letters = /[\p{L}\p{N}]/u;

/** A square as moves write it. */
export const written = (square) => square.replaceAll(",", " ");

/** Whether a move names a square, and where in its text: `e2` is in `e2e4`, `16,4` in `16 4`. */
export function placeOf(square, move) {
  const name = written(square);
  for (let at = move.indexOf(name); at >= 0; at = move.indexOf(name, at + 1)) {
    const before = move[at - 1] ?? " ";
    const after = move[at + name.length] ?? " ";
    const starts = !letters.test(before) || (/\d/.test(before) && /\D/.test(name[0]));
    const ends = !letters.test(after) || (/\D/.test(after) && /\d/.test(name.at(-1)));
    if (starts && ends) return at;
  }
  return -1;
}

/** What stands at the edges: the parts of the squares' names that a row has in common, and those that a column has. */
function edges({ rows }) {
  const partsOf = (name) => (name.split(",").length === 2 ? name.split(",") : name.match(/\p{L}+|\d+/gu) ?? []);
  const parts = rows.map((row) => row.map(({ name }) => partsOf(name)));
  const [first] = parts;
  if (!first?.length || parts.some((row) => row.length !== first.length || row.some((it) => it.length !== 2))) return null;
  const down = [0, 1].find((part) =>
    parts.every((row) => row.every((it, right) => it[part] === row[0][part] && it[1 - part] === first[right][1 - part])));
  return down === undefined ? null : { down: parts.map((row) => row[0][down]), right: first.map((it) => it[1 - down]) };
}

/** All that the only hole of a pattern takes. */
function taken({ holes }) {
  const takes = holes.length === 1 && holes[0].takes;
  if (takes.one_of) return takes.one_of;
  const { least, greatest } = takes.number ?? { least: 0, greatest: -1 };
  return greatest - least < 100 ? Array.from({ length: greatest - least + 1 }, (_, at) => String(least + at)) : [];
}

/** The edge whose names are what the moves take: a column in which something falls. Nothing where it could be either. */
function edgeOfMoves(at, expected) {
  const all = expected.map((it) => taken(it).toSorted().join("\n"));
  const is = (edge) => all.includes(at[edge].toSorted().join("\n"));
  const found = ["down", "right"].filter(is);
  return found.length === 1 ? found[0] : null;
}

/** A map of numbers, as it is written, as a board: where each key has two parts, and each pair of them is a key. */
export function boardOf(state, text) {
  const entries = text.split(", ").map((it) => it.match(/^([^,:]+),([^,:]+): (-?\d+)$/));
  if (!entries.every(Boolean)) return null;
  const [down, right] = [1, 2].map((part) => [...new Set(entries.map((it) => it[part]))]);
  if (down.length < 2 || right.length < 2 || down.length * right.length !== entries.length) return null;
  const values = new Map(entries.map(([, row, column, value]) => [`${row},${column}`, value]));
  return { state, rows: down.map((row) => right.map((column) => `${row},${column}`).map((name) => ({ name, value: values.get(name) ?? null }))) };
}

/**
 * For each square the moves that name it, or that name its row or column where moves name none. Where the rows are those of
 * players, only the row of whose turn it is can be played in.
 */
export function movesBySquare(board, moves, expected, turn) {
  const squares = board.rows.flat().map(({ name }) => [name, moves.filter((it) => placeOf(name, it) >= 0)]);
  const by = new Map(squares);
  const at = edges(board);
  const edge = at && moves.length > 0 && squares.every(([, its]) => its.length === 0) && edgeOfMoves(at, expected);
  if (!edge) return by;
  board.rows.forEach((row, down) => row.forEach(({ name }, right) => {
    const label = at[edge][edge === "down" ? down : right];
    const isOthers = edge === "right" && at.down.includes(turn) && at.down[down] !== turn;
    by.set(name, isOthers ? [] : moves.filter((it) => it === label));
  }));
  return by;
}

const paint = document.createElement("canvas").getContext("2d");

/** The colour that a name is, with one for signs on it; nothing where it is none. */
function colourOf(name) {
  const none = "#010203";
  paint.fillStyle = none;
  paint.fillStyle = name;
  if (!/^#/.test(paint.fillStyle) || paint.fillStyle === none) return null;
  const [red, green, blue] = paint.fillStyle.match(/\w\w/g).map((it) => (parseInt(it, 16) / 255) ** 2.2);
  const light = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  return `background:${paint.fillStyle};color:${light > 0.18 ? "#000" : "#fff"}`;
}

/** What stands on a square: the rules' own sign, or else letters; in the colour of its owner, the first part of its value. */
function piece(value, sign, owners) {
  if (/^-?\d+$/.test(value)) {
    const text = sign ?? value;
    return el("span", { class: "number", style: `font-size:${Math.min(100, Math.round(350 / text.length))}%` }, text);
  }
  const [owner, ...rest] = value.split(/[,: ]/);
  // Those who play come first, in their order, whether or not they have something on the board.
  if (!owners.includes(owner)) owners.push(owner);
  const text = sign ? sign : rest.length ? rest.join("").slice(0, 2) : owner.length <= 2 ? owner : owner.slice(0, 1);
  return el("span", { class: `piece p${owners.indexOf(owner) % 4}`, style: colourOf(owner), "data-text": text });
}

/**
 * The board as a table. `by` has the moves of each square, `from` is the square that was clicked first, and `click(name)`
 * hears of clicks.
 */
export function boardTable(board, { by, from, owners, click }) {
  const at = edges(board);
  const isPlayed = [...by.values()].some((it) => it.length > 0);
  const square = ({ name, value, sign }, isFirst) => {
    const here = by.get(name);
    const can = from ? from !== name && here.some((it) => placeOf(from, it) >= 0) : here.length > 0;
    const label = `${name}: ${value ?? "empty"}${can ? ", possible" : ""}`;
    const shown = value === null ? "" : piece(value, sign, owners);
    if (!isPlayed) return el("span", { class: "square", role: "img", "aria-label": label, title: label }, shown);
    const classes = ["square", can && "can", from === name && "from"].filter(Boolean).join(" ");
    return el("button", { type: "button", class: classes, "aria-label": label, title: label, "data-key": `${board.state} ${name}`,
      tabindex: isFirst ? "0" : "-1", onclick: () => click(name) }, shown);
  };
  const top = at && el("thead", {}, el("tr", {}, el("td"), ...at.right.map((it) => el("th", { scope: "col" }, it))));
  const rows = board.rows.map((row, down) =>
    el("tr", {}, at && el("th", { scope: "row" }, at.down[down]), ...row.map((one, right) =>
      el("td", { class: (down + right) % 2 ? "odd" : "" }, square(one, down === 0 && right === 0)))));
  const columns = (board.rows[0]?.length ?? 0) + (at ? 1 : 0);
  return el("table", { class: "board", style: `--columns:${columns}`, "aria-label": board.state, onkeydown: walk }, top, el("tbody", {}, ...rows));
}

/** A board in its place. Where it is wider than that, it says so, and arrow keys move it. */
export function framed(table) {
  const box = el("div", { class: "boardbox" }, table);
  const hint = el("p", { class: "empty", hidden: true }, "The board is wider than this: scroll it sideways.");
  requestAnimationFrame(() => (hint.hidden = box.scrollWidth <= box.clientWidth));
  return [box, hint];
}

/** Arrow keys, from square to square. */
function walk(event) {
  const step = { ArrowDown: [1, 0], ArrowUp: [-1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
  const cell = event.target.closest("td");
  if (!step || !cell) return;
  const row = cell.parentElement;
  const next = row.parentElement.children[row.sectionRowIndex + step[0]]?.children[cell.cellIndex + step[1]]?.querySelector("button");
  if (!next) return;
  event.preventDefault();
  event.target.tabIndex = -1;
  next.tabIndex = 0;
  next.focus();
}
