// A kernel as JupyterLite knows it: its messages go to a worker, and what the worker says goes to the page.

import { identity } from "./link.js";

const INTERRUPT = 2;
const CHANNELS = { error: "iopub", status: "iopub", execute_reply: "shell" };
const BEGAN_ANEW = "The kernel began anew and knows nothing of the cells before: run them again.";

// A worker that has begun to load what a site has.
export function load(place, { pyodide, packages }) {
  const at = (path) => new URL(path, place).href;
  const worker = new Worker(at("worker.js"), { type: "module" });
  worker.postMessage({ load: { pyodide: at(pyodide), packages, code: at("code.zip"), files: at("files.zip") } });
  return worker;
}

// Gives workers: the first is there before somebody asks for it.
export class Workers {
  constructor(place, settings, spare) {
    Object.assign(this, { place, settings, spare });
  }
  next() {
    const worker = this.spare ?? load(this.place, this.settings);
    this.spare = null;
    return worker;
  }
}

export class PuppetKernel {
  // options  id, name, location and sendMessage;  settings  the dialect, and the seconds that a cell may take where
  // nothing else can end it;  disposed  the signal that tells that the kernel is gone
  constructor({ id, name, location, sendMessage }, settings, workers, disposed) {
    Object.assign(this, { id, name, location, settings, workers, disposed, send: sendMessage });
    this.isDisposed = false;
    this.asked = null; // the message that is being answered, and what to call when it is
    this.stop = globalThis.crossOriginIsolated ? new Int32Array(new SharedArrayBuffer(4)) : null;
    this.begin();
  }

  begin() {
    this.worker = this.workers.next();
    this.problem = null; // why there is no Python to answer
    this.ready = new Promise((resolve) => {
      this.worker.onmessage = ({ data }) => this.heard(data, resolve);
      this.worker.onerror = ({ message }) => this.heard({ problem: message || "no worker" }, resolve);
    });
    const { dialect, seconds } = this.settings;
    const { stop } = this;
    this.worker.postMessage({ begin: { dialect, seconds: stop === null ? seconds : null, stop } });
  }

  heard({ ready, message, done, problem }, resolve) {
    if (ready) resolve();
    else if (message) this.send(JSON.parse(message));
    else if (done) this.answered();
    else if (this.asked !== null) this.beginAnew(`Python ended: ${problem.split("\n")[0]}. ${BEGAN_ANEW}`);
    else {
      this.problem = `Python could not be loaded: ${problem}`;
      resolve();
    }
  }

  async handleMessage(message) {
    await this.ready;
    if (this.problem !== null) return this.refuse(message, this.problem);
    if (this.stop !== null) Atomics.store(this.stop, 0, 0);
    const { buffers, ...rest } = message;
    await new Promise((resolve) => {
      this.asked = { message, resolve };
      this.worker.postMessage({ message: JSON.stringify(rest) });
    });
  }

  answered() {
    const { resolve } = this.asked ?? { resolve: () => {} };
    this.asked = null;
    resolve();
  }

  // Stops what runs. Where the page shares no memory with its workers, only a new worker can do that.
  interrupt() {
    if (this.asked === null) return;
    if (this.stop !== null) Atomics.store(this.stop, 0, INTERRUPT);
    else this.beginAnew(`Stopped. ${BEGAN_ANEW}`);
  }

  beginAnew(words) {
    this.worker.terminate();
    this.begin();
    this.refuse(this.asked.message, words);
    this.answered();
  }

  // A cell that Python does not answer ends in an error, and the page waits for nothing.
  refuse(message, words) {
    if (message.header.msg_type === "execute_request") {
      const content = { status: "error", ename: "RESTARTED", evalue: words, traceback: [words] };
      this.tell("error", content, message);
      this.tell("execute_reply", { ...content, execution_count: 0 }, message);
    }
    this.tell("status", { execution_state: "idle" }, message);
  }

  tell(kind, content, { header }) {
    const own = { msg_id: identity(), msg_type: kind, session: header.session, username: "kernel" };
    this.send({
      header: { ...own, date: new Date().toISOString(), version: "5.3" },
      ...{ channel: CHANNELS[kind], parent_header: header, metadata: {}, content, buffers: [] },
    });
  }

  dispose() {
    if (this.isDisposed) return;
    this.isDisposed = true;
    this.worker.terminate();
    this.disposed.emit();
  }
}
