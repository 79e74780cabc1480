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
    this.#push(timer)
    this.#byID.set(timer.id, timer)
    return timer.id
  }
  clearTimeout(id) {
    const timer = this.#byID.get(id)
    if (timer) timer.action = cleared
  }
  forget(owner) {
    for (const timer of this.#timers) if (timer.owner === owner) timer.action = cleared
  }

  async advance(milliseconds) {
    const end = this.elapsed + milliseconds
    await settle()
    /** Timers of the frozen, which wait until their owner thaws. */
    let late = []
    while (this.#timers[0]?.at <= end) {
      const timer = this.#pop()
      if (timer.action !== cleared && timer.owner?.isFrozen) {
        late.push(timer)
        continue
      }
      this.#byID.delete(timer.id)
      if (timer.action === cleared) continue
      this.elapsed = Math.max(this.elapsed, timer.at)
      timer.action()
      await settle()
      // Somebody may have thawed.
      for (const waiting of late) this.#push(waiting)
      late = []
    }
    for (const waiting of late) this.#push(waiting)
    this.elapsed = end
  }

  // A heap, the next timer first; of two at one moment the earlier one comes first.

  #isBefore = (one, other) => one.at < other.at || (one.at === other.at && one.id < other.id)
  #push(timer) {
    const heap = this.#timers
    let place = heap.push(timer) - 1
    while (place > 0) {
      const parent = (place - 1) >> 1
      if (!this.#isBefore(timer, heap[parent])) break
      heap[place] = heap[parent]
      place = parent
    }
    heap[place] = timer
  }
  #pop() {
    const heap = this.#timers
    const [first] = heap
    const last = heap.pop()
    if (!heap[0] || last === first) return first
    let place = 0
    for (;;) {
      let child = 2 * place + 1
      if (heap[child + 1] && this.#isBefore(heap[child + 1], heap[child])) child++
      if (!heap[child] || !this.#isBefore(heap[child], last)) break
      heap[place] = heap[child]
      place = child
    }
    heap[place] = last
    return first
  }
}
