// For browsers, workers and what bundles for them: the WebAssembly is fetched from beside this file.
import { api } from "./core.js";

const module = await WebAssembly.compileStreaming(fetch(new URL("./referee.wasm", import.meta.url)));

export const {
  games, load, check, format, diff, Game, Session, RefereeError, UsageError, RulesError, TranscriptError, BoundError,
} = api(module);
