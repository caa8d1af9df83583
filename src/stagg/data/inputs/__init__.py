"""Rankings from objects in memory: lists, dicts, frames.

- ``construct``: Build rankings from Python objects: best-first lists, scored hits, dicts of numbers, runs, frames
- ``lists``: Read one ranker's list: ids best first, tied groups, scored hits; a list with two meanings is refused
- ``frames``: Data frames in and out: pandas, Polars (lazy ones too), pyarrow, DuckDB, anything that streams Arrow
- ``arrow``: Arrow tables to columns and back, without making text: the way of Parquet files and data frames
- ``battle_rows``: Battles as they were fought: who stood first, who second, who judged, on which question, and how it
  ended
- ``types``: Types of the inputs: everything that ``fuse`` and its siblings accept as rankings
"""
