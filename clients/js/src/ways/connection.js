import { listenToEvents } from './events.js'
import { openHttp } from './http.js'
import { listenToPolls } from './poll.js'
import { createWay } from './way.js'

const ignore = () => {}

/**
 * Makes a class that stands in for `WebSocket` at one client, and goes the way that works. `ready` has a member more, `way`.
 * A session that moves to a better way gives another `ready`, as after a reconnect, without an end before it.
 *
 * @param env the globals; tests replace them
 * @param Socket the class of WebSockets
 * @param first the way to begin with, 0 for WebSocket
 */
export const waysOf = (env, Socket, first) => {
  const way = createWay(first)
  const openers = {
    websocket: (...address) => new Socket(...address),
    events: (url) => openHttp(env, url.replace('ws', 'http'), listenToEvents),
    poll: (url) => openHttp(env, url.replace('ws', 'http'), listenToPolls),
  }

  return class {
    #address
    #parts = {}
    #used
    /** The part that has just been opened, while the client says hello to it. */
    #opened
    #timer

    constructor(...address) {
      this.#address = address
      this.#run(way.begin)
    }

    send(text) {
      const part = this.#opened || this.#parts[this.#used]
      part?.send(text)
      if (this.#opened || JSON.parse(text).type !== 'state') return
      // A part that the session may move to was told at its hello whether somebody looks.
      for (const other of Object.values(this.#parts)) if (other !== part && other.isGreeted) other.send(text)
    }

    close() {
      this.onopen = this.onmessage = this.onclose = this.onerror = ignore
      env.clearTimeout(this.#timer)
      Object.keys(this.#parts).forEach((name) => this.#forget(name))
    }

    #open(name) {
      const part = openers[name](...this.#address)
      this.#parts[name] = part
      part.onopen = () => {
        this.#opened = part
        this.onopen()
        this.#opened = undefined
        part.isGreeted = true
      }
      part.onmessage = ({ data }) => this.#hear(name, data)
      part.onclose = part.onerror = ({ code = 0 }) => {
        this.#forget(name)
        this.#run(way.closed, name, code)
      }
    }
    #forget(name) {
      const part = this.#parts[name]
      if (!part) return
      delete this.#parts[name]
      part.onopen = part.onmessage = part.onclose = part.onerror = ignore
      part.close()
    }
    #hear(name, data) {
      if (this.#used === name) return this.onmessage({ data })
      const frame = JSON.parse(data)
      if (frame.type !== 'ready') return
      this.#run(way.ready, name)
      this.onmessage({ data: JSON.stringify({ ...frame, way: name }) })
    }

    #run(decide, ...event) {
      const { close = [], open, use, end, timer } = decide(...event, env.Date.now(), env.Math.random())
      close.forEach((name) => this.#forget(name))
      if (use) this.#used = use
      if (timer !== undefined) {
        env.clearTimeout(this.#timer)
        if (timer !== null) this.#timer = env.setTimeout(() => this.#run(way.expire), timer)
      }
      if (open) this.#open(open)
      if (end !== undefined) this.onclose({ code: end })
    }
  }
}
