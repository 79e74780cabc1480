"""The cases, a folder a subject."""
