"""A device beside the others on its page."""

from __future__ import annotations

from plots.gather import Page
from plots.interval import exact
from plots.results import Case, Device, View
from plots.site.against import _against


def page(name: str, *seconds: float) -> Page:
    device = Device(name, name)
    rows = [
        Case(device, "e", "a", "ours", device.machine, {"n": str(number)}, items=1.0, time=exact(one))
        for number, one in enumerate(seconds)
    ]
    return Page(device.slug, device, View("e", device, rows))


def test_devices_are_compared_by_the_median_of_their_ratios() -> None:
    found = _against(page("x", 1.0, 1.0, 1.0), page("y", 0.5, 0.25, 4.0))
    assert found is not None
    (row,) = found.rows
    assert [text for text, _ in row[2:]] == ["3", "2x", "0.250 to 4", "2", "1", "0"]
