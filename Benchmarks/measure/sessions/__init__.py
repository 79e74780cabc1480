"""Very many clients: idle, returning, polling, leaving."""
