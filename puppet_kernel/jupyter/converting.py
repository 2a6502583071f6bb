"""Exporters for nbconvert: notebooks as manifests (`--to script`), and as Markdown that reads well as it is."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from nbconvert.exporters import Exporter, MarkdownExporter
from nbconvert.filters import strip_ansi
from nbformat.v4 import new_output
from traitlets.config import Config

from puppet_kernel.jupyter.manifest import to_manifest
from puppet_kernel.rendering.markdown import fence

READABLE = ("image/svg+xml", "image/png", "image/jpeg", "text/markdown", "text/plain", "text/html")


class ManifestExporter(Exporter):
    """An exporter to a manifest that the released Puppet can compile."""

    output_mimetype = "text/x-puppet"

    def _file_extension_default(self) -> str:
        return ".pp"

    def from_notebook_node(  # type: ignore[override]  # what exporters of texts give is no notebook
        self, nb: Any, resources: Any = None, **options: Any
    ) -> tuple[str, Any]:
        """Return the manifest of a notebook, and the resources that nbconvert collects."""
        copy, told = super().from_notebook_node(nb, resources, **options)
        return to_manifest(copy.cells), told


class ReadableExporter(MarkdownExporter):
    """An exporter to Markdown: pictures and Markdown for outputs where nbconvert has HTML.

    An error is one block.
    """

    export_from_notebook = "Markdown of a Puppet notebook"

    @property
    def default_config(self) -> Config:
        """The configuration with our order of preference among the formats of an output."""
        config: Config = super().default_config
        config.merge(Config({"NbConvertBase": {"display_data_priority": list(READABLE)}}))
        return config

    def from_notebook_node(  # type: ignore[override]  # what exporters of texts give is no notebook
        self, nb: Any, resources: Any = None, **options: Any
    ) -> tuple[str, Any]:
        """Return the Markdown of a notebook, and the resources that nbconvert collects."""
        shown = deepcopy(nb)
        for cell in shown.cells:
            cell.update({"outputs": list(map(_convert_error, cell.outputs))} if "outputs" in cell else {})
        found: tuple[str, Any] = super().from_notebook_node(shown, resources, **options)
        return found


def _convert_error(output: Any) -> Any:
    """Return an output; one that is an error becomes a display of Markdown."""
    if output.output_type != "error":
        return output
    lines = strip_ansi("\n".join(output.traceback))
    return new_output("display_data", {"text/markdown": fence(lines), "text/plain": lines})
