import assert from 'node:assert/strict'
import test from 'node:test'
import { createWorld } from './support/world.js'

const follow = (tab, name, options) => {
  const entries = []
  const undo = tab.inbox.feed(name, options).subscribe(
    (entry) => entries.push(entry.reset ? 'reset' : entry.offset),
    (error) => entries.push(error?.code ?? 'end'),
  )
  return { entries, undo }
}
const range = (from, to) => Array.from({ length: to - from + 1 }, (_, index) => from + index)
const publish = (server, count = 1) => {
  for (; count > 0; count--) server.publishItem('posts', { title: 'hello' })
}

test('a subscription begins with the next item, or behind a place, or with the newest', async () => {
  const { clock, server, openBrowser, openTab } = createWorld()
  publish(server, 3)
  const feeds = [undefined, { after: { epoch: 'f1', offset: 1 } }, { after: 0 }, { after: { epoch: 'old', offset: 2 } }].map((options) => {
    const tab = openTab(openBrowser())
    return follow(tab, 'posts', options)
  })
  await clock.advance(500)
  publish(server)
  await clock.advance(500)
  assert.deepEqual(feeds.map(({ entries }) => entries), [[4], [2, 3, 4], ['reset', 1, 2, 3, 4], ['reset', 1, 2, 3, 4]])
})

test('a feed goes on where it was after each reconnect, and starts anew where too much was missed', async () => {
  const { clock, server, openBrowser, openTab } = createWorld()
  const tab = openTab(openBrowser())
  const { entries } = follow(tab, 'posts')
  await clock.advance(500)
  for (let round = 0; round < 5; round++) {
    publish(server)
    await clock.advance(40_000)
    server.cut(1006)
    publish(server, 2)
    await clock.advance(2_000)
  }
  assert.deepEqual(entries, range(1, 15))
  await clock.advance(40_000)
  server.cut(1006)
  publish(server, 600)
  await clock.advance(2_000)
  assert.deepEqual(entries.slice(15), ['reset', ...range(116, 615)])
})

test('tabs that share a connection each follow a feed from where they are', async () => {
  const { clock, server, openBrowser, openTab } = createWorld()
  const browser = openBrowser()
  publish(server, 10)
  const tabs = [openTab(browser), openTab(browser), openTab(browser)]
  await clock.advance(500)
  const first = follow(tabs[1], 'posts')
  await clock.advance(500)
  const second = follow(tabs[0], 'posts', { after: { epoch: 'f1', offset: 7 } })
  const third = follow(tabs[2], 'posts', { after: { epoch: 'f1', offset: 3 } })
  publish(server)
  await clock.advance(5_000)
  publish(server)
  await clock.advance(5_000)
  assert.deepEqual([first.entries, second.entries, third.entries], [[11, 12], range(8, 12), range(4, 12)])

  first.undo()
  await clock.advance(1_000)
  publish(server)
  await clock.advance(1_000)
  tabs[0].kill()
  publish(server)
  await clock.advance(3_000)
  assert.deepEqual([first.entries.length, third.entries], [2, range(4, 14)])
  const subscribes = server.received.filter((frame) => frame.type === 'subscribe').length
  assert.ok(subscribes <= 8, `${subscribes} subscriptions`)
})

test('thirty tabs that follow one feed subscribe once after a reconnect', async () => {
  const { clock, server, openBrowser, openTab } = createWorld()
  const browser = openBrowser()
  const tabs = Array.from({ length: 30 }, () => openTab(browser))
  const feeds = tabs.map((tab) => follow(tab, 'posts'))
  await clock.advance(40_000)
  server.received = []
  server.cut(1006)
  publish(server, 2)
  await clock.advance(5_000)
  assert.equal(server.received.filter((frame) => frame.type === 'subscribe').length, 1)
  for (const { entries } of feeds) assert.deepEqual(entries, [1, 2])
})

test('as an async iterator: items as they come, the end when the app closes, an error when the feed is refused', async () => {
  const { clock, server, openBrowser, openTab } = createWorld()
  const tab = openTab(openBrowser())
  const titles = []
  const reading = (async () => {
    for await (const { item } of tab.inbox.feed('posts', { after: 0 })) if (item) titles.push(item.title)
  })()
  const two = (async () => {
    const offsets = []
    for await (const { offset } of tab.inbox.feed('posts')) {
      offsets.push(offset)
      if (offsets.length === 2) return offsets
    }
  })()
  const refused = assert.rejects(async () => {
    for await (const entry of tab.inbox.feed('secret')) assert.fail(entry)
  }, { name: 'BelfryError', code: 'feed_refused', temporary: false })
  await clock.advance(500)
  publish(server, 3)
  await clock.advance(500)
  await refused
  assert.deepEqual(await two, [1, 2])
  tab.inbox.close()
  await reading
  assert.deepEqual(titles, ['hello', 'hello', 'hello'])
})

test('a refused feed is told to every tab that asked for it, and asked for no more', async () => {
  const { clock, server, openBrowser, openTab } = createWorld()
  const browser = openBrowser()
  const tabs = [openTab(browser), openTab(browser), openTab(browser)]
  await clock.advance(500)
  const feeds = tabs.map((tab) => follow(tab, 'secret'))
  await clock.advance(60_000)
  for (const { entries } of feeds) assert.deepEqual(entries, ['feed_refused'])
  assert.ok(server.received.filter((frame) => frame.type === 'subscribe').length <= 3)
})

test('a subscription that ends at the server is made again', async () => {
  const { clock, server, openBrowser, openTab } = createWorld()
  const tab = openTab(openBrowser())
  const { entries } = follow(tab, 'posts')
  await clock.advance(500)
  publish(server)
  await clock.advance(500)
  for (const session of server.sessions) {
    session.receive({ type: 'unsubscribe', feed: 'posts' })
    session.send({ type: 'unsubscribed', feed: 'posts', code: 'feed_changed' })
  }
  publish(server)
  await clock.advance(500)
  publish(server)
  await clock.advance(500)
  assert.deepEqual(entries, [1, 2, 3])
})

test('a gap in the middle, as a slow reader gets it, starts the feed anew with the newest', async () => {
  const { clock, server, openBrowser, openTab } = createWorld()
  const tab = openTab(openBrowser())
  const { entries } = follow(tab, 'posts')
  await clock.advance(500)
  publish(server, 2)
  await clock.advance(500)
  server.feed('posts').items.push({ offset: 3, item: {} }, { offset: 4, item: {} })
  for (const session of server.sessions) session.send({ type: 'gap', feed: 'posts', from: 3, to: 4 })
  publish(server)
  await clock.advance(500)
  assert.deepEqual(entries, [1, 2, 'reset', ...range(1, 5)])
})
