// Questions to the worker: one at a time, each with a time that it may take.

/** How long a question may take, in milliseconds. */
const LONGEST = 6000;

/** How long a question may still take once a newer one of the same sort waits. */
const STALE = 1200;

/** A question as text, in which every letter is one: halves of letters, as hostile texts have them, cannot be sent. */
const asText = (question) => JSON.stringify(question, (_, it) => (typeof it === "string" ? it.toWellFormed() : it));

/** That there is no answer, in words for the reader. */
export class NoAnswer extends Error {}

async function bytesOf(base64) {
  const binary = atob(base64);
  const bytes = Uint8Array.from(binary, (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).arrayBuffer();
}

export class Referee {
  #waiting = [];
  #present = null;
  #worker = null;
  #ready = false;
  #wasm;

  constructor() {
    this.#wasm = bytesOf(document.getElementById("wasm").textContent);
    this.#start();
  }

  /**
   * Asks a question. One with the same `key` that still waits, or takes long, is dropped: its promise gives nothing.
   * `limit` is how long the answer may take, `most` how much of a list is wanted.
   */
  ask(question, { key = null, limit = LONGEST, most = null } = {}) {
    return new Promise((resolve, reject) => {
      if (key) {
        const old = this.#waiting.findIndex((it) => it.key === key);
        if (old >= 0) this.#waiting.splice(old, 1)[0].resolve(undefined);
      }
      this.#waiting.push({ question: asText(question), key, limit, most, resolve, reject });
      this.#next();
      const present = this.#present;
      if (key && present?.key === key && present.resolve !== resolve) {
        setTimeout(() => present === this.#present && this.#restart(null), STALE);
      }
    });
  }

  async #start() {
    this.#ready = false;
    const worker = new Worker(URL.createObjectURL(new Blob([WORKER], { type: "text/javascript" })));
    this.#worker = worker;
    worker.onmessage = ({ data }) => {
      if (worker !== this.#worker) return;
      if (data.ready) {
        this.#ready = true;
        this.#next();
      } else if (data.crashed) {
        this.#restart(
          `The rules could not be worked out: ${data.crashed}. They may lie too deep in each other, or take too much memory.`,
        );
      } else {
        this.#done((present) => present.resolve(data.answer));
      }
    };
    worker.postMessage({ wasm: await this.#wasm });
  }

  #next() {
    if (this.#present || !this.#ready || this.#waiting.length === 0) return;
    const present = this.#waiting.shift();
    this.#present = present;
    this.#worker.postMessage({ question: present.question, most: present.most });
    present.timer = setTimeout(() => {
      const seconds = Math.round(present.limit / 1000);
      this.#restart(
        `This took longer than ${seconds} seconds and was stopped. Look for a rule that goes through too much, or shorten the transcript.`,
      );
    }, present.limit);
  }

  #done(tell) {
    const present = this.#present;
    if (!present) return;
    clearTimeout(present.timer);
    this.#present = null;
    tell(present);
    this.#next();
  }

  #restart(message) {
    this.#worker.terminate();
    const start = this.#start();
    // Nobody waits any more for what a newer question has overtaken.
    this.#done((present) => (message ? present.reject(new NoAnswer(message)) : present.resolve(undefined)));
    return start;
  }
}
