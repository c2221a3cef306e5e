"""Makes a call from a seed and a number: a valid one, spoiled in one to three ways."""

from __future__ import annotations

import json
import os
import random
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tests.hostile import values
from tests.hostile.help_texts import Command, Option
from tests.hostile.inputs import DAMAGES, NO_FILES, Stock, dumped, unreadable
from tests.hostile.recipes import DRAWING, KINDS, LENGTHY, RECIPES

#: Values with which work can take long: such calls are asked to stop, and must.
LARGE = re.compile(rb"\d{4,}|e\+?\d|inf|[5-9]\d\d|\{1", re.IGNORECASE)
#: Bytes of address space of a call, if the limit is not the test.
MEMORY = 2 << 30
#: Address space that `rewrite` reserves for terms. What it uses is measured.
RESERVED = frozenset(("rewrite", "run", "batch", "reproduce", "expected", "end-to-end", "trace"))
#: Rows that `emulators --table-only` reads.
SPEEDS = Path(__file__).resolve().parents[2] / "results" / "emulators" / "rows.json"
LOCALES = ("C", "POSIX", "C.UTF-8", "de_DE.UTF-8", "en_US.ISO-8859-1", "nonsense", "", "a/b", "\udcff")
Item = list[bytes]


@dataclass
class Call:
    """A command line, and what surrounds it. Paths are relative to the folder `work`, in which it runs."""

    number: int
    command: Command
    work: Path
    words: list[bytes] = field(default_factory=list)
    environment: dict[str, str | None] = field(default_factory=dict)
    limits: dict[str, int] = field(default_factory=dict)  # by the letter of ulimit, in bytes or numbers
    stdin: str = "/dev/null"  # or "closed", or a path
    stdout: str = "kept"  # or "closed", or a path
    wrong: list[str] = field(default_factory=list)  # why the exit code cannot be 0
    spoiled: list[str] = field(default_factory=list)
    rows: dict[Path, set[str]] = field(default_factory=dict)  # rows of results files, which must survive
    made: set[Path] = field(default_factory=set)  # files and folders that were there before
    may_last: bool = False
    may_grow: bool = False  # its limit is that of the machine
    own_process: bool = False  # what is tested happens when Python starts

    @property
    def name(self) -> str:
        return self.command.name


class Maker:
    """Makes calls. Two makers with the same seed make the same calls in their folders."""

    def __init__(
        self,
        seed: int,
        commands: Mapping[str, Command],
        stock: Stock,
        only: Sequence[str] = (),
        unprivileged: bool = False,
    ) -> None:
        self.seed = seed
        self.commands = commands
        self.stock = stock
        self.names = [name for name in commands if not only or name in only]
        self.unprivileged = unprivileged
        # Root reads every file, whatever its mode.
        self.no_files = [one for one in NO_FILES if unprivileged or one is not unreadable]

    def make(self, number: int, work: Path) -> Call:
        """Makes the files of a call, too."""
        chance = random.Random(f"{self.seed}/{number}")
        weights = [_weight(name) for name in self.names]
        command = self.commands[chance.choices(self.names, weights)[0]]
        return Making(self, Call(number, command, work), chance).call()


def _weight(name: str) -> float:
    return 0.15 if name in DRAWING else 0.06 if name in LENGTHY else 3 if name in ("run", "merge", "rewrite") else 1


class Making:
    """One call in the making."""

    def __init__(self, maker: Maker, call: Call, chance: random.Random) -> None:
        self.stock = maker.stock
        self.maker = maker
        self.the = call
        self.chance = chance
        self.items: list[Item] = []
        self.files: dict[bytes, str] = {}  # input files by name, with their kinds
        self.mistakes: list[tuple[str, Item]] = []  # why the call is wrong, while it has these words

    def call(self) -> Call:
        self.the.work.mkdir(parents=True)
        self._begin(self.chance.choice(RECIPES.get(self.the.name, ("",))))
        count = self.chance.choice((0, 1, 1, 1, 1, 2, 3))
        ways = self.chance.choices(WAYS, [weight for _, weight in WAYS_AND_WEIGHTS], k=count)
        # An option has no value only at the end.
        for way in sorted(ways, key=lambda way: way is Making.missing_value):
            way(self)
            self.the.spoiled.append(way.__name__)
        words = [word for item in self.items for word in item]
        total = 0
        for word in [os.fsencode(self.the.name), *words]:
            total += len(word)
            if total < 1_000_000 and b"\0" not in word:
                self.the.words.append(word)
        self._finish(words)
        return self.the

    def _begin(self, recipe: str) -> None:
        for word in recipe.split():
            source = re.fullmatch(r"<?\{(\w+)\}", word)
            name = self.file(source[1]) if source else word.encode()
            if word.startswith("<"):
                self.the.stdin = name.decode()
            elif self.items and self._awaits_value(self.items[-1]):
                self.items[-1].append(name)
            else:
                self.items.append([name])
        if self.the.name == "run":
            self._existing_results()

    def _awaits_value(self, item: Item) -> bool:
        option = self.option_of(item)
        return option is not None and option.takes_value and len(item) == 1

    def option_of(self, item: Item) -> Option | None:
        if not item or not item[0].startswith(b"-"):
            return None
        name = item[0].decode("utf-8", "replace")
        return self.the.command.option({"-o": "--output"}.get(name, name))

    def file(self, kind: str) -> bytes:
        """Makes a valid input file."""
        name = f"{kind}{len(self.files)}".encode()
        if kind == "folder":
            self._results_folder(name)
            return name
        if kind == "speeds":
            self._write(name + b"/rows.json", "results", SPEEDS.read_bytes())
            return name
        suffix = {
            "source": b".cu",
            "cuda": b".cu",
            "draw": b".json",
            "system": b".trs",
            "natural": b".trs",
            "results": b".json",
            "old": b".json",
        }.get(kind, b"")
        content = self.stock.valid(kind, self.chance)
        if kind in ("system", "portable"):
            suffix = b".rec" if b"REC-SPEC" in content else b".trs"
        self._write(name + suffix, kind, content)
        return name + suffix

    def _results_folder(self, name: bytes) -> None:
        inside = os.fsdecode(name) + "/imaginary-gpu-x/random_grids.json"
        self._write(os.fsencode(inside), "results", self.stock.valid("results", self.chance))
        if self.chance.random() < 0.2:
            self._write(
                os.fsencode(os.fsdecode(name) + "/schematics/random_grids.json"),
                "traces",
                self.stock.valid("traces", self.chance),
            )

    def _existing_results(self) -> None:
        if self.chance.random() < 0.5:
            experiment = next(
                (one for one in ("random_grids", "rule_interpreter", "replications") if [one.encode()] in self.items),
                None,
            )
            if experiment:
                path = f"out/{self.stock.slug}/{experiment}.json"
                self._write(path.encode(), "results", dumped(self.stock.measured_here(self.chance, experiment)))

    def _write(self, name: bytes, kind: str, content: bytes) -> None:
        path = self.the.work / os.fsdecode(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        self.files[name] = kind
        if kind == "results":
            self.the.rows[path] = {row["name"] for row in json.loads(content)["cases"]}

    def _finish(self, words: Sequence[bytes]) -> None:
        call = self.the
        asked = {b"--help", b"-h", b"--version"} & {word.split(b"=")[0] for word in words}
        given = {b" ".join(item) for item in self.items} | set(words) | {call.stdin.encode()}
        if not (asked or any(word.startswith(b"-h") or word == b"--" for word in words)):
            call.wrong = [why for why, item in self.mistakes if b" ".join(item) in given]
        working = call.name == "run" and b"--dry-run" not in words
        call.may_last = (
            call.name in LENGTHY
            or working
            or any(LARGE.search(word) for word in words)
            or call.name in ("rewrite", "simulate", "traffic", "interpret", "replicate", "batch", "reproduce")
            and bool(call.spoiled)
        )
        call.may_grow = call.name == "rewrite" and b"64M" not in words
        call.made = set(call.work.rglob("*"))
        call.limits.setdefault("v", 0 if call.name in RESERVED else MEMORY)
        call.own_process |= call.stdin == "closed" or call.stdout != "kept"

    def wrong(self, why: str, *words: bytes) -> None:
        self.mistakes.append((why, list(words)))

    # Ways to spoil a call.

    def value(self) -> None:
        """Another value of an option, or another argument."""
        if not self.items:
            return self.add()
        item = self.chance.choice(self.items)
        option = self.option_of(item)
        if option is None or not option.takes_value:
            item[-1] = values.text(self.chance, self.maker.unprivileged)
            return None
        self._replace_value(item, option)
        return None

    def _replace_value(self, item: Item, option: Option) -> None:
        word = values.value(self.chance, option, self.maker.unprivileged)
        if option.kind == "input" and self.chance.random() < 0.6:
            word = self._no_file(KINDS.get(f"{self.the.name} {option.name}", ""))
        elif option.kind == "output" and self.chance.random() < 0.6:
            word = self._no_output(option)
        elif values.is_refused(option, word):
            self.wrong(f"{option.name} cannot be that", item[0], word)
        item[1:] = [word]

    def _no_file(self, kind: str) -> bytes:
        make = self.chance.choice(self.maker.no_files)
        name = f"{make.__name__}{self.chance.randrange(10**6)}"
        make(self.the.work / name)
        if kind and kind != "results":
            self.wrong(f"{name} cannot be read", name.encode())
        return name.encode()

    def _no_output(self, option: Option) -> bytes:
        make = self.chance.choice([one for one in NO_FILES if one.__name__ in ("fifo", "folder", "endless", "loop")])
        name = f"{make.__name__}{self.chance.randrange(10**6)}"
        make(self.the.work / name)
        # A link that leads nowhere is replaced by the output.
        if option.name in ("--output", "--csv", "--png") and make.__name__ != "loop":
            self.wrong(f"{name} cannot be written", name.encode())
        return name.encode()

    def add(self) -> None:
        """One more option."""
        if not self.the.command.options:
            return self.argument()
        option = self.chance.choice(self.the.command.options)
        item = [option.name.encode()]
        if option.takes_value:
            self._replace_value(item, option)
        if option.takes_value and self.chance.random() < 0.2:
            item = [item[0] + b"=" + item[1]]
        self.items.insert(self.chance.randrange(len(self.items) + 1), item)
        return None

    def unknown_option(self) -> None:
        name = self.chance.choice(
            (b"--no-such-option", b"--no-such=1", b"-Q", b"--\n", b"--\x1b[2J", b"--" + b"x" * 9000, b"--\xff")
        )
        self.items.insert(self.chance.randrange(len(self.items) + 1), [name])
        self.wrong("there is no such option", name)

    def missing_value(self) -> None:
        options = [option for option in self.the.command.options if option.takes_value]
        if options and "missing_value" not in self.the.spoiled:
            option = self.chance.choice(options)
            self.items = [item for item in self.items if item[0] != option.name.encode()]
            self.items.append([option.name.encode()])
            self.wrong(f"{option.name} has no value", option.name.encode())

    def duplicate(self) -> None:
        if self.items:
            item = list(self.chance.choice(self.items))
            self.items.insert(self.chance.randrange(len(self.items) + 1), item)
            option = self.option_of(item)
            if option is not None and option.takes_value and len(item) > 1 and self.chance.random() < 0.5:
                self._replace_value(item, option)

    def drop(self) -> None:
        if self.items:
            self.items.pop(self.chance.randrange(len(self.items)))

    def shuffle(self) -> None:
        self.chance.shuffle(self.items)

    def argument(self) -> None:
        for _number in range(self.chance.choice((1, 1, 1, 30))):
            word = values.text(self.chance, self.maker.unprivileged)
            self.items.insert(self.chance.randrange(len(self.items) + 1), [word])

    def damage(self) -> None:
        """Damages an input file."""
        if not self.files:
            return self.value()
        name = self.chance.choice(sorted(self.files))
        path = self.the.work / os.fsdecode(name)
        if not path.is_file() or path.is_symlink() or path.stat().st_size > 1 << 24:
            return None
        make = self.chance.choice(DAMAGES)
        content, refused = make(path.read_bytes(), self.files[name], self.chance)
        path.write_bytes(content)
        self.the.rows.pop(path, None)
        if refused:
            self.wrong(f"{name.decode()} is damaged ({make.__name__})", name)
        return None

    def no_file(self) -> None:
        """Something that is no file in the place of an input."""
        if not self.files:
            return self.value()
        name = self.chance.choice(sorted(self.files))
        path = self.the.work / os.fsdecode(name)
        if path.is_dir() or path.is_symlink() or not path.exists():
            return None
        path.unlink()
        self.the.rows.pop(path, None)
        make = self.chance.choice(self.maker.no_files)
        make(path)
        if self.the.stdin == name.decode():
            self.the.stdin = self.chance.choice(("/dev/zero", "closed", "."))
        elif self.the.name not in ("merge", "run"):
            self.wrong(f"{name.decode()} cannot be read ({make.__name__})", name)
        return None

    def inherited(self) -> None:
        """Variables of the environment."""
        call, chance = self.the, self.chance
        call.own_process = True
        for _number in range(chance.choice((1, 1, 2, 3))):
            name, choices = chance.choice(VARIABLES)
            call.environment[name] = chance.choice(choices)

    def sources(self) -> None:
        """Another source tree, whose sweeps are damaged. Only the program takes one."""
        if self.the.command.front != "program":
            return self.damage()
        name = b"tree/experiments/random_grids/sweeps.json"
        if name in self.files:  # it may no longer be a file
            return self.damage()
        make = self.chance.choice(DAMAGES)
        content, _ = make(self.stock.valid("sweeps", self.chance), "sweeps", self.chance)
        self._write(name, "sweeps", content)
        self.the.environment["LOCKSTEP_SOURCE"] = "tree"
        if self.chance.random() < 0.2:
            self.no_file()
        return None

    def limit(self) -> None:
        """Limits of the shell. Python's libraries do not start with less than these."""
        is_python = self.the.command.front != "program"
        letter, choices = self.chance.choice(LIMITS_OF_PYTHON if is_python else LIMITS)
        self.the.limits[letter] = self.chance.choice(choices)
        self.the.may_last = True

    def output(self) -> None:
        self.the.stdout = self.chance.choice(("closed", "/dev/full"))

    def input(self) -> None:
        # Python itself does not start with a folder as standard input.
        folder = "." if self.the.command.front == "program" else "closed"
        self.the.stdin = self.chance.choice(("closed", "/dev/zero", folder, "/dev/full"))


VARIABLES: Sequence[tuple[str, Sequence[str | None]]] = (
    ("HOME", (None, "", "/nonexistent", "/proc", "{work}/a\nb", "/dev/null")),
    ("TMPDIR", ("", "/nonexistent", "/proc", "/dev/null", "{work}/a\nb", "relative", "/" + "x" * 5000)),
    ("LC_ALL", LOCALES),
    ("LANG", LOCALES),
    ("LANGUAGE", ("de", "nonsense")),
    ("TZ", ("", "nonsense", ":/dev/zero", "UTC-99", "x" * 5000, "\udcff", "../../../etc/passwd")),
    ("MPLBACKEND", ("TkAgg", "nonsense", "", "module://os", "agg\n")),
    ("MPLCONFIGDIR", ("/nonexistent", "/dev/null", "", "{work}")),
    ("COLUMNS", ("0", "1", "-5", "nonsense", "99999999999999999999", "")),
    ("LINES", ("0", "nonsense")),
    ("TERM", ("", "nonsense", "\x1b[2J")),
    ("NO_COLOR", ("", "1")),
    ("PATH", (None, "", "/nonexistent", ".", "\udcff")),
    ("XDG_CACHE_HOME", ("", "relative", "/nonexistent", "/dev/null", "{work}/a\nb")),
    ("LOCKSTEP_CACHE", ("", "relative", "/nonexistent", "/dev/null", "/tmp", "{work}/a\nb", "/" + "x" * 5000)),
    ("LOCKSTEP_TUNING", ("", "/nonexistent", "/dev/null", "{work}", "a\nb", "x" * 5000)),
    ("LOCKSTEP_SOURCE", ("", "/nonexistent", "/dev/null", "{work}", "a\nb", "\udcff", "x" * 5000)),
    ("LOCKSTEP_COMMIT", ("", "a\nb", "x" * 5000, "\udcff", '";system("id");"')),
    ("LOCKSTEP_BINARY", ("", "/nonexistent", "/dev/null", "/bin/false", "a\nb", "{work}", "/bin/echo")),
    ("CXX", ("", "/nonexistent", "/bin/false", "a b", ";id", "\udcff")),
    ("CUDA_VISIBLE_DEVICES", ("", "-1", "nonsense", "0")),
    ("PYTHONIOENCODING", ("ascii", "latin-1", "utf-16")),
    ("PYTHONUTF8", ("0",)),
    ("CUDAARCHS", ("", "nonsense", "\n")),
    ("CUDA_HOME", ("", "/nonexistent", "/dev/null")),
)

MEBIBYTE = 1 << 20
LIMITS: Sequence[tuple[str, Sequence[int]]] = (
    ("v", (64 * MEBIBYTE, 100 * MEBIBYTE, 200 * MEBIBYTE, 400 * MEBIBYTE)),
    ("n", (5, 8, 16)),
    ("s", (64 << 10, 256 << 10, MEBIBYTE, 1 << 40)),
    ("f", (0, 512, 4096, 65536)),
    ("u", (0, 1, 3)),
)
LIMITS_OF_PYTHON: Sequence[tuple[str, Sequence[int]]] = (
    ("v", (1536 * MEBIBYTE, MEMORY)),
    ("n", (8, 16, 32)),
    ("s", (MEBIBYTE, 8 * MEBIBYTE)),
    ("f", (0, 512, 4096, 65536)),
    ("u", (0, 1)),
)

Way = Callable[[Making], None]
WAYS_AND_WEIGHTS: Sequence[tuple[Way, float]] = (
    *((Making.value, 6), (Making.add, 4), (Making.damage, 6), (Making.no_file, 1), (Making.unknown_option, 0.5)),
    *(
        (Making.missing_value, 0.5),
        (Making.duplicate, 0.7),
        (Making.drop, 0.7),
        (Making.shuffle, 0.5),
        (Making.argument, 1),
    ),
    *((Making.inherited, 1), (Making.sources, 0.7), (Making.limit, 1), (Making.output, 0.4), (Making.input, 0.3)),
)
WAYS: Sequence[Way] = [way for way, _ in WAYS_AND_WEIGHTS]
