"""The style of all figures, safe for colour-blind readers.

Each colour has a dark version for the report's dark mode.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from plots.drawing import Series

INK, MUTED, GRID, SURFACE, ON_FILL = "#1b1f24", "#5b6571", "#e2e6eb", "#fefefe", "#fdfdfd"
FAINT = "#b9c0c8"  # lines for comparison only

#: Light and dark version of each series colour. Any two remain distinct under protanopia, deuteranopia and tritanopia, and
#: contrast with the page (tests/plots/test_style.py). Markers distinguish them in print.
PALETTE = (
    ("#00428f", "#6e86e1"),
    ("#fc3f1a", "#b67d1c"),
    ("#037a42", "#06ffb4"),
    ("#480559", "#f770b1"),
    ("#8d942a", "#eac822"),
    ("#0086ca", "#a1d9fe"),
    ("#73454d", "#bab872"),
    ("#860225", "#e95077"),
)
#: How many lines of a plot have a name and a colour. More of them cannot be told apart.
NAMED_LINES = 6
#: Names of the colours, for the COLOURS of an experiment's figures.py.
COLOUR_NAMES = ("blue", "red", "green", "purple", "olive", "sky", "brown", "crimson")
MARKERS = "os^Dv<>ph*"
#: Of the papers' numbers, hollow: one per GPU.
PUBLISHED_MARKERS = "Ds^v"
DASHES: dict[str, object] = {"baseline": (0, (4, 2)), "reference": (0, (1, 1.5)), "contender": (0, (5, 1.5, 1, 1.5))}
ROLE_ORDER = ("paper", "ours", "baseline", "contender", "reference")

#: Names of the custom properties that replace the colours in the report.
VARIABLES = {
    INK: "--ink",
    MUTED: "--muted",
    GRID: "--grid",
    FAINT: "--faint",
    SURFACE: "--surface",
    ON_FILL: "--on-fill",
} | {light: f"--series-{index}" for index, (light, _) in enumerate(PALETTE, start=1)}

RC: dict[str, object] = {
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],
    "font.size": 9.0,
    "text.color": INK,
    "axes.labelcolor": INK,
    "axes.edgecolor": MUTED,
    "axes.facecolor": "none",
    "axes.linewidth": 0.7,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "axes.grid": True,
    "axes.titley": 1.0,  # not found from the boxes of all ticks, which takes a tenth of the time
    "axes.unicode_minus": False,
    "grid.color": GRID,
    "grid.linewidth": 0.7,
    "xtick.color": MUTED,
    "ytick.color": MUTED,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "xtick.labelsize": 8.5,
    "ytick.labelsize": 8.5,
    "figure.facecolor": SURFACE,
    "legend.frameon": False,
    "legend.fontsize": 8.5,
    "lines.linewidth": 1.6,
    "lines.markersize": 5.0,
    "svg.fonttype": "none",
}


@dataclass(frozen=True)
class Look:
    """How one series looks: the same in every figure of an experiment."""

    colour: str
    marker: str
    dash: object = "-"
    width: float = 1.6


class Looks:
    """Colours and markers by key. Keys with a colour of their own (COLOURS in an experiment's figures.py) look the same in every
    figure. So do the keys of the constructor (an experiment's variants), unless two of one colour meet in a figure. Other
    keys (grids, devices) are distinct within a figure."""

    def __init__(self, keys: Sequence[str] = (), colours: Mapping[str, str] | None = None) -> None:
        self._indices = {key: index for index, key in enumerate(keys)}
        self._fixed = {key: _hex(name) for key, name in (colours or {}).items()}

    def of(self, series: Sequence[Series]) -> list[Look]:
        """The looks of a figure's series, in order.

        If two of them have one colour and another is free, the later one takes it, unless its colour is its own.
        """
        others: dict[str, int] = {}
        published: dict[str, int] = {}
        looks = [self._look(one, others, published) for one in series]
        owners = {self._fixed[one.key]: one.key for one in series if one.key in self._fixed and not one.grey}
        for index, (one, look) in enumerate(zip(series, looks)):
            if one.grey or one.kind in ("theory", "published") or one.key in self._fixed:
                continue
            free = [light for light, _ in PALETTE if light not in owners]
            if owners.get(look.colour, one.key) != one.key:
                mine = [colour for colour, key in owners.items() if key == one.key]
                looks[index] = replace(look, colour=(mine or free or [look.colour])[0])
            owners.setdefault(looks[index].colour, one.key)
        return looks

    def _look(self, series: Series, others: dict[str, int], published: dict[str, int]) -> Look:
        if series.grey:
            return Look(FAINT, "", "-", 1.0)
        if series.kind == "theory":
            return Look(MUTED, "", (0, (3, 2)), 1.2)
        if series.kind == "published":
            index = published.setdefault(series.key, len(published))
            return Look(INK, PUBLISHED_MARKERS[index % len(PUBLISHED_MARKERS)])
        if series.key in self._indices:
            index = self._indices[series.key]
        elif series.key in ROLE_ORDER:
            index = ROLE_ORDER.index(series.key)
        else:
            index = others.setdefault(series.key, len(others))
        colour = self._fixed.get(series.key, PALETTE[index % len(PALETTE)][0])
        marker = MARKERS[(index + 3 * (index // len(PALETTE))) % len(MARKERS)]
        if series.kind == "trace":
            return Look(colour, "", "-", 1.2)
        if series.kind == "points":
            return Look(colour, marker, "none")
        dash = (0, (1, 1)) if series.kind == "extrapolated" else DASHES.get(series.role, "-")
        return Look(colour, marker, dash, 2.2 if series.role == "ours" else 1.6)


def _hex(name: str) -> str:
    if name in ("grey", "black"):
        return MUTED if name == "grey" else INK
    return PALETTE[COLOUR_NAMES.index(name)][0]


def palette_css(dark: bool) -> str:
    """The custom properties of light or dark mode."""
    base = (
        ("#e7ebf0", "#9aa5b1", "#2b323b", "#4b5561", "transparent", "#14181d")
        if dark
        else (INK, MUTED, GRID, FAINT, "transparent", "#ffffff")
    )
    pairs = list(zip(("--ink", "--muted", "--grid", "--faint", "--surface", "--on-fill"), base))
    pairs += [(f"--series-{index}", twins[dark]) for index, twins in enumerate(PALETTE, start=1)]
    return " ".join(f"{name}: {value};" for name, value in pairs)
