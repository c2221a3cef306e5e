"""What an experiment's findings.py declares: FINDINGS, TOPICS and PICTURES, sentences that are written from the rows of one device.

FINDINGS  functions of a view, each one readable sentence; the first is the headline of the experiment
TOPICS    the sections of results/<device>/<experiment>.md
PICTURES  names of figures (figures.py) that the page shows; may be left out

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
