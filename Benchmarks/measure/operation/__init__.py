"""What operators' own tools cost."""
