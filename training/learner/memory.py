"""The simulator's arrays as tensors of PyTorch."""

from typing import Any

import numpy as np
import torch


class TorchMemory:
    """Tensors on the GPU if there is one, otherwise on the CPU."""

    def __init__(self, device: torch.device) -> None:
        self.device = device
        self.is_gpu = device.type == "cuda"

    def zeros(self, shape: tuple[int, ...], kind: str) -> Any:
        return torch.zeros(shape, dtype=getattr(torch, kind), device=self.device)

    def copied(self, values: np.ndarray) -> Any:
        return torch.from_numpy(np.ascontiguousarray(values)).to(self.device)

    def pointer(self, values: Any) -> int:
        return int(values.data_ptr())

    def stream(self) -> int:
        return int(torch.cuda.current_stream().cuda_stream) if self.is_gpu else 0
