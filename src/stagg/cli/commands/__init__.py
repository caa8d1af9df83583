"""The commands: one module each, named as the command is called.

- ``fuse``: ``stagg fuse``: fuse many runs into one
- ``inspect``: ``stagg inspect``: describe an input
- ``explain``: ``stagg explain``: explain why an item has its rank
- ``explore``: ``stagg explore``: write a page with a slider for the weight of every ranker
- ``demo``: ``stagg demo``: show the built-in sample, its inputs beside the consensus
- ``evaluate``: ``stagg evaluate``: measure runs against labels
- ``compare``: ``stagg compare``: compare methods and learners by means, intervals and paired tests
- ``robustness``: ``stagg robustness``: repeat a comparison with fewer rankers
- ``train``: ``stagg train``: labels in, a model file out
- ``elect``: ``stagg elect``: run an election: who wins by which rule, how surely, by what margin
- ``leaderboard``: ``stagg leaderboard``: rank models by tables of their scores, with gaps
- ``convert``: ``stagg convert``: write the same rankings in another format
- ``simulate``: ``stagg simulate``: draw rankings whose true order is known
- ``methods``: ``stagg methods``: list the methods, with parameters and laws
- ``measures``: ``stagg measures``: list the measures, with the names that other tools give them
- ``learners``: ``stagg learners``: list the learners
- ``features``: ``stagg features``: list the feature maps
- ``reproduce``: ``stagg reproduce``: recompute the paper's tables and figures on its own data
- ``gate``: ``stagg gate``: decide whether a new run may replace an old one, for pipelines
- ``diff``: ``stagg diff``: what changed between two runs, without labels
- ``judge``: ``stagg judge``: what the judgments show so far of two settings, and which documents to judge next
"""
