import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { connect as connectBuilt } from '../dist/belfry.js'
// Loaded before simulated time begins.
import '../dist/belfry-ways.js'
import { createWorld, token } from './support/world.js'

const open = (sockets = 'open', options, kept) => {
  const world = createWorld()
  const { server } = world
  server.treat(sockets, kept)
  const browser = world.openBrowser()
  const calls = []
  const { fetch } = browser
  browser.fetch = (tab, url, options) => (calls.push({ ...options, url }), fetch(tab, url, options))
  const tab = world.openTab(browser, options)
  const streams = () => [...server.sessions].filter(({ isStream }) => isStream).length
  const told = (type) => server.received.filter((frame) => frame.type === type)
  return { ...world, browser, tab, inbox: tab.inbox, calls, streams, told }
}
const inSync = ({ server, inbox, tab }, way, published) => {
  const { status, synced, unread } = inbox.snapshot
  assert.deepEqual({ status, synced, way: inbox.snapshot.way, unread }, { status: 'live', synced: true, way, unread: server.unread })
  assert.deepEqual(tab.news, published)
}

for (const [sockets, within] of [['drop', 1_500], ['swallow', 4_000]]) {
  test(`where a network lets WebSockets ${sockets}, the page is live by an event stream, and its token is in no address`, async () => {
    const world = open(sockets)
    const { clock, server, inbox, calls } = world
    await clock.advance(within)
    const published = [server.publish(), server.publish()]
    await clock.advance(500)
    inSync(world, 'events', published)
    const done = Promise.all([inbox.read([published[0]]), inbox.read([published[1]])])
    await clock.advance(500)
    await done
    assert.equal(server.unread, 0)
    assert.ok(calls.length >= 2)
    for (const { url, headers } of calls) assert.deepEqual([url.includes(token()), headers.authorization], [false, `Bearer ${token()}`])
    // Somebody looks, so what is shown is acknowledged.
    assert.equal(world.told('ack').at(-1).seq, server.seq)
    inbox.close()
    await clock.advance(1_000)
    assert.deepEqual([server.sessions.size, inbox.snapshot.way], [0, undefined])
  })
}

test('the page returns to WebSockets, without a moment without a connection, and with its feeds and commands', async () => {
  const world = open('drop')
  const { clock, server, inbox } = world
  await clock.advance(1_500)
  const entries = []
  inbox.feed('posts', { after: 0 }).subscribe((entry) => entries.push(entry.item))
  const statuses = new Set()
  inbox.subscribe(({ status }) => statuses.add(status))
  server.treat('open')
  const published = []
  const items = []
  const commands = []
  // The first try comes after 45 to 75 seconds.
  for (let second = 0; second < 80; second += 0.05) {
    published.push(server.publish())
    server.publishItem('posts', items.push(items.length))
    if (published.length % 50 === 0) commands.push(inbox.read([published.at(-50)]))
    await clock.advance(50)
  }
  await clock.advance(1_000)
  await Promise.all(commands)
  assert.deepEqual([...statuses], ['live'])
  inSync(world, 'websocket', published)
  assert.deepEqual(entries.filter(Number.isFinite), items.map((_, index) => index + 1))
  assert.deepEqual([server.sessions.size, world.streams()], [1, 0])
  // It lasts, so it is the first way of the next attempt, too.
  await clock.advance(30_000)
  server.cut(1006)
  await clock.advance(2_000)
  inSync(world, 'websocket', published)
  inbox.close()
})

test('over fifty changes of the way nothing is lost or told twice', async () => {
  const world = open()
  const { clock, random, server, inbox } = world
  const published = []
  for (let change = 0; change < 50; change++) {
    server.treat(change % 2 ? 'open' : random() < 0.5 ? 'drop' : 'swallow')
    for (let time = 0; time < 90_000; time += 1_000) {
      if (random() < 0.3) published.push(server.publish())
      await clock.advance(random() * 2_000)
    }
    await clock.advance(change % 2 ? 1_200_000 : 60_000)
    inSync(world, change % 2 ? 'websocket' : 'events', published)
  }
  inbox.close()
})

for (const [sockets, within] of [['drop', 3_500], ['swallow', 5_500]]) {
  test(`where a network lets WebSockets ${sockets} and keeps streams back, the page is live by polls, and leaves in order`, async () => {
    const world = open(sockets, {}, 'keep')
    const { clock, server, inbox, calls } = world
    await clock.advance(within)
    const published = [server.publish(), server.publish()]
    await clock.advance(500)
    inSync(world, 'poll', published)
    const done = Promise.all([inbox.read([published[0]]), inbox.read([published[1]])])
    await clock.advance(500)
    await done
    assert.equal(server.unread, 0)
    for (const { url, headers } of calls) assert.deepEqual([url.includes(token()), headers.authorization], [false, `Bearer ${token()}`])
    assert.equal(world.told('ack').at(-1).seq, server.seq)
    inbox.close()
    await clock.advance(1_000)
    assert.deepEqual([server.sessions.size, server.polls.size], [0, 0])
    assert.ok(calls.at(-1).keepalive)
  })
}

test('answers to polls that get lost are asked for again, and a session that is lost is replaced', async () => {
  const world = open('drop', {}, 'keep')
  const { clock, random, server, inbox } = world
  await clock.advance(4_000)
  server.losesAnswer = () => random() < 0.3
  const published = []
  for (let round = 0; round < 200; round++) {
    if (random() < 0.5) published.push(server.publish())
    if (round === 100) server.polls.clear()
    await clock.advance(random() * 1_000)
  }
  delete server.losesAnswer
  await clock.advance(40_000)
  inSync(world, 'poll', published)
  inbox.close()
})

test('a poll with a token that counts no more goes on with the next one, in the same session', async () => {
  let count = 0
  const world = open('drop', { share: false, token: async () => `token-${++count}` }, 'keep')
  const { clock, server, inbox } = world
  await clock.advance(4_000)
  const { opened } = server
  server.admit = (token) => (token === 'token-1' ? 4001 : 0)
  for (const session of server.sessions) session.send({ type: 'renew', within: 5_000 })
  await clock.advance(2_000)
  const published = [server.publish()]
  await clock.advance(500)
  assert.deepEqual([server.opened, inbox.snapshot.items.length], [opened, published.length])
  inSync(world, 'poll', published)
  inbox.close()
})

for (const way of ['events', 'poll']) {
  test(`a revoked token is replaced at once, by ${way}, and only what was missed comes on the new session`, async () => {
    const reasons = []
    const options = { share: false, token: async ({ reason }) => `${reason}-${reasons.push(reason)}` }
    const world = open('drop', options, way === 'poll' ? 'keep' : 'open')
    const { clock, server, inbox } = world
    await clock.advance(35_000)
    const published = [server.publish()]
    await clock.advance(500)
    server.admit = (token) => (token === 'first-1' ? 'token_revoked' : 0)
    if (way === 'events') server.cut(4202)
    // Of a session that polls, the end is not told to a poll that comes late.
    else for (const poll of server.polls.values()) poll.session.send({ type: 'beat', seq: server.seq, unread: server.unread })
    published.push(server.publish())
    await clock.advance(3_000)
    assert.deepEqual(reasons, ['first', 'expired'])
    inSync(world, way, published)
    inbox.close()
  })
}

test('over fifty changes among all three ways nothing is lost or told twice', async () => {
  const world = open()
  const { clock, random, server, inbox } = world
  await clock.advance(1_000)
  const published = []
  for (let change = 0; change < 50; change++) {
    const way = ['poll', 'websocket', 'events'][change % 3]
    server.treat(way === 'websocket' ? 'open' : random() < 0.5 ? 'drop' : 'swallow', way === 'poll' ? 'keep' : 'open')
    for (let time = 0; time < 90_000; time += 1_000) {
      if (random() < 0.3) published.push(server.publish())
      await clock.advance(random() * 2_000)
    }
    await clock.advance(1_200_000)
    inSync(world, way, published)
  }
  assert.ok(published.length > 1_000)
  inbox.close()
})

test('a tab that leads passes on what its stream brings, and the next one goes its own way', async () => {
  const world = open('drop')
  const { clock, server, browser, tab } = world
  await clock.advance(1_500)
  const other = world.openTab(browser)
  await clock.advance(500)
  const published = [server.publish()]
  await clock.advance(500)
  for (const one of [tab, other]) inSync({ ...world, inbox: one.inbox, tab: one }, 'events', published)
  assert.equal(server.sessions.size, 1)
  tab.kill()
  await clock.advance(3_000)
  published.push(server.publish())
  await clock.advance(500)
  inSync({ ...world, inbox: other.inbox, tab: other }, 'events', published)
})

test('the stream’s codes mean what a WebSocket’s do: now, later, or never', async () => {
  for (const [code, status] of [[4200, 'live'], [4202, 'live'], [4100, 'waiting'], [4001, 'stopped']]) {
    const world = open('drop')
    // A session that has lasted is replaced at once.
    await world.clock.advance(32_000)
    world.tab.env.Math.random = () => 1
    world.server.cut(code)
    await world.clock.advance(700)
    assert.equal(world.inbox.snapshot.status, status, code)
  }
})

test('a token that is refused in the header ends the client, and one that has expired is asked for anew', async () => {
  const reasons = []
  let lifetime = 1
  const world = open('drop', {
    token: async ({ reason }) => {
      reasons.push(reason)
      return token()
    },
  })
  world.server.admit = () => (lifetime-- > 0 ? 4202 : 0)
  await world.clock.advance(5_000)
  assert.deepEqual([world.inbox.snapshot.status, reasons], ['live', ['first', 'expired']])
  world.server.admit = () => 4001
  world.server.cut(4201)
  await world.clock.advance(10_000)
  assert.deepEqual([world.inbox.snapshot.status, world.inbox.snapshot.reason], ['stopped', 'token_refused'])
})

test('a new token goes in the header of its own frame', async () => {
  let count = 0
  const world = open('drop', { share: false, token: async () => `token-${++count}` })
  await world.clock.advance(1_500)
  for (const session of world.server.sessions) session.send({ type: 'renew', within: 5_000 })
  await world.clock.advance(500)
  const { headers, body } = world.calls.find(({ body }) => body?.includes('"type":"token"'))
  assert.deepEqual([headers.authorization, JSON.parse(body).token], ['Bearer token-2', 'token-2'])
  world.inbox.close()
})

test('a session that another node has, or that is over, is replaced, and its commands are sent again', async () => {
  const world = open('drop')
  const { clock, server, inbox } = world
  await clock.advance(1_500)
  const id = server.publish()
  await clock.advance(500)
  // The stream stays open, but whoever gets the POST does not know it.
  for (const session of server.sessions) session.name = 'elsewhere'
  const done = inbox.read([id])
  await clock.advance(3_000)
  await done
  inSync(world, 'events', [id])
  assert.equal(server.unread, 0)
  inbox.close()
})

test('a POST that gets no answer ends the session, and its commands are sent again', async () => {
  const world = open('drop')
  const { clock, server, browser, inbox } = world
  await clock.advance(32_000)
  const id = server.publish()
  await clock.advance(500)
  const { fetch } = browser
  browser.fetch = (tab, url, options) =>
    options.method === 'POST' ? ((browser.fetch = fetch), new Promise(() => {})) : fetch(tab, url, options)
  const done = inbox.read([id])
  await clock.advance(25_000)
  await done
  inSync(world, 'events', [id])
  assert.equal(server.unread, 0)
  inbox.close()
})

test('frames that come while a POST is under way go together in the next one, in their order', async () => {
  const world = open('drop')
  const { clock, server, inbox, calls, told } = world
  await clock.advance(1_500)
  const ids = Array.from({ length: 15 }, () => server.publish())
  await clock.advance(500)
  const before = calls.length
  const done = Promise.all(ids.map((id) => inbox.read([id])))
  await clock.advance(1_000)
  await done
  assert.deepEqual(told('read').map(({ ids: [id] }) => id), ids)
  assert.equal(calls.slice(before).filter(({ body }) => body.includes('"read"')).length, 2)
  inbox.close()
})

test('a stream that says nothing any more is given up like a WebSocket', async () => {
  const world = open('drop')
  const { clock, server, inbox } = world
  await clock.advance(1_500)
  for (const session of server.sessions) session.deliver = () => {}
  const id = server.publish()
  await clock.advance(40_000)
  inSync(world, 'events', [id])
  inbox.close()
})

test('without a server both ways are tried in each attempt, at the usual times, and WebSocket is first when it is back', async () => {
  const world = open()
  const { clock, server, inbox, calls } = world
  server.isAway = true
  await clock.advance(600_000)
  // As `crowds.test.js` says: some 45 attempts in ten minutes.
  assert.ok(server.handshakes > 25 && server.handshakes < 70, `${server.handshakes} attempts`)
  const streams = calls.filter(({ url }) => url.includes('/events?')).length
  assert.ok(server.handshakes - streams <= 2, `${streams} streams`)
  server.isAway = false
  await clock.advance(31_000)
  inSync(world, 'websocket', [])
  inbox.close()
})

test('a page that has no trouble, or does not want the other ways, never loads them', async () => {
  for (const [sockets, options] of [['open', {}], ['drop', { fallback: false }], ['swallow', { fallback: false }]]) {
    const world = open(sockets, options)
    await world.clock.advance(120_000)
    assert.deepEqual([world.streams(), world.calls.length], [0, 0], sockets)
    assert.equal(world.inbox.snapshot.way, sockets === 'open' ? 'websocket' : undefined)
    world.inbox.close()
  }
})

const bundle = (entry) => {
  const folder = mkdtempSync(join(tmpdir(), 'belfry-'))
  const path = join(folder, 'app.mjs')
  const source = fileURLToPath(new URL(entry, import.meta.url))
  execFileSync('esbuild', [source, '--bundle', '--format=esm', `--outfile=${path}`, '--log-level=warning'])
  return import(pathToFileURL(path)).finally(() => rmSync(folder, { recursive: true }))
}
test('the minified files, and an app that bundles the client, go another way just the same', async () => {
  const bundled = await Promise.all(['../belfry.js', '../dist/belfry.js'].map(bundle))
  for (const connect of [connectBuilt, ...bundled.map(({ connect }) => connect)]) {
    const { clock, server, openBrowser } = createWorld()
    server.treat('drop')
    const tab = openBrowser().open()
    const inbox = connect({ url: 'wss://push.example', token: async () => token() }, tab.env)
    await clock.advance(3_000)
    const id = server.publish()
    await clock.advance(500)
    assert.deepEqual([inbox.snapshot.way, inbox.snapshot.items[0].id], ['events', id])
    inbox.close()
  }
})
