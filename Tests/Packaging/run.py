#!/usr/bin/env python3
"""Makes the packages of a program that is built, and looks at what is in them: run.py --belfry PATH

What takes a clean Debian is `make packages-long`. Needs what `requirements.txt` names, and `scripts/install-packages
packaging`.
"""

import argparse
import configparser
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
#: Somebody else's machine: what is packaged must not depend on it.
ELSEWHERE = {"TZ": "Asia/Tokyo", "LC_ALL": "C.UTF-8", "HOME": "/nonexistent", "COLUMNS": "40"}
MULTIARCH = f"{os.uname().machine}-linux-gnu"
belfry = pathlib.Path()


def said(*words, **options):
    return subprocess.run(list(map(str, words)), check=True, stdout=subprocess.PIPE, text=True, **options).stdout


def digest(file):
    return hashlib.sha256(file.read_bytes()).hexdigest()


class Packages(unittest.TestCase):
    """One package and one tarball for all tests, and a second of each for the comparison."""

    @classmethod
    def setUpClass(cls):
        cls.kept = tempfile.TemporaryDirectory(prefix="belfry-packages-")
        cls.folder = pathlib.Path(cls.kept.name)
        made = [subprocess.Popen([ROOT / "scripts" / script, belfry, "--output", cls.folder / name, "--development"],
                                 stdout=subprocess.DEVNULL, umask=mask, env=os.environ | environment)
                for name, environment, mask in (("first", {}, 0o022), ("second", ELSEWHERE, 0o077))
                for script in ("make-deb", "make-tarball")]
        if any([each.wait() for each in made]):
            raise AssertionError("a package cannot be made")
        cls.deb = next((cls.folder / "first").glob("belfry_*.deb"))
        cls.tree = cls.folder / "tree"
        subprocess.run(["dpkg-deb", "--extract", cls.deb, cls.tree], check=True)
        cls.commands = list(cls.listed(json.loads(said(belfry, "--experimental-dump-help"))["command"], []))

    @classmethod
    def tearDownClass(cls):
        cls.kept.cleanup()

    @classmethod
    def listed(cls, command, above):
        words = [*above, command["commandName"]]
        yield words
        for each in command.get("subcommands", []):
            if each["shouldDisplay"] and each["commandName"] != "help":
                yield from cls.listed(each, words)

    def control(self, name):
        return subprocess.run(
            f"dpkg-deb --ctrl-tarfile {self.deb} | tar -xO ./{name}", shell=True, check=True, text=True,
            stdout=subprocess.PIPE).stdout

    def test_the_same_program_gives_the_same_bytes_whoever_packages_it(self):
        names = sorted(path.name for path in (self.folder / "first").iterdir())
        self.assertEqual(names, sorted(path.name for path in (self.folder / "second").iterdir()))
        self.assertGreaterEqual(len(names), 4)
        for name in names:
            self.assertEqual(*(digest(self.folder / place / name) for place in ("first", "second")), name)

    def test_everything_in_etc_is_kept_when_an_operator_has_edited_it(self):
        there = {f"/{path.relative_to(self.tree)}" for path in (self.tree / "etc").rglob("*") if path.is_file()}
        self.assertEqual(there, set(self.control("conffiles").split()))
        self.assertIn("/etc/belfry/belfry.yaml", there)
        self.assertEqual(sum(path.startswith("/etc/belfry/catalogs/") for path in there), 6)

    def test_the_files_belong_to_root_and_nobody_else_may_write_them(self):
        for line in said("dpkg-deb", "--contents", self.deb).splitlines():
            mode, owner = line.split()[:2]
            self.assertEqual(owner, "root/root", line)
            self.assertIn(mode, ("drwxr-xr-x", "-rwxr-xr-x", "-rw-r--r--"), line)

    def test_the_program_finds_no_mistake_in_the_settings_and_catalogs_that_ship(self):
        # Paths are as on the machine: the file with the secret is made there.
        said(belfry, "check", "--elsewhere", self.tree / "etc/belfry/belfry.yaml", self.tree / "etc/belfry/catalogs")

    def test_the_unit_that_is_installed_is_the_one_of_the_repository_and_finds_the_program(self):
        units = next(folder for folder in (self.tree / "lib/systemd/system", self.tree / "usr/lib/systemd/system")
                     if folder.is_dir())
        for name in ("belfry.service", "belfry.socket", "belfry-publish.socket"):
            self.assertEqual((units / name).read_text(), (ROOT / "Config" / name).read_text())
        unit = configparser.RawConfigParser(strict=False)
        unit.optionxform = str
        unit.read(units / "belfry.service")
        # systemd looks for a bare name in /usr/local/bin and /usr/bin.
        self.assertTrue((self.tree / "usr/bin" / unit["Service"]["ExecStart"].split()[0]).is_file())
        self.assertIn(f"--group --home /var/lib/belfry --no-create-home --quiet {unit['Service']['User']}",
                      self.control("postinst"))

    def test_the_unit_lets_the_service_do_no_more_than_docs_security_says(self):
        # The figure is one of the page's sentences. It is ten times as large in the option.
        figure = re.search(r"exposure as \*\*(\d)\.(\d) of 10\*\*", (ROOT / "docs/security.md").read_text())
        judged = subprocess.run(
            ["systemd-analyze", "security", "--offline=true", f"--threshold={int(figure[1] + figure[2])}",
             next(self.tree.rglob("belfry.service"))], capture_output=True, text=True)
        self.assertEqual(judged.returncode, 0, judged.stdout[-3000:] + judged.stderr)
        self.assertIn("LimitCORE=0\n", next(self.tree.rglob("belfry.service")).read_text())

    def test_the_public_socket_is_the_operators_choice_and_the_publishers_is_there_before_the_program(self):
        script = self.control("postinst")
        self.assertIn("start 'belfry-publish.socket'", script)
        self.assertLess(script.index("start 'belfry-publish.socket'"), script.index("$_dh_action 'belfry.service'"))
        self.assertNotIn("start 'belfry.socket'", script)

    def test_the_package_needs_the_package_of_every_library_that_the_program_names(self):
        needs = {word.split()[0] for word in re.search(r"^Depends: (.*)$", self.control("control"), re.M)[1].split(", ")}
        named = re.findall(r"\(NEEDED\).*\[(.*)\]", said("readelf", "--dynamic", belfry))
        libraries = [name for name in named if (pathlib.Path("/usr/lib") / MULTIARCH / name).exists()]
        self.assertGreater(len(libraries), 8)
        for library in libraries:
            owner = said("dpkg-query", "--search", f"*/{MULTIARCH}/{library}").split(":")[0]
            self.assertIn(owner, needs, library)

    def test_every_command_has_a_manual_page_without_mistakes(self):
        pages = {path.name.removesuffix(".1.gz") for path in (self.tree / "usr/share/man/man1").iterdir()}
        self.assertEqual(pages, {"-".join(words) for words in self.commands})
        for page in sorted((self.tree / "usr/share/man/man1").iterdir()):
            shown = subprocess.run(["man", "--warnings", "--local-file", page], capture_output=True, text=True,
                                   env=os.environ | {"MANWIDTH": "80", "LC_ALL": "C.UTF-8"})
            self.assertEqual((shown.returncode, shown.stderr), (0, ""), page.name)
            self.assertIn("DESCRIPTION", shown.stdout)

    def test_a_shell_completes_commands_and_their_options(self):
        script = self.tree / "usr/share/bash-completion/completions/belfry"
        for typed, expected in ((["belfry", "se"], "serve"), (["belfry", "push", "de"], "devices"),
                                (["belfry", "serve", "--ta"], "--takeover")):
            completed = said(
                "bash", "-c", 'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMP_LINE="$*"; '
                'COMP_POINT=${#COMP_LINE}; _belfry belfry "${COMP_WORDS[-1]}" "${COMP_WORDS[-2]}"; echo "${COMPREPLY[@]}"',
                "bash", script, *typed)
            self.assertIn(expected, completed.split(), typed)

    def test_the_list_of_parts_follows_its_schema_and_names_every_swift_package_and_library(self):
        from cyclonedx.schema import SchemaVersion
        from cyclonedx.validation.json import JsonStrictValidator

        text = (self.tree / "usr/share/doc/belfry/sbom.cdx.json").read_text()
        self.assertIsNone(JsonStrictValidator(SchemaVersion.V1_6).validate_str(text))
        parts = {part["name"]: part for part in json.loads(text)["components"]}
        for pin in json.loads((ROOT / "Package.resolved").read_text())["pins"]:
            self.assertEqual(parts[pin["identity"]]["version"], pin["state"]["version"])
        for library in ("libcurl4", "libssl3", "libsqlite3-0", "libpq5", "libjemalloc2", "libc6"):
            # From 2024 on, names of some Debian packages end with t64.
            self.assertTrue(parts.get(library) or parts.get(library + "t64"), library)
        self.assertIn("swift", parts)

    def test_every_python_package_that_tests_and_pages_need_has_one_version(self):
        pinned = {line.split("==")[0].lower().replace("_", "-") for line in (ROOT / "Tests/constraints.txt").read_text().splitlines() if "==" in line}
        lists = [*ROOT.glob("Tests/*/requirements.txt"), ROOT / "docs/requirements.txt"]
        self.assertGreater(len(lists), 4)
        for path in lists:
            for name in re.findall(r"^([A-Za-z0-9_.-]+)[=>]=", path.read_text(), re.M):
                self.assertIn(name.lower().replace("_", "-"), pinned, path)

    def test_the_licenses_of_what_is_linked_in_come_with_it(self):
        notices = subprocess.run(["zcat", self.tree / "usr/share/doc/belfry/notices.gz"], check=True, text=True,
                                 stdout=subprocess.PIPE).stdout
        for pin in json.loads((ROOT / "Package.resolved").read_text())["pins"]:
            self.assertIn(f"==== {pin['identity']}: LICENSE", notices)
        self.assertIn("==== icu: LICENSE", notices)
        parts = json.loads((self.tree / "usr/share/doc/belfry/sbom.cdx.json").read_text())["components"]
        unlicensed = [part["name"] for part in parts if not part.get("licenses") and not part["purl"].startswith("pkg:deb/")]
        # Debian's packages have theirs in /usr/share/doc, and the tarball beside the libraries.
        self.assertEqual(unlicensed, [])

    def test_a_tarball_matches_its_checksums_and_runs_with_the_libraries_beside_it(self):
        first = self.folder / "first"
        said("sha256sum", "--check", "--quiet", next(first.glob("*.sha256")).name, cwd=first)
        unpacked = self.folder / "unpacked"
        unpacked.mkdir()
        subprocess.run(["tar", "-C", unpacked, "-xf", next(first.glob("*.tar"))], check=True)
        program = next(unpacked.glob("*/bin/belfry"))
        self.assertEqual(said(program, "--version"), said(belfry, "--version"))
        for name, place in re.findall(r"(\S+) => (/\S+)", said("ldd", program)):
            if not re.match(r"(libc|libm|libresolv)\.so", name):
                self.assertIn(str(unpacked), place)


if __name__ == "__main__":
    options = argparse.ArgumentParser()
    options.add_argument("--belfry", type=pathlib.Path, required=True)
    given, others = options.parse_known_args()
    belfry = given.belfry.resolve()
    unittest.main(argv=[sys.argv[0], *others])
