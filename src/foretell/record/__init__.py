"""The game record `wizard-record/1`: written, read, replayed, refused (docs/record.md)."""

from foretell.record.reader import from_object, loads
from foretell.record.record import Proof, Record
from foretell.record.writer import dumps

__all__ = ["Proof", "Record", "dumps", "from_object", "loads"]
