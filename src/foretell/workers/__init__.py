"""Work in pieces: in this process, in several processes of this machine, or on a cluster (docs/cluster.md).

The result of a piece depends on the piece alone.  So it does not matter who does it, in which order, or how often: a
piece that was lost with its worker is done again.
"""

from foretell.workers.pieces import ALL_CORES, ONE_PROCESS, Workers, in_order, results

__all__ = ["ALL_CORES", "ONE_PROCESS", "Workers", "in_order", "results"]
