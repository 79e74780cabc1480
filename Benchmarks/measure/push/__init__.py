"""Pushes to phones, on good days and bad ones."""
