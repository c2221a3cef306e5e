"""Shards become one row again: a case that ran as `--shard 0/4` ... `3/4`, on one device or on several of the same name.

Digests add up modulo 2^64, units and work add up, and the time is that of the slowest shard, since shards run at once. A set with parts
missing, or whose parts do not all agree with their reference, is no evidence: it keeps a status and a reason, and no time.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from plots.interval import Interval
from plots.results import Case


def merge_shards(cases: Iterable[Case]) -> list[Case]:
    """Whole cases as they are, in their order; the shards of a case as one, where the first of them stood."""
    groups: dict[tuple[object, ...], list[Case]] = {}
    for case in cases:
        groups.setdefault(_key(case), []).append(case)
    return [rows[0] if _count(rows[0]) == 1 else merged(rows) for rows in groups.values()]


def merged(shards: Sequence[Case]) -> Case:
    parts = {_index(shard): shard for shard in shards}
    count = _count(shards[0])
    missing = [str(index) for index in range(count) if index not in parts]
    first = parts[min(parts)]
    provenance = dict(first.provenance) | {"shard": "0/1"}
    for key in ("units", "verified_units"):
        provenance[key] = sum(int(part.provenance.get(key) or 0) for part in parts.values())
    whole = replace(
        first,
        name=first.name.split("/shard:")[0],
        items=sum(part.items for part in parts.values()),
        bytes=sum(part.bytes for part in parts.values()),
        operations=sum(part.operations for part in parts.values()),
        digest=_sum([part.digest for part in parts.values()]),
        figures={},
        provenance=provenance,
    )
    bad = [part for part in parts.values() if part.status not in ("ok", "not_timed")]
    if missing:
        return replace(
            whole, status="incomplete", reason=f"without shard {', '.join(missing)} of {count}", time=None, digest=""
        )
    if bad:
        return replace(whole, status=bad[0].status, reason=bad[0].reason, time=None)
    return replace(whole, time=_slowest([part.time for part in parts.values()]))


def _key(case: Case) -> tuple[object, ...]:
    whole = _count(case) == 1
    axes = tuple(sorted(case.axes.items()))
    what = (case.device.slug, case.experiment, case.variant, case.machine, axes, case.cache, case.seed)
    return (*what, case.name) if whole else (*what, _count(case))


def _shard(case: Case) -> tuple[int, int]:
    index, _, count = str(case.provenance.get("shard") or "0/1").partition("/")
    return int(index), int(count or 1)


def _index(case: Case) -> int:
    return _shard(case)[0]


def _count(case: Case) -> int:
    return _shard(case)[1]


def _sum(digests: Sequence[str]) -> str:
    """Of 64-bit hexadecimal digests; empty where one has none."""
    if not all(digests):
        return ""
    return f"0x{sum(int(digest, 16) for digest in digests) % 2**64:016x}"


def _slowest(times: Sequence[Interval | None]) -> Interval | None:
    known = [time for time in times if time is not None]
    return max(known, key=lambda time: time.value) if len(known) == len(times) else None
