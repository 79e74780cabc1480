#!/usr/bin/env python3
"""Runs the tests of the JavaScript client in a browser: `python3 Tests/Browser/run.py [--belfry PATH] [NAME…]`.

Debian's Chromium, driven by Playwright, against the real program. Needs what this folder's and the end-to-end tests'
`requirements.txt` name, and `chromium` and `openssl`.
"""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
# What drives the program is that of the end-to-end tests; `cases` are those here.
sys.path[:0] = [str(HERE), str(HERE.parent / "EndToEnd")]

sys.dont_write_bytecode = True

import cases  # noqa: E402
from browser.world import BrowserWorld  # noqa: E402
from harness import runner  # noqa: E402

if __name__ == "__main__":
    sys.exit(runner.main("Belfry's browser tests", cases, BrowserWorld, jobs=4))
