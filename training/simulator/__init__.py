"""Many tables at once, on a GPU or on the CPU, made from the project's own kernel."""
