"""The site: whole, alive in every link, without anything from elsewhere, and the same for any device."""

from __future__ import annotations

import csv
import io
import json
import re
import shutil
import zipfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from plots.catalog import names
from plots.claims import KINDS
from plots.cli import main
from plots.gather import Section, gather
from plots.load import load
from plots.results import Results
from plots.site import render
from plots.site.figure_card import figure_id
from plots.site.place import ZIP
from tests.plots.committed import RESULTS, committed_results, committed_sections
from tests.plots.conftest import FIXTURE
from tests.plots.site_links import dead_links, read, repeated_ids

#: What a page may weigh: the index shows at once, the script stays small.
MEGABYTE, SCRIPT = 1_000_000, 40_000
DRAWN = b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"></svg>'

Site = dict[str, bytes]


@pytest.fixture(scope="module")
def loaded() -> Results:
    return load(FIXTURE)


@pytest.fixture(scope="module")
def site(loaded: Results) -> Site:
    return render(loaded, gather(loaded, folder=FIXTURE), folder=FIXTURE)


@pytest.fixture(scope="module")
def single(loaded: Results) -> bytes:
    files = render(loaded, gather(loaded, folder=FIXTURE), single_file=True, folder=FIXTURE)
    assert list(files) == ["index.html"]
    return files["index.html"]


@pytest.fixture
def grids_section(results: Results) -> Section:
    return next(one for one in gather(results, folder=FIXTURE) if one.experiment.name == "random_grids")


@pytest.fixture
def undrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Drawing is most of the work, and tests/browser looks at the drawings."""
    monkeypatch.setattr("plots.site.figure_card.draw_many", lambda jobs, *kinds: [{"svg": DRAWN} for _ in jobs])


def other_device(folder: Path, slower: float = 1.0) -> Path:
    """The results of the made-up machines, and of one more GPU, whose times are longer."""
    shutil.copytree(FIXTURE, folder / "results")
    source = folder / "results" / "imaginary-gpu-x" / "random_grids.json"
    text = source.read_text(encoding="utf-8").replace("Imaginary GPU X", "Unheard-of GPU")
    content = json.loads(text.replace("imaginary-gpu-x", "unheard-of-gpu"))
    for case in content["cases"]:
        case["time"] = {
            name: value * slower if name in ("median", "low", "high") else value
            for name, value in (case["time"] or {}).items()
        } or None
    target = folder / "results" / "unheard-of-gpu" / "random_grids.json"
    target.parent.mkdir()
    target.write_text(json.dumps(content), encoding="utf-8")
    return folder / "results"


def test_the_site_has_every_page_and_its_files(site: Site) -> None:
    assert {"index.html", "random_grids.html", "limits.html", "lockstep.css", "lockstep.js", ".nojekyll"} <= set(site)
    assert ZIP in site and len(site["lockstep.js"]) <= SCRIPT


def test_every_link_leads_somewhere_and_ids_are_unique(site: Site) -> None:
    assert list(dead_links(site)) == []
    assert repeated_ids(site) == []


def test_nothing_is_loaded_from_elsewhere(site: Site) -> None:
    for name, content in site.items():
        if name.endswith((".html", ".css")):
            assert not re.search(rb"@import|url\(\s*['\"]?https?:|<(?:script|link|img)[^>]*https?:", content), name


def test_a_broken_link_is_found(site: Site) -> None:
    """Negative controls."""
    planted = ("nowhere.html", "#nobody", "random_grids.html#verdict=perhaps", "https://example.org/", "data/none.csv")
    for target in planted:
        broken = site["index.html"].replace(b"<h1>", f'<h1><a href="{target}"></a>'.encode())
        assert list(dead_links({**site, "index.html": broken})) == [f"index.html: {target}"]
    twice = site["index.html"].replace(b"<h1>", b'<h1 id="methods">')
    assert repeated_ids({**site, "index.html": twice}) == ["index.html: methods"]
    without = {name: content for name, content in site.items() if not name.endswith("speed_occupied.csv")}
    assert list(dead_links(without))


def test_every_figure_and_table_is_there_with_its_data(site: Site, grids_section: Section) -> None:
    pages = [grids_section.across, *grids_section.pages]
    links = read(site["random_grids.html"])
    drawings = [(page, drawing) for page in pages for drawing in page.drawings]
    assert links.figures == len(drawings) > 10
    for page, drawing in drawings:
        assert figure_id(grids_section, page, drawing.name) in links.ids
        base = f"data/random_grids/{page.slug}/{drawing.name}"
        assert site[f"{base}.csv"] == drawing.csv().encode() and site[f"{base}.svg"].startswith(b"<?xml")
        points = [len(one["points"]) for one in json.loads(site[f"{base}.json"])["series"]]
        assert points == [len(series.points) for series in drawing.series] or drawing.shape == "cells"
    for page in pages:
        for table in page.tables:
            rows = json.loads(site[f"data/random_grids/{page.slug}/table_{table.name}.json"])["rows"]
            assert len(rows) == len(table.plain_rows) > 0
    rows = list(csv.DictReader(io.StringIO(site["data/random_grids/imaginary-gpu-x/cases.csv"].decode())))
    view = grids_section.pages[0].view
    assert view is not None and len(rows) == len(view.cases)
    assert [row["variant"] for row in rows] == [case.variant for case in view.cases]


def test_the_archive_depends_on_its_contents_only(site: Site, loaded: Results) -> None:
    again = render(loaded, gather(loaded, folder=FIXTURE), folder=FIXTURE)
    assert again[ZIP] == site[ZIP]
    with zipfile.ZipFile(io.BytesIO(site[ZIP])) as archive:
        found = set(archive.namelist())
        data = {f"lockstep-results/{name}" for name in site if name.startswith("data/") and name != ZIP}
        results = {f"lockstep-results/results/{path.relative_to(FIXTURE)}" for path in FIXTURE.glob("*/*.json")}
        assert found >= data | results | {"lockstep-results/README.txt"}
        assert archive.testzip() is None


def test_claims_come_first_and_have_a_verdict_each(site: Site) -> None:
    page = site["random_grids.html"].decode()
    rows = re.findall(r'<tr id="(B\d\d)" class="claim" data-verdict="([\w-]+)" data-paper-verdict="(\w+)">', page)
    assert len(rows) == 32 and {verdict for _, verdict, _ in rows} <= set(KINDS)
    assert {own for _, _, own in rows} >= {"contradicted", "agrees", "none"}
    assert page.index('id="B01"') < page.index("<figure")
    assert page.index("Imaginary GPU X</th>") < page.index('id="B01"')
    assert "Imaginary CPU Y</th>" not in page and 'data-device="imaginary-cpu-y"' in page


def test_a_claim_says_what_shows_its_number(site: Site) -> None:
    row = re.search(r'<tr id="B17".*?</tr>', site["random_grids.html"].decode(), re.DOTALL)
    assert row is not None and 'href="#random_grids-imaginary-gpu-x-registers"' in row.group()


@pytest.mark.parametrize("name", names())
def test_what_shows_a_claim_is_declared(name: str) -> None:
    from plots.catalog import load_experiment

    experiment = load_experiment(name)
    declared = {spec.name for spec in [*experiment.figures, *experiment.tables]}
    named = {claim.figure for claim in experiment.claims if claim.figure}
    assert named and named <= declared


def test_the_index_counts_links_and_says_how_fast(site: Site) -> None:
    page = site["index.html"].decode()
    counts = re.findall(r'<strong class="count [\w-]+">(\d+) ', page)
    claims = re.search(r"judges\s+(\d+) claims", page)
    assert claims is not None and sum(map(int, counts)) == int(claims.group(1)) == 32
    assert 'href="random_grids.html#verdict=holds"' in page
    assert re.search(r"<strong>[\d.]+x</strong> as fast as the paper&#39;s method", page)
    assert 'id="contradicted"' in page and 'href="random_grids.html#B20"' in page
    assert "Threadwise implementation is faster" in page, "the main claim"
    assert re.search(r"slower in \d+ of \d+|never slower in \d+", page)


def test_colours_follow_the_mode(site: Site) -> None:
    assert b"prefers-color-scheme: dark" in site["lockstep.css"]
    page = site["random_grids.html"].decode()
    svg = page[page.index("<svg") : page.index("</svg>")]
    assert "var(--ink)" in svg and "#1b1f24" not in svg


def test_one_file_holds_everything(single: bytes) -> None:
    links = read(single)
    assert all(target.startswith(("#", "data:", "https://")) for target in links.targets)
    assert list(dead_links({"index.html": single})) == [] and repeated_ids({"index.html": single}) == []
    assert sum(target.startswith("data:application/zip;base64,") for target in links.targets) == 1
    assert b"prefers-color-scheme" in single and b'data-page="index"' in single


def test_a_new_device_is_everywhere_without_an_edit(tmp_path: Path, undrawn: None) -> None:
    folder = other_device(tmp_path)
    assert main(["report", "--results", str(folder), "--out", str(tmp_path / "out")]) == 0
    page = (tmp_path / "out" / "random_grids.html").read_text(encoding="utf-8")
    assert page.count('id="random_grids-unheard-of-gpu-') == page.count('id="random_grids-imaginary-gpu-x-') > 10
    assert '<th scope="col">Unheard-of GPU</th>' in page and '<option value="unheard-of-gpu">' in page


def test_two_devices_are_compared(tmp_path: Path, undrawn: None) -> None:
    results = load(other_device(tmp_path, slower=2.0))
    files = render(results, gather(results, folder=FIXTURE), folder=tmp_path / "results")
    page = files["random_grids.html"].decode()
    assert "the ratio can include changes" not in page
    pairs = re.findall(r'<section class="against" data-a="([\w-]+)" data-b="([\w-]+)">(.*?)</section>', page, re.DOTALL)
    found = {(a, b): text for a, b, text in pairs}
    assert {("imaginary-gpu-x", "unheard-of-gpu"), ("unheard-of-gpu", "imaginary-gpu-x")} <= set(found)
    cells = re.findall(r"<td[^>]*>([^<]*)</td>", found["imaginary-gpu-x", "unheard-of-gpu"])
    assert "0.500x" in cells and "2.00x" not in cells
    assert "2.00x" in re.findall(r"<td[^>]*>([^<]*)</td>", found["unheard-of-gpu", "imaginary-gpu-x"])


def test_the_folder_keeps_what_else_is_in_it(tmp_path: Path, undrawn: None) -> None:
    mine = [tmp_path / "notes.txt", tmp_path / "data" / "mine.csv", tmp_path / "figures" / "a.svg"]
    for path in mine:
        path.parent.mkdir(exist_ok=True)
        path.write_text("mine", encoding="utf-8")
    for _ in range(2):
        assert main(["report", "--results", str(FIXTURE), "--out", str(tmp_path)]) == 0
    assert [path.read_text(encoding="utf-8") for path in mine] == ["mine"] * 3


def test_the_committed_results_make_a_site(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, undrawn: None, unsynced: None
) -> None:
    """The command that CI and a static host use: every link, id and file, and what pages weigh."""

    def load_once(folder: Path) -> Results:
        assert folder == RESULTS
        return committed_results()

    def gather_once(results: Results, only: Sequence[str], folder: Path) -> list[Section]:
        assert results is committed_results() and (list(only), folder) == ([], RESULTS)
        return committed_sections()

    monkeypatch.setattr("plots.drawing_progress.load_results", load_once)
    monkeypatch.setattr("plots.drawing_progress.gather", gather_once)
    assert main(["report", "--out", str(tmp_path)]) == 0
    files = {str(path.relative_to(tmp_path)): path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    assert list(dead_links(files)) == [] and repeated_ids(files) == []
    assert len(files["index.html"]) < MEGABYTE
    assert {f"{name}.html" for name in names()} <= set(files)
    claims = [row for name in names() for row in re.findall(rb'<tr id="(\w+)" class="claim"', files[f"{name}.html"])]
    assert len(claims) == len(set(claims)) > 140


def test_an_experiment_that_declares_nothing_still_shows(tmp_path: Path, undrawn: None) -> None:
    shutil.copytree(FIXTURE, tmp_path / "results")
    path = tmp_path / "results" / "imaginary-gpu-x" / "random_grids.json"
    content = json.loads(path.read_text(encoding="utf-8"))
    for case in content["cases"]:
        case["experiment"] = "something_else"
    path.with_name("something_else.json").write_text(json.dumps(content), encoding="utf-8")
    folders = ["--results", str(tmp_path / "results"), "--out", str(tmp_path / "out")]
    assert main(["report", "something_else", *folders]) == 0
    assert "Something else" in (tmp_path / "out" / "index.html").read_text(encoding="utf-8")
    assert (tmp_path / "out" / "something_else.html").is_file()


def test_without_results_the_papers_numbers_make_a_site(tmp_path: Path, undrawn: None) -> None:
    (tmp_path / "none").mkdir()
    assert main(["report", "--results", str(tmp_path / "none"), "--out", str(tmp_path)]) == 0
    files = {str(path.relative_to(tmp_path)): path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    assert b"Not measured yet" in files["index.html"] and list(dead_links(files)) == []


@pytest.mark.parametrize("words", [["report"], ["report", "--claims"], ["figures"]])
def test_a_folder_that_does_not_exist_is_refused(
    words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert (
        main([*words, "--results", str(tmp_path / "none"), *([] if "--claims" in words else ["--out", str(tmp_path)])])
        == 2
    )
    assert f"no folder {tmp_path / 'none'} (there is nothing to read)" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_claims_on_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", "--claims", "--results", str(FIXTURE)]) == 0
    said = capsys.readouterr().out
    assert len(re.findall(r"^B\d\d ", said, re.MULTILINE)) == 32 * 3
    assert "\033" not in said


def test_figures_writes_svg_png_and_csv(tmp_path: Path) -> None:
    assert main(["figures", "--results", str(FIXTURE), "--out", str(tmp_path)]) == 0
    folder = tmp_path / "figures" / "random_grids" / "imaginary-gpu-x"
    for suffix in (".svg", ".png", ".csv"):
        assert (folder / f"speed_occupied{suffix}").stat().st_size > 100
    table = (folder / "table_slides.md").read_text(encoding="utf-8")
    assert table.startswith("**The slides' numbers: Imaginary GPU X**")
    assert (tmp_path / "figures" / "random_grids" / "all-devices" / "slides.svg").is_file()


def test_an_unknown_experiment_is_an_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", "nonsense", "--results", str(FIXTURE), "--out", str(tmp_path)]) == 2
    assert "unknown experiment nonsense (known are object_layout, random_grids" in capsys.readouterr().err


def test_the_limits_tell_what_a_launch_costs_the_host_from_what_it_costs_the_device(site: Site) -> None:
    results = load(FIXTURE)
    device = results.devices[0]
    launches = {"launch": {"value": 4e-6, "unit": "s"}, "launch.graph": {"value": 1e-6, "unit": "s"}}
    measured = replace(results, devices=(replace(device, limits=dict(device.limits) | launches), *results.devices[1:]))
    text = render(measured, [], folder=FIXTURE)["limits.html"].decode()
    assert "the host's time to queue a kernel" in text.replace("&#39;", "'")
    assert re.search(r"<td>launch.graph</td><td data-value=\"1e-06\">1 us</td><td>the device", text)
    assert b"queue a kernel" not in site["limits.html"]


def test_devices_of_two_commits_are_compared_with_a_warning(tmp_path: Path, undrawn: None) -> None:
    folder = other_device(tmp_path)
    path = folder / "unheard-of-gpu" / "random_grids.json"
    path.write_text(
        re.sub(r'"commit": "\w+"', '"commit": "fedcba98765"', path.read_text(encoding="utf-8")), encoding="utf-8"
    )
    results = load(folder)
    page = render(results, gather(results, folder=FIXTURE), folder=folder)["random_grids.html"].decode()
    (text,) = re.findall(r'<p class="quiet">(Imaginary GPU X has [^<]*)</p>\s*<section class="against"', page)
    assert "rows from commit 0123456789; Unheard-of GPU has" in text and "the ratio can include changes" in text
    assert "1.00x*" in page


def test_the_index_says_how_results_are_checked_and_counts_in_words(site: Site) -> None:
    text = " ".join(site["index.html"].decode().split())
    assert "checks every timed result against a CPU reference, whole or in a sample" in text
    assert "1 fails in the papers' own printed numbers" in text.replace("&#39;", "'")
