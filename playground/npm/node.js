// For Node: the WebAssembly is read from the package.
import { readFileSync } from "node:fs";
import { api } from "./core.js";

const module = new WebAssembly.Module(readFileSync(new URL("./referee.wasm", import.meta.url)));

export const {
  games, load, check, format, diff, Game, Session, RefereeError, UsageError, RulesError, TranscriptError, BoundError,
} = api(module);
