"""Stochastic rank aggregation: many partial rankings into one."""
