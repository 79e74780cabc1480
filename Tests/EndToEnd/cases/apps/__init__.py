"""Four whole apps, as their own descriptions have them."""
