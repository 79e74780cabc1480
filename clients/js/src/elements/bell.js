import { BelfryElement } from './base.js'
import { bell, cross, make, set, write } from './dom.js'
import { speakOf } from './speaker.js'
import { bellStyle, style } from './style.js'

/** The distance of the panel from the button and the edges of the page, in pixels. */
const margin = 8
const parts = 'header,title,mark-all-read,list,scroller,date,item,read,unread,in-group,avatar,text,time,dot,preview,thumbnails,thumbnail,more-pictures,action,follow,group,remove,content,explain-button,explanation,empty,load-more,status,retry'

/** A button with the number of unread notifications; it opens a panel with the inbox. */
export class BelfryBell extends BelfryElement {
  static get observedAttributes() {
    return [...BelfryElement.observedAttributes, 'count', 'explain', 'grouped', 'theme']
  }
  static get properties() {
    return [...BelfryElement.properties, 'renderItem', 'linkOf']
  }
  #badge = make('span', { part: 'badge', 'aria-hidden': 'true' })
  #button = make('button', { part: 'button', 'aria-haspopup': 'dialog', 'aria-expanded': 'false' },
    make('slot', { name: 'icon' }, bell()), this.#badge)
  #close = make('button', { part: 'close', class: 'icon', slot: 'actions', click: () => this.close() }, cross())
  #list = make('belfry-inbox', { part: 'inbox', exportparts: parts }, this.#close)
  #panel = make('div', { part: 'panel', popover: 'auto', role: 'dialog', tabindex: -1 }, this.#list)

  constructor() {
    super(style, bellStyle)
    this.shadowRoot.append(this.#button, this.#panel)
    this.#button.popoverTargetElement = this.#panel
    this.#panel.addEventListener('beforetoggle', this.#arrange)
    this.#panel.addEventListener('toggle', () => this.#toggled())
    this.#list.addEventListener('belfry-activate', (event) => {
      // Afterwards, if the app lets it be.
      queueMicrotask(() => event.defaultPrevented || event.detail.action || this.close())
    })
    this.relabel = () => {
      set(this.#panel, 'aria-label', this.say('title'))
      set(this.#close, 'aria-label', this.say('close'))
      this.#list.labels = this.labels
    }
    this.relabel()
  }
  connectedCallback() {
    super.connectedCallback()
    // A slot that the page leaves empty would hide the inbox's own words.
    for (const name of ['empty', 'footer']) {
      if (this.querySelector(`:scope>[slot=${name}]`) && !this.#list.querySelector(`[name=${name}]`)) {
        this.#list.append(make('slot', { name, slot: name }))
      }
    }
    const template = this.querySelector(':scope>template')
    if (template) this.#list.append(template.cloneNode(true))
  }
  attributeChangedCallback(name) {
    if (['explain', 'grouped', 'theme'].includes(name)) set(this.#list, name, this.getAttribute(name))
    super.attributeChangedCallback()
  }
  follow(inbox) {
    return speakOf(inbox, this)
  }
  resolve() {
    const hasChanged = super.resolve()
    if (hasChanged) this.#list.inbox = this.inbox
    return hasChanged
  }

  // Properties for the list of the panel only.
  get renderItem() {
    return this.#list.renderItem
  }
  set renderItem(renderItem) {
    this.#list.renderItem = renderItem
  }
  get linkOf() {
    return this.#list.linkOf
  }
  set linkOf(linkOf) {
    this.#list.linkOf = linkOf
  }

  get isOpen() {
    return this.#panel.matches(':popover-open')
  }
  open() {
    if (!this.isOpen) this.#panel.showPopover()
  }
  close() {
    if (this.isOpen) this.#panel.hidePopover()
  }

  /** A push was clicked. */
  activate(item) {
    this.#list.activate(item)
  }

  render(snapshot) {
    const count = snapshot?.[this.getAttribute('count') === 'unseen' ? 'unseen' : 'unread']
    write(this.#badge, count > 99 ? '99+' : `${count}`)
    this.#badge.hidden = !count
    set(this.#button, 'aria-label', count ? this.say('bell', count) : this.say('bellNone'))
    if (this.isOpen && snapshot?.unseen && document.visibilityState === 'visible') this.attempt(this.inbox.seen())
  }
  #toggled() {
    const { isOpen } = this
    set(this.#button, 'aria-expanded', `${isOpen}`)
    this.tell(isOpen ? 'belfry-open' : 'belfry-close')
    if (!isOpen) {
      if ([this, document.body].includes(document.activeElement)) this.#button.focus()
      return removeEventListener('resize', this.#arrange)
    }
    addEventListener('resize', this.#arrange)
    this.attempt(this.inbox?.seen())
    this.#list.focusFirst(this.#panel)
  }
  /** Puts the panel under the button, or above it where there is more room. */
  #arrange = () => {
    const { left, right, top, bottom } = this.#button.getBoundingClientRect()
    const { clientWidth: width, clientHeight: height } = document.documentElement
    const isBelow = height - bottom >= Math.min(420, top)
    const isRight = left + right > width
    const side = (isHere, place) => (isHere ? `${Math.max(margin, place)}px` : 'auto')
    const { style } = this.#panel
    style.inset = [
      side(isBelow, bottom + margin), side(isRight, width - right), side(!isBelow, height - top + margin), side(!isRight, left),
    ].join(' ')
    style.maxBlockSize = `min(42rem,${(isBelow ? height - bottom : top) - 2 * margin}px)`
  }
}
