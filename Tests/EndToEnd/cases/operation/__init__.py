"""A server from its start to its end, as operators see it."""
