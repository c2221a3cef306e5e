"""`lockstep compare`: prints a comparison, and writes it as Markdown, CSV and a picture."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from plots.atomic import write_bytes, write_text
from plots.compare import Comparison, Pair, compare, drawing, labels, table
from plots.compare_summary import COLUMNS, MAX_LINES, cut, largest, summary
from plots.draw import draw
from plots.drawing import to_csv
from plots.errors import UserError
from plots.results import Case
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
    every_line: bool = False
    experiments: Sequence[str] = ()
    variants: Sequence[str] = ()

    def wants(self, case: Case) -> bool:
        return (not self.experiments or case.experiment in self.experiments) and (
            not self.variants or case.variant in self.variants
        )

    def check_names(self, everything: Comparison) -> None:
        """Refuses a name that no pair has, which another name beside it would hide."""
        cases = [pair.a for pair in everything.pairs]
        for option, names, known in (
            ("--only", self.experiments, {case.experiment for case in cases}),
            ("--variant", self.variants, {case.variant for case in cases}),
        ):
            for name in names:
                if name not in known:
                    raise UserError(
                        f"nothing to compare for {option} {name}", "no case in both folders has it", f"check {option}"
                    )


def run(asked: Asked, say: Say) -> int:
    """Returns exit code 1 on a regression or change if the options request it. Refuses if every pair is refused."""
    if asked.every_line and asked.as_json:
        raise UserError("--all with --json", "the document has all pairs", "leave out --all")
    comparison = compare(asked.a, asked.b, asked.repeat, asked.wants)
    if asked.experiments or asked.variants:
        asked.check_names(compare(asked.a, asked.b, asked.repeat, lambda case: True))
    filled = table(comparison)
    if asked.as_json:
        print(json.dumps(document(comparison), indent=1))
    else:
        _print(comparison, filled, asked.every_line, say)
    _write(comparison, filled, asked, say)
    changes = [(pair, change) for pair in comparison.pairs for change in pair.changed_metrics()]
    regressions = comparison.regressions(asked.percent) if asked.percent is not None else []
    if not asked.as_json:
        changed = [f"metric changed: {pair.b.describe()}: {change}" for pair, change in changes]
        longer = [
            f"regression: {pair.b.describe()}: {pair.verdict()}, {digits(pair.slower_by())}% longer"
            for pair in regressions
        ]
        for line in [*cut(changed, asked.every_line), *cut(longer, asked.every_line)]:
            say(line)
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


def _print(comparison: Comparison, filled: TableData, every_line: bool, say: Say) -> None:
    """All pairs, or what they come to and the largest changes."""
    if every_line:
        _print_rows([filled.columns, *filled.rows], say)
    else:
        _print_rows([COLUMNS, *summary(comparison.pairs)], say)
        for verdict in ("slower", "faster"):
            _print_largest(comparison, filled, verdict, say)
    for line in filter(None, [filled.caption, *texts(comparison.noise, comparison.repeated)]):
        say(line)
    verdicts = [pair.verdict().split(" (")[0] for pair in comparison.pairs]
    counts = ", ".join(f"{verdicts.count(verdict)} {verdict}" for verdict in dict.fromkeys(verdicts))
    say(f"{len(comparison.pairs)} pairs: {counts}; {comparison.only_a} cases only in A, {comparison.only_b} only in B")


def _print_largest(comparison: Comparison, filled: TableData, verdict: str, say: Say) -> None:
    found = largest(comparison, verdict)
    if not found:
        return
    say("")
    say(f"{verdict}, the {MAX_LINES} largest changes of {len(found)}:" if len(found) > MAX_LINES else f"{verdict}:")
    _print_rows([filled.columns, *(filled.rows[position] for position in found[:MAX_LINES])], say)


def _print_rows(rows: Sequence[Sequence[str]], say: Say) -> None:
    """A table with a column as wide as its texts, but the first not wider than the terminal leaves."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    room = shutil.get_terminal_size((120, 24)).columns - sum(widths[1:]) - 2 * (len(widths) - 1)
    widths[0] = min(widths[0], max(room, 30))
    for row in rows:
        cells = [_cut(row[0], widths[0]), *row[1:]]
        say("  ".join(cell.ljust(width) for cell, width in zip(cells, widths)).rstrip())


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
