import assert from 'node:assert/strict'
import test from 'node:test'
import { createWorld, token } from './support/world.js'

const inStep = (server, tabs) => {
  for (const { inbox } of tabs) {
    const { status, synced, unread, items } = inbox.snapshot
    assert.deepEqual({ status, synced, unread }, { status: 'live', synced: true, unread: server.unread })
    assert.deepEqual(items.map((row) => row.id), server.rows.slice(0, items.length).map((row) => row.id))
  }
}
const live = (server) => [...server.sessions].length

test('thirty tabs open one socket; whenever the leading tab is killed the next one is live within a second, and nothing is lost or doubled', async () => {
  const { clock, server, openBrowser, openTab } = createWorld()
  const browser = openBrowser()
  for (let count = 0; count < 5; count++) server.publish()
  let tabs = Array.from({ length: 30 }, (_, index) => openTab(browser, { isVisible: index === 7 }))
  await clock.advance(1_000)
  assert.equal(server.handshakes, 1)
  inStep(server, tabs)

  const published = []
  for (let round = 1; round <= 20; round++) {
    published.push(server.publish())
    tabs[0].kill()
    published.push(server.publish())
    tabs = tabs.slice(1)
    await clock.advance(1_000)
    assert.deepEqual([server.handshakes, live(server)], [1 + round, 1])
    inStep(server, tabs)
  }
  for (const { news } of tabs) assert.deepEqual(news, published)
  const hellos = server.received.filter((frame) => frame.type === 'hello').slice(1)
  assert.ok(hellos.every(({ resume }) => resume.epoch === 'e1' && resume.seq >= 5), 'each hand-over resumes')
})

test('a tab that opens later gets the list from the leading one, without a request of its own', async () => {
  const { clock, server, openBrowser, openTab } = createWorld()
  const browser = openBrowser()
  let requests = 0
  const { fetch } = browser
  browser.fetch = (...call) => (requests++, fetch(...call))
  for (let count = 0; count < 60; count++) server.publish()
  const first = openTab(browser)
  await clock.advance(500)
  await Promise.all([first.inbox.more(), clock.advance(500)])
  const second = openTab(browser)
  await clock.advance(500)
  inStep(server, [first, second])
  assert.deepEqual([requests, server.handshakes, second.inbox.snapshot.items.length], [1, 1, 60])
  await Promise.all([second.inbox.more(), clock.advance(500)])
  assert.equal(second.inbox.snapshot.more, false)
})

test('a tab that opens while there is no server is in step once there is one', async () => {
  const { clock, server, openBrowser, openTab } = createWorld()
  const browser = openBrowser()
  server.publish()
  const first = openTab(browser)
  await clock.advance(500)
  server.isAway = true
  server.cut(1006)
  await clock.advance(5_000)
  const second = openTab(browser)
  await clock.advance(5_000)
  assert.deepEqual([second.inbox.snapshot.status, second.inbox.snapshot.synced], ['waiting', false])
  assert.ok(second.inbox.snapshot.retryAt)
  server.isAway = false
  server.publish()
  await clock.advance(30_000)
  inStep(server, [first, second])
})

test('what one tab reads the others show, and a refusal takes it back in the one that asked', async () => {
  const { clock, server, openBrowser, openTab } = createWorld()
  const browser = openBrowser()
  const id = server.publish()
  const tabs = [openTab(browser), openTab(browser, { isVisible: false })]
  await clock.advance(500)
  const [leading, other] = tabs
  const done = other.inbox.read([id])
  assert.deepEqual([other.inbox.snapshot.unread, leading.inbox.snapshot.unread], [0, 1])
  await clock.advance(500)
  await done
  assert.deepEqual([other.inbox.snapshot.unread, leading.inbox.snapshot.unread, server.unread], [0, 0, 0])

  server.refuses = () => true
  const second = server.publish()
  await clock.advance(500)
  const refused = assert.rejects(other.inbox.remove([second]), { name: 'BelfryError', code: 'store_failed', temporary: true })
  assert.equal(other.inbox.snapshot.items.length, 1)
  await clock.advance(500)
  await refused
  assert.equal(other.inbox.snapshot.items.length, 2)
})

test('the server hears that somebody looks when it is any of the tabs, and only that one acknowledges', async () => {
  const { clock, server, openBrowser, openTab } = createWorld()
  const browser = openBrowser()
  const [leading, other] = [openTab(browser, { isVisible: false }), openTab(browser, { isVisible: false })]
  const since = () => server.received.splice(0).filter((frame) => ['ack', 'state', 'hello'].includes(frame.type))
  await clock.advance(500)
  assert.equal(since()[0].active, false)
  server.publish()
  await clock.advance(1_000)
  assert.deepEqual(since(), [])

  other.show(true)
  await clock.advance(1_000)
  assert.deepEqual(since(), [{ type: 'state', active: true }, { type: 'ack', seq: 1 }])
  // The focus goes from one tab to the other.
  other.show(true, false)
  leading.show(true)
  await clock.advance(1_000)
  server.publish()
  await clock.advance(1_000)
  assert.deepEqual(since().filter((frame) => frame.type === 'ack').at(-1), { type: 'ack', seq: 2 })
  other.show(true)
  leading.show(false)
  await clock.advance(1_000)
  leading.kill()
  await clock.advance(1_000)
  const said = since()
  const isActive = said.filter((frame) => frame.type !== 'ack').at(-1).active
  assert.equal(isActive, true, 'also on the next connection')
})

test('a tab that crashes while somebody looks at it no longer counts after two heartbeats, and one that lives goes on', async () => {
  const { clock, server, openBrowser, openTab } = createWorld()
  const browser = openBrowser()
  const [leading, other] = [openTab(browser, { isVisible: false }), openTab(browser)]
  const states = () => server.received.splice(0).filter(({ type }) => type === 'state')
  await clock.advance(1_000)
  assert.deepEqual(states().map(({ active }) => active), [true])
  await clock.advance(600_000)
  assert.deepEqual(states(), [])
  other.kill()
  await clock.advance(50_000)
  assert.deepEqual(states().map(({ active }) => active), [false])
  leading.show(true)
  await clock.advance(600_000)
  assert.deepEqual(states().map(({ active }) => active), [true])
})

test('a leading tab that is frozen is robbed by one that somebody looks at, and follows when it thaws', async () => {
  const { clock, server, openBrowser, openTab } = createWorld()
  const browser = openBrowser()
  const [leading, other] = [openTab(browser), openTab(browser, { isVisible: false })]
  await clock.advance(500)
  leading.freeze()
  await clock.advance(600_000)
  const missed = server.publish()
  other.show(true)
  await clock.advance(2_000)
  inStep(server, [other])
  assert.deepEqual(other.news, [missed])

  leading.thaw()
  await clock.advance(2_000)
  inStep(server, [leading, other])
  assert.equal(live(server), 1)
  assert.deepEqual(leading.news, [missed])
  const next = server.publish()
  await clock.advance(2_000)
  assert.deepEqual([leading.news, other.news], [[missed, next], [missed, next]])
  other.kill()
  await clock.advance(1_000)
  inStep(server, [leading])
})

test('tabs that are told that they freeze leave at once, answer nobody, and come back when they thaw', async () => {
  const { clock, server, openBrowser, openTab } = createWorld()
  const browser = openBrowser()
  const tabs = [openTab(browser, { isVisible: false }), openTab(browser, { isVisible: false }), openTab(browser)]
  const [leading, waiting, looking] = tabs
  await clock.advance(500)
  leading.freeze({ isTold: true })
  waiting.freeze({ isTold: true })
  await clock.advance(1_000)
  // Not even somebody who looks is needed, as no tab waits for the lock that cannot use it.
  const missed = server.publish()
  await clock.advance(1_000)
  inStep(server, [looking])
  assert.equal(live(server), 1)
  assert.deepEqual(tabs.map((tab) => tab.inbox.snapshot.synced), [false, false, true])

  looking.freeze({ isTold: true })
  await clock.advance(600_000)
  assert.equal(live(server), 0)
  const last = server.publish()
  // Nobody looks at them, but their titles tell what is unread.
  for (const tab of tabs) tab.thaw()
  await clock.advance(2_000)
  inStep(server, tabs)
  assert.equal(live(server), 1)
  for (const tab of tabs) assert.deepEqual(tab.news, [missed, last])
})

test('a tab that opens while the leading one is frozen does not wait for it', async () => {
  const { clock, server, openBrowser, openTab } = createWorld()
  const browser = openBrowser()
  const leading = openTab(browser, { isVisible: false })
  await clock.advance(500)
  leading.freeze()
  server.publish()
  const other = openTab(browser)
  await clock.advance(2_000)
  inStep(server, [other])
})

for (const options of [{}, { share: false }]) {
  for (const isTold of [false, true]) {
    test(`the only tab, frozen for ten minutes, is live within a second after somebody looks: told ${isTold}, ${JSON.stringify(options)}`, async () => {
      const { clock, server, openBrowser, openTab } = createWorld()
      const tab = openTab(openBrowser(), options)
      await clock.advance(500)
      tab.show(false)
      tab.freeze({ isTold })
      await clock.advance(300_000)
      server.cut(1006)
      await clock.advance(300_000)
      const missed = server.publish()
      tab.thaw()
      tab.show(true)
      await clock.advance(1_000)
      inStep(server, [tab])
      assert.equal(live(server), 1)
      assert.deepEqual(tab.news, [missed])
    })
  }
}

test('tabs of two users or two apps share nothing, and neither do those without locks, in a sandbox, or told not to', async () => {
  const { clock, server, openBrowser, openTab } = createWorld()
  const browser = openBrowser()
  const other = openBrowser()
  other.open = new Proxy(other.open, {
    apply(open, self, [options]) {
      const tab = Reflect.apply(open, self, [options])
      tab.env.navigator.locks = { request: async () => { throw Object.assign(new Error('no'), { name: 'SecurityError' }) } }
      return tab
    },
  })
  const tabs = [
    openTab(browser),
    openTab(browser, { token: async () => token('tom') }),
    openTab(browser, { token: async () => 'opaque' }),
    openTab(browser, { locks: false }),
    openTab(browser, { share: false }),
    openTab(browser, { share: 'golf' }),
    openTab(browser, { share: 'rooms' }),
    openTab(other),
  ]
  await clock.advance(1_000)
  assert.equal(server.handshakes, tabs.length)
  inStep(server, tabs)
})

test('what ends the session ends it for all tabs; what closes one tab leaves the others', async () => {
  const { clock, server, openBrowser, openTab } = createWorld()
  const browser = openBrowser()
  const tabs = Array.from({ length: 5 }, () => openTab(browser))
  await clock.advance(500)
  tabs[3].inbox.close()
  tabs[0].inbox.close()
  await clock.advance(1_000)
  assert.equal(tabs[0].inbox.snapshot.reason, 'closed')
  const left = [tabs[1], tabs[2], tabs[4]]
  inStep(server, left)
  assert.deepEqual([server.handshakes, live(server)], [2, 1])

  server.cut(4001)
  await clock.advance(3_600_000)
  for (const { inbox } of left) assert.deepEqual([inbox.snapshot.status, inbox.snapshot.reason], ['stopped', 'token_refused'])
  assert.equal(server.handshakes, 2)
})

test('a leading tab in the background whose timers stand still is reminded by one that somebody looks at', async () => {
  const { clock, server, openBrowser, openTab } = createWorld()
  const browser = openBrowser()
  const [leading, other] = [openTab(browser, { isVisible: false }), openTab(browser)]
  await clock.advance(500)
  leading.env.setTimeout = () => 0
  server.cut(1006)
  await clock.advance(45_000)
  inStep(server, [leading, other])
})
