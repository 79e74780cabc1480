"""Makes pages of the repository's files that the documentation links to, for mkdocs.

A link such as `../Config/belfry.yaml` leads out of docs/. On the site it leads to a page that shows the file. A link to
a file that is not there stays as it is, and mkdocs warns of it.
"""
import os
import posixpath
import re

from mkdocs.structure.files import File

LINK = re.compile(r"(\]\()((?:\.\./)+[^)#\s]+)(#[^)\s]*)?(?=\))")
ELEMENT = re.compile(r"(?:[-*]|\d+\.) +")
LANGUAGES = {".yaml": "yaml", ".yml": "yaml", ".md": "markdown", ".cfg": "text", ".service": "ini", ".socket": "ini",
             ".swift": "swift", ".py": "python", ".sql": "sql"}


def _outside(source: str, target: str) -> str | None:
    """The file's path in the repository, if a page links out of docs/ to one; pages and files are named from docs/."""
    path = posixpath.normpath(posixpath.join("docs", posixpath.dirname(source), target))
    return path if not path.startswith(("docs/", "..")) and os.path.isfile(path) else None


def on_files(files, config):
    wanted = set()
    for file in files.documentation_pages():
        for found in LINK.finditer(file.content_string):
            if path := _outside(file.src_uri, found[2]):
                wanted.add(path)
    for path in sorted(wanted):
        with open(path, encoding="utf-8") as opened:
            text = opened.read()
        language = LANGUAGES.get(os.path.splitext(path)[1], "text")
        page = f"---\nsearch:\n  exclude: true\n---\n\n# {path}\n\n`````{language}\n{text}\n`````\n"
        files.append(File.generated(config, f"repository/{path}.md", content=page))
    return files


def _nested(markdown: str) -> str:
    """What belongs to an element of a list stands as far in as its text. Python's Markdown wants four blanks."""
    lines, element, is_code = [], 0, False
    for line in markdown.split("\n"):
        if line.startswith("```"):
            is_code, element = not is_code, 0
        elif is_code:
            pass
        elif begins := ELEMENT.match(line):
            element = len(begins[0])
        elif line.startswith(" " * element) and element:
            line = "    " + line[element:]
        elif line.strip():
            element = 0
        lines.append(line)
    return "\n".join(lines)


def on_page_markdown(markdown, page, config, files):
    if page.file.src_uri.startswith("repository/"):
        return markdown

    def led(found):
        path = _outside(page.file.src_uri, found[2])
        if not path:
            return found[0]
        there = posixpath.relpath(f"repository/{path}.md", posixpath.dirname(page.file.src_uri) or ".")
        return found[1] + there
    return LINK.sub(led, _nested(markdown))
