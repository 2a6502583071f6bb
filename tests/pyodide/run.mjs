// node run.mjs PYODIDE CASES PROJECT PACKAGES: prints, as JSON, what each case gives on Pyodide.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [distribution, asked, project, packages] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(join(distribution, "pyodide.mjs")));
const pyodide = await loadPyodide({ indexURL: distribution + "/" });
for (const [place, root] of [["/project", project], ["/packages/yaml", join(packages, "yaml")]]) {
  pyodide.FS.mkdirTree(place);
  pyodide.FS.mount(pyodide.FS.filesystems.NODEFS, { root }, place);
}
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
pyodide.globals.set("given", readFileSync(asked, "utf8"));
const told = pyodide.runPython(`
import json, sys
sys.path[:0] = ["/project", "/packages"]
from tests.pyodide.cases import outcome
json.dumps([outcome(case) for case in json.loads(given)])
`);
process.stdout.write(told, () => process.exit(0));
