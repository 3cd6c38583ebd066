// The page in a real browser, without a network.
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

export const here = dirname(fileURLToPath(import.meta.url));
const address = pathToFileURL(join(here, "../dist/index.html")).href;
const places = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
export const executable = places.find((it) => it && existsSync(it));

export const browser = executable && (await chromium.launch({
  executablePath: executable,
  args: ["--no-sandbox", "--disable-dev-shm-usage"],
}));

/** Opens the page in a window of its own; `requests` are all that it asks the network for, `errors` what it complains of. */
export async function open({ hash = "", ...options } = {}) {
  const context = await browser.newContext({ offline: true, ...options });
  const page = await context.newPage();
  const requests = [];
  const errors = [];
  page.on("request", (it) => {
    if (!/^(file|blob|data):/.test(it.url())) requests.push(it.url());
  });
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("console", (it) => it.type() === "error" && errors.push(it.text()));
  await page.goto(address + hash);
  await page.waitForFunction(() => window.playground);
  return { page, requests, errors, close: () => context.close() };
}
