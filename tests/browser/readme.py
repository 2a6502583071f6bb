"""Write the picture of the README, a short notebook as nbconvert renders it: `python -m tests.browser.readme`."""

from __future__ import annotations

import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.browser.lab import ROOT, Lab, launch_chromium

PICTURE = ROOT / "notebooks" / "pictures" / "notebook.png"
CELLS = (
    "class web(Array[String] $sites = ['blog', 'shop']) {\n"
    "  package { 'nginx': }\n"
    "  -> file { $sites.map |$site| { \"/etc/nginx/${site}.conf\" }: mode => '0644' }\n"
    "  ~> service { 'nginx': ensure => running }\n"
    "}",
    "include web",
    "%graph",
    "[80, 443].map |$port| { $port + 8000 }",
    "user { 'deploy': sytem => true }",
)


def main() -> None:
    """Run the notebook and write a picture of its page."""
    with (
        tempfile.TemporaryDirectory() as home,
        sync_playwright() as playwright,
        launch_chromium(playwright) as browser,
    ):
        lab = Lab(Path(home))
        lab.install()
        lab.write_notebook("readme.ipynb", *CELLS)
        lab.run_module("jupyter", "execute", "--allow-errors", "--inplace", "readme.ipynb")
        lab.run_module("jupyter", "nbconvert", "--to", "html", "readme.ipynb")
        page = browser.new_page(viewport={"width": 900, "height": 600}, device_scale_factor=1.5)
        page.route("http*://**", lambda route: route.abort())
        page.goto((lab.folder / "readme.html").as_uri())
        page.locator("body").screenshot(path=PICTURE)


if __name__ == "__main__":
    main()
