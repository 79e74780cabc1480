import assert from 'node:assert/strict'
import test from 'node:test'
import { connect } from '../belfry.js'
import { createSession } from '../src/session.js'
import { Browser } from './support/browser.js'
import { Clock, seeded } from './support/clock.js'

/** `make client-crowd` takes ten thousand, which takes two minutes. */
const crowdSize = Number(process.env.CROWD ?? 1_000)

/** Clients of their own, at sockets that a test drives. */
const crowd = (count, react) => {
  const clock = new Clock()
  const random = seeded(7)
  const attempts = []
  const WebSocket = (tab) => {
    const socket = { send() {}, close() {} }
    attempts.push({ at: clock.elapsed, tab })
    react(socket, clock)
    return socket
  }
  const tabs = Array.from({ length: count }, () => {
    const tab = new Browser({ clock, random, WebSocket }).open({ locks: false })
    tab.inbox = connect({ url: 'wss://push.example', token: async () => 'token' }, tab.env)
    return tab
  })
  return { clock, tabs, attempts }
}

test('ten thousand clients whose key is revoked make one attempt each, and none after the refusal', async () => {
  const { clock, tabs, attempts } = crowd(10_000, (socket, clock) => {
    clock.setTimeout(() => socket.onopen({}), 10)
    clock.setTimeout(() => socket.onclose({ code: 4001 }), 20)
  })
  await clock.advance(1_000)
  assert.equal(attempts.length, 10_000)
  assert.ok(tabs.every(({ inbox }) => inbox.snapshot.status === 'stopped'))
  for (const tab of tabs) tab.show(true)
  for (const tab of tabs) tab.tell('online')
  await clock.advance(3_600_000)
  assert.equal(attempts.length, 10_000)
})

/** Attempts of so many clients in ten minutes: uniform delays from 0 to 1, 2, 4, 8, 16, 30, 30, … seconds. */
const expectFullJitter = (attempts, count) => {
  // 15.5 s in the mean for the first five delays, then 15 s each.
  const expected = 1 + 5 + (600 - 15.5) / 15
  const mean = attempts.length / count
  assert.ok(Math.abs(mean - expected) < expected * 0.05, `${mean} attempts a client, expected ${expected}`)

  const seconds = new Array(600).fill(0)
  for (const { at } of attempts) seconds[Math.min(599, Math.floor(at / 1_000))]++
  const settled = seconds.slice(120)
  const usual = settled.reduce((sum, value) => sum + value) / settled.length
  assert.ok(Math.max(...settled) < usual * 1.6, `at most ${Math.max(...settled)} a second, usually ${usual}`)
  assert.ok(Math.min(...settled) > usual * 0.4)

  // The first delay of a client is uniform within a second.
  const firsts = new Map()
  for (const { at, tab } of attempts) if (at > 0 && !firsts.has(tab)) firsts.set(tab, at)
  const quarters = [0, 0, 0, 0]
  for (const at of firsts.values()) quarters[Math.min(3, Math.floor(at / 250))]++
  for (const quarter of quarters) assert.ok(Math.abs(quarter - count / 4) < count * 0.05, `quarters ${quarters}`)
}

test('ten minutes without a server: attempts of a thousand clients are spread as full jitter says', async () => {
  const count = crowdSize
  const { clock, attempts } = crowd(count, (socket, clock) => clock.setTimeout(() => socket.onclose({ code: 1006 }), 0))
  await clock.advance(600_000)
  expectFullJitter(attempts, count)
})

test('ten minutes without a server: the same for the machines of ten thousand clients, which take less time to play', () => {
  const random = seeded(11)
  const attempts = []
  for (let tab = 0; tab < 10_000; tab++) {
    const session = createSession()
    let effects = session.attempt()
    for (let at = 0; at < 600_000; at += effects.timer) {
      if (at > 0) effects = session.expire(at, random())
      assert.equal(typeof effects.open, 'string')
      attempts.push({ at, tab })
      effects = session.closed(1006, at, random())
    }
  }
  expectFullJitter(attempts, 10_000)
})
