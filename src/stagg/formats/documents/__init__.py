"""Files that are documents, not tables: JSON, JSON Lines, responses of search engines, PrefLib.

- ``json``: JSON: ``{query: {ranker: {item: number}}}``, or ``{query: {item: number}}`` when there is one ranker
- ``jsonl``: JSON Lines: one object per line, either a listed item with its columns or a search engine's response
- ``json_lists``: JSON lists: arrays of ids, best first; one list, one per ranker, or one per query
- ``elasticsearch``: Elasticsearch and OpenSearch responses: ``{"hits": {"hits": [{"_id": ..., "_score": ...}, ...]}}``
- ``preflib``: PrefLib elections: a header of ``# KEY: value`` lines, then ``count: 3,1,{2,5},4``, best first, braces
  for ties
"""
