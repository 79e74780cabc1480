"""Who may use the public listener, and how they come in."""
