"""Elections: who wins by which rule, how surely, and by how many ballots; one seat, or several.

- ``elect``: ``elect``: one seat, many rules: who wins by which, how surely, by how many ballots; several seats: see
  ``seats``
- ``runoff``: Instant runoff, round by round: where the votes go, and what a tie for the last place may decide
- ``victory``: Margin of victory: how many ballots would have to change for the winner not to win alone
- ``standing``: Why a candidate lost: first choices, the winner head to head, the runoff, the rules, the missing ballots
- ``axioms``: Axioms of voting rules: what each demands, and whether a rule keeps it in an election of complete ballots
- ``words``: Words of an election: what each rule does, and what the numbers of a result mean
- ``headline``: Headline of an election's report: who is elected and by how much, or that the rules disagree
- ``ballot_table``: The ballots of one election as a table of places, and back; equal ballots merged into one with its
  count
- ``tables``: Tables of an election for the terminal and the page: facts, wins in redraws, margins, rounds of the runoff
- ``seats``: Several seats: who is elected by which rule, stage by stage, how surely, and how close the last seat was
- ``ballot_facts``: Facts of ballots before the count: how many, complete, blank or tied, what was left out, and first
  choices
"""

from stagg.elections.elect import Election, elect
from stagg.elections.seats.council import Council

__all__ = ["Council", "Election", "elect"]
