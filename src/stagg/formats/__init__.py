"""Files to rankings and back: TREC, LETOR-agg, CSV/TSV, Parquet, JSON, PrefLib."""

from stagg.formats.base import Format, Loaded, ReadOptions
from stagg.formats.files import FORMATS, load, read, read_labels, write
from stagg.formats.log import ReadLog

__all__ = ["FORMATS", "Format", "Loaded", "ReadLog", "ReadOptions", "load", "read", "read_labels", "write"]
