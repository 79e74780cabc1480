/**
 * Belfry's service worker: shows pushes, and brings a click on one to the page.
 *
 * Serve it from the page's own origin, beside the page or above it. `data.url` of a push, which the catalog sets, is what a
 * click opens where no tab is open; without it, that is the place where this file lies.
 */

const show = async ({ title, badge, group, category, belfry, ...options }) => {
  await self.registration.showNotification(title, { ...options, data: { ...options.data, belfry } })
  // What was read or taken back elsewhere goes from the screen.
  for (const tag of belfry.withdrawn || []) {
    for (const shown of await self.registration.getNotifications({ tag })) shown.close()
  }
  await navigator.setAppBadge?.(badge)
}

/** What `inbox.on('activate')` gets: the notification's name, and what the catalog has the push carry. */
const activation = ({ belfry, ...data }) => ({ belfry: { id: belfry?.id, data } })

const activate = async ({ data }) => {
  const scope = self.registration.scope
  const message = activation(data || {})
  const tabs = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const tab = tabs.find(({ url, visibilityState }) => url.startsWith(scope) && visibilityState === 'visible') ||
    tabs.find(({ url }) => url.startsWith(scope))
  if (tab) {
    // A browser may refuse the focus; the page is told all the same.
    await tab.focus().catch(() => {})
    return tab.postMessage(message)
  }
  const opened = await self.clients.openWindow(new URL(data?.url || '', scope))
  // The browser keeps it until the page has run its modules. A page of another origin cannot be told anything.
  opened?.postMessage(message)
}

self.addEventListener('push', (event) => event.waitUntil(show(event.data.json())))
self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(activate(event.notification))
})
// The first page that registers it is served by it at once.
self.addEventListener('install', () => self.skipWaiting())
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()))
