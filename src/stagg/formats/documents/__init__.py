"""Files that are documents, not tables: JSON, JSON Lines, responses of search engines, ballots.

- ``json``: JSON: ``{query: {ranker: {item: number}}}``, or ``{query: {item: number}}`` when there is one ranker
- ``jsonl``: JSON Lines: one object per line, either a listed item with its columns or a search engine's response
- ``json_lists``: JSON lists: arrays of ids, best first; one list, one per ranker, or one per query
- ``cell_files``: Cell files: all cells of a table in any format, whatever they mean
- ``label_files``: Label files: tables of query, item and grade in any format, and JSON, ``{query: {item: label}}``
- ``hit_keys``: Keys of hits: which member of a search engine's hit is its id, which one its score, and which way that
  points
- ``json_rows``: JSON rows: objects with named values, one per listed item, or the rows of a table in any layout
- ``responses``: Responses of search engines, vector databases and rerankers: where their hits are, and whose they are
- ``texts``: Texts of documents and queries: ``{id: title and text}`` of a collection, of which only wanted ones are
  kept
- ``label_columns``: Columns of a table of labels: which one holds the queries, the items and the grades
- ``ballots``: Ballots of elections as counting programs and archives write them
"""
