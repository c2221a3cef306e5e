"""What a program's first section waits for: imports, the opening of the GPU, and NVRTC."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

import lockstep
import pytest
from lockstep.objects import ObjectsError, array, opening, prepare, section

ROOT = Path(__file__).parents[3]


class Cell:
    def __init__(self) -> None:
        self.n = 1

    def grow(self) -> None:
        self.n += 1

    def refused(self) -> None:
        self.n = len(str(self.n))


def printed(program: str, **variables: str) -> str:
    """What a new process prints."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "python"), **variables}
    done = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, timeout=120, check=True
    )
    return done.stdout


class Gpu:
    """Stands for the library's functions; counts how often a GPU is opened."""

    def __init__(self, code: int = 0, message: str = "") -> None:
        self.code, self.message = code, message
        self.opened: list[int] = []
        self.threads: list[threading.Thread] = []
        self.may_end = threading.Event()
        self.may_end.set()
        self.ended = False
        self.queues: str | None = ""  # that CUDA was asked for

    def open(self, number: int) -> tuple[int, str]:
        self.opened.append(number)
        self.queues = os.environ.get(opening.QUEUES)
        self.threads.append(threading.current_thread())
        assert self.may_end.wait(60)
        self.ended = True
        return self.code, self.message


@pytest.fixture
def gpu(monkeypatch: pytest.MonkeyPatch) -> Gpu:
    made = Gpu()
    monkeypatch.setattr(opening, "_opening", None)
    monkeypatch.setattr(opening, "_has_begun", False)
    monkeypatch.setattr(opening, "has_gpu", lambda: True)
    monkeypatch.setattr(opening, "gpu_in_use", lambda: 3)
    monkeypatch.setattr(opening, "open_gpu", made.open)
    monkeypatch.delenv(opening.QUEUES, raising=False)
    for name in opening.WITH_STREAMS:
        monkeypatch.delitem(sys.modules, name, raising=False)
    return made


# Imports


def test_import_loads_what_is_used_before_a_section() -> None:
    before = set(printed("import sys; print(*sys.modules)").split())
    loaded = set(printed("import sys, lockstep.objects; print(*sys.modules)").split()) - before
    assert "lockstep.objects.array_type" in loaded
    slow = {"ast", "dataclasses", "inspect", "numpy", "pathlib", "lockstep._rewrite", "lockstep._subsets"}
    assert loaded & slow == set()
    own = {name.rpartition(".")[2] for name in loaded if name.startswith("lockstep.objects.")}
    assert own == {"array_type", "atomics", "barrier", "draws", "errors", "native", "opening", "scalars", "turns"}


def test_names_that_are_imported_later_are_there() -> None:
    for name in lockstep.__all__:
        assert getattr(lockstep, name).__module__.startswith("lockstep._")
    for module in (lockstep, lockstep.objects):
        assert set(module.__all__) <= set(dir(module))
        for name in module.__all__:
            assert hasattr(module, name)
        with pytest.raises(AttributeError, match=f"module '{module.__name__}' has no attribute 'nothing'"):
            module.nothing
    assert printed("from lockstep.objects import *; print(last_report() == Report())") == "True\n"


# The opening of the GPU


def test_gpu_is_opened_once_and_its_failure_is_the_sections(gpu: Gpu) -> None:
    gpu.code, gpu.message = 2, "no room on the GPU (it is full) Use another one."
    with pytest.raises(lockstep.Error, match=r"^no room on the GPU \(it is full\) Use another one\.$"):
        array([Cell()], machine="cuda").peach("grow")
    assert gpu.opened == [3] and gpu.threads[0] is not threading.main_thread()
    opening.begin("cuda")
    opening.begin("auto")
    assert opening.machine_name("auto") == "cuda" and gpu.opened == [3]


def test_the_context_has_one_queue_and_no_other_process_sees_that(gpu: Gpu) -> None:
    opening.begin("cuda")
    opening.machine_name("cuda")
    assert gpu.queues == "1" and opening.QUEUES not in os.environ


def test_a_program_that_waits_for_nothing_leaves_no_variable_behind(gpu: Gpu, monkeypatch: pytest.MonkeyPatch) -> None:
    prepare("cuda")
    opened = opening._opening
    assert opened is not None
    opened.join()
    assert gpu.queues == "1" and opening.QUEUES not in os.environ


def test_a_number_of_queues_that_the_user_sets_stays(gpu: Gpu, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(opening.QUEUES, "4")
    opening.begin("cuda")
    opening.machine_name("cuda")
    assert gpu.queues == "4" and os.environ[opening.QUEUES] == "4"


def test_libraries_with_streams_keep_their_queues(gpu: Gpu, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", sys)
    opening.begin("cuda")
    opening.machine_name("cuda")
    assert gpu.queues is None and opening.QUEUES not in os.environ


def test_other_failures_are_other_exceptions(gpu: Gpu) -> None:
    gpu.code, gpu.message = 1, "broken"
    opening.begin("auto")
    with pytest.raises(RuntimeError, match="^broken$"):
        opening.machine_name("auto")


def test_an_error_of_the_method_comes_first(gpu: Gpu) -> None:
    gpu.code, gpu.message = 1, "broken"
    with pytest.raises(ObjectsError, match="is not in the subset"):
        array([Cell()], machine="cuda").peach("refused")
    assert gpu.opened == [3]


def test_methods_are_translated_while_the_gpu_opens(gpu: Gpu, monkeypatch: pytest.MonkeyPatch) -> None:
    from lockstep.objects import execute

    gpu.code, gpu.message = 1, "broken"
    gpu.may_end.clear()
    ended_before: list[bool] = []

    def translate(*given: object) -> object:
        made = section.translate(*given)  # type: ignore[arg-type]
        ended_before.append(gpu.ended)
        gpu.may_end.set()
        return made

    monkeypatch.setattr(execute, "translate", translate)
    with pytest.raises(RuntimeError, match="^broken$"):
        array([Cell()], machine="cuda").peach("grow")
    assert ended_before == [False] and gpu.ended


@pytest.mark.parametrize("other", ["cpu", "emulator", "python"])
def test_other_machines_open_no_gpu(gpu: Gpu, other: str) -> None:
    cell = Cell()
    array([cell], machine=other).peach("grow")
    assert (cell.n, gpu.opened, opening._has_begun) == (2, [], False)


def test_an_array_without_a_section_opens_nothing(gpu: Gpu) -> None:
    array([Cell()])
    array([], machine="cuda").peach("grow")
    array([Cell()], machine="cuda").pmap("grow")
    assert not opening._has_begun


def test_a_program_can_prepare_its_first_section(gpu: Gpu) -> None:
    gpu.code, gpu.message = 1, "broken"
    gpu.may_end.clear()
    prepare("cuda")
    prepare()
    assert not gpu.ended, "it does not wait"
    gpu.may_end.set()
    with pytest.raises(RuntimeError, match="^broken$"):
        array([Cell()], machine="cuda").peach("grow")
    assert gpu.opened == [3]
    program = "import sys; from lockstep.objects import prepare; prepare('cpu'); print('%s.section' in sys.modules)"
    assert printed(program % "lockstep.objects") == "True\n"
    with pytest.raises(ObjectsError, match="unknown machine 'gpu'"):
        prepare("gpu")


def test_without_a_gpu_auto_is_the_cpu(gpu: Gpu, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening, "has_gpu", lambda: False)
    cells = [Cell(), Cell()]
    array(cells).peach("grow")
    assert [one.n for one in cells] == [2, 2] and gpu.opened == []
    assert lockstep.objects.last_report().machine == "cpu"


def test_without_threads_the_section_opens_the_gpu(gpu: Gpu, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_thread(self: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(opening._Opening, "start", no_thread)
    opening.begin("cuda")
    assert opening.machine_name("cuda") == "cuda" and gpu.opened == []


def test_a_fork_waits_for_the_opening(gpu: Gpu) -> None:
    gpu.may_end.clear()
    opening.begin("cuda")
    threading.Timer(0.2, gpu.may_end.set).start()
    child = os.fork()
    if child == 0:
        os._exit(0 if gpu.ended and opening.machine_name("cuda") == "cuda" else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert gpu.ended


def test_python_ends_after_the_opening() -> None:
    program = """
import time
from lockstep.objects import opening
def open_gpu(number):
    time.sleep(0.3)
    print("opened")
    return 1, "broken"
opening.open_gpu = open_gpu
opening.begin("cuda")
print("ends")
"""
    assert printed(program) == "ends\nopened\n"


# NVRTC


COMPILE = """
from lockstep.objects.native import compile_for_gpu
text = '''
namespace lockstep::object_layout::LOCKSTEP_MACHINE {
struct Arguments { u64 jobs; };
__device__ inline void element(Arguments const&, u64) {}
}
'''
print(compile_for_gpu(90, text, ["element"]) > 0, "libnvrtc" in open("/proc/self/maps").read())
"""


def test_nvrtc_is_not_loaded_for_what_the_cache_has(tmp_path: Path) -> None:
    try:
        first = printed(COMPILE, LOCKSTEP_CACHE=str(tmp_path))
    except subprocess.CalledProcessError as error:
        if "no CUDA" not in error.stderr and "NVRTC" not in error.stderr:
            raise
        pytest.skip("needs a library with CUDA, and NVRTC")
    assert first == "True True\n"
    assert printed(COMPILE, LOCKSTEP_CACHE=str(tmp_path)) == "True False\n"
    for record in tmp_path.glob("objects/*.nvrtc"):
        record.write_text(record.read_text().replace("libnvrtc", "libnothing"))
    assert printed(COMPILE, LOCKSTEP_CACHE=str(tmp_path)) == "True True\n", "the file of the record is not there"
    assert printed(COMPILE, LOCKSTEP_CACHE=str(tmp_path)) == "True False\n", "there is a new record"
