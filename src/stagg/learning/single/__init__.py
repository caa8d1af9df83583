"""Learners of other kinds: weights, trust, and the paper's baselines.

- ``best_input``: Best single input: the baseline that every fusion has to beat
- ``few_labels``: Weights from few labels: start where trust ends, and move as far as the labels ask for it
- ``taught_weights``: Method with the trust that few labels taught: what ``few_labels`` learns and a model file keeps
- ``weights``: Ranker weights tuned on labels: what people who fuse search results ask for first
- ``weighted_method``: Method with fixed weights of rankers: the model that ``weights`` learns and a model file keeps
- ``trust_learner``: Trust learned without labels and kept: ``stagg_trust`` with fixed reliabilities, for queries to
  come
- ``trust_prior``: Trust as a prior: weights that it gives without labels, and tuned weights drawn toward them
- ``blocks``: Blocks of queries of equal size: the arrays of learners that look at the lists themselves
- ``stagewise``: CPS: an order is built from the front, each next item as likely as the weighted lists make it
- ``supervised_mc``: Supervised Markov chain: how often each list is asked for the next step, learned from labelled
  pairs
- ``theta_mpm``: θ-MPM: the multinomial preference model with an expertise for every ranker, computed from the labels
"""
