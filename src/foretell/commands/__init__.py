"""The commands of `foretell`, one module each."""
