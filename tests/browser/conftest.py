"""One Chromium per session, and two sites on a port of this machine: `committed`, of the results in the tree, and `made_up`,
of the two made-up devices of tests/plots.

LOCKSTEP_SITES names a folder that holds both already, which saves writing them.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator, Sequence
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from plots.catalog import ROOT
from plots.gather import gather, load_results
from plots.site import write_report
from tests.browser.chromium import Browser, Page, found

#: The results of each site, and its experiments. Tests open one page of the made-up site.
RESULTS: dict[str, tuple[Path, Sequence[str]]] = {
    "committed": (ROOT / "results", ()),
    "made_up": (ROOT / "tests/plots/results", ("random_grids",)),
}


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *arguments: object) -> None:
        pass


@pytest.fixture(scope="session")
def sites(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder per site."""
    if written := os.environ.get("LOCKSTEP_SITES"):
        return Path(written)
    folder = tmp_path_factory.mktemp("sites")
    for name, (source, only) in RESULTS.items():
        loaded = load_results(source)
        write_report(loaded, gather(loaded, only, folder=source), folder / name, folder=source)
    return folder


@pytest.fixture(scope="session")
def address(sites: Path) -> Iterator[str]:
    """Where the sites are served. Chromium has a clipboard on this machine's own address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(sites)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    program = found()
    if program is None:
        pytest.skip("no chromium or chrome is installed")
    browser = Browser(program, tmp_path_factory.mktemp("profile"))
    yield browser
    browser.close()


@pytest.fixture(scope="module")
def tab(browser: Browser) -> Iterator[Page]:
    tab = browser.open()
    tab.width(1400)
    yield tab
    tab.close()
