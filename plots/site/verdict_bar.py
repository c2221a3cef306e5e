"""How many claims of a paper have which verdict, as segments of a bar and in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from plots.claims import KINDS, Judgement


@dataclass(frozen=True)
class Segment:
    """A part of a bar: `kind` is the value of data-verdict, `share` its width in percent."""

    kind: str
    words: str
    count: int
    share: float


def segments(judgements: Iterable[Judgement]) -> list[Segment]:
    counts = Counter(judgement.kind for judgement in judgements)
    total = sum(counts.values())
    return [
        Segment(kind, words, counts[kind], round(100 * counts[kind] / total, 3))
        for kind, words in KINDS.items()
        if counts[kind]
    ]
