import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import { createWorld } from './support/world.js'

const page = readFileSync(new URL('../../../docs/clients.md', import.meta.url), 'utf8')
const source = page.match(/^```js\n\/\/ session\.js\n(.*?)^```/ms)[1].replace('export function', 'return function')
const follow = new Function('WebSocket', 'setTimeout', 'clearTimeout', 'Date', 'Math', source)

/** Sockets that tell their state, and take nothing before they are open. */
const withState = (WebSocket) => function (...address) {
  const socket = new WebSocket(...address)
  const { send } = socket
  let opened
  Object.defineProperty(socket, 'onopen', { set: (listener) => (opened = listener), get: () => () => {
    socket.readyState = 1
    opened()
  } })
  return Object.assign(socket, { readyState: 0, send: (text) => (assert.equal(socket.readyState, 1), send(text)) })
}

/** The session of the page for clients of one's own, at a simulated server. */
const open = ({ getToken = async () => 'token', isLookedAt } = {}) => {
  const world = createWorld()
  const tab = world.openBrowser().open({ locks: false })
  const { setTimeout, clearTimeout, Date } = tab.env
  const frames = []
  const attempts = []
  const count = () => (attempts.push(world.clock.elapsed), getToken())
  const math = { min: Math.min, random: tab.env.Math.random }
  const session = follow(withState(tab.env.WebSocket), setTimeout, clearTimeout, Date, math)(
    'wss://push.example/v1/live', count, (frame) => frames.push(frame), isLookedAt)
  const told = (type) => world.server.received.filter((frame) => frame.type === type)
  return { ...world, session, frames, attempts, told }
}
const types = (frames) => frames.map(({ type }) => type).filter((type) => type !== 'beat')

test('the guide’s session gets the list first, then changes, and folds acknowledgements of a burst', async () => {
  const { clock, server, frames, told } = open()
  server.publish()
  await clock.advance(1_000)
  assert.deepEqual(types(frames), ['ready', 'reset'])
  assert.deepEqual(told('ack').map(({ seq }) => seq), [1])
  for (let number = 0; number < 300; number++) {
    server.publish()
    await clock.advance(10)
  }
  await clock.advance(1_000)
  assert.equal(frames.filter(({ type }) => type === 'new').length, 300)
  assert.ok(told('ack').length < 20, `${told('ack').length} acknowledgements in 4 s`)
  assert.equal(told('ack').at(-1).seq, 301)
})

test('the guide’s session comes back behind the last change of any kind, and acknowledges once more', async () => {
  const { clock, server, frames, told } = open()
  const id = server.publish()
  await clock.advance(1_000)
  for (const change of [() => server.grow(id, true), () => server.apply({ type: 'seen', upTo: 9 }),
    () => server.apply({ type: 'read', ids: [id] }), () => server.apply({ type: 'remove', ids: [id] })]) {
    change()
    await clock.advance(1_000)
    server.cut(1006)
    server.publish()
    await clock.advance(10_000)
    assert.equal(told('hello').at(-1).resume.seq, server.seq - 1)
    assert.deepEqual(types(frames).slice(-2), ['ready', 'new'])
    assert.equal(told('ack').at(-1).seq, server.seq)
  }
  server.restore()
  await clock.advance(10_000)
  assert.deepEqual(types(frames).slice(-2), ['ready', 'reset'])
  server.fold()
  server.publish()
  await clock.advance(100)
  server.unfold()
  await clock.advance(10_000)
  assert.deepEqual(types(frames).slice(-2), ['ready', 'new'])
  assert.deepEqual(told('hello').at(-1).resume, { epoch: server.epoch, seq: server.seq - 1 })
})

test('the guide’s session waits longer and longer, also after sessions that ended right after `ready`', async () => {
  const { clock, server, attempts, frames } = open()
  const cutter = setCutter(clock, server)
  await clock.advance(600_000)
  cutter.stop()
  // 15.5 s in the mean for the first five delays, then 15 s each.
  const expected = 1 + 5 + (600 - 15.5) / 15
  assert.ok(Math.abs(attempts.length - expected) < expected * 0.4, `${attempts.length} attempts, expected ${expected}`)
  assert.ok(types(frames).filter((type) => type === 'ready').length >= attempts.length - 1)

  await clock.advance(90_000)
  assert.equal(server.sessions.size, 1)
  const before = attempts.length
  server.cut(1006)
  await clock.advance(1_100)
  assert.equal(attempts.length, before + 1, 'a session that has lasted lets the delays begin anew')
})

/** Ends each session a moment after it has begun. */
const setCutter = (clock, server) => {
  let isOn = true
  const cut = () => {
    if (!isOn) return
    server.cut(4103)
    clock.setTimeout(cut, 100)
  }
  cut()
  return { stop: () => (isOn = false) }
}

test('the guide’s session comes back at once when it is asked to, and never after a close that says stop', async () => {
  const { clock, server, attempts, frames } = open()
  await clock.advance(40_000)
  server.cut(4200)
  await clock.advance(100)
  assert.equal(attempts.length, 2)
  for (const code of [4001, 1009]) {
    const other = open()
    await other.clock.advance(1_000)
    other.server.cut(code)
    await other.clock.advance(3_600_000)
    assert.equal(other.attempts.length, 1)
    assert.deepEqual(other.frames.at(-1), { type: 'stopped', code })
  }
  const signedOut = open({ getToken: async () => null })
  await signedOut.clock.advance(3_600_000)
  assert.equal(signedOut.attempts.length, 1)
  assert.deepEqual(types(frames), ['ready', 'reset', 'ready'])
})

test('the guide’s session outlives a backend without tokens, a server that is away and a path that is dead', async () => {
  let isAway = true
  const getToken = async () => {
    if (isAway) throw new Error('away')
    return 'token'
  }
  const { clock, server, attempts } = open({ getToken })
  await clock.advance(60_000)
  assert.ok(attempts.length > 3)
  isAway = false
  server.isAway = true
  await clock.advance(60_000)
  server.isAway = false
  await clock.advance(60_000)
  assert.equal(server.sessions.size, 1)
  const before = attempts.length
  server.fold(true)
  await clock.advance(60_000)
  server.unfold()
  assert.ok(attempts.length > before, 'without a sign of life for so long the session is given up')
})

test('the guide’s session acknowledges what somebody looks at, and tells when that changes', async () => {
  let isLookedAt = false
  const { clock, server, session, told } = open({ isLookedAt: () => isLookedAt })
  server.publish()
  await clock.advance(1_000)
  assert.deepEqual([told('hello')[0].active, told('ack').length], [false, 0])
  isLookedAt = true
  session.attend()
  await clock.advance(1_000)
  assert.deepEqual([told('state')[0].active, told('ack')[0].seq], [true, 1])
})
