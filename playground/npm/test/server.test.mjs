// The example: a server that takes no move that the rules do not allow.
import assert from "node:assert/strict";
import { once } from "node:events";
import { after, before, test } from "node:test";
import { server } from "../example/server.js";

const running = server();
let address;
before(async () => {
  running.listen(0, "127.0.0.1");
  await once(running, "listening");
  address = `http://127.0.0.1:${running.address().port}`;
});
after(() => running.close());

async function ask(method, path, data) {
  const response = await fetch(address + path, { method, body: data && JSON.stringify(data) });
  return [response.status, await response.json()];
}

test("moves are taken in turn, and others refused with the reason", async () => {
  const [made, table] = await ask("POST", "/tables", { game: "nim", begin: "1\nAnn Ben\n3" });
  assert.equal(made, 201);
  assert.deepEqual(table.deciders, [{ seat: "Ann" }]);
  assert.deepEqual(table.moves.map((it) => it.written), ["Ann 1 from 1", "Ann 2 from 1", "Ann 3 from 1"]);
  const at = `/tables/${table.table}`;
  const [refused, wrong] = await ask("POST", `${at}/moves`, { line: "Ann 4 from 1" });
  assert.equal(refused, 422);
  assert.equal(wrong.error, "heap 1 has only 3");
  const [notTheirs] = await ask("POST", `${at}/moves`, { line: "Ann 1 from 1", seat: "Ben" });
  assert.equal(notTheirs, 403);
  const [taken, after] = await ask("POST", `${at}/moves`, { line: "Ann 1 from 1", seat: "Ann" });
  assert.deepEqual([taken, after.said], [200, "Ann leaves 2\n"]);
  assert.deepEqual(after.deciders, [{ seat: "Ben" }]);
  const [, back] = await ask("DELETE", `${at}/moves`);
  assert.equal(back.undone, "Ann 1 from 1\n");
  const [seen, now] = await ask("GET", at);
  assert.deepEqual([seen, now.moves.length], [200, 3]);
});

test("tables are apart from each other", async () => {
  const begin = { game: "connect-four", begin: "1\nAnn Ben" };
  const [[, one], [, other]] = await Promise.all([ask("POST", "/tables", begin), ask("POST", "/tables", begin)]);
  await ask("POST", `/tables/${one.table}/moves`, { line: "4" });
  const [, still] = await ask("GET", `/tables/${other.table}`);
  assert.deepEqual(still.state, other.state);
});

test("what makes no sense is answered all the same", async () => {
  const statuses = await Promise.all([
    ask("POST", "/tables", { game: "snoker" }),
    ask("POST", "/tables", { game: 4 }),
    ask("POST", "/tables", "nim"),
    ask("GET", "/tables"),
    ask("GET", "/tables/99"),
    ask("GET", "/"),
    ask("POST", "/tables", { game: "nim", begin: "1\nAnn Ben\nmany\n" }),
    ask("POST", "/tables", { game: "nim", begin: "x".repeat(100_000) }),
  ]);
  assert.deepEqual(statuses.map(([status]) => status), [404, 400, 400, 405, 404, 404, 422, 400]);
});
