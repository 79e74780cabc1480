import { sections } from './dates.js'
import { make, set, write } from './dom.js'
import { countAbove, topsOf } from './heights.js'
import { createRow } from './row.js'

/** How far beyond the visible part there are rows, in pixels: scrolling by less shows no gap. */
const reach = 1_000
/** The height of a row, and of a date, that has never been in the document. */
const usual = 80
/** The most new rows of a frame, and the time for those beyond the first few, in milliseconds. */
const most = 12
const budget = 6
const few = 4

/**
 * The rows of an inbox near the visible part, one node for each notification; empty boxes stand for the others.
 *
 * The keyboard's current row is always there, so that the focus does not get lost.
 *
 * @param ended called while the last line is near
 */
export const createList = (host, feed, scroller, ended) => {
  const rows = new Map()
  const gaps = []
  const titles = sections.map(() => make('div', { part: 'date' }))
  /** Heights of rows by their ids, and of titles by their nodes. */
  const heights = new Map()
  let lines = []
  let tops = []
  let current, now, size, frame, isArrival

  const heightOf = (key) => heights.get(key) ?? usual
  const indexOf = (id) => lines.findIndex(({ item }) => item.id === id)
  const later = () => (frame ||= requestAnimationFrame(lay))
  const observer = new ResizeObserver((entries) => {
    for (const { target, borderBoxSize } of entries) {
      const key = target.dataset.id ?? target
      const { blockSize } = borderBoxSize[0]
      if (!blockSize || heightOf(key) === blockSize) continue
      heights.set(key, blockSize)
      tops = 0
      later()
    }
  })
  titles.forEach((title) => observer.observe(title))

  const makeCurrent = (id) => {
    for (const one of [current, id]) {
      const article = rows.get(one)?.article
      if (article) for (const node of [article, ...article.querySelectorAll('button')]) node.tabIndex = one === id ? 0 : -1
    }
    current = id
  }
  const createFor = (id) => {
    const row = createRow(host)
    row.article.dataset.id = id
    rows.set(id, row)
    observer.observe(row.article)
    return row
  }

  /** The places of the lines for the document now, with their rows; slow ones come later. */
  const choose = () => {
    const view = scroller.getBoundingClientRect()
    const { top } = feed.getBoundingClientRect()
    const from = Math.max(view.top, 0) - top
    const end = countAbove(tops, Math.min(view.bottom, innerHeight) - top + reach)
    const first = (place) => Math.max(0, countAbove(tops, place) - 1)
    const deadline = performance.now() + budget
    const chosen = new Map()
    let made = 0
    const want = (index) => {
      const line = lines[index]
      if (!line) return
      let row = rows.get(line.item.id)
      const isNew = !row
      if (isNew) {
        if (made >= most || (made >= few && performance.now() > deadline)) return later()
        made++
        row = createFor(line.item.id)
      }
      row.show(line, now)
      if (isNew && isArrival && index < 3) row.article.classList.add('fresh')
      chosen.set(index, row)
    }
    want(indexOf(current))
    // First the visible lines, then those below, then those above.
    const start = first(from)
    for (let index = start; index < end; index++) want(index)
    for (let index = start; index-- > first(from - reach); ) want(index)
    if (end >= lines.length && view.height) ended()
    return [...chosen].sort(([one], [other]) => one - other)
  }

  /** Puts the chosen rows into the document. */
  const lay = () => {
    cancelAnimationFrame(frame)
    frame = 0
    tops ||= topsOf(lines, heightOf, (section) => heightOf(titles[section]))
    const focused = host.shadowRoot.activeElement
    const chosen = choose()
    // Rows that go are first, so that the others need not move.
    const kept = new Set(chosen.map(([, row]) => row))
    for (const [id, row] of rows) {
      if (kept.has(row)) continue
      observer.unobserve(row.article)
      row.article.remove()
      rows.delete(id)
    }
    let cursor = feed.firstChild
    let bottom = 0
    let used = 0
    let title
    const place = (node) => {
      if (node === cursor) cursor = cursor.nextSibling
      else feed.insertBefore(node, cursor)
    }
    const leave = (height) => {
      if (height < 1) return
      const gap = (gaps[used++] ??= make('div', { class: 'gap' }))
      gap.style.blockSize = `${height}px`
      place(gap)
    }
    for (const [index, row] of chosen) {
      const { section } = lines[index]
      const before = title
      title = titles[section]
      leave(tops[index] - bottom - (title === before ? 0 : heightOf(title)))
      if (title !== before) {
        write(title, host.say(sections[section]))
        place(title)
      }
      const { article } = row
      set(article, 'aria-posinset', index + 1)
      set(article, 'aria-setsize', size)
      place(article)
      bottom = tops[index + 1]
    }
    leave(tops.at(-1) - bottom)
    while (cursor) {
      const node = cursor
      cursor = node.nextSibling
      node.remove()
    }
    isArrival = false
    makeCurrent(current)
    if (focused?.isConnected) focused.focus({ preventScroll: true })
  }
  /** Puts the focus on the row of a line, or on the nearest one; false if there is none. */
  const focus = (index) => {
    const line = lines[Math.max(0, Math.min(index, lines.length - 1))]
    if (!line) return
    makeCurrent(line.item.id)
    lay()
    const { article } = rows.get(current)
    article.focus({ preventScroll: true })
    article.scrollIntoView({ block: 'nearest' })
    return true
  }
  scroller.addEventListener('scroll', later)
  feed.addEventListener('focusin', ({ target }) => makeCurrent(target.closest('article').dataset.id))

  return {
    rows,
    later,
    indexOf,
    focus,
    focusCurrent: () => focus(indexOf(current)),
    /** Puts the focus on the row after this one, or before it if it is the last; false if there is no other. */
    focusBeside(id) {
      const index = indexOf(id)
      return lines[1] && focus(lines[index + 1] ? index + 1 : index - 1)
    },
    relay() {
      for (const row of rows.values()) row.relay()
    },
    /** Shows lines as they are at a moment, with the next frame: this one has been busy with them. */
    show(list, moment, hasMore) {
      isArrival = lines[0]
      lines = list
      now = moment
      size = hasMore ? -1 : lines.length
      tops = 0
      if (indexOf(current) < 0) current = lines[0]?.item.id
      later()
    },
  }
}
