/** An element with attributes, listeners (`onclick`) and children. */
export function el(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (value === true) element.setAttribute(key, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(key, value);
  }
  element.append(...children.flat().filter((it) => it !== null && it !== undefined && it !== false));
  return element;
}

export const get = (id) => document.getElementById(id);

/** The Markdown that hovers are written in: code, paragraphs and rules. */
export function markdown(text) {
  const box = el("div", { class: "tip" });
  for (const part of text.split(/```/)) {
    const code = /^referee\n/.test(part);
    if (code) {
      box.append(el("pre", {}, part.replace(/^referee\n/, "").trimEnd()));
      continue;
    }
    for (const paragraph of part.split(/\n\n+/).map((it) => it.trim()).filter(Boolean)) {
      if (paragraph === "---") {
        box.append(el("hr"));
        continue;
      }
      const pieces = paragraph.split("`").map((it, at) => (at % 2 ? el("code", {}, it) : it));
      box.append(el("p", {}, ...pieces));
    }
  }
  return box;
}
