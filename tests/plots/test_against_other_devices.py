"""A device beside the others on its page."""

from __future__ import annotations

from plots.gather import Page
from plots.interval import exact
from plots.results import Case, Device, View
from plots.shards import ASTERISK
from plots.site.against import _against


def page(name: str, *seconds: float, commit: str = "1") -> Page:
    device = Device(name, name)
    rows = [
        Case(
            device,
            "e",
            "a",
            "ours",
            device.machine,
            {"n": str(number)},
            items=1.0,
            time=exact(one),
            provenance={"commit": commit},
        )
        for number, one in enumerate(seconds)
    ]
    return Page(device.slug, device, View("e", device, rows))


def test_devices_are_compared_by_the_median_of_their_ratios() -> None:
    found = _against(page("x", 1.0, 1.0, 1.0), page("y", 0.5, 0.25, 4.0))
    assert found is not None
    (row,) = found.rows
    assert [text for text, _ in row[2:]] == ["3", "2.00x", "0.250 to 4.00", "2", "1", "0"]
    assert found.commits == ""


def test_a_ratio_of_two_commits_is_marked_and_explained() -> None:
    found = _against(page("x", 1.0, 1.0), page("y", 0.5, 0.25, commit="2"))
    assert found is not None and found.rows[0][3][0] == "3.00x*"
    assert found.commits.startswith(
        "x has 2 rows from commit 1; y has 2 rows from commit 2. In 2 of 2 pairs, the two commits"
    )
    assert "changes of the program" in found.commits and found.commits.endswith(ASTERISK)
