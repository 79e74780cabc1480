"""What it costs and how long it takes to bring something to its sessions."""
