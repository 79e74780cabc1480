"""How many events and recipients a second, and the space that they take."""
