"""Layouts: the meaning of a table's rows and columns; a module for each layout, and what they share.

- ``id_lists``: Best-first lists of ids: one list in every column, or one list in the whole file
- ``ballots``: Ballots: every row is a voter, the cells are choices from first to last
- ``number_grids``: Tables of numbers: items with every ranker's numbers (wide), voters with the ranks of candidates
  (grid)
- ``pairs``: Paired comparisons: ``winner,loser[,tie]``, or ``judge,a,b,choice``
- ``voters``: Names of voters: the column that holds them, and a name for every row
- ``counts``: Count columns: how many voters a row stands for, and columns that may or may not say so
- ``multiplicities``: Numbers of voters: whole, from 0, and together no more than can be counted
- ``written_ties``: Ties in a cell: ``A=B`` is split here; cells that look like ties, or that are only dashes, are noted
  or refused
- ``ordinals``: Words for "first choice": the place that "1st choice", "Second", "rank 3" or a survey question names
- ``person_cells``: Columns about persons, not choices: email addresses, and the day and time of an answer
- ``named_direction``: Direction of a column's numbers (ranks or scores), as far as its name tells
- ``direction``: Direction of numbers without a telling name: ranks or scores, by column names and by the numbers
  themselves
"""
