"""Why a claim has no verdict on a device, in words for a reader who does not know the rows."""

from __future__ import annotations

import re

from plots.claims import Judgement
from plots.gather import Section

NO_GPU = "needs a GPU"
NO_ROW = re.compile(r"no row with (?P<what>[^:]+): (?P<where>.+)")


def cpu_variants(section: Section) -> frozenset[str]:
    """The variants that some device measured on its CPU: rows of the others need a GPU."""
    return frozenset(case.variant for page in section.pages for case in page.view or () if case.machine == "cpu")


def reason(judgement: Judgement, on_cpu: frozenset[str]) -> str:
    """The reason of a verdict that is mixed or missing."""
    text = judgement.reason
    found = NO_ROW.fullmatch(text) if judgement.measured is None else None
    if found is None:
        return text
    keys = dict(part.partition(" ")[::2] for part in found["where"].split(", "))
    if not judgement.device.has_gpu and keys.get("variant", "") not in on_cpu and keys.get("machine") != "cpu":
        return NO_GPU
    variant = f" of {keys.pop('variant')}" if "variant" in keys else ""
    keys.pop("machine", None)
    rest = ", ".join(f"{key.replace('_', ' ')} {value}" for key, value in keys.items())
    return f"not measured here: {found['what']}{variant}" + (f" at {rest}" if rest else "")
