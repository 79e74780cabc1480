/** A way that gives no `ready` for so long may give none at all: then the next one is tried. */
const patience = 2_500
/** The same for one that is no WebSocket. The page may have waited for a WebSocket before. */
const patienceOfOther = 1_500
/** The same for a way that has worked on this page: more likely, the server is slow, and another way would add to its load. */
const patienceOfProven = 10_000
/** Nobody waits for a better way, as there is one that works. */
const patienceWithOther = 20_000
/** Before the next try of a better way, by how many of its tries have failed. */
const breaks = [60_000, 300_000, 900_000]
/** A way that has lasted so long works. */
const lasting = 30_000

/** Whether a close code comes from Belfry: then the way works, and something else is the matter. */
const isOfServer = (code) => code >= 4000 && code < 5000

/**
 * Which way to the server to take: WebSocket, or another one where a network breaks WebSockets, and when to try a better
 * one. It lives as long as the page, and sees one attempt after the other.
 *
 * A pure machine. Each method takes the moment (milliseconds) and chance (0 to 1) where it needs them, and returns effects
 * to be carried out in their order:
 *
 * - `close`: give up the ways of these names
 * - `open`: try this way
 * - `use`: this way has the session from now on
 * - `end`: the attempt, or the session, is over, with this code
 * - `timer`: call `expire` after so many milliseconds; replaces the timer before it, null only ends it
 *
 * @param first the way that the next attempt begins with, as its place in `names`
 * @param names of the ways, the best one first
 */
export const createWay = (first = 0, names = ['websocket', 'events', 'poll']) => {
  /** The way that has the session, and the one that is being tried; each a place in `names`, or undefined. */
  let used, tried
  let since = 0
  /** The ways that have lasted, by their places. */
  const proven = []
  let round = 0

  const open = (way, timer) => {
    tried = way
    return { open: names[way], timer }
  }
  const attempt = () => {
    const limit = proven[first] ? patienceOfProven : first ? patienceOfOther : patience
    // The last one may take as long as the whole attempt.
    return open(first, names[first + 1] ? limit : null)
  }
  /** A random part keeps pages apart that have changed their way together, as after an outage. */
  const pause = (random) => ({ timer: breaks[Math.min(round, breaks.length - 1)] * (0.75 + random / 2) })
  /** The way that is being tried gives no `ready`. */
  const failed = (code, random) => {
    const next = tried + 1
    tried = undefined
    if (used !== undefined) {
      if (next < used) return open(next, patienceWithOther)
      if (!isOfServer(code)) round++
      return pause(random)
    }
    if (isOfServer(code)) return { timer: null, end: code }
    // If none works, the server or the network is away. That says nothing about the best one.
    first = names[next] ? next : 0
    return first ? attempt() : { timer: null, end: code }
  }

  return {
    begin() {
      // The client has given up the last way, which took longer than an attempt may.
      if (used === undefined && tried === names.length - 1) first = 0
      used = undefined
      return attempt()
    },
    /** A way has given `ready`. */
    ready(name, now, random) {
      const other = names[used]
      const late = names[tried]
      used = first = names.indexOf(name)
      tried = undefined
      since = now
      const close = [other, late].filter((one) => one && one !== name)
      return { close, use: name, ...(used ? pause(random) : { timer: null }) }
    },
    /** A way is closed: the one that is used, or one that is being tried. */
    closed(name, code, now, random) {
      if (name === names[tried]) return failed(code, random)
      const close = tried === undefined ? [] : [names[tried]]
      if (now - since >= lasting) {
        proven[used] = true
        if (!used) round = 0
      } else if (!isOfServer(code)) {
        // Some proxies let a WebSocket open, and then close it.
        first = names[used + 1] ? used + 1 : 0
        round++
      }
      used = tried = undefined
      return { close, timer: null, end: code }
    },
    expire(now, random) {
      if (tried !== undefined) return { close: [names[tried]], ...failed(0, random) }
      return open(0, patienceWithOther)
    },
  }
}
