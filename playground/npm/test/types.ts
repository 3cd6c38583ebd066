// What people write with the types: it must compile, and what is marked must not.
import {
  type Difference, type Hand, type Move, type Shipped, BoundError, Game, RefereeError, Session, check, diff, format, games, load,
} from "referee";

const shipped: Shipped[] = games();
const game: Game = load(shipped[0]!.name, { options: { red_balls: 6, quick: true }, limits: { events: 1000 } });
const report: string = game.run("1\n");
const lines: number[] = game.report("1\n", { form: "moves" }).map((it) => it.line);

const session: Session = game.session({ transcript: "1\n" });
const stage: "between" | "playing" | "complete" = session.stage;
for (const move of session.moves({ illegal: true }).moves) {
  const refusal: string | null = move.verdict === "legal" ? null : move.says;
  const seat: string | null = typeof move.by === "object" ? move.by.seat : null;
  void [refusal, seat];
}
const legal = (move: Move) => move.verdict === "legal";
const hands: Hand[] = session.hands();
const said: string = session.feed("1");
const why: string = session.why(1, { not: "foul" }).text;
const apart: Difference | null = diff(game, load("nim"), "1\n");

try {
  format("game mine");
} catch (error) {
  if (error instanceof BoundError) void error.diagnostics[0]?.helps.join();
  if (error instanceof RefereeError) void [error.line, error.report];
}

// @ts-expect-error: files are texts by their names
check("game mine");
// @ts-expect-error: games come from `load`
new Game();
// @ts-expect-error: how it stands cannot be set
session.stage = "playing";

void [report, lines, stage, legal, hands, said, why, apart];
