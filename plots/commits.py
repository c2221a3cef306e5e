"""Which commits measured a group of rows, and on which days, in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from plots.results import Case
from plots.shards import ASTERISK, commit_mark


def rows_by_commit(cases: Iterable[Case]) -> str:
    """'517 rows from commit b026533e6b and 1 row from commit 8289f2cafd': the commit with most rows first."""
    counts = sorted(Counter(map(commit_text, cases)).items(), key=lambda pair: (-pair[1], pair[0]))
    parts = [f"{count} {'row' if count == 1 else 'rows'} from commit {commit}" for commit, count in counts]
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)


def both_sides(pairs: Sequence[tuple[Case, Case]], name_a: str, name_b: str) -> str:
    """What a comparison of rows of several commits includes, or nothing if each pair is of one commit."""
    unequal = sum(bool(commit_mark(a, b)) for a, b in pairs)
    if not unequal:
        return ""
    sides = [f"{name} has {rows_by_commit(rows)}" for name, rows in zip((name_a, name_b), zip(*pairs))]
    return (
        f"{sides[0]}; {sides[1]}. In {unequal} of {len(pairs)} pairs, the two commits differ, and the ratio can include "
        f"changes of the program. {ASTERISK}"
    )


def commit_text(case: Case) -> str:
    commit = str(case.provenance.get("commit") or "unknown")[:10]
    return commit + (" with local changes" if case.provenance.get("dirty") else "")


def origin(cases: Iterable[Case]) -> str:
    """'517 rows from commit b026533e6b, measured on 2026-11-22'."""
    rows = list(cases)
    return rows_by_commit(rows) + _when(rows)


def _when(cases: Iterable[Case]) -> str:
    days = sorted({str(case.provenance["date"])[:10] for case in cases if case.provenance.get("date")})
    if len(days) == 1:
        return f", measured on {days[0]}"
    return f", measured from {days[0]} to {days[-1]}" if days else ""
