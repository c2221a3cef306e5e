"""A drawing's SVG as it stands in a page: colours follow the page's theme, readers get a name and a description, and the
script finds each series. Ids are unique among many figures, and the text is small.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Sequence
from html import escape
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from plots.drawing import Drawing
from plots.style import VARIABLES

#: Attributes that hold coordinates, which are rounded to hundredths of a point.
COORDINATES = ("x", "y", "width", "height", "d", "transform")
NUMBER = re.compile(r"-?\d*\.?\d+(?:e[-+]?\d+)?")
NO_TURN = re.compile(r"rotate\(-?0(?:\.0+)? [^)]*\)")
#: What the drawing functions call the parts of a series: label-0-2 names two.
PART = re.compile(r"(series|interval|number|leader|label)-(\d+(?:-\d+)*)(?:-point-(\d+))?")


def page_svg(svg: str, identity: str, drawing: Drawing) -> str:
    """The inline SVG of a drawing. `identity` is the figure's id, unique in the page."""
    root = ElementTree.fromstring(svg)
    _local_names(root)
    _drop_metadata(root)
    labels = [series.label for series in drawing.series]
    _mark_series(root, labels)
    _unique_ids(root, identity)
    _simplify(root)
    _describe(root, identity, drawing)
    return _written(root)


def description(drawing: Drawing) -> str:
    """What a reader hears: the caption, then what is drawn, then the series by name."""
    named = [series.label for series in drawing.series if series.label and not series.grey]
    if drawing.shape == "cells":
        drawn = f"{len(drawing.order)} rows of boxes: {', '.join(drawing.order)}"
    elif drawing.shape in ("dots", "bars"):
        drawn = f"{_axis(drawing.y.label, drawing.y.unit)} of {', '.join(drawing.row_names())}"
    elif drawing.shape != "lines":
        drawn = "A diagram"
    else:
        drawn = f"{_axis(drawing.y.label, drawing.y.unit)} against {_axis(drawing.x.label, drawing.x.unit)}"
    unnamed = sum(series.grey for series in drawing.series)
    further = f", and {unnamed} further lines" if unnamed else ""
    series = f" Series: {', '.join(named)}{further}." if named else ""
    return f"{drawing.caption} {drawn[:1].upper()}{drawn[1:]}.{series}".strip().replace("`", "")


def _axis(label: str, unit: str) -> str:
    return label if unit == "1" else f"{label} in {unit}"


def _local_names(root: Element) -> None:
    """Drops the namespaces: inside of HTML, elements and attributes have none."""
    for element in root.iter():
        element.tag = element.tag.rpartition("}")[2]
        for name in list(element.attrib):
            if "}" in name:
                element.set(name.rpartition("}")[2], element.attrib.pop(name))


def _drop_metadata(root: Element) -> None:
    for child in list(root):
        if child.tag in ("metadata", "title") or (child.tag == "defs" and child.find("style") is not None):
            root.remove(child)
    for name in ("width", "height", "version"):
        root.attrib.pop(name, None)


def _mark_series(root: Element, labels: Sequence[str]) -> None:
    """Marks what belongs to series N: its line, markers and bars with data-series, its intervals with data-interval, the
    values written beside it with data-number, its name with data-label, and the line that leads there with data-leader.
    In a legend, the sample before a name has data-label, too."""
    for parent in list(root.iter("g")):
        before: Element | None = None
        for child in list(parent):
            name = child.get("id", "")
            own = PART.fullmatch(name)
            if own:
                child.set(f"data-{own[1]}", own[2].replace("-", " "))
                if own[3]:
                    child.set("data-point", own[3])
            elif name.startswith("text") and parent.get("id", "").startswith("legend"):
                _mark_label(child, before, labels)
            before = child


def _mark_label(text: Element, sample: Element | None, labels: Sequence[str]) -> None:
    """A name in a legend is that of one series, or of one per panel."""
    words = _packed("".join(text.itertext()))
    numbers = [str(number) for number, label in enumerate(labels) if label and _packed(label) == words]
    for element in (text, sample):
        if numbers and element is not None:
            element.set("data-label", " ".join(numbers))


def _packed(text: str) -> str:
    """Without spaces: labels may be broken into lines."""
    return "".join(text.split())


def _unique_ids(root: Element, identity: str) -> None:
    """Renames what is referred to, and removes all other ids. Every marker refers to one, so they are short."""
    prefix = f"p{zlib.crc32(identity.encode()):08x}"
    used = set(
        re.findall(r"#([\w.-]+)", " ".join(value for element in root.iter() for value in element.attrib.values()))
    )
    names: dict[str, str] = {}
    for element in root.iter():
        name = element.attrib.pop("id", None)
        if name in used:
            element.set("id", names.setdefault(str(name), f"{prefix}-{len(names) + 1}"))
    for element in root.iter():
        for key, value in element.attrib.items():
            if "#" in value and key in ("href", "clip-path"):
                element.set(key, re.sub(r"#([\w.-]+)", lambda found: "#" + names.get(found[1], found[1]), value))


def _simplify(element: Element) -> None:
    """Rounds coordinates, names colours, and removes groups, paths and styles without effect."""
    for child in element:
        _simplify(child)
    _round(element)
    _theme(element)
    element.text = (element.text or "").strip() or None
    for child in element:
        child.tail = None if element.tag != "text" else child.tail
    _dissolve_groups(element)
    _merge_paths(element)
    _share_style(element)


def _round(element: Element) -> None:
    for name in COORDINATES:
        value = element.get(name)
        if value is None:
            continue
        short = NO_TURN.sub("", NUMBER.sub(lambda found: _short(float(found[0])), value))
        if name == "d":
            short = re.sub(r"\s*([A-Za-z])\s*", r"\1", short)
        if short.strip():
            element.set(name, " ".join(short.split()))
        else:
            del element.attrib[name]


def _short(number: float) -> str:
    text = f"{number:.2f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def _theme(element: Element) -> None:
    style = element.get("style")
    if style is None:
        return
    for colour, variable in VARIABLES.items():
        style = re.sub(re.escape(colour), f"var({variable})", style, flags=re.IGNORECASE)
    style = style.replace("'DejaVu Sans'", "var(--font)").replace("; ", ";").replace(": ", ":")
    style = style.replace("stroke-dashoffset:0;", "")
    element.set("style", style)


def _dissolve_groups(element: Element) -> None:
    """Replaces groups that have no attribute by what they contain, and drops paths that paint nothing."""
    for child in list(element):
        if child.tag == "g" and not child.attrib:
            place = list(element).index(child)
            element.remove(child)
            for offset, grandchild in enumerate(child):
                element.insert(place + offset, grandchild)
        elif child.tag == "path" and child.get("style") in ("fill:none", "fill:var(--surface)"):
            element.remove(child)


def _merge_paths(element: Element) -> None:
    """Makes one path of all that look alike: grid lines, intervals, boxes. They never overlap."""
    alike: dict[tuple[tuple[str, str], ...], Element] = {}
    if element.tag == "defs" or element.get("data-series") is not None:
        return
    for child in list(element):
        if child.tag != "path" or "id" in child.keys():
            continue
        looks = tuple(sorted((name, value) for name, value in child.attrib.items() if name != "d"))
        first = alike.setdefault(looks, child)
        if first is not child:
            first.set("d", first.get("d", "") + child.get("d", ""))
            element.remove(child)


def _share_style(element: Element) -> None:
    """Moves the style that all markers of a group share to the group."""
    styles = {child.get("style") for child in element}
    if element.tag == "g" and len(styles) == 1 and len(element) > 1 and all(child.tag == "use" for child in element):
        shared = styles.pop()
        if shared and "style" not in element.keys():
            element.set("style", shared)
            for child in element:
                del child.attrib["style"]


def _describe(root: Element, identity: str, drawing: Drawing) -> None:
    """Without a <title>, which a browser shows as a second tooltip."""
    words = Element("desc", {"id": f"{identity}-desc"})
    words.text = description(drawing)
    root.attrib.update({"class": drawing.shape, "role": "img", "aria-label": drawing.title})
    root.set("aria-describedby", f"{identity}-desc")
    root.set("style", "stroke-linejoin:round;stroke-linecap:butt")
    root.insert(0, words)


def _written(element: Element) -> str:
    attributes = "".join(f' {name}="{escape(value)}"' for name, value in element.attrib.items())
    inside = escape(element.text or "", quote=False) + "".join(map(_written, element))
    tail = escape(element.tail or "", quote=False)
    return (
        f"<{element.tag}{attributes}>{inside}</{element.tag}>" if inside else f"<{element.tag}{attributes}/>"
    ) + tail
