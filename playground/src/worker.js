// Answers questions with the WebAssembly, one after the other.

let exports;

/** Answers; of a list no more than is wanted, since the page takes all of it in at once. */
function answer(question, most) {
  const bytes = new TextEncoder().encode(question);
  const start = exports.room(bytes.length) >>> 0;
  new Uint8Array(exports.memory.buffer, start, bytes.length).set(bytes);
  const length = exports.answer() >>> 0;
  const told = new Uint8Array(exports.memory.buffer, exports.address() >>> 0, length);
  const found = JSON.parse(new TextDecoder().decode(told));
  return most !== null && Array.isArray(found) ? found.slice(0, most) : found;
}

self.onmessage = async ({ data }) => {
  try {
    if (data.wasm) {
      const { instance } = await WebAssembly.instantiate(data.wasm, {});
      exports = instance.exports;
      self.postMessage({ ready: true });
    } else {
      self.postMessage({ answer: answer(data.question, data.most) });
    }
  } catch (error) {
    // After a trap nothing in memory can be relied on: the page starts another worker.
    self.postMessage({ crashed: String(error) });
  }
};
