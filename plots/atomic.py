"""Files are written beside their place and renamed, so that nothing is ever half there."""

from __future__ import annotations

import os
from pathlib import Path


def write_bytes(path: Path, content: bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        beside.write_bytes(content)
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)
    return path


def write_text(path: Path, content: str) -> Path:
    return write_bytes(path, content.encode("utf-8"))
