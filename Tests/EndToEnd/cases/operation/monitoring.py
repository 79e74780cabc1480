"""What Prometheus makes of the metrics: its own check, the shipped alert rules, and the shipped dashboard."""

import json
import os
import re
import shutil
import subprocess
import urllib.parse
from pathlib import Path

import yaml

from harness.certificates import Certificate
from harness.events import room_liked
from harness.http import once
from harness.ports import lasting_port
from harness.processes import Process
from harness.suite import PATIENCE, case, expect, expect_equal, wait_until
from harness.world import ROOT

MONITORING = ROOT / "Config/monitoring"
METRIC = re.compile(r"\b(?:belfry|process)_[a-z_]+")


def rules() -> list[dict]:
    return [rule for group in yaml.safe_load((MONITORING / "alerts.yaml").read_text())["groups"] for rule in group["rules"]]


def queries() -> list[str]:
    """The dashboard's, with its variables filled in."""
    panels = json.loads((MONITORING / "dashboard.json").read_text())["panels"]
    found = [target["expr"] for panel in panels for target in panel.get("targets", [])]
    for name, value in {"$job": "belfry", "$instance": ".*", "$__rate_interval": "10s"}.items():
        found = [query.replace(name, value) for query in found]
    return found


def promtool(*words: str, text: str | None = None):
    return subprocess.run(["promtool", *words], input=text, capture_output=True, text=True, cwd=ROOT)


@case("Prometheus' own check has nothing to say about the metrics")
def checked(world):
    server = world.serve(certificate=Certificate(world.folder))
    server.publish(room_liked("sarah"))
    told = promtool("check", "metrics", text=once(server.ops, "GET", "/metrics").body.decode())
    expect_equal((told.returncode, told.stdout, told.stderr), (0, "", ""), "promtool check metrics")


@case("each alert has a test in which it fires, a paragraph in the runbook, and metrics that are documented")
def alerts(world):
    told = promtool("test", "rules", "Tests/Monitoring/alerts.yaml")
    expect_equal(told.returncode, 0, f"promtool test rules: {told.stdout}{told.stderr}")
    tested = (ROOT / "Tests/Monitoring/alerts.yaml").read_text()
    headings = re.findall(r"^### (\w+)$", (ROOT / "docs/runbook.md").read_text(), re.M)
    documented = "".join((ROOT / f"docs/{name}.md").read_text() for name in ("operations", "cluster", "outbox"))
    names = [rule["alert"] for rule in rules()]
    expect_equal(sorted(headings), sorted(names), "the runbook's paragraphs")
    for rule in rules():
        name = rule["alert"]
        expect(f'alertname="{name}", alertstate="firing", ' in tested, f"{name} fires in no test")
        expect_equal(rule["annotations"]["runbook_url"].partition("#")[2], name.lower(), f"the link of {name}")
    used = {name for text in [*queries(), *(rule["expr"] for rule in rules())] for name in METRIC.findall(text)}
    for name in sorted(re.sub(r"_(bucket|count|sum)$", "", name) for name in used):
        expect(re.search(rf"\b{name}\b", documented), f"{name} is documented nowhere")


class Prometheus:
    """One that scrapes a server each second, with the shipped rules."""

    def __init__(self, world, server):
        folder = world.folder / "prometheus"
        folder.mkdir()
        shutil.copy(MONITORING / "alerts.yaml", folder)
        config = yaml.safe_load((MONITORING / "prometheus.yaml").read_text())
        config["global"] = {"scrape_interval": "1s", "evaluation_interval": "1s"}
        config["scrape_configs"][0]["static_configs"][0]["targets"] = [server.ops]
        (folder / "prometheus.yaml").write_text(yaml.safe_dump(config))
        self._address = f"127.0.0.1:{lasting_port()}"
        world.keep(Process(
            ["prometheus", f"--config.file={folder}/prometheus.yaml", f"--storage.tsdb.path={folder}/data",
             f"--web.listen-address={self._address}", "--log.level=warn"], dict(os.environ)))

    def query(self, text: str) -> list[dict]:
        answer = once(self._address, "GET", "/api/v1/query?" + urllib.parse.urlencode({"query": text}))
        expect_equal(answer.status, 200, f"the status of the query {text}: {answer.body.decode()}")
        return answer.json()["data"]["result"]

    def value(self, text: str) -> float | None:
        found = self.query(text)
        return float(found[0]["value"][1]) if found else None

    def is_up(self) -> bool:
        try:
            # It answers 503 while it reads its own data.
            return once(self._address, "GET", "/-/ready").status == 200 and self.value("up") == 1
        except OSError:
            return False


@case("a Prometheus that scrapes a loaded server fills the dashboard, and begins an alert when the server is gone")
def scraped(world):
    server = world.serve()
    live = server.session("sarah")
    prometheus = Prometheus(world, server)
    wait_until(prometheus.is_up, PATIENCE, "the first scrape")

    def grows():
        server.publish(room_liked("sarah"))
        live.expect("new")
        return (prometheus.value("rate(belfry_events_total[10s])") or 0) > 0

    wait_until(grows, PATIENCE, "a rate of events")
    empty = [query for query in queries() if not prometheus.query(query)]
    only_shared = re.compile("belfry_store_(nodes|is_caretaker|oldest|dead|retries|connections|bytes)|listener|wakeups|outbox")
    without_pushes = re.compile("belfry_push_(seconds|refusals)")
    # Nothing was pushed, so no push took any time, and none was refused.
    others = [query for query in empty if not only_shared.search(query) and not without_pushes.search(query)]
    expect_equal(others, [], "panels of the dashboard without data")
    expect_equal(prometheus.query('ALERTS{alertstate="firing"}'), [], "alerts of a healthy server")
    server.kill()
    gone = 'ALERTS{alertname="BelfryDown", alertstate=~"pending|firing"}'
    wait_until(lambda: prometheus.query(gone), PATIENCE, "the alert to begin")
