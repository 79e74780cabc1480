/** So many frames may go at once. */
const burst = 20

/**
 * When the next frame may go, so that the server does not close for too many: a burst, and then two thirds of what it allows.
 * A pure machine.
 */
export const createPace = () => {
  let interval
  /** The moment at which the next frame would go if there were no bursts. */
  let due = 0

  return {
    /** A session begins, with the limits of `ready`. */
    begin({ frames = 100, framesWindow = 10_000 } = {}) {
      interval = (1.5 * framesWindow) / frames
    },
    /** Milliseconds until the next frame may go; 0 if it goes now, and is counted. */
    take(now) {
      // The upper bound is for a clock that was set back.
      due = Math.min(Math.max(due, now - burst * interval), now + interval)
      if (due > now) return due - now
      due += interval
      return 0
    },
  }
}
