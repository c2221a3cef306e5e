"""What a process gets from its parent: signals and descriptors. Imported first, because imports take most of the time."""

from __future__ import annotations

import importlib
import logging
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

NO_MEMORY = "lockstep: out of memory (an allocation failed) raise ulimit -v"
_ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

#: Of hold_signals(): whether a block runs, and the signal that waits for its end.
_holds = False
_held: int | None = None


class Stopped(KeyboardInterrupt):
    """A signal that asks the command to end. Its text is the line for the user."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


def exit_code(error: KeyboardInterrupt) -> int:
    return 128 + (error.number if isinstance(error, Stopped) else int(signal.SIGINT))


def prepare() -> None:
    """Until `run`, a signal ends the process without a word: nothing is begun yet."""
    for descriptor in (0, 1, 2):
        try:
            os.fstat(descriptor)
        except OSError:
            # Takes the lowest free number, which is this one. A result that cannot be printed has to be an error.
            os.open(os.devnull, os.O_WRONLY if descriptor == 2 else os.O_RDONLY)
    # The interpreter has no streams for closed descriptors.
    sys.stdout = sys.stdout or open(1, "w", encoding="utf-8", closefd=False)
    sys.stderr = sys.stderr or open(2, "w", encoding="utf-8", errors="backslashreplace", closefd=False)
    # pandas imports numexpr where it is installed. numexpr ends the process if it cannot start its threads, and nothing
    # here uses it.
    os.environ.setdefault("NUMEXPR_NUM_THREADS", "1")
    # It warns, for instance, that a full disk has no room for its cache.
    logging.getLogger("matplotlib").setLevel(logging.ERROR)
    _handle(signal.SIG_DFL)


def main_of(module: str) -> Callable[[], int]:
    """The function `main` of a module. Its imports need memory and, where matplotlib has no list of fonts yet, a thread."""
    try:
        main: Callable[[], int] = importlib.import_module(module).main
        return main
    except MemoryError:
        print(NO_MEMORY, file=sys.stderr)
    except RuntimeError as error:
        if "thread" not in str(error):
            raise
        print("lockstep: cannot start a thread (the list of fonts needs one) raise ulimit -u", file=sys.stderr)
    sys.exit(2)


def run(main: Callable[[], int]) -> int:
    """The exit code of `main`, which catches KeyboardInterrupt itself. Signals end it between two files."""
    try:
        _handle(_stop)
        sys.unraisablehook = _stop_later
        code = main()
        _flush(code)
        _handle(signal.SIG_DFL)
        return code
    except KeyboardInterrupt as error:
        _handle(signal.SIG_DFL)
        return exit_code(error)
    except BrokenPipeError:
        _discard_output()
        return 128 + int(signal.SIGPIPE)
    except MemoryError:
        print(NO_MEMORY, file=sys.stderr)
        return 2
    except OSError as error:
        _discard_output()
        from plots.escape import message  # after the signals are handled: see prepare()

        reason = error.strerror or str(error)
        file = f" {error.filename}" if error.filename else ""
        what = f"cannot read or write{file} ({reason}) free space, or choose another folder or output"
        print(f"lockstep: {message(what)}", file=sys.stderr)
        return 2


@contextmanager
def hold_signals() -> Iterator[None]:
    """Signals wait until the block ends. For calls that an exception would leave half done, such as the start of a thread.

    A mask would not do: it is of one thread, and numerical libraries start others, which then get the signal.
    """
    global _holds, _held
    _holds = True
    try:
        yield
    finally:
        _holds = False
        number, _held = _held, None
        if number is not None:
            _stop(number, None)


def leave_signals_to_parent() -> None:
    """For a worker. Terminals and timeout(1) send a signal to all processes of a command: the parent says what is to be said.

    SIGTERM ends the worker without a word, because a pool ends its workers so.
    """
    for number in _ENDING:
        signal.signal(number, signal.SIG_DFL if number == signal.SIGTERM else signal.SIG_IGN)


def _handle(handler: Callable[[int, FrameType | None], None] | signal.Handlers) -> None:
    for number in _ENDING:
        if signal.getsignal(number) is not signal.SIG_IGN:  # nohup
            signal.signal(number, handler)


def _stop(number: int, _: FrameType | None) -> None:
    global _held
    if _holds:
        _held = number
        return
    _handle(signal.SIG_DFL)  # the second signal ends the process
    raise Stopped(number)


def _stop_later(lost: sys.UnraisableHookArgs) -> None:
    """A signal that arrives where exceptions end, such as in a finaliser or while a worker is forked, must not be lost."""
    if not isinstance(lost.exc_value, Stopped):
        sys.__unraisablehook__(lost)
        return
    number = lost.exc_value.number
    signal.signal(signal.SIGALRM, lambda _, frame: _stop(number, frame))
    signal.setitimer(signal.ITIMER_REAL, 0.01)


def _flush(code: int) -> None:
    try:
        sys.stdout.flush()
    except OSError:
        if code < 2:
            raise  # a result is lost
        _discard_output()  # `main` has already said why there is no result


def _discard_output() -> None:
    """The interpreter writes what is left when it ends, which would fail again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
