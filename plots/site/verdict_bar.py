"""How many claims of a paper have which verdict, as segments of a bar and in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from plots.claims import KINDS, Judgement


@dataclass(frozen=True)
class Segment:
    """A part of a bar: `kind` is the value of data-verdict, `words` follow the number."""

    kind: str
    words: str
    count: int


def segments(judgements: Iterable[Judgement]) -> list[Segment]:
    return of_counts(Counter(judgement.kind for judgement in judgements))


def of_counts(counts: Mapping[str, int]) -> list[Segment]:
    return [
        Segment(kind, words[counts[kind] != 1], counts[kind])
        for kind, words in KINDS.items()
        if counts.get(kind, 0) > 0
    ]
