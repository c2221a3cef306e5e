"""The command line of this package; `./lockstep` passes the commands of commands.txt on to it."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Sequence
from pathlib import Path

from plots.catalog import ROOT
from plots.cli import Parser, answer
from plots.reproduce import binary
from processes import emulators, end_to_end, kernel_counters, peers, refused, suite
from processes.program import Program


def summaries() -> dict[str, str]:
    """The help of each command from commands.txt, which ./lockstep reads, too."""
    lines = (Path(__file__).parent / "commands.txt").read_text(encoding="utf-8").splitlines()
    return {name: text for name, _, text in (line.split(maxsplit=2) for line in lines)}


def parser() -> argparse.ArgumentParser:
    helps = summaries()
    main = Parser(
        prog="lockstep", description="Measure whole processes: third-party programs, and tools from start to end."
    )
    commands = main.add_subparsers(dest="command", required=True, metavar="COMMAND")
    peer = commands.add_parser("peers", help=helps["peers"])
    peer.add_argument("--only", action="append", default=[], metavar="NAME", help="only this peer; may be repeated")
    peer.add_argument(
        "--checkout",
        action="append",
        default=[],
        type=_checkout,
        metavar="NAME=PATH",
        help="the source tree of a peer; may be repeated",
    )
    parts = peer.add_mutually_exclusive_group()
    parts.add_argument("--build-only", action="store_true", help="build, and write no row")
    parts.add_argument("--no-build", action="store_true", help="run what an earlier call built in build/peers/")
    whole = commands.add_parser("end-to-end", help=helps["end-to-end"])
    programs = commands.add_parser("suite", help=helps["suite"])
    where = programs.add_mutually_exclusive_group(required=True)
    where.add_argument("--checkout", type=Path, metavar="PATH", help="a clone of the suite")
    where.add_argument(
        "--scan",
        action="append",
        type=_checkout,
        metavar="NAME=PATH",
        help="say what the programs of a suite use that is refused, by their texts; may be repeated",
    )
    programs.add_argument("--fixture", type=Path, default=suite.FIXTURE, metavar="FILE", help="the draw (HeCBench)")
    programs.add_argument("--only", action="append", default=[], metavar="NAME", help="only this program")
    programs.add_argument("--timeout", type=int, default=120, metavar="SECONDS", help="per program (120)")
    programs.add_argument("--out", type=Path, metavar="FILE", help="where to write the table (standard output)")
    programs.add_argument(
        "--counters", type=Path, metavar="FILE", help="compute the emulated counters of FILE again, and run no more"
    )
    beside = commands.add_parser("emulators", help=helps["emulators"])
    beside.add_argument("--only", action="append", default=[], metavar="NAME", help="only this tool; may be repeated")
    beside.add_argument(
        "--checkout",
        action="append",
        default=[],
        type=_checkout,
        metavar="NAME=PATH",
        help="the source tree of hip_cpu",
    )
    beside.add_argument("--samples", type=int, default=25, metavar="N", help="launches of each kernel (25)")
    beside.add_argument("--table-only", action="store_true", help="write the table again, from the rows that are there")
    beside.add_argument(
        "--out", type=Path, default=emulators.FOLDER, metavar="DIR", help="where to write (results/emulators)"
    )
    counted = commands.add_parser("counters", help=helps["counters"])
    counted.add_argument("--device", action="store_true", help="on this GPU, with nvcc and Nsight Compute (ncu)")
    counted.add_argument(
        "--only", action="append", default=[], metavar="NAME", help="only this experiment or kernel; may be repeated"
    )
    counted.add_argument("--out", type=Path, metavar="FILE", help="where to write (a file of results/emulators)")
    for command in (peer, whole):
        command.add_argument("experiments", nargs="*", metavar="EXPERIMENT", help="only these experiments")
        command.add_argument(
            "--out", type=Path, default=ROOT / "results", metavar="DIR", help="where to write rows (results)"
        )
    return main


def _checkout(text: str) -> tuple[str, Path]:
    name, equals, path = text.partition("=")
    if not (name and equals and path):
        raise argparse.ArgumentTypeError(f"{text} is not NAME=PATH")
    return name, Path(path)


def command_of(options: argparse.Namespace) -> str:
    """The command for the rows. It names no folder of this computer."""
    words = ["lockstep", options.command, *getattr(options, "experiments", [])]
    if options.command in ("peers", "emulators"):
        words += [word for name in options.only for word in ("--only", name)]
        words += [word for name, _ in options.checkout for word in ("--checkout", f"{name}=...")]
    if options.command == "peers":
        words += ["--no-build"] if options.no_build else []
    return shlex.join(words)


def main(arguments: Sequence[str] | None = None) -> int:
    return answer(lambda: dispatch(parser().parse_args(arguments)))


def dispatch(options: argparse.Namespace) -> int:
    if options.command == "suite" and options.scan:
        return refused.run(options.scan, options.out or emulators.FOLDER / refused.NAME)
    if options.command == "suite":
        fixture = suite.read_fixture(options.fixture)
        if options.counters:
            return suite.count(fixture, options.checkout, Path(binary()), options.counters)
        return suite.run(fixture, options.checkout, Path(binary()), options.only, options.timeout, options.out)
    if options.command == "counters":
        name = kernel_counters.DEVICE if options.device else kernel_counters.EMULATED
        return kernel_counters.run(options.device, options.only, options.out or emulators.FOLDER / name)
    program, command = Program(binary()), command_of(options)
    if options.command == "emulators":
        return emulators.run(emulators.as_options(options), program, options.out, command)
    if options.command == "end-to-end":
        return end_to_end.run(options.experiments, program, options.out, command)
    wish = peers.Wish(
        options.experiments, options.only, dict(options.checkout), not options.no_build, not options.build_only
    )
    return peers.run(wish, program, options.out, command)
