// Links and files that hold everything.

const toText = (bytes) => {
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
};

const toBytes = (text) =>
  Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));

/** How many bytes are unpacked at once: each may become a thousand. */
const PART = 4096;

/** Bytes part by part, each when it is wanted. */
function parts(bytes) {
  let from = 0;
  return new ReadableStream({
    pull(controller) {
      if (from >= bytes.length) controller.close();
      else controller.enqueue(bytes.subarray(from, (from += PART)));
    },
  });
}

/** The form of what is packed; another form gets another number. */
const VERSION = "1";

/** How many bytes it may have before it is packed. */
const MOST = 8_000_000;

const DAMAGED = "What the link holds is damaged: perhaps a part of it is missing.";

/** That something cannot be packed or unpacked, in words for the reader. */
export class Unpackable extends Error {}

/** Something as letters that an address may have. */
export async function packed(value) {
  const bytes = new TextEncoder().encode(JSON.stringify(value));
  if (bytes.length > MOST) throw new Unpackable("This is too much for a link or a file: more than 8 MB.");
  const packed = new Response(parts(bytes).pipeThrough(new CompressionStream("deflate-raw")));
  return VERSION + toText(new Uint8Array(await packed.arrayBuffer()));
}

/** The text that was packed. A short link can hold very much: no more is unpacked than may be. */
async function textOf(bytes) {
  const decoder = new TextDecoder();
  let [text, size] = ["", 0];
  for await (const part of chunks(parts(bytes).pipeThrough(new DecompressionStream("deflate-raw")))) {
    size += part.length;
    if (size > MOST) throw new Unpackable("The link holds too much: more than 8 MB.");
    text += decoder.decode(part, { stream: true });
  }
  return text;
}

/** The parts of a stream; not every browser goes through a stream by itself. */
async function* chunks(stream) {
  const reader = stream.getReader();
  try {
    for (let one = await reader.read(); !one.done; one = await reader.read()) yield one.value;
  } finally {
    reader.cancel().catch(() => {});
  }
}

const isText = (it) => typeof it === "string";
const isListOf = (is) => (it) => Array.isArray(it) && it.every(is);
const isObject = (it) => typeof it === "object" && it !== null && !Array.isArray(it);
const orNothing = (is) => (it) => it === undefined || it === null || is(it);

/** What each field must be. A link can come from anybody. */
const FIELDS = {
  game: isText,
  text: isText,
  variants: isListOf(isText),
  files: (it) => isObject(it) && Object.values(it).every(isText),
  settings: isListOf((it) => isListOf(isText)(it) && it.length === 2),
  form: orNothing(isText),
  expected: orNothing(isText),
};

/** What was packed. */
export async function unpacked(text) {
  let value;
  try {
    if (text.startsWith(VERSION)) value = JSON.parse(await textOf(toBytes(text.slice(1))));
  } catch (error) {
    if (error instanceof Unpackable) throw error;
  }
  const fields = Object.entries(FIELDS);
  if (!isObject(value) || !fields.every(([name, is]) => is(value[name]))) throw new Unpackable(DAMAGED);
  return Object.fromEntries(fields.map(([name]) => [name, value[name] ?? null]));
}
