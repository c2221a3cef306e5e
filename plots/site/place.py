"""Where the parts of the site are: files of their own, or sections and data inside one file."""

from __future__ import annotations

import base64
from dataclasses import dataclass, field
from urllib.parse import quote

#: The type of a data link by the suffix of its file.
TYPES = {"csv": "text/csv", "json": "application/json", "svg": "image/svg+xml", "zip": "application/zip"}
ZIP = "data/lockstep-results.zip"


@dataclass
class Place:
    """Makes links, and collects the data files that the links name. `single` puts everything into one page."""

    single: bool = False
    files: dict[str, bytes] = field(default_factory=dict)

    def page(self, name: str) -> str:
        return f"#{name}" if self.single else f"{name}.html"

    def anchor(self, page: str, anchor: str) -> str:
        return f"#{anchor}" if self.single else f"{page}.html#{anchor}"

    def filtered(self, page: str, verdict: str) -> str:
        """The claims of a paper with one verdict. Without the script, the link leads to all of its claims."""
        return f"#{page}-claims" if self.single else f"{page}.html#verdict={verdict}"

    def data(self, path: str, content: bytes) -> str:
        """A link to a data file, which the page holds itself if it is the only one."""
        self.files[path] = content
        return _inline(path, content) if self.single else quote(path)

    def archived(self, path: str, content: bytes) -> str:
        """A link to a file that is too large for a page: there it is in the archive only, and the link is empty."""
        self.files[path] = content
        return "" if self.single else quote(path)

    def archive(self, content: bytes) -> str:
        return self.data(ZIP, content)


def _inline(path: str, content: bytes) -> str:
    kind = TYPES[path.rpartition(".")[2]]
    return f"data:{kind};base64,{base64.b64encode(content).decode('ascii')}"
