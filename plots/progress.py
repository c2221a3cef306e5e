"""One progress bar for a long job, with the time left; plain lines if the output is not a terminal."""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TextIO

from plots.units import duration


@dataclass
class Stage:
    """Work of one kind: steps of about the same length. `guess` is seconds per step until the first step ends."""

    name: str
    steps: int
    guess: float
    done: int = 0
    spent: float = 0.0

    def left(self) -> float:
        each = self.spent / self.done if self.done else self.guess
        return each * max(0, self.steps - self.done)


@dataclass
class Progress:
    """Stages in order. Call `step` after each step of the running stage and `end` after the last."""

    stages: list[Stage]
    stream: TextIO = field(default_factory=lambda: sys.stderr)
    now: Callable[[], float] = time.monotonic
    _current: Stage | None = None
    _since: float = 0.0
    _drawn: bool = False

    @property
    def terminal(self) -> bool:
        return self.stream.isatty()

    def begin(self, name: str) -> None:
        self._current = next(stage for stage in self.stages if stage.name == name)
        self._since = self.now()
        if self.terminal:
            self._draw()
        else:
            self.say(f"{name}: about {duration(self.left())} left in all")

    def step(self, count: int = 1) -> None:
        stage = self._current
        if stage is None:
            return
        stage.done += count
        stage.steps = max(stage.steps, stage.done)
        stage.spent += self.now() - self._since
        self._since = self.now()
        self._draw()

    def finish(self) -> None:
        """Ends the running stage, even if more steps were expected."""
        if self._current is not None:
            self._current.steps = self._current.done
            self._draw()

    def left(self) -> float:
        """Seconds left, from the mean step of each stage."""
        return sum(stage.left() for stage in self.stages)

    def share(self) -> float:
        spent = sum(stage.spent for stage in self.stages)
        return spent / (spent + self.left()) if spent + self.left() > 0 else 1.0

    def say(self, line: str) -> None:
        """Prints a line that stays, above the bar if there is one."""
        self._clear()
        print(line, file=self.stream, flush=True)
        self._draw()

    def aside(self, say: Callable[[str], None]) -> Callable[[str], None]:
        """`say`, for lines that go to another stream than the bar: it may be the same terminal."""

        def cleared(line: str) -> None:
            self._clear()
            say(line)

        return cleared

    def end(self) -> None:
        self._clear()
        self._current = None

    def _draw(self) -> None:
        if not self.terminal or self._current is None:
            return
        stage, share = self._current, self.share()
        full = round(28 * share)
        text = f"[{'#' * full}{'.' * (28 - full)}] {share:4.0%}  {duration(self.left())} left  {stage.name} {stage.done}/{stage.steps}"
        self.stream.write("\r\033[K" + text[: shutil.get_terminal_size().columns - 1])
        self.stream.flush()
        self._drawn = True

    def _clear(self) -> None:
        if self._drawn:
            self.stream.write("\r\033[K")
            self._drawn = False
