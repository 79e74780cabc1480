"""Sessions on the WebSocket."""
