// The worker in which Python runs: it loads Pyodide and the kernel, then answers one message after the other.

const INTERRUPT = 2; // SIGINT
const GLANCE = 14; // SIGALRM: the program looks at its limits
const GLANCE_MILLISECONDS = 50;

// What Python reads between two steps of a program: the signal that has come, 0 for none. `stop`, which the page
// shares where it may, holds an interrupt.
class Signals {
  constructor(stop) {
    this.stop = stop;
    this.glanced = performance.now();
  }
  get 0() {
    if (this.stop !== null && Atomics.exchange(this.stop, 0, 0) === INTERRUPT) return INTERRUPT;
    const now = performance.now();
    if (now - this.glanced < GLANCE_MILLISECONDS) return 0;
    this.glanced = now;
    return GLANCE;
  }
  set 0(signal) {} // Python takes a signal away when it has read it
}

async function archive(url) {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url}: ${answer.status}`);
  return answer.arrayBuffer();
}

async function load({ pyodide, packages, code, files }) {
  const archives = [archive(code), archive(files)];
  const { loadPyodide } = await import(pyodide + "pyodide.mjs");
  const python = await loadPyodide({ indexURL: pyodide, env: { HOME: "/home/pyodide" } });
  if (packages.length) await python.loadPackage(packages, { messageCallback: () => {} }).catch(console.warn);
  for (const [index, place] of ["/puppet", "/notebooks"].entries()) {
    python.unpackArchive(await archives[index], "zip", { extractDir: place });
  }
  python.runPython("import sys; sys.path.insert(0, '/puppet')");
  return { python, kernel: python.pyimport("puppet_kernel.browser.worker") };
}

function begin({ python, kernel }, { dialect, seconds, stop }) {
  const send = (message) => postMessage({ message });
  const handle = kernel.begin(send, "/notebooks", dialect, seconds ?? undefined); // which is None there
  python.setInterruptBuffer(new Signals(stop));
  return handle;
}

let loaded; // a promise
let handle;

onmessage = async ({ data }) => {
  try {
    if (data.load) {
      loaded = load(data.load);
      await loaded;
    } else if (data.begin) {
      handle = begin(await loaded, data.begin);
      postMessage({ ready: true });
    } else {
      handle(data.message);
      postMessage({ done: true });
    }
  } catch (error) {
    postMessage({ problem: String(error) });
  }
};
