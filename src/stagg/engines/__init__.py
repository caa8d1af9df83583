"""Engines: where a plan is carried out on files, in this process or on Apache Spark, with the same bytes.

An engine reads inputs, fuses them by a plan and writes the consensus. How it does that, whole or in parts, by which
threads or executors, is its own affair: :meth:`stagg.aggregate.Plan.fuse` makes every consensus.

- ``base``: The interface of engines: what they are given, what they give back, and whom they tell of their work
- ``memory``: Fusion in this process: some queries at a time where the inputs can be read in parts, else all at once
- ``local``: Fuse one bucket: an Arrow table of whole queries in, their consensus as a table out; every engine runs this
- ``task``: The work on every bucket of rows, and what is counted there
- ``bucket_rows``: Rows of a bucket to rankings: by the compiled twin where nothing is odd, else row by row
- ``buckets``: Buckets: rows sorted by query, cut into tables of whole queries of about the same size
- ``spark``: Fusion on Apache Spark: a DataFrame of rankings in, a DataFrame of the consensus out
"""
