"""What measurements have in common: programs, clients, costs, options, tables."""
