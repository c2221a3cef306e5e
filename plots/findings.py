"""What an experiment's findings.py declares: sentences, tables and pictures that are made from the rows of one device.

FINDINGS  functions of a view, each one readable sentence; the first is the headline of the experiment
TOPICS    the sections of results/<device>/<experiment>.md
ANSWER    a function of a view: the answer to the question of figures.py's ABOUT.asks in a few words, for the table in
          README.md; may be left out
MAIN_CLAIM  the id of the claim by which the index page quotes the paper; may be left out
FRONT     the figure that the index page shows; may be left out
PICTURES  names of figures (figures.py) that the page shows; may be left out
FRONT     the name of the one figure that the index of the report shows; may be left out

A function raises NotTestable where the rows that it needs are missing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from plots.results import View

#: Writes one sentence, one paragraph or one Markdown table from the rows of a device.
Finding = Callable[[View], str]


@dataclass(frozen=True)
class Topic:
    """A section of results/<device>/<experiment>.md."""

    title: str
    paragraphs: Sequence[Finding]
