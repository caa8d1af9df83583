"""Read inputs in parts, some queries at a time: for files larger than memory.

- ``interface``: The interface of inputs in parts: what every such input offers, for any kind of file
- ``stretches``: Index of an input: where the rows of each query lie, so that some queries can be read without the
  others
- ``random_access``: Random access to content: files opened as they are needed, temporary copies of packed or piped
  input
- ``runs_in_parts``: Read several TREC runs in parts with the compiled reader: indexed by query, then any number of
  queries at once
- ``tables_in_parts``: Read tables with named columns in parts: CSV and TSV by where their rows lie, Parquet by row
  groups
- ``csv_in_parts``: Read CSV and TSV tables in parts: one pass finds where the rows of each query lie
- ``parquet_in_parts``: Read Parquet tables in parts: row groups are unpacked one after another, and few are held
"""
