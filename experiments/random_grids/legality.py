"""How many random boards of the slides' picture are legal positions in Go, Gomoku and Hex, by the reference's counts."""

from __future__ import annotations

from collections.abc import Mapping

from experiments.random_grids.wording import listed, table_of
from plots.claims import Parts, parts
from plots.errors import NotTestable
from plots.interval import Interval, share_of
from plots.quantity import Measure
from plots.results import Case, View
from plots.units import digits

#: Names of the games by the metric that counts their legal boards. `legal_position.hpp` defines what is legal.
GAMES: Mapping[str, str] = {
    "legal_in_go": "Go",
    "legal_in_gomoku": "Gomoku",
    "legal_in_hex": "Hex",
    "legal_in_all": "all three",
}
#: The slides' board.
BOARD: Mapping[str, object] = dict(grid="15x15", occupied="71,70")


def judged(view: View) -> Case:
    """The row that judged the most boards; every machine counts the same."""
    if view.device.published:
        raise NotTestable("the slides show one board and count none")
    where: dict[str, object] = {**BOARD, "variant": ("halving", "halving_by_lane")}
    counted = [case for case in view.select(**where) if case.metrics.get("positions_judged", 0) > 0]
    if not counted:
        raise NotTestable(view.missing(where, "a count of legal positions"))
    return max(counted, key=lambda case: case.metrics["positions_judged"])


def share(view: View, metric: str) -> Interval:
    counts = judged(view).metrics
    return share_of(counts[metric], counts["positions_judged"])


def _measure(metric: str) -> Measure:
    return Measure(f"legal in {GAMES[metric]}", "", lambda view: share(view, metric))


MEASURES = tuple(map(_measure, GAMES))


def legal_shares(view: View) -> Parts:
    boards = digits(judged(view).metrics["positions_judged"])
    note = f"of {boards} random boards; the pictured one is not in the text of the slides"
    return parts({game: share(view, metric) for metric, game in GAMES.items()}, note)


# Texts


def title(view: View) -> str:
    return f"{_percent(share(view, 'legal_in_all').value)} of the random boards are legal in Go, Gomoku and Hex"


def sentence(view: View) -> str:
    """The shares of legal boards, which say nothing of the slides' own board."""
    found = [f"{_percent(share(view, metric).value)} in {game}" for metric, game in GAMES.items()]
    return (
        f"**Legal positions.** Of {digits(judged(view).metrics['positions_judged'])} random boards of 15 x 15 sites with 71 "
        f"black and 70 white pieces, {listed(found)} are legal. The slides say that their board *happens to be legal*. That "
        "board was not checked, because the text of the slides does not contain it."
    )


def shares_table(view: View) -> str:
    def row(metric: str) -> tuple[str, str, str]:
        found = share(view, metric)
        return (
            GAMES[metric],
            f"{judged(view).metrics[metric]:.0f}",
            f"{_percent(found.value)} ({_percent(found.low)} to {_percent(found.high)})",
        )

    return table_of(("15 x 15, 71 black, 70 white", "legal boards", "share (95% interval)"), map(row, GAMES))


def _percent(value: float) -> str:
    """'9.2%': a rare position keeps a digit."""
    return f"{100 * value:.1f}%"
