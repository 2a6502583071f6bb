// Functions that the scripts of this folder share.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const ALARM = 14;
const MILLISECONDS = 50;

// Load Pyodide from a distribution.
export async function load(distribution) {
  const { loadPyodide } = await import(pathToFileURL(join(distribution, "pyodide.mjs")));
  return loadPyodide({ indexURL: distribution + "/" });
}

// Interrupt Python regularly, as the worker of the browser does.
export function interruptRegularly(pyodide) {
  let last = performance.now();
  pyodide.setInterruptBuffer({
    get 0() {
      const now = performance.now();
      if (now - last < MILLISECONDS) return 0;
      last = now;
      return ALARM;
    },
    set 0(value) {},
  });
}

// Return a function that starts a kernel of the code in the archive `code`, beside the notebooks in `files`. It takes
// a function for the messages of the kernel and the seconds that a cell may take; it returns the handler of requests.
export function makeKernelFactory(pyodide, code, files) {
  for (const [archive, folder] of [[code, "/puppet"], [files, "/notebooks"]]) {
    pyodide.unpackArchive(new Uint8Array(readFileSync(archive)), "zip", { extractDir: folder });
  }
  pyodide.runPython("import sys; sys.path.insert(0, '/puppet')");
  const { begin } = pyodide.pyimport("puppet_kernel.browser.worker");
  return (send, seconds) => begin(send, "/notebooks", "spec", seconds);
}
