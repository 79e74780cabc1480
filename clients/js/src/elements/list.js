import { sections } from './dates.js'
import { make, set, write } from './dom.js'
import { createRow } from './row.js'

/** So many rows are there at first, and so many more each time that the end comes near. */
const step = 40
/** So long a frame may make new rows, in milliseconds. */
const budget = 8

/** The rows of an inbox in the document: one node for each notification, made a few at a time. */
export const createList = (host, feed) => {
  const rows = new Map()
  const titles = sections.map((name) => make('div', { part: 'date', class: `date ${name}` }))
  /** How many lines are to be shown, and what came of it. */
  let limit = step
  let shown = []
  let current

  const rowOf = (node) => rows.get(node?.dataset?.id)
  const makeCurrent = (row) => {
    if (current === row) return
    for (const one of [current, row]) {
      if (!one) continue
      const index = one === row ? 0 : -1
      for (const node of [one.article, ...one.article.querySelectorAll('button, a')]) node.tabIndex = index
    }
    current = row
  }

  return {
    rows,
    get current() {
      return current
    },
    makeCurrent: (node) => makeCurrent(rowOf(node)),
    /** Whether all lines are there. */
    get isWhole() {
      return shown.length >= this.total
    },
    total: 0,
    grow(count = step) {
      limit = Math.max(limit, shown.length + count)
    },
    /** Back at the top, the rows far below go. */
    shrink() {
      limit = step
    },
    relay() {
      for (const row of rows.values()) row.relay()
    },
    /**
     * Shows lines as they are at a moment. Returns whether some are still to be made with the next frame.
     *
     * @param isKept whether rows that are shown stay, also behind the limit: somebody has scrolled
     */
    show(lines, now, { isKept, hasMore }) {
      const focused = host.shadowRoot.activeElement
      const last = shown.at(-1)
      if (isKept && last) limit = Math.max(limit, lines.findLastIndex(({ item }) => item.id === last) + 1)
      this.total = lines.length
      const wanted = lines.slice(0, limit)
      const ids = new Set(wanted.map(({ item }) => item.id))
      for (const [id, row] of rows) {
        if (ids.has(id)) continue
        row.article.remove()
        rows.delete(id)
      }
      const isFirst = !shown.length
      const deadline = performance.now() + budget
      let cursor = feed.firstChild
      let section
      let made = 0
      const place = (node) => {
        if (node === cursor) cursor = cursor.nextSibling
        else feed.insertBefore(node, cursor)
      }
      shown = []
      for (const [index, line] of wanted.entries()) {
        const { id } = line.item
        let row = rows.get(id)
        if (!row) {
          if (made > 4 && performance.now() > deadline) break
          made++
          rows.set(id, (row = createRow(host)))
          row.article.dataset.id = id
          if (!isFirst && index < 3) row.article.classList.add('fresh')
        }
        if (section !== line.section) {
          section = line.section
          const title = titles[section]
          write(title, host.say(sections[section]))
          place(title)
        }
        row.show(line, now)
        set(row.article, 'aria-posinset', index + 1)
        set(row.article, 'aria-setsize', hasMore ? -1 : lines.length)
        place(row.article)
        shown.push(id)
      }
      while (cursor) {
        const { nextSibling } = cursor
        cursor.remove()
        cursor = nextSibling
      }
      // What was cut off by the time has no rows behind it.
      for (const id of rows.keys()) if (rows.size > shown.length && !rows.get(id).article.isConnected) rows.delete(id)
      const row = rows.get(current?.article.dataset.id)
      if (row !== current || !row) {
        current = undefined
        if (shown[0]) makeCurrent(rows.get(shown[0]))
      } else {
        current = undefined
        makeCurrent(row)
      }
      if (focused?.isConnected && host.shadowRoot.activeElement !== focused) focused.focus({ preventScroll: true })
      return shown.length < wanted.length
    },
    /** The row at a place, counted from the end if it is negative. */
    at: (index) => rows.get(shown.at(index)),
    indexOf: (row) => shown.indexOf(row?.item.id),
  }
}
