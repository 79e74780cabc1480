"""The program's commands, and what the documentation shows of them."""
