import assert from 'node:assert/strict'
import { Browser } from './browser.js'
import { Clock, settle } from './clock.js'
import { match } from './match.js'

/** Notifications numbered `newest` downwards, as the server would list them. */
const rows = ({ newest, count, ...members }) =>
  Array.from({ length: count }, (_, index) => row(newest - index, members))
const row = (number, members = {}) => ({
  id: `n1-${number}`,
  type: 'ROOM_LIKE',
  displayText: `notification ${number}`,
  isRead: false,
  isSeen: false,
  rev: 1,
  seq: number,
  ...members,
})

/** Replaces `{"$row": …}`, `{"$rows": …}` and, in the `index`th round of a loop, `{"$i": …}`. */
const expand = (value, index) => {
  if (Array.isArray(value)) return value.map((element) => expand(element, index))
  if (value === null || typeof value !== 'object') return value
  if ('$i' in value) return value.$i.start + value.$i.step * index
  if ('$rows' in value) return rows(expand(value.$rows, index))
  if ('$row' in value) {
    const { number, ...members } = expand(value.$row, index)
    return row(number, members)
  }
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, expand(member, index)]))
}

/** Runs one scenario against a client; see `clients/scenarios/README.md`. */
export class ScenarioRun {
  #clock = new Clock()
  #sent = []
  #events = []
  #requests = []
  #asked = []
  #asking = {}
  #results = {}
  #socketCount = 0
  #socket
  #chance = 0.5
  #expected = { httpCount: 0 }

  constructor(connect, scenario) {
    Object.assign(this, { connect, scenario })
  }

  async run() {
    const { options = {}, steps } = this.scenario
    const browser = new Browser({
      clock: this.#clock,
      random: () => this.#chance,
      WebSocket: (tab) => this.#open(tab),
      fetch: (tab, url, options) => new Promise((resolve, reject) => this.#requests.push({ url, options, resolve, reject })),
    })
    this.tab = browser.open({ locks: false, isVisible: options.attention !== false })
    const tokens = [...(options.tokens || ['token-1'])]
    this.inbox = this.connect(
      {
        url: 'wss://push.example',
        // Scenarios are about WebSockets.
        fallback: false,
        token: async ({ reason }) => {
          this.#asked.push(reason)
          const answer = tokens.length > 1 ? tokens.shift() : tokens[0]
          if (answer?.fails) throw new Error('the app has no token now')
          return answer
        },
      },
      this.tab.env,
    )
    const tell = (event, detail) => this.#events.push([event, detail])
    for (const event of ['new', 'update', 'gone', 'reset', 'prefs']) {
      this.inbox.on(event, (detail) => tell(event, event === 'gone' ? detail : event === 'reset' ? null : (detail.id ?? detail.rev)))
    }
    await settle()
    await this.#steps(steps)
    this.inbox.close()
    await settle()
  }

  #open(tab) {
    const socket = {
      send: (text) => {
        const frame = JSON.parse(text)
        this.#sent.push(frame)
        if (frame.id) this.#asking[frame.type] = frame.id
      },
      close: () => (socket.isClosed = true),
    }
    tab.sockets.push(socket)
    this.#socketCount++
    this.#socket = socket
    return socket
  }

  async #steps(steps, index) {
    for (const [number, step] of steps.entries()) {
      try {
        await this.#step(expand(step, index))
        await settle()
      } catch (error) {
        if (!error.isPlaced) error.message = `step ${number} ${JSON.stringify(step).slice(0, 160)}: ${error.message}`
        error.isPlaced = true
        throw error
      }
    }
  }

  async #step(step) {
    const [name] = Object.keys(step)
    const value = step[name]
    const socket = this.#socket
    switch (name) {
      case 'loop':
        for (let round = 0; round < value.times; round++) await this.#steps(this.scenario.loops[value.steps], round)
        return
      case 'socket':
        assert.ok(socket && !socket.isClosed, 'there is no socket')
        if (value === 'open') return this.tab.run(() => socket.onopen?.({}))
        socket.isClosed = true
        if (value === 'fail') return this.tab.run(() => socket.onerror?.({}))
        return this.tab.run(() => socket.onclose?.({ code: value.close }))
      case 'server':
        assert.ok(socket && !socket.isClosed, 'there is no socket')
        return this.tab.run(() => socket.onmessage?.({ data: JSON.stringify(value) }))
      case 'answer': {
        const id = this.#asking[step.to]
        assert.ok(id, `no ${step.to} with an id was sent`)
        return socket.onmessage({ data: JSON.stringify({ ...value, id }) })
      }
      case 'http': {
        const request = this.#requests.shift()
        assert.ok(request, 'there is no request')
        const path = request.url.replace(/^https:\/\/push\.example/, '')
        match({ method: request.options.method, path, body: request.options.body && JSON.parse(request.options.body) }, value.request)
        this.#expected.httpCount++
        if (value.fails) return request.reject(new TypeError('failed to fetch'))
        const { status = 200 } = value
        return request.resolve({ status, ok: status < 300, json: async () => value.body })
      }
      case 'advance':
        return this.#clock.advance(value)
      case 'clock':
        this.#clock.offset += value
        return
      case 'chance':
        this.#chance = value
        return
      case 'look':
        return this.tab.show(value)
      case 'freeze':
        this.tab.freeze()
        await this.#clock.advance(value)
        this.tab.thaw()
        return this.#clock.advance(0)
      case 'online':
        return this.tab.tell('online')
      case 'call': {
        const { as = value, args = [] } = step
        const result = this.inbox[value](...args)
        this.#results[as] = 'pending'
        Promise.resolve(result).then(
          () => (this.#results[as] = 'done'),
          ({ code, temporary }) => (this.#results[as] = { code, temporary }),
        )
        return
      }
      case 'expect':
        return this.#expect(value)
      default:
        assert.fail(`no such step: ${name}`)
    }
  }

  #expect({ sent, snapshot, events, sockets, requests, tokens, results, wait }) {
    if (sent) match(this.#sent, sent, 'sent')
    if (sent) this.#sent = []
    if (events) match(this.#events, events, 'events')
    if (events) this.#events = []
    if (tokens) match(this.#asked, tokens, 'tokens')
    if (tokens) this.#asked = []
    if (snapshot) match(this.inbox.snapshot, snapshot, 'snapshot')
    if (sockets !== undefined) assert.equal(this.#socketCount, sockets, 'sockets so far')
    if (requests !== undefined) assert.equal(this.#requests.length, requests, 'requests that wait')
    if (results) match(this.#results, results, 'results')
    if (wait !== undefined) assert.equal(this.inbox.snapshot.retryAt - this.#clock.now(), wait, 'the time until the next attempt')
  }
}
