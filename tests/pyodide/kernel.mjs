// node kernel.mjs PYODIDE CONVERSATIONS CODE FILES: prints, as JSON, what a new kernel for each conversation, in one
// Pyodide, answers to each of its messages.
import { readFileSync } from "node:fs";
import { kernels, loaded } from "./loading.mjs";

const [distribution, asked, code, files] = process.argv.slice(2);
const pyodide = await loaded(distribution);
const kernel = kernels(pyodide, code, files);
// a note on the other dialect is made however busy the machine is
pyodide.runPython(`
from evaluator.session import dialect_notes
dialect_notes.QUICK_SECONDS = dialect_notes.LONGEST_SECONDS = dialect_notes.MOST_WAITING = 60
`);
const answered = JSON.parse(readFileSync(asked, "utf8")).map((messages) => {
  const answers = [];
  const handle = kernel((message) => answers.at(-1).push(JSON.parse(message)), 30);
  for (const message of messages) {
    answers.push([]);
    handle(JSON.stringify(message));
  }
  return answers;
});
process.stdout.write(JSON.stringify(answered), () => process.exit(0));
