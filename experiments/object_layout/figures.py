"""What the report shows of object_layout: figures and tables of the paper, and our own."""

from __future__ import annotations

from experiments.object_layout.access_figures import ACCESS_FIGURES
from experiments.object_layout.own_figures import OWN_FIGURES
from experiments.object_layout.paper import published
from experiments.object_layout.paper_figures import PAPER_FIGURES
from experiments.object_layout.printed_figures import PRINTED_FIGURES
from experiments.object_layout.program import DIAGRAMS
from experiments.object_layout.report_tables import TABLES
from plots.catalog import About, AnyFigure
from plots.diagram import Diagram

__all__ = ["ABOUT", "COLOURS", "FIGURES", "TABLES", "published"]

ABOUT = About(
    title="Object layout",
    question="What do columnar objects and type-sorted jobs gain in an object-oriented simulation?",
    paper="Springer, Masuhara: Object Support in an Array-Based GPGPU Extension for Ruby (Ikra). ARRAY 2016.",
    unit="an agent",
    cited="Springer 2016",
    asks="Do columns of fields (SoA) beat structures (AoS)?",
    doi="10.1145/2935323.2935327",
)

#: Ours is blue, the paper's red, tuned by hand grey. Where a figure compares layouts, the paper's kernel has a colour for each.
COLOURS = {
    "switch": "red",
    "registers": "blue",
    "restrict_columns": "grey",
    "factored": "sky",
    "delayed": "crimson",
    "inlined": "green",
    "per_type": "purple",
    "table": "olive",
    "virtual": "brown",
    "registers, soa": "blue",
    "restrict_columns, soa": "grey",
    "switch, soa": "red",
    "switch, aos": "sky",
    "switch, aos_padded": "purple",
    "switch, aosoa": "green",
    "sorted": "red",
    "jobs": "olive",
    "shuffled": "brown",
    "jobs_sorted": "blue",
    "jobs_as_printed": "red",
    "jobs_counted": "green",
    "maps_fused": "red",
    "maps_unfused": "grey",
    "paper": "red",
    "baseline": "grey",
    "sections_sent": "red",
    "sections_resident": "blue",
}

FIGURES: tuple[AnyFigure | Diagram, ...] = (*DIAGRAMS, *ACCESS_FIGURES, *PAPER_FIGURES, *PRINTED_FIGURES, *OWN_FIGURES)
