import assert from 'node:assert/strict'
import test from 'node:test'
import { createParser } from '../src/ways/parser.js'
import { createWay } from '../src/ways/way.js'
import { seeded } from './support/clock.js'

// The parser

const stream = [
  ': hello', 'data: {"type":"ready"}', 'id: e.1', '', 'event: close', 'data:{"code":4200}', '', ':', '',
  'event: only a name', '', 'data', 'data:  two', 'data: 3', 'retry: 10', 'unknown: field', '', 'data: ü€😀', '', 'data: cut off',
]
const expected = [
  { event: '', data: '{"type":"ready"}' }, { event: 'close', data: '{"code":4200}' }, { event: '', data: '\n two\n3' }, { event: '', data: 'ü€😀' },
]

test('the parser gives the same events for each line’s end, wherever the stream is cut', () => {
  const random = seeded(3)
  for (const end of ['\n', '\r\n', '\r']) {
    const bytes = new TextEncoder().encode('\ufeff' + stream.join(end))
    for (let round = 0; round < 300; round++) {
      const parse = createParser()
      const decoder = new TextDecoder()
      const events = []
      // At first one byte after the other.
      for (let start = 0; start < bytes.length; ) {
        const size = round ? 1 + Math.floor(random() * 20) : 1
        events.push(...parse(decoder.decode(bytes.subarray(start, start + size), { stream: true })))
        start += size
      }
      assert.deepEqual(events, expected)
    }
  }
})

test('the parser takes lines whose ends differ, and no event twice for a CR and an LF in two pieces', () => {
  const parse = createParser()
  assert.deepEqual(parse('data: 1\r'), [])
  assert.deepEqual(parse('\ndata: 2\r\n\r'), [])
  assert.deepEqual(parse('\n\n\rdata: 3\n\n'), [{ event: '', data: '1\n2' }, { event: '', data: '3' }])
})

// The machine

const chance = 0.5

test('way: WebSocket comes first, and the event stream at once when it is closed before ready, or gives none in time', () => {
  const way = createWay()
  assert.deepEqual(way.begin(), { open: 'websocket', timer: 2_500 })
  assert.deepEqual(way.closed('websocket', 1006, 0, chance), { open: 'events', timer: 1_500 })
  assert.deepEqual(way.ready('events', 0, chance), { close: [], use: 'events', timer: 60_000 })

  const late = createWay()
  late.begin()
  assert.deepEqual(late.expire(2_500, chance), { close: ['websocket'], open: 'events', timer: 1_500 })
  late.ready('events', 3_000, chance)
  late.closed('events', 4200, 4_000, chance)
  assert.deepEqual(late.begin(), { open: 'events', timer: 1_500 })
  late.ready('events', 5_000, chance)
  late.closed('events', 4200, 35_000, chance)
  assert.deepEqual(late.begin(), { open: 'events', timer: 10_000 }, 'one that has worked may take longer')
})

test('way: a code of the server says nothing about the way, and when no way works the best one is first again', () => {
  for (const code of [4000, 4001, 4100, 4102, 4200, 4202]) {
    const way = createWay()
    way.begin()
    assert.deepEqual(way.closed('websocket', code, 0, chance), { timer: null, end: code })
    assert.equal(way.begin().open, 'websocket', code)
  }
  const way = createWay(1)
  assert.equal(way.begin().open, 'events')
  assert.deepEqual(way.closed('events', 0, 0, chance), { open: 'poll', timer: null })
  assert.deepEqual(way.closed('poll', 0, 0, chance), { timer: null, end: 0 })
  assert.equal(way.begin().open, 'websocket')
})

test('way: when the last way takes longer than an attempt, as with a server that is away, the best one is first again', () => {
  const way = createWay(2)
  assert.equal(way.begin().open, 'poll')
  assert.deepEqual(way.begin(), { open: 'websocket', timer: 2_500 })
  way.expire(2_500, chance)
  way.expire(1_500, chance)
  assert.equal(way.begin().open, 'websocket')
  way.ready('websocket', 0, chance)
  assert.equal(way.begin().open, 'websocket')
  // A page that was frozen in the middle of an attempt says nothing about a way that is not the last.
  assert.equal(way.begin().open, 'websocket')
})

test('way: a better way is tried while the other one is used, with longer and longer breaks, and used once it gives ready', () => {
  const way = createWay(1)
  way.begin()
  assert.equal(way.ready('events', 0, 0).timer, 45_000)
  for (const timer of [300_000, 900_000, 900_000]) {
    assert.deepEqual(way.expire(0, chance), { open: 'websocket', timer: 20_000 })
    assert.deepEqual(way.closed('websocket', 1006, 0, chance), { timer })
  }
  way.expire(0, chance)
  // Too many sessions: that is no fault of the way.
  assert.deepEqual(way.closed('websocket', 4102, 0, 1), { timer: 1_125_000 })
  way.expire(0, chance)
  assert.deepEqual(way.expire(20_000, chance), { close: ['websocket'], timer: 900_000 })
  way.expire(0, chance)
  assert.deepEqual(way.ready('websocket', 0, chance), { close: ['events'], use: 'websocket', timer: null })
  // What comes of the way that is left has no meaning: its connection is closed. The next attempt is by WebSocket.
  assert.deepEqual(way.closed('websocket', 1006, 30_000, chance), { close: [], timer: null, end: 1006 })
  assert.deepEqual(way.begin(), { open: 'websocket', timer: 10_000 }, 'one that has worked may take longer')
  way.closed('websocket', 1006, 30_000, chance)
  assert.equal(way.ready('events', 30_000, chance).timer, 60_000, 'the breaks begin anew')
})

test('way: a WebSocket that is closed soon after ready has failed; one that the server closes, or that has lasted, has not', () => {
  for (const [code, after, next] of [[1006, 29_999, 'events'], [1006, 30_000, 'websocket'], [4200, 10, 'websocket'], [4201, 10, 'websocket']]) {
    const way = createWay()
    way.begin()
    way.ready('websocket', 0, chance)
    assert.deepEqual(way.closed('websocket', code, after, chance), { close: [], timer: null, end: code })
    assert.equal(way.begin().open, next, `${code} after ${after}`)
  }
})

test('way: when the stream ends while a better way is tried, both are given up, and the next attempt begins anew', () => {
  const way = createWay(1)
  way.begin()
  way.ready('events', 0, chance)
  way.expire(60_000, chance)
  assert.deepEqual(way.closed('events', 4200, 60_001, chance), { close: ['websocket'], timer: null, end: 4200 })
  assert.equal(way.begin().open, 'events')
})

test('way: polls come last, and from there the better ways are tried in their turn', () => {
  const way = createWay()
  way.begin()
  assert.deepEqual(way.closed('websocket', 1006, 0, chance), { open: 'events', timer: 1_500 })
  assert.deepEqual(way.expire(1_500, chance), { close: ['events'], open: 'poll', timer: null })
  assert.equal(way.ready('poll', 3_000, chance).timer, 60_000)
  assert.equal(way.expire(63_000, chance).open, 'websocket')
  assert.deepEqual(way.closed('websocket', 1006, 63_000, chance), { open: 'events', timer: 20_000 })
  assert.deepEqual(way.ready('events', 63_100, chance), { close: ['poll'], use: 'events', timer: 60_000 })
})
