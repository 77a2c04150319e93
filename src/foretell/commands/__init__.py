"""The commands of `foretell`, one module each, and the modules that help them.

Several commands share `records` (reads a game from a file), `progress` (a progress bar) and `plain_python` (loads the
kernel).  `measuring` is what `bench` measures, and `statistics` is what `simulate` adds up.
"""
