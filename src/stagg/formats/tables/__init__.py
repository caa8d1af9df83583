"""Tables: from cells to roles of columns, a layout and rows.

- ``cells``: Cells of a table as text: records, separators, numbers with a decimal comma, percentages
- ``trim``: Trim a table: second headers, index columns, rows longer than the header
- ``roles``: Roles of columns: names in any case, the mapping that a caller gives, good guesses
- ``detect``: Detect the layout of a table: what its rows and columns mean, or which option its owner must give
- ``cell_tables``: Read a whole table of cells: titles are dropped, long tables read by their columns, others by their
  layout
- ``layout_rows``: Read a table that is not one row per listed item: call the reader of its layout
- ``named_columns``: Tables with named columns, from any kind of file: query, item, rank and/or score, ranker,
  multiplicity
- ``row_builder``: Build rows: the listed items of a table, one by one, and notes on ids that look like missing answers
- ``sources``: Sources of cells: delimited text, Excel workbooks, Parquet
- ``layouts``: Layouts: the meaning of a table's rows and columns; a module for each layout, and what they share
"""
