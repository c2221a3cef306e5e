"""Options that no command of this package has are refused in one line, with the nearest one that it has."""

from __future__ import annotations

import pytest

from plots.cli import parser
from plots.errors import UserError

REFUSED = {
    ("report", "--claimz"): "unknown option --claimz (lockstep report has no such option) did you mean --claims?",
    ("figures", "--zzz"): "unknown option --zzz (lockstep figures has no such option) see lockstep figures --help",
}


@pytest.mark.parametrize("words", REFUSED)
def test_an_unknown_option_names_its_command(words: tuple[str, str]) -> None:
    with pytest.raises(UserError) as refused:
        parser().parse_args(words)
    assert str(refused.value) == REFUSED[words]
