"""Agreement between lists, and the reliability of each ranker that follows from it.

- ``order_agreement``: Agreement of orders: the pairs of items that two lists both order, and order alike
- ``list_pairs``: Agreement over pairs of lists of a query: sums of whole numbers, so that no order changes a bit
- ``reliability``: Reliability of each ranker, from how far rankers agree: one factor, and dependence beyond it
- ``confidence``: Confidence of a list in a query: the spread of its scores, as far as agreement confirms that spread
  tells
- ``item_votes``: Votes of lists for their items where one query has many lists: a list weighs what its items are worth
  (MAIC)
- ``sharing``: Shared items: which rankers have items in common with others
"""

from stagg._moved import find_moved

__getattr__ = find_moved(__name__)
