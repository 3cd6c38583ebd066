// How long the page lets nobody do anything: the tasks of its main thread, as the browser's own trace has them.
//
// A task is measured twice: by the clock, and by the time that it had a processor. The second does not depend on what else
// the machine does.

/** Watches a page while `during` goes on; gives its longest tasks, in milliseconds. */
export async function watched(page, during) {
  const session = await page.context().newCDPSession(page);
  await page.evaluate(() => {
    window.longest = 0;
    new PerformanceObserver((list) => {
      for (const one of list.getEntries()) window.longest = Math.max(window.longest, one.duration);
    }).observe({ type: "longtask" });
  });
  const events = [];
  session.on("Tracing.dataCollected", ({ value }) => events.push(...value));
  const complete = new Promise((resolve) => session.once("Tracing.tracingComplete", resolve));
  const includedCategories = ["toplevel", "disabled-by-default-devtools.timeline", "__metadata"];
  await session.send("Tracing.start", { transferMode: "ReportEvents", traceConfig: { includedCategories } });
  await during();
  // What is due after the last of it.
  await page.waitForTimeout(400);
  await session.send("Tracing.end");
  await complete;
  const main = new Set();
  for (const one of events) {
    if (one.name === "thread_name" && one.args.name === "CrRendererMain") main.add(`${one.pid} ${one.tid}`);
  }
  const tasks = events.filter((it) => it.tdur !== undefined && main.has(`${it.pid} ${it.tid}`) && /RunTask$/.test(it.name));
  const worst = (field) => Math.round(tasks.reduce((most, it) => Math.max(most, it[field] ?? 0), 0) / 1000);
  return { tasks: tasks.length, busy: worst("tdur"), clock: worst("dur"), longtask: Math.round(await page.evaluate(() => window.longest)) };
}

/** Pastes a text in place of what an editor has. */
export async function paste(page, content, text) {
  await page.locator(content).evaluate((element, text) => {
    element.focus();
    getSelection().selectAllChildren(element);
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", text);
    element.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  }, text);
}
