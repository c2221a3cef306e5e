"""The comparison of machine code (.ci/machine_code.py), on small ELF files with the sections of a cubin."""

from __future__ import annotations

import importlib.util
import pathlib
import struct
import sys
from types import ModuleType

import pytest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / ".ci" / "machine_code.py"


def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("machine_code", SCRIPT)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["machine_code"] = module
    spec.loader.exec_module(module)
    return module


def table(names: list[str]) -> tuple[bytes, list[int]]:
    """A string table, and the offset of each string."""
    text, begins = b"\0", []
    for name in names:
        begins.append(len(text))
        text += name.encode() + b"\0"
    return text, begins


def cubin(kernels: dict[str, tuple[bytes, int]]) -> bytes:
    """A cubin of kernels by mangled name, each with its code and its register count."""
    strings, names = table(list(kernels))
    symbols = bytes(24) + b"".join(struct.pack("<IBBHQQ", name, 0x12, 0, 0, 0, 0) for name in names)
    counts = enumerate(count for _, count in kernels.values())
    info = b"\x03\x1b\x40\x00" + b"".join(struct.pack("<BBHII", 4, 0x2F, 8, 1 + i, count) for i, count in counts)
    contents = [(".text." + name, code) for name, (code, _) in kernels.items()]
    contents += [(".strtab", strings), (".symtab", symbols), (".nv.info", info)]
    section_strings, begins = table([name for name, _ in contents] + [".shstrtab"])
    contents.append((".shstrtab", section_strings))
    body, headers = b"", bytes(64)
    for begin, (_, content) in zip(begins, contents):
        headers += struct.pack("<IIQQQQIIQQ", begin, 1, 0, 0, 64 + len(body), len(content), 0, 0, 1, 0)
        body += content
    head = b"\x7fELF\x02\x01" + bytes(34) + struct.pack("<Q", 64 + len(body)) + bytes(10)
    return head + struct.pack("<HHH", 64, len(contents) + 1, len(contents)) + body + headers


def outcome(
    folder: pathlib.Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    old: dict[str, tuple[bytes, int]],
    new: dict[str, tuple[bytes, int]],
) -> tuple[int, str]:
    for side, kernels in (("old", old), ("new", new)):
        (folder / side).mkdir()
        (folder / side / "kernels.cubin").write_bytes(cubin(kernels))
    monkeypatch.setattr(sys, "argv", ["machine_code.py", str(folder / "old"), str(folder / "new")])
    code = script().main()
    return code, capsys.readouterr().out


def test_equal_and_renamed(
    tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    old = {"_Z4fillv": (b"aaaa", 8), "_Z5countv": (b"bbbb", 9)}
    new = {"_Z4fillv": (b"aaaa", 8), "_Z5totalv": (b"bbbb", 9)}
    code, text = outcome(tmp_path, capsys, monkeypatch, old, new)
    assert code == 0
    assert "renamed: count()\n      -> total()" in text
    assert "1 equal, 1 equal but renamed, 0 different" in text


@pytest.mark.parametrize("changed", [(b"aaab", 8), (b"aaaa", 10)], ids=["code", "registers"])
def test_different(
    tmp_path: pathlib.Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    changed: tuple[bytes, int],
) -> None:
    code, text = outcome(tmp_path, capsys, monkeypatch, {"_Z4fillv": (b"aaaa", 8)}, {"_Z4fillv": changed})
    assert code == 1
    assert "differs: fill()" in text
    assert f"-> 4 bytes, {changed[1]} registers" in text


def test_on_one_side_only(
    tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    old = {"_Z4fillv": (b"aaaa", 8)}
    new = {"_Z4fillv": (b"aaaa", 8), "_Z5countv": (b"bbbb", 9)}
    code, text = outcome(tmp_path, capsys, monkeypatch, old, new)
    assert code == 1
    assert "only in the new tree: count()" in text


def test_rejects_a_file_that_is_not_a_cubin(tmp_path: pathlib.Path) -> None:
    (tmp_path / "kernels.cubin").write_bytes(b"no ELF file")
    with pytest.raises(SystemExit, match="is not a cubin"):
        script().read_folder(tmp_path)
