import { sections } from './dates.js'
import { make, set, write } from './dom.js'
import { createRow } from './row.js'

/** So many rows are there at first, and so many more each time that the end comes near. */
const step = 40
/** So long a frame may make new rows, in milliseconds, and so many of them may come between others at once. */
const budget = 8
const burst = 100

/** The rows of an inbox in the document: one node for each notification, made a few at a time. */
export const createList = (host, feed) => {
  const rows = new Map()
  const titles = sections.map((name) => make('div', { part: 'date', class: 'date' }))
  /** Names of the rows that are there, in their order, and how many there are to be. */
  let shown = []
  let limit = step
  let lines = []
  let now, size, cursor, section, made, deadline, current

  const makeCurrent = (row) => {
    for (const one of [current, row]) {
      if (!one) continue
      const index = one === row ? 0 : -1
      for (const node of [one.article, ...one.article.querySelectorAll('button')]) node.tabIndex = index
    }
    current = row
  }
  const place = (node) => {
    if (node === cursor) cursor = cursor.nextSibling
    else feed.insertBefore(node, cursor)
  }
  const begin = (node) => {
    cursor = node
    made = 0
    deadline = performance.now() + budget
  }
  /** Shows the next line; false if there is none, or no time: what stood there before, and a burst, does not wait. */
  const next = (before) => {
    const index = shown.length
    const line = lines[index]
    if (!line || index >= limit) return
    const { id } = line.item
    let row = rows.get(id)
    if (!row) {
      if (made > 4 && (index >= before || made > burst) && performance.now() > deadline) return
      made++
      rows.set(id, (row = createRow(host)))
      row.article.dataset.id = id
      if (index < 3 && before) row.article.classList.add('fresh')
    }
    if (section !== line.section) {
      section = line.section
      write(titles[section], host.say(sections[section]))
      place(titles[section])
    }
    row.show(line, now)
    if (row.index !== index) row.article.ariaPosInSet = (row.index = index) + 1
    if (row.size !== size) row.article.ariaSetSize = row.size = size
    place(row.article)
    return shown.push(id)
  }
  const isWhole = () => shown.length >= lines.length

  return {
    rows,
    isWhole,
    get current() {
      return current
    },
    makeCurrent: (node) => makeCurrent(rows.get(node.dataset.id)),
    grow(count = step) {
      limit = Math.max(limit, shown.length + count)
    },
    relay() {
      for (const row of rows.values()) row.relay()
    },
    /**
     * Shows lines as they are at a moment; afterwards `fill` makes what was too much at once.
     *
     * @param isKept whether rows that are shown stay, also behind the limit: somebody has scrolled
     */
    show(list, moment, { isKept, hasMore }) {
      const focused = host.shadowRoot.activeElement
      const last = shown.at(-1)
      const before = shown.length
      lines = list
      now = moment
      size = hasMore ? -1 : lines.length
      if (isKept) limit = Math.max(limit, lines.findLastIndex(({ item }) => item.id === last) + 1)
      // First what goes, so that the others need not move.
      const ids = new Set(lines.slice(0, limit).map(({ item }) => item.id))
      for (const [id, row] of rows) {
        if (ids.has(id)) continue
        row.article.remove()
        rows.delete(id)
      }
      begin(feed.firstChild)
      shown = []
      section = undefined
      while (next(before));
      while (cursor) {
        const node = cursor
        cursor = node.nextSibling
        rows.delete(node.dataset.id)
        node.remove()
      }
      makeCurrent(rows.get(current?.article.dataset.id) ?? rows.get(shown[0]))
      if (focused?.isConnected) focused.focus({ preventScroll: true })
    },
    /** Makes further rows; whether some are still to be made. */
    fill() {
      begin(null)
      while (next(0));
      return !isWhole() && shown.length < limit
    },
    /** The row at a place, counted from the end if it is negative. */
    at: (index) => rows.get(shown.at(index)),
    indexOf: (row) => shown.indexOf(row?.item.id),
  }
}
