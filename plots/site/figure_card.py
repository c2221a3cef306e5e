"""A figure on a page: its drawing, the points for the script, and the links below it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from markupsafe import Markup

from plots.drawing import Drawing
from plots.draw_many import draw_many
from plots.gather import Page, Section
from plots.site.data_files import as_json, figure_json, folder
from plots.site.place import Place
from plots.style import themed

#: A drawing and whether it has the other scale of its y axis.
Key = tuple[int, bool]


@dataclass(frozen=True)
class FigureCard:
    """What a template needs of a figure. `other` is the drawing with the other scale: logarithmic or linear."""

    id: str
    title: str
    caption: str
    command: str
    scale: str
    svg: Markup
    other: Markup | None
    points: Markup
    links: tuple[tuple[str, str], ...]


class Pictures:
    """The SVG of every drawing, drawn once and on all cores."""

    def __init__(self, sections: Sequence[Section], step: Callable[[], None]) -> None:
        jobs = [
            (drawing, section.looks, False)
            for section in sections
            for page in [section.across, *section.pages]
            for drawing in page.drawings
        ]
        others = [(other, looks, True) for drawing, looks, _ in jobs if (other := other_scale(drawing)) is not None]
        owners = [id(drawing) for drawing, _, _ in jobs]
        owners += [id(drawing) for drawing, _, _ in jobs if other_scale(drawing) is not None]
        self._drawn: Mapping[Key, str] = {}
        drawn: dict[Key, str] = {}
        files = draw_many([(drawing, looks) for drawing, looks, _ in [*jobs, *others]], "svg")
        for owner, (_, _, is_other), made in zip(owners, [*jobs, *others], files):
            drawn[owner, is_other] = made["svg"].decode("utf-8")
            if not is_other:
                step()
        self._drawn = drawn

    def file(self, drawing: Drawing) -> bytes:
        return self._drawn[id(drawing), False].encode("utf-8")

    def picture(self, drawing: Drawing, prefix: str = "") -> Markup:
        return Markup(with_prefix(themed(self._drawn[id(drawing), False]), prefix))

    def other(self, drawing: Drawing) -> Markup | None:
        found = self._drawn.get((id(drawing), True))
        return Markup(with_prefix(themed(found), "other-")) if found is not None else None


def other_scale(drawing: Drawing) -> Drawing | None:
    """The drawing with a linear y axis instead of a logarithmic one, or the reverse, where both can show its points."""
    if drawing.shape != "lines" or any(series.kind == "trace" for series in drawing.series):
        return None
    if drawing.y.scale != "linear":
        return replace(drawing, y=replace(drawing.y, scale="linear"))
    values = [point.y.low for series in drawing.series for point in series.points]
    if not values or min(values) <= 0:
        return None
    return replace(drawing, y=replace(drawing.y, scale="log10"))


def with_prefix(svg: str, prefix: str) -> str:
    """The drawing with other ids, so that it can stand twice on a page."""
    if not prefix:
        return svg
    return re.sub(r'(\bid="|href="#|url\(#|aria-labelledby=")', rf"\g<1>{prefix}", svg)


def card(section: Section, page: Page, drawing: Drawing, pictures: Pictures, place: Place) -> FigureCard:
    base = f"{folder(section, page)}/{drawing.name}"
    points = figure_json(drawing)
    files = (
        ("CSV", f"{base}.csv", drawing.csv().encode("utf-8")),
        ("JSON", f"{base}.json", as_json(points)),
        ("SVG", f"{base}.svg", pictures.file(drawing)),
    )
    kept = files[:1] if place.single else files
    return FigureCard(
        figure_id(section, page, drawing.name),
        drawing.title,
        drawing.caption,
        drawing.command,
        "linear" if drawing.y.scale == "linear" else "log",
        pictures.picture(drawing),
        pictures.other(drawing),
        in_script(without_traces(points)),
        tuple((text, place.data(path, content)) for text, path, content in kept),
    )


def figure_id(section: Section, page: Page, name: str) -> str:
    return f"{section.experiment.name}-{page.slug}-{name}"


def without_traces(points: dict[str, object]) -> dict[str, object]:
    """A trace has no markers to point at, and thousands of points."""
    series = points["series"]
    assert isinstance(series, list)
    kept = [{**one, "points": []} if one["kind"] == "trace" else one for one in series]
    return {"x": points["x"], "y": points["y"], "series": kept}


def in_script(content: object) -> Markup:
    """JSON that cannot end the script element that holds it."""
    return Markup(as_json(content).decode("utf-8").strip().replace("<", "\\u003c"))
