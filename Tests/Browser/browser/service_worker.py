"""A browser that can be pushed to: Chromium has no push service here, so its subscription is the receiver's."""

import json
from pathlib import Path

from harness.suite import wait_until
from harness.stand_ins.web_push_receiver import BrowserPush, WebPushReceiver

from .tab import PATIENCE, Tab
from .world import Profile

STAND_IN = (Path(__file__).parent / "push_service.js").read_text()


class ServiceWorker:
    """The worker of one profile; the push service delivers to it what the receiver got."""

    def __init__(self, profile: Profile, receiver: WebPushReceiver):
        self._profile = profile
        self._site = profile.world.site
        stand_in = STAND_IN.replace("SUBSCRIPTION", json.dumps(receiver.subscription()))
        profile.context.add_init_script(stand_in)
        self._site.before["/belfry-sw.js"] = stand_in

    def allow_notifications(self):
        """The person says yes."""
        self._profile.context.grant_permissions(["notifications"], origin=self._site.origin)

    @property
    def _worker(self):
        return self._profile.context.service_workers[0]

    def deliver(self, tab: Tab, push: BrowserPush):
        """As the browser does when its push service sends something, until the worker is done with it."""
        before = self._worker.evaluate("self.handled")
        devtools, registrations = tab.cdp(), {}
        devtools.on("ServiceWorker.workerRegistrationUpdated",
                    lambda event: registrations.update({one["scopeURL"]: one for one in event["registrations"]}))
        devtools.send("ServiceWorker.enable")
        scope = f"{self._site.origin}/"
        # What DevTools tell comes while something is asked.
        wait_until(lambda: tab.evaluate("true") and scope in registrations, PATIENCE, "the registration")
        devtools.send("ServiceWorker.deliverPushMessage",
                      {"origin": self._site.origin, "registrationId": registrations[scope]["registrationId"],
                       "data": json.dumps(push.payload)})
        # While it works nobody may ask what is on the screen: Chromium drops notifications that it is about to show then.
        wait_until(lambda: self._worker.evaluate("self.handled") > before, PATIENCE, "the push to be shown")

    def shown(self, tab: Tab) -> list[dict]:
        """The notifications on the screen, oldest first."""
        return tab.evaluate("""async () => {
            const registration = await navigator.serviceWorker.ready
            const shown = await registration.getNotifications()
            return shown.sort((a, b) => a.timestamp - b.timestamp).map(({title, body, tag, data}) => ({title, body, tag, data}))
        }""")

    def wait_for_shown(self, tab: Tab, titles: list[str]) -> list[dict]:
        wait_until(lambda: sorted(one["title"] for one in self.shown(tab)) == sorted(titles), PATIENCE,
                   f"the notifications {titles}")
        return self.shown(tab)

    @property
    def badge(self) -> int | None:
        """The number on the app's icon."""
        return self._worker.evaluate("self.badge")

    def replace_subscription(self, subscription: dict):
        """As a browser does by itself, with no page that hears of it, until the worker is done with it."""
        self._worker.evaluate("""async (subscription) => {
            const change = new ExtendableEvent('pushsubscriptionchange')
            change.newSubscription = { ...subscription, toJSON: () => subscription }
            let ended
            change.waitUntil = (promise) => (ended = promise)
            self.dispatchEvent(change)
            await ended
        }""", subscription)

    def click(self, tag: str) -> dict:
        """A click on a notification; which tabs were focused, and which addresses opened.

        Only a person's click lets a worker do either, so they are noted here in place of being done.
        """
        return self._worker.evaluate("""async (tag) => {
            const done = { focused: [], opened: [] }
            WindowClient.prototype.focus = async function () { done.focused.push(this.url); return this }
            clients.openWindow = async (url) => { done.opened.push(String(url)); return null }
            const [notification] = await registration.getNotifications({ tag })
            const click = new NotificationEvent('notificationclick', { notification })
            let ended
            click.waitUntil = (promise) => (ended = promise)
            self.dispatchEvent(click)
            await ended
            return done
        }""", tag)
