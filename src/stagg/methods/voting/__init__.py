"""Voting rules: for one seat plurality, Bucklin, runoffs and Condorcet rules; for several seats STV and others.

The rules for one seat are methods, which rank all items. Those for several seats have a registry of their own
(``SEAT_RULES``); :mod:`stagg.elections.seats` shows what they do.

- ``top_choices``: Plurality and Bucklin: count first choices only, or as many choices from the top as a majority needs
- ``elimination``: Instant runoff, Coombs, Baldwin, Nanson: count, eliminate those with the least, count again; the last
  one wins
- ``condorcet_rules``: Schulze, ranked pairs, minimax, Black: rules that settle majority cycles by the strength of
  victories
- ``several_seats``: Several seats: STV, Meek's STV, block voting, approval voting and sequential proportional approval
"""
