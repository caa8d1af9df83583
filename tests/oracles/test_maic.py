"""``stagg_trust`` on one query of unranked lists against pymaic 0.2; run by ``make oracles``.

Of ranked lists pymaic fits a curve through the running values, so there the rules are not the same.
"""

from __future__ import annotations

import numpy as np
import pytest

from stagg import fuse

maic = pytest.importorskip("maic")
models = pytest.importorskip("maic.models")


@pytest.mark.parametrize("families", [None, 4])
@pytest.mark.parametrize("seed", range(5))
def test_the_scores_are_those_of_pymaic(seed: int, families: int | None) -> None:
    rng = np.random.default_rng(seed)
    lists = {f"l{k}": [f"g{i}" for i in rng.permutation(200)[: rng.integers(5, 90)]] for k in range(12)}
    family = {name: f"F{k if families is None else k % families}" for k, name in enumerate(lists)}
    given = [models.EntityListModel(name=n, category=family[n], entities=each) for n, each in lists.items()]
    theirs = maic.Maic(modellist=given, threshold=1e-12, maxiterations=2000)
    theirs._cv.run_analysis()
    expected = {name: entity.score for name, entity in theirs._entities.items()}
    method = "stagg_trust" if families is None else f"stagg_trust(families={family})"
    found = fuse({name: [each] for name, each in lists.items()}, method).to_dict()["1"]
    assert found == pytest.approx(expected, rel=1e-7)
