#!/usr/bin/env python3
"""Runs the end-to-end tests: `python3 Tests/EndToEnd/run.py [--belfry PATH] [--slow] [NAME…]`.

They drive the real program as its users do. Needs what `requirements.txt` names, and `openssl` and `curl`.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

sys.dont_write_bytecode = True

import cases  # noqa: E402
from harness import runner  # noqa: E402

if __name__ == "__main__":
    sys.exit(runner.main("Belfry's end-to-end tests", cases, checks_frames=True))
