"""Tables: from cells to roles of columns, a layout and rows.

- ``cells``: Cells of a table as text: records, numbers with a decimal comma, percentages
- ``trim``: Trim a table: titles, columns to leave out, sums below, schedules on their side, index columns
- ``roles``: Roles of columns: by their names in any case, by the caller's mapping, and by one scoring of names and
  cells
- ``detect``: Detect the layout of a table: the one that is given, or the first that fits; or a question to its owner
- ``named_columns``: Tables with named columns, from any kind of file: query, item, rank and/or score, ranker,
  multiplicity
- ``row_builder``: Build rows: the listed items of a table, one by one, and notes on ids that look like missing answers
- ``sources``: Sources of cells: delimited text, Excel workbooks, Parquet
- ``layouts``: Layouts: the meaning of a table's rows and columns; a module for each layout, and what they share
- ``ordinals``: Words for "first choice": the place that "1st choice", "Second", "rank 3", "2e choix" or a survey
  question names
- ``profile``: Profile of a table: facts about its first row, its columns and its cells, each found once
- ``stages``: The stages of a table: trim, profile, detect, lay out, read; each takes what the one before gave
- ``vocabulary``: Words that people write in tables: names of columns, and cells that mean a place, a tie, nothing, or a
  sum
- ``verdicts``: Verdicts: cells that say which of two contestants won: ``model_a``, ``B``, ``tie``, ``1-0``, or the
  winner's name
- ``written_numbers``: Numbers as people write them: $2.50, 1,234, 85.3 ± 0.4, 85.3*, 1.2k; the whole column shows what
  is meant
"""
