// What users of other clients complain about, each with a test that it does not happen here.

import assert from 'node:assert/strict'
import test from 'node:test'
import { createWorld, token } from './support/world.js'

const open = async (options, prepare = () => {}) => {
  const world = createWorld()
  prepare(world)
  const tab = world.openTab(world.openBrowser(), options)
  await world.clock.advance(500)
  return { ...world, tab, inbox: tab.inbox }
}

test('the bell and the list agree after mark-as-read, also while the server refuses, is slow or counts otherwise', async () => {
  const { clock, random, server, tab, inbox } = await open({}, ({ server }) => Array.from({ length: 15 }, () => server.publish()))
  server.refuses = () => random() < 0.4
  const agree = () => {
    const { unread, items } = inbox.snapshot
    assert.equal(unread, items.filter((row) => !row.isRead).length)
  }
  inbox.subscribe(agree)
  for (let round = 0; round < 200; round++) {
    const { items } = inbox.snapshot
    const row = items[Math.floor(random() * items.length)]
    const step = random()
    if (step < 0.4 && row) inbox.read([row.id]).catch(() => {})
    else if (step < 0.5 && row) inbox.remove([row.id]).catch(() => {})
    else if (step < 0.55) inbox.read().catch(() => {})
    else server.publish()
    agree()
    await clock.advance(random() * 30)
  }
  server.refuses = () => false
  await clock.advance(60_000)
  agree()
  assert.equal(inbox.snapshot.unread, server.unread)
  tab.inbox.close()
})

test('new items come without a reload after the network was gone without a word', async () => {
  const { clock, server, tab, inbox } = await open()
  // Nothing comes through any more, and nobody closes.
  for (const session of server.sessions) session.deliver = () => {}
  const id = server.publish()
  await clock.advance(40_000)
  assert.deepEqual([tab.news, inbox.snapshot.synced], [[id], true])
  inbox.close()
})

test('while it waits, the snapshot tells whether it is for a token that cannot be had', async () => {
  const reasonWith = async (options) => {
    const world = createWorld()
    world.server.isAway = true
    const { inbox } = world.openTab(world.openBrowser(), options)
    await world.clock.advance(60_000)
    const { status, reason } = inbox.snapshot
    inbox.close()
    return [status, reason]
  }
  const token = async () => {
    throw new Error('HTTP 500')
  }
  assert.deepEqual(await reasonWith({}), ['waiting', undefined])
  assert.deepEqual(await reasonWith({ token }), ['waiting', 'token'])
})

test('the session goes on when the token is changed, and each refresh asks for a fresh one', async () => {
  const given = []
  const { clock, server, inbox } = await open({ token: async ({ reason }) => (given.push(reason), token() + given.length) })
  for (const session of server.sessions) session.send({ type: 'renew', within: 25_000 })
  await clock.advance(1_000)
  server.cut(4202)
  await clock.advance(1_000)
  assert.deepEqual(given, ['first', 'renew', 'expired'])
  const tokens = server.received.filter((frame) => frame.token).map((frame) => frame.token.slice(-1))
  assert.deepEqual(tokens, ['1', '2', '3'])
  assert.deepEqual([server.handshakes, inbox.snapshot.synced], [2, true])
  inbox.close()
})

test('an app can see that its token was refused, and that it cannot get one', async () => {
  const statuses = []
  const { clock, server, inbox } = await open({}, ({ server }) => (server.admit = () => 4001))
  assert.deepEqual([inbox.snapshot.status, inbox.snapshot.reason], ['stopped', 'token_refused'])
  let fails = true
  const failing = await open({
    token: async () => {
      if (fails) throw new Error('the backend is down')
      return token()
    },
  })
  failing.inbox.on('status', ({ status }) => statuses.push(status))
  assert.equal(failing.inbox.snapshot.status, 'waiting')
  await failing.clock.advance(20_000)
  fails = false
  await failing.clock.advance(30_000)
  assert.equal(failing.inbox.snapshot.synced, true)
  assert.equal(statuses.at(-1), 'live')
  assert.equal(server.handshakes, 1)
  await clock.advance(0)
  failing.inbox.close()
})

test('a token that expired while the device slept is replaced when it wakes', async () => {
  const given = []
  const { clock, server, tab, inbox } = await open({ token: async ({ reason }) => (given.push(reason), token() + given.length) })
  tab.show(false)
  tab.freeze()
  server.cut(4202)
  await clock.advance(3_600_000)
  server.admit = (text) => (text.endsWith('1') ? 4202 : 0)
  const id = server.publish()
  tab.thaw()
  tab.show(true)
  await clock.advance(1_000)
  assert.deepEqual([given, inbox.snapshot.synced, tab.news], [['first', 'expired'], true, [id]])
  inbox.close()
})

test('it never comes back after the app has closed it, at whatever moment that was', async () => {
  for (let moment = 0; moment < 200; moment += 5) {
    const world = createWorld({ seed: moment + 1 })
    const { clock, server, openBrowser, openTab } = world
    if (moment % 2) server.isAway = true
    const tab = openTab(openBrowser(), { locks: moment % 3 > 0 })
    await clock.advance(moment)
    tab.inbox.close()
    const { handshakes } = server
    tab.show(false)
    tab.show(true)
    tab.tell('online')
    await clock.advance(600_000)
    assert.equal(server.handshakes, handshakes)
    assert.equal(server.sessions.size, 0)
    assert.equal(tab.inbox.snapshot.reason, 'closed')
  }
})

test('timers that stand still, as with developer tools open or in a frozen page, cost nothing but the time', async () => {
  const { clock, server, tab, inbox } = await open()
  for (const seconds of [20, 30, 45, 600]) {
    tab.freeze()
    await clock.advance(seconds * 1_000)
    server.publish()
    tab.thaw()
    await clock.advance(2_000)
    assert.deepEqual([inbox.snapshot.status, inbox.snapshot.synced], ['live', true])
  }
  assert.equal(tab.news.length, 4)
  inbox.close()
})
