// node hostile.mjs PYODIDE MESSAGES CODE FILES SECONDS: prints, a line of JSON for each, what the kernel answers to
// each message, at once: when the runtime dies, the lines tell where.
import { readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [distribution, asked, code, files, seconds] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(join(distribution, "pyodide.mjs")));
const pyodide = await loadPyodide({ indexURL: distribution + "/" });
for (const [archive, place] of [[code, "/puppet"], [files, "/notebooks"]]) {
  pyodide.unpackArchive(new Uint8Array(readFileSync(archive)), "zip", { extractDir: place });
}
pyodide.runPython("import sys; sys.path.insert(0, '/puppet')");
let answer;
const send = (message) => answer.push(JSON.parse(message));
const handle = pyodide.pyimport("puppet_kernel.browser.worker").begin(send, "/notebooks", "spec", Number(seconds));
let last = performance.now();
const ALARM = 14;
pyodide.setInterruptBuffer({
  get 0() {
    const now = performance.now();
    if (now - last < 50) return 0;
    last = now;
    return ALARM;
  },
  set 0(value) {},
});
for (const message of JSON.parse(readFileSync(asked, "utf8"))) {
  answer = [];
  handle(JSON.stringify(message));
  writeSync(1, JSON.stringify(answer.map((one) => [one.header.msg_type, JSON.stringify(one.content).slice(0, 2000)])) + "\n");
}
process.exit(0);
