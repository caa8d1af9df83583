"""Engines for inputs that one process cannot hold: the same local code over buckets of whole queries.

The in-process engine is :func:`stagg.fuse` itself (and :mod:`stagg.aggregate.streaming` for TREC files); an engine here
drives it from outside, which is why engines stand above ``aggregate`` in the order of imports.

- ``local``: Fuse one bucket: an Arrow table of whole queries in, their consensus as a table out; every engine runs this
- ``buckets``: Buckets: rows sorted by query, cut into tables of whole queries of about the same size
- ``spark``: Fusion on Apache Spark: a DataFrame of rankings in, a DataFrame of the consensus out
"""
