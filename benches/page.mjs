// Times what a reader does on the page of a report, in headless Chromium, by its DevTools protocol:
//
//     node --experimental-websocket benches/page.mjs report.html
//
// Milliseconds from an action to the page laid out anew, and between two frames while the whole list
// of steps is scrolled through in 100 jumps. Node 22 needs no flag.

import { spawn } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const sleep = (time) => new Promise((done) => setTimeout(done, time));

const folder = mkdtempSync(join(tmpdir(), "page-"));
const browser = spawn(process.env.LOCKSTEP_CHROMIUM ?? "chromium", [
  "--headless", "--no-sandbox", "--disable-gpu", `--user-data-dir=${folder}`,
  "--remote-debugging-port=0", "--window-size=1300,900", "about:blank",
], { stdio: ["ignore", "ignore", "pipe"] });

// The browser says on which port it listens.
const port = await new Promise((done) => {
  let said = "";
  browser.stderr.on("data", (data) => {
    said += data;
    const found = said.match(/DevTools listening on ws:\/\/[^:]+:(\d+)/);
    if (found) done(found[1]);
  });
});
const tabs = await (await fetch(`http://127.0.0.1:${port}/json`)).json();
const socket = new WebSocket(tabs.find((tab) => tab.type === "page").webSocketDebuggerUrl);
await new Promise((done) => socket.addEventListener("open", done));
const waiting = new Map();
socket.addEventListener("message", ({ data }) => {
  const answer = JSON.parse(data);
  waiting.get(answer.id)?.(answer.result);
});
const send = (method, params = {}) => new Promise((done) => {
  const id = waiting.size + 1;
  waiting.set(id, done);
  socket.send(JSON.stringify({ id, method, params }));
});
const evaluate = async (expression) => {
  const answer = await send("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true });
  return answer.result.value ?? answer;
};

// Only what is in front is given frames.
await send("Page.enable");
await send("Page.bringToFront");
await send("Page.navigate", { url: `file://${resolve(process.argv[2])}` });
while (await evaluate("document.readyState + !!document.querySelector('#step-list .row')") !== "completetrue") {
  await sleep(50);
}

console.log(await evaluate(`(async () => {
  const id = (name) => document.getElementById(name);
  const round = (time) => Math.round(10 * time) / 10;
  const time = (action) => {
    const start = performance.now();
    action();
    document.body.offsetHeight;
    return round(performance.now() - start);
  };
  const set = (name, value) => () => {
    id(name).value = value;
    id(name).dispatchEvent(new Event("input", { bubbles: true }));
  };
  const clear = () => document.querySelector("#filters button").click();
  const found = { opened: round(performance.getEntriesByType("navigation")[0].domComplete), steps: id("count").textContent };
  found.filter = time(set("by-verdict", "wrong"));
  found.search = time(set("query", "total"));
  found.searchAgain = time(set("query", "7, 12"));
  found.clear = time(clear);
  found.cell = time(() => document.querySelector("#heat-map button").click());
  clear();
  found.program = time(() => document.querySelectorAll("#program-list .row")[5].click());
  clear();
  const frames = [];
  let last = performance.now();
  for (let part = 1; part <= 100; part += 1) {
    id("step-list").scrollTop = id("step-list").scrollHeight * part / 100;
    await new Promise((done) => requestAnimationFrame(done));
    frames.push(performance.now() - last);
    last = performance.now();
  }
  frames.sort((a, b) => a - b);
  found.frameMedian = round(frames[50]);
  found.frame95 = round(frames[95]);
  found.heapMegabytes = Math.round(performance.memory.usedJSHeapSize / 2 ** 20);
  found.elements = document.querySelectorAll("*").length;
  return found;
})()`));
socket.close();
browser.kill();
