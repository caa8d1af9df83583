"""Runs and labels as lines of text: TREC and LETOR.

- ``trec``: TREC runs, ``query Q0 item rank score tag``, and qrels, ``query 0 item label``
- ``letor``: LETOR rows for rank aggregation: ``label qid:Q 1:v ... m:v #docid = D``, one column per ranker
- ``rank_and_score``: Rank and score columns in one file: which decides, whether they agree, whether an order survives
  writing
- ``row_text``: Write columns as rows of delimited text, with the compiled twin where it was built: ids stay bytes
"""

from stagg._moved import find_moved

__getattr__ = find_moved(__name__)
