"""Several seats: who is elected by which rule, stage by stage, how surely, and how close the last seat was.

- ``council``: ``elect_council``: several seats, up to five rules: who is elected by which, stage by stage, and how
  surely
- ``counting``: Counting: the ballots as a rule reads them, to be counted as they are, drawn again, or with some of them
  changed
- ``last_seat``: Last seat: how many ballots a search had to change until another candidate got a seat, which is a bound
- ``lots``: Lots: whether another lot would have elected somebody else, where a lot decided a tie
- ``stage_table``: Stages as tables: who has what after every stage, in blocks that fit a page, and each stage in words
- ``explained``: Why a candidate is elected or not: first choices, each stage that concerns the candidate, and the
  redraws
- ``minutes``: Minutes of a count: what was counted, by which rule, every stage, ties and lots, and what is needed to
  repeat it
- ``seat_rows``: Results of several seats as rows and as facts, for JSON
"""
