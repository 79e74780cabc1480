#!/usr/bin/env python3
"""Ports the installed packages autobahntestsuite 25.10.1 and autobahn 0.10.9 to Python 3, in place.

Run once by the interpreter of the environment that they are freshly installed in. Upstream's newest sources are
Python 2, too. Each rule says how often its text occurs, and the first that does not fit ends the port: a version that
nobody has looked at is not patched half-way.
"""

import importlib.util
import shutil
import subprocess
import sys
from pathlib import Path

from source import Misfit, Source

HERE = Path(__file__).resolve().parent
PACKAGE = "autobahntestsuite"
NATIVE = f"from {PACKAGE} import native_strings"

# Serves what we do not use: other modes, reports as pages, the command line. case9_9_1 is in upstream's list as a
# comment.
UNUSED = [
    "wampcase", "wampfuzzing.py", "wamptestee.py", "wamptestserver.py", "wsperfcontrol.py", "wsperfmaster.py",
    "testdb.py", "testrun.py", "interfaces.py", "rinterfaces.py", "util.py", "serializer.py", "broadcast.py", "echo.py",
    "massconnect.py", "wstest.py", "testee.py", "report.py", "spectemplate.py", "web", "tests", "case/case9_9_1.py",
]

# The reactor comes first: whoever imports Twisted's own before gets the slow one.
PACKAGE_INIT = """\
from ._version import __version__

version = __version__

from . import choosereactor
from . import case
from . import caseset
from . import fuzzing
"""

# Between a case's native strings and the protocol's bytes.
CONVERSIONS = """\
   MAX_WIRE_LOG_DATA = 256

   def sendFrame(self, opcode, payload = b'', *args, **kwargs):
      return super().sendFrame(opcode, to_bytes(payload), *args, **kwargs)

   def sendMessage(self, payload, *args, **kwargs):
      return super().sendMessage(to_bytes(payload), *args, **kwargs)

   def sendMessageFrame(self, payload, *args, **kwargs):
      return super().sendMessageFrame(to_bytes(payload), *args, **kwargs)

   def sendMessageFrameData(self, payload, *args, **kwargs):
      return super().sendMessageFrameData(to_bytes(payload), *args, **kwargs)

   def sendCloseFrame(self, code = None, reasonUtf8 = None, isReply = False):
      if reasonUtf8 is not None:
         reasonUtf8 = to_bytes(reasonUtf8)
      return super().sendCloseFrame(code = code, reasonUtf8 = reasonUtf8, isReply = isReply)
"""


def package_folder(name: str) -> Path:
    """Found without importing it: unported, it could not be."""
    return Path(importlib.util.find_spec(name).origin).parent


def port_library(folder: Path):
    (Source(folder / "websocket" / "protocol.py")
     # The division of Python 2.
     .replace("range(payload_len / len(payload))", "range(payload_len // len(payload))")
     # A reason that was just found invalid is decoded all the same. Python 2 let surrogates pass; an exception here
     # would end the connection instead of the case.
     .replace("self.remoteCloseReason = reasonRaw.decode('utf8')",
              "self.remoteCloseReason = reasonRaw.decode('utf8', 'replace')")
     .save())


def recode(cases: Path):
    """Declares sources in UTF-8 to be Latin-1: a literal is then the octets of the file, as in Python 2."""
    recoded = 0
    for path in sorted(cases.glob("*.py")):
        source = Source(path)
        if source.text.startswith("# coding=utf-8"):
            source.replace("# coding=utf-8", "# coding=latin-1").save()
            recoded += 1
        elif not source.text.isascii():
            raise Misfit(f"{path}: has more than ASCII, and no coding line")
    if recoded != 12:
        raise Misfit(f"{cases}: expected 12 files with a coding line, found {recoded}")


def convert(folder: Path):
    """The mechanical part: print, except, has_key, xrange, relative imports and the like."""
    done = subprocess.run([sys.executable, "-m", "fissix", "-w", "-n", "--no-diffs", str(folder)],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0 or "RefactoringTool: Can't parse" in done.stdout:
        raise Misfit(f"fissix failed:\n{done.stdout}")


def remove_unused(folder: Path):
    for name in UNUSED:
        path = folder / name
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)
    (folder / "__init__.py").write_text(PACKAGE_INIT)


def port_cases(cases: Path):
    def case(name: str) -> Source:
        return Source(cases / f"{name}.py")

    for name in ["case6_2_1", "case6_2_2", "case6_2_3", "case6_2_4", "case6_3_1", "case6_3_2", "case6_4_1", "case6_4_2",
                 "case6_4_3", "case6_4_4", "case7_5_1"]:
        case(name).replace_pattern(r"^import binascii", f"{NATIVE} as binascii").save()
    # Events were compared by their pickles, which differ between equal events that share their strings differently.
    (case("case")
     .replace("return pickle.dumps(obj1) == pickle.dumps(obj2)", "return obj1 == obj2")
     .replace_pattern(r"^import pickle\n", "")
     # Whether `onMessage` gets bytes instead of a native string.
     .replace("   SUBCASES = []", "   SUBCASES = []\n\n   RAW_PAYLOAD = False")
     .save())
    # Cases that are made in loops: (object, Case) has no method resolution order in Python 3.
    for name, times in [("case7_7_X", 1), ("case7_9_X", 1), ("case9_7_X", 1)]:
        case(name).replace("(object, Case, )", "(Case, )", times).save()
    (case("case6_x_x")
     .replace_pattern(r"^import binascii", f"{NATIVE} as binascii", 2)
     .replace("(object, Case, )", "(Case, )")
     .replace("v.validate(vss[:i])", "v.validate(binascii.to_bytes(vss[:i]))")
     .save())
    (case("case10_1_1")
     .replace("len(self.payload) / self.p.autoFragmentSize", "len(self.payload) // self.p.autoFragmentSize")
     .save())
    # The compression cases read their data as bytes, and hash what comes back.
    (case("case12_x_x")
     .replace("(object, Case, )", "(Case, )", 2)
     .replace("import copy, os, pkg_resources, hashlib, binascii",
              f"import copy, os, hashlib\n\n{NATIVE} as binascii\n{NATIVE} as pkg_resources")
     .replace("      msg = ''", "      msg = b''")
     .replace('{"LEN": s[0],', '{"LEN": s[0],\n                 "RAW_PAYLOAD": True,', 2)
     .save())
    Source(cases / "__init__.py").replace("from .case9_9_1 import *\n", "").save()


def port_fuzzing(folder: Path):
    """The protocol that runs the cases, in both roles."""
    (Source(folder / "fuzzing.py")
     .replace("import os, json, binascii, time, textwrap, pkg_resources",
              f"import os, json, time, textwrap\n\n{NATIVE} as binascii\n"
              f"from {PACKAGE}.native_strings import to_bytes, to_native, to_text")
     .replace_pattern(r"^from \.report import (?:.+\\\n)+.+\n", "")
     .replace("def asciiLogData(data, maxlen = 64, replace = False):\n",
              "def asciiLogData(data, maxlen = 64, replace = False):\n   data = to_bytes(data)\n")
     .replace("dd = data[:maxlen] + ellipses", "dd = data[:maxlen] + to_bytes(ellipses)")
     .replace("p = ''.join(payload)", "p = b''.join(payload)")
     .replace("   MAX_WIRE_LOG_DATA = 256\n", CONVERSIONS)
     .replace("         self.runCase.onPong(payload)", "         self.runCase.onPong(to_native(payload))")
     .replace("         self.runCase.onMessage(msg, binary)",
              "         self.runCase.onMessage(msg if self.runCase.RAW_PAYLOAD else to_native(msg), binary)")
     .replace('"description": self.Case.DESCRIPTION,', '"description": to_text(self.Case.DESCRIPTION),')
     .replace('"localCloseReason": self.localCloseReason,', '"localCloseReason": to_text(self.localCloseReason),')
     .replace('"httpRequest": self.http_request_data if', '"httpRequest": to_text(self.http_request_data) if')
     .replace('"httpResponse": self.http_response_data if', '"httpResponse": to_text(self.http_response_data) if')
     # A duration is told where the handshake failed, too.
     .replace("self.caseStart = 0", "self.caseStart = time.time()")
     .save())


def main():
    suite = package_folder(PACKAGE)
    try:
        port_library(package_folder("autobahn"))
        recode(suite / "case")
        convert(suite)
        remove_unused(suite)
        shutil.copy(HERE / "native_strings.py", suite)
        port_cases(suite / "case")
        port_fuzzing(suite)
    except Misfit as misfit:
        sys.exit(f"port.py: {misfit}")


if __name__ == "__main__":
    main()
