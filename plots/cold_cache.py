"""Hot and cold L2 cache: the cases that were timed with both."""

from __future__ import annotations

from plots.errors import NotTestable
from plots.figures import source_of
from plots.interval import Interval
from plots.results import Case, View
from plots.table_data import TableData, sentences
from plots.units import interval, quantity

TITLE = "Hot and cold L2 cache"
EXPLANATION = (
    "A hot cache has what the previous run left there. Before a cold run, the whole cache is overwritten. "
    "A kernel whose data fits into the L2 cache can be limited by memory only in the second case."
)


def pairs(view: View) -> list[tuple[Case, Case]]:
    """Hot and cold rows of the same case, in the order of the cold ones."""
    hot = {_key(case): case for case in view.cases if case.time is not None}
    timed = [case for case in view.cold if case.time is not None]
    return [(hot[_key(case)], case) for case in timed if _key(case) in hot]


def ratio(hot: Case, cold: Case) -> Interval:
    """The time with a cold cache over that with a hot one."""
    assert hot.time is not None and cold.time is not None
    return cold.time / hot.time


def table(view: View) -> TableData:
    """Raises NotTestable if no case was timed with both."""
    found = pairs(view)
    if not found:
        raise NotTestable(f"no case was timed with a hot and a cold cache on {view.device.name}")
    axes = _varying([cold for _, cold in found])
    rows, plain = [], []
    for hot, cold in found:
        assert hot.time is not None and cold.time is not None
        case = [cold.axes.get(name, "") for name in axes]
        times = (quantity(hot.time.value, "s"), quantity(cold.time.value, "s"))
        rows.append((*case, cold.variant, *times, interval(ratio(hot, cold), "")))
        plain.append((*case, cold.variant, hot.time.value, cold.time.value, ratio(hot, cold).value))
    return TableData(
        "cold_cache",
        TITLE,
        view.device.name,
        (*axes, "variant", "hot", "cold", "cold over hot"),
        tuple(rows),
        (*axes, "variant", "hot_seconds", "cold_seconds", "ratio"),
        tuple(plain),
        source_of(view, [cold for _, cold in found]),
        sentences(
            "Times with data in the L2 cache from the run before, and with a cache that was emptied; above 1, cold is slower",
            fixed(view),
        ),
        f"./lockstep run {view.experiment} --preset full",
    )


def fixed(view: View) -> str:
    """'All cases have grid 64x64 and output stored.', and whether the other axes without a column have their default."""
    rows = [cold for _, cold in pairs(view)]
    if not rows:
        return ""
    varying = _varying(rows)
    names = [name for name in rows[0].axes if name not in varying and f"/{name}:" in rows[0].name]
    texts = [f"{name.replace('_', ' ')} {rows[0].axes[name]}" for name in names]
    if not texts:
        return "Axes without a column have their default (`./lockstep list`)."
    listed = " and ".join([", ".join(texts[:-1]), texts[-1]] if len(texts) > 1 else texts)
    return f"All cases have {listed}. Other axes without a column have their default (`./lockstep list`)."


def _key(case: Case) -> tuple[object, ...]:
    return (case.variant, case.machine, *sorted(case.axes.items()))


def _varying(cases: list[Case]) -> list[str]:
    """The axes in which the cases differ."""
    names = dict.fromkeys(name for case in cases for name in case.axes)
    return [name for name in names if len({case.axes.get(name) for case in cases}) > 1]
