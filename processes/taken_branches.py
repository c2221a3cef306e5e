"""A text without the preprocessor's branches that no current GPU takes.

Only conditions on CUDA's versions and on numbers are decided, with the values that the emulator defines. Of others, all
branches stay.
"""

from __future__ import annotations

import ast
import re

#: As in harness/simt/cuda_api/qualifiers.hpp.
VALUES = {
    "CUDART_VERSION": 12080,
    "CUDA_VERSION": 12080,
    "__CUDACC_VER_MAJOR__": 12,
    "__CUDACC_VER_MINOR__": 8,
    "__CUDA_ARCH__": 800,
}
DIRECTIVE = re.compile(r"^[ \t]*#[ \t]*(ifdef|ifndef|if|elif|else|endif)\b(.*)$")
NUMBER = re.compile(r"\b(0[xX][0-9a-fA-F]+|\d+)[uUlL]*\b")
DEFINED = re.compile(r"\bdefined\s*(?:\(\s*(\w+)\s*\)|(\w+))")
ALLOWED = (ast.Expression, ast.BoolOp, ast.UnaryOp, ast.Compare, ast.Constant, ast.And, ast.Or, ast.Not, ast.cmpop)


def truth(condition: str) -> bool | None:
    """Whether the condition of an #if holds; None if that is not known."""
    text = DEFINED.sub(lambda match: "1" if (match[1] or match[2]) in VALUES else match[0], condition.split("//")[0])
    text = re.sub(r"[A-Za-z_]\w*", lambda match: str(VALUES.get(match[0], match[0])), NUMBER.sub(r"\1", text))
    text = re.sub(r"!(?!=)", " not ", text.replace("&&", " and ").replace("||", " or "))
    try:
        tree = ast.parse(text.strip(), mode="eval")
    except (SyntaxError, ValueError):
        return None
    if not all(isinstance(node, ALLOWED) for node in ast.walk(tree)):
        return None
    return bool(eval(compile(tree, "condition", "eval"), {"__builtins__": {}}))  # constants only


def taken(text: str) -> str:
    """The lines that are, or may be, compiled; others become empty."""
    kept: list[str] = []
    # Of each open #if: whether its branch is taken, may be, or is not; and whether an earlier one surely was.
    state: list[tuple[bool, bool]] = []
    for line in text.replace("\\\n", " ").split("\n"):
        found = DIRECTIVE.match(line)
        if found is None:
            kept.append(line if all(is_taken for is_taken, _ in state) else "")
            continue
        word, condition = found[1], found[2].strip()
        kept.append("")
        if word == "endif":
            state = state[:-1]
        elif word in ("else", "elif") and state:
            value = truth(condition) if word == "elif" else True
            done = state[-1][1]
            state[-1] = (not done and value is not False, done or (word == "elif" and value is True))
        elif word.startswith("if"):
            given = {"ifdef": f"defined({condition})", "ifndef": f"!defined({condition})"}.get(word, condition)
            value = truth(given)
            state.append((value is not False, value is True))
    return "\n".join(kept)
