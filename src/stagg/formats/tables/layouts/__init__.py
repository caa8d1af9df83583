"""Layouts: the meaning of a table's rows and columns; a module for each layout, and what they share.

- ``ballots``: Ballots: every row is a voter, the cells are choices from first to last
- ``pairs``: Paired comparisons: ``winner,loser[,tie]``
- ``base``: Layout, the base class, and ``Sheet``, the table that a layout reads
- ``columns``: Columns: every column is a ranker's best-first list of ids
- ``grid``: Grids: rows are voters, columns are candidates, cells are ranks
- ``list``: List: one id per line, best first
- ``long``: Long tables: one row per listed item
- ``wide``: Wide tables: a column of items, every other column a ranker's numbers
- ``form``: Forms: every row is one answer; a ranking question takes several columns, or one cell that lists the choices
- ``battles``: Battles: two columns of contestants, and who won: ``judge,model_a,model_b,winner``, or the goals of both
- ``shared``: What several layouts share: voters, ties in cells, tables of numbers and which way these point
- ``win_counts``: Win counts: two columns of contestants, and how often each of them won: ``a,b,wins_a,wins_b``
"""
