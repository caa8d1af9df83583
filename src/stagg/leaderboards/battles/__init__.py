"""Battles: contestants by the verdicts of judges, and a judge who is believed.

- ``battle_fits``: Battles to strengths: who can be compared, the fit, and the anchor of a judge who is believed
- ``judges``: Judges of battles: what each prefers besides the better contestant, how often it contradicts itself, who
  agrees
- ``battle_board``: Board of battles: strengths on Elo's scale, the judges, and what an anchor changed
"""
