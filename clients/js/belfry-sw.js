/**
 * Belfry's service worker: registers the browser for pushes, shows them, and brings a click on one to the page.
 *
 * Serve it from the page's own origin, beside the page or above it. If no tab is open, a click opens `data.url` of the
 * push, which the catalog sets, or else the folder of this file.
 */

const { registration, clients } = self

// Registration, as the page asks for it: `src/push.js`.

// What the worker needs when the browser replaces its subscription, which may be when no page is open. A cache, because
// workers have no other short memory.
const memory = 'belfry-push'
const recall = async () => (await (await caches.open(memory)).match(memory))?.json()
const remember = async (note) => (await caches.open(memory)).put(memory, new Response(JSON.stringify(note)))

const subscribe = (applicationServerKey) => registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey })

/** What the server is told. With the scope, it sends pushes that Safari shows without this worker. */
const told = (subscription) => ({ ...subscription.toJSON(), scope: registration.scope })

/** A name of this browser for the server, which stays the same until the browser is taken back. */
const deviceOf = async ({ endpoint }) => {
  const note = await recall()
  if (note) return note.device
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(endpoint))
  return 'web-' + [...new Uint8Array(hash)].slice(0, 16).map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

const answer = async ({ method, app, base, token }) => {
  const call = async (method, path, body) => {
    const response = await fetch(base + path, {
      method,
      headers: { authorization: `Bearer ${token}` },
      body: body && JSON.stringify(body),
    }).catch(({ message }) => Promise.reject({ code: 'network', message, temporary: true }))
    const { data, code = 'network', detail } = await response.json().catch(() => ({}))
    if (!response.ok) throw { code, message: detail, temporary: response.status === 429 || response.status > 499 }
    return data
  }
  const existing = await registration.pushManager.getSubscription()
  const query = app ? '?app=' + encodeURIComponent(app) : ''
  if (method === 'DELETE') {
    if (!existing) return null
    const removed = await call('DELETE', `/api/devices/${await deviceOf(existing)}${query}`)
    await existing.unsubscribe()
    await caches.delete(memory)
    return removed
  }
  const { applicationServerKey } = await call('GET', '/api/push/key')
  // A subscription with the server's earlier key is in the way.
  const subscription = await subscribe(applicationServerKey).catch(async (error) => {
    if (!existing) throw error
    await existing.unsubscribe()
    return subscribe(applicationServerKey)
  })
  const device = await deviceOf(subscription)
  const body = told(subscription)
  const registered = await call('PUT', `/api/devices/${device}/subscription${query}`, body)
  await remember({ base, app: registered.app, device, key: applicationServerKey, endpoint: body.endpoint, auth: body.keys.auth })
  return registered
}

/** Tells the server a new subscription. The earlier one's secret stands for a token, which the worker does not have. */
const renew = async ({ newSubscription }) => {
  const note = await recall()
  if (!note) return
  const { base, app, key, endpoint, auth } = note
  const body = told(newSubscription || (await subscribe(key)))
  const query = app ? '?app=' + encodeURIComponent(app) : ''
  const response = await fetch(`${base}/api/push/subscription${query}`, {
    method: 'POST',
    body: JSON.stringify({ endpoint, auth, subscription: body }),
  })
  if (response.ok) await remember({ ...note, endpoint: body.endpoint, auth: body.keys.auth })
}

// Showing

/** A notification's title and options and the icon's number, of a declarative push message or of a push for workers. */
const read = ({ notification, app_badge, ...push }) => {
  if (notification) {
    // With an address, a browser that knows that option would open it without a `notificationclick`.
    const { title, navigate, app_badge: _, actions, ...options } = notification
    const buttons = actions?.map(({ action, title }) => ({ action, title }))
    return [title, buttons ? { ...options, actions: buttons } : options, app_badge]
  }
  const { title, badge, group, category, belfry, ...options } = push
  return [title, { ...options, data: { ...options.data, belfry } }, badge]
}

const show = async (push) => {
  const [title, options, badge] = read(push)
  await registration.showNotification(title, options)
  await navigator.setAppBadge?.(badge)
}

// Clicks

/** The page's `activate` event: the notification's name, and the data that the catalog puts into the push. */
const activate = async ({ belfry, ...data }) => {
  const message = { belfry: { id: belfry?.id, data } }
  const { scope } = registration
  const tabs = (await clients.matchAll({ type: 'window', includeUncontrolled: true })).filter(({ url }) => url.startsWith(scope))
  const tab = tabs.find(({ focused }) => focused) || tabs.find((tab) => tab.visibilityState === 'visible') || tabs[0]
  if (tab) {
    // A browser may refuse the focus; the page is told all the same.
    await tab.focus().catch(() => {})
    return tab.postMessage(message)
  }
  // The browser keeps the message until the page has run its modules. A page of another origin cannot be told anything.
  const opened = await clients.openWindow(new URL(data.url || '', scope))
  opened?.postMessage(message)
}

/**
 * Answers the notification's question, from its button. The subscription's secret stands for a token. If that fails, the
 * page opens, where the question still is. An answer from elsewhere that was first is no failure: it stands.
 */
const press = async (action, data) => {
  const note = await recall()
  if (!note || !data.belfry?.actions?.some(({ id }) => id === action)) return activate(data)
  const { base, app, endpoint, auth } = note
  const query = app ? '?app=' + encodeURIComponent(app) : ''
  const body = JSON.stringify({ endpoint, auth, notification: data.belfry.id, action })
  const response = await fetch(`${base}/api/push/answer${query}`, { method: 'POST', body }).catch(() => ({}))
  if (!response.ok && response.status !== 409) return activate(data)
}

self.addEventListener('push', (event) => event.waitUntil(show(event.data.json())))
self.addEventListener('pushsubscriptionchange', (event) => event.waitUntil(renew(event)))
self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  const data = event.notification.data || {}
  event.waitUntil(event.action ? press(event.action, data) : activate(data))
})
self.addEventListener('message', (event) => {
  const question = event.data?.belfry
  const [port] = event.ports
  if (!question || !port) return
  const tell = (...message) => {
    port.postMessage(message)
    port.close()
  }
  const fail = ({ code, message, temporary }) => tell(null, typeof code === 'string' ? code : 'push_failed', message, temporary)
  event.waitUntil(answer(question).then(tell, fail))
})
// A first visit need not be followed by a second one before clicks reach the page.
self.addEventListener('install', () => self.skipWaiting())
self.addEventListener('activate', (event) => event.waitUntil(clients.claim()))
