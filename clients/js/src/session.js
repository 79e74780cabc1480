/** The longest delay between two attempts, and how long a session must last before earlier failures are forgotten. */
const longestDelay = 30_000
const shortestDelay = 1_000
/** From the beginning of an attempt to `ready`: the app's token, the network, the server. */
const readyPatience = 20_000
const probePatience = 3_000
/** The time that the server and the path may take, beyond the latest heartbeat. */
const silenceAllowance = 10_000

/** Close codes after which another try cannot help; WebSocket's own codes say that the client is wrong. */
const mistakes = /^(40..|100[2379])$/
/** Why a session stops or waits, by close code; `fail` calls all other mistakes `protocol`. */
const reasons = { 4001: 'token_refused', 4002: 'revoked', 4003: 'unsupported_version', token: 'token' }

/**
 * The life of the connection: an attempt, `ready`, signs of life, an end, and when to try again.
 *
 * A pure machine. Each method takes the moment (milliseconds) and chance (0 to 1) where it needs them, and returns
 * effects to be carried out in their order, or nothing:
 *
 * - `open`: open a socket and say hello, with another token if the value is a reason, `first` or `expired`
 * - `drop`: forget the socket, also one that is only being opened
 * - `probe`: send something that is answered; `renew`: send another token
 * - `timer`: call `expire` after so many milliseconds; replaces the timer before it, null only ends it
 * - `doubt`: WebSockets may not work here; begin with another way if the value is true, and otherwise try both
 * - `stopped`: it never comes back; the value is the reason
 */
export const createSession = () => {
  /** `connecting`, `live`, `waiting`, `stopped`, as the app sees it; `connecting` also while another tab leads. */
  let status = 'connecting'
  /** Whether there is a connection, or one is being made. */
  let isOpen
  /** Why the next attempt needs another token. */
  let why = 'first'
  let failures = 0
  let heartbeat, liveSince, heardAt, reason, retryAt, isProbing, way
  /** Whether the server itself has asked for the delay: then nothing shortens it. */
  let isImposed
  /** A server that drains gives each client a moment before which it must not come back. */
  let notBefore = 0

  const enter = (next, hasConnection, effects) => {
    status = next
    isOpen = hasConnection
    retryAt = reason = isProbing = way = undefined
    return effects
  }
  const attempt = () => enter('connecting', true, { timer: readyPatience, open: why })
  const stop = (code) => {
    if (reason) return
    const effects = enter('stopped', false, { drop: 1, timer: null, stopped: code })
    reason = code
    return effects
  }
  /**
   * The connection is gone, or none came: full jitter, unless the server wants the client back at once.
   *
   * @param code of the WebSocket, or `token` if the app gave none
   */
  const fail = (code, now, random) => {
    if (mistakes.test(code)) return stop(reasons[code] || 'protocol')
    const hasLasted = status === 'live' && now - liveSince >= longestDelay
    if (hasLasted) failures = 0
    // The server's own codes say nothing about the way.
    const doubt = hasLasted || /^[4t]/.test(code) ? undefined : false
    if (code === 4202) why = 'expired'
    const isWelcome = /^42/.test(code)
    const jitter = isWelcome && !failures ? 0 : random * Math.min(longestDelay, shortestDelay * 2 ** failures)
    const delay = Math.max(jitter, isWelcome ? 0 : notBefore - now)
    const effects = enter('waiting', false, { drop: 1, timer: delay, doubt })
    isImposed = /^41/.test(code) || delay > jitter
    retryAt = now + delay
    reason = reasons[code]
    notBefore = 0
    failures++
    return effects
  }
  const patience = () => heartbeat * 1.1 + silenceAllowance
  const retry = (now) => {
    return isImposed && now < retryAt ? undefined : attempt()
  }

  return {
    /** `synced`: all frames up to the server's last sign of life have come. `way`: how, while it is live. */
    get status() {
      return { status, reason, retryAt, way, synced: status === 'live' && !isProbing }
    },

    attempt,
    stop,
    /** The app has given another token. */
    renewed() {
      why = ''
    },
    /** Another tab has the connection, or the page freezes. */
    rest() {
      if (!reason) return enter('connecting', false, { drop: 1, timer: null })
    },
    received(frame, now) {
      heardAt = now
      isProbing = false
      if (frame.type === 'ready') {
        heartbeat = frame.heartbeat
        liveSince = now
        status = 'live'
        way = frame.way || 'websocket'
      }
      if (frame.type === 'drain') notBefore = now + frame.reconnectIn
      if (status === 'live') return { timer: patience(), renew: frame.type === 'renew' || undefined }
    },
    closed(code, now, random) {
      if (isOpen) return fail(code, now, random)
    },
    /** A WebSocket takes long. After a `ready` on this page, it is more likely that the server is slow. Pages begin at moments of their own. */
    late(now) {
      if (isOpen && !heartbeat) return { ...fail(0, now, 0), doubt: true }
    },
    expire(now, random) {
      return status === 'waiting' ? attempt() : fail(0, now, random)
    },
    /** Somebody looks, or the network is back: timers may have stood still for as long as the page was frozen. */
    wake(now, random) {
      if (!isOpen && !reason) return retry(now)
      if (status !== 'live' || isProbing) return
      const silence = now - heardAt
      // A clock that was set back does not tell how long the silence was.
      if (silence >= 0 && silence <= heartbeat) return
      if (silence > patience()) return { ...fail(0, now, random), ...retry(now) }
      isProbing = true
      return { probe: 1, timer: probePatience }
    },
  }
}
