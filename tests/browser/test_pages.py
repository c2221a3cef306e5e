"""Every page of the site, at every width, in both modes and in print: what a person with any device and any eyes needs."""

from __future__ import annotations

import base64
import os
import statistics
from collections.abc import Iterator
from pathlib import Path

import pytest

from plots.catalog import ROOT
from tests.browser.chromium import Page

PAGES = ["index", "limits", *sorted(path.parent.name for path in ROOT.glob("experiments/*/figures.py"))]
CHECKS = Path(__file__).with_name("checks.js").read_text(encoding="utf-8")
WIDTHS = (400, 800, 1400)
A4 = 794  # CSS pixels


@pytest.fixture(scope="module", params=PAGES)
def page(tab: Page, address: str, request: pytest.FixtureRequest) -> Iterator[Page]:
    """A page, loaded once for all tests of it, with every figure's script started."""
    tab.width(1400)
    tab.media()
    tab.go(f"{address}/committed/{request.param}.html")
    # A window as high as the page shows all figures, and so starts them.
    height = tab.run("document.documentElement.scrollHeight")
    tab.width(1400, height)
    tab.until("[...document.querySelectorAll('figure.figure')].every(one => one.hasAttribute('data-started'))")
    tab.width(1400)
    tab.run(f"{CHECKS}; 0")
    yield tab


def test_nothing_fails_and_nothing_comes_from_elsewhere(page: Page, address: str) -> None:
    errors = [event for event in page.events("Runtime.exceptionThrown")]
    errors += [event for event in page.events("Log.entryAdded") if event["entry"]["level"] == "error"]
    errors += [event for event in page.events("Runtime.consoleAPICalled") if event["type"] in ("error", "assert")]
    assert errors == []
    urls = [event["request"]["url"] for event in page.events("Network.requestWillBeSent")]
    assert urls
    assert [url for url in urls if not url.startswith((f"{address}/committed/", "data:"))] == []


@pytest.mark.parametrize("width", WIDTHS)
def test_the_page_does_not_scroll_sideways(page: Page, width: int) -> None:
    page.width(width)
    assert page.run("checks.wide()") == []
    page.width(1400)


def test_print_fits_the_paper(page: Page) -> None:
    page.media("print")
    page.width(A4)
    assert page.run("checks.wide()") == []
    page.width(1400)
    page.media()
    printed = base64.b64decode(page.call("Page.printToPDF", printBackground=True)["data"])
    assert printed.startswith(b"%PDF") and len(printed) > 10_000


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_text_contrasts_with_its_ground(page: Page, mode: str) -> None:
    page.media("screen", prefers_color_scheme=mode)
    assert page.run("getComputedStyle(document.body).backgroundColor") == {
        "light": "rgb(255, 255, 255)",
        "dark": "rgb(20, 24, 29)",
    }.get(mode)
    assert page.run("checks.contrast()") == []
    page.media()


@pytest.mark.parametrize("check", ["duplicateIds", "headings", "pictures", "tables", "names", "points"])
def test_readers_and_the_script_find_their_way(page: Page, check: str) -> None:
    assert page.run(f"checks.{check}()") == []


def test_the_skip_link_leads_to_the_content(page: Page) -> None:
    page.run("document.activeElement.blur(); document.body.focus(); getSelection().removeAllRanges(); scrollTo(0, 0)")
    page.key("Tab")
    assert page.run("document.activeElement.className") == "skip"
    assert page.run("document.activeElement.getBoundingClientRect().left >= 0")
    page.key("Enter")
    page.until("location.hash === '#main'")
    assert page.run("document.querySelector('main').id") == "main"
    page.run("history.replaceState(null, '', location.pathname)")


def test_motion_can_be_refused(page: Page) -> None:
    moves = "[...document.querySelectorAll('button, html')].filter(one => { const style = getComputedStyle(one);"
    moves += " return parseFloat(style.transitionDuration) > 0 || style.scrollBehavior === 'smooth' }).length"
    page.media("screen", prefers_reduced_motion="reduce")
    assert page.run(moves) == 0
    page.media()


def test_the_script_and_the_index_are_small(sites: Path) -> None:
    assert (sites / "committed/lockstep.js").stat().st_size <= 40_000
    assert (sites / "committed/index.html").stat().st_size < 1_000_000


@pytest.mark.skipif(not os.environ.get("LOCKSTEP_PAINT"), reason="a time: set LOCKSTEP_PAINT=1 on an idle machine")
def test_the_index_paints_at_once(tab: Page, address: str) -> None:
    times = []
    for _ in range(5):
        tab.go(f"{address}/committed/index.html")
        tab.until("performance.getEntriesByName('first-contentful-paint').length")
        times.append(tab.run("performance.getEntriesByName('first-contentful-paint')[0].startTime"))
    print(f"first paint: {times} ms")
    assert statistics.median(times) < 500


def test_the_page_is_whole_without_script(tab: Page, address: str) -> None:
    tab.call("Emulation.setScriptExecutionDisabled", value=True)
    try:
        for name in PAGES:
            tab.go(f"{address}/committed/{name}.html")
            content = "main section, tr.claim, figure svg, main table, main p, main pre"
            lost = tab.run(
                f"[...document.querySelectorAll('{content}')].filter(one => !one.closest('details')"
                " && !one.getClientRects().length).map(one => one.tagName + ' ' + one.textContent.slice(0, 40))"
            )
            assert lost == []
            assert tab.run("document.querySelectorAll('.plot, .tools, .copy, .sort').length") == 0
            assert tab.run("[...document.querySelectorAll('.claim-filter, .pickers')].every(one => one.hidden)")
    finally:
        tab.call("Emulation.setScriptExecutionDisabled", value=False)
