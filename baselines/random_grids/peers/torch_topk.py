"""PyTorch: the k largest of random keys per board (https://pytorch.org, any version with CUDA; no build).

Same work: boards of exactly k occupied sites, drawn on the device. Two readings per case: `torch_topk` leaves what topk
returns, an index of 64 bits per occupied site; `torch_topk_mask` also sets the sites in a mask of one byte per site.
Our variants store one bit per site. Keys are 24-bit floats, so a tie at the k-th key, which topk resolves by position,
makes the draw very slightly uneven.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from baselines.peers.arrays import torch_on_gpu, torch_samples
from baselines.random_grids.peers._boards import ON_A_GPU, UNIFORM, Boards, check_masks
from processes.driver import Place, Reading


def indices(torch: Any, case: Boards) -> Any:
    return torch.rand(case.count, case.sites, device="cuda").topk(case.occupied, sorted=False).indices


def mask(torch: Any, case: Boards, selected: Any) -> Any:
    return torch.zeros(case.count, case.sites, dtype=torch.bool, device="cuda").scatter_(1, selected, True)


class TorchTopk:
    name = "torch_topk"
    description = "random keys and torch.topk per board"

    def build(self, place: Place) -> None:
        """Nothing: PyTorch is installed or not."""

    def readings(self, place: Place) -> Iterator[Reading]:
        torch = torch_on_gpu()
        for case in ON_A_GPU:
            for variant, run, note in (
                ("torch_topk", lambda: indices(torch, case), "writes an index of 64 bits per site, not one bit"),
                (
                    "torch_topk_mask",
                    lambda: mask(torch, case, indices(torch, case)),
                    "writes one byte per site, not one bit",
                ),
            ):
                seconds = torch_samples(torch, run)
                check_masks(mask(torch, case, indices(torch, case)), case)
                yield Reading(
                    variant=variant,
                    machine="cuda",
                    version=f"PyTorch {torch.__version__}",
                    axes=case.axes,
                    seconds=seconds,
                    items=case.count,
                    verified=f"own check: {UNIFORM}",
                    timer="events",
                    note=note,
                )
            torch.cuda.empty_cache()


DRIVER = TorchTopk()
