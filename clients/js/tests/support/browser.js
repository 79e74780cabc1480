/** A browser with tabs: locks, channels, page events, all by a simulated clock. */
export class Browser {
  #locks = new Map()
  #channels = new Set()

  /**
   * @param clock see `Clock`
   * @param random from 0 to 1
   * @param WebSocket what a tab's socket is made of: called with the tab, the address and the subprotocols
   * @param fetch called with the tab, the address and the options
   */
  constructor({ clock, random, WebSocket, fetch }) {
    Object.assign(this, { clock, random, WebSocket, fetch })
  }

  /** A tab; its `env` is what `connect` takes for the global object. */
  open({ isVisible = true, hasFocus = isVisible, locks = true } = {}) {
    const { clock } = this
    const tab = { isVisible, hasFocus, isFrozen: false, isGone: false, sockets: [], waiting: [], listeners: new Map() }
    /** Runs in the tab, later if it is frozen, never if it is gone. */
    tab.run = (action) => {
      if (tab.isGone) return
      if (tab.isFrozen) tab.waiting.push(action)
      else action()
    }
    tab.tell = (sign) => tab.run(() => [...(tab.listeners.get(sign) || [])].forEach((listener) => listener({ type: sign })))
    tab.show = (isVisible, hasFocus = isVisible) => {
      const signs = isVisible ? ['visibilitychange', 'focus'] : ['blur', 'visibilitychange']
      Object.assign(tab, { isVisible, hasFocus })
      signs.forEach(tab.tell)
    }
    // Chromium tells a page that it freezes, and then lets it hear other tabs all the same. A device that sleeps tells nothing.
    tab.freeze = ({ isTold = false } = {}) => {
      if (isTold) tab.tell('freeze')
      Object.assign(tab, { isFrozen: true, hearsTabs: isTold })
    }
    tab.thaw = () => {
      Object.assign(tab, { isFrozen: false, hearsTabs: false })
      tab.tell('resume')
      tab.waiting.splice(0).forEach((action) => action())
    }
    tab.kill = () => {
      tab.isGone = true
      clock.forget(tab)
      for (const channel of [...this.#channels]) if (channel.tab === tab) channel.close()
      for (const socket of tab.sockets) socket.die?.()
      for (const [name, lock] of this.#locks) {
        lock.queue = lock.queue.filter((request) => request.tab !== tab)
        if (lock.holder?.tab === tab) this.#release(name, lock.holder)
      }
    }
    const browser = this
    tab.env = {
      Date: { now: clock.now },
      Math: { random: this.random },
      setTimeout: (action, delay) => clock.setTimeout(action, delay, tab),
      clearTimeout: (id) => clock.clearTimeout(id),
      WebSocket: class {
        constructor(url, protocols) {
          return browser.WebSocket(tab, url, protocols)
        }
      },
      fetch: (url, options) => this.fetch(tab, url, options),
      location: { href: 'https://app.example/inbox', origin: 'https://app.example' },
      document: {
        get visibilityState() {
          return tab.isVisible ? 'visible' : 'hidden'
        },
        hasFocus: () => tab.hasFocus,
      },
      addEventListener(sign, listener, { signal }) {
        if (!tab.listeners.has(sign)) tab.listeners.set(sign, new Set())
        tab.listeners.get(sign).add(listener)
        signal.addEventListener('abort', () => tab.listeners.get(sign).delete(listener))
      },
      navigator: { locks: locks ? { request: (name, options, action) => this.#request(tab, name, options, action) } : undefined },
      BroadcastChannel: class {
        constructor(name) {
          // Whatever is given, a channel's name is a text.
          Object.assign(this, { name: `${name}`, tab })
          browser.#channels.add(this)
        }
        postMessage(message) {
          if (!browser.#channels.has(this)) throw new Error('the channel is closed')
          const copy = structuredClone(message)
          for (const other of browser.#channels) {
            if (other === this || other.name !== this.name) continue
            const deliver = () => browser.#channels.has(other) && other.onmessage?.({ data: copy })
            queueMicrotask(() => (other.tab.hearsTabs ? deliver() : other.tab.run(deliver)))
          }
        }
        close() {
          browser.#channels.delete(this)
        }
      },
    }
    return tab
  }

  /** Web Locks, as far as exclusive locks and stealing go. */
  #request(tab, name, { steal, signal }, action) {
    return new Promise((resolve, reject) => {
      if (!this.#locks.has(name)) this.#locks.set(name, { queue: [] })
      const lock = this.#locks.get(name)
      const request = { tab, action, resolve, reject }
      if (steal && lock.holder) {
        const robbed = lock.holder
        lock.holder = undefined
        robbed.tab.run(() => robbed.reject(Object.assign(new Error('stolen'), { name: 'AbortError' })))
      }
      signal?.addEventListener('abort', () => {
        if (!lock.queue.includes(request)) return
        lock.queue = lock.queue.filter((other) => other !== request)
        reject(Object.assign(new Error('aborted'), { name: 'AbortError' }))
      })
      if (steal) lock.queue.unshift(request)
      else lock.queue.push(request)
      this.#grant(name)
    })
  }
  #grant(name) {
    const lock = this.#locks.get(name)
    if (lock.holder || !lock.queue.length) return
    const request = (lock.holder = lock.queue.shift())
    queueMicrotask(() => request.tab.run(async () => {
      const result = await request.action({ name })
      this.#release(name, request)
      request.resolve(result)
    }))
  }
  #release(name, request) {
    const lock = this.#locks.get(name)
    if (lock.holder !== request) return
    lock.holder = undefined
    this.#grant(name)
  }
}
