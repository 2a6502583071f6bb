// node kernel.mjs PYODIDE ASKED CODE FILES: prints, as JSON, what a new kernel for each conversation, in one Pyodide,
// answers to each of its messages, and what each case gives there.
import { readFileSync } from "node:fs";
import { interrupted, kernels, loaded } from "./loading.mjs";

const [distribution, asked, code, files] = process.argv.slice(2);
const pyodide = await loaded(distribution);
const kernel = kernels(pyodide, code, files);
// a note on the other dialect is made however busy the machine is
pyodide.runPython(`
from evaluator.session import dialect_notes
dialect_notes.QUICK_SECONDS = dialect_notes.LONGEST_SECONDS = dialect_notes.MOST_WAITING = 60
`);
const { conversations, cases } = JSON.parse(readFileSync(asked, "utf8"));
const answered = conversations.map((messages) => {
  const answers = [];
  const handle = kernel((message) => answers.at(-1).push(JSON.parse(message)), 30);
  for (const message of messages) {
    answers.push([]);
    handle(JSON.stringify(message));
  }
  return answers;
});
interrupted(pyodide);
pyodide.globals.set("given", JSON.stringify(cases));
const told = pyodide.runPython(`
import json
from cases import outcome
json.dumps([outcome(case) for case in json.loads(given)])
`);
const found = { conversations: answered, cases: JSON.parse(told) };
process.stdout.write(JSON.stringify(found), () => process.exit(0));
