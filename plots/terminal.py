"""`lockstep report --claims`: prints the verdicts, device by device."""

from __future__ import annotations

import json
import os
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
                for line in claim_lines(page, width, colour=has_colour()):
                    print(line)


def print_claims_json(results: Path, only: Sequence[str] = ()) -> None:
    """The verdicts as one JSON document: a list of claims per experiment and device."""
    found = [
        {
            "experiment": section.experiment.name,
            "device": page.device.name,
            "claims": [_entry(judgement) for judgement in page.judgements],
        }
        for section in gather(load_results(results), only, results)
        for page in [*section.pages, *section.papers]
        if page.judgements and page.device is not None
    ]
    print(json.dumps(found, indent=1))


def _entry(judgement: Judgement) -> dict[str, object]:
    claim, measured = judgement.claim, judgement.measured
    return {
        "id": claim.id,
        "verdict": judgement.verdict.value,
        "kind": judgement.kind,
        "counted": judgement.is_counted,
        "reason": judgement.reason,
        "quote": claim.quote,
        "place": claim.place,
        "published": claim.published,
        "measured": [measured.value, measured.low, measured.high] if measured else None,
        "unit": claim.unit,
        "bound": judgement.bound_text,
        "details": judgement.details,
    }


def has_colour() -> bool:
    """True on a terminal, unless NO_COLOR is set to something (no-color.org)."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR")


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
