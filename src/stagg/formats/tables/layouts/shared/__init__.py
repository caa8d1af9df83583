"""What several layouts share: voters, ties in cells, tables of numbers and which way these point.

- ``direction``: Direction of numbers without a telling name: ranks or scores, by column names and by the numbers
  themselves
- ``number_cells``: Tables of numbers: what wide tables and grids share, and the reading of their cells
- ``one_order``: Choices that one cell lists: the mark between them, and lists that all keep one order, as forms export
  ticks
- ``voters``: Voters of a row: the column that names them, a name for every row, and how many voters a row stands for
- ``written_ties``: Ties in a cell: ``A=B`` is split here; cells that look like ties, or that are only dashes, are noted
  or refused
"""
