"""Why a claim has no verdict on a device, in words for a reader who does not know the rows."""

from __future__ import annotations

import re

from plots.claims import Judgement
from plots.gather import Section

NO_GPU = "needs a GPU"
NO_ROW = re.compile(r"no (?:timed )?row\b(?: of (?P<variants>`[^`]+`(?: or `[^`]+`)*))?(?P<rest>.*)")


def cpu_variants(section: Section) -> frozenset[str]:
    """The variants that some device measured on its CPU: rows of the others need a GPU."""
    return frozenset(case.variant for page in section.pages for case in page.view or () if case.machine == "cpu")


def reason(judgement: Judgement, on_cpu: frozenset[str]) -> str:
    """The reason of a verdict that is mixed or missing."""
    text = judgement.reason
    found = NO_ROW.fullmatch(text) if judgement.measured is None else None
    if found is None:
        return text
    variants = set(re.findall(r"`([^`]+)`", found["variants"] or ""))
    if not judgement.device.has_gpu and not variants & on_cpu and " on the CPU" not in found["rest"]:
        return NO_GPU
    return f"not measured here: {text}"
