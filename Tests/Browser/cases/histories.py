"""Whatever happens to tabs and server, one after the other or at once: in the end every page has what the server has."""

import os
import random

from browser.tab import PATIENCE
from cases.live import publish
from cases.tabs import sessions
from harness.suite import Failed, case, expect_equal, wait_until

#: Others with `SEEDS=4,5,6`.
SEEDS = [int(seed) for seed in os.environ.get("SEEDS", "3,15").split(",")]
STEPS = 30


class History:
    """Steps by chance, the same for the same seed; and what holds whenever nothing more happens."""

    def __init__(self, world, seed: int):
        self.chance = random.Random(seed)
        self.server = world.serve(data=f"data-{seed}", LIMITS_REQUESTS_PER10S="0")
        self.profile = world.profile()
        self.tabs, self.published = [], 0
        self.log: list[str] = []

    def step(self):
        name = self.chance.choices(
            ["publish", "open", "close", "crash", "reload", "freeze", "thaw", "look", "look_elsewhere", "read", "restart"],
            [6, 3, 2, 2, 2, 3, 3, 4, 1, 3, 1])[0]
        self.log.append(name)
        getattr(self, name)()

    @property
    def awake(self) -> list:
        # One that was frozen thaws by itself when the tab in front of it goes.
        return [tab for tab in self.tabs if not tab.is_frozen]

    def publish(self):
        count = self.chance.randint(1, 3)
        publish(self.server, range(self.published + 1, self.published + 1 + count), "sarah")
        self.published += count

    def open(self):
        if len(self.tabs) < 6:
            self.tabs.append(self.profile.open(self.server, "sarah"))

    def close(self):
        if self.tabs:
            tab = self.chance.choice(self.tabs)
            self.tabs.remove(tab)
            tab.close()

    def crash(self):
        if self.awake:
            tab = self.chance.choice(self.awake)
            self.tabs.remove(tab)
            tab.crash()

    def reload(self):
        if self.awake:
            self.chance.choice(self.awake).page.reload()

    def freeze(self):
        hidden = [tab for tab in self.awake if tab.evaluate("document.visibilityState") == "hidden"]
        if hidden:
            tab = self.chance.choice(hidden)
            tab.freeze()

    def thaw(self):
        frozen = [tab for tab in self.tabs if tab.is_frozen]
        if frozen:
            self.chance.choice(frozen).thaw()

    def look(self):
        if self.awake:
            self.chance.choice(self.awake).look()

    def look_elsewhere(self):
        self.profile.look_elsewhere()

    def read(self):
        if self.awake:
            tab = self.chance.choice(self.awake)
            # Not waited for: whatever comes next comes in between.
            tab.evaluate("() => { window.inbox.read().catch((error) => console.error(error.code)) }")

    def restart(self):
        self.server.kill() if self.chance.random() < 0.5 else self.server.terminate()
        self.server.start()

    def settle(self):
        """Every page that is not frozen is in step, over one connection."""
        for tab in self.awake:
            wait_until(lambda: self._is_in_step(tab), PATIENCE, "a page to have what the server has")
            tab.expect_list(self.server, "sarah")
            news = tab.new
            expect_equal(news, sorted(set(news)), "what a page was told as new, each once")
        wait_until(lambda: len(sessions(self.server)) == (1 if self.awake else 0), PATIENCE,
                   "one session, or none where no tab is awake")

    def _is_in_step(self, tab) -> bool:
        snapshot = tab.snapshot
        if snapshot["more"]:
            tab.evaluate("window.inbox.more()")
        return (snapshot["synced"] and snapshot["status"] == "live" and len(snapshot["items"]) == self.published
                and snapshot["unread"] == self.server.unread("sarah"))


@case("whatever happens to tabs and server, by chance: every page is in step again, over one connection")
def by_chance(world):
    for seed in SEEDS:
        history = History(world, seed)
        try:
            for number in range(1, STEPS + 1):
                history.step()
                if number % 10 == 0:
                    history.log.append("settle")
                    history.settle()
        except Failed as failure:
            raise Failed(f"seed {seed}, {' '.join(history.log)}: {failure}") from failure
