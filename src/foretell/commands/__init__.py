"""The commands of `foretell`, one module each, and what several of them share:

`records` (reading a game from a file), `progress` (a progress bar), `warm_up` (compiling the kernel); `measuring` is
what `bench` measures, `statistics` what `simulate` adds up.
"""
