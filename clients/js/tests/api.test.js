import assert from 'node:assert/strict'
import test from 'node:test'
import { BelfryError, connect } from '../belfry.js'
import { createWorld, token } from './support/world.js'

const open = async (options, prepare = () => {}) => {
  const world = createWorld()
  const browser = world.openBrowser()
  prepare(world, browser)
  const tab = world.openTab(browser, options)
  await world.clock.advance(500)
  return { ...world, ...tab, tab, browser }
}

test('a snapshot and each part of it stay the same objects until they change, and are frozen', async () => {
  const { clock, server, inbox } = await open({}, ({ server }) => [1, 2, 3].forEach(() => server.publish()))
  const before = inbox.snapshot
  await clock.advance(60_000)
  assert.equal(inbox.snapshot, before)
  assert.ok(Object.isFrozen(before) && Object.isFrozen(before.items) && before.items.every(Object.isFrozen))

  server.apply({ type: 'read', ids: [before.items[1].id] })
  await clock.advance(100)
  const after = inbox.snapshot
  assert.notEqual(after, before)
  assert.deepEqual([0, 1, 2].map((index) => after.items[index] === before.items[index]), [true, false, true])

  const done = inbox.read([after.items[0].id])
  const shown = inbox.snapshot
  assert.equal(shown.items[0].isRead, true)
  await clock.advance(100)
  await done
  assert.equal(inbox.snapshot.items, shown.items, 'the answer changes nothing that was shown')
  inbox.close()
})

test('what subscribe and on return ends it, and an error of the app does not disturb the client', async () => {
  const { clock, server, inbox } = await open()
  const told = []
  const ends = [
    inbox.subscribe((snapshot) => told.push(snapshot.unread)),
    inbox.on('new', ({ id }) => told.push(id)),
    inbox.on('status', ({ status }) => told.push(status)),
  ]
  const caught = []
  // The app's error is nobody's to catch, so that a page, or Node, tells of it.
  const { reject } = Promise
  Promise.reject = ({ message }) => caught.push(message)
  inbox.on('new', () => {
    throw new Error('the app is wrong')
  })
  const id = server.publish()
  await clock.advance(100)
  Promise.reject = reject
  assert.deepEqual(told, [1, id])
  assert.deepEqual([inbox.snapshot.synced, caught], [true, ['the app is wrong']])
  ends.forEach((end) => end())
  server.cut(1006)
  await clock.advance(5_000)
  assert.equal(told.length, 2)
  assert.equal(inbox.snapshot.status, 'live')
  inbox.close()
})

test('without a WebSocket it says what to do; a closed inbox can be disposed of and refuses commands', async () => {
  assert.throws(() => connect({ url: 'wss://push.example', token: () => 'x' }, {}), { code: 'no_websocket', message: /options\.WebSocket/ })
  const { inbox } = await open()
  if (Symbol.dispose) inbox[Symbol.dispose]()
  inbox.close()
  assert.deepEqual([inbox.snapshot.status, inbox.snapshot.reason], ['stopped', 'closed'])
  await assert.rejects(inbox.read(['n1-1']), (error) => error instanceof BelfryError && error.code === 'closed' && !error.temporary)
})

test('a command without a connection waits for one, and is shown at once', async () => {
  const { clock, server, inbox } = await open({}, ({ server }) => server.publish())
  server.isAway = true
  server.cut(1006)
  await clock.advance(1_000)
  const done = inbox.read()
  assert.deepEqual([inbox.snapshot.unread, inbox.snapshot.items[0].isRead], [0, true])
  server.isAway = false
  await clock.advance(40_000)
  await done
  assert.deepEqual([server.unread, inbox.snapshot.unread], [0, 0])
  inbox.close()
})

test('an answer is sent again until it is confirmed, and changes no row before the server says so', async () => {
  const { clock, server, inbox } = await open({}, ({ server }) => server.publish())
  const [{ id }] = inbox.snapshot.items
  server.isAway = true
  server.cut(1006)
  await clock.advance(1_000)
  const before = inbox.snapshot.items
  const done = inbox.answer(id, 'approve')
  assert.equal(inbox.snapshot.items, before)
  server.isAway = false
  await clock.advance(40_000)
  await done
  const sent = server.received.filter(({ type }) => type === 'answer')
  assert.deepEqual(sent.map(({ notification, action }) => [notification, action]), [[id, 'approve']])
  inbox.close()
})

test('three hundred rows read one by one, and then a thousand at once, exceed no limit of the server', async () => {
  const { clock, server, inbox } = await open({}, ({ server }) => Array.from({ length: 1_300 }, () => server.publish()))
  const ids = server.rows.map((row) => row.id)
  const done = Promise.all([...ids.slice(0, 300).map((id) => inbox.read([id])), inbox.read(ids.slice(300))])
  const moments = []
  const { receive } = server
  server.received.push = (frame) => moments.push(clock.elapsed)
  await clock.advance(120_000)
  await done
  assert.equal(server.unread, 0)
  const most = Math.max(...moments.map((end) => moments.filter((moment) => moment > end - 10_000 && moment <= end).length))
  assert.ok(most < 100 && most > 60, `${most} frames within ten seconds`)
  inbox.close()
})

test('the address may be that of the live protocol, of the server, of a path before it, or the page’s own', async () => {
  for (const [url, live, list] of [
    ['wss://push.example/v1/live', 'wss://push.example/v1/live', 'https://push.example/api/notifications/preferences'],
    ['https://push.example', 'wss://push.example/v1/live', 'https://push.example/api/notifications/preferences'],
    ['http://push.example/belfry/', 'ws://push.example/belfry/v1/live', 'http://push.example/belfry/api/notifications/preferences'],
    ['/belfry', 'wss://app.example/belfry/v1/live', 'https://app.example/belfry/api/notifications/preferences'],
    [undefined, 'wss://app.example/v1/live', 'https://app.example/api/notifications/preferences'],
  ]) {
    const asked = []
    const { inbox } = await open({ url }, ({ server }, browser) => {
      browser.WebSocket = (tab, url, protocols) => (asked.push(url, protocols), server.socket(tab))
      browser.fetch = async (tab, url) => (asked.push(url), { ok: true, status: 200, json: async () => ({ data: {} }) })
    })
    await inbox.prefs()
    assert.deepEqual(asked, [live, ['belfry.v1'], list])
    inbox.close()
  }
})

/** Calls of REST, answered by `answers` in turn. */
const rest = async (answers, options) => {
  const calls = []
  const opened = await open(options, (world, browser) => {
    browser.fetch = async (tab, url, { method, headers, body }) => {
      calls.push([method, url.replace('https://push.example/api/notifications', ''), body && JSON.parse(body), headers.authorization])
      const { status = 200, text, ...content } = answers.shift() || { data: 'ok' }
      return { ok: status < 300, status, json: async () => (text ? JSON.parse(text) : content) }
    }
  })
  return { ...opened, calls }
}

test('preferences, mutes, quiet hours, snooze and explain call the server', async () => {
  const { inbox, calls } = await rest([])
  assert.equal(await inbox.prefs(), 'ok')
  await inbox.prefs({ types: { ROOM_LIKE: { push: false } } })
  await inbox.mutes()
  await inbox.mute('room:789')
  await inbox.mute('room:a/b', '2027-01-01T00:00:00Z')
  await inbox.unmute('room:789')
  await inbox.quietHours()
  await inbox.quietHours({ windows: [] })
  await inbox.quietHours(null)
  await inbox.snooze({ hours: 8 })
  await inbox.snooze('2027-01-01T00:00:00Z')
  await inbox.snooze(null)
  await inbox.explain('n1-1')
  assert.deepEqual(calls.map(([method, path, body]) => [method, path, body ?? null]), [
    ['GET', '/preferences', null],
    ['PUT', '/preferences', { types: { ROOM_LIKE: { push: false } } }],
    ['GET', '/mutes', null],
    ['PUT', '/mutes/room%3A789', {}],
    ['PUT', '/mutes/room%3Aa%2Fb', { until: '2027-01-01T00:00:00Z' }],
    ['DELETE', '/mutes/room%3A789', null],
    ['GET', '/quiet-hours', null],
    ['PUT', '/quiet-hours', { windows: [] }],
    ['DELETE', '/quiet-hours', null],
    ['PUT', '/snooze', { hours: 8 }],
    ['PUT', '/snooze', { until: '2027-01-01T00:00:00Z' }],
    ['DELETE', '/snooze', null],
    ['GET', '/n1-1/explain', null],
  ])
  inbox.close()
})

test('problems are errors with a code; a token that has expired is replaced once', async () => {
  const reasons = []
  const { inbox, calls } = await rest(
    [
      { status: 401, code: 'token_expired' },
      { data: 'ok' },
      { status: 401, code: 'token_expired' },
      { status: 401, code: 'token_expired', detail: 'again' },
      { status: 422, code: 'required_type', detail: 'ROOM_LIKE is required' },
      { status: 503, code: 'overloaded' },
      { status: 429, code: 'too_many_requests' },
      { status: 404, code: 'not_found', detail: 'nothing explains' },
      { status: 502, text: '<html>' },
    ],
    { token: async ({ reason }) => (reasons.push(reason), token()) },
  )
  assert.equal(await inbox.prefs(), 'ok')
  assert.deepEqual(reasons, ['first', 'expired'])
  await assert.rejects(inbox.prefs(), { code: 'token_expired', message: 'again', temporary: false })
  await assert.rejects(inbox.prefs(), { code: 'required_type', message: 'ROOM_LIKE is required', temporary: false })
  await assert.rejects(inbox.prefs(), { code: 'overloaded', temporary: true })
  await assert.rejects(inbox.prefs(), { code: 'too_many_requests', temporary: true })
  await assert.rejects(inbox.explain('n1-1'), { code: 'not_found', message: 'nothing explains', temporary: false })
  await assert.rejects(inbox.prefs(), { code: 'network', temporary: true })
  assert.equal(calls.length, 9)
  inbox.close()
})

test('retry ends the wait for the next attempt', async () => {
  const { clock, server, inbox, tab } = await open()
  server.isAway = true
  server.cut(1006)
  for (let attempts = 0; attempts < 6; attempts++) await clock.advance(15_000)
  assert.equal(inbox.snapshot.status, 'waiting')
  server.isAway = false
  const { length } = tab.sockets
  inbox.retry()
  assert.equal(tab.sockets.length, length + 1)
  await clock.advance(200)
  assert.deepEqual([inbox.snapshot.status, inbox.snapshot.synced], ['live', true])
  inbox.close()
})
