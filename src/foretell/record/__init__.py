"""The game record `wizard-record/1`: written, read, replayed, refused (docs/record.md)."""

from foretell.record.reading import from_object, loads
from foretell.record.record import Proof, Record
from foretell.record.writing import dumps

__all__ = ["Proof", "Record", "dumps", "from_object", "loads"]
