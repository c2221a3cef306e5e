"""`lockstep report --claims`: prints the verdicts, device by device."""

from __future__ import annotations

import shutil
import sys
import textwrap
from collections.abc import Sequence
from pathlib import Path

from plots.claims import Judgement, summary
from plots.escape import line
from plots.gather import Page, gather, load_results
from plots.verdict import Verdict

COLOURS = {Verdict.HOLDS: 32, Verdict.DOES_NOT_HOLD: 31, Verdict.MIXED: 33, Verdict.NOT_TESTABLE: 90}


def say(text: str) -> None:
    """Prints one line, whatever is in a path or a name."""
    print(line(text))


def print_claims(results: Path, only: Sequence[str] = ()) -> None:
    width = max(60, min(shutil.get_terminal_size((120, 24)).columns, 160))
    for section in gather(load_results(results), only, results):
        for page in [*section.pages, *section.papers]:
            if page.judgements and page.device is not None:
                print(f"\n{section.experiment.about.title} on {page.device.name}: {summary(page.judgements)}")
                for line in claim_lines(page, width, colour=sys.stdout.isatty()):
                    print(line)


def claim_lines(page: Page, width: int, colour: bool) -> list[str]:
    lines = []
    for judgement in page.judgements:
        lines += _lines(judgement, width, colour)
    return lines


def _lines(judgement: Judgement, width: int, colour: bool) -> list[str]:
    claim = judgement.claim
    verdict = f"{judgement.verdict.value:17}"
    shown = f"\033[{COLOURS[judgement.verdict]}m{verdict}\033[0m" if colour else verdict
    measured = (
        f"{judgement.measured_text}; holds if {judgement.bound_text}"
        if judgement.measured is not None
        else judgement.note
    )
    why = judgement.reason if judgement.measured is not None else ""
    built = "" if judgement.is_counted else "by construction"
    built = f"the number moved with the hardware: {judgement.claim.moves_with}" if judgement.has_moved else built
    found = "; ".join(filter(None, (f"paper {claim.published}", measured, why, judgement.parts_text, built)))
    text = f"{found}. “{claim.quote}” ({claim.place})"
    indent = " " * 25
    wrapped = textwrap.wrap(text, width - len(indent)) or [""]
    return [f"{claim.id:6}{shown}  {wrapped[0]}", *(indent + line for line in wrapped[1:])]
