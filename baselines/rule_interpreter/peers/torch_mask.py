"""PyTorch: a Boolean mask selects the enabled values, batched products evaluate them (https://pytorch.org; no build).

Same work: the synthetic rule on the same values as ours, in layout A, `load` products per enabled value, one result per
enabled value. Products of matrices are torch.bmm in single precision, which is what users write; the scalar setting is
an elementwise addcmul. A product is a kernel, and its operands stay in memory, while our variants keep them in
registers.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from baselines.peers.arrays import torch_on_gpu, torch_samples
from baselines.rule_interpreter.peers._synthetic import (
    CHECKED,
    OF_INDEX,
    OF_VALUE,
    Synthetic,
    cases,
    check_results,
    values_of,
)
from processes.driver import Place, Reading


def start_of(torch: Any, value: Any, index: Any) -> Any:
    """Signed words wrap like unsigned ones, except that a shift copies the sign, which the masks remove."""
    word = value * (OF_VALUE - 2**32) + index.to(torch.int32) * (OF_INDEX - 2**32)
    word = word ^ ((word >> 15) & 0x1FFFF)
    return 1 + ((word >> 9) & 0x7FFFFF).to(torch.float32) * 2.0**-23


def matrices(torch: Any, start: Any) -> tuple[Any, Any]:
    small = start * 2.0**-12
    rotation = torch.stack([small, 1 - small, 1 - 1.375 * small, 1.375 * small], 1).reshape(-1, 2, 2)
    product = torch.stack([start * ((i + 1) / 4) + 0.5 for i in range(4)], 1).reshape(-1, 2, 2)
    return rotation, product


def apply_rule(torch: Any, case: Synthetic, values: Any, results: Any) -> None:
    enabled = values != 0
    start = start_of(torch, values[enabled], enabled.nonzero()[:, 1])
    if case.size == 1:
        factor, one, result = start * 2.0**-12 - 1, torch.ones_like(start), start
        for _ in range(case.load):
            result = torch.addcmul(one, factor, result)
    else:
        rotation, product = matrices(torch, start)
        for _ in range(case.load):
            product = torch.bmm(rotation, product)
        weights = torch.arange(1, 5, dtype=torch.float32, device=values.device)
        result = (product.reshape(-1, 4) * weights).sum(1)
    results[enabled] = result


class TorchMask:
    name = "torch_mask"
    description = "a Boolean mask and batched products of PyTorch"

    def build(self, place: Place) -> None:
        """Nothing: PyTorch is installed or not."""

    def readings(self, place: Place) -> Iterator[Reading]:
        torch = torch_on_gpu()
        for case in cases():
            host = values_of(case)
            values = torch.from_numpy(host).cuda()
            results = torch.zeros(values.shape, dtype=torch.float32, device="cuda")
            seconds = torch_samples(torch, lambda: apply_rule(torch, case, values, results))
            check_results(case, host, results.cpu().numpy())
            yield Reading(
                variant=self.name,
                machine="cuda",
                version=f"PyTorch {torch.__version__}",
                axes=case.axes,
                seconds=seconds,
                items=case.items,
                verified=f"own check: {CHECKED}",
                timer="events",
                note="one batched or elementwise product per load step, with operands in device memory; another order of rounding",
            )
            torch.cuda.empty_cache()


DRIVER = TorchMask()
