"""Measurements of a running Belfry. Standard library only."""


class Failed(Exception):
    """A measurement that cannot begin or go on; the text says what to do about it."""


class Missing(Failed):
    """This machine lacks what the measurement takes: a program, or a permission."""
