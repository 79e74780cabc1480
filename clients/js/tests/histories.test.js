import assert from 'node:assert/strict'
import test from 'node:test'
import { createWorld } from './support/world.js'

const pick = (random, list) => list[Math.floor(random() * list.length)]

/** One random step of a history. */
const happen = async ({ clock, random, server }, tabs) => {
  const some = () => server.rows.filter(() => random() < 0.3).map((row) => row.id)
  const tab = pick(random, tabs)
  const { inbox } = tab
  const command = (promise) => promise.catch(() => {})
  const steps = [
    () => server.publish(),
    () => server.publish(),
    () => server.grow(pick(random, server.rows)?.id, random() < 0.5),
    () => server.apply({ type: pick(random, ['read', 'remove']), ids: some() }),
    () => server.apply({ type: pick(random, ['read', 'seen']), upTo: Math.floor(random() * server.seq) }),
    () => command(inbox.read(inbox.snapshot.items.filter(() => random() < 0.3).map((row) => row.id))),
    () => command(inbox.remove(inbox.snapshot.items.filter(() => random() < 0.1).map((row) => row.id))),
    () => command(inbox.seen()),
    () => random() < 0.2 && command(inbox.read()),
    () => command(inbox.more()),
    () => command(inbox.more()),
    () => random() < 0.3 && server.cut(pick(random, [1006, 4200, 4201, 4103])),
    () => server.fold(random() < 0.3),
    () => server.unfold(),
    () => random() < 0.2 && server.restore(),
    () => (server.isAway = random() < 0.2),
    () => server.treat(pick(random, ['open', 'open', 'drop', 'swallow'])),
    () => tab.show(random() < 0.5),
    () => tab.tell('online'),
    () => (pause = random() * 40_000),
  ]
  let pause = random() * 100
  pick(random, steps)()
  await clock.advance(pause)
}

/** The rows that a client shows are the first ones of the list, each as it is. */
const expectSame = (server, { inbox }, seed) => {
  const { status, synced, way, unread, unseen, items, more } = inbox.snapshot
  const shown = items.map(({ id, rev, isRead, isSeen }) => ({ id, rev, isRead, isSeen }))
  const there = server.rows.slice(0, items.length).map(({ id, rev, isRead, isSeen }) => ({ id, rev, isRead, isSeen }))
  assert.deepEqual({ seed, status, synced, way, unread, unseen }, { seed, status: 'live', synced: true, way: 'websocket', unread: server.unread, unseen: server.unseen })
  assert.deepEqual(shown, there, `the rows of seed ${seed}`)
  if (!more) assert.equal(items.length, server.rows.length, `all rows of seed ${seed}`)
}

for (let seed = 1; seed <= 120; seed++) {
  test(`whatever happens, three devices and two tabs come to what the server has, seed ${seed}`, async () => {
    const world = createWorld({ seed, latency: 50 })
    const { clock, random, server, openBrowser, openTab } = world
    for (let count = random() * 160; count > 0; count--) server.publish()
    server.failsREST = () => random() < 0.1
    server.refuses = () => random() < 0.1
    const shared = openBrowser()
    const tabs = [openTab(openBrowser()), openTab(openBrowser(), { locks: false }), openTab(shared), openTab(shared, { isVisible: false })]
    for (let step = 0; step < 120; step++) await happen(world, tabs)

    server.isAway = false
    server.failsREST = server.refuses = () => false
    server.unfold()
    // So long that all have returned to WebSockets, too.
    server.treat('open')
    await clock.advance(1_300_000)
    for (const tab of tabs) {
      expectSame(server, tab, seed)
      assert.equal(new Set(tab.news).size, tab.news.length, 'a notification was told as new twice')
      const { items } = tab.inbox.snapshot
      assert.equal(new Set(items.map((row) => row.id)).size, items.length, 'a row stands twice')
    }
    // What is idle stays as it is, to the very objects.
    const before = tabs.map((tab) => tab.inbox.snapshot)
    await clock.advance(60_000)
    tabs.forEach((tab, index) => assert.equal(tab.inbox.snapshot, before[index]))
    for (const tab of tabs) tab.inbox.close()
  })
}
