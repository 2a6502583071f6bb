// What the scripts of this folder begin with.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const ALARM = 14;
const MILLISECONDS = 50;

// Pyodide of a distribution.
export async function loaded(distribution) {
  const { loadPyodide } = await import(pathToFileURL(join(distribution, "pyodide.mjs")));
  return loadPyodide({ indexURL: distribution + "/" });
}

// Has Python interrupted every now and then, as the worker of the browser has.
export function interrupted(pyodide) {
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

// What makes a kernel of the code in the archive `code`, with the notebooks in `files`: given what takes its answers
// and how many seconds a cell may take, it gives what handles a message.
export function kernels(pyodide, code, files) {
  for (const [archive, place] of [[code, "/puppet"], [files, "/notebooks"]]) {
    pyodide.unpackArchive(new Uint8Array(readFileSync(archive)), "zip", { extractDir: place });
  }
  pyodide.runPython("import sys; sys.path.insert(0, '/puppet')");
  const { begin } = pyodide.pyimport("puppet_kernel.browser.worker");
  return (send, seconds) => begin(send, "/notebooks", "spec", seconds);
}
