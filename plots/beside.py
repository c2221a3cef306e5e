"""Foreign programs beside ours: a row per case of a peer, with our fastest variants at the same axes on the same kind of
machine.

Claims and figures do not see these rows. A loss reads like a win: the last column names the faster program and by how much.
"""

from __future__ import annotations

import re

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from plots.commits import origin
from plots.errors import NotTestable
from plots.figures import machine_name, source_of
from plots.interval import Interval
from plots.results import Case, View
from plots.tables import MISSING, TableData
from plots.units import quantity, three_digits

TITLE = "Beside other programs"
COLUMNS = ("case", "program", "its speed", "fastest of ours", "fastest here", "here on one core", "faster")
#: The parts of a note by which a driver says that its program runs on one core.
NOTES_OF_ONE_CORE = ("one core", "1 thread")
#: The role and the variant of our rows that run on one core.
ROLE_OF_ONE_CORE, VARIANT_OF_ONE_CORE = "reference", "one_core"
PLAIN = (
    "program",
    "version",
    "machine",
    "axes",
    "side",
    "variant",
    "seconds",
    "low",
    "high",
    "items",
    "timer",
    "verified",
    "note",
)
NOBODY = "not measured here"


@dataclass(frozen=True)
class Meeting:
    """A timed row of a peer. `ours` is the fastest variant of role *ours* at its axes, `here` the fastest of all roles.

    A peer that runs on one core has also the fastest row of `one_core`, if one exists.
    """

    peer: Case
    ours: Case | None
    here: Case | None
    one_core: Case | None = None

    @property
    def rival(self) -> Case | None:
        """What the peer is judged against: a row on as many cores, ours, or else the fastest of the others."""
        return self.one_core or self.ours or self.here

    @property
    def faces_all_cores(self) -> bool:
        """True if a program on one core is judged against a row that may use all of them."""
        return runs_on_one_core(self.peer) and self.rival is not None and self.one_core is None

    @property
    def ratio(self) -> Interval | None:
        """The speed of our side over that of the peer."""
        return _over(self.rival, self.peer)

    @property
    def winner(self) -> str:
        """*ours*, *theirs*, *neither* if the intervals of both times overlap, or `NOBODY`."""
        ratio = self.ratio
        if ratio is None:
            return NOBODY
        return "ours" if ratio.low > 1 else "theirs" if ratio.high < 1 else "neither"


def meetings(view: View) -> list[Meeting]:
    return [_meeting(peer, view) for peer in view.peers if peer.time is not None]


def _meeting(peer: Case, view: View) -> Meeting:
    same = [
        case
        for case in view.cases
        if case.machine == peer.machine
        and dict(case.axes) == dict(peer.axes)
        and case.rate is not None
        and case.cache != "cold"
    ]
    alone = [case for case in same if ROLE_OF_ONE_CORE == case.role or VARIANT_OF_ONE_CORE == case.variant]
    one_core = _fastest(alone) if runs_on_one_core(peer) else None
    return Meeting(peer, _fastest(case for case in same if case.role == "ours"), _fastest(same), one_core)


def runs_on_one_core(peer: Case) -> bool:
    """A driver's note says it."""
    return peer.machine == "cpu" and not set(re.split(r"[;,] ", peer.note)).isdisjoint(NOTES_OF_ONE_CORE)


def _fastest(cases: Iterable[Case]) -> Case | None:
    rates = [(case, case.rate.value) for case in cases if case.rate is not None]
    return max(rates, key=lambda pair: pair[1])[0] if rates else None


def _over(ours: Case | None, peer: Case) -> Interval | None:
    if ours is None or ours.rate is None or peer.rate is None:
        return None
    return ours.rate / peer.rate


def table(view: View) -> TableData:
    """Raises NotTestable if no peer was measured on this device."""
    found = meetings(view)
    if not found:
        raise NotTestable(f"no other program was measured on {view.device.name}")
    sides = [(meeting, case, side) for meeting in found for case, side in _sides(meeting)]
    return TableData(
        "peers",
        TITLE,
        view.device.name,
        COLUMNS,
        tuple(map(_words, found)),
        PLAIN,
        tuple(_plain(meeting, case, side) for meeting, case, side in sides),
        source_of(view, [meeting.peer for meeting in found]).replace(".json", ".peers.json", 1),
        "Programs of others on the same work and the same model of machine, each verified. "
        "A program on one core is judged against our row on one core, if one exists.",
        f"./lockstep peers {view.experiment}",
    )


def _words(meeting: Meeting) -> tuple[str, ...]:
    peer = meeting.peer
    return (
        f"{axes_text(peer)}; {machine_name(peer.machine)}",
        f"{peer.variant} ({peer.version})",
        speed(peer),
        _named_speed(meeting.ours),
        "the same" if meeting.here is meeting.ours is not None else _named_speed(meeting.here),
        _named_speed(meeting.one_core),
        _verdict(meeting),
    )


def _verdict(meeting: Meeting) -> str:
    """'ours, 2.31x', 'hvm2, 1.40x' or 'neither (1.01x)'."""
    ratio, rival = meeting.ratio, meeting.rival
    if ratio is None or rival is None:
        return MISSING
    if meeting.winner == "neither":
        return f"neither ({three_digits(ratio.value)}x)"
    if meeting.winner == "ours":
        return f"{'ours' if rival.role == 'ours' else rival.variant}, {three_digits(ratio.value)}x"
    return f"{meeting.peer.variant}, {three_digits(1 / ratio.value)}x"


def axes_text(case: Case) -> str:
    """The axes of a case as its name lists them: those that differ from their default."""
    parts = [part.replace(":", " ", 1) for part in case.name.split("/")[3:] if not part.startswith("start:")]
    return ", ".join(parts) or "all axes at their default"


def speed(case: Case) -> str:
    return quantity(case.rate.value, f"{case.item}/s") if case.rate is not None else MISSING


def _named_speed(case: Case | None) -> str:
    if case is None:
        return MISSING
    return f"{case.variant}, {speed(case)}" + (" (extrapolated)" if case.extrapolated else "")


def _sides(meeting: Meeting) -> list[tuple[Case, str]]:
    sides = [(meeting.peer, "peer"), (meeting.ours, "ours"), (meeting.here, "here"), (meeting.one_core, "one core")]
    return [(case, side) for case, side in sides if case is not None]


def _plain(meeting: Meeting, case: Case, side: str) -> tuple[object, ...]:
    peer, time = meeting.peer, case.time
    parts = (time.value, time.low, time.high) if time is not None else (None, None, None)
    axes = " ".join(f"{name}={value}" for name, value in peer.axes.items())
    return (
        peer.variant,
        peer.version,
        peer.machine,
        axes,
        side,
        case.variant,
        *parts,
        case.items,
        case.timer,
        case.verified,
        case.note,
    )


def summary(view: View) -> str:
    """'Of 9 cases, ours is faster in 6, the other program in 2, and in 1 the intervals overlap.'"""
    found = meetings(view)
    if not found:
        return ""
    counts = Counter(meeting.winner for meeting in found)
    parts = [f"this repository is faster in {counts['ours']}", f"the other program in {counts['theirs']}"]
    parts += [f"neither in {counts['neither']}"] if counts["neither"] else []
    alone = f" In {counts[NOBODY]}, no row of ours can be compared." if counts[NOBODY] else ""
    return (
        f"Of {len(found)} case{'s' if len(found) > 1 else ''}, {', '.join(parts[:-1])} and {parts[-1]}.{alone}{_cores(found)} A row "
        "compares the same work at the same axes on the same model of machine. The last column is our fastest variant against "
        "the program, or, where no variant of ours runs, the fastest other one. Axes that are not named have their default "
        "(`./lockstep list`). Neither is faster if the 95% intervals overlap. The rows of the programs are in "
        f"{view.experiment}.peers.json: {origin(meeting.peer for meeting in found)}."
    )


def _cores(found: Sequence[Meeting]) -> str:
    """How many programs run on one core, and what they are judged against."""
    alone = sum(meeting.one_core is not None for meeting in found)
    unequal = [meeting.rival for meeting in found if meeting.faces_all_cores]
    equal = f" In {alone}, a program on one core is judged against our row on one core." if alone else ""
    cores = " or ".join(sorted({_threads(rival) for rival in unequal if rival is not None}))
    return equal + (
        f" In {len(unequal)}, a program on one core stands beside a row that can use {cores}." if unequal else ""
    )


def _threads(case: Case) -> str:
    cpu = case.provenance.get("cpu")
    return f"all {cpu['threads']} cores" if isinstance(cpu, dict) and cpu.get("threads") else "all cores"


def remarks(view: View) -> list[str]:
    """What differs between a peer's work and ours, and what each driver checked: a line per variant."""
    lines: dict[str, None] = {}
    for meeting in meetings(view):
        peer = meeting.peer
        note = f" What differs: {peer.note.rstrip('.')}." if peer.note else ""
        lines[f"`{peer.variant}`: {peer.verified}; timed by {_timer(peer)}.{note}"] = None
    return list(lines)


def _timer(case: Case) -> str:
    return {"events": "CUDA events", "steady clock": "a steady clock"}.get(case.timer, case.timer)


def skipped(view: View) -> list[str]:
    """The peers without a time, each with its reason."""
    return [f"`{case.variant}` ({case.status}): {case.reason.rstrip('.')}." for case in view.peers if case.time is None]
