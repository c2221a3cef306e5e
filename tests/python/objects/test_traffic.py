"""The paper's traffic simulation as Python classes has the reference's state, bit for bit, on every machine."""

from __future__ import annotations

import csv
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from lockstep.objects import array, last_report
from lockstep.objects.native import compile_for_gpu

ROOT = Path(__file__).parents[3]
sys.path.insert(0, str(ROOT / "examples" / "object_layout"))
traffic: Any = __import__("traffic")

CARS, PEDESTRIANS, STREETS, SEED = 90, 210, 40, 7


def reference(folder: Path, ticks: int, weather: str) -> list[list[str]]:
    """The state by `lockstep traffic` with plain C++ objects."""
    binary = os.environ.get("LOCKSTEP_BINARY", "")
    if not Path(binary).is_file():
        pytest.skip("needs the command lockstep (LOCKSTEP_BINARY)")
    path = folder / "agents.csv"
    command = [binary, "traffic", "--machine", "cpu", "--dispatch", "objects", "--seed", str(SEED)]
    command += ["--cars", str(CARS), "--pedestrians", str(PEDESTRIANS), "--streets", str(STREETS)]
    command += ["--ticks", str(ticks), "--weather", weather, "--csv", str(path)]
    subprocess.run(command, check=True, capture_output=True)
    with path.open() as lines:
        return list(csv.reader(lines))[1:]


def scenario() -> tuple[list[Any], list[Any]]:
    streets = traffic.random_streets(STREETS, SEED)
    return streets, traffic.random_agents(streets, CARS, PEDESTRIANS, SEED)


def state(streets: list[Any], agents: list[Any]) -> list[list[str]]:
    numbers = {id(street): str(number) for number, street in enumerate(streets)}
    return [
        [str(number), type(agent).__name__.lower(), numbers[id(agent.street)], f"{agent.progress:.9g}"]
        for number, agent in enumerate(agents)
    ]


@pytest.mark.parametrize("weather, factor", [("good", traffic.GOOD), ("bad", traffic.RAINY)])
def test_state_is_the_references(any_machine: str, weather: str, factor: float, tmp_path: Path) -> None:
    ticks = 300 if any_machine == "cpu" else 40
    streets, agents = scenario()
    array(agents, machine=any_machine, seed=SEED).peach("move", factor, ticks=ticks)
    assert state(streets, agents) == reference(tmp_path, ticks, weather)


def test_ticks_can_be_several_sections(machine: str, tmp_path: Path) -> None:
    streets, agents = scenario()
    made = array(agents, machine=machine, seed=SEED)
    for first in (0, 1, 13):
        made.peach("move", traffic.GOOD, ticks=(1, 12, 7)[(0, 1, 13).index(first)], first_tick=first)
    assert state(streets, agents) == reference(tmp_path, 20, "good")


def test_order_of_the_array_does_not_matter_to_a_car(machine: str) -> None:
    """The job array of mixed classes gives each agent its own draws: those of its position."""
    _, sorted_agents = scenario()
    _, mixed_agents = scenario()
    cars = [agent for agent in mixed_agents if type(agent) is traffic.Car]
    array(cars, machine=machine, seed=SEED).peach("move", traffic.GOOD, ticks=25)
    array(sorted_agents, machine=machine, seed=SEED).peach("move", traffic.GOOD, ticks=25)
    assert [car.progress for car in cars] == [car.progress for car in sorted_agents[:CARS]]


def test_generated_program_is_figure_7() -> None:
    _, agents = scenario()
    array(agents, machine="cpu", seed=SEED).peach("move", traffic.GOOD)
    text = last_report().text
    assert text.count("switch (base.tag)") == 1 and text.count("switch") == 1
    assert "case 0:  // Car" in text and "case 1:  // Pedestrian" in text and "default: lane.fail(" in text
    for column in ("Agent_progress", "Agent_street", "Car_max_velocity", "Street_length", "Street_neighbors_first"):
        assert column in text
    assert "Street_neighbors_contents" in text, "Figure 6"


def test_program_has_at_most_60_lines() -> None:
    source = (ROOT / "examples" / "object_layout" / "traffic.py").read_text()
    classes = source[source.index("class Street") : source.index("def random_streets")]
    assert sum(1 for line in classes.splitlines() if line.strip()) <= 60


def test_second_use_takes_no_compilation() -> None:
    """A bound far above what it takes: 20 480 agents of the paper, traced, run and fetched again."""
    streets = traffic.random_streets(500, SEED)
    agents = traffic.random_agents(streets, 4096, 16384, SEED)
    made = array(agents, machine="cpu", seed=SEED)
    made.peach("move", traffic.GOOD)
    start = time.perf_counter()
    made.peach("move", traffic.RAINY, first_tick=1)
    assert time.perf_counter() - start < 2
    assert last_report().compiled < 0.5


@pytest.mark.skipif(not Path("/usr/local/cuda").exists(), reason="needs NVRTC")
def test_program_compiles_for_gpus_that_are_not_here() -> None:
    _, agents = scenario()
    array(agents, machine="cpu", seed=SEED).peach("move", traffic.GOOD)
    assert compile_for_gpu(90, last_report().text, ["element"]) > 1000


def test_example_has_the_commands_options(tmp_path: Path) -> None:
    found = tmp_path / "found.csv"
    command = [sys.executable, str(ROOT / "examples" / "object_layout" / "traffic.py"), "--machine", "cpu"]
    command += ["--cars", str(CARS), "--pedestrians", str(PEDESTRIANS), "--streets", str(STREETS)]
    command += ["--seed", str(SEED), "--ticks", "50", "--repeat", "2", "--csv", str(found)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "python")}
    subprocess.run(command, check=True, capture_output=True, env=environment)
    with found.open() as lines:
        assert list(csv.reader(lines))[1:] == reference(tmp_path, 100, "good")


def test_committed_program_is_the_generated_one() -> None:
    """The report shows it as Figure 7."""
    _, agents = scenario()
    array(agents, machine="cpu", seed=SEED).peach("move", traffic.GOOD)
    assert (ROOT / "kernels" / "object_layout" / "compiled" / "traffic_program.txt").read_text() == last_report().text
