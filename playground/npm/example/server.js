// A small server at which games are played: it takes no move that the rules do not allow, and says why.
//
//   node example/server.js          then   curl -d '{"game": "connect-four", "begin": "1\nAnn Ben"}' localhost:8080/tables
//
// POST /tables            {"game", "options"?, "begin"?}    201 {"table", …}: the transcript's first lines, and how it stands
// GET  /tables/1                                            200 how it stands, and what is possible
// POST /tables/1/moves    {"line", "seat"?}                 200 {"said", …}, or 422 {"error", "why"}: nothing has changed
// DELETE /tables/1/moves                                    200 the last line is taken back
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import { BoundError, RefereeError, TranscriptError, UsageError, load } from "referee";

/** How long a question may be, in bytes. */
const LONGEST = 64_000;

/** How many tables there may be; the oldest is cleared for a new one. */
const TABLES = 1000;

async function body(request) {
  const parts = [];
  let length = 0;
  for await (const part of request) {
    length += part.length;
    if (length > LONGEST) throw new SyntaxError("that is too long");
    parts.push(part);
  }
  const told = JSON.parse(Buffer.concat(parts).toString("utf8") || "{}");
  if (typeof told !== "object" || told === null) throw new SyntaxError("an object is needed");
  return told;
}

/** How a game stands, for whoever looks at it. */
function stands(session) {
  const { stage } = session;
  const moves = stage === "playing" ? session.moves().moves : [];
  return {
    stage,
    state: session.state(),
    deciders: stage === "playing" ? session.deciders() : [],
    moves: moves.map(({ written, by }) => ({ written, by })),
    outcome: session.outcome,
  };
}

/** A server with no tables yet; `load` may be another that knows more games. */
export function server(loaded = load) {
  const games = new Map();
  const tables = new Map();
  let last = 0;

  const gameOf = (name, options = {}) => {
    const key = JSON.stringify([name, options]);
    if (!games.has(key)) games.set(key, loaded(name, { options }));
    return games.get(key);
  };

  function begin({ game, options, begin = "" }) {
    if (typeof game !== "string") throw new SyntaxError("say which game: {\"game\": \"nim\"}");
    const session = gameOf(game, options).session();
    const said = begin ? session.feed(begin) : "";
    last += 1;
    tables.set(last, session);
    if (tables.size > TABLES) {
      const [oldest] = tables.keys();
      tables.get(oldest).close();
      tables.delete(oldest);
    }
    return [201, { table: last, said, ...stands(session) }];
  }

  function move(session, { line, seat }) {
    if (typeof line !== "string" || line.includes("\n")) throw new SyntaxError("say one move: {\"line\": \"…\"}");
    if (seat !== undefined) {
      const may = session.deciders().some((it) => it.seat === seat);
      if (!may) return [403, { error: `it is not ${seat}'s turn` }];
    }
    try {
      const said = session.feed(line);
      return [200, { said, ...stands(session) }];
    } catch (error) {
      if (!(error instanceof TranscriptError)) throw error;
      return [422, { error: error.message, why: error.text }];
    }
  }

  async function answer(request) {
    const { pathname } = new URL(request.url, "http://localhost");
    const [, part, number, rest] = pathname.split("/");
    if (part !== "tables") return [404, { error: "there are only tables here" }];
    if (number === undefined) return request.method === "POST" ? begin(await body(request)) : [405, { error: "POST a game" }];
    const session = tables.get(Number(number));
    if (!session) return [404, { error: "there is no such table" }];
    const asked = `${request.method} ${rest ?? ""}`.trim();
    if (asked === "GET") return [200, stands(session)];
    if (asked === "POST moves") return move(session, await body(request));
    if (asked === "DELETE moves") return [200, { undone: session.undo(), ...stands(session) }];
    return [405, { error: "that cannot be done here" }];
  }

  function failed(error) {
    if (error instanceof SyntaxError) return [400, { error: error.message }];
    if (error instanceof UsageError) return [404, { error: error.message }];
    if (error instanceof BoundError) return [503, { error: error.message }];
    if (error instanceof RefereeError) return [422, { error: error.message, why: error.text }];
    throw error;
  }

  return createServer(async (request, response) => {
    let told;
    try {
      told = await answer(request).catch(failed);
    } catch (error) {
      console.error(error);
      told = [500, { error: "something went wrong here" }];
    }
    const [status, data] = told;
    response.writeHead(status, { "content-type": "application/json; charset=utf-8" });
    response.end(`${JSON.stringify(data)}\n`);
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const port = Number(process.env.PORT ?? 8080);
  server().listen(port, () => console.log(`http://localhost:${port}/tables`));
}
