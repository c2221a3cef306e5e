"""Reads the pages of a site: ids, links, and how elements nest."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html.parser import HTMLParser
from urllib.parse import unquote

from plots.claims import KINDS

VOID = {"meta", "link", "br", "input", "path", "use", "rect", "circle", "line", "polyline"}
#: Where pages may link to: the papers. Nothing is loaded from there.
PAPERS = ("https://doi.org/", "https://arxiv.org/", "https://inria.hal.science/")


class Links(HTMLParser):
    """Collects ids and link targets, and checks that elements nest."""

    def __init__(self) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.targets: list[str] = []
        self.loaded: list[str] = []
        self.open: list[str] = []
        self.figures = 0

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        values = dict(attributes)
        self.ids += [values["id"] or ""] if "id" in values else []
        loads = tag in ("link", "script", "img", "iframe")
        found = [value or "" for name, value in attributes if name in ("href", "src")]
        self.targets += [] if tag == "use" else found
        self.loaded += found if loads else []
        self.figures += tag == "figure"
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.open.pop() == tag


def read(page: bytes) -> Links:
    links = Links()
    links.feed(page.decode("utf-8"))
    links.close()
    assert links.open == []
    return links


def dead_links(files: Mapping[str, bytes]) -> Iterator[str]:
    """Links of the pages that lead to no file, no id or no verdict, or that load something from elsewhere."""
    pages = {name: read(content) for name, content in files.items() if name.endswith(".html")}
    for name, links in pages.items():
        for target in links.targets:
            if target.startswith("data:"):
                continue
            if target.startswith("https:"):
                if target in links.loaded or not target.startswith(PAPERS):
                    yield f"{name}: {target}"
                continue
            file, _, anchor = target.partition("#")
            if not _leads_somewhere(unquote(file) or name, anchor, files, pages):
                yield f"{name}: {target}"


def _leads_somewhere(file: str, anchor: str, files: Mapping[str, bytes], pages: Mapping[str, Links]) -> bool:
    if file not in files:
        return False
    if anchor.startswith("verdict="):
        return anchor.removeprefix("verdict=") in KINDS and b"claim-filter" in files[file]
    return not anchor or (file in pages and anchor in pages[file].ids)


def repeated_ids(files: Mapping[str, bytes]) -> list[str]:
    found = []
    for name, content in files.items():
        if name.endswith(".html"):
            ids = read(content).ids
            found += [f"{name}: {one}" for one in set(ids) if ids.count(one) > 1]
    return found
