#!/usr/bin/env python3
"""Renders the documentation, and looks at the site: run.py"""

import ast
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
from html.parser import HTMLParser
from urllib.parse import unquote, urlsplit

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Links(HTMLParser):
    """Where a page leads, what it loads, and the places in it that others may lead to."""

    def __init__(self, text):
        super().__init__()
        self.leads, self.loads, self.places = [], [], set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        self.places |= {values[name] for name in ("id", "name") if values.get(name)}
        if tag == "a" and values.get("href"):
            self.leads.append(values["href"])
        if tag in ("img", "script", "iframe") and values.get("src"):
            self.loads.append(values["src"])
        if tag == "link" and values.get("rel") in ("stylesheet", "icon", "preload"):
            self.loads.append(values["href"])


def rendered(source, site):
    """What the renderer says of a folder that is like the repository."""
    return subprocess.run([source / "scripts/render-docs", site], capture_output=True, text=True)


def test_names():
    """The names of all tests and cases, as sentences."""
    for path in (ROOT / "Tests").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef):
                if node.name.startswith("test_"):
                    yield node.name.removeprefix("test_").replace("_", " ")
                for mark in node.decorator_list:
                    if isinstance(mark, ast.Call) and getattr(mark.func, "id", "") == "case":
                        yield ast.literal_eval(mark.args[0])
    for path in (ROOT / "Tests").rglob("*.swift"):
        yield from re.findall(r"func `([^`]+)`", path.read_text())
    for path in (ROOT / "clients").rglob("*.test.js"):
        yield from re.findall(r"^\s*test\('([^']+)'", path.read_text(), re.M)


class Site(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.kept = tempfile.TemporaryDirectory(prefix="belfry-site-")
        cls.folder = pathlib.Path(cls.kept.name)
        cls.site = cls.folder / "site"
        done = rendered(ROOT, cls.site)
        if done.returncode:
            raise AssertionError(done.stdout + done.stderr)
        cls.said = done.stdout + done.stderr
        cls.pages = {path: Links(path.read_text()) for path in cls.site.rglob("*.html")}

    @classmethod
    def tearDownClass(cls):
        cls.kept.cleanup()

    def test_it_is_rendered_without_a_word(self):
        self.assertNotIn("WARNING", self.said)
        self.assertGreater(len(self.pages), 50)

    def test_every_link_leads_to_a_page_and_a_place_in_it(self):
        broken = []
        for path, links in self.pages.items():
            if path.name == "404.html":
                continue  # its links are absolute: it is shown anywhere
            for lead in links.leads:
                parts = urlsplit(lead)
                if parts.scheme or parts.netloc:
                    continue
                there = (path.parent / unquote(parts.path)).resolve() if parts.path else path
                if there.is_dir():
                    there /= "index.html"
                if not there.exists() or (parts.fragment and there in self.pages
                                          and unquote(parts.fragment) not in self.pages[there].places):
                    broken.append(f"{path.relative_to(self.site)}: {lead}")
        self.assertEqual(broken, [])

    def test_no_page_loads_anything_from_another_server(self):
        for path, links in self.pages.items():
            self.assertEqual([load for load in links.loads if urlsplit(load).netloc], [], path)

    def test_the_first_page_leads_to_every_part_of_the_site(self):
        there = {(self.site / unquote(urlsplit(lead).path)).resolve() for lead in self.pages[self.site / "index.html"].leads}
        for page in sorted((ROOT / "docs").glob("*.md")):
            if page.name != "README.md":
                self.assertIn(self.site.resolve() / f"{page.stem}.html", there, page.name)

    def test_a_list_goes_on_behind_a_block_of_its_element(self):
        text = (self.site / "push-apns.html").read_text()
        numbered = re.search(r"<ol>.*?</ol>", text, re.S)[0]
        self.assertEqual((numbered.count("<li>"), numbered.count("<pre>")), (5, 2))

    def test_a_broken_link_is_a_failure(self):
        copy = self.folder / "copy"
        (copy / "docs").mkdir(parents=True)
        for name in ("scripts", ".build"):
            (copy / name).symlink_to(ROOT / name)
        (copy / "mkdocs.yml").write_text((ROOT / "mkdocs.yml").read_text().split("\nnav:")[0])
        (copy / "docs/README.md").write_text("# Home\n")
        (copy / "docs/install.md").write_text("# Install\n")
        for mistake in ("", "[a page](missing.md)", "[a place](install.md#missing)", "[a file](../Config/missing.yaml)"):
            (copy / "docs/wrong.md").write_text(f"# Wrong\n\n{mistake}\n")
            done = subprocess.run(["bash", "-c", f"cd {copy} && .build/docs-python/bin/python -m mkdocs build --strict "
                                   f"--site-dir {self.folder}/wrong"], capture_output=True, text=True)
            self.assertEqual(done.returncode != 0, bool(mistake), mistake + done.stderr)
            self.assertEqual("missing" in done.stderr, bool(mistake), mistake + done.stderr)

    def test_pages_of_the_repository_lead_to_files_that_are_there(self):
        broken = []
        for page in [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]:
            for lead in re.findall(r"\]\(([^)#\s]+)(?:#[^)\s]*)?\)", re.sub(r"```.*?```", "", page.read_text(), flags=re.S)):
                if not urlsplit(lead).scheme and not (page.parent / lead).exists():
                    broken.append(f"{page.relative_to(ROOT)}: {lead}")
        self.assertEqual(broken, [])

    def test_what_security_promises_is_shown_by_tests_that_there_are(self):
        names, page = list(test_names()), (ROOT / "docs/security.md").read_text()
        for heading in ("## OWASP ASVS 5.0", "## OWASP API Security Top Ten 2023"):
            rows = re.findall(r"^\| (.*) \|$", page.split(heading)[1].split("\n## ")[0], re.M)[1:]
            self.assertGreater(len(rows), 9, heading)
            for row in rows:
                shown = re.findall(r"\*([^*]+)\*", row.split(" | ")[-1])
                self.assertTrue(shown, f"nothing shows {row}")
                for name in shown:
                    self.assertTrue(any(found.startswith(name) for found in names), f"there is no test {name!r}")


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[1:]])
