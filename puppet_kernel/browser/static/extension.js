// What JupyterLite loads: the container of an extension, as module federation has it, written by hand.
(() => {
  const place = new URL(".", document.currentScript.src).href;
  const hash = location.hash; // of the link that was opened; the application changes it
  let shares;

  async function shared(name) {
    const versions = Object.values(shares[name]);
    return (await versions[0].get())();
  }

  async function plugins() {
    const [{ IKernelSpecs, IKernelClient }, { Signal }, { ToolbarButton }, settings, { PuppetKernel }, link] =
      await Promise.all([
        ...["@jupyterlite/services", "@lumino/signaling", "@jupyterlab/ui-components"].map(shared),
        fetch(place + "settings.json").then((answer) => answer.json()),
        import(place + "kernel.js"),
        import(place + "link.js"),
      ]);
    return [kernels(IKernelSpecs, IKernelClient, Signal, PuppetKernel, settings), links(ToolbarButton, link)];
  }

  function kernels(IKernelSpecs, IKernelClient, Signal, PuppetKernel, settings) {
    const running = new Map();
    const at = (path) => new URL(path, place).href;
    const told = { ...settings, worker: at("worker.js"), code: at("code.zip"), files: at("files.zip") };
    told.pyodide = at(settings.pyodide);

    function start(dialect, options) {
      const disposed = new Signal({});
      const kernel = new PuppetKernel(options, { ...told, dialect }, disposed);
      running.set(options.id, kernel);
      disposed.connect(() => running.delete(options.id));
      return kernel;
    }

    function activate(app, specs, client) {
      for (const { name, dialect, ...spec } of settings.kernels) {
        const resources = { "logo-svg": at("logo.svg"), "logo-64x64": at("logo-64x64.png") };
        specs.register({
          spec: { name, ...spec, argv: [], metadata: {}, resources },
          create: async (options) => start(dialect, options),
        });
      }
      const interrupt = client.interrupt.bind(client);
      client.interrupt = async (id) => {
        const done = interrupt(id); // the cells that wait
        running.get(id)?.interrupt();
        return done;
      };
    }

    return { id: "puppet-kernel:kernels", autoStart: true, requires: [IKernelSpecs, IKernelClient], activate };
  }

  function links(ToolbarButton, { cells, text, encoded, decoded }) {
    async function open(app, program) {
      const panel = await app.commands.execute("notebook:create-new", { kernelName: "puppet" });
      await panel.context.ready;
      const kernelspec = { name: "puppet", display_name: "Puppet", language: "puppet" };
      panel.context.model.fromJSON({
        ...{ cells: cells(program), metadata: { kernelspec }, nbformat: 4, nbformat_minor: 5 },
      });
    }

    async function copy(panel) {
      const url = new URL(location.href);
      url.search = "";
      url.hash = "code=" + (await encoded(text(panel.context.model.toJSON().cells)));
      await navigator.clipboard?.writeText(url.href).catch(() => {});
      history.replaceState(history.state, "", url.hash); // where it can be copied by hand
    }

    function activate(app) {
      const label = "Copy link to this notebook";
      const current = () => (app.shell.currentWidget?.context?.model?.cells ? app.shell.currentWidget : null);
      app.commands.addCommand("puppet:copy-link", {
        ...{ label, caption: "Copies a link that holds the text of all cells, without their outputs" },
        isEnabled: () => current() !== null,
        execute: () => copy(current()),
      });
      app.docRegistry.addWidgetExtension("Notebook", {
        createNew(panel) {
          const button = new ToolbarButton({ label: "Link", tooltip: label, onClick: () => copy(panel) });
          panel.toolbar.insertItem(10, "puppet-link", button);
          return button;
        },
      });
      const given = /^#code=(.*)/s.exec(hash);
      if (given) void app.restored.then(async () => open(app, await decoded(given[1])));
    }

    return { id: "puppet-kernel:links", autoStart: true, activate };
  }

  globalThis._JUPYTERLAB ??= {};
  globalThis._JUPYTERLAB["puppet-kernel"] = {
    init: async (scope) => {
      shares = scope;
    },
    get: async () => {
      const found = await plugins();
      return () => ({ __esModule: true, default: found });
    },
  };
})();
