// node kernel.mjs PYODIDE MESSAGES CODE FILES: prints, as JSON, what the kernel answers to each message.
import { readFileSync } from "node:fs";
import { kernel, loaded } from "./loading.mjs";

const [distribution, asked, code, files] = process.argv.slice(2);
const pyodide = await loaded(distribution);
const answers = [];
const send = (message) => answers.at(-1).push(JSON.parse(message));
const handle = kernel(pyodide, code, files, send, 30);
for (const message of JSON.parse(readFileSync(asked, "utf8"))) {
  answers.push([]);
  handle(JSON.stringify(message));
}
process.stdout.write(JSON.stringify(answers), () => process.exit(0));
