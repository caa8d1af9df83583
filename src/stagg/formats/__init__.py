"""Files to rankings and back: TREC, LETOR, CSV, Excel and Parquet tables, JSON, PrefLib.

- ``inputs``: Read whole inputs: detect the format, join several files, all or nothing
- ``write``: Write rankings: which format a file name means, and whether the format can hold them
- ``format``: Format, the base class, and ``FORMATS``: a reader, a writer, and what the format can hold
- ``options``: Options of reading (``ReadOptions``): columns, layout, header, strictness
- ``row_checks``: Check rows, in every reader: ids, labels, numbers of voters, options that do not fit, and hints on
  what to try
- ``numbers``: Numbers as text: which texts are numbers, and how a number is written; decimal commas are in
  ``tables.cells``
- ``log``: Log of a reader: rows read, used and dropped, and notes that the owner of the data should see
- ``patterns``: Regular expressions compiled on first use: a command that needs few of them starts sooner
- ``storage``: Bytes of files: where they come from, how many there may be, temporary files, and how they are written
- ``runs``: Runs and labels as lines of text: TREC and LETOR
- ``documents``: Files that are documents, not tables: JSON, JSON Lines, responses of search engines, ballots
- ``tables``: Tables: from cells to roles of columns, a layout and rows
- ``parts``: Read large inputs in parts: chunks of rows in any order become buckets of whole queries, in the order of
  their ids
- ``reading``: Reading: a source, the options and the log, which every reader takes; and the questions that it may have
  to ask
"""

from stagg.formats.format import FORMATS, Format, Loaded
from stagg.formats.inputs import load, read, read_labels
from stagg.formats.log import ReadLog
from stagg.formats.options import ReadOptions
from stagg.formats.write import write

__all__ = ["FORMATS", "Format", "Loaded", "ReadLog", "ReadOptions", "load", "read", "read_labels", "write"]
