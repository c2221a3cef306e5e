"""Writes a file under a temporary name and renames it, so that no reader sees half a file and no row is lost."""

from __future__ import annotations

import errno
import fcntl
import itertools
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from plots.errors import UserError

_NUMBERS = itertools.count()
_PATIENCE = 60.0  # seconds to wait for another writer


def write_bytes(path: Path, content: bytes) -> Path:
    """Leaves an existing file unchanged if the write fails, and returns only when the file is on the disk."""
    temporary = _beside(path, f"{path.name}.part-{os.getpid()}-{next(_NUMBERS)}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _remove_abandoned(path)
        try:
            with open(temporary, "wb") as stream:
                with suppress(OSError):  # file systems without locks
                    fcntl.flock(stream, fcntl.LOCK_SH | fcntl.LOCK_NB)
                stream.write(content)
                stream.flush()
                os.fsync(stream.fileno())
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)
        _sync_folder(path.parent)
    except OSError as error:
        raise _cannot_write(path, error) from None
    return path


def _beside(path: Path, name: str) -> Path:
    """Another file in the folder of this one. `/` and `.` are no files."""
    if not path.name:
        raise _cannot_write(path, IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR)))
    return path.with_name(name)


def write_text(path: Path, content: str) -> Path:
    # A path of the command line can have bytes that are not UTF-8.
    return write_bytes(path, content.encode("utf-8", "backslashreplace"))


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Writers of one file take turns: hold this while the file is read, changed and replaced.

    The program uses the same lock (harness/bench/file_lock.hpp): flock on `.<name>.lock` beside the file.
    """
    lock = _beside(path, f".{path.name}.lock")
    descriptor = _acquire(path, lock)
    try:
        yield
    finally:
        lock.unlink(missing_ok=True)
        os.close(descriptor)


def _acquire(path: Path, lock: Path) -> int:
    give_up = time.monotonic() + _PATIENCE
    while time.monotonic() < give_up:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            descriptor = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o666)
        except OSError as error:
            raise _cannot_write(path, error) from None
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            # The former holder removes the lock file, so this lock may be of a file without a name.
            if os.path.samestat(os.fstat(descriptor), os.stat(lock)):
                return descriptor
        except BlockingIOError:
            time.sleep(0.002)
        except FileNotFoundError:
            pass
        except OSError:
            return descriptor  # this file system has no locks
        except BaseException:
            os.close(descriptor)
            raise
        os.close(descriptor)
    raise UserError(f"cannot write {path}", f"another process has locked {lock}", "wait for it or end it")


def _remove_abandoned(path: Path) -> None:
    """Removes the temporary files that killed processes left beside this file."""
    prefix = f"{path.name}.part-"
    for entry in os.scandir(path.parent):
        process = entry.name.removeprefix(prefix).split("-")[0]
        if entry.name.startswith(prefix) and process.isdecimal() and _is_dead(int(process)):
            _remove_unlocked(entry.path)


def _is_dead(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return True
    except (OSError, OverflowError):
        pass
    return False


def _remove_unlocked(name: str) -> None:
    """A process of another container is not seen from here, but its lock is."""
    try:
        descriptor = os.open(name, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        os.unlink(name)
    except OSError:
        pass
    finally:
        os.close(descriptor)


def _sync_folder(folder: Path) -> None:
    """A rename is on the disk only when its folder is. The file is valid either way, so errors do not matter."""
    try:
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError:
        return
    try:
        os.fsync(descriptor)
    except OSError:
        pass
    finally:
        os.close(descriptor)


def _cannot_write(path: Path, error: OSError) -> UserError:
    suggestions = {
        errno.ENOSPC: "free space there, then repeat the command",
        errno.EDQUOT: "free space there, then repeat the command",
        errno.EFBIG: "raise the limit of file sizes with ulimit -f",
        errno.EMFILE: "raise the limit of open files with ulimit -n",
    }
    suggestion = suggestions.get(error.errno or 0, "choose another folder for it")
    return UserError(f"cannot write {path}", error.strerror or str(error), suggestion)
