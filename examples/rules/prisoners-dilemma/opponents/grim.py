"""Cooperates until the other side has once defected (J. Friedman)."""


def choose(own, other):
    return "D" if "D" in other else "C"
