"""Read large inputs in parts: chunks of rows in any order become buckets of whole queries, in the order of their ids.

A chunk (some megabytes of text, a batch of a row group) is read by any thread, and its rows are sorted by query. When
all are read, or no later one can hold a smaller query, the queries are cut into buckets of about the same size, and
each bucket is fused by itself. Chunks beyond the memory budget wait in a temporary file.

- ``chunks``: A chunk of rows, sorted by query; what every file that is read in chunks offers
- ``text_blocks``: Blocks of whole lines, or of whole records, of a text
- ``run_chunks``: TREC runs in chunks: plain rows by the compiled twin; a block that holds an odd row is read in Python
- ``csv_chunks``: CSV and TSV tables in chunks: the header is found in the first bytes, then blocks of whole records are
  read
- ``parquet_chunks``: Parquet tables in chunks: batches of rows, unpacked one after another and checked by any thread
- ``table_rows``: Checked rows of a table with named columns, for a chunk
- ``chunk_store``: The chunks that wait: in memory up to a budget, then in a temporary file; buckets are taken from them
  in order
- ``bucket_lists``: The lists of one bucket as rankings, and what is wrong with them in words
- ``in_parts``: Several files as one input that is read in parts: their chunks are read by threads, and cut into buckets
"""
