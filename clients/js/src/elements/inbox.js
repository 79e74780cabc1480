import { BelfryElement } from './base.js'
import { firstDayOf } from './dates.js'
import { make, set, write } from './dom.js'
import { caught, checks } from './icons.js'
import { letKeys } from './keys.js'
import { linesOf } from './lines.js'
import { createList } from './list.js'
import { speakOf } from './speaker.js'
import { createStatus } from './status.js'
import { inboxStyle, style } from './style.js'
import { linkOf, urlOf } from './url.js'

const minute = 60_000

/** The list of a person's notifications. docs/elements.md tells of its attributes, parts, slots and events. */
export class BelfryInbox extends BelfryElement {
  static get observedAttributes() {
    return [...BelfryElement.observedAttributes, 'explain', 'grouped']
  }
  static get properties() {
    return [...BelfryElement.properties, 'renderItem', 'linkOf']
  }
  #renderItem
  #linkOf = linkOf
  #template
  #open = new Set()
  #loading
  #minute
  #filling
  #title = make('h2', { part: 'title', class: 'title', id: 'title' })
  #markAll = make('button', { part: 'mark-all-read', class: 'icon', type: 'button', click: () => this.attempt(this.inbox.read()) }, checks())
  #feed = make('div', { part: 'list', class: 'feed', role: 'feed', 'aria-labelledby': 'title' })
  #empty = make('div', { class: 'empty', part: 'empty', hidden: true })
  #more = make('button', { part: 'load-more', class: 'link more', type: 'button', click: () => this.#loadMore() })
  #end = make('div', { class: 'end' }, this.#more)
  #scroller = make('div', { part: 'scroller', class: 'scroller' })
  #list = createList(this, this.#feed)
  #status = createStatus(this)
  #sentinel = globalThis.IntersectionObserver && new IntersectionObserver(
    (entries) => entries.at(-1).isIntersecting && this.#reachEnd(),
    { root: this.#scroller, rootMargin: '800px' },
  )

  constructor() {
    super(style, inboxStyle)
    const [emptyTitle, emptyHint] = [make('p', { class: 'empty-title' }), make('p', { class: 'hint' })]
    this.#empty.append(make('slot', { name: 'empty' }, caught(), emptyTitle, emptyHint))
    this.#scroller.append(this.#feed, this.#empty, this.#end)
    this.shadowRoot.append(
      make('div', { part: 'header', class: 'header' },
        make('slot', { name: 'header' }, this.#title),
        make('slot', { name: 'actions' }), this.#markAll),
      this.#status.node,
      this.#scroller,
      make('slot', { name: 'footer' }),
    )
    this.relabel = () => {
      write(this.#title, this.say('title'))
      const label = this.say('markAllRead')
      set(this.#markAll, 'aria-label', label)
      set(this.#markAll, 'title', label)
      write(emptyTitle, this.say('empty'))
      write(emptyHint, this.say('emptyHint'))
      this.#list.relay()
    }
    this.relabel()
    letKeys(this, this.#feed, this.#list)
    this.#feed.addEventListener('focusin', ({ target }) => this.#list.makeCurrent(target.closest('article')))
  }

  connectedCallback() {
    super.connectedCallback()
    const tick = () => {
      this.schedule()
      this.#minute = setTimeout(tick, minute - (Date.now() % minute))
    }
    this.#minute = setTimeout(tick, minute - (Date.now() % minute))
  }
  disconnectedCallback() {
    clearTimeout(this.#minute)
    cancelAnimationFrame(this.#filling)
    this.#sentinel.disconnect()
    super.disconnectedCallback()
  }
  attributeChangedCallback(name, before, now) {
    if (name === 'explain' && !before !== !now) this.#list.relay()
    super.attributeChangedCallback()
  }
  follow(inbox) {
    this.#open.clear()
    return [speakOf(inbox, this)]
  }

  /** Makes the content of a notification: called with it and the node that it stands in, each time that it changes. */
  get renderItem() {
    return this.#renderItem
  }
  set renderItem(renderItem) {
    this.#renderItem = renderItem
    this.#list.relay()
    this.schedule()
  }
  /** Gives the address that a notification opens, or nothing. */
  get linkOf() {
    return this.#linkOf
  }
  set linkOf(some) {
    this.#linkOf = some ?? linkOf
    this.#list.relay()
    this.schedule()
  }
  get template() {
    return this.#template ?? this.querySelector(':scope > template[slot=item]')
  }
  set template(template) {
    this.#template = template
  }

  render(snapshot) {
    const { items = [], more = false, unread = 0, status } = snapshot ?? {}
    const now = Date.now()
    const lines = linesOf(items, { now, firstDay: firstDayOf(this.locale || navigator.language), open: this.#open, isGrouped: this.hasAttribute('grouped') })
    const isKept = this.#scroller.scrollTop > 0
    this.#list.show(lines, now, { isKept, hasMore: more })
    const isLoading = !snapshot || (!items.length && status !== 'live' && status !== 'stopped')
    this.#markAll.disabled = !unread
    this.#empty.hidden = !!items.length || isLoading
    set(this, 'data-unread', unread)
    set(this.#feed, 'aria-busy', isLoading || !!this.#loading)
    this.#feed.hidden = !items.length
    set(this.#scroller, 'class', isLoading && snapshot ? 'scroller loading' : 'scroller')
    write(this.#more, this.say(this.#loading ? 'loading' : 'loadMore'))
    this.#more.disabled = !!this.#loading
    this.#status.show(snapshot, now)
    this.#fill()
  }
  /** Makes the rows that are still to be made, some a frame. */
  #fill = () => {
    cancelAnimationFrame(this.#filling)
    if (this.#list.fill()) this.#filling = requestAnimationFrame(this.#fill)
    this.#end.hidden = !this.inbox?.snapshot.more && this.#list.isWhole()
    // Tells again if the end is still near.
    this.#sentinel.unobserve(this.#end)
    this.#sentinel.observe(this.#end)
  }
  #reachEnd() {
    if (!this.#list.isWhole()) {
      this.#list.grow()
      this.#fill()
    } else if (this.#loading === undefined) this.#loadMore()
  }
  async #loadMore() {
    if (this.#loading || !this.inbox?.snapshot.more) return
    this.#loading = true
    this.schedule(true)
    try {
      await this.inbox.more()
      this.#loading = undefined
      this.#list.grow()
    } catch (error) {
      // The button stays, the end of the list does not try by itself.
      this.#loading = false
      this.tell('belfry-error', { error })
      this.failed()
    }
    this.schedule(true)
  }
  /** Shows all rows that there are, for the key End. */
  showAll() {
    this.#list.grow(Infinity)
    this.#fill()
  }
  /** Puts the focus on the row that the keyboard is at, or on something else if there is none. */
  focusFirst(other) {
    ;(this.#list.current?.article ?? other).focus({ preventScroll: true })
  }
  failed() {
    this.#status.fail()
  }

  /** What a click on a notification, or one of its buttons, leads to. */
  activate(item, button) {
    const { id, deepLink } = item
    const action = button?.action
    const address = button ? button.url : this.#linkOf(item)
    if (!this.tell('belfry-activate', { id, deepLink, notification: item, action })) return
    this.markRead(item)
    const url = urlOf(address)
    if (url) location.assign(url)
  }
  markRead({ id, isRead }) {
    if (!isRead) this.attempt(this.inbox.read([id]))
  }
  removeRow(row) {
    const { item, line } = row
    const index = this.#list.indexOf(row)
    const hasFocus = row.article.contains(this.shadowRoot.activeElement)
    const next = this.#list.at(index + 1) ?? (index > 0 ? this.#list.at(index - 1) : undefined)
    if (!this.tell('belfry-remove', { id: item.id, notification: item })) return
    if (hasFocus) (next?.article ?? this.#markAll).focus()
    this.attempt(this.inbox.remove([item.id]))
    if (line.isOpen && line.count === 1) this.#open.delete(line.key)
  }
  toggleGroup(key) {
    if (!this.#open.delete(key)) this.#open.add(key)
    this.schedule(true)
  }
  /** The app's own function must not stop the others' rows. */
  attemptRender(item, node) {
    try {
      const content = this.#renderItem(item, node)
      if (content instanceof Node && content !== node) node.replaceChildren(content)
    } catch (error) {
      reportError(error)
    }
  }
  flash(article) {
    article.classList.remove('grown')
    requestAnimationFrame(() => article.classList.add('grown'))
  }
}
