"""Pieces of work on a Ray cluster.  Ray does again what was lost with a worker or a machine.

This is the only module that imports Ray (the extra `cluster`).
"""

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from hashlib import blake2b
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeVar

import foretell
from foretell.errors import ForetellError

__all__ = ["code_here", "on_cluster"]

Piece = TypeVar("Piece")
Result = TypeVar("Result")

_LOSSES = 20
"""How often a piece may be lost with its worker; after that the piece is what kills them."""

_AHEAD = 4
"""Pieces for each core that wait at the cluster: it is never idle, and a million pieces are not sent at once."""


def on_cluster(
    work: Callable[[Piece], Result], pieces: Sequence[Piece]
) -> Iterator[tuple[int, Result]]:
    """On the cluster of RAY_ADDRESS, or the one that this machine belongs to."""
    with _connected() as ray:
        task = ray.remote(_done_with_this_code).options(max_retries=_LOSSES)
        code = code_here()
        left = iter(enumerate(pieces))
        waiting: dict[Any, int] = {}
        try:
            while True:
                cores = int(ray.cluster_resources().get("CPU", 1))
                while len(waiting) < _AHEAD * cores and (one := next(left, None)) is not None:
                    place, piece = one
                    waiting[task.remote(code, work, piece)] = place
                if not waiting:
                    return
                # The first that is ready, and all that are ready with it.
                ray.wait(list(waiting), num_returns=1)
                ended, _ = ray.wait(list(waiting), num_returns=len(waiting), timeout=0)
                for answer in ended:
                    yield waiting.pop(answer), _answer(ray, answer)
        finally:
            for answer in waiting:
                ray.cancel(answer, force=True)


@contextmanager
def _connected() -> Iterator[Any]:
    if find_spec("ray") is None:
        raise ForetellError("no_ray")
    import ray  # noqa: PLC0415 - an extra, and slow to import

    if ray.is_initialized():  # a program that has its own connection keeps it
        yield ray
        return
    try:
        ray.init(address="auto", log_to_driver=False, logging_level=logging.ERROR)
    except ConnectionError as error:
        raise ForetellError("no_cluster") from error
    try:
        yield ray
    finally:
        ray.shutdown()


def _answer(ray: Any, answer: Any) -> Any:
    """The result of a piece; if the work failed, its own error and not Ray's wrapping of it."""
    try:
        return ray.get(answer)
    except ray.exceptions.RayTaskError as error:
        if isinstance(error.cause, ImportError):  # no Foretell there, or an older one
            raise ForetellError("other_code", node="?") from error
        raise error.cause from error


def _done_with_this_code(code: str, work: Callable[[Piece], Result], piece: Piece) -> Result:
    """Does a piece on a machine of the cluster, if it has the same Foretell: others might give other results."""
    if code != code_here():
        import ray  # noqa: PLC0415 - it is loaded already, by the worker

        raise ForetellError("other_code", node=ray.util.get_node_ip_address())
    return work(piece)


@lru_cache(maxsize=1)
def code_here() -> str:
    """A word that differs if any module or net of the installed Foretell differs."""
    folder = Path(foretell.__file__).parent
    found = blake2b(digest_size=16)
    for path in sorted((*folder.rglob("*.py"), *folder.rglob("*.bin"))):
        name = path.relative_to(folder).as_posix()
        if not name.startswith("server/static/"):
            found.update(f"{name}\n".encode())
            found.update(path.read_bytes())
    return found.hexdigest()
