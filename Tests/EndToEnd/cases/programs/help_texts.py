"""What `belfry help` shows can be pasted into a shell as it stands, however wide the terminal is."""

import os
import re
import signal
import stat

from harness.http import once
from harness.ports import lasting_port
from harness.processes import Process
from harness.suite import PATIENCE, case, expect, expect_equal
from harness.world import ROOT, clean_environment

WIDTHS = (40, 200)
#: Commands that go on until they are told to end, and what a line of theirs has once they work.
SERVING = {"serve": "serving", "sink": "ENDPOINT", "echo": "127.0.0.1", "tail": '"ready"'}

#: In the place of the program: has it listen at, and look for, places of this case, and makes benches short.
WRAPPER = """#!/bin/sh
case "$1 $2" in
  "sink "*) exec {belfry} "$@" --listen 127.0.0.1:{sink} ;;
  "echo "*) exec {belfry} "$@" --listen 127.0.0.1:0 ;;
  "mcp "*) exec {belfry} "$@" < /dev/null ;;
  "tail "*) exec {belfry} "$@" --url ws://"$SERVER" ;;
  "bench publish") exec {belfry} "$@" --duration 1s --quiet ;;
  "bench push") exec {belfry} "$@" --duration 1s --quiet --users 3 --rate 3 --url ws://"$SERVER" --ops http://"$OPS" ;;
  "bench unicast") exec {belfry} "$@" --duration 1s --quiet --sessions 3 --rate 10 --url ws://"$SERVER" ;;
  "bench "*) exec {belfry} "$@" --duration 1s --quiet --sessions 3 --url ws://"$SERVER" ;;
esac
exec {belfry} "$@"
"""


def shown(world, *command: str, width: int = 80) -> str:
    told = world.run(*command, COLUMNS=str(width))
    expect_equal(told.returncode, 0, f"the exit code of {command} at {width} columns: {told.stderr}")
    return told.stdout


def commands(world, *path: str) -> list[tuple[str, ...]]:
    """This command, and those below it that its help lists."""
    section = re.search(r"^SUBCOMMANDS:\n(.*?)\n\n", shown(world, "help", *path), re.MULTILINE | re.DOTALL)
    names = re.findall(r"^  ([a-z-]+)", section[1], re.MULTILINE) if section else []
    return [path, *(command for name in names for command in commands(world, *path, name))]


def examples(help: str) -> list[str]:
    """The commands under `Example`, each with the lines on which it goes on."""
    block = re.search(r"^Examples?\b[^:]*:\n((?:  .*\n)+)", help, re.MULTILINE)
    found: list[str] = []
    for line in block[1].splitlines() if block else []:
        if found and found[-1].endswith("\\"):
            found[-1] += "\n" + line
        else:
            found.append(line)
    return found


class Shell:
    """Runs examples in a folder that is like the repository's, with the program under its own name."""

    def __init__(self, world):
        self.world = world
        self.folder = world.folder / "repository"
        self.folder.mkdir()
        (self.folder / "Config").symlink_to(ROOT / "Config")
        programs = world.folder / "programs"
        programs.mkdir()
        wrapper = programs / "belfry"
        wrapper.write_text(WRAPPER.format(belfry=world.belfry, sink=lasting_port()))
        wrapper.chmod(wrapper.stat().st_mode | stat.S_IXUSR)
        self.environment = {
            **clean_environment(), "PATH": f"{programs}:{os.environ['PATH']}", "BELFRY_LISTEN": "127.0.0.1:0",
            "BELFRY_OPS": "127.0.0.1:0", "BELFRY_LOG_FORMAT": "json"}

    def start(self, command: str) -> Process:
        process = Process(["setsid", "bash", "-e", "-c", command], self.environment, folder=str(self.folder))
        self.world.keep(_Group(process))
        return process

    def run(self, command: str):
        """To its end, or until it works where it would go on."""
        process = self.start(command)
        programs = re.findall(r"belfry (\S+)", re.sub(r"\$\([^)]*\)", "", command))
        last = programs[-1] if programs else ""
        if last not in SERVING:
            code = process.wait(60)
            expect_equal(code, 0, f"the exit code of {command}: {process.output.all[-5:]} {process.errors.all[-5:]}")
            return
        lines = process.errors if last == "serve" else process.output
        lines.wait_for(lambda line: SERVING[last] in line, 30, f"{SERVING[last]}, of {command}")
        _Group(process).close()


class _Group:
    """All that an example has started."""

    def __init__(self, process: Process):
        self._process = process

    def close(self):
        if self._process.exit_code is None:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait(PATIENCE)


@case("each example in a help text is the same at every width, can be pasted, and works")
def pasted(world):
    found: dict[tuple[str, ...], list[str]] = {}
    for command in commands(world):
        texts = [examples(shown(world, "help", *command, width=width)) for width in WIDTHS]
        texts.append(examples(shown(world, *command, "--help")))
        expect(all(text == texts[0] for text in texts), f"the examples of {command} at different widths: {texts}")
        found[command] = texts[0]
    for command in found:
        has_subcommands = any(other != command and other[:len(command)] == command for other in found)
        expect(found[command] or has_subcommands, f"{' '.join(command)} has no example")
    expect(len(found) > 20, f"few commands: {list(found)}")

    shell = Shell(world)
    every = list(dict.fromkeys(sum(found.values(), [])))
    servers = [example for example in every if "belfry serve" in example]
    # These need a database, and a folder that no server has: cases/storage has cases of them, migrate.py and epochs.py.
    others = [example for example in every
              if example not in servers and not any(f"belfry {name}" in example for name in ("migrate", "epochs"))]
    # Each of them has the folder to itself.
    shell.run("belfry sink")
    for example in servers:
        shell.run(example)
    sink = shell.start("belfry sink --quiet")
    sink.output.wait_for(lambda line: "ENDPOINT" in line, 30, "the sink's settings")
    (shell.folder / "backend.secret").write_text(f"whsec_{'A' * 32}\n")
    (shell.folder / "webhooks.yaml").write_text(
        "webhooks: {endpoints: {backend: {url: 'http://127.0.0.1:9/', secretFile: backend.secret}}}\n")
    server = shell.start('eval "$(belfry sink --print-env)" && exec belfry serve --dev --config webhooks.yaml'
                         " --catalog Config/catalogs/rooms.yaml")
    line = server.errors.wait_for(lambda line: "serving" in line, 30, "serving")
    listen, ops = (re.search(rf'"{name}":"([^"]+)"', line)[1] for name in ("listen", "ops"))
    shell.environment |= {"SERVER": listen, "OPS": ops}
    made = world.run("token", "--data", str(shell.folder / "data"), "--user", "sarah")
    device = once(listen, "POST", "/api/notifications/register-device", {"device_id": "phone-1", "apns_token": "a1b2c3"},
                  token=made.stdout.strip())
    expect_equal(device.status, 200, "the status of registering a device")
    for example in others:
        if "belfry sink" not in example:
            shell.run(example)
    # They listen where this one does.
    os.killpg(sink.pid, signal.SIGKILL)
    sink.wait(10)
    for example in others:
        if "belfry sink" in example:
            shell.run(example)


@case("a mistake on the command line is told with the usage, and a help text in the place of one has its examples whole")
def mistakes(world):
    for width in WIDTHS:
        missing = world.run("check", COLUMNS=str(width))
        expect_equal(missing.returncode, 64, "the exit code of check without files")
        expect("\ue000" not in missing.stderr and not missing.stdout, f"what is told: {missing.stderr!r}")
        whole = [example.strip() for example in examples(shown(world, "check", "--help", width=width))]
        if "Example" in missing.stderr:
            expect(all(example in missing.stderr for example in whole), f"the help in place of an error: {missing.stderr}")
        unknown = world.run("serve", "--nonsense", COLUMNS=str(width))
        expect_equal(unknown.returncode, 64, "the exit code of an unknown option")
        expect(unknown.stderr.startswith("Error: Unknown option '--nonsense'") and "Usage: belfry serve" in unknown.stderr,
               f"what is told of it: {unknown.stderr!r}")
    bare = world.run()
    expect_equal((bare.returncode, bare.stdout), (0, shown(world, "--help")), "what belfry alone tells")
    for shell in ("bash", "zsh", "fish"):
        expect("belfry" in shown(world, "--generate-completion-script", shell), f"the completion script for {shell}")
