"""Voting rules, each for one seat: plurality, Bucklin, runoffs and Condorcet rules.

No rule here fills several seats; :mod:`stagg.elections.elect` refuses the names of such rules (``SEVERAL_SEATS``). A
rule for several seats, such as STV, would be a module here; its seats and rounds would be shown by
:mod:`stagg.elections`.

- ``top_choices``: Plurality and Bucklin: count first choices only, or as many choices from the top as a majority needs
- ``elimination``: Instant runoff, Coombs, Baldwin, Nanson: count, eliminate those with the least, count again; the last
  one wins
- ``condorcet_rules``: Schulze, ranked pairs, minimax, Black: rules that settle majority cycles by the strength of
  victories
"""
