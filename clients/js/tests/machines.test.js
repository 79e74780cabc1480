import assert from 'node:assert/strict'
import test from 'node:test'
import { createAcks } from '../src/acks.js'
import { baseOf, userOf } from '../src/address.js'
import { createFeed, createFeedHub } from '../src/feeds.js'
import { createInbox } from '../src/inbox.js'
import { intervalOf, slotOf } from '../src/pace.js'
import { createSession } from '../src/session.js'
import { createTabs } from '../src/tabs.js'

const ready = { type: 'ready', heartbeat: 25_000 }
const live = (now = 0) => {
  const session = createSession()
  session.attempt()
  session.renewed()
  session.received(ready, now)
  return session
}

test('session: each close code leads to what its hundred says', () => {
  for (const [code, status, wait] of [
    [4000, 'stopped'], [4001, 'stopped'], [4002, 'stopped'], [4003, 'stopped'], [4077, 'stopped'],
    [1002, 'stopped'], [1003, 'stopped'], [1007, 'stopped'], [1009, 'stopped'],
    [4100, 'waiting', 500], [4101, 'waiting', 500], [4199, 'waiting', 500],
    [4200, 'waiting', 0], [4201, 'waiting', 0], [4299, 'waiting', 0],
    [1000, 'waiting', 500], [1001, 'waiting', 500], [1006, 'waiting', 500], [1011, 'waiting', 500], [3000, 'waiting', 500],
  ]) {
    const session = live()
    const effects = session.closed(code, 1_000, 0.5)
    assert.equal(session.status.status, status, code)
    if (status === 'waiting') assert.deepEqual([effects.timer, session.status.retryAt], [wait, 1_000 + wait], code)
    else assert.equal(session.attempt && session.wake(2_000, 0.5), undefined)
  }
})

test('session: a server that wants the client back at once gets it at once only the first time', () => {
  const session = live()
  assert.equal(session.closed(4200, 0, 0.5).timer, 0)
  session.expire(0)
  session.received(ready, 10)
  assert.equal(session.closed(4200, 20, 0.5).timer, 1_000)
  session.expire(1_000)
  session.received(ready, 1_000)
  assert.equal(session.closed(4200, 31_000, 0.5).timer, 0, 'after a session of thirty seconds')
})

test('session: another token is asked for until there is one, and none for a network that is gone', () => {
  const session = createSession()
  assert.equal(session.attempt().open, 'first')
  session.closed(0, 0, 0)
  assert.equal(session.expire(0).open, 'first')
  session.renewed()
  session.closed(1006, 0, 0)
  assert.equal(session.expire(0).open, '')
  session.received(ready, 0)
  session.closed(4202, 0, 0)
  assert.equal(session.expire(0).open, 'expired')
})

test('session: it rests while another tab has the connection or the page is frozen, until it leads or thaws', () => {
  const session = live()
  assert.deepEqual(session.rest(), { drop: 1, timer: null })
  assert.deepEqual([session.status.status, session.closed(1006, 0, 0)], ['connecting', undefined])
  assert.equal(session.attempt().open, '')
  session.rest()
  assert.equal(session.wake(60_000, 0).open, '')
  session.stop('closed')
  assert.deepEqual([session.rest(), session.wake(60_000, 0)], [undefined, undefined])
})

test('session: it doubts WebSockets when one ends before it has lasted, or is late on a new page; never by a code of the server', () => {
  const session = createSession()
  session.attempt()
  assert.equal(session.closed(1006, 0, 0).doubt, false)
  assert.equal(session.late(0, 0), undefined, 'while it waits')
  session.expire(0)
  assert.equal(session.late(2_500, 0).doubt, true)
  session.expire(3_000)
  assert.equal(session.closed('token', 3_000, 0).doubt, undefined)
  for (const [code, lasted, doubt] of [[1006, 29_999, false], [1006, 30_000, undefined], [4100, 10, undefined], [4200, 10, undefined]]) {
    assert.equal(live().closed(code, lasted, 0).doubt, doubt, `${code} after ${lasted}`)
  }
  const known = live()
  known.closed(1006, 60_000, 0)
  known.expire(60_000)
  assert.equal(known.late(62_500, 0), undefined, 'a WebSocket has worked on this page')
})

test('session: it tells the way, which `ready` names, while it is live', () => {
  const session = live()
  assert.equal(session.status.way, 'websocket')
  session.received({ ...ready, way: 'events' }, 0)
  assert.equal(session.status.way, 'events')
  session.closed(1006, 0, 0)
  assert.equal(session.status.way, undefined)
})

const row = (number, members) => ({ id: `n${number}`, rev: 1, seq: number, isRead: false, isSeen: false, ...members })
const begun = (...rows) => {
  const inbox = createInbox()
  const seq = rows.length ? rows[0].seq : 0
  inbox.receive({ type: 'reset', epoch: 'e', seq, unread: rows.length, unseen: rows.length, notifications: rows })
  return inbox
}

test('inbox: a frame that came already is no news, and one that is not next leads to a fresh list', () => {
  const inbox = begun(row(1))
  const frame = { type: 'new', seq: 2, unread: 2, unseen: 2, notification: row(2) }
  assert.deepEqual(inbox.receive(frame).emit.map(([event]) => event), ['new'])
  assert.deepEqual(inbox.receive(frame), { emit: [], refresh: undefined })
  assert.equal(inbox.receive({ ...frame, seq: 5 }).refresh, 1)
  assert.deepEqual([inbox.lag, inbox.position], [NaN, { epoch: 'e', seq: 2 }])
})

test('inbox: a session that begins before what has come already takes no count back, and tells nothing twice', () => {
  const inbox = begun(row(1))
  const frame = { type: 'new', seq: 2, unread: 2, unseen: 2, notification: row(2) }
  inbox.receive(frame)
  inbox.receive({ type: 'ready', epoch: 'e', seq: 1, unread: 1, unseen: 1, recovered: true })
  assert.deepEqual([inbox.view.unread, inbox.lag, inbox.position.seq], [2, 0, 2])
  assert.deepEqual(inbox.receive(frame), { emit: [], refresh: undefined })
})

test('inbox: a notification is what its newest rev says, whatever comes twice', () => {
  const inbox = begun(row(1))
  const update = (seq, rev, members) => ({ type: 'update', seq, unread: 1, unseen: 1, notification: row(1, { rev, ...members }) })
  assert.equal(inbox.receive(update(2, 3, { displayText: 'three' })).emit.length, 1)
  assert.equal(inbox.receive(update(3, 2, { displayText: 'two' })).emit.length, 0)
  assert.equal(inbox.view.items[0].displayText, 'three')
})

test('inbox: commands that are under way are counted among what is loaded, and among all where they mean all', () => {
  const rows = Array.from({ length: 20 }, (_, index) => row(40 - index))
  const inbox = createInbox()
  inbox.receive({ type: 'reset', epoch: 'e', seq: 40, unread: 40, unseen: 40, notifications: rows })
  inbox.command({ id: 1, type: 'read', ids: ['n40', 'n39', 'n1'] })
  inbox.command({ id: 2, type: 'remove', ids: ['n39', 'n38'] })
  assert.deepEqual([inbox.view.unread, inbox.view.items.length], [37, 18])
  inbox.command({ id: 3, type: 'seen', upTo: 40 })
  assert.deepEqual([inbox.view.unread, inbox.view.unseen], [37, 0])
  inbox.command({ id: 4, type: 'read', upTo: 30 })
  assert.equal(inbox.view.unread, 7)
  for (const id of [1, 2, 3, 4]) inbox.settle(id)
  assert.deepEqual([inbox.view.unread, inbox.view.unseen, inbox.view.items.length], [40, 40, 20])
})

test('acks: folded for 200 ms, cumulative, only while somebody looks, and once more on another connection', () => {
  const acks = createAcks()
  const ack = (seq) => ({ post: { tell: { type: 'ack', seq } } })
  assert.deepEqual(acks.show(1, true), { fold: 200 })
  assert.equal(acks.show(3, true), undefined)
  assert.deepEqual(acks.expire(true), ack(3))
  assert.equal(acks.show(3, true), undefined)
  assert.equal(acks.show(4, false), undefined)
  assert.deepEqual(acks.show(4, true), { fold: 200 })
  assert.equal(acks.expire(false), undefined)
  acks.again()
  assert.deepEqual(acks.show(4, true), { fold: 200 })
  assert.deepEqual(acks.expire(true), ack(4))
})

test('pace: a burst, then two thirds of what the server allows, and no hour’s wait for a clock that was set back', () => {
  const interval = intervalOf({ frames: 100, framesWindow: 10_000 })
  assert.equal(interval, 150)
  let due = 0
  let sent = 0
  let now = 1_000_000
  for (const end = now + 10_000; now < end; now++) {
    due = slotOf(due, interval, now)
    if (due > now) continue
    due += interval
    sent++
  }
  assert.ok(sent > 80 && sent < 100, `${sent} frames`)
  assert.ok(slotOf(due, interval, now - 3_600_000) - (now - 3_600_000) <= interval)
})

test('tabs: what a leader of the past says is not believed, and a silent one is asked, then robbed', () => {
  const tabs = createTabs('me')
  assert.deepEqual(tabs.follow(), { follow: 1, watch: 1_500, post: { join: 1 } })
  assert.deepEqual(tabs.receive({ from: 'a', term: 10, status: 's' }), { watch: 40_000, status: 's', frame: undefined })
  assert.equal(tabs.receive({ from: 'b', term: 9, frame: 'f' }), undefined)
  assert.equal(tabs.receive({ from: 'a', term: 10, frame: 'f', to: 'you' }).frame, undefined)
  assert.deepEqual(tabs.expire(true), { watch: 1_500, post: { wake: 1 } })
  assert.deepEqual(tabs.expire(true), { steal: 1 })
  assert.equal(tabs.expire(false), undefined)
  tabs.lead(5)
  assert.ok(tabs.term > 10)
  assert.equal(tabs.receive({ from: 'a', term: tabs.term, frame: 'f' }), undefined)
  assert.equal(tabs.receive({ from: 'me', term: tabs.term, frame: 'f' }).frame, 'f')
})

test('feeds: entries come once and in order, and a place that is lost begins anew', () => {
  const feed = createFeed('posts', { epoch: 'f', offset: 5 })
  const item = (offset) => ({ type: 'item', feed: 'posts', offset, item: offset })
  const offsets = (effects) => effects?.entries?.map(({ offset, reset }) => reset || offset)
  assert.equal(feed.receive(item(6)), undefined, 'before the subscription is answered')
  feed.receive({ type: 'feed', feed: 'posts', epoch: 'f', offset: 7, recovered: true, from: 5 })
  assert.deepEqual(offsets(feed.receive(item(6))), [6])
  assert.equal(feed.receive(item(6)), undefined)
  assert.deepEqual(feed.receive({ type: 'gap', feed: 'posts', from: 7, to: 900 }), { again: 1 })
  assert.equal(feed.receive(item(901)), undefined)
  assert.equal(feed.frame.after, 0)
  assert.deepEqual(offsets(feed.receive({ type: 'feed', feed: 'posts', epoch: 'f', offset: 901, recovered: false })), [true])
  assert.deepEqual(offsets(feed.receive(item(402))), [402])
})

test('feeds: the hub asks the server once for all tabs, and again for one that is behind', () => {
  const hub = createFeedHub()
  const subscribe = (after) => ({ type: 'subscribe', feed: 'posts', after })
  assert.deepEqual(hub.tell(subscribe()), { cancel: undefined, send: subscribe() })
  assert.equal(hub.tell(subscribe()), undefined)
  const answer = { type: 'feed', feed: 'posts', epoch: 'f', offset: 7, recovered: false }
  assert.deepEqual(hub.receive(answer), { ...answer, recovered: true, from: 7 })
  const late = subscribe({ epoch: 'f', offset: 3 })
  assert.deepEqual(hub.tell(late), { cancel: 'posts', send: late })
  assert.equal(hub.receive({ ...answer, recovered: true }).from, 3)
  const leave = { type: 'unsubscribe', feed: 'posts' }
  assert.deepEqual(hub.tell(leave), { send: leave, relay: { type: 'unsubscribed', feed: 'posts' } })
})

test('addresses and users are read as people write them', () => {
  assert.equal(baseOf('ws://127.0.0.1:8080'), 'http://127.0.0.1:8080')
  assert.equal(baseOf('wss://push.example/v1/live'), 'https://push.example')
  assert.throws(() => baseOf(undefined, undefined))
  const payload = Buffer.from(JSON.stringify({ sub: 'user~?>', name: '¿é?' })).toString('base64url')
  assert.equal(userOf(`x.${payload}.y`), 'user~?>')
  assert.equal(userOf('opaque'), undefined)
})
