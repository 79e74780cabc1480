"""What the cases use to drive the JavaScript client in Chromium."""
