"""The commands of `foretell`, one module each, and the modules that help them.

Several commands share `records` (reads a game from a file), `progress` (a progress bar) and `warm_up` (compiles the
kernel).  `measuring` is what `bench` measures, and `statistics` is what `simulate` adds up.
"""
