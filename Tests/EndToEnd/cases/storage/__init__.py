"""What the disk keeps, loses and gives back."""
