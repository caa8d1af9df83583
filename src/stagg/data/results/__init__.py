"""Results for callers: hits, pages of hits, tables in notebooks.

- ``hits``: Hits of a consensus: rank, score and interval, also as dicts and frames; ids are the caller's own objects
- ``beside``: Interval columns (low, high, top, group) and p-values: the columns beside the scores of a consensus
- ``paging``: Pages of a fused list: a token says where the next page starts, and detects that the list has changed
- ``notebook``: HTML tables for notebooks: ids are hostile text, so everything is escaped here, in one place
"""
