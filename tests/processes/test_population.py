"""Tests of the rules that say which programs of a suite check themselves and have their inputs."""

from __future__ import annotations

from pathlib import Path

import pytest

from processes import population, suite

PASSES = 'int main() { printf("%s\\n", good ? "PASS" : "FAIL"); }\n'


def program(tmp_path: Path, text: str = PASSES, makefile: str = "run:\n\t./main 4\n") -> Path:
    folder = tmp_path / "src" / "one-cuda"
    (folder / "sub").mkdir(parents=True)
    (folder / "main.cu").write_text(text, encoding="utf-8")
    (folder / "input.txt").touch()
    (folder / "Makefile").write_text(makefile, encoding="utf-8")
    return folder


@pytest.mark.parametrize(
    "text, expected",
    [
        (PASSES, True),
        ('puts("Test passed"); puts("Test failed");', True),
        ('puts("PASS");', False),
        ('puts("call FAILED");', False),
        ('puts("bypass"); puts("failure");', False),
        ('// says "PASS"\n/* or\n"FAIL" */', False),
        ('puts("a \\" // PASS"); puts("FAIL");', True),
        ("int PASS, FAIL;", False),
    ],
)
def test_a_program_checks_itself_if_its_strings_name_both_verdicts(text: str, expected: bool, tmp_path: Path) -> None:
    assert population.checks_itself(program(tmp_path, text)) == expected


def test_verdicts_in_a_header_of_a_folder_count(tmp_path: Path) -> None:
    folder = program(tmp_path, "int main() {}\n")
    assert not population.is_self_checking(folder)
    (folder / "sub" / "reference.h").write_text(PASSES, encoding="utf-8")
    assert population.is_self_checking(folder)


@pytest.mark.parametrize(
    "makefile, expected",
    [
        ("run: main\n\t./main 4 0.5 -1e-3 --op add\n", True),
        ("program = main\nrun:\n\t$(LAUNCHER) ./$(program) input.txt sub/../input.txt\n", True),
        ("run:\n\t./main missing.txt\n", False),
        ("run:\n\t./main 4 \\\n\t  ../data/missing\n", False),
        ("DATA = ../elsewhere\nrun:\n\t./main $(DATA)/input.txt\n", False),
        ("DATA = sub/..\nrun:\n\t./main $(DATA)/input.txt\n", True),
        ("run:\n\t./main 4\nclean:\n\trm -f missing.o\n", True),
        ("all: main\n", False),
    ],
)
def test_arguments_of_the_makefile_that_look_like_files_exist(makefile: str, expected: bool, tmp_path: Path) -> None:
    assert population.has_its_inputs(program(tmp_path, makefile=makefile)) == expected


def test_a_program_without_makefile_or_cuda_source_is_left_out(tmp_path: Path) -> None:
    folder = program(tmp_path)
    assert population.is_self_checking(folder)
    (folder / "main.cu").rename(folder / "main.cpp")
    assert not population.is_self_checking(folder)
    (folder / "Makefile").unlink()
    assert not population.has_its_inputs(folder)


def test_a_fixture_draws_from_its_population(tmp_path: Path) -> None:
    program(tmp_path)
    other = tmp_path / "src" / "two-cuda"
    other.mkdir()
    assert suite.names_in(tmp_path, "src/*-cuda") == ["one", "two"]
    assert suite.names_in(tmp_path, "src/*-cuda", "self-checking") == ["one"]
