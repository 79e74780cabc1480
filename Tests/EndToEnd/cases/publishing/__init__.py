"""What backends send, from one event to floods of them."""
