"""The command line of this package; `./lockstep` passes figures, report, compare, expected, shards and reproduce on to it."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from plots import compare, expected, reproduce, shards_command
from plots.catalog import ROOT
from plots.errors import UserError
from plots.figures_command import write_figures
from plots.gather import gather, load_results
from plots.readme import write_readme
from plots.report import write_report
from plots.terminal import print_claims


class Parser(argparse.ArgumentParser):
    """Says what is wrong in one line, as every user error."""

    def error(self, message: str) -> NoReturn:
        raise UserError(f"cannot run {self.prog}", message, f"see {self.prog} --help")


def parser() -> argparse.ArgumentParser:
    main = Parser(prog="lockstep", description="From results to pages.")
    commands = main.add_subparsers(dest="command", required=True, metavar="COMMAND")

    figures = commands.add_parser("figures", help="every figure and table of every experiment that has results")
    report = commands.add_parser("report", help="one self-contained page: findings, figures, tables, claims")
    report.add_argument("--claims", action="store_true", help="print the verdicts on the terminal instead")
    report.add_argument("--readme", metavar="DEVICE", help="write what was found on this device into README.md instead")
    for command in (figures, report):
        command.add_argument("experiments", nargs="*", metavar="EXPERIMENT", help="only these")
        _folders(command)

    comparing = commands.add_parser("compare", help="two result folders, by axis tuple")
    comparing.add_argument("a", type=Path, metavar="DIR_A")
    comparing.add_argument("b", type=Path, metavar="DIR_B")
    comparing.add_argument(
        "--fail-on-regression", type=_percent, metavar="PCT", help="exit code 1 where B is slower by more"
    )
    comparing.add_argument("--fail-on-change", action="store_true", help="exit code 1 where a counted figure differs")
    _out(comparing)

    expecting = commands.add_parser("expected", help="figures that no clock touches, against results/expected")
    expecting.add_argument("experiments", nargs="*", metavar="EXPERIMENT", help="only these")
    expecting.add_argument("--update", action="store_true", help="write what is measured into results/expected")

    shards = commands.add_parser("shards", help="which sets of shards are complete, and equal to the whole run")
    shards.add_argument("results", nargs="?", type=Path, default=ROOT / "results", metavar="DIR")

    reproducing = commands.add_parser("reproduce", help="run every experiment, draw everything, write the report")
    reproducing.add_argument("experiments", nargs="*", metavar="EXPERIMENT", help="only these")
    reproducing.add_argument("--preset", choices=("quick", "paper", "full"), default="quick")
    reproducing.add_argument("--fresh", action="store_true", help="run again what an earlier call has finished")
    reproducing.add_argument("--counters", action="store_true", help="read hardware counters with ncu afterwards")
    _folders(reproducing)
    return main


def _folders(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--results", type=Path, default=ROOT / "results", metavar="DIR", help="where results are (results)"
    )
    _out(command)


def _out(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--out", type=Path, default=ROOT / "report", metavar="DIR", help="where pages and figures go (report)"
    )


def _percent(text: str) -> float:
    try:
        value = float(text.removesuffix("%"))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text} is no percentage") from None
    if not 0 <= value < 1e6:
        raise argparse.ArgumentTypeError(f"{text} is out of range, percentages start at 0")
    return value


def main(arguments: Sequence[str] | None = None) -> int:
    try:
        return dispatch(parser().parse_args(arguments))
    except UserError as error:
        print(f"lockstep: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("lockstep: stopped; what was finished is kept", file=sys.stderr)
        return 130


def dispatch(options: argparse.Namespace) -> int:
    if options.command == "compare":
        return compare.run(options.a, options.b, options.out, options.fail_on_regression, options.fail_on_change, print)
    if options.command == "expected":
        return expected.run(options.experiments, options.update)
    if options.command == "shards":
        return shards_command.run(options.results, print)
    if options.command == "reproduce":
        return reproduce.run(
            options.preset, options.experiments, options.results, options.out, options.fresh, options.counters
        )
    if options.command == "figures":
        count = write_figures(gather(load_results(options.results), options.experiments, options.results), options.out)
        if count == 0:
            raise UserError(
                f"nothing to draw in {options.results}", "no results", "run ./lockstep run EXPERIMENT first"
            )
        return 0
    if options.claims:
        print_claims(options.results, options.experiments)
        return 0
    if options.readme:
        print(f"written to {write_readme(ROOT / 'README.md', options.results, options.readme)}")
        return 0
    loaded = load_results(options.results)
    sections = gather(loaded, options.experiments, options.results)
    print(f"open {write_report(loaded, sections, options.out)}")
    return 0
