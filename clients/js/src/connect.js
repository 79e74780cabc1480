import { baseOf, userOf } from './address.js'
import { createAcks } from './acks.js'
import { watchAttention } from './attention.js'
import { BelfryError, errorOf } from './error.js'
import { createFeedHub } from './feeds.js'
import { createInbox } from './inbox.js'
import { intervalOf, slotOf } from './pace.js'
import { createPush } from './push.js'
import { createRest } from './rest.js'
import { createSession } from './session.js'
import { createSubscriptions } from './subscriptions.js'
import { createTabs } from './tabs.js'

/** A WebSocket that gives no `ready` for so long may give none at all. */
const socketPatience = 2_500

const differs = (some, other) => Object.keys(some).some((key) => some[key] !== other[key])

/**
 * Opens a person's inbox: joins the machines with timers, sockets, locks and `fetch`. `run` is the only place where a
 * decision becomes I/O.
 *
 * @param options as in `belfry.d.ts`
 * @param env the globals of a browser or of Node; tests replace them
 */
export const connect = (options, env = globalThis) => {
  /** What a connection is made of: WebSockets, until they do not work. */
  let Socket = options.WebSocket || env.WebSocket
  /** Whether other ways may be loaded, and whether there are none so far but may be. */
  let mayDoubt = options.fallback !== false
  let isImpatient = mayDoubt
  /** Set while they are being loaded: the next attempt waits for them. */
  let arriving
  if (!Socket) throw new BelfryError('no_websocket', 'options.WebSocket')
  const base = baseOf(options.url, env.location?.href)
  const me = env.Math.random().toString(36)
  let commands = 0
  let due = 0

  const session = createSession()
  const inbox = createInbox()
  const acks = createAcks()
  const hub = createFeedHub()
  const tabs = createTabs(me)
  const life = new AbortController()

  const listeners = {}
  const answers = new Map()
  const timers = {}
  const events = []
  const newcomers = []
  let snapshot = {}
  let status = session.status
  let socket, outgoing, channel, queue, jwt, asking, loading, interval, isActive

  const setTimer = (name, delay, action) => {
    env.clearTimeout(timers[name])
    if (delay != null) timers[name] = env.setTimeout(action, delay)
  }

  // Tokens and REST

  const askForToken = (reason) =>
    (asking ||= (async () => {
      const token = await options.token({ reason })
      if (token == null) {
        run(session.stop, 'signed_out')
        throw new BelfryError('signed_out')
      }
      session.renewed()
      return (jwt = token)
    })().finally(() => (asking = 0)))
  const tokenFor = (why) => (why || !jwt ? askForToken(why || 'first') : jwt)
  const rest = createRest(env, base, tokenFor)
  /** Reads one of the person's settings, changes it, or takes it back by null. */
  const change = async (path, value) =>
    (await rest(value ? 'PUT' : value === null ? 'DELETE' : 'GET', '/api/notifications' + path, value)).data
  const fetchPage = (before = '') => rest('GET', '/api/notifications?limit=100&before=' + before)

  // Frames

  const isLive = () => session.status.status === 'live'
  const pump = () => {
    while (socket && outgoing[0]) {
      const now = env.Date.now()
      due = slotOf(due, interval, now)
      if (due > now) return setTimer('pace', due - now, pump)
      due += interval
      socket.send(JSON.stringify(outgoing.shift()))
    }
  }
  /** Sends a frame to the server, through the leading tab. Frames that must not get lost are sent again after `ready`. */
  const tell = (frame) => post({ tell: frame })
  /** Takes a frame from this tab's own socket. */
  const hear = (frame) => {
    // The app hears of a session only once all machines know where it begins.
    const effects = session.received(frame, env.Date.now())
    if (frame.type === 'ready') {
      interval = intervalOf(frame.limits)
      // On another way without an end before, what has not been sent is asked for once more.
      outgoing = []
    }
    actions.relay(hub.receive(frame))
    run(() => effects)
  }
  /** Takes a frame of the server, in every tab. */
  const take = (frame) => {
    const { type } = frame
    if (answers.has(frame.id)) answer(frame)
    run(inbox.receive, frame)
    if (type === 'ready') {
      acks.again()
      inbox.pending.forEach(tell)
    }
    if (/ready|beat/.test(type)) post({ look: isLooking() })
    subscriptions.receive(frame)
    showAll()
  }

  // Attention and tabs

  const isLookedAt = () => isLooking() || tabs.looks.size > 0
  const showAll = () => run(acks.show, inbox.position.seq, isLooking())
  const isLooking = watchAttention(
    env,
    options.attention,
    life.signal,
    () => {
      post({ look: isLooking() })
      showAll()
    },
    (sign, isVisible) => {
      if (sign === 'freeze') run(tabs.rest)
      else if (isVisible || sign === 'resume') run(tabs.wake)
    },
  )
  const post = (message) => {
    const whole = { ...message, from: me, term: tabs.term }
    channel?.postMessage(whole)
    run(tabs.receive, whole)
  }
  const tellStatus = () => post({ status: session.status })
  /** Waits for the lock, or steals it, and keeps it until `queue` is aborted: a page that freezes must not get it either. */
  const hold = (steal) => {
    env.navigator.locks
      .request(channel.name, { steal, signal: steal ? undefined : queue.signal }, () => {
        if (!channel || tabs.leads) return
        run(tabs.lead)
        return new Promise((resolve) => (queue.signal.onabort = resolve))
      })
      .catch(({ name }) => {
        if (!channel) return
        // Another error says that there are no locks after all, as in a sandboxed frame.
        if (name !== 'AbortError') return run(tabs.lead)
        run(tabs.follow)
        hold()
      })
  }
  /** Whether other tabs may share the connection; the first that gets the lock has it. */
  const share = () => {
    const user = !channel && options.share !== false && env.document && env.navigator.locks && userOf(jwt)
    if (!user) return
    // Two apps on one server may have users of the same id.
    channel = new env.BroadcastChannel([base, user, options.share ?? true])
    channel.onmessage = ({ data }) => run(tabs.receive, data)
    queue = new AbortController()
    run(tabs.follow)
    hold()
    return true
  }

  // Commands

  const answer = (frame) => {
    const { id, code } = frame
    // The server is leaving: the command is sent again on the next connection.
    if (code === 'leaving') return
    const [resolve, reject] = answers.get(id)
    answers.delete(id)
    inbox.settle(id)
    publish()
    if (code) reject(errorOf(frame))
    else resolve()
  }
  /** @param what ids, or members of the frame; a frame takes a hundred ids, as it may have a few kilobytes only */
  const command = (type, what) =>
    what[100]
      ? Promise.all([command(type, what.slice(0, 100)), command(type, what.slice(100))])
      : new Promise((...settle) => {
          if (status.reason) throw new BelfryError(status.reason)
          const frame = { type, id: me + ++commands, ...(what.map ? { ids: what } : what) }
          answers.set(frame.id, settle)
          inbox.command(frame)
          publish()
          tell(frame)
        })
  const loadMore = async () => {
    let request
    let tries = 3
    while (tries-- && (request = inbox.more()) && !inbox.page(request, await fetchPage(request.before)));
    publish()
  }

  // The app

  /** An error in the app's own function is the app's, and must not leave a machine half way. */
  const guard = (listener, ...values) => {
    try {
      listener(...values)
    } catch (error) {
      Promise.reject(error)
    }
  }
  const subscriptions = createSubscriptions(tell, guard)
  const emit = (event, detail) => listeners[event]?.forEach((listener) => guard(listener, detail))
  const on = (event, listener) => {
    const set = (listeners[event] ||= new Set())
    set.add(listener)
    return () => set.delete(listener)
  }
  const publish = () => {
    if (tabs.leads && differs(session.status, status)) return tellStatus()
    if (inbox.lag > 0 && status.status === snapshot.status) return
    const next = { ...status, ...inbox.view, synced: status.synced && inbox.lag === 0 }
    if (differs(next, snapshot)) {
      if (next.status !== snapshot.status) events.push(['status'])
      snapshot = Object.freeze(next)
      emit('', snapshot)
    }
    for (const [event, detail = snapshot] of events.splice(0)) emit(event, detail)
    if (isLive() && inbox.lag === 0) {
      for (const to of newcomers.splice(0)) {
        for (const type of ['ready', 'reset']) post({ to, frame: { ...inbox.list, type } })
      }
    }
  }
  const close = () => run(session.stop, 'closed')

  // The machines' effects

  const actions = {
    timer: (delay) => setTimer('session', delay, () => run(session.expire)),
    async open(why) {
      const mine = (socket = { close() {} })
      const closed = ({ code }) => run(session.closed, code)
      outgoing = []
      try {
        if (why) await askForToken(why)
      } catch {
        if (socket === mine) closed({ code: 'token' })
      }
      if (arriving) await arriving
      if (socket !== mine || share()) return
      socket = new Socket(base.replace('http', 'ws') + '/v1/live', ['belfry.v1'])
      socket.onopen = () => {
        isActive = isLookedAt()
        socket.send(JSON.stringify({ type: 'hello', token: jwt, resume: inbox.position, active: isActive }))
      }
      socket.onmessage = ({ data }) => hear(JSON.parse(data))
      // In Node 20 a connection that is refused has an `error`, and no `close`.
      socket.onclose = socket.onerror = closed
      setTimer('late', isImpatient ? socketPatience : null, () => run(session.late))
    },
    doubt(isSure) {
      // Some browsers never load a file that they could not load once.
      if (!mayDoubt || env.navigator?.onLine === false) return
      mayDoubt = false
      arriving = import('../ways.js')
        .then(({ waysOf }) => {
          Socket = waysOf(env, Socket, +isSure)
          isImpatient = false
        })
        .catch(() => (mayDoubt = true))
        .finally(() => (arriving = null))
    },
    drop() {
      if (!socket) return
      socket.onopen = socket.onmessage = socket.onclose = socket.onerror = () => {}
      socket.close()
      socket = null
    },
    cancel: (feed) => actions.send({ type: 'unsubscribe', feed }),
    send(frame) {
      outgoing.push(frame)
      pump()
    },
    probe: () => actions.send({ type: 'state', id: me, active: isActive }),
    renew: () => askForToken('renew').then((token) => actions.tell({ type: 'token', token }), () => {}),
    stopped(code) {
      status = session.status
      if (code !== 'closed') post({ status })
      actions.leave()
      life.abort()
      setTimer('tabs')
      for (const id of answers.keys()) answer({ id, code })
      subscriptions.stop(code === 'closed' ? undefined : new BelfryError(code))
    },

    emit: (list) => events.push(...list),
    refresh() {
      if (!tabs.leads) post({ join: 1 })
      else fetchPage().then((page) => run(inbox.fresh, page), actions.restart)
    },
    restart: () => run(session.closed, 0),
    fold: (delay) => setTimer('acks', delay, () => run(acks.expire, isLooking())),

    lead: () => run(session.attempt),
    follow: () => run(session.rest),
    leave() {
      channel?.close()
      channel = queue?.abort()
    },
    post,
    watch: (delay) => setTimer('tabs', delay, () => run(tabs.expire, isLooking())),
    steal: hold,
    status(now) {
      status = now
      if (now.reason) run(session.stop, now.reason)
    },
    frame: take,
    welcome(tab) {
      newcomers.push(tab)
      tellStatus()
    },
    tell(frame) {
      if (isLive()) run(hub.tell, frame)
    },
    relay: (frame) => post({ frame }),
    wake() {
      run(session.wake)
      tellStatus()
    },
    look() {
      if (isLive() && isActive !== isLookedAt()) actions.send({ type: 'state', active: (isActive = !isActive) })
    },
  }
  /** Lets a machine decide, with the moment and chance as its last arguments, and does what it says. */
  const run = (decide, ...event) => {
    const effects = decide(...event, env.Date.now(), env.Math.random())
    for (const name in effects) if (effects[name] !== undefined) actions[name](effects[name])
    publish()
  }

  run(session.attempt)
  return {
    get snapshot() {
      return snapshot
    },
    subscribe: (listener) => on('', listener),
    on,
    read: (what = { upTo: inbox.position.seq }) => command('read', what),
    seen: () => command('seen', { upTo: inbox.position.seq }),
    remove: (ids) => command('remove', ids),
    answer: (notification, action) => command('answer', { notification, action }),
    more: () => (loading ||= loadMore().finally(() => (loading = null))),
    prefs: (patch) => change('/preferences', patch),
    quietHours: (hours) => change('/quiet-hours', hours),
    snooze: (until) => change('/snooze', until === null || until.hours ? until : { until }),
    mutes: () => change('/mutes'),
    mute: (subject, until) => change('/mutes/' + encodeURIComponent(subject), { until }),
    unmute: (subject) => change('/mutes/' + encodeURIComponent(subject), null),
    explain: (id) => change(`/${id}/explain`),
    feed: subscriptions.feed,
    retry: () => run(tabs.wake),
    push: createPush(env, base, tokenFor, (click) => emit('activate', click), life.signal),
    close,
    [Symbol.dispose]: close,
  }
}
