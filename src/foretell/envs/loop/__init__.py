"""Many games at once, between two decisions: compiled functions, as in the kernel."""
