"""Work on experiments: jobs, the processes that do them, and their stored answers.

- ``jobs``: Jobs: the pieces that experiments are made of, each computed, stored and looked up on its own
- ``processes``: Processes that share the work: jobs out, answers in, and none left running at the end or after Ctrl-C
- ``store``: Store of answers on disk, keyed by content: the data, the question, and the code that answered
"""
