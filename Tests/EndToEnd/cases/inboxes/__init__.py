"""What apps read over REST, and how an inbox changes."""
