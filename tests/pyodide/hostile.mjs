// node hostile.mjs PYODIDE MESSAGES CODE FILES SECONDS: prints, a line of JSON for each, what the kernel answers to
// each message, at once: when the runtime dies, the lines tell where.
import { readFileSync, writeSync } from "node:fs";
import { interrupted, kernels, loaded } from "./loading.mjs";

const [distribution, asked, code, files, seconds] = process.argv.slice(2);
const pyodide = await loaded(distribution);
let answer;
const send = (message) => answer.push(JSON.parse(message));
const handle = kernels(pyodide, code, files)(send, Number(seconds));
interrupted(pyodide);
for (const message of JSON.parse(readFileSync(asked, "utf8"))) {
  answer = [];
  handle(JSON.stringify(message));
  writeSync(1, JSON.stringify(answer.map((one) => [one.header.msg_type, JSON.stringify(one.content).slice(0, 2000)])) + "\n");
}
process.exit(0);
