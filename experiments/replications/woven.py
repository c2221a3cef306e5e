"""Whether the compiler reports the lines of an annotated file at their own places (claim W28).

The tree holds annotated files, and one that gets advice, beside the text that `lockstep weave` makes of them, and tests keep them equal to the
weaver's output. The test replications_weave_compiler_error compiles a file with a mistake.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from plots.catalog import ROOT
from plots.claims import Parts, parts
from plots.errors import NotTestable
from plots.interval import exact
from plots.results import View

#: Woven file by annotated file.
WOVEN = {
    "kernels/replications/warps_annotated.cu": "kernels/replications/warps_woven.cu",
    "kernels/replications/warps_plain.cu": "kernels/replications/warps_advised.cu",
    "tests/replications/listings.cu": "tests/replications/listings_woven.cu",
}
ANNOTATION = re.compile(r"//\s*@warp")
LINE = re.compile(r'#line (\d+) "(.*)"')


def lines_kept(view: View) -> Parts:
    """The share of the lines of each annotated file that the compiler finds at their own file and number."""
    if view.device.published:
        raise NotTestable("the paper's preprocessor is not available")
    return parts({source: exact(share_kept(source, woven)) for source, woven in WOVEN.items()})


def share_kept(source: str, woven: str) -> float:
    return kept((ROOT / source).read_text().splitlines(), source, (ROOT / woven).read_text().splitlines())


def kept(lines: Sequence[str], source: str, woven: Sequence[str]) -> float:
    """The weaver may add code to a line and replaces annotations, so a line must begin with the user's text."""
    found: dict[tuple[str, int], str] = {}
    file, number = "", 1
    for text in woven:
        directive = LINE.match(text)
        if directive:
            number, file = int(directive[1]), directive[2]
            continue
        found[file, number] = text
        number += 1
    own = [(place, text) for place, text in enumerate(lines, 1) if not ANNOTATION.match(text.strip())]
    same = sum(found.get((source, place), "").startswith(text) and (source, place) in found for place, text in own)
    return same / len(own)
