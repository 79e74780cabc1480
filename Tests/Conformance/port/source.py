"""Source files that are changed by rules which must fit."""

import re
from pathlib import Path


class Misfit(Exception):
    """A rule does not fit its file: this is another version of the package than the rules were written for."""


class Source:
    """A file as octets, one character each, so that no encoding gets lost; line ends become \\n."""

    def __init__(self, path: Path):
        self.path = path
        self.text = path.read_text(encoding="latin-1")

    def replace(self, old: str, new: str, times: int = 1) -> "Source":
        """Replaces a text that occurs exactly so often."""
        found = self.text.count(old)
        if found != times:
            raise Misfit(f"{self.path}: expected {times} of {old!r}, found {found}")
        self.text = self.text.replace(old, new)
        return self

    def replace_pattern(self, pattern: str, new: str, times: int = 1) -> "Source":
        self.text, found = re.subn(pattern, new, self.text, flags=re.M)
        if found != times:
            raise Misfit(f"{self.path}: expected {times} of /{pattern}/, found {found}")
        return self

    def save(self):
        self.path.write_text(self.text, encoding="latin-1", newline="")
