"""Games as tables for DuckDB, Polars and everything else that reads Parquet (docs/data.md).

Needs pyarrow (`pip install 'foretell[data]'`).
"""

from foretell.datasets.chunks import Chunk, chunks_of, is_written, write_chunk, written

__all__ = ["Chunk", "chunks_of", "is_written", "write_chunk", "written"]
