"""Machines whose clock or disk does what it should not."""
