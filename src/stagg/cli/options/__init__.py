"""Options that several commands share.

- ``bundles``: Bundles of options: a command takes one value made from several options that belong together
- ``reading``: Options of reading INPUT, and the reader's messages on stderr
- ``planning``: Options of a plan: methods or models, weights, the meaning of absence, depth
- ``judging``: Options of commands that use labels: where labels come from, which measures, which conventions
- ``titles``: Options for titles: of documents and of queries, which a command shows beside their ids
- ``output``: Options for files that are written: CSV that is safe to open in a spreadsheet
- ``reporting``: Options of commands that write reports and plots, checks before the work, and the writing
- ``completion``: Shell completion of the names of methods, measures and learners, alone or as the last of a list
"""

from stagg._moved import find_moved

__getattr__ = find_moved(__name__)
