// In place of the browser's own push service, in the page and in its service worker: the tests have the keys of its one
// subscription. A cache tells whether it was made, since both of them see that.
{
  const mark = 'push-subscription'
  const subscription = SUBSCRIPTION
  const made = {
    ...subscription,
    toJSON: () => subscription,
    unsubscribe: () => caches.delete(mark),
  }
  PushManager.prototype.subscribe = async ({ userVisibleOnly, applicationServerKey }) => {
    if (!userVisibleOnly || !/^[\w-]{87}$/.test(applicationServerKey)) throw new TypeError('no key of a server')
    await caches.open(mark)
    return made
  }
  PushManager.prototype.getSubscription = async () => ((await caches.has(mark)) ? made : null)
}
// How many pushes the service worker is done with.
if (self.registration) {
  self.handled = 0
  // The number on the app's icon.
  self.navigator.setAppBadge = async (number) => void (self.badge = number)
  const { waitUntil } = ExtendableEvent.prototype
  PushEvent.prototype.waitUntil = function (work) {
    waitUntil.call(this, work.finally(() => self.handled++))
  }
}
