"""The quick start, as somebody does it who copies each of its blocks."""

import contextlib
import json
import re
import socket
import subprocess
import sys

from harness.processes import Process
from harness.suite import case, expect, expect_equal, wait_until
from harness.world import ROOT, clean_environment


def block(language: str, containing: str) -> str:
    page = (ROOT / "docs/quickstart.md").read_text()
    found = [text for text in re.findall(rf"^```{language}\n(.*?)^```$", page, re.MULTILINE | re.DOTALL) if containing in text]
    expect_equal(len(found), 1, f"blocks in {language} with {containing}")
    return found[0]


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return probe.getsockname()[1]


@case("the quick start: its settings, its backend, its page and its event make the bell show 1, and a click the list")
def quick_start(world):
    port = free_port()
    home = {**clean_environment(), "HOME": str(world.folder)}
    begin = block("sh", "make run").replace("make run", "env").replace("8000", str(port))
    told = subprocess.run(["bash", "-eu", "-c", begin], env=home, capture_output=True, text=True).stdout
    settings = dict(re.findall(r"^BELFRY_(\w+)=(.*)$", told, re.MULTILINE))
    origin = settings["ADMISSION_ORIGINS"]
    server = world.serve(**settings)
    app = world.folder / "app"
    app.mkdir()
    (app / "app.py").write_text(block("python", "class App").replace("8000", str(port)))
    (app / "index.html").write_text(block("html", "belfry-bell").replace("127.0.0.1:8080", server.listen))
    backend = Process([sys.executable, "app.py"], home, folder=str(app))
    world.keep(contextlib.ExitStack()).callback(backend.kill)
    wait_until(lambda: socket.socket().connect_ex(("localhost", port)) == 0, 15, "the backend")
    page = world.profile().context.new_page()
    problems = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.goto(f"{origin}/")
    page.locator("belfry-bell [aria-label]").first.wait_for()
    publish = block("sh", "room_liked").replace("./data/belfry.sock", server.socket)
    answer = subprocess.run(["bash", "-eu", "-c", publish], capture_output=True, text=True)
    expect_equal(json.loads(answer.stdout)["recipients"], 1, f"the answer to the event: {answer.stdout}{answer.stderr}")
    page.locator("belfry-bell").get_by_text("1", exact=True).wait_for()
    page.locator("belfry-bell button").first.click()
    page.locator("belfry-bell article").get_by_text("liked your room: Italy Trip").wait_for()
    expect(not problems, f"errors in the page: {problems}")
