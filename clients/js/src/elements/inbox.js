import { BelfryElement } from './base.js'
import { createClock, dateGroup, untilTomorrow } from './dates.js'
import { arrange, button, make, setHidden, setText } from './dom.js'
import { Row } from './row.js'
import { inboxStyles } from './styles.js'
import { watchSwipes } from './swipe.js'

/** So many rows are made at once; more when somebody scrolls near the last one. */
const step = 30
/** Positions are written once nothing has come for so long: each arrival changes all of them. */
const settling = 300
const groups = ['today', 'yesterday', 'week', 'earlier']

/** The list of a person's notifications, in date groups. */
export class BelfryInbox extends BelfryElement {
  static get observedAttributes() {
    return ['grouped', 'explain', 'lang']
  }

  /** Changes when all rows have to be written again. */
  version = 0
  #rows = new Map()
  #used = new Set()
  #expanded = new Set()
  #limit = step
  #sections = {}
  #current
  #items = []
  #settle
  #midnight
  #watch
  #isFirst = true

  constructor() {
    super([inboxStyles])
    this.heading = make('h2', 'title')
    this.heading.id = 'title'
    this.readAll = button('read-all', '', () => this.run(this.inbox.read()))
    this.status = make('p', 'status')
    this.note = make('div', 'empty')
    const slotted = (name, ...fallback) => {
      const slot = make('slot', '', ...fallback)
      slot.name = name
      return slot
    }
    const header = make('header', 'header', slotted('header', this.heading), this.readAll, slotted('actions'))
    this.note.append(slotted('empty', (this.emptyText = make('p', 'empty-title')), (this.emptyHint = make('p', 'empty-hint'))))
    this.list = make('div', 'list')
    for (const name of groups) this.#sections[name] = this.#section(name)
    this.list.append(...groups.map((name) => this.#sections[name].node))
    this.more = button('more', '', () => this.#extend())
    this.list.addEventListener('keydown', (event) => this.#press(event))
    this.list.addEventListener('focusin', (event) => this.#focus(event.target.closest('article')))
    watchSwipes(this.list, (row) => this.remove(row))
    this.shadowRoot.append(header, this.status, this.list, this.note, this.more)
    this.relabel()
  }

  #section(name) {
    const heading = make('h3', 'group')
    const feed = make('div', 'feed')
    heading.id = name
    feed.setAttribute('role', 'feed')
    feed.setAttribute('aria-labelledby', 'title ' + name)
    return { heading, feed, node: make('section', 'section', heading, feed) }
  }

  relabel() {
    this.version++
    this.clock = createClock(this.language)
    setText(this.heading, this.label('title'))
    setText(this.readAll, this.label('readAll'))
    setText(this.emptyText, this.label('empty'))
    setText(this.emptyHint, this.label('emptyHint'))
    setText(this.more, this.label('older'))
    for (const name of groups) setText(this.#sections[name].heading, this.label(name))
  }
  attributeChangedCallback() {
    this.relabel()
    this.invalidate()
  }

  connectedCallback() {
    super.connectedCallback()
    this.#watch = new IntersectionObserver(([entry]) => entry.isIntersecting && this.#extend(), {
      rootMargin: '600px',
      scrollMargin: '600px',
    })
    this.#watch.observe(this.more)
    this.#awaitMidnight()
  }
  disconnectedCallback() {
    super.disconnectedCallback()
    this.#watch.disconnect()
    clearTimeout(this.#midnight)
    clearTimeout(this.#settle)
  }
  joined() {
    this.#rows.clear()
    this.#limit = step
    this.#isFirst = true
  }

  #awaitMidnight() {
    // A second later, as a timer may be early.
    this.#midnight = setTimeout(() => {
      this.invalidate()
      this.#awaitMidnight()
    }, untilTomorrow(new Date()) + 1_000)
  }

  /** The end of the list is near: more of what is loaded, and then more of what is not. */
  async #extend() {
    if (!this.inbox) return
    const { items, more } = this.inbox.snapshot
    if (this.#limit < items.length) this.#limit += step
    else if (more) await this.inbox.more().catch(() => {})
    else return
    this.invalidate()
  }

  render(snapshot) {
    const { items, unread, status, more } = snapshot
    this.#items = items
    this.#renderStatus(snapshot)
    setHidden(this.readAll, !unread)
    setHidden(this.note, items.length > 0 || (status === 'connecting' && !snapshot.synced))
    setHidden(this.more, !more && this.#limit >= items.length)
    const now = new Date()
    const lists = { today: [], yesterday: [], week: [], earlier: [] }
    const leaders = new Map()
    for (const item of items.slice(0, this.#limit)) {
      const name = dateGroup(new Date(item.createdAt), now)
      const key = this.hasAttribute('grouped') && item.group ? name + item.group : item.id
      const leader = leaders.get(key)
      if (leader) leader.others.push(item)
      else {
        const entry = { item, key, others: [] }
        leaders.set(key, entry)
        lists[name].push(entry)
      }
    }
    this.#used = new Set()
    const made = []
    for (const name of groups) {
      const { feed, node } = this.#sections[name]
      const rows = lists[name].map(({ item, others, key }) => {
        const row = this.#row(item, made)
        row.key = key
        row.update(item, name, others, this.#expanded.has(key))
        return row.node
      })
      setHidden(node, !rows.length)
      arrange(feed, rows)
    }
    for (const [id, row] of this.#rows) if (!this.#used.has(id)) this.#forget(id, row)
    this.#welcome(made)
    this.#keepCurrent()
    clearTimeout(this.#settle)
    this.#settle = setTimeout(() => this.#number(), settling)
    // The observer tells of changes only: what is near is looked at again.
    if (!this.more.hidden) {
      this.#watch.unobserve(this.more)
      this.#watch.observe(this.more)
    }
  }

  #row(item, made) {
    this.#used.add(item.id)
    let row = this.#rows.get(item.id)
    if (!row) {
      row = new Row(this, this.querySelector(':scope > template[slot=item]'))
      this.#rows.set(item.id, row)
      made?.push(row)
    }
    return row
  }
  #forget(id, row) {
    this.#rows.delete(id)
    if (this.#current === row) this.#current = undefined
  }

  /** Puts rows of `items` into a row's own list. */
  fillWith(parent, items, write) {
    arrange(parent, items.map((item) => {
      const row = this.#row(item)
      write(row, item)
      return row.node
    }))
  }

  #renderStatus({ status, reason, retryAt }) {
    const text = status === 'live' ? '' : this.label(status, this.clock(retryAt ?? 0, 'today'))
    this.status.part = 'status ' + status
    setText(this.status, reason === 'closed' ? '' : text)
    setHidden(this.status, !this.status.textContent)
  }

  /** A few that arrive are shown to arrive; a whole page is not. */
  #welcome(made) {
    const isCalm = this.#isFirst || made.length > 3 || matchMedia('(prefers-reduced-motion: reduce)').matches
    this.#isFirst &&= !this.#rows.size
    if (isCalm) return
    for (const { node } of made) node.animate?.([{ opacity: 0, translate: '0 -8px' }, {}], { duration: 220, easing: 'ease-out' })
  }

  // Focus: one row is in the tab order, with its buttons.

  get #shown() {
    return [...this.list.querySelectorAll('article')]
  }
  #setTab(row, index) {
    if (!row) return
    row.node.tabIndex = index
    for (const control of row.node.querySelectorAll('button, a')) {
      if (control.closest('article') === row.node) control.tabIndex = index
    }
  }
  #focus(node) {
    if (!node || node.row === this.#current) return
    this.#setTab(this.#current, -1)
    this.#current = node.row
    this.#setTab(this.#current, 0)
  }
  #keepCurrent() {
    if (!this.#current) this.#focus(this.list.querySelector('article'))
  }

  #press(event) {
    const node = event.target
    if (node.localName !== 'article') {
      if (event.key === 'Escape') node.closest('article')?.focus()
      return
    }
    const rows = this.#shown
    const at = rows.indexOf(node)
    const moves = { ArrowDown: at + 1, PageDown: at + 1, ArrowUp: at - 1, PageUp: at - 1, Home: 0, End: rows.length - 1 }
    if (event.key in moves) rows[moves[event.key]]?.focus()
    else if (event.key === 'Enter' || event.key === ' ') this.open(node.row.item)
    else if (event.key === 'Delete' || event.key === 'Backspace') this.remove(node.row)
    else return
    event.preventDefault()
  }

  #number() {
    for (const name of groups) {
      const nodes = this.#sections[name].feed.children
      const isWhole = !this.inbox.snapshot.more && this.#limit >= this.#items.length
      for (let index = 0; index < nodes.length; index++) {
        nodes[index].setAttribute('aria-posinset', index + 1)
        nodes[index].setAttribute('aria-setsize', isWhole || !nodes[index].closest('section').matches(':last-of-type') ? nodes.length : -1)
      }
    }
  }

  // What rows ask for

  open(item) {
    this.activate({ id: item.id, deepLink: item.deepLink, notification: item })
  }
  remove(row) {
    const rows = this.#shown
    const at = rows.indexOf(row.node)
    if (row.node.matches(':focus-within')) (rows[at + 1] ?? rows[at - 1])?.focus()
    this.run(this.inbox.remove([row.item.id]))
  }
  toggle(item) {
    const { key } = this.#rows.get(item.id)
    if (!this.#expanded.delete(key)) this.#expanded.add(key)
    this.invalidate()
  }
  /** The page does what a button says; it may change the notification on the server, and so the button. */
  act(action, notification) {
    this.tell('belfry-action', { action, notification })
  }
}
