// node hostile.mjs PYODIDE REQUESTS CODE FILES SECONDS: print the messages that answer each request as a line of JSON.
// Each line is written at once, so that the number of lines shows which request ended the runtime.
import { readFileSync, writeSync } from "node:fs";
import { interruptRegularly, load, makeKernelFactory } from "./loading.mjs";

const [distribution, requests, code, files, seconds] = process.argv.slice(2);
const pyodide = await load(distribution);
let messages;
const send = (message) => messages.push(JSON.parse(message));
const handle = makeKernelFactory(pyodide, code, files)(send, Number(seconds));
interruptRegularly(pyodide);
for (const request of JSON.parse(readFileSync(requests, "utf8"))) {
  messages = [];
  handle(JSON.stringify(request));
  writeSync(1, JSON.stringify(messages.map((one) => [one.header.msg_type, JSON.stringify(one.content).slice(0, 2000)])) + "\n");
}
process.exit(0);
