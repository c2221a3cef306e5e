"""What the page's script does, by mouse and by keyboard."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from tests.browser.chromium import Browser, Page

GRAPH = "window.graph"


@pytest.fixture(scope="module")
def paper(tab: Page, address: str) -> Page:
    """The page of a paper, with `graph` a figure of several series that has another scale."""
    tab.go(f"{address}/committed/object_layout.html")
    tab.run(
        """window.graph = [...document.querySelectorAll('section.device figure.figure')].find(one =>
            one.querySelector('template.other-scale') && one.querySelector('svg [data-label]')
            && new Set(JSON.parse(one.querySelector('.figure-data').textContent).series.map(s => s.label)).size > 1);
        graph.scrollIntoView({ block: 'start', behavior: 'instant' }); 0"""
    )
    tab.until(f"{GRAPH}.querySelector('.plot')")
    return tab


@pytest.fixture
def graph(paper: Page) -> Iterator[Page]:
    """The figure in view, with all of its series shown and nothing in focus."""
    paper.run(f"document.activeElement.blur(); {GRAPH}.scrollIntoView({{ block: 'start', behavior: 'instant' }})")
    yield paper
    paper.mouse("mouseMoved", 1, 1)


def middle(page: Page, element: str) -> tuple[float, float]:
    """Where an element is in the window, once the page is scrolled to it."""
    x, y = page.run(
        f"""(one => {{
        one.scrollIntoView({{ block: 'center', behavior: 'instant' }});
        const box = one.getBoundingClientRect();
        return [box.x + box.width / 2, box.y + box.height / 2]; }})({element})"""
    )
    return x, y


def press(page: Page, element: str) -> None:
    page.click(*middle(page, element))


def data(page: Page) -> Any:
    return json.loads(page.run(f"{GRAPH}.querySelector('.figure-data').textContent"))


def tip(page: Page) -> str:
    return str(page.run(f"(one => one.hidden ? '' : one.innerText)({GRAPH}.querySelector('.tip'))"))


def test_the_mouse_shows_value_interval_and_case(graph: Page) -> None:
    for number, series in enumerate(data(graph)["series"]):
        points = series["points"]
        marker = f"{GRAPH}.querySelectorAll('[data-series=\"{number}\"] use')"
        if not points or series["grey"] or graph.run(f"{marker}.length") != len(points):
            continue
        place = len(points) // 2
        x, y = middle(graph, f"{marker}[{place}]")
        graph.mouse("mouseMoved", x, y)
        shown = tip(graph)
        same = [other for one in data(graph)["series"] for other in one["points"] if other["text"] in shown]
        assert any(point["case"] and point["case"] in shown for point in same), shown
        if number == 0:
            assert points[place]["text"] in shown and points[place]["case"] in shown
            assert points[place]["low"] == points[place]["high"] or "[" in shown
    box = graph.run(f"(box => [box.left, box.right])({GRAPH}.querySelector('.tip').getBoundingClientRect())")
    assert 0 <= box[0] < box[1] <= 1400
    graph.mouse("mouseMoved", 1, 1)
    assert tip(graph) == ""


def test_arrow_keys_move_between_points(graph: Page) -> None:
    graph.run(f"{GRAPH}.querySelector('.plot').focus()")
    points = data(graph)["series"][0]["points"]
    graph.key("ArrowRight")
    assert points[0]["text"] in tip(graph)
    graph.key("ArrowRight")
    assert points[1]["text"] in tip(graph) and points[1]["case"] in tip(graph)
    graph.until(f"document.querySelector('[aria-live]').textContent.includes({json.dumps(points[1]['case'])})")
    graph.key("ArrowLeft")
    assert points[0]["text"] in tip(graph)
    graph.key("ArrowDown")
    assert any(point["text"] in tip(graph) for point in data(graph)["series"][1]["points"])
    graph.key("Escape")
    assert tip(graph) == ""


def shown(page: Page, number: int) -> bool:
    return bool(page.run(f"{GRAPH}.querySelector('[data-series=\"{number}\"]').getClientRects().length > 0"))


def test_a_click_on_a_label_hides_its_series(graph: Page) -> None:
    label = f"{GRAPH}.querySelector('g[data-label] text').parentElement"
    numbers = [int(number) for number in graph.run(f"{label}.dataset.label").split()]
    others = [number for number in range(len(data(graph)["series"])) if number not in numbers]
    press(graph, label)
    assert not any(shown(graph, number) for number in numbers)
    assert all(shown(graph, number) for number in others)
    press(graph, label)
    assert all(shown(graph, number) for number in numbers)


@pytest.mark.parametrize("part", ["interval", "number", "leader"])
def test_what_belongs_to_a_series_is_hidden_with_it(paper: Page, part: str) -> None:
    paper.run(
        f"""window.owner = [...document.querySelectorAll('section.device figure.figure')].find(one =>
            one.getClientRects().length && one.querySelector('svg [data-{part}]')
            && new Set(JSON.parse(one.querySelector('.figure-data').textContent).series.map(s => s.label)).size > 1);
        owner.scrollIntoView({{ block: 'start', behavior: 'instant' }}); 0"""
    )
    paper.until("owner.querySelector('.names button')")
    press_all = "owner.querySelectorAll('.names button').forEach(one => one.click())"
    parts = ", ".join(f".plot svg [data-{kind}]" for kind in ("series", "interval", "number", "leader"))
    seen = f"[...owner.querySelectorAll('{parts}')].filter(one => one.getClientRects().length).length"
    before = paper.run(seen)
    first = f"[...owner.querySelectorAll('.plot svg [data-{part}]')].find(one => one.getClientRects().length)"
    numbers = paper.run(f"(window.shown = {first}).dataset.{part}").split()
    label = "[...owner.querySelectorAll('.names button')].filter(one => one.dataset.numbers.split(' ').some(n => {}.includes(n)))"
    paper.run(f"{label.format(numbers)}.forEach(one => one.click())")
    assert 0 < paper.run(seen) < before and paper.run("shown.getClientRects().length") == 0
    paper.run(f"{label.format(numbers)}.forEach(one => one.click())")
    assert paper.run(seen) == before
    paper.run(press_all)
    assert paper.run(seen) == 0
    paper.run(press_all)
    assert paper.run(seen) == before


def test_a_button_hides_its_series(graph: Page) -> None:
    press(graph, f"{GRAPH}.querySelector('details.series summary')")
    button = f"{GRAPH}.querySelector('.names button')"
    graph.run(f"{button}.focus()")
    graph.key("Enter")
    assert not shown(graph, 0)
    assert graph.run(f"{button}.getAttribute('aria-pressed')") == "false"
    graph.key("Enter")
    assert shown(graph, 0)
    assert graph.run(f"{button}.getAttribute('aria-pressed')") == "true"


def test_the_scale_is_swapped_and_points_are_found_on_it(graph: Page) -> None:
    before = graph.run(f"{GRAPH}.querySelector('svg').outerHTML.replace(/<circle.*?circle>/, '')")
    scale = graph.run(f"{GRAPH}.dataset.scale")
    press(graph, f"{GRAPH}.querySelector('button.scale')")
    assert graph.run(f"{GRAPH}.dataset.scale") == {"log": "linear", "linear": "log"}[scale]
    assert graph.run(f"{GRAPH}.querySelectorAll('.plot svg').length") == 1
    assert graph.run(f"{GRAPH}.querySelector('svg').outerHTML.replace(/<circle.*?circle>/, '')") != before
    for number, series in enumerate(data(graph)["series"]):
        marker = f"{GRAPH}.querySelectorAll('[data-series=\"{number}\"] use')"
        if series["grey"] or graph.run(f"{marker}.length") != len(series["points"]):
            continue
        graph.mouse("mouseMoved", *middle(graph, f"{marker}[0]"))
        at = graph.run(
            f"(box => [box.x + box.width / 2, box.y + box.height / 2])({GRAPH}.querySelector('.ring').getBoundingClientRect())"
        )
        x, y = middle(graph, f"{marker}[0]")
        assert tip(graph) and abs(at[0] - x) < 9 and abs(at[1] - y) < 9
    press(graph, f"{GRAPH}.querySelector('button.scale')")
    assert graph.run(f"{GRAPH}.dataset.scale") == scale


def test_a_table_is_sorted_by_its_heads(paper: Page) -> None:
    paper.run(
        """window.column = (table, at) => [...table.tBodies[0].rows].map(row => row.cells[at].dataset.value);
        window.found = [...document.querySelectorAll('table.sortable')].flatMap(table =>
            [...table.querySelectorAll('thead th')].map((head, at) => ({ table, head, at }))).find(({ table, head, at }) =>
            head.querySelector('.sort') && new Set(column(table, at).filter(Boolean)).size > 3); 0"""
    )
    column = "window.column(found.table, found.at).filter(Boolean).map(Number)"
    original = paper.run(column)
    for order, expected in (("ascending", sorted(original)), ("descending", sorted(original, reverse=True))):
        press(paper, "found.head.querySelector('.sort')")
        assert paper.run("found.head.getAttribute('aria-sort')") == order
        assert paper.run(column) == expected
    press(paper, "found.head.querySelector('.sort')")
    assert paper.run("found.head.getAttribute('aria-sort')") is None
    assert paper.run(column) == original


def test_a_command_is_copied(paper: Page, browser: Browser, address: str) -> None:
    browser.call(
        "Browser.grantPermissions", permissions=["clipboardReadWrite", "clipboardSanitizedWrite"], origin=address
    )
    command = paper.run("document.querySelector('main code.command').textContent").strip()
    press(paper, "document.querySelector('main code.command + button.copy')")
    paper.until("document.querySelector('main button.copy').textContent === 'Copied'")
    assert paper.run("navigator.clipboard.readText()") == command
    assert command.startswith("./lockstep")


ROWS = "[...document.querySelectorAll('tr.claim')].filter(row => row.getClientRects().length)"


def test_claims_are_filtered_and_the_address_keeps_it(paper: Page, address: str) -> None:
    url = f"{address}/committed/object_layout.html"
    paper.go(url)
    total = paper.run(f"{ROWS}.length")
    chip = "document.querySelector('.claim-filter button[data-verdict=\"does-not-hold\"]')"
    press(paper, chip)
    assert set(paper.run(f"{ROWS}.map(row => row.dataset.verdict)")) == {"does-not-hold"}
    failing = paper.run(f"{ROWS}.length")
    assert 0 < failing < total
    assert f"{failing} of {total}" in paper.run("document.querySelector('.claim-filter .count').textContent")
    word = paper.run(f"{ROWS}[0].id")
    paper.run("document.querySelector('.claim-filter input').focus()")
    paper.call("Input.insertText", text=word)
    assert paper.run(f"{ROWS}.map(row => row.id)") == [word]
    paper.go(paper.run("location.href"))
    assert paper.run(f"{ROWS}.map(row => row.id)") == [word]
    assert paper.run(f"{chip}.getAttribute('aria-pressed')") == "true"
    assert paper.run("document.querySelector('.claim-filter input').value") == word
    other = paper.run(f"[...document.querySelectorAll('tr.claim')].find(row => row.id !== '{word}').id")
    paper.go(f"{url}#{other}")
    assert paper.run(f"{ROWS}.length") == total


def test_the_index_links_to_filtered_claims(tab: Page, address: str) -> None:
    tab.go(f"{address}/committed/index.html")
    link = tab.run("document.querySelector('.counts a[href*=\"does-not-hold\"]').href")
    count = int(tab.run("document.querySelector('.counts a[href*=\"does-not-hold\"]').textContent").split()[0])
    tab.go(link)
    assert set(tab.run(f"{ROWS}.map(row => row.dataset.verdict)")) == {"does-not-hold"}
    assert tab.run(f"{ROWS}.length") == count


DEVICES = "[...document.querySelectorAll('section.device')].filter(one => !one.hidden).map(one => one.dataset.device)"
PAIRS = "[...document.querySelectorAll('section.against')].filter(one => !one.hidden).map(one => [one.dataset.a, one.dataset.b])"


def pick(page: Page, picker: str, value: str) -> None:
    page.run(
        f"(one => {{ one.value = '{value}'; one.dispatchEvent(new Event('change', {{ bubbles: true }})) }})"
        f"(document.getElementById('{picker}'))"
    )


def test_the_pickers_choose_what_is_shown(tab: Page, address: str) -> None:
    url = f"{address}/made_up/random_grids.html"
    tab.go(url)
    tab.run("localStorage.clear()")
    tab.go(url)
    gpu, cpu = "imaginary-gpu-x", "imaginary-cpu-y"
    assert {gpu, cpu} <= set(tab.run(DEVICES))
    assert tab.run("document.getElementById('device-picker').getClientRects().length") == 1
    pick(tab, "device-picker", cpu)
    assert tab.run(DEVICES) == [cpu]
    tab.go(url)
    assert tab.run(DEVICES) == [cpu]
    pick(tab, "against-picker", gpu)
    assert tab.run(PAIRS) == [[gpu, cpu]]
    pick(tab, "against-picker", "")
    assert tab.run(PAIRS) == []
    tab.go(f"{url}#device={gpu}")
    assert tab.run(DEVICES) == [gpu]
    hidden = tab.run(f"document.querySelector('section.device[data-device=\"{cpu}\"] [id]').id")
    tab.run(f"location.hash = '{hidden}'")
    tab.until(f"!document.getElementById('{hidden}').closest('section.device').hidden")
    tab.run("localStorage.clear()")
