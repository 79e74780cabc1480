/** How long the leading tab may take to answer a tab that somebody looks at. */
const answerPatience = 1_500
/**
 * After so long without a word the leading tab is asked whether it is there: a heartbeat and some allowance. Its own
 * timers may stand still while it is in the background, so this reminds it of them as well.
 */
const silencePatience = 40_000

/**
 * Which tab has the connection, and the messages of the others to it. A tab hears its own messages, too, so that the
 * leading tab treats itself as it treats the others.
 *
 * A pure machine. The holder of a lock leads; the others wait for the lock, which the browser hands on when the holder's
 * tab goes. A tab may also be frozen while it has the lock: then a tab that somebody looks at steals it. A leader's
 * messages carry a `term`, so that a leader that thaws is not believed. Effects:
 *
 * - `lead`, `follow`: this tab's part from now on; `leave`: share with nobody
 * - `post` a message to all tabs; `watch`: call `expire` after so many milliseconds; `steal` the lock
 * - `status`, `frame`: the leading tab's status, or a frame of the server
 * - in the one that leads: `welcome` a tab with the list; `tell` the server; `wake`; `look`: who looks has changed
 */
export const createTabs = (me) => {
  /** A tab that shares with nobody leads. */
  let leads = true
  let term = 0
  let isAsking
  /** Tabs at which somebody looks, and whether they have said so since the server's last heartbeat. */
  const looks = new Map()

  const ask = (post) => {
    isAsking = true
    return { watch: answerPatience, post }
  }

  return {
    looks,
    get leads() {
      return leads
    },
    get term() {
      return leads && term + 1
    },

    follow() {
      leads = false
      looks.clear()
      return { follow: 1, ...ask({ join: 1 }) }
    },
    lead(now) {
      leads = true
      isAsking = false
      term = Math.max(term + 1, now)
      return { watch: null, lead: 1 }
    },
    /**
     * The page freezes, which takes its socket. Chromium still lets it hear other tabs, and its answers would keep them
     * waiting. So it shares with nobody until it thaws.
     */
    rest() {
      leads = true
      return { leave: 1, follow: 1 }
    },
    /** Somebody looks at this tab, or the network is back. */
    wake() {
      if (leads) return { wake: 1 }
      if (!isAsking) return ask({ wake: 1 })
    },
    expire(isLooking) {
      if (leads || !isLooking) isAsking = false
      else return isAsking ? { steal: 1 } : ask({ wake: 1 })
    },
    receive(message) {
      const { from, to = me, status, frame, look, join, tell, wake } = message
      if (status || frame) {
        if (!(message.term > term) || (leads && from !== me)) return
        term = message.term - 1
        isAsking = false
        // A tab that crashed cannot say that nobody looks at it any more; all others answer each heartbeat by a `look`.
        if (frame?.type === 'beat') looks.forEach((isFresh, tab) => (isFresh ? looks.set(tab) : looks.delete(tab)))
        return { watch: silencePatience, status, frame: to === me ? frame : undefined }
      }
      if (!leads) return
      if (look) looks.set(from, 1)
      else if (look === false) looks.delete(from)
      return { tell, wake, welcome: join && from, look }
    },
  }
}
