"""The commands and options, as --help prints them: a new option takes part in the round without being listed anywhere."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

#: "  rewrite    compute normal forms of a term rewriting system"; argparse writes the help of a long name into the next line.
COMMAND = re.compile(r"^ {2,4}([a-z][a-z-]*)(?: +\S.*)?$", re.MULTILINE)
#: CLI11 and argparse: "  -o,--output TEXT=x", "  --preset {quick,paper}", "  -h, --help".
OPTION = re.compile(r"^  ((?:-\w, ?)?--?[\w-]+)(?: (?!(?:Excludes|Needs):)([A-Z{][\w:,={}.-]*(?:=\S*)?))?(.*)$")
POSITIONAL = re.compile(r"^  ([A-Za-z_]+)(?: TEXT)?\b(.*)$")
ALLOWED = re.compile(r"\bone of ([\w, ]+)")
DEFAULT = re.compile(r"default ([-\w.]+)")
OUTPUT = re.compile(r"\b(write|written to|draw|output|folder for)\b", re.IGNORECASE)
INPUT = re.compile(r"\bfiles?\b|where results are", re.IGNORECASE)


@dataclass(frozen=True)
class Option:
    name: str  # "--csv", or the name of an argument without a dash
    type: str  # UINT, FLOAT, TEXT, DIR ...; empty for a flag
    help: str

    @property
    def takes_value(self) -> bool:
        return bool(self.type)

    @property
    def allowed(self) -> tuple[str, ...]:
        if self.type.startswith("{"):
            return tuple(self.type.strip("{}").split(","))
        found = ALLOWED.search(self.help)
        return tuple(found[1].split(", ")) if found else ()

    @property
    def default(self) -> str:
        if "=" in self.type and not self.type.startswith("NAME"):
            return self.type.partition("=")[2]
        found = DEFAULT.search(self.help)
        return found[1] if found else ""

    @property
    def kind(self) -> str:
        """integer, float, size, output, input, or text."""
        kind = self.type.partition("=")[0]
        if kind.startswith("UINT:SIZE"):
            return "size"
        if kind in ("UINT", "FLOAT"):
            return {"UINT": "integer", "FLOAT": "float"}[kind]
        if not self.allowed and re.fullmatch(r"-?\d+(\.\d+)?", self.default):
            return "axis"
        if OUTPUT.search(self.help) or kind in ("DIR", "DIR_OUT") and "where to write" in self.help:
            return "output"
        return "input" if INPUT.search(self.help) or kind == "DIR" else "text"


@dataclass(frozen=True)
class Command:
    front: str  # "program", or the Python package that has the command
    name: str
    options: Sequence[Option] = ()
    arguments: Sequence[Option] = ()

    def option(self, name: str) -> Option | None:
        return next((one for one in self.options if one.name == name), None)


#: Returns what a front (the program, or a Python package) prints for these words.
Ask = Callable[[str, Sequence[str]], str]
FRONTS = ("program", "plots", "processes")


def read(ask: Ask) -> Mapping[str, Command]:
    """Asks every front for its commands, and every command for its options."""
    commands: dict[str, Command] = {}
    for front in FRONTS:
        for name in COMMAND.findall(ask(front, ["--help"])):
            # `run --help` shows the axes of the experiments that it names.
            more = experiments(ask) if name == "run" else []
            commands[name] = parse(front, name, ask(front, [name, *more, "--help"]))
    return commands


def experiments(ask: Ask) -> list[str]:
    return [entry["name"] for entry in json.loads(ask("program", ["list", "--json"]))["experiments"]]


def parse(front: str, name: str, text: str) -> Command:
    options: list[Option] = []
    arguments: list[Option] = []
    section = ""
    for line in _joined(text):
        if re.match(r"^\S.*:$", line):
            section = line.lower()
        elif section.startswith("option") and (found := OPTION.match(line)):
            options.append(Option(found[1].split(",")[-1].strip(), found[2] or "", found[3].strip()))
        elif section.startswith("positional") and (found := POSITIONAL.match(line)):
            arguments.append(Option(found[1], "TEXT" if front == "program" else found[1], found[2].strip()))
    known = [option for option in options if option.name not in ("--help", "--max-input")]
    largest = [option for option in options if option.name == "--max-input"]
    return Command(front, name, (*known, *largest), tuple(arguments))


def _joined(text: str) -> list[str]:
    """Help lines with their continuations, which are indented more."""
    lines: list[str] = []
    for line in text.splitlines():
        if line.startswith("       ") and lines:
            lines[-1] += " " + line.strip()
        else:
            lines.append(line)
    return lines
