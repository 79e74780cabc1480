import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import vm from 'node:vm'
import { createWorld } from './support/world.js'
import { settle } from './support/clock.js'

const code = readFileSync(new URL('../dist/belfry-sw.js', import.meta.url), 'utf8')

/** A service worker's surroundings, and what happened in them. */
const startWorker = ({ script = code, tabs = [], subscription = null, answers = {}, failures = 0 } = {}) => {
  const stores = new Map()
  const caches = {
    open: async (name) => {
      const entries = stores.get(name) || stores.set(name, new Map()).get(name)
      return { match: async (key) => entries.get(key)?.clone(), put: async (key, value) => void entries.set(key, value) }
    },
    delete: async (name) => stores.delete(name),
  }
  const listeners = {}
  const log = []
  const shown = []
  const make = (endpoint) => ({
    endpoint,
    toJSON: () => ({ endpoint, keys: { p256dh: 'p', auth: 'a' } }),
    unsubscribe: async () => (log.push('unsubscribe'), (current = null)),
  })
  let current = subscription && make(subscription)
  const registration = {
    scope: 'https://app.example/',
    pushManager: {
      getSubscription: async () => current,
      subscribe: async ({ userVisibleOnly, applicationServerKey }) => {
        if (failures-- > 0) throw Object.assign(new Error('another key'), { name: 'InvalidStateError', code: 11 })
        log.push(['subscribe', userVisibleOnly, applicationServerKey])
        return (current ||= make('https://push.example/new'))
      },
    },
    showNotification: async (title, options) => shown.push({ title, ...options }),
  }
  const self = {
    registration,
    clients: {
      matchAll: async () => tabs,
      openWindow: async (url) => (log.push(['open', String(url)]), { postMessage: (message) => log.push(['told', message]) }),
      claim: async () => {},
    },
    skipWaiting() {},
    addEventListener: (name, listener) => (listeners[name] = listener),
  }
  const fetch = async (url, { method, headers, body }) => {
    log.push([method, url.replace('https://push.example', ''), headers?.authorization, body && JSON.parse(body)])
    const { status = 200, ...content } = answers[method] || { data: { applicationServerKey: 'key' } }
    return { ok: status < 300, status, json: async () => content }
  }
  const shared = { registration, clients: self.clients }
  vm.runInNewContext(script, { ...shared, self, fetch, URL, crypto, TextEncoder, caches, Response, navigator: { setAppBadge: async (badge) => log.push(['badge', badge]) } })
  const fire = async (name, event) => {
    let work
    listeners[name]({ ...event, waitUntil: (promise) => (work = promise) })
    await work
  }
  return { fire, log, shown, caches }
}
const plain = (value) => JSON.parse(JSON.stringify(value))
const payload = (members) => ({ data: { json: () => ({ title: 'Italy Trip', body: 'pete liked your room', tag: 't1', badge: 3, ...members }) } })

test('a push is shown with what the server has sent, and sets the badge', async () => {
  const { fire, log, shown } = startWorker()
  const belfry = { id: 'n1-1', rev: 1, epoch: 'e1', seq: 1 }
  await fire('push', payload({ group: 'room:1', category: 'room', data: { roomId: 'r1' }, belfry }))
  assert.deepEqual(plain(shown), [{ title: 'Italy Trip', body: 'pete liked your room', tag: 't1', data: { roomId: 'r1', belfry } }])
  assert.deepEqual(log, [['badge', 3]])
})

test('a declarative push message is shown as a browser shows it that knows this form, once, and a click on it is heard', async () => {
  const { fire, log, shown } = startWorker()
  const data = { roomId: 'r1', url: '/rooms/r1', belfry: { id: 'n1-1', rev: 2, epoch: 'e1', seq: 1 } }
  const options = { body: 'pete liked your room', tag: 't1', renotify: true, silent: true, image: 'https://img.example/1', timestamp: 7, data }
  const notification = { title: 'Italy Trip', ...options, navigate: 'https://app.example/rooms/r1', app_badge: 3 }
  await fire('push', { data: { json: () => ({ web_push: 8030, notification, app_badge: 3, group: 'room:1', category: 'room' }) } })
  // With `navigate` among the options, a browser could open the page without asking the worker.
  assert.deepEqual(plain(shown), [{ title: 'Italy Trip', ...options }])
  assert.deepEqual(log, [['badge', 3]])
  await fire('notificationclick', click(data))
  assert.deepEqual(plain(log[1]), ['open', 'https://app.example/rooms/r1'])
})

const click = (data) => ({ notification: { data, close() {} } })
const tab = (url, members) => {
  const told = []
  return { url, told, focus: async () => told.push('focus'), postMessage: (message) => told.push(plain(message)), ...members }
}

test('a click focuses the tab that is open and tells it what was clicked', async () => {
  const tabs = [tab('https://other.example/'), tab('https://app.example/a'), tab('https://app.example/b', { visibilityState: 'visible' })]
  const { fire, log } = startWorker({ tabs })
  await fire('notificationclick', click({ roomId: 'r1', belfry: { id: 'n1-1' } }))
  assert.deepEqual(tabs.map(({ told }) => told), [[], [], ['focus', { belfry: { id: 'n1-1', data: { roomId: 'r1' } } }]])
  assert.deepEqual(log, [])
})

test('a click opens the place that the push names, or the start page, where no tab is open, and tells the page', async () => {
  const { fire, log } = startWorker()
  await fire('notificationclick', click({ url: '/rooms/r1', belfry: { id: 'n1-1' } }))
  await fire('notificationclick', click(null))
  assert.deepEqual(plain(log), [
    ['open', 'https://app.example/rooms/r1'],
    ['told', { belfry: { id: 'n1-1', data: { url: '/rooms/r1' } } }],
    ['open', 'https://app.example/'],
    ['told', { belfry: { data: {} } }],
  ])
})

test('the service worker of the guide shows a push, opens its room, and tells a subscription that the browser has replaced', async () => {
  const guide = readFileSync(new URL('../../../docs/web-push.md', import.meta.url), 'utf8')
  const [, ...parts] = [...guide.matchAll(/```js\n(.*?)```/gs)].map(([, part]) => part)
  const { fire, log, shown, caches } = startWorker({ script: parts.join('\n') })
  const data = { roomId: 'r1', belfry: { id: 'n1-1' } }
  const notification = { title: 'Italy Trip', body: 'New', tag: 't1', navigate: 'https://app.example/', app_badge: 2, data }
  await fire('push', { data: { json: () => ({ web_push: 8030, notification, app_badge: 2, category: 'ROUND_REQUEST' }) } })
  const actions = [{ action: 'accept', title: 'Accept' }, { action: 'decline', title: 'Decline' }]
  assert.deepEqual(plain(shown), [{ title: 'Italy Trip', body: 'New', tag: 't1', data, actions }])
  await fire('notificationclick', click(data))
  const first = { endpoint: 'https://push.example/1', keys: { p256dh: 'p', auth: 'a' }, applicationServerKey: 'key' }
  await (await caches.open('push')).put('subscription', new Response(JSON.stringify(first)))
  await fire('pushsubscriptionchange', {})
  const subscription = { endpoint: 'https://push.example/new', keys: { p256dh: 'p', auth: 'a' }, scope: 'https://app.example/' }
  assert.deepEqual(plain(log), [
    ['badge', 2],
    ['open', '/rooms/r1'],
    ['subscribe', true, 'key'],
    ['POST', '/api/push/subscription', null, { endpoint: first.endpoint, auth: 'a', subscription }],
  ])
})

/** A page whose service worker is the one above. */
const page = async ({ permission = 'granted', ...surroundings } = {}) => {
  const { clock, openBrowser } = createWorld()
  const worker = startWorker(surroundings)
  const { connect } = await import('../belfry.js')
  const browser = openBrowser()
  const { env } = browser.open({ locks: false })
  const listeners = []
  const serviceWorker = {
    addEventListener: (name, listener, { signal }) => (listeners.push(listener), signal.addEventListener('abort', () => listeners.pop())),
    register: async (script) => worker.log.push(['register', script]),
    ready: Promise.resolve({ active: { postMessage: (data, ports) => worker.fire('message', { data, ports }) } }),
    getRegistration: async () => ({ pushManager: { getSubscription: async () => surroundings.subscription } }),
  }
  Object.assign(env, { MessageChannel, PushManager: class {}, Notification: { permission, requestPermission: async () => permission } })
  env.navigator.serviceWorker = serviceWorker
  const inbox = connect({ url: 'wss://push.example', token: async () => 'token' }, env)
  await clock.advance(100)
  return { inbox, log: worker.log, fire: worker.fire, click: (data) => listeners.forEach((listener) => listener({ data })) }
}

test('one call asks, registers the worker and this browser, under the same name each time', async () => {
  const { inbox, log } = await page({ answers: { PUT: { data: { id: 'web' } } } })
  assert.deepEqual(await inbox.push.enable({ app: 'rooms' }), { id: 'web' })
  await inbox.push.enable({ worker: '/sw.js' })
  const [register, key, subscribe, put] = log
  assert.deepEqual([register, key, subscribe], [
    ['register', '/belfry-sw.js'],
    ['GET', '/api/push/key', 'Bearer token', undefined],
    ['subscribe', true, 'key'],
  ])
  const [method, path, authorization, body] = put
  assert.deepEqual([method, authorization, plain(body)], ['PUT', 'Bearer token', {
    endpoint: 'https://push.example/new', keys: { p256dh: 'p', auth: 'a' }, scope: 'https://app.example/',
  }])
  assert.match(path, /^\/api\/devices\/web-[0-9a-f]{32}\/subscription\?app=rooms$/)
  assert.equal(log.at(-1)[1], path.split('?')[0])
  inbox.close()
})

/** A browser that replaces its subscription, with no page open. */
const replaced = (endpoint) => {
  const newSubscription = endpoint && { endpoint, toJSON: () => ({ endpoint, keys: { p256dh: 'p2', auth: 'a2' } }) }
  return { oldSubscription: null, newSubscription }
}

test('a subscription that the browser replaces is told to the server, with the secret of the one before', async () => {
  const { inbox, log, fire } = await page({ answers: { PUT: { data: { id: 'web', app: 'rooms' } } } })
  await inbox.push.enable({ app: 'rooms' })
  log.length = 0
  await fire('pushsubscriptionchange', replaced('https://push.example/2'))
  const second = { endpoint: 'https://push.example/2', keys: { p256dh: 'p2', auth: 'a2' }, scope: 'https://app.example/' }
  assert.deepEqual(plain(log), [
    ['POST', '/api/push/subscription?app=rooms', null, { endpoint: 'https://push.example/new', auth: 'a', subscription: second }],
  ])
  // The next change is told with the secret of this one. Where the browser makes none by itself, the worker does.
  log.length = 0
  await fire('pushsubscriptionchange', replaced())
  assert.deepEqual([log[0], log[1][3].endpoint, log[1][3].auth], [['subscribe', true, 'key'], 'https://push.example/2', 'a2'])
  inbox.close()
})

test('after a change that the server has not taken, the next start registers the browser under the same name', async () => {
  const { inbox, log, fire } = await page({ answers: { PUT: { data: {} }, POST: { status: 404 } } })
  await inbox.push.enable()
  const { 1: path } = log.at(-1)
  await fire('pushsubscriptionchange', replaced('https://push.example/2'))
  assert.equal(log.at(-1)[0], 'POST')
  await inbox.push.enable()
  assert.equal(log.at(-1)[1], path)
  inbox.close()
})

test('a browser that was never registered, or was taken back, tells of no change', async () => {
  const { inbox, log, fire } = await page({ subscription: 'https://push.example/old', answers: { PUT: { data: {} }, DELETE: { data: {} } } })
  await fire('pushsubscriptionchange', replaced('https://push.example/2'))
  assert.deepEqual(log, [])
  await inbox.push.enable()
  await inbox.push.disable()
  log.length = 0
  await fire('pushsubscriptionchange', replaced('https://push.example/2'))
  assert.deepEqual(log, [])
  inbox.close()
})

test('a subscription with an earlier key gives way', async () => {
  const { inbox, log } = await page({ subscription: 'https://push.example/old', failures: 1, answers: { PUT: { data: {} } } })
  await inbox.push.enable()
  assert.deepEqual(log.map((entry) => (Array.isArray(entry) ? entry[0] : entry)), ['register', 'GET', 'unsubscribe', 'subscribe', 'PUT'])
  inbox.close()
})

test('a person who refuses, a server without Web Push and a push service that fails are told apart', async () => {
  const denied = await page({ permission: 'denied' })
  await assert.rejects(denied.inbox.push.enable(), { name: 'BelfryError', code: 'permission_denied', temporary: false })
  assert.equal(await denied.inbox.push.state(), 'denied')
  const off = await page({ answers: { GET: { status: 404, code: 'web_push_off', detail: 'no key' } } })
  await assert.rejects(off.inbox.push.enable(), { code: 'web_push_off', message: 'no key', temporary: false })
  const failing = await page({ failures: 1 })
  await assert.rejects(failing.inbox.push.enable(), { code: 'push_failed' })
  for (const { inbox } of [denied, off, failing]) inbox.close()
})

test('where nothing was enabled, there is nothing to take back', async () => {
  const { inbox, log } = await page()
  assert.equal(await inbox.push.state(), 'off')
  await inbox.push.disable()
  assert.deepEqual(log, [])
  inbox.close()
  const { openBrowser, openTab } = createWorld()
  const bare = openTab(openBrowser())
  assert.equal(await bare.inbox.push.state(), 'unsupported')
  await bare.inbox.push.disable()
  await assert.rejects(bare.inbox.push.enable(), { code: 'permission_denied' })
  bare.inbox.close()
})

test('in a sandboxed frame, which may not even ask for a service worker, the rest of the client works', async () => {
  const { clock, openBrowser, openTab } = createWorld()
  const browser = openBrowser()
  browser.open = new Proxy(browser.open, {
    apply(open, self, [options]) {
      const tab = Reflect.apply(open, self, [options])
      tab.env.PushManager = class {}
      const serviceWorker = { get: () => { throw Object.assign(new Error('sandboxed'), { name: 'SecurityError' }) } }
      Object.defineProperty(tab.env.navigator, 'serviceWorker', serviceWorker)
      return tab
    },
  })
  const { inbox } = openTab(browser)
  await clock.advance(500)
  assert.deepEqual([inbox.snapshot.status, await inbox.push.state()], ['live', 'unsupported'])
  await assert.rejects(inbox.push.enable(), { code: 'permission_denied' })
  inbox.close()
})

test('logging out takes the registration back', async () => {
  const { inbox, log } = await page({ subscription: 'https://push.example/old', answers: { DELETE: { data: { count: 1 } } } })
  assert.equal(await inbox.push.state(), 'on')
  assert.deepEqual(await inbox.push.disable(), { count: 1 })
  assert.deepEqual(log.map((entry) => (Array.isArray(entry) ? entry[0] : entry)), ['DELETE', 'unsubscribe'])
  inbox.close()
})

test('a click on a push is an event of the inbox, until that is closed; messages of others are none', async () => {
  const { inbox, click } = await page()
  const told = []
  inbox.on('activate', (activation) => told.push(activation))
  click({ belfry: { id: 'n1-1', data: { roomId: 'r1' } } })
  click({ type: 'hello' })
  click(null)
  assert.deepEqual(told, [{ id: 'n1-1', data: { roomId: 'r1' } }])
  inbox.close()
  click({ belfry: { id: 'n1-2', data: {} } })
  await settle()
  assert.equal(told.length, 1)
})

test("a question's button answers by the subscription's secret, and opens the page only where that fails", async () => {
  const actions = [{ id: 'approve', label: 'Approve' }]
  const data = { belfry: { id: 'n1-1', actions } }
  const press = async (action, note, answers) => {
    const { fire, log, caches } = startWorker({ answers })
    if (note) await (await caches.open('belfry-push')).put('belfry-push', new Response(JSON.stringify(note)))
    await fire('notificationclick', { ...click(data), action })
    return plain(log)
  }
  const note = { base: 'https://push.example', app: 'rooms', endpoint: 'https://push.example/old', auth: 'a' }
  const sent = ['POST', '/api/push/answer?app=rooms', null, { endpoint: note.endpoint, auth: 'a', notification: 'n1-1', action: 'approve' }]
  assert.deepEqual(await press('approve', note), [sent])
  assert.deepEqual(await press('approve', note, { POST: { status: 409 } }), [sent])
  const page = ['open', 'https://app.example/']
  assert.deepEqual((await press('approve', note, { POST: { status: 404 } })).slice(0, 2), [sent, page])
  assert.deepEqual((await press('approve'))[0], page)
  assert.deepEqual((await press('reply', note))[0], page)
})

test('buttons of a declarative push message are shown without the address that a browser would open for them', async () => {
  const { fire, shown } = startWorker()
  const actions = [{ action: 'approve', title: 'Approve', navigate: 'https://app.example/' }]
  await fire('push', { data: { json: () => ({ web_push: 8030, notification: { title: 'Deploy?', navigate: 'https://app.example/', actions } }) } })
  assert.deepEqual(plain(shown), [{ title: 'Deploy?', actions: [{ action: 'approve', title: 'Approve' }] }])
})
