/** Lets promises that are settled run their course. */
export const settle = () => new Promise((resolve) => setImmediate(resolve))

/** A generator of numbers from 0 to 1 that a seed fixes (mulberry32). */
export const seeded = (seed) => () => {
  seed = (seed + 0x6d2b79f5) | 0
  let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed)
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
}

const cleared = () => {}

/** Time that passes only when a test says so. */
export class Clock {
  /** Milliseconds that have passed. */
  elapsed = 0
  /** What the wall clock shows at the beginning; a test may set it. */
  offset = 1_750_000_000_000
  #timers = []
  #byID = new Map()
  #last = 0

  now = () => this.offset + this.elapsed

  /** @param owner who may be frozen: its timers then wait */
  setTimeout(action, delay, owner) {
    const timer = { id: ++this.#last, at: this.elapsed + Math.max(0, delay || 0), action, owner }
    // Kept sorted from the last to the first; of two at one moment the earlier one comes first.
    let [low, high] = [0, this.#timers.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.#timers[middle].at > timer.at) low = middle + 1
      else high = middle
    }
    this.#timers.splice(low, 0, timer)
    this.#byID.set(timer.id, timer)
    return timer.id
  }
  clearTimeout(id) {
    const timer = this.#byID.get(id)
    if (timer) timer.action = cleared
  }
  forget(owner) {
    this.#timers = this.#timers.filter((timer) => timer.owner !== owner)
  }

  async advance(milliseconds) {
    const end = this.elapsed + milliseconds
    await settle()
    for (;;) {
      const index = this.#timers.findLastIndex((timer) => !timer.owner?.isFrozen)
      if (index < 0 || this.#timers[index].at > end) break
      const [timer] = this.#timers.splice(index, 1)
      this.#byID.delete(timer.id)
      if (timer.action === cleared) continue
      this.elapsed = Math.max(this.elapsed, timer.at)
      timer.action()
      await settle()
    }
    this.elapsed = end
  }
}
