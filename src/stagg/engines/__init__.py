"""Where queries run when one process is not enough: the same local code over buckets of whole queries, driven by Spark.

The in-process engine is :func:`stagg.fuse` itself (and :mod:`stagg.aggregate.streaming` for TREC files); an engine here
drives it from outside, which is why engines stand above ``aggregate`` in the order of imports.
"""
