"""The command line of this package; `./lockstep` passes the commands of commands.txt on to it."""

from __future__ import annotations

import argparse
import difflib
import io
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NoReturn, cast

from plots import compare_command, expected, reproduce, shards_command
from plots.catalog import ROOT
from plots.coverage import cited_papers, write_coverage
from plots.errors import UserError
from plots.drawing_progress import drawing_progress
from plots.figures_command import write_figures
from plots.findings_page import write_pages
from plots.gather import load_results
from plots.process import exit_code
from plots.readme import write_readme
from plots.site import write_report
from plots.terminal import print_claims, print_claims_json, say


class Once(argparse.Action):
    """Stores the value of an option, and refuses a second one, as the program does: it does not guess which one counts."""

    def __call__(
        self, parser: argparse.ArgumentParser, namespace: argparse.Namespace, values: Any, option: str | None = None
    ) -> None:
        assert isinstance(parser, Parser)
        if self.option_strings and self.dest in parser.given:
            raise argparse.ArgumentError(self, "it is given twice")
        parser.given.add(self.dest)
        setattr(namespace, self.dest, values)


class Parser(argparse.ArgumentParser):
    """Reports a wrong command line in one line, like every user error. An option counts once unless it appends."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.given: set[str] = set()
        self.register("action", None, Once)
        self.register("action", "store", Once)

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        self.given = set()
        return super().parse_known_args(args, namespace)

    def parse_args(self, args: Any = None, namespace: Any = None) -> Any:
        found, left = self.parse_known_args(args, namespace)
        if left:
            self._command_of(found)._refuse(left[0])
        return found

    def _command_of(self, found: argparse.Namespace) -> Parser:
        chosen = getattr(found, "command", None)
        for action in self._actions:
            if isinstance(action, argparse._SubParsersAction) and chosen in action.choices:
                return cast(Parser, action.choices[chosen])
        return self

    def _refuse(self, word: str) -> NoReturn:
        options = [option for action in self._actions for option in action.option_strings]
        near = difflib.get_close_matches(word.split("=")[0], options, 1)
        what = "option" if word.startswith("-") else "argument"
        advice = f"did you mean {near[0]}?" if near else f"see {self.prog} --help"
        raise UserError(f"unknown {what} {word}", f"{self.prog} has no such {what}", advice)

    def error(self, message: str) -> NoReturn:
        raise UserError(f"cannot run {self.prog}", message, f"see {self.prog} --help")


def summaries() -> dict[str, str]:
    """The help of each command from commands.txt, which ./lockstep reads, too."""
    lines = (Path(__file__).parent / "commands.txt").read_text(encoding="utf-8").splitlines()
    return {name: text for name, _, text in (line.split(maxsplit=2) for line in lines)}


def parser() -> argparse.ArgumentParser:
    helps = summaries()
    main = Parser(prog="lockstep", description="Draw figures, judge claims and write reports from results.")
    commands = main.add_subparsers(dest="command", required=True, metavar="COMMAND")

    figures = commands.add_parser("figures", help=helps["figures"])
    report = commands.add_parser("report", help=helps["report"])
    report.add_argument("--claims", action="store_true", help="print the verdicts on the terminal instead")
    _json(report)
    report.add_argument(
        "--readme",
        metavar="DEVICE",
        help="write this device's findings into README.md and its pages in results/ instead",
    )
    report.add_argument("--single-file", action="store_true", help="write one index.html that contains everything")
    report.add_argument(
        "--coverage",
        action="store_true",
        help="write experiments/EXPERIMENT/COVERAGE.md, where each item of a paper is, instead",
    )
    report.add_argument("--pages", metavar="DEVICE", help="write only this device's pages in results/ instead")
    for command in (figures, report):
        command.add_argument("experiments", nargs="*", metavar="EXPERIMENT", help="only these experiments")
        _folders(command)

    comparing = commands.add_parser("compare", help=helps["compare"])
    comparing.add_argument("a", type=Path, metavar="DIR_A")
    comparing.add_argument("b", type=Path, metavar="DIR_B")
    comparing.add_argument(
        "--fail-on-regression", type=_percent, metavar="PCT", help="exit with 1 if a case of B is slower by more"
    )
    comparing.add_argument(
        "--fail-on-change", action="store_true", help="exit with 1 if a time-independent metric differs"
    )
    comparing.add_argument(
        "--repeat", type=Path, metavar="DIR", help="a second run of what DIR_A has: its differences are noise"
    )
    comparing.add_argument("--all", action="store_true", help="print a line per pair, not the largest changes")
    comparing.add_argument(
        "--only", action="append", default=[], metavar="EXPERIMENT", help="only this experiment; may be repeated"
    )
    comparing.add_argument(
        "--variant", action="append", default=[], metavar="NAME", help="only this variant; may be repeated"
    )
    _json(comparing)
    comparing.add_argument(
        "--out", type=Path, default=Path(), metavar="DIR", help="where to write the folder compare (the current folder)"
    )

    expecting = commands.add_parser("expected", help=helps["expected"])
    expecting.add_argument("experiments", nargs="*", metavar="EXPERIMENT", help="only these experiments")
    expecting.add_argument("--update", action="store_true", help="write the measured metrics to results/expected")

    shards = commands.add_parser("shards", help=helps["shards"])
    _json(shards)
    shards.add_argument(
        "results", nargs="?", type=Path, default=ROOT / "results", metavar="DIR", help="where results are (results)"
    )

    reproducing = commands.add_parser("reproduce", help=helps["reproduce"])
    reproducing.add_argument("experiments", nargs="*", metavar="EXPERIMENT", help="only these experiments")
    reproducing.add_argument(
        "--preset", choices=("quick", "paper", "full"), default="quick", help="how much to run (quick)"
    )
    reproducing.add_argument("--fresh", action="store_true", help="run again what an earlier call finished")
    reproducing.add_argument("--counters", action="store_true", help="then read hardware counters with ncu")
    _folders(reproducing)
    return main


def _folders(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--results", type=Path, default=ROOT / "results", metavar="DIR", help="where results are (results)"
    )
    _out(command)


def _out(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--out", type=Path, default=ROOT / "report", metavar="DIR", help="where to write pages and figures (report)"
    )


def _json(command: argparse.ArgumentParser) -> None:
    command.add_argument("--json", action="store_true", help="print one JSON document")


def _percent(text: str) -> float:
    try:
        value = float(text.removesuffix("%"))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text} is not a percentage") from None
    if not 0 <= value < 1e6:
        raise argparse.ArgumentTypeError(f"{text} is out of range, percentages start at 0")
    return value


def answer(work: Callable[[], int]) -> int:
    """The exit code of `work`, whose errors become one line: the only place that prints them."""
    for stream in (sys.stdout, sys.stderr):
        # A terminal or a file in ASCII or Latin-1 gets \u2013 for a dash, not a traceback.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        return work()
    except UserError as error:
        print(f"lockstep: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt as error:
        print("lockstep: stopped; finished work is kept", file=sys.stderr)
        return exit_code(error)


def main(arguments: Sequence[str] | None = None) -> int:
    return answer(lambda: dispatch(parser().parse_args(arguments)))


def dispatch(options: argparse.Namespace) -> int:
    if options.command == "compare":
        asked = compare_command.Asked(
            options.a,
            options.b,
            options.out,
            options.repeat,
            options.fail_on_regression,
            options.fail_on_change,
            options.json,
            options.all,
            options.only,
            options.variant,
        )
        return compare_command.run(asked, say)
    if options.command == "expected":
        return expected.run(options.experiments, options.update)
    if options.command == "shards":
        return shards_command.run(options.results, say, options.json)
    if options.command == "reproduce":
        return reproduce.run(
            options.preset, options.experiments, options.results, options.out, options.fresh, options.counters
        )
    if options.results != ROOT / "results" and not options.results.is_dir():
        raise UserError(f"no folder {options.results}", "there is nothing to read", "check --results")
    if options.command == "figures":
        with drawing_progress(options.results, options.experiments, with_tables=True) as work:
            count = write_figures(work.sections, options.out, work.say, work.step)
        if count == 0:
            raise UserError(
                f"nothing to draw in {options.results}", "no results", "run ./lockstep run EXPERIMENT first"
            )
        return 0
    if options.claims:
        (print_claims_json if options.json else print_claims)(options.results, options.experiments)
        return 0
    if options.json:
        raise UserError("report has no JSON output of its own", "its page is HTML", "add --claims for the verdicts")
    if options.pages:
        for path in write_pages(load_results(options.results), options.pages, options.results):
            say(f"written to {path}")
        return 0
    if options.coverage:
        for path in write_coverage(ROOT, cited_papers(options.experiments)):
            say(f"written to {path}")
        return 0
    if options.readme:
        for path in write_readme(ROOT / "README.md", options.results, options.readme):
            say(f"written to {path}")
        return 0
    with drawing_progress(options.results, options.experiments) as work:
        page = write_report(
            work.loaded,
            work.sections,
            options.out,
            work.step,
            single_file=options.single_file,
            folder=options.results,
        )
    say(f"open {page}")
    return 0
