// node kernel.mjs PYODIDE DATA CODE FILES: print, as JSON, the messages that answer the requests of each conversation,
// and the results of each case. Each conversation has a new kernel in the same Pyodide.
import { readFileSync } from "node:fs";
import { interruptRegularly, load, makeKernelFactory } from "./loading.mjs";

const [distribution, data, code, files] = process.argv.slice(2);
const pyodide = await load(distribution);
const startKernel = makeKernelFactory(pyodide, code, files);
// The note about the other dialect does not depend on how busy the machine is.
pyodide.runPython(`
from evaluator.session import dialect_notes
dialect_notes.QUICK_SECONDS = dialect_notes.LONGEST_SECONDS = dialect_notes.MOST_WAITING = 60
`);
const { conversations, cases } = JSON.parse(readFileSync(data, "utf8"));
const answered = conversations.map((requests) => {
  const answers = [];
  const handle = startKernel((message) => answers.at(-1).push(JSON.parse(message)), 30);
  for (const request of requests) {
    answers.push([]);
    handle(JSON.stringify(request));
  }
  return answers;
});
interruptRegularly(pyodide);
pyodide.globals.set("cases_as_json", JSON.stringify(cases));
const results = pyodide.runPython(`
import json
from cases import run_case
json.dumps([run_case(case) for case in json.loads(cases_as_json)])
`);
const output = { conversations: answered, cases: JSON.parse(results) };
process.stdout.write(JSON.stringify(output), () => process.exit(0));
