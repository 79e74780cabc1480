import { openStream, takeFrames, takePoll } from './stream.js'

/** A plain model of Belfry: one person's inbox, its feeds, live sessions and the list over REST, by a simulated clock. */
export class ModelServer {
  epoch = 'e1'
  seq = 0
  /** The newest first, as the list has them. */
  rows = []
  changes = []
  feeds = new Map()
  sessions = new Set()
  /** What is kept for clients that poll, by their sessions' names. */
  polls = new Map()
  isAway = false
  /** What the network makes of WebSockets: `open`, `drop` once they are open, or `swallow` what they ask. */
  sockets = 'open'
  /** What it makes of event streams: `open`, or `keep` what they bring. */
  streams = 'open'
  handshakes = 0
  opened = 0
  /** Called with each hello; returns a close code to refuse it. */
  admit = () => 0
  received = []
  #names = 0

  /** @param {{clock, random, latency}} world `latency`: milliseconds that a message may take at most */
  constructor({ clock, random, latency = 0 }) {
    Object.assign(this, { clock, random, latency })
    this.clock.setTimeout(() => this.#beat(), 25_000)
  }

  get unread() {
    return this.rows.filter((row) => !row.isRead).length
  }
  get unseen() {
    return this.rows.filter((row) => !row.isSeen).length
  }

  // What happens to the inbox

  publish(members) {
    const number = this.seq + 1
    const row = { id: `n${this.epoch}-${++this.#names}`, type: 'LIKE', displayText: 'hello', isRead: false, isSeen: false, rev: 1, ...members }
    this.#change(() => {
      row.seq = number
      this.rows.unshift(row)
      return { type: 'new', notification: row }
    })
    return row.id
  }
  grow(id, comesUp) {
    const row = this.rows.find((row) => row.id === id)
    if (!row || row.isRead) return
    this.#change((seq) => {
      Object.assign(row, { rev: row.rev + 1, seq, isSeen: false, displayText: `hello ${row.rev + 1}` })
      if (comesUp) {
        row.place = seq
        this.rows = [row, ...this.rows.filter((other) => other !== row)]
      }
      return { type: 'update', notification: row }
    })
  }
  apply({ type, ids, upTo }) {
    const mark = { read: (row) => !row.isRead, seen: (row) => !row.isSeen, remove: () => true }[type]
    const meant = this.rows.filter((row) => (ids ? ids.includes(row.id) : row.seq <= upTo) && mark(row))
    if (!meant.length) return 0
    this.#change((seq) => {
      const selection = ids ? { ids: meant.map((row) => row.id) } : { upTo: Math.min(upTo, seq - 1) }
      if (type === 'remove') {
        this.rows = this.rows.filter((row) => !meant.includes(row))
        return { type: 'removed', ...selection }
      }
      for (const row of meant) Object.assign(row, { isSeen: true, isRead: row.isRead || type === 'read' })
      return { type, ...selection }
    })
    return meant.length
  }
  #change(make) {
    const before = this.unread
    const { notification, ...frame } = make(this.seq + 1)
    this.seq++
    Object.assign(frame, { seq: this.seq, unread: this.unread, unseen: this.unseen, delta: this.unread - before })
    this.changes.push({ frame, id: notification?.id })
    for (const session of this.sessions) session.tell(notification ? { ...frame, notification: { ...notification } } : frame)
  }
  /** As after a restore: another epoch, and some of the newest changes never happened. */
  restore() {
    this.epoch = 'e' + (Number(this.epoch.slice(1)) + 1)
    this.changes = []
    this.rows = this.rows.slice(Math.min(2, this.rows.length)).map((row) => ({ ...row, seq: Math.min(row.seq, this.seq - 1) }))
    this.seq = Math.max(0, this.seq - 1)
    this.cut(1006)
  }

  // Feeds

  feed(name) {
    if (!this.feeds.has(name)) this.feeds.set(name, { epoch: 'f1', items: [] })
    return this.feeds.get(name)
  }
  publishItem(name, item) {
    const { items } = this.feed(name)
    const entry = { offset: items.length + 1, item }
    items.push(entry)
    for (const session of this.sessions) session.tellItem(name, entry)
  }

  // Sessions

  cut(code) {
    for (const session of [...this.sessions]) session.close(code)
  }
  /** From now on WebSockets are treated so, and those that are open are cut, unless they are welcome. */
  treat(sockets, streams = 'open') {
    Object.assign(this, { sockets, streams })
    if (sockets === 'open') return
    for (const session of [...this.sessions]) if (!session.isStream) session.close(1006)
  }
  /** All sessions are told of what a gap has left out, or of nothing at all. */
  fold(isSilent) {
    for (const session of this.sessions) session.fold = isSilent ? 'silent' : 'gap'
  }
  unfold() {
    for (const session of this.sessions) session.unfold()
  }
  #beat() {
    for (const session of this.sessions) session.beat()
    this.clock.setTimeout(() => this.#beat(), 25_000)
  }

  /** One direction of a connection, whose messages stay in their order. */
  link() {
    let due = 0
    return (action) => {
      due = Math.max(due, this.clock.elapsed + this.random() * this.latency)
      this.clock.setTimeout(action, due - this.clock.elapsed)
    }
  }
  /** What a tab's `new WebSocket` gives. */
  socket(tab) {
    this.handshakes++
    const socket = { isOpen: true }
    const [down, up] = [this.link(), this.link()]
    const session = new ModelSession(this, (event, value) => down(() => {
      if (!socket.isOpen) return
      if (event === 'onclose') socket.isOpen = false
      tab.run(() => socket[event]?.(value))
    }))
    socket.send = (text) => up(() => session.receive(JSON.parse(text)))
    socket.close = () => {
      socket.isOpen = false
      up(() => session.leave())
    }
    // The tab's process has ended: the system closes the connection.
    socket.die = socket.close
    tab.sockets.push(socket)
    if (this.sockets === 'swallow') return socket
    if (this.sockets === 'drop') {
      session.tellOpen()
      session.close(1006)
    } else if (this.isAway) down(() => socket.isOpen && tab.run(() => socket.onclose?.({ code: 1006 })))
    else session.tellOpen()
    return socket
  }

  delay = () => new Promise((resolve) => this.clock.setTimeout(resolve, this.random() * this.latency * 3))
  /** What a tab's `fetch` gives: the live protocol, or the list, read at some moment on the way. */
  fetch(tab, url, options) {
    const { pathname, searchParams } = new URL(url)
    const { delay } = this
    if (pathname === '/v1/live/events') return openStream(this, tab, searchParams, options)
    if (pathname.startsWith('/v1/live/poll')) return takePoll(this, tab, pathname.split('/').slice(4), searchParams, options)
    if (pathname.startsWith('/v1/live/frames/')) return takeFrames(this, pathname.split('/').pop(), options)
    return (async () => {
      await delay()
      if (this.isAway || this.failsREST?.()) throw new TypeError('failed to fetch')
      const before = searchParams.get('before')
      const limit = Number(searchParams.get('limit'))
      const start = before ? this.rows.findIndex((row) => row.id === before) + 1 : 0
      const behind = before && !start ? this.#behind(before) : this.rows.slice(start)
      const meta = { epoch: this.epoch, seq: this.seq, unread: this.unread, unseen: this.unseen, next: behind.length > limit ? 'next' : null }
      const data = structuredClone(behind.slice(0, limit))
      await delay()
      return { ok: true, status: 200, json: async () => ({ data, meta }) }
    })()
  }
  /** Behind a row that is gone: where it came in first. */
  #behind(id) {
    const number = (name) => Number(name.split('-')[1])
    return this.rows.filter((row) => number(row.id) < number(id))
  }
}

export class ModelSession {
  fold = null
  #gap = null
  #isReady = false
  #isOver = false
  #told = 0
  #feeds = new Set()

  constructor(server, deliver, isStream = false) {
    Object.assign(this, { server, deliver, isStream, name: `s${++server.opened}` })
  }

  tellOpen() {
    this.deliver('onopen', {})
  }
  send(frame) {
    this.deliver('onmessage', { data: JSON.stringify(frame) })
  }
  close(code) {
    this.server.sessions.delete(this)
    this.deliver('onclose', { code })
    this.#isOver = true
  }
  leave() {
    this.server.sessions.delete(this)
    this.#isOver = true
  }

  tell(frame) {
    if (!this.fold) {
      this.#told = frame.seq
      return this.send(frame)
    }
    this.#gap ||= { type: 'gap', from: frame.seq }
    Object.assign(this.#gap, { to: frame.seq, unread: frame.unread })
  }
  unfold() {
    if (this.#gap && this.fold === 'gap') this.send(this.#gap)
    if (this.#gap) this.#told = this.#gap.to
    this.fold = this.#gap = null
  }
  beat() {
    if (this.#isReady && !this.#isOver && !this.fold) this.send({ type: 'beat', seq: this.#told, unread: this.server.unread })
  }
  tellItem(feed, entry) {
    if (this.#feeds.has(feed)) this.send({ type: 'item', feed, ...entry })
  }

  receive(frame) {
    const { server } = this
    if (this.#isOver) return
    server.received.push(frame)
    if (frame.type === 'hello') return this.#begin(frame)
    if (!this.#isReady) return
    const ok = () => frame.id !== undefined && this.send({ type: 'ok', id: frame.id })
    if (['read', 'seen', 'remove'].includes(frame.type)) {
      if (server.refuses?.(frame)) return this.send({ type: 'error', id: frame.id, code: 'store_failed', message: 'no', temporary: true })
      server.apply(frame)
    }
    if (frame.type === 'subscribe') return this.#subscribe(frame, ok)
    if (frame.type === 'unsubscribe') this.#feeds.delete(frame.feed)
    ok()
  }
  #begin({ token, resume }) {
    const { server } = this
    const refusal = server.admit(token)
    if (refusal) return this.close(refusal)
    server.sessions.add(this)
    this.#isReady = true
    this.#told = server.seq
    const missed = resume && server.seq - resume.seq
    const recovered = !!resume && resume.epoch === server.epoch && missed >= 0 && missed <= Math.min(1_000, server.changes.length)
    const { epoch, seq, unread, unseen } = server
    const limits = { frames: 100, framesWindow: 10_000 }
    this.send({ type: 'ready', session: this.name, epoch, seq, unread, unseen, heartbeat: 25_000, limits, recovered })
    if (!recovered) {
      this.send({ type: 'reset', epoch, seq, unread, unseen, notifications: structuredClone(server.rows.slice(0, 20)) })
      return
    }
    for (const { frame, id } of missed ? server.changes.slice(-missed) : []) {
      const row = server.rows.find((row) => row.id === id)
      if (row) this.send({ ...frame, replay: true, notification: { ...row } })
      else if (id) this.send({ ...frame, type: 'removed', replay: true, ids: [id] })
      else this.send({ ...frame, replay: true })
    }
  }
  #subscribe({ feed, after, id }, ok) {
    if (feed === 'secret') return this.send({ type: 'error', id, code: 'feed_refused', message: 'no', temporary: false })
    ok()
    if (this.#feeds.has(feed)) return
    this.#feeds.add(feed)
    const { epoch, items } = this.server.feed(feed)
    const recovered = after != null && after.epoch === epoch && after.offset <= items.length
    this.send({ type: 'feed', feed, epoch, offset: items.length, recovered })
    if (after == null) return
    const missed = recovered ? items.slice(after.offset) : items
    const newest = missed.slice(-500)
    if (recovered && newest.length < missed.length) {
      this.send({ type: 'gap', feed, from: missed[0].offset, to: newest[0].offset - 1 })
    }
    for (const entry of newest) this.send({ type: 'item', feed, ...entry })
  }
}
