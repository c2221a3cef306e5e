"""What a call may do: everything else is a finding."""

from __future__ import annotations

import json
import re
import signal
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from plots.escape import UNPRINTABLE
from tests.hostile.calls import Call
from tests.hostile.recipes import BINARY_FORMATS, COPYING, LISTING, TELLING, VERDICTS
from tests.hostile.server import Answer

#: Wording of libraries and languages. A user's mistake is explained in ours.
LIBRARIES = re.compile(
    r"Traceback \(most|terminate called|std::|basic_string|\[json\.exception|bad_alloc|vector::|_M_\w+|what\(\)|unexpected:"
    r"|Segmentation|Assertion|AddressSanitizer|runtime error:|Exception ignored|Errno \d|Warning:|stack smashing"
    r"|object at 0x|<class '|\b(?:Key|Type|Value|Index|Attribute|Unicode\w{1,20}|Recursion|Overflow|OS|Runtime)Error\b|stoi|stod"
)
#: The same where names of C++ are data.
EXCEPTIONS = re.compile(
    r"Traceback \(most|terminate called|std::bad_alloc|std::exception|\[json\.exception|basic_string::"
)
#: Our message about an emulated program that crashed.
CRASHES = re.compile(r"the run in order \w+ with seed \d+ failed \(signal \d+ \([\w ]+\)\)")
#: What a message may be: *problem (why) suggestion*, or the place in a file and what is wrong there.
FORM = re.compile(r"lockstep: \S")
SIGNALS = (signal.SIGTERM, signal.SIGPIPE)
#: Longest message. A longer one hides what it says.
LONGEST = 4500


@dataclass(frozen=True)
class Finding:
    kind: str
    says: str


def judge(call: Call, answer: Answer) -> list[Finding]:
    return [*_ending(call, answer), *_texts(call, answer), *_files(call, answer)]


def _ending(call: Call, answer: Answer) -> Iterator[Finding]:
    if answer.large and not call.may_grow:
        yield Finding("memory", f"{answer.bytes >> 20} MiB")
    elif answer.large:
        return  # it was ended
    elif answer.hung:
        yield Finding("hang", "does not end" if not answer.asked else "does not end when it is asked to")
    elif answer.code < 0 and not (answer.asked and -answer.code in SIGNALS):
        yield Finding("signal", signal.Signals(-answer.code).name)
    elif answer.code not in _allowed(call, answer):
        yield Finding("exit code", f"{answer.code}: {_first(answer.errors)}")
    elif answer.code == 0 and call.wrong:
        yield Finding("accepted", call.wrong[0])
    elif answer.code == 2 and not call.spoiled:
        yield Finding("refused", _first(answer.errors))


def _allowed(call: Call, answer: Answer) -> tuple[int, ...]:
    signals = tuple(128 + number for number in SIGNALS) if answer.asked or call.stdout != "kept" else ()
    return (0, 2, *VERDICTS.get(call.name, ()), *signals, *(-number for number in SIGNALS if answer.asked))


def _first(text: str) -> str:
    return (text.splitlines() or [""])[0][:300]


def _texts(call: Call, answer: Answer) -> Iterator[Finding]:
    errors, out = (text.encode("latin-1") for text in (answer.errors, answer.out))
    is_python = call.command.front != "program"
    encoding = is_python and call.environment.get("PYTHONIOENCODING") or "utf-8"
    shown = errors.decode(encoding, "surrogateescape" if encoding == "utf-8" else "replace")
    # With --no-checks, a damaged program may end by a signal, which our message names.
    found = LIBRARIES.search(CRASHES.sub("", shown) if call.name == "emulate" else shown)
    if found:
        yield Finding("wording", f"{found[0]}: {shown[max(0, found.start() - 100):][:300]}")
    elif found := EXCEPTIONS.search(out.decode("latin-1")):
        yield Finding("wording", f"on standard output: {found[0]}")
    elif answer.code == 2 and not (answer.hung or answer.large):
        yield from _message(call, shown)
    if UNPRINTABLE.search(shown.replace("\n", "")):
        yield Finding("control", "raw characters on standard error")
    printed = out.decode(encoding, "surrogateescape" if encoding == "utf-8" else "replace")
    is_whole = len(out) < 1 << 20  # else its last character may be cut
    if not _prints_data(call) and is_whole and UNPRINTABLE.search(printed.replace("\n", "").replace("\t", "")):
        yield Finding("control", "raw characters on standard output")


def _prints_data(call: Call) -> bool:
    binary = any(word.rpartition(b"=")[2] in BINARY_FORMATS for word in call.words)
    line = b" ".join(call.words).replace(b"=", b" ")
    is_picture = b"--png /dev/stdout" in line or b"--png /dev/fd/1" in line
    return call.name in COPYING or (call.name in ("grids", "rewrite") and binary) or is_picture


def _message(call: Call, shown: str) -> Iterator[Finding]:
    lines = shown.split("\n")
    if lines[-1] != "" and shown:
        yield Finding("form", "the message does not end its line")
    lines = [line for line in lines if line]
    if not lines:
        if call.limits.get("f", 1):
            yield Finding("form", "no message")
        return
    if call.name in TELLING or {b"--stats", b"--trace"} & set(call.words):
        lines = lines[-1:]
    if len(lines) > (102 if call.name in LISTING else 2 if call.name == "batch" else 1):
        yield Finding("form", f"{len(lines)} lines, such as: {lines[0][:200]} | {lines[1][:200]}")
    elif not all(FORM.match(line) for line in lines):
        yield Finding("form", f"not in our form: {lines[0][:300]}")
    elif max(map(len, lines)) > LONGEST:
        yield Finding("form", f"a line of {max(map(len, lines))} characters: {lines[0][:100]}")


def _files(call: Call, answer: Answer) -> Iterator[Finding]:
    killed = answer.hung or answer.large
    root = call.work.parents[1]
    for path in sorted(root.rglob("*")):
        name = str(path.relative_to(root))
        if answer.asked and path.name.startswith("compile.part-"):
            continue  # in the cache: the compiler that the program started still writes there when a signal ends both
        if not killed and (".part-" in path.name or path.name.endswith(".lock")):
            yield Finding("left behind", name)
        elif answer.code in (0, 2) and path not in call.made and path.is_file() and (why := _is_half(path)):
            yield Finding("half a file", f"{name}: {why}")
    for path, rows in call.rows.items():
        try:
            now = {row["name"] for row in json.loads(path.read_text(encoding="utf-8"))["cases"]}
        except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
            yield Finding("lost rows", f"{path.name} does not load: {error}")
            continue
        if rows - now:
            yield Finding("lost rows", f"{len(rows - now)} of {len(rows)} in {path.name}")


def _is_half(path: Path) -> str:
    """Why a file that a call wrote is not whole, or an empty text."""
    if path.stat().st_size > 50 << 20:
        return ""
    content = path.read_bytes()
    ends = {".svg": b"</svg>", ".html": b"</html>", ".png": b"IEND\xaeB`\x82"}
    if path.suffix == ".json":
        try:
            json.loads(content)
        except (ValueError, RecursionError) as error:
            return str(error)
    elif path.suffix in ends and not content.rstrip().endswith(ends[path.suffix]):
        return "its end is missing"
    elif path.suffix == ".csv" and not content.endswith(b"\n"):
        return "its last line is cut"
    return ""
