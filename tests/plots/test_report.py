"""The page: whole, self-contained, and the same for any device."""

from __future__ import annotations

import base64
import csv
import io
import json
import os
import re
import shutil
import subprocess
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from plots.catalog import ROOT
from plots.cli import main
from plots.gather import gather
from plots.load import load
from plots.report import render
from plots.results import Results
from tests.plots.conftest import FIXTURE

VOID = {"meta", "link", "br", "path", "use", "rect", "circle", "line"}


@pytest.fixture(scope="module")
def page() -> str:
    results = load(FIXTURE)
    return render(results, gather(results, folder=FIXTURE))


class Links(HTMLParser):
    """Collects ids and link targets, and checks that elements nest."""

    def __init__(self) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.targets: list[str] = []
        self.open: list[str] = []
        self.figures = 0

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        values = dict(attributes)
        self.ids += [values["id"] or ""] if "id" in values else []
        self.targets += [value or "" for name, value in attributes if name in ("href", "src")]
        self.figures += tag == "figure"
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.open.pop() == tag


def read(page: str) -> Links:
    links = Links()
    links.feed(page)
    links.close()
    assert links.open == []
    return links


def test_every_figure_and_table_is_there_with_its_data(page: str, results: Results) -> None:
    (section,) = [section for section in gather(results, folder=FIXTURE) if section.experiment.name == "random_grids"]
    pages = [section.across, *section.pages]
    drawings = [(one.slug, drawing) for one in pages for drawing in one.drawings]
    links = read(page)
    assert links.figures == len(drawings) > 10
    for slug, drawing in drawings:
        assert f"random_grids-{slug}-{drawing.name}" in links.ids
    data = [target for target in links.targets if target.startswith("data:text/csv;base64,")]
    assert len(data) == len(drawings) + sum(len(one.tables) for one in pages) + len(section.pages)
    for target in data:
        rows = list(csv.reader(io.StringIO(base64.b64decode(target.split(",", 1)[1]).decode("utf-8"))))
        assert len(rows) > 1


def test_nothing_is_fetched_and_links_are_alive(page: str) -> None:
    links = read(page)
    for target in links.targets:
        assert target.startswith(("#", "data:")), target
        if target.startswith("#"):
            assert target[1:] in links.ids, target
    assert not re.search(r"https?://|@import|<script", page)


def test_ids_are_unique(page: str) -> None:
    ids = read(page).ids
    assert len(ids) == len(set(ids))


def test_every_claim_has_a_verdict_per_device(page: str) -> None:
    rows = dict(re.findall(r'<tr id="(B\d\d)">(.*?)</tr>', page, re.DOTALL))
    assert len(rows) == 31
    for row in rows.values():
        assert row.count('class="verdict ') == 3


def test_findings_come_first(page: str) -> None:
    assert page.index('id="findings"') < page.index('id="random_grids"')
    assert "2.63x as fast as the slides" in page


def test_colours_follow_the_mode(page: str) -> None:
    assert "prefers-color-scheme: dark" in page
    svg = page[page.index("<svg") : page.index("</svg>")]
    assert "var(--ink)" in svg and "#1b1f24" not in svg


def test_a_new_device_is_everywhere_without_an_edit(tmp_path: Path) -> None:
    shutil.copytree(FIXTURE, tmp_path / "results")
    source = tmp_path / "results" / "imaginary-gpu-x" / "random_grids.json"
    other = (
        source.read_text(encoding="utf-8")
        .replace("Imaginary GPU X", "Unheard-of GPU")
        .replace("imaginary-gpu-x", "unheard-of-gpu")
    )
    target = tmp_path / "results" / "unheard-of-gpu" / "random_grids.json"
    target.parent.mkdir()
    target.write_text(other, encoding="utf-8")
    assert main(["report", "--results", str(tmp_path / "results"), "--out", str(tmp_path / "out")]) == 0
    page = (tmp_path / "out" / "index.html").read_text(encoding="utf-8")
    assert page.count('id="random_grids-unheard-of-gpu-') == page.count('id="random_grids-imaginary-gpu-x-')
    assert "<th>Unheard-of GPU</th>" in page


def test_an_experiment_that_declares_nothing_still_shows(tmp_path: Path) -> None:
    shutil.copytree(FIXTURE, tmp_path / "results")
    path = tmp_path / "results" / "imaginary-gpu-x" / "random_grids.json"
    content = json.loads(path.read_text(encoding="utf-8"))
    for case in content["cases"]:
        case["experiment"] = "something_else"
    path.with_name("something_else.json").write_text(json.dumps(content), encoding="utf-8")
    assert (
        main(["report", "something_else", "--results", str(tmp_path / "results"), "--out", str(tmp_path / "out")]) == 0
    )
    assert "Something else" in (tmp_path / "out" / "index.html").read_text(encoding="utf-8")


def test_without_results_the_papers_numbers_make_a_page(tmp_path: Path) -> None:
    assert main(["report", "--results", str(tmp_path / "none"), "--out", str(tmp_path)]) == 0
    assert "Not measured yet" in (tmp_path / "index.html").read_text(encoding="utf-8")


def test_claims_on_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", "--claims", "--results", str(FIXTURE)]) == 0
    said = capsys.readouterr().out
    assert len(re.findall(r"^B\d\d ", said, re.MULTILINE)) == 31 * 3
    assert "\033" not in said


def test_figures_writes_svg_png_and_csv(tmp_path: Path) -> None:
    assert main(["figures", "--results", str(FIXTURE), "--out", str(tmp_path)]) == 0
    folder = tmp_path / "figures" / "random_grids" / "imaginary-gpu-x"
    for suffix in (".svg", ".png", ".csv"):
        assert (folder / f"speed_occupied{suffix}").stat().st_size > 100
    assert (
        (folder / "table_slides.md").read_text(encoding="utf-8").startswith("**The slides' numbers: Imaginary GPU X**")
    )
    assert (tmp_path / "figures" / "random_grids" / "all-devices" / "slides.svg").is_file()


def test_an_unknown_experiment_is_an_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", "nonsense", "--results", str(FIXTURE), "--out", str(tmp_path)]) == 2
    assert "unknown experiment nonsense (known are object_layout, random_grids" in capsys.readouterr().err


#: Counts, in the browser, missing figures, overflow and dead links; the result becomes the page's last element.
PROBE = """<script>window.addEventListener('load', () => {
  const seen = [...document.querySelectorAll('figure')].filter((f) => f.querySelector('svg').getBoundingClientRect().width > 100);
  const wide = document.documentElement.scrollWidth - document.documentElement.clientWidth;
  const dead = [...document.links].filter((a) => a.hash && a.protocol == 'file:' && !document.getElementById(a.hash.slice(1)));
  const said = document.body.appendChild(document.createElement('output'));
  said.textContent = `seen ${seen.length} wide ${wide} dead ${dead.length}`;
})</script></body>"""


@pytest.mark.skipif("LOCKSTEP_CHROMIUM" not in os.environ, reason="opt-in: LOCKSTEP_CHROMIUM names a headless browser")
@pytest.mark.parametrize("width", [500, 1400])
@pytest.mark.parametrize("folder", [FIXTURE, ROOT / "results"], ids=["made up", "committed"])
def test_a_browser_shows_the_page_without_errors(folder: Path, width: int, tmp_path: Path) -> None:
    page = render(load(folder), gather(load(folder), folder=folder))
    path = tmp_path / "index.html"
    path.write_text(page.replace("</body>", PROBE), encoding="utf-8")
    flags = ["--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr", "--dump-dom"]
    shown = subprocess.run(
        [os.environ["LOCKSTEP_CHROMIUM"], *flags, f"--window-size={width},2000", path.as_uri()],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert "CONSOLE" not in shown.stderr
    assert f"<output>seen {page.count('<figure')} wide 0 dead 0</output>" in shown.stdout


def test_the_limits_tell_what_a_launch_costs_the_host_from_what_it_costs_the_device(page: str) -> None:
    results = load(FIXTURE)
    device = results.devices[0]
    launches = {"launch": {"value": 4e-6, "unit": "s"}, "launch.graph": {"value": 1e-6, "unit": "s"}}
    limits = dict(device.limits) | launches
    measured = replace(results, devices=(replace(device, limits=limits), *results.devices[1:]))
    text = render(measured, [])
    assert "the host's time to queue a kernel" in text and "launch.graph</td><td>1 us" in text
    assert "the host's time to queue a kernel" not in page
