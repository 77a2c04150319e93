"""Tables without a server, in a browser's worker (docs/browser.md).  It runs on Pyodide, and in tests on CPython."""
