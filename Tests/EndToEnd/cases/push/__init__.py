"""Devices, and the pushes that reach them."""
