"""Runs the conformance suite against the program, in both roles, and judges what comes of it."""
