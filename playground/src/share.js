// Links and files that hold everything.

const toText = (bytes) => {
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
};

const toBytes = (text) =>
  Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));

const through = (bytes, stream) => new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer();

/** The form of what is packed; another form gets another number. */
const VERSION = "1";

/** Something as letters that an address may have. */
export async function packed(value) {
  const bytes = new TextEncoder().encode(JSON.stringify(value));
  return VERSION + toText(new Uint8Array(await through(bytes, new CompressionStream("deflate-raw"))));
}

/** What was packed; nothing where it is damaged. */
export async function unpacked(text) {
  if (!text.startsWith(VERSION)) return null;
  try {
    const bytes = await through(toBytes(text.slice(1)), new DecompressionStream("deflate-raw"));
    const value = JSON.parse(new TextDecoder().decode(bytes));
    const sound = typeof value.game === "string" && typeof value.text === "string" && typeof value.files === "object";
    return sound ? value : null;
  } catch {
    return null;
  }
}
