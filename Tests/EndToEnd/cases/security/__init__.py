"""What somebody who means harm would try, and what docs/security.md promises about it."""
