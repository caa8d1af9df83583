"""Text to arrays and back, mostly compiled: parse and write numbers, ids, rows, runs and requests.

The compiled parsers (.pyx): ``_numbers`` parses and writes numbers, ``_text`` delimited rows, ``_runs`` TREC runs,
``_ids`` columns of ids; ``_row_index`` finds the rows of each query, ``_columns`` groups rows into lists, ``_ranked``
ranks scores and writes them as runs, ``_requests`` reads Python lists and dicts and fuses them. They share ``_fields``,
``_rows``, ``_hashing``, ``_sorting`` and ``_ranking`` (.pxd).

- ``text``: Delimited text: rows to columns and back, ids as bytes. None, or False, where the compiled twin was not
  built
- ``ids``: Columns of ids as bytes: their texts, copies end to end, numbers by first appearance, ties by id
- ``columns``: Columns of codes: number them by first appearance, and group rows into lists. None where the twin was not
  built
- ``ranked``: Rank and write: scores to ranked items and to rows of a TREC run, the twin of ``ties.rank_scores`` and the
  writer
- ``requests``: Requests: plain Python lists and dicts to arrays, and rankings to Python objects, without a detour
- ``records``: Records: rows sorted by query in one buffer, and the lists of any range of queries from many buffers
"""
