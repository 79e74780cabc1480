import { errorOf } from './error.js'
import { createFeed } from './feeds.js'

/**
 * The feeds that this tab follows: as callbacks, and as async iterators.
 *
 * @param tell says a frame to the server
 * @param call calls a function of the app
 */
export const createSubscriptions = (tell, call) => {
  /** With what is called for each entry, and at last with nothing, or an error unless the app itself has closed. */
  const machines = new Map()

  const follow = (name, after, step) => {
    const machine = createFeed(name, after)
    machines.set(machine, step)
    tell(machine.frame)
    return () => {
      if (machines.delete(machine)) tell({ type: 'unsubscribe', feed: name })
    }
  }

  return {
    receive(frame) {
      for (const [machine, step] of [...machines]) {
        const { entries = [], again, refused } = machine.receive(frame) || {}
        for (const entry of entries) call(step, entry)
        if (again && machines.has(machine)) tell(machine.frame)
        if (refused && machines.delete(machine)) {
          call(step, undefined, errorOf(refused))
        }
      }
    },
    stop(error) {
      for (const step of machines.values()) call(step, undefined, error)
    },
    feed: (name, { after } = {}) => ({
      subscribe: (listener, ended) =>
        follow(name, after, (entry, error) => (entry ? listener : ended)?.(entry || error)),
      async *[Symbol.asyncIterator]() {
        const steps = []
        let wake
        const undo = follow(name, after, (...step) => {
          steps.push(step)
          wake?.()
        })
        try {
          for (;;) {
            while (!steps[0]) await new Promise((resolve) => (wake = resolve))
            const [entry, error] = steps.shift()
            if (error) throw error
            if (!entry) return
            yield entry
          }
        } finally {
          undo()
        }
      },
    }),
  }
}
