// An hour of figures: loaded once, and then a value a second by a socket, while the page is looked at.
import { get } from './calls.js'

export const hour = 3_600
let names = []
/** By name, `hour` values at most, the newest one last. */
let columns = {}
let last = 0
let socket
let retry
const listeners = new Set()

const tell = () => listeners.forEach((listener) => listener())

const load = async () => {
  const history = await get('/console/history')
  names = Object.keys(history.columns)
  columns = history.columns
  last = history.from === null ? 0 : history.from + (columns[names[0]]?.length ?? 1) - 1
  tell()
}

const add = ({ at, values }) => {
  if (names.length !== values.length) return void load().catch(() => {})
  // What lies between two values was missed; more than a little is loaded anew.
  if (last && (at < last || at - last > 30)) return void load().catch(() => {})
  const missed = last ? Math.max(0, at - last - 1) : 0
  names.forEach((name, index) => {
    const column = columns[name]
    if (at === last) column.pop()
    for (let place = 0; place < missed; place += 1) column.push(null)
    column.push(values[index])
    if (column.length > hour) column.splice(0, column.length - hour)
  })
  last = at
  tell()
}

const open = () => {
  clearTimeout(retry)
  if (socket || document.hidden || !listeners.size) return
  socket = new WebSocket(`${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/console/live`)
  socket.onmessage = ({ data }) => add(JSON.parse(data))
  const mine = socket
  socket.onclose = () => {
    if (socket !== mine) return
    socket = undefined
    retry = setTimeout(open, 2_000)
    tell()
  }
}
const close = () => {
  const mine = socket
  socket = undefined
  mine?.close()
}
document.addEventListener('visibilitychange', () => {
  if (document.hidden) return close()
  if (listeners.size) load().then(open, () => {})
})

export const live = {
  get isOpen() {
    return socket?.readyState === WebSocket.OPEN
  },
  /** The last so many seconds, the newest one last; shorter if less is known. */
  column: (name, seconds = hour) => (columns[name] ?? []).slice(-seconds),
  now: (name) => columns[name]?.at(-1) ?? null,
  /** Follows the figures; the result ends it. */
  async follow(listener) {
    listeners.add(listener)
    if (listeners.size === 1) await load()
    else listener()
    open()
    return () => {
      listeners.delete(listener)
      if (!listeners.size) close()
    }
  },
}
