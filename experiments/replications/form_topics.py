"""Paragraphs of results/<device>/replications.md on the forms of one warp per replication that the paper describes."""

from __future__ import annotations

from experiments.replications import forms
from experiments.replications.measures import CHOSEN, SHORT_MODELS, ratios
from experiments.replications.topics import furthest_from_one
from experiments.replications.wording import Workload, share, times_as_fast, where_rows_exist, workload_name
from plots.markdown import table
from plots.results import GPU, View
from plots.tables import MISSING

#: The forms of one warp per replication that the paper describes.
FORMS = {"warps_macros": "macros", "warps_woven": "annotation", "warps": "function", "warps_ptx": "index by PTX"}


def forms_agree(view: View) -> str:
    """Macros, annotation and function."""
    worst = furthest_from_one(forms.forms(view).values())
    same = all(
        len(
            {
                view.kernel("registers", variant=form, machine=GPU, **where).value
                for form in FORMS
                if form != "warps_ptx"
            }
        )
        == 1
        for where in SHORT_MODELS.values()
    )
    registers = "use the same number of registers and " if same else ""
    return (
        f"The macros, the annotation, and the function `for_each_replication` {registers}differ by at most "
        f"{share(worst)} in time (interval included)."
    )


def ptx_table(view: View) -> str:
    """The warp's index by inline PTX against the macros."""

    def cells(where: Workload) -> dict[str, str]:
        full: dict[str, object] = {**where, **CHOSEN, "machine": GPU}
        cells = {"workload": workload_name(where)}
        for form in ("warps_macros", "warps_ptx"):
            registers = view.kernel("registers", variant=form, **full).value
            cells[f"registers per thread, {FORMS[form]}"] = f"{registers:.0f}"
        for count, ratio in ratios(view, "warps_ptx", "warps_macros", full).items():
            cells[f"time of PTX relative to macros, {count} replications"] = times_as_fast(ratio)
        return cells

    rows = [row for _, row in where_rows_exist(cells, list(SHORT_MODELS.values()))]
    head = list(dict.fromkeys(name for row in rows for name in row))
    return table(head, [[row.get(name, MISSING) for name in head] for row in rows])
