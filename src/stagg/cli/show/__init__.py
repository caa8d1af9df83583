"""Output for people: tables, messages, progress.

- ``talk``: Print: messages and spinners on stderr, tables on stdout, the same tables as JSON
- ``table_output``: Show a table on the command line, and the options that choose how
- ``consensus_view``: Show a consensus: a table for every query, on a terminal or as Markdown
- ``listing``: List a registry: a table of names, or one entry in full
- ``watching``: Watch a learner: its report after every iteration, and Ctrl-C, which keeps the best model so far
- ``fuse_messages``: Messages of ``stagg fuse``, whichever engine runs it
- ``council_view``: Elections for several seats on the terminal: who is elected, every candidate, and the stages of the
  count
- ``ballots_view``: Ballots on the terminal: how many, how they were read, spoiled ones, first choices, names that look
  alike
"""
