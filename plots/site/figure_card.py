"""A figure on a page: its drawing, the points for the script, and the links below it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from plots.draw_many import draw_many
from plots.drawing import Drawing
from plots.figure_data import figure_data, other_scale
from plots.gather import Page, Section
from plots.site.data_files import as_json, figure_json, folder
from plots.site.place import Place
from plots.svg import page_svg

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
    data: Markup
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
        drawn: dict[Key, str] = {}
        files = draw_many([(drawing, looks) for drawing, looks, _ in [*jobs, *others]], "svg")
        for owner, (_, _, is_other), made in zip(owners, [*jobs, *others], files):
            drawn[owner, is_other] = made["svg"].decode("utf-8")
            if not is_other:
                step()
        self._drawn: Mapping[Key, str] = drawn

    def file(self, drawing: Drawing) -> bytes:
        return self._drawn[id(drawing), False].encode("utf-8")

    def picture(self, drawing: Drawing, identity: str) -> Markup:
        return Markup(page_svg(self._drawn[id(drawing), False], identity, drawing))

    def other(self, drawing: Drawing, identity: str) -> Markup | None:
        found = self._drawn.get((id(drawing), True))
        return Markup(page_svg(found, f"{identity}-other", drawing)) if found is not None else None


def card(section: Section, page: Page, drawing: Drawing, pictures: Pictures, place: Place) -> FigureCard:
    base = f"{folder(section, page)}/{drawing.name}"
    identity = figure_id(section, page, drawing.name)
    files = (
        ("CSV", f"{base}.csv", drawing.csv().encode("utf-8")),
        ("JSON", f"{base}.json", as_json(figure_json(drawing))),
        ("SVG", f"{base}.svg", pictures.file(drawing)),
    )
    kept = files[:1] if place.single else files
    return FigureCard(
        identity,
        drawing.title,
        drawing.caption,
        drawing.command,
        "linear" if drawing.y.scale == "linear" else "log",
        pictures.picture(drawing, identity),
        pictures.other(drawing, identity),
        figure_data(drawing),
        tuple((text, place.data(path, content)) for text, path, content in kept),
    )


def figure_id(section: Section, page: Page, name: str) -> str:
    return f"{section.experiment.name}-{page.slug}-{name}"
