import { BelfryElement } from './base.js'
import { firstDayOf } from './dates.js'
import { bell, checks, make, set, write } from './dom.js'
import { letKeys } from './keys.js'
import { linesOf } from './lines.js'
import { createList } from './list.js'
import { speakOf } from './speaker.js'
import { createStatus } from './status.js'
import { inboxStyle, style } from './style.js'
import { linkOf, urlOf } from './url.js'

const minute = 60_000
const moving = ['scroll', 'resize']

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
  #open = new Set()
  #loading
  #minute
  #title = make('h2', { part: 'title', id: 'title' })
  #markAll = make('button', { part: 'mark-all-read', class: 'icon', click: () => this.attempt(this.inbox.read()) }, checks())
  #feed = make('div', { part: 'list', role: 'feed', 'aria-labelledby': 'title' })
  #emptyTitle = make('p', { class: 'empty-title' })
  #emptyHint = make('p')
  #empty = make('div', { part: 'empty' }, make('slot', { name: 'empty' }, bell(), this.#emptyTitle, this.#emptyHint))
  #more = make('button', { part: 'load-more', class: 'link', click: () => this.#loadMore() })
  #end = make('div', { class: 'end' }, this.#more)
  #scroller = make('div', { part: 'scroller' }, this.#feed, this.#empty, this.#end)
  // After a failed page, only the button asks for it again.
  #list = createList(this, this.#feed, this.#scroller, () => this.#loading === undefined && this.#loadMore())
  #status = createStatus(this)

  constructor() {
    super(style, inboxStyle)
    this.shadowRoot.append(
      make('div', { part: 'header' }, make('slot', { name: 'header' }, this.#title), make('slot', { name: 'actions' }), this.#markAll),
      this.#status.node,
      this.#scroller,
      make('slot', { name: 'footer' }),
    )
    this.relabel = () => {
      write(this.#title, this.say('title'))
      for (const name of ['aria-label', 'title']) set(this.#markAll, name, this.say('markAllRead'))
      write(this.#emptyTitle, this.say('empty'))
      write(this.#emptyHint, this.say('emptyHint'))
      this.#relay()
    }
    this.relabel()
    letKeys(this, this.#feed, this.#list)
  }

  connectedCallback() {
    super.connectedCallback()
    // Where the page gives no height, the page scrolls.
    for (const event of moving) addEventListener(event, this.#list.later, true)
    this.#tick()
  }
  #tick = () => {
    this.schedule()
    this.#minute = setTimeout(this.#tick, minute - (Date.now() % minute))
  }
  disconnectedCallback() {
    clearTimeout(this.#minute)
    for (const event of moving) removeEventListener(event, this.#list.later, true)
    super.disconnectedCallback()
  }
  attributeChangedCallback(name, before, now) {
    if (name === 'explain' && !before !== !now) this.#list.relay()
    super.attributeChangedCallback()
  }
  follow(inbox) {
    this.#open.clear()
    return speakOf(inbox, this)
  }
  #relay() {
    this.#list.relay()
    this.schedule()
  }

  /** Makes the content of a notification: called with it and the node that it stands in, each time that it changes. */
  get renderItem() {
    return this.#renderItem
  }
  set renderItem(renderItem) {
    this.#renderItem = renderItem
    this.#relay()
  }
  /** Gives the address that a notification opens, or nothing. */
  get linkOf() {
    return this.#linkOf
  }
  set linkOf(some) {
    this.#linkOf = some ?? linkOf
    this.#relay()
  }
  get template() {
    return this.querySelector(':scope>template')
  }

  render(snapshot) {
    const { items = [], more, unread, status } = snapshot ?? {}
    const now = Date.now()
    const firstDay = firstDayOf(this.locale || navigator.language)
    const lines = linesOf(items, { now, firstDay, open: this.#open, isGrouped: this.hasAttribute('grouped'), hasMore: more })
    const isLoading = !snapshot || (!items[0] && status !== 'live' && status !== 'stopped')
    const isBusy = !!this.#loading
    set(this, 'data-unread', unread ?? 0)
    set(this.#feed, 'aria-busy', `${isLoading || isBusy}`)
    this.#markAll.disabled = !unread
    this.#feed.hidden = !items[0]
    this.#empty.hidden = items[0] || isLoading
    this.#end.hidden = !more
    this.#more.disabled = isBusy
    this.#scroller.classList.toggle('loading', isLoading && snapshot)
    write(this.#more, this.say(isBusy ? 'loading' : 'loadMore'))
    this.#status.show()
    this.#list.show(lines, now, more)
  }
  async #loadMore() {
    if (this.#loading || !this.inbox?.snapshot.more) return
    this.#loading = true
    this.schedule(true)
    try {
      await this.inbox.more()
      this.#loading = undefined
    } catch (error) {
      this.#loading = false
      this.attempt(Promise.reject(error))
    }
    this.schedule(true)
  }
  /** Puts the focus on the keyboard's current row, or on `other` if there is none. */
  focusFirst(other) {
    if (!this.#list.focusCurrent()) other.focus({ preventScroll: true })
  }
  failed() {
    this.#status.fail()
  }

  /** Handles a click on a notification, or on one of its buttons. */
  activate(item, button) {
    const { id, deepLink } = item
    const address = button ? button.url : this.#linkOf(item)
    if (!this.tell('belfry-activate', { id, deepLink, notification: item, action: button?.action })) return
    this.markRead(item)
    const url = urlOf(address)
    if (url) location.assign(url)
  }
  markRead({ id, isRead }) {
    if (!isRead) this.attempt(this.inbox.read([id]))
  }
  removeRow({ item, line, article }) {
    const { id } = item
    if (!this.tell('belfry-remove', { id, notification: item })) return
    if (article.contains(this.shadowRoot.activeElement) && !this.#list.focusBeside(id)) this.#markAll.focus()
    this.attempt(this.inbox.remove([id]))
    if (line.count === 1) this.#open.delete(line.key)
  }
  toggleGroup(key) {
    if (!this.#open.delete(key)) this.#open.add(key)
    this.schedule(true)
  }
  flash({ classList }) {
    classList.remove('grown')
    requestAnimationFrame(() => classList.add('grown'))
  }
}
