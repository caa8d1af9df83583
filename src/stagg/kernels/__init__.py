"""Kernels: arrays in, arrays out; no ids, no classes, no files.

Compiled twins (.pyx) lie beside the modules that call them; ``compiled`` finds them.

- ``arrays``: Types of arrays that all of stagg uses, and ABSENT, the mark of absence
- ``ragged``: Ragged data: one flat array for many pieces, and offsets that say where each piece starts and ends
- ``sums``: Sums that do not depend on the order of their terms: whole numbers add up exactly, so rounding decides
  nothing
- ``ties``: Ties: the groups they form, what tied entries share, and which scores are equal but for rounding
- ``id_order``: Order of ids: by their text, bytewise (Python compares text as UTF-8 compares its bytes)
- ``streams``: Random numbers from a seed and names alone: they do not depend on file order, threads, processes or hash
  seeds
- ``compiled``: Find the compiled twins (.pyx) of hot kernels: same names and results, faster; without them NumPy does
  the work
- ``stochastic``: Rank as a random variable: contests, rank distributions, expected utilities and measures
- ``pairs``: Pairs of items: votes, majorities, and rules that follow from them
- ``agreement``: Agreement between lists, and the reliability of each ranker that follows from it
- ``orders``: Whole orders of items: Kemeny's, those of Markov chains, and distributions over orders
- ``fitting``: Maximum likelihood: models fitted to lists and pairs, Newton's method, Cholesky
- ``lists``: Lists one by one: score norms, medians, tallies of ballots, runoffs, the bootstrap
- ``text``: Text to arrays and back, mostly compiled: parse and write numbers, ids, rows, runs and requests
"""
