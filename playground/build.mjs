// Builds the page: one file, dist/index.html, that requests nothing. Puts the WebAssembly into the package, too.
//
// `--keep` takes the WebAssembly that was built last.
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const target = join(here, "../target/playground");
const library = "wasm32-unknown-unknown";

/** The most that the page may weigh, compressed. */
const HEAVIEST = 1_500_000;

/** Inlines a function only if its body is hardly longer than the call: the page is 50 kB lighter, and as fast. */
const SMALL = { CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS: "-Cllvm-args=--inline-threshold=5" };

function webAssembly() {
  if (!process.argv.includes("--keep")) {
    const manifest = join(here, "wasm/Cargo.toml");
    const place = ["--manifest-path", manifest, "--target-dir", target, "--target", library];
    const env = { ...process.env, ...SMALL };
    execFileSync("cargo", ["build", "--locked", "--release", ...place], { stdio: "inherit", env });
  }
  return readFileSync(join(target, library, "release/referee_playground.wasm"));
}

/** The transcript that each game and variant begins with, from the cases of the tests. */
function starters() {
  const chosen = JSON.parse(readFileSync(join(here, "starters.json"), "utf8"));
  const told = {};
  for (const [game, path] of Object.entries(chosen)) {
    const [folder] = path.split("/");
    const [name, ...settings] = folder.split(",");
    const [, form] = name.split(".");
    const text = readFileSync(join(here, "../tests/transcripts", `${path}.txt`), "utf8");
    told[game] = { text, form: form ?? null, settings: settings.map((it) => it.split("=")) };
  }
  return told;
}

async function script(entry, define = {}) {
  const built = await build({
    entryPoints: [join(here, "src", entry)],
    bundle: true,
    minify: true,
    format: "iife",
    target: "es2022",
    charset: "utf8",
    legalComments: "none",
    write: false,
    define,
  });
  return built.outputFiles[0].text;
}

/** What the JavaScript package has besides its own files. */
function fillPackage(wasm) {
  writeFileSync(join(here, "npm/referee.wasm"), wasm);
  for (const name of ["LICENSE-APACHE", "LICENSE-MIT"]) copyFileSync(join(here, "..", name), join(here, "npm", name));
}

const wasm = webAssembly();
fillPackage(wasm);
const worker = await script("worker.js");
const main = await script("main.js", {
  WORKER: JSON.stringify(worker),
  STARTERS: JSON.stringify(starters()),
});
const parts = {
  style: readFileSync(join(here, "src/style.css"), "utf8"),
  wasm: gzipSync(wasm, { level: 9 }).toString("base64"),
  main: main.replaceAll("</script", "<\\/script"),
};
const page = readFileSync(join(here, "src/index.html"), "utf8");
const whole = page.replace(/<!--(\w+)-->/g, (_, part) => parts[part]);
mkdirSync(join(here, "dist"), { recursive: true });
writeFileSync(join(here, "dist/index.html"), whole);

const weight = gzipSync(whole, { level: 9 }).length;
console.log(`dist/index.html: ${whole.length} characters, ${weight} bytes compressed`);
if (weight > HEAVIEST) {
  console.error(`That is more than ${HEAVIEST}.`);
  process.exit(1);
}
