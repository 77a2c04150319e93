"""Several processes that train one net, each with its own tables: `torchrun` starts them, on one machine or on many.

    torchrun --nproc-per-node 2 -m training.learner.train --bundle ... --config ... --out OUT

Every process plays its own games.  Before each step of the optimiser the gradients are averaged, so that all nets stay
the same; clocks and sizes that decide how a run goes on are agreed upon for the same reason.  The first process alone
writes.  Without `torchrun` there is one process, and nothing here does anything.
"""

import os
from collections.abc import Iterable

import torch
import torch.distributed as dist

__all__ = ["Workers"]


class Workers:
    """The processes of a run, and which of them this one is."""

    def __init__(self) -> None:
        self.count = int(os.environ.get("WORLD_SIZE", "1"))
        self.number = int(os.environ.get("RANK", "0"))
        self.is_first = self.number == 0
        if self.count > 1 and not dist.is_initialized():
            dist.init_process_group("nccl" if torch.cuda.is_available() else "gloo")

    @property
    def device(self) -> torch.device:
        """Each process of a machine has a GPU of its own."""
        if not torch.cuda.is_available():
            return torch.device("cpu")
        device = torch.device("cuda", int(os.environ.get("LOCAL_RANK", "0")))
        torch.cuda.set_device(device)
        return device

    def share(self, tensors: Iterable[torch.Tensor]) -> None:
        """Gives every process the values of the first one."""
        if self.count > 1:
            for one in tensors:
                dist.broadcast(one, 0)

    def average(self, tensors: list[torch.Tensor]) -> None:
        """Replaces the tensors by their mean over all processes, in one message."""
        if self.count > 1:
            together = torch.cat([one.flatten() for one in tensors])
            dist.all_reduce(together)
            together /= self.count
            sizes = [one.numel() for one in tensors]
            for one, mean in zip(tensors, together.split(sizes), strict=True):
                one.copy_(mean.view_as(one))

    def least(self, number: float, device: torch.device) -> float:
        """The smallest of the numbers that the processes give."""
        if self.count == 1:
            return number
        shared = torch.tensor([number], dtype=torch.float64, device=device)
        dist.all_reduce(shared, dist.ReduceOp.MIN)
        return float(shared.item())

    def end(self) -> None:
        """Waits for the others, which may still be on their way here."""
        if self.count > 1:
            dist.barrier()
            dist.destroy_process_group()
