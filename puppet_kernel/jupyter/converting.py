"""What nbconvert finds here: notebooks as manifests (`--to script`), and as Markdown that reads well as it is."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from nbconvert.exporters import Exporter, MarkdownExporter
from nbconvert.filters import strip_ansi
from nbformat.v4 import new_output
from traitlets.config import Config

from puppet_kernel.jupyter.manifest import manifest
from puppet_kernel.rendering.markdown import fenced

READABLE = ("image/svg+xml", "image/png", "image/jpeg", "text/markdown", "text/plain", "text/html")


class ManifestExporter(Exporter):
    """A manifest that the released Puppet reads."""

    output_mimetype = "text/x-puppet"

    def _file_extension_default(self) -> str:
        return ".pp"

    def from_notebook_node(  # type: ignore[override]  # what exporters of texts give is no notebook
        self, nb: Any, resources: Any = None, **options: Any
    ) -> tuple[str, Any]:
        """The manifest of a notebook, and what nbconvert tells about it."""
        copy, told = super().from_notebook_node(nb, resources, **options)
        return manifest(copy.cells), told


class ReadableExporter(MarkdownExporter):
    """Markdown with pictures and Markdown for outputs, where nbconvert's own has HTML; an error is one block."""

    export_from_notebook = "Markdown of a Puppet notebook"

    @property
    def default_config(self) -> Config:
        """What is chosen from the formats of an output, in place of nbconvert's choice."""
        config: Config = super().default_config
        config.merge(Config({"NbConvertBase": {"display_data_priority": list(READABLE)}}))
        return config

    def from_notebook_node(  # type: ignore[override]  # what exporters of texts give is no notebook
        self, nb: Any, resources: Any = None, **options: Any
    ) -> tuple[str, Any]:
        """The Markdown of a notebook, and what nbconvert tells about it."""
        shown = deepcopy(nb)
        for cell in shown.cells:
            cell.update({"outputs": list(map(_readable, cell.outputs))} if "outputs" in cell else {})
        found: tuple[str, Any] = super().from_notebook_node(shown, resources, **options)
        return found


def _readable(output: Any) -> Any:
    """An output; one that is an error as Markdown."""
    if output.output_type != "error":
        return output
    lines = strip_ansi("\n".join(output.traceback))
    return new_output("display_data", {"text/markdown": fenced(lines), "text/plain": lines})
