"""How the numbers of the report were made, in a few paragraphs for the index."""

from __future__ import annotations

from plots.claims import HOW_JUDGED
from plots.speeds import AT_THEIR_BEST

#: Heading and text of each paragraph.
METHODS = (
    (
        "Timed",
        "GPU kernels by CUDA events, CPU code by the steady clock, on inputs that are already in place. A time is the median "
        "of at least 10 samples with a 95% interval, or of 6 that take half a second in all and agree within 5%; the clock of "
        "the GPU is in each row. The emulator is never timed.",
    ),
    (
        "Verified",
        "A time counts only if the output agreed with a CPU reference before and after the timing: every unit, or a sample, or "
        "by digest all units against another variant. Each row says which.",
    ),
    ("Judged", f"{HOW_JUDGED} The paper's own printed numbers are judged by the same bounds."),
    (
        "Numbers that move",
        "A claim about a number of the hardware of its time, such as an absolute speed, can fail although the paper was right. "
        "It is counted apart, as a number that depends on the hardware of its time.",
    ),
    (
        "Noise",
        "An interval covers the samples of one run. Runs on another day or another machine can differ by more, on shared CPUs "
        "by much more. Compare ratios and verdicts, not seconds.",
    ),
    (
        "Equal work",
        "“Ours” and the paper's method do the same work: equal models, sizes, seeds and units, and every timed output is "
        f"verified, whole or in a sample. A ratio compares the fastest of both sides for each workload, {AT_THEIR_BEST}. A median "
        "names how many workloads it covers.",
    ),
)
