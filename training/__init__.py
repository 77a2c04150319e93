"""Training of the net: the simulator, the learner and the runs made so far (docs/training.md).

Run from a checkout; nothing here is part of the installed package.
"""
