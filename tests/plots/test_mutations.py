"""Damaged results files: each command succeeds or ends in one line."""

from __future__ import annotations

import copy
import json
import random
from functools import lru_cache
from pathlib import Path

import pytest

from plots.catalog import load_experiment
from plots.cli import main
from plots.errors import UserError
from plots.load import load_file
from tests.plots.door import MUTATIONS, NASTY, commands, places, put, small, write


def test_300_mutations_end_in_success_or_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], unsynced: None
) -> None:
    """Without pixels, which take most of the time: what is drawn is drawn by test_hostile_texts_stay_texts."""
    monkeypatch.setattr(
        "plots.figures_command.draw_many", lambda jobs, *kinds: [{kind: b"" for kind in kinds} for _ in jobs]
    )
    monkeypatch.setattr(
        "plots.site.figure_card.draw_many", lambda jobs, *kinds: [{kind: b"<svg/>" for kind in kinds} for _ in jobs]
    )
    monkeypatch.setattr("plots.compare_command.draw", lambda *_: {})
    monkeypatch.setattr("plots.catalog.load_experiment", lru_cache(load_experiment))
    chance = random.Random(33)
    fine = 0
    for number in range(300):
        document = small()
        chance.choice(MUTATIONS)(document, chance)
        write(tmp_path, document)
        command = commands(tmp_path, tmp_path / "out")[number % 5]
        code = main(command)
        said = capsys.readouterr().err
        assert code in ((0, 2) if command[0] != "shards" else (0, 1, 2)), (number, command, said)
        assert said.count("\n") == (code == 2), (number, command, said)
        fine += code == 0
    assert 60 < fine < 260


def test_the_door_lets_a_value_in_or_refuses_it_in_one_line(tmp_path: Path) -> None:
    """700 values in 700 places of the context and of a row."""
    base = small()
    base["cases"] = [base["cases"][1]]
    found = [place for place in places(base) if place[0] in ("context", "cases")]
    path, chance = tmp_path / "a.json", random.Random(34)
    for _ in range(700):
        document = copy.deepcopy(base)
        put(document, chance.choice(found), chance.choice(NASTY))
        path.write_text(json.dumps(document), encoding="utf-8")
        try:
            load_file(path)
        except UserError as refused:
            assert str(refused).isprintable() and len(str(refused)) < 600
