"""Tables for people and bots: protocol, store, tables, lobby, sockets.  Needs the `server` extra.

Importing this package imports none of it: the protocol alone is what the client and the web page need.
"""
