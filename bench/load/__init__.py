"""Servers under load, and the players who make it: what the programs of this folder share."""
