// node kernel.mjs PYODIDE MESSAGES CODE FILES: prints, as JSON, what the kernel answers to each message.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [distribution, asked, code, files] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(join(distribution, "pyodide.mjs")));
const pyodide = await loadPyodide({ indexURL: distribution + "/" });
for (const [archive, place] of [[code, "/puppet"], [files, "/notebooks"]]) {
  pyodide.unpackArchive(new Uint8Array(readFileSync(archive)), "zip", { extractDir: place });
}
pyodide.runPython("import sys; sys.path.insert(0, '/puppet')");
const answers = [];
const send = (message) => answers.at(-1).push(JSON.parse(message));
const handle = pyodide.pyimport("puppet_kernel.browser.worker").begin(send, "/notebooks", "spec", 30);
for (const message of JSON.parse(readFileSync(asked, "utf8"))) {
  answers.push([]);
  handle(JSON.stringify(message));
}
process.stdout.write(JSON.stringify(answers), () => process.exit(0));
