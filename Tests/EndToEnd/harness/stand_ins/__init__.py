"""What a server talks to, as it is told to behave: push services, identity providers, collectors."""
