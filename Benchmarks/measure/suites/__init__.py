"""Several measurements in a row."""
