"""The server: tables at which people and bots play over a network.  It needs the `server` extra.

Importing this package imports nothing else: the client, for example, needs little more than the protocol.
"""
