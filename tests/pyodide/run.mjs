// node run.mjs PYODIDE CASES PROJECT PACKAGES: prints, as JSON, what each case gives on Pyodide.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { interrupted, loaded } from "./loading.mjs";

const [distribution, asked, project, packages] = process.argv.slice(2);
const pyodide = await loaded(distribution);
for (const [place, root] of [["/project", project], ["/packages/yaml", join(packages, "yaml")]]) {
  pyodide.FS.mkdirTree(place);
  pyodide.FS.mount(pyodide.FS.filesystems.NODEFS, { root }, place);
}
interrupted(pyodide);
pyodide.globals.set("given", readFileSync(asked, "utf8"));
const told = pyodide.runPython(`
import json, sys
sys.path[:0] = ["/project", "/packages"]
from tests.pyodide.cases import outcome
json.dumps([outcome(case) for case in json.loads(given)])
`);
process.stdout.write(told, () => process.exit(0));
