"""The server: tables at which people and bots play over a network.  It needs the `server` extra.

Importing this package imports none of its modules: the client, for example, needs only a few of them.
"""
