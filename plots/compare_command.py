"""`lockstep compare`: prints a comparison, and writes it as Markdown, CSV and a picture."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from plots.atomic import write_bytes, write_text
from plots.compare import Comparison, Pair, compare, drawing, labels, table
from plots.draw import draw
from plots.drawing import to_csv
from plots.errors import UserError
from plots.run_noise import texts
from plots.style import Looks
from plots.tables import TableData
from plots.units import digits

Say = Callable[[str], None]


@dataclass(frozen=True)
class Asked:
    """What the command line asks for: `repeat` is a second run of A, `percent` the slowdown that fails."""

    a: Path
    b: Path
    out: Path
    repeat: Path | None = None
    percent: float | None = None
    changes_fail: bool = False
    as_json: bool = False


def run(asked: Asked, say: Say) -> int:
    """Returns exit code 1 on a regression or change if the options request it. Refuses if every pair is refused."""
    comparison = compare(asked.a, asked.b, asked.repeat)
    filled = table(comparison)
    if asked.as_json:
        print(json.dumps(document(comparison), indent=1))
    else:
        _print(comparison, filled, say)
    _write(comparison, filled, asked, say)
    changes = [(pair, change) for pair in comparison.pairs for change in pair.changed_metrics()]
    regressions = comparison.regressions(asked.percent) if asked.percent is not None else []
    if not asked.as_json:
        for pair, change in changes:
            say(f"metric changed: {pair.b.describe()}: {change}")
        for pair in regressions:
            say(f"regression: {pair.b.describe()}: {pair.verdict()}, {digits(pair.slower_by())}% longer")
    if regressions or (changes and asked.changes_fail):
        return 1
    if all(pair.refused for pair in comparison.pairs):
        raise UserError("no pair can be compared", comparison.pairs[0].refused, "run both with the same seed and units")
    return 0


def document(comparison: Comparison) -> dict[str, object]:
    """The comparison for --json. Ratios are speeds of B over A."""
    names = labels([pair.a for pair in comparison.pairs])
    return {
        "a": comparison.name_a,
        "b": comparison.name_b,
        "only_a": comparison.only_a,
        "only_b": comparison.only_b,
        "noise_between_runs": [
            {"experiment": experiment, "machine": machine, "log_half_width": width, "measured": comparison.repeated}
            for (experiment, machine), width in comparison.noise.items()
        ],
        "pairs": [_entry(pair, name) for pair, name in zip(comparison.pairs, names)],
    }


def _entry(pair: Pair, name: str) -> dict[str, object]:
    ratio = pair.ratio
    return {
        "experiment": pair.a.experiment,
        "case": name,
        "a_seconds": pair.a.time.value if pair.a.time else None,
        "b_seconds": pair.b.time.value if pair.b.time else None,
        "ratio": [ratio.value, ratio.low, ratio.high] if ratio else None,
        "verdict": pair.verdict(),
        "changed_metrics": pair.changed_metrics(),
    }


def _print(comparison: Comparison, filled: TableData, say: Say) -> None:
    """The table with a column as wide as its texts, but the first not wider than the terminal leaves."""
    rows = [filled.columns, *filled.rows]
    widths = [max(len(row[column]) for row in rows) for column in range(len(filled.columns))]
    room = shutil.get_terminal_size((120, 24)).columns - sum(widths[1:]) - 2 * (len(widths) - 1)
    widths[0] = min(widths[0], max(room, 30))
    for row in rows:
        cells = [_cut(row[0], widths[0]), *row[1:]]
        say("  ".join(cell.ljust(width) for cell, width in zip(cells, widths)).rstrip())
    for line in texts(comparison.noise, comparison.repeated):
        say(line)
    verdicts = [pair.verdict().split(" (")[0] for pair in comparison.pairs]
    counts = ", ".join(f"{verdicts.count(verdict)} {verdict}" for verdict in dict.fromkeys(verdicts))
    say(f"{len(comparison.pairs)} pairs: {counts}; {comparison.only_a} cases only in A, {comparison.only_b} only in B")


def _cut(text: str, width: int) -> str:
    return text if len(text) <= width else text[: width - 3] + "..."


def _write(comparison: Comparison, filled: TableData, asked: Asked, say: Say) -> None:
    folder = asked.out / "compare"
    write_text(folder / "compare.md", filled.markdown())
    write_text(folder / "compare.csv", to_csv(filled.plain_columns, filled.plain_rows))
    picture = drawing(comparison)
    if picture is not None:
        for kind, content in draw(picture, Looks(), "svg", "png").items():
            write_bytes(folder / f"compare.{kind}", content)
        if not asked.as_json:
            say(f"picture: {folder / 'compare.svg'}")
