/**
 * The rules of games, enforced: reports on transcripts, legal moves, games at the table, and the reason of every line.
 *
 * Everything is synchronous, and needs no network and no files: the rules come with the package, or as texts. A run that
 * takes more than its limits is stopped with a {@link BoundError}.
 */

/** A game that comes with the package, with the text of its rule file. */
export interface Shipped {
  name: string;
  file: string;
  text: string;
  variants: { name: string; file: string; text: string }[];
}

/** What a game is loaded with. */
export interface LoadOptions {
  /** Values of its options. */
  options?: Record<string, string | number | boolean>;
  /** Texts in place of files: `mine.rules` is a game, `mine/house.rules` a variant of it. */
  files?: Record<string, string>;
  /** The form of its transcripts, if that is not the first. */
  form?: string | null;
  /** What a run may take. */
  limits?: Limits;
}

export interface Limits {
  /** Steps of work for each game that is played: 2²⁶ unless you say otherwise. */
  fuel?: number;
  /** Megabytes: 128 unless you say otherwise. */
  memory?: number;
  /** Events: 200,000 unless you say otherwise. */
  events?: number;
}

/** Where a mistake is, with what there is to see. Lines and columns count from 1. */
export interface Label {
  file: string;
  line: number;
  column: number;
  end: { line: number; column: number };
  text: string;
}

/** A change of text that does what a help says. */
export interface Edit {
  file: string;
  line: number;
  column: number;
  end: { line: number; column: number };
  text: string;
  /** Whether this surely is what the author means. */
  certain: boolean;
}

/** Something that is wrong, or worth a warning, as `docs/diagnostics.schema.json` says. */
export interface Diagnostic {
  version: number;
  code: string;
  severity: "error" | "warning";
  message: string;
  labels: Label[];
  notes: string[];
  helps: string[];
  edits: Edit[];
}

/** Something went wrong. `message` is its headline. */
export class RefereeError extends Error {
  /** The short name of the sort of mistake. */
  readonly code: string | null;
  /** Where it is; nothing where no text is at fault. */
  readonly file: string | null;
  readonly line: number | null;
  readonly column: number | null;
  /** All that is wrong. */
  readonly diagnostics: Diagnostic[];
  /** All of it, as the command would have shown it. */
  readonly text: string;
  /** What had been reported until then. */
  readonly report: string;
}
/** What is asked for is not there: a game, a variant, an option, a form, a line. */
export class UsageError extends RefereeError {}
/** The rule file is wrong. */
export class RulesError extends RefereeError {}
/** The transcript is wrong: it cannot be read, or says what is not allowed. */
export class TranscriptError extends RefereeError {}
/** It takes more events, work or memory than it may. */
export class BoundError extends RefereeError {}

/** All games that come with the package. */
export function games(): Shipped[];

/**
 * A game by its name, with variants as `game+variant`.
 *
 * @throws {UsageError} There is no such game, variant or option.
 * @throws {RulesError} The rule file is wrong.
 */
export function load(name: string, options?: LoadOptions): Game;

/**
 * What is wrong with rule files, and with the game that is made of them; an empty list where nothing is. `game` says which,
 * with its variants, where there are several.
 */
export function check(files: Record<string, string>, game?: string, options?: Omit<LoadOptions, "files">): Diagnostic[];

/**
 * A rule file in the one layout.
 *
 * @throws {RulesError} It cannot be read.
 */
export function format(text: string, file?: string): string;

/** Where two games first say different things of a transcript; nothing where they say the same. */
export function diff(one: Game, other: Game, transcript: string, options?: { form?: string }): Difference | null;

export interface Difference {
  /** The line of the report, from 1. */
  line: number;
  /** The line of the transcript; 0 before anything is read, nothing where that is not known. */
  at: number | null;
  /** The row, or the two rows, that made the difference. */
  cause: string | null;
  one: Side;
  other: Side;
}

export interface Side {
  /** Nothing where its report is over. */
  says: string | null;
  /** The row behind it, and what that cites. */
  row: { name: string; file: string; line: number; cites: string | null } | null;
}

export interface GameOption {
  name: string;
  type: string;
  value: string;
  default: string;
  meaning: string;
}

/** Who decides an event. */
export type Decider = "referee" | "chance" | { seat: string };

/** What each seat has at the end. */
export interface Outcome {
  seat: string;
  has: "win" | "draw" | "loss" | { points: number };
}

/** An event that could come next. */
export type Move = {
  event: string;
  /** How it is written in the transcript. */
  written: string;
  by: Decider;
  /** How likely it is beside the others, where chance decides. */
  weight?: number;
} & (
  | { verdict: "legal" }
  /** It may happen, but breaks a rule: an `illegal` fact holds. */
  | { verdict: "illegal"; fact: string; says: string | null }
  | { verdict: "impossible"; row: string; says: string }
  | { verdict: "refused"; fact: string; says: string | null }
);

/** What may happen next, as `docs/moves.schema.json` says. */
export interface Moves {
  moves: Move[];
  /** The events that were left out because there is no end of their values. */
  endless: { event: string; field: string; type: string }[];
  /** How those of them that may come now are written. */
  patterns: Expected[];
  /** Whether the last game is over, and nothing came after it. */
  over?: boolean;
  /** What each seat has then, if the rules say it. */
  outcome?: Outcome[];
}

/** Something that could come next in a transcript. */
export interface Expected {
  /** How it is written: words as they are, and what is to be put in as `<name>`. */
  written: string;
  event: string | null;
  /** Why it cannot come now; nothing where it can. */
  untimely: string | null;
  holes: Hole[];
}

export interface Hole {
  name: string;
  type: string;
  takes:
    | "word"
    | { number: { least: number; greatest: number } }
    | { decimal: { least: string | null; greatest: string | null } }
    | { one_of: string[] };
  absent: string | null;
  several: boolean;
}

/** Why the events on a line did what they did, as `docs/why.schema.json` says. */
export interface Explanation {
  /** In sentences. */
  text: string;
  line: number;
  /** What the line is read as. */
  read: string[];
  events: ExplainedEvent[];
  [more: string]: unknown;
}

export interface ExplainedEvent {
  event: string;
  words: string | null;
  fields: { name: string; value: string }[];
  sentences: string[];
  effects: { kind: string; [more: string]: unknown }[];
  [more: string]: unknown;
}

export interface About {
  /** Which of the events on the line, from 1; all unless you say it. */
  event?: number;
  /** What did not happen, by its name. */
  not?: string;
  /** How many facts are looked into, one in the other. */
  depth?: number;
}

/** A value as data: a set, bag or pile is a list, and a map has its entries. */
export type Value = null | boolean | number | string | Value[] | { [key: string]: Value };

/** A set, bag or pile of the state; of whom, where there is one for each. */
export interface Hand {
  state: string;
  of: string | null;
  items: Value[];
}

/** A state that is a map on a grid, row by row as people look at it. */
export interface Board {
  state: string;
  rows: { name: string; value: string | null; sign?: string }[][];
}

/** A game that was checked. {@link load} gives one. */
export class Game {
  private constructor();
  readonly name: string;
  readonly title: string;
  /** The variants that are applied. */
  readonly variants: string[];
  /** The forms of its transcripts; nothing for one without a name. */
  readonly forms: (string | null)[];
  readonly options: GameOption[];
  readonly events: string[];
  readonly policies: string[];
  readonly warnings: Diagnostic[];

  /**
   * The report on a transcript.
   *
   * @throws {TranscriptError} With the report until then.
   */
  run(transcript: string, options?: { form?: string }): string;
  /** The same line by line, each with the line of the transcript that it comes from; 0 before the first. */
  report(transcript: string, options?: { form?: string }): { text: string; line: number }[];
  /** Why a line of a transcript did what it did; the last one unless you say which. */
  why(transcript: string, line?: number, about?: About & { form?: string }): Explanation;
  /** What may happen next after a transcript, or after a line of it; with `illegal` also what may not, and why. */
  moves(transcript?: string, options?: { form?: string; line?: number; events?: string[]; illegal?: boolean }): Moves;
  /** A game at the table; with a transcript, as it stands after that. */
  session(options?: { form?: string; transcript?: string }): Session;
}

/**
 * A transcript under way. What a line costs does not depend on how many came before. One that nobody refers to any more
 * is closed in time; `using` and {@link Session.close} close it at once.
 */
export class Session {
  private constructor();
  /** How it stands: `complete` where nothing more is expected. */
  readonly stage: "between" | "playing" | "complete";
  /** How many games have begun. */
  readonly games: number;
  /** How often {@link Session.undo} can take something back. */
  readonly steps: number;
  readonly report: string;
  readonly transcript: string;
  /** The words that came and wait for others. */
  readonly open: string;
  /** What each seat has in the last game that is over, if its rules say it. */
  readonly outcome: Outcome[];

  /**
   * Takes the next line, or several; gives what is reported on it.
   *
   * @throws {TranscriptError} Then nothing has changed.
   */
  feed(lines: string): string;
  /** Says that the transcript ends here; gives what is reported on that. */
  end(): string;
  /** Takes back what was fed last; gives the lines. */
  undo(): string | null;

  /** The states as data. Empty before a game has begun. */
  state(): Record<string, Value>;
  /** The states as people read them: a board as a picture of several lines. */
  written(): Record<string, string>;
  /** The states that are sets, bags or piles, or have one for each player. */
  hands(): Hand[];
  /** The states that are maps on grids. */
  boards(): Board[];

  moves(options?: { events?: string[]; illegal?: boolean }): Moves;
  expected(): Expected[];
  deciders(): Decider[];
  /** What a policy would do next, or without one what is drawn by lot: a line to feed. */
  choose(policy?: string | null, options?: { seed?: number }): string;
  /** A line to feed, with what chance draws at its end; null unless chance decides all that is still due before a game. */
  drawn(line?: string, options?: { seed?: number }): string | null;

  why(line?: number, about?: About): Explanation;
  /** Why a line would do what it would, or be refused, if it came next. */
  whyNext(line: string, about?: About): Explanation;

  close(): void;
  [Symbol.dispose](): void;
}
