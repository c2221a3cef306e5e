"""Combines shards into one row: a case that ran as `--shard 0/4` ... `3/4`, on one device or on several of the same name.

Digests add up modulo 2^64. Units and work add up. The time is that of the slowest shard, since shards run in parallel. A set gets
a status and a reason instead of a time if a shard is missing, if its shards come from several commits, if a shard disagrees with
its reference, or if its digest differs from that of the same case run whole.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from plots.interval import Interval
from plots.results import Case

#: Key in the provenance of a combined row: the number of its shards.
PARTS = "parts"


def merge_shards(cases: Iterable[Case]) -> list[Case]:
    """Keeps whole cases and their order, and replaces the shards of a case with one row, at the position of the first
    shard.
    """
    groups: dict[tuple[object, ...], list[Case]] = {}
    for case in cases:
        groups.setdefault(_key(case), []).append(case)
    whole = {_what(rows[0]): rows[0] for rows in groups.values() if _count(rows[0]) == 1}
    return [
        rows[0] if _count(rows[0]) == 1 else _compared(merged(rows), whole.get(_what(rows[0])))
        for rows in groups.values()
    ]


def separate(rows: Sequence[Case]) -> tuple[list[Case], list[Case]]:
    """Splits merged rows into one row per case, for figures and claims, and all combined rows.

    If a case also ran whole, that run represents it, because N devices are not the device. Otherwise its smallest complete
    set does.
    """
    sets = [row for row in rows if parts_of(row) > 1]
    best: dict[tuple[object, ...], Case] = {}
    for row in sets:
        known = best.get(_what(row))
        if known is None or (row.status == "incomplete", parts_of(row)) < (
            known.status == "incomplete",
            parts_of(known),
        ):
            best[_what(row)] = row
    whole = {_what(row) for row in rows if parts_of(row) == 1}
    shown = {id(row) for what, row in best.items() if what not in whole}
    return [row for row in rows if parts_of(row) == 1 or id(row) in shown], sets


def parts_of(row: Case) -> int:
    """The number of shards of a row; 1 if it ran whole."""
    return int(row.provenance.get(PARTS) or 1)


def whole_of(row: Case, cases: Iterable[Case]) -> Case | None:
    """The same case, run whole. A whole run of `auto` may choose another method than its shards, and is then another."""
    wanted = _what(row)
    same_variant = (case for case in cases if case.variant == row.variant and parts_of(case) == 1)
    return next((case for case in same_variant if _what(case) == wanted and same_method(case, row)), None)


def commit_mark(row: Case, whole: Case) -> str:
    """'*' for a comparison of rows from two commits: see `ASTERISK`."""
    return "" if row.provenance.get("commit") == whole.provenance.get("commit") else "*"


#: Explains the mark below a table.
ASTERISK = "An asterisk marks a comparison of rows from two commits."


def same_method(a: Case, b: Case) -> bool:
    """True if both have the same reference. Where it is unknown, they are taken to have it."""
    references = {str(case.provenance.get("reference") or "") for case in (a, b)} - {""}
    return len(references) < 2


def merged(shards: Sequence[Case]) -> Case:
    parts = {_index(shard): shard for shard in shards}
    count = _count(shards[0])
    missing = [str(index) for index in range(count) if index not in parts]
    first = parts[min(parts)]
    provenance = dict(first.provenance) | {"shard": "0/1", PARTS: count}
    for key in ("units", "verified_units"):
        provenance[key] = sum(int(part.provenance.get(key) or 0) for part in parts.values())
    # With more shards than units, some shards have no work and are refused.
    busy = [part for part in parts.values() if int(part.provenance.get("units") or 0) > 0] or [first]
    whole = replace(
        busy[0],
        name=first.name.split("/shard:")[0],
        items=sum(part.items for part in busy),
        bytes=sum(part.bytes for part in busy),
        operations=sum(part.operations for part in busy),
        digest=_sum([part.digest for part in busy]),
        metrics={},
        measurements=frozenset(),
        provenance=provenance,
    )
    if missing:
        return _without_evidence(whole, "incomplete", f"without shard {', '.join(missing)} of {count}")
    commits = sorted({_commit(part) for part in busy})
    if len(commits) > 1:
        return _without_evidence(whole, "incomplete", f"shards of different commits: {', '.join(commits)}")
    bad = [part for part in busy if part.status not in ("ok", "not_timed")]
    if bad:
        return replace(whole, status=bad[0].status, reason=bad[0].reason, time=None)
    return replace(whole, time=_slowest([part.time for part in busy]))


def _compared(merged_row: Case, whole: Case | None) -> Case:
    """A set must have the digest of the whole run by the same method, if both have one."""
    if whole is None or not same_method(whole, merged_row):
        return merged_row
    if not whole.digest or not merged_row.digest or whole.digest == merged_row.digest:
        return merged_row
    reason = f"{parts_of(merged_row)} shards add up to {merged_row.digest}, the whole run has {whole.digest}"
    return _without_evidence(merged_row, "disagrees", reason)


def _without_evidence(row: Case, status: str, reason: str) -> Case:
    return replace(row, status=status, reason=reason, time=None, digest="")


def _what(case: Case) -> tuple[object, ...]:
    axes = tuple(sorted(case.axes.items()))
    return (case.device.slug, case.experiment, case.variant, case.machine, axes, case.cache, case.seed)


def _key(case: Case) -> tuple[object, ...]:
    return (*_what(case), case.name) if _count(case) == 1 else (*_what(case), _count(case))


def _commit(case: Case) -> str:
    return str(case.provenance.get("commit") or "unknown")[:12] + (
        " with changes" if case.provenance.get("dirty") else ""
    )


def _shard(case: Case) -> tuple[int, int]:
    index, _, count = str(case.provenance.get("shard") or "0/1").partition("/")
    return int(index), int(count or 1)


def _index(case: Case) -> int:
    return _shard(case)[0]


def _count(case: Case) -> int:
    return _shard(case)[1]


def _sum(digests: Sequence[str]) -> str:
    """The sum of 64-bit hexadecimal digests; empty if one is missing."""
    if not all(digests):
        return ""
    return f"0x{sum(int(digest, 16) for digest in digests) % 2**64:016x}"


def _slowest(times: Sequence[Interval | None]) -> Interval | None:
    known = [time for time in times if time is not None]
    return max(known, key=lambda time: time.value) if len(known) == len(times) else None
