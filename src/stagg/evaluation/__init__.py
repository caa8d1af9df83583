"""Looking at rankings: what an input holds and how far its rankers agree."""
