"""What the cases use to drive the real program from outside."""
