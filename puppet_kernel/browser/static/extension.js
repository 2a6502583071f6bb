// What JupyterLite loads: the container of an extension, as module federation has it, written by hand.
(() => {
  const place = new URL(".", document.currentScript.src).href;
  const hash = location.hash; // of the link that was opened; the application changes it
  let shares;

  async function shared(name) {
    const versions = Object.values(shares[name]);
    return (await versions[0].get())();
  }

  // Workers take seconds to load Python: one does so while the page opens, for the first kernel.
  const settings = fetch(place + "settings.json").then((answer) => answer.json());
  const code = import(place + "kernel.js");
  const spare = Promise.all([settings, code]).then(([told, { load }]) => load(place, told));

  async function plugins() {
    const [{ IKernelSpecs, IKernelClient }, { Signal }, { ToolbarButton }, { RenderMimeRegistry }] =
      await Promise.all(
        ["@jupyterlite/services", "@lumino/signaling", "@jupyterlab/ui-components", "@jupyterlab/rendermime"].map(
          shared,
        ),
      );
    // Outputs name files of machines; none of them is here, and no server that could be asked for it.
    RenderMimeRegistry.UrlResolver.prototype.resolvePath = async () => null;
    const [told, { Workers, PuppetKernel }, link] = await Promise.all([settings, code, import(place + "link.js")]);
    const workers = new Workers(place, told, await spare);
    return [kernels(IKernelSpecs, IKernelClient, Signal, PuppetKernel, workers, told), links(ToolbarButton, link)];
  }

  function kernels(IKernelSpecs, IKernelClient, Signal, PuppetKernel, workers, settings) {
    const running = new Map();

    function start(dialect, options) {
      const disposed = new Signal({});
      const kernel = new PuppetKernel(options, { dialect, seconds: settings.seconds }, workers, disposed);
      running.set(options.id, kernel);
      disposed.connect(() => running.delete(options.id));
      return kernel;
    }

    function activate(app, specs, client) {
      for (const { name, dialect, ...spec } of settings.kernels) {
        const resources = { "logo-svg": place + "logo.svg", "logo-64x64": place + "logo-64x64.png" };
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
      const { contents } = app.serviceManager;
      const { path } = await contents.newUntitled({ type: "notebook" });
      const kernelspec = { name: "puppet", display_name: "Puppet", language: "puppet" };
      const content = { cells: cells(program), metadata: { kernelspec }, nbformat: 4, nbformat_minor: 5 };
      await contents.save(path, { type: "notebook", format: "json", content });
      const kernel = { name: kernelspec.name };
      const panel = await app.commands.execute("docmanager:open", { path, factory: "Notebook", kernel });
      app.shell.activateById(panel.id); // whatever was open when the page was left
    }

    async function copy(panel) {
      const url = new URL(location.href);
      url.search = "";
      url.hash = "code=" + (await encoded(text(panel.context.model.toJSON().cells)));
      await navigator.clipboard?.writeText(url.href).catch(() => {});
      history.replaceState(history.state, "", url.hash); // where it can be copied by hand
    }

    // A link may be damaged, or hold too much.
    const told = (app, what) => (problem) =>
      app.commands.execute("apputils:notify", { message: `${what}: ${problem.message}`, type: "error" });

    function activate(app) {
      const label = "Copy link to this notebook";
      const current = () => (app.shell.currentWidget?.context?.model?.cells ? app.shell.currentWidget : null);
      app.commands.addCommand("puppet:copy-link", {
        ...{ label, caption: "Copies a link that holds the text of all cells, without their outputs" },
        isEnabled: () => current() !== null,
        execute: () => copy(current()).catch(told(app, "The notebook fits in no link")),
      });
      app.docRegistry.addWidgetExtension("Notebook", {
        createNew(panel) {
          const button = new ToolbarButton({ label: "Link", tooltip: label, onClick: () => copy(panel) });
          panel.toolbar.insertItem(10, "puppet-link", button);
          return button;
        },
      });
      const given = /^#code=(.*)/s.exec(hash);
      const shown = async () => open(app, await decoded(given[1]));
      if (given) void app.restored.then(shown).catch(told(app, "The link holds no notebook"));
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
