"""Files that are documents, not tables: JSON, JSON Lines, responses of search engines, PrefLib.

- ``json``: JSON: ``{query: {ranker: {item: number}}}``, or ``{query: {item: number}}`` when there is one ranker
- ``jsonl``: JSON Lines: one object per line, either a listed item with its columns or a search engine's response
- ``json_lists``: JSON lists: arrays of ids, best first; one list, one per ranker, or one per query
- ``preflib``: PrefLib elections: a header of ``# KEY: value`` lines, then ``count: 3,1,{2,5},4``, best first, braces
  for ties
- ``cell_files``: Cell files: all cells of a table in any format, whatever they mean
- ``label_files``: Label files: tables of query, item and grade in any format, and JSON, ``{query: {item: label}}``
- ``blt``: BLT elections (OpaVote, OpenSTV): numbers of candidates and seats, ballots such as ``3 2 1=4 0``, a 0, then
  names
- ``condorcet``: Condorcet Election Format (.cvotes): ``A > B = C * 6``, a vote and how many cast it, below ``#/``
  parameters
- ``hit_keys``: Keys of hits: which member of a search engine's hit is its id, which one its score, and which way that
  points
- ``json_rows``: JSON rows: objects with named values, one per listed item, or the rows of a table in any layout
- ``responses``: Responses of search engines, vector databases and rerankers: where their hits are, and whose they are
- ``texts``: Texts of documents and queries: ``{id: title and text}`` of a collection, of which only wanted ones are
  kept
- ``label_columns``: Columns of a table of labels: which one holds the queries, the items and the grades
- ``abif``: Aggregated Ballot Information Format (.abif): ``27: A>B=C``, a count and a vote; ratings, names of
  candidates
- ``debian``: Debian's tally sheets: a line for each vote, ``V: 21-3`` and a hash, below the names of the options
"""
